"""Pieces: a patch of one colour that no shape explains, told as a few that make it up together.

A heart is neither a circle nor a triangle, but two circles and a triangle of one colour look like one. Only a
patch that lies free on the ground is taken apart: of one that others hide, too much would be guessed.
All shapes of a patch are fitted to its edge together. The distance to their union is that to the nearest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import ndimage
from torch import Tensor

from unrender.capsules.candidates import Sightings
from unrender.capsules.canvas import Canvas
from unrender.capsules.coloured import EDGE, WITHIN, Contour, Shown, contour_of
from unrender.capsules.contour import MEDIUM
from unrender.capsules.geometry import ANGLE, CX, CY, LOG_H, LOG_W, Shapes, arms, distances_and_slopes
from unrender.capsules.outline import RAYS
from unrender.capsules.patches import Floats
from unrender.capsules.silhouettes import Silhouette
from unrender.graphics.draw import inside

COUNTS = (2, 3, 4)  # shapes that may make up a patch
ANOTHER = 0.006  # of its area by which one shape more must come nearer to the patch
STARTS, PROMISING = 160, 40  # of these sets so many go on after TRIED steps
TRIED = 6
REACH = (8.0, 8.0, 6.0, 6.0, 4.0, 4.0, 3.0, 3.0, 2.0, 2.0, 1.5, 1.5, 1.0, 1.0)  # px from which an edge pulls
FINEST = (2.0, 2.0, 1.5, 1.0, 1.0, 1.0)  # px: the edge in each step on the pixels themselves
SMALLEST, POINTS = 60, 3000  # px of a patch; in a larger one only some are looked at
MOST = 4  # patches in one picture
BORDER = 3  # px around a patch
FREE = 0.9  # of its border must show the ground
LIKENESS = 0.97  # of its area must be told right, to half a pixel


@dataclass(frozen=True)
class Patch:
    """A patch of one colour, and how much of every pixel around it shows that colour."""

    contour: Contour
    x: Tensor  # (M,) centres of the pixels
    y: Tensor
    alpha: Tensor  # (M,)


def pieces(canvas: Canvas, like: Shapes) -> Sightings | None:
    """Shapes that together explain what the canvas does not, one patch after the other.

    like: shapes of the kinds that are known.
    """
    found = [(patch, told) for patch in _free(canvas) if (told := _told(patch, like)) is not None]
    parts = [as_told(shapes, patch.contour.colour, p) for patch, (shapes, p) in found]
    return Sightings.join(parts) if parts else None


def _free(canvas: Canvas) -> Iterator[Patch]:
    """Unexplained patches that lie on the ground alone."""
    where = canvas.unexplained()
    if where.sum() < SMALLEST / 2:
        return
    shown = Shown.of(canvas, where)
    taken = canvas.owner >= 0
    for piece, colour in shown.pieces()[:MOST]:
        mask = np.zeros_like(where)
        mask[piece.window] = piece.mask
        around = ndimage.binary_dilation(mask, iterations=BORDER) & ~ndimage.binary_dilation(mask)
        lone = (mask & where).sum() > mask.sum() / 3 and not (mask & taken).any()
        if mask.sum() >= SMALLEST and lone and shown.bare[around].mean() > FREE:
            near = ndimage.binary_dilation(mask, iterations=BORDER)
            yield _patch(canvas, contour_of(piece, shown.bare, colour), near)
            taken |= mask


def _patch(canvas: Canvas, contour: Contour, near: NDArray[np.bool_]) -> Patch:
    """The patch with this edge; `near` (H, W) holds it."""
    step = math.ceil(math.sqrt(near.sum() / POINTS))
    row, column = (step * index for index in np.nonzero(near[::step, ::step]))
    colour, ground = contour.colour, canvas.ground[row, column]
    towards = colour - ground
    shown = ((canvas.picture[row, column] - ground) * towards).sum(1) / (towards**2).sum(1).clip(1e-6)
    x, y, alpha = (torch.from_numpy(v).float() for v in (column + 0.5, row + 0.5, shown.clip(0, 1)))
    return Patch(contour, x, y, alpha)


def _told(patch: Patch, like: Shapes) -> tuple[Shapes, float] | None:
    """The fewest shapes that make up the patch well, and how well."""
    best: Shapes | None = None
    least = math.inf
    for count in COUNTS:
        shapes = _fitted(patch, like, count)
        wrong = float(_wrong(_Union.of(shapes, patch.x, patch.y, count).signed, patch.alpha))
        if wrong > least - ANOTHER:
            break
        best, least = shapes, wrong
    assert best is not None
    signed = _Union.of(best, patch.x, patch.y, len(best)).signed
    likeness = 1 - float(_wrong(signed, patch.alpha, slack=0.5))
    return (best, likeness) if likeness > LIKENESS else None


def _wrong(signed: Tensor, alpha: Tensor, slack: float = 0.0) -> Tensor:
    """(S,): what is drawn too much or too little, in areas of the patch; edges may be off by `slack` px."""
    missing = (alpha - inside(signed - slack)).clamp_min(0)
    return (missing + (inside(signed + slack) - alpha).clamp_min(0)).sum(1) / alpha.sum()


def _fitted(patch: Patch, like: Shapes, count: int) -> Shapes:
    """The best of many fits of so many shapes."""
    contour = patch.contour
    shapes = _pulled(_starts(patch, like, count), contour, count, REACH[:TRIED])
    off = _Union.of(shapes, contour.x, contour.y, count).signed[:, :EDGE].abs().clamp_max(3).mean(1)
    some = off.argsort()[:PROMISING]
    shapes = shapes[(some[:, None] * count + torch.arange(count)).flatten()]
    shapes = _pulled(shapes, contour, count, REACH[TRIED:])
    for ramp in FINEST:
        union = _Union.of(shapes, patch.x, patch.y, count)
        drawn = (0.5 - union.signed / ramp).clamp(0, 1)
        edge = (drawn > 0) & (drawn < 1)
        shapes = union.moved((patch.alpha - drawn) * ramp * edge, edge.float(), contour.extent)
    best = int(_wrong(_Union.of(shapes, patch.x, patch.y, count).signed, patch.alpha).argmin())
    return shapes[slice(best * count, (best + 1) * count)]


def _pulled(shapes: Shapes, contour: Contour, count: int, reaches: Sequence[float]) -> Shapes:
    """After one step for every reach: edge points onto the union's outline, the patch inside, bare ground
    outside."""
    far = max(1.0, contour.extent / MEDIUM)
    for reach in reaches:
        union = _Union.of(shapes, contour.x, contour.y, count)
        off = union.signed.clone()
        off[:, EDGE : EDGE + WITHIN].clamp_min_(0)
        off[:, EDGE + WITHIN :].clamp_max_(0)
        reach *= far
        trust = (reach**2 / (reach**2 + off.square())).square() * contour.weight * (off != 0)
        shapes = union.moved(off, trust, contour.extent)
    return shapes


def _starts(patch: Patch, like: Shapes, count: int) -> Shapes:
    """Shapes of random kinds around random points of the patch, as large as there is room."""
    random = np.random.default_rng(count)
    points = patch.contour
    within = slice(EDGE, EDGE + WITHIN)
    x, y = points.x[within].numpy(), points.y[within].numpy()
    edge = np.stack([points.x[:EDGE].numpy(), points.y[:EDGE].numpy()], 1)
    room = np.linalg.norm(np.stack([x, y], 1)[:, None] - edge, axis=2).min(1)
    total = STARTS * count
    chosen = random.choice(WITHIN, total, p=room / room.sum())
    pose = np.zeros((total, like.pose.shape[1]), np.float32)
    pose[:, CX], pose[:, CY] = x[chosen], y[chosen]
    sides = np.log((2.2 * room[chosen]).clip(4.0))
    pose[:, [LOG_W, LOG_H]] = sides[:, None] + random.normal(0, 0.2, (total, 2))
    pose[:, ANGLE] = random.uniform(0, 2 * math.pi, total)
    known = [i for i, kind in enumerate(like.kinds) if not isinstance(kind, Silhouette)]
    kind = torch.from_numpy(random.choice(known, total))
    return Shapes(like.kinds, kind, torch.from_numpy(pose), torch.ones(total, dtype=torch.bool))


@dataclass(frozen=True)
class _Union:
    """Sets of shapes, each set as one; the shapes of one set stand side by side."""

    shapes: Shapes
    signed: Tensor  # (S, M): distances to the union
    slopes: Tensor  # (S, count * G, M): by the pose of each shape

    @classmethod
    def of(cls, shapes: Shapes, x: Tensor, y: Tensor, count: int) -> _Union:
        total = len(shapes)
        signed, slopes = distances_and_slopes(shapes, x.expand(total, -1), y.expand(total, -1))
        signed = signed.unflatten(0, (-1, count))
        least, which = signed.min(1)
        own = torch.arange(count)[:, None] == which[:, None]  # (S, count, M)
        slopes = slopes.unflatten(0, (-1, count)) * own[:, :, None]
        return cls(shapes, least, slopes.flatten(1, 2))

    def moved(self, off: Tensor, trust: Tensor, extent: float) -> Shapes:
        """The shapes after a damped Gauss-Newton step that takes `off` (S, M) away."""
        weighted = self.slopes * trust[:, None]
        hessian = weighted @ self.slopes.transpose(1, 2)
        pose = self.shapes.pose
        unit = arms(pose).square().reshape(hessian.shape[:2])
        diagonal = hessian.diagonal(dim1=1, dim2=2)
        least = 1e-3 * unit * (diagonal / unit).amax(1, keepdim=True)
        system = hessian + torch.diag_embed(0.05 * diagonal + least + 1e-6)
        move = torch.linalg.solve(system, -(weighted @ off[..., None])[..., 0]).reshape(pose.shape)
        size = torch.exp(torch.minimum(pose[:, LOG_W], pose[:, LOG_H]))
        limit = torch.full_like(move, 0.3)
        limit[:, [CX, CY]] = (0.3 * size).clamp_min(1.0)[:, None]
        new = pose + torch.maximum(torch.minimum(move, limit), -limit)
        new[:, [LOG_W, LOG_H]] = new[:, [LOG_W, LOG_H]].clamp(1.1, math.log(2 * extent))
        return self.shapes.with_pose(new)


def as_told(shapes: Shapes, colour: Floats, p: float) -> Sightings:
    """Filled shapes of one colour (3,) whose outlines were judged together."""
    count = len(shapes)
    agreed = torch.full((count, RAYS), p)
    paint = torch.from_numpy(np.broadcast_to(colour, (count, 3)).astype(np.float32).copy())
    return Sightings(shapes, paint, torch.zeros(count, 3, 3), agreed, torch.ones(count, RAYS), agreed[:, 0])

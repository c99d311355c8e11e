"""Contours: outlines fitted to patches of one colour that nothing explains yet.

γ estimates a shape from all that surrounds it. Where other shapes lie across it, or it across them, its
colour alone tells more: the edge of the patch that shows this colour is the shape's own, except where
another one hides it. Each primitive is fitted to that edge from many starting points, robustly, so that an
edge that belongs to another shape does no harm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.cholesky import cholesky
from unrender.capsules.coloured import EDGE, SHARED, WITHIN, Contour, Shown
from unrender.capsules.geometry import (
    ANGLE,
    CX,
    CY,
    LOG_H,
    LOG_W,
    OWN,
    TAU,
    Shapes,
    distances,
    distances_and_slopes,
)
from unrender.capsules.patches import Floats
from unrender.capsules.refine import THIN, soften
from unrender.capsules.silhouettes import Silhouette
from unrender.graphics.compiled import Flags1, Floats2, Floats3, compiled
from unrender.graphics.registry import Primitive

STARTS = 48  # for each primitive, painted and outlined
REACH = (8.0, 8.0, 6.0, 6.0, 4.0, 4.0, 3.0, 2.0, 2.0, 1.5, 1.0, 1.0)  # px from which an edge pulls
MEDIUM = 48.0  # px: the edges of a patch with a larger extent pull from further away
TRIED, PROMISING = 6, 12  # after so many steps only so many starts of each sort go on
CLOSE = 0.9  # px: an edge this near is explained
KEPT = 4  # fits of one primitive to one patch
FIT = 0.3  # a worse fit is not worth refining
_ZERO = np.float32(0)


def contours(shown: Shown, kinds: Sequence[Primitive]) -> tuple[Shapes, Floats]:
    """First estimates for what shows one colour, in pixels of the picture, and their colours."""
    extra = max((len(kind.shape) for kind in kinds), default=0)
    empty = Shapes(tuple(kinds), torch.zeros(0).long(), torch.zeros(0, OWN + extra), torch.zeros(0).bool())
    found = [(_drawable(fit(contour, empty)), contour.colour) for contour in shown.patches()]
    colours = [np.broadcast_to(colour, (len(shapes), 3)) for shapes, colour in found]
    none = np.zeros((0, 3), np.float32)
    return Shapes.join([empty, *(shapes for shapes, _ in found)]), np.concatenate([none, *colours])


def _drawable(shapes: Shapes) -> Shapes:
    """Without outlines of silhouettes, which their parts could not draw."""
    whole = torch.tensor([isinstance(kind, Silhouette) for kind in shapes.kinds])[shapes.kind]
    return shapes[(shapes.filled | ~whole).nonzero()[:, 0]]


def fit(contour: Contour, like: Shapes) -> Shapes:
    """The best fits of every primitive, painted and outlined."""
    shapes = _starts(contour, like)
    behind = contour.weight * (contour.weight != SHARED)  # every other start: only edges on bare ground
    trust = torch.where(torch.arange(len(shapes))[:, None] % 2 == 0, contour.weight, behind)
    sort = (2 * shapes.kind + shapes.filled).numpy()
    shapes = _pulled(shapes, contour, trust, REACH[:TRIED])
    good = _fitting(shapes, contour)
    each = [np.nonzero(sort == k)[0] for k in np.unique(sort)]
    some = np.sort(np.concatenate([at[np.argsort(-good[at])[:PROMISING]] for at in each]))
    shapes = _pulled(shapes[torch.from_numpy(some)], contour, trust[some], REACH[TRIED:])
    return shapes[_several(shapes, _fitting(shapes, contour), sort[some])]


def _pulled(shapes: Shapes, contour: Contour, trust: Tensor, reaches: Sequence[float]) -> Shapes:
    """The shapes after one step for every reach; trust: (N, M)."""
    points = (contour.x.expand(len(shapes), -1), contour.y.expand(len(shapes), -1))
    for reach in reaches:
        far = max(1.0, contour.extent / MEDIUM) ** (math.log(reach) / math.log(REACH[0]))
        shapes = shapes.with_pose(_step(shapes, points, trust, reach * far, contour.extent))
    return shapes


def _fitting(shapes: Shapes, contour: Contour) -> Floats:
    """(N,): how much of the edge is on the outline, of the patch inside, and of the bare ground outside."""
    points, weight = (contour.x.expand(len(shapes), -1), contour.y.expand(len(shapes), -1)), contour.weight
    off = painted_off(shapes, distances(shapes, *points))
    edge = ((off[:, :EDGE].abs() < CLOSE) * weight[:EDGE]).sum(1) / weight[:EDGE].sum().clamp_min(1e-6)
    within = (off[:, EDGE : EDGE + WITHIN] < CLOSE).float().mean(1)
    beyond = (off[:, EDGE + WITHIN :] > -CLOSE).float().mean(1)
    good: Floats = (edge * within * beyond).numpy()
    return good


def _several(shapes: Shapes, good: Floats, sort: NDArray[np.int64]) -> Tensor:
    """Indices of the best shapes, at most KEPT of each sort, that differ."""
    pose = shapes.pose.numpy()
    kept: list[int] = []
    for i in np.argsort(-good):
        if good[i] < max(FIT, 0.6 * good.max()):
            break
        same = [j for j in kept if sort[j] == sort[i]]
        apart = np.hypot(*(pose[same][:, [CX, CY]] - pose[i, [CX, CY]]).T) > 1.0
        apart |= np.abs((pose[same][:, [LOG_W, LOG_H]] - pose[i, [LOG_W, LOG_H]]).sum(1)) > 0.1
        if len(same) < KEPT and apart.all():
            kept.append(int(i))
    return torch.tensor(kept, dtype=torch.long)


def _starts(contour: Contour, like: Shapes) -> Shapes:
    """Poses on the circles through three points of the edge, turned at random."""
    random = torch.Generator().manual_seed(0)
    count = 2 * len(like.kinds)
    x, y = contour.x[:EDGE], contour.y[:EDGE]
    three = torch.randint(EDGE, (STARTS * count, 3), generator=random)
    cx, cy, radius = _circle(x[three], y[three])
    middle = torch.stack([(x.amin() + x.amax()) / 2, (y.amin() + y.amax()) / 2])
    bad = (radius > contour.extent) | (radius < 2.0) | ~torch.isfinite(radius)
    bad[::STARTS] = True  # one start around the whole patch
    pose = like.pose.new_zeros(len(three), like.pose.shape[1])
    pose[:, CX], pose[:, CY] = torch.where(bad, middle[0], cx), torch.where(bad, middle[1], cy)
    size = torch.where(bad, torch.full_like(radius, contour.extent), 2 * radius)
    pose[:, [LOG_W, LOG_H]] = size.clamp_min(4.0).log()[:, None]
    pose[:, ANGLE] = 2 * math.pi * torch.rand(len(three), generator=random)
    kind = torch.arange(len(three)) // (2 * STARTS)
    filled = torch.arange(len(three)) % (2 * STARTS) < STARTS
    pose[:, TAU] = torch.where(filled, 0.0, max(THIN, contour.tau))
    return Shapes(like.kinds, kind, pose, filled)


def _circle(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Centres and radii (N,) of the circles through three points (N, 3)."""
    (ax, bx, cx), (ay, by, cy) = x.unbind(1), y.unbind(1)
    ux, uy, vx, vy = bx - ax, by - ay, cx - ax, cy - ay
    twice = 2 * (ux * vy - uy * vx)
    u, v = ux * ux + uy * uy, vx * vx + vy * vy
    px, py = (vy * u - uy * v) / twice, (ux * v - vx * u) / twice
    return ax + px, ay + py, torch.hypot(px, py)


def painted_off(shapes: Shapes, signed: Tensor) -> Tensor:
    """(N, M): how far points lie outside what is painted; negative inside."""
    return torch.where(shapes.filled[:, None], signed, signed.abs() - shapes.pose[:, TAU, None])


def _step(
    shapes: Shapes, points: tuple[Tensor, Tensor], weight: Tensor, reach: float, extent: float
) -> Tensor:
    """One robust Gauss-Newton step: edge points onto the outline, the patch inside, bare ground outside."""
    signed, slopes = (t.numpy() for t in distances_and_slopes(shapes, *points))
    pose = shapes.pose.numpy().copy()
    _pull(pose, shapes.filled.numpy(), signed, slopes, weight.numpy(), reach, math.log(3 * extent))
    return torch.from_numpy(pose)


@compiled
def _pull(
    poses: Floats2,
    filled: Flags1,
    signed: Floats2,
    slopes: Floats3,
    weight: Floats2,
    reach: float,
    largest: float,
) -> None:
    """Move each pose (N, G); signed, weight: (N, M), slopes: (N, G, M)."""
    size, points = slopes.shape[1:]
    hessian, right, limit = np.empty((size, size)), np.empty((size, 1)), np.empty(size)
    trust, off = np.empty(points, np.float32), np.empty(points, np.float32)
    square = np.float32(reach * reach)
    for n in range(len(poses)):
        pose, slope = poses[n], slopes[n]
        for m in range(points):
            off[m] = signed[n, m]
            if not filled[n]:  # of a line both edges count
                off[m] = abs(signed[n, m]) - pose[TAU]
                if signed[n, m] <= 0:
                    for i in range(size):
                        slope[i, m] = -slope[i, m]
                slope[TAU, m] = -1
            if EDGE <= m < EDGE + WITHIN:
                off[m] = max(off[m], _ZERO)
            elif m >= EDGE + WITHIN:
                off[m] = min(off[m], _ZERO)
            believed = square / (square + off[m] * off[m])
            trust[m] = believed * believed * weight[n, m] if off[m] != 0 else _ZERO
        for i in range(size):
            for j in range(i + 1):
                total = _ZERO
                for m in range(points):
                    total += slope[i, m] * slope[j, m] * trust[m]
                hessian[i, j] = total
            total = _ZERO
            for m in range(points):
                total -= slope[i, m] * trust[m] * off[m]
            right[i, 0] = total
        soften(hessian, pose, 0.02, 1e-3)
        cholesky(hessian, right)
        for i in range(size):
            limit[i] = 0.3
        limit[CX] = limit[CY] = max(0.3 * math.exp(min(pose[LOG_W], pose[LOG_H])), 1.0)
        limit[TAU] = 1.0
        for i in range(size):
            pose[i] += min(max(right[i, 0], -limit[i]), limit[i])
        pose[LOG_W], pose[LOG_H] = min(max(pose[LOG_W], 1.1), largest), min(max(pose[LOG_H], 1.1), largest)
        thickest = 0.25 * math.exp(min(pose[LOG_W], pose[LOG_H]))
        pose[TAU] = 0.0 if filled[n] else min(max(pose[TAU], THIN), thickest)

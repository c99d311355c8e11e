"""Contours: outlines fitted to patches of one colour that nothing explains yet.

γ estimates a shape from all that surrounds it. Where other shapes lie across it, or it across them, its
colour alone tells more: the edge of the patch that shows this colour is the shape's own, except where
another one hides it. Each primitive is fitted to that edge from many starting points, robustly, so that an
edge that belongs to another shape does no harm.
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

from unrender.capsules.canvas import Canvas
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
from unrender.capsules.refine import THIN
from unrender.graphics.registry import Primitive

COLOURS = 10  # looked at in one picture, the most frequent first
PATCHES = 16  # fitted in one picture, the largest first
LEAST = 12  # px of a colour
ASKED = 1200  # unexplained pixels that say which colours there are
GAP = 0.7  # of the extent of a piece: what is nearer may be another piece of the same shape
EDGE, WITHIN, BEYOND = 64, 24, 40  # points of a patch: on its edge, in it, and on bare ground around it
STARTS = 48  # for each primitive, painted and outlined
REACH = (8.0, 8.0, 6.0, 6.0, 4.0, 4.0, 3.0, 2.0, 2.0, 1.5, 1.0, 1.0)  # px from which an edge pulls
MEDIUM = 48.0  # px: the edges of a patch with a larger extent pull from further away
TRIED, PROMISING = 6, 12  # after so many steps only so many starts of each sort go on
SHARED = 0.6  # weight of an edge beside another shape
CLOSE = 0.9  # px: an edge this near is explained
KEPT = 4  # fits of one primitive to one patch
FIT = 0.3  # a worse fit is not worth refining

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Contour:
    """Points of one patch: first those on its edge, then inside it, then on bare ground. Each (M,)."""

    x: Tensor
    y: Tensor
    weight: Tensor
    extent: float  # px
    tau: float  # px: half the width of a line that would be this patch
    colour: Floats  # (3,)


def contours(canvas: Canvas, kinds: Sequence[Primitive], where: Mask) -> tuple[Shapes, Floats]:
    """First estimates for what is shown at `where` (H, W), in pixels of the picture, and their colours."""
    extra = max((len(kind.shape) for kind in kinds), default=0)
    empty = Shapes(tuple(kinds), torch.zeros(0).long(), torch.zeros(0, OWN + extra), torch.zeros(0).bool())
    found = [(fit(contour, empty), contour.colour) for contour in coloured_patches(canvas, where)]
    colours = [np.broadcast_to(colour, (len(shapes), 3)) for shapes, colour in found]
    none = np.zeros((0, 3), np.float32)
    return Shapes.join([empty, *(shapes for shapes, _ in found)]), np.concatenate([none, *colours])


def coloured_patches(canvas: Canvas, where: Mask) -> list[Contour]:
    """Patches of one colour that touch the given pixels, the largest first."""
    tolerance = canvas.alike
    bare = _near(canvas.picture, canvas.ground, tolerance)
    found: list[tuple[Mask, Floats]] = []
    for colour in _colours(canvas.picture[where], tolerance):
        alike = _near(canvas.picture, colour, tolerance) & ~bare
        found += [(mask, colour) for mask in _pieces(alike, where)]
    found.sort(key=lambda patch: -int(patch[0].sum()))
    return [_contour(mask, bare, colour) for mask, colour in found[:PATCHES]]


def _near(picture: Floats, colour: Floats, tolerance: float) -> Mask:
    off = picture - colour
    near: Mask = np.einsum("...c,...c->...", off, off) < tolerance**2
    return near


def _colours(pixels: Floats, tolerance: float) -> Iterator[Floats]:
    """The most frequent colours among pixels (P, 3)."""
    pixels = pixels[np.linspace(0, len(pixels) - 1, min(ASKED, len(pixels))).astype(int)]
    for _ in range(COLOURS):
        if len(pixels) < 3:
            return
        alike = ((pixels[:, None] - pixels) ** 2).sum(2) < (0.6 * tolerance) ** 2
        best = alike[alike.sum(1).argmax()]
        colour: Floats = pixels[best].mean(0)
        yield colour
        pixels = pixels[((pixels - colour) ** 2).sum(1) > tolerance**2]


def _pieces(mask: Mask, where: Mask) -> list[Mask]:
    """Connected pieces of a mask that touch `where`, and groups of them that may be one shape."""
    labels, count = ndimage.label(mask, np.ones((3, 3)))
    if not count:
        return []
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    wanted = np.bincount(labels[where], minlength=count + 1) > 2
    boxes = ndimage.find_objects(labels)
    several = [i + 1 for i in range(count) if sizes[i + 1] >= 4]
    groups: dict[frozenset[int], None] = {}
    for i in several:
        if wanted[i]:
            near = frozenset(j for j in several if _gap(boxes[i - 1], boxes[j - 1]) <= 0)
            groups |= {frozenset([i]): None, near: None}
    return [grouped for group in groups if (grouped := np.isin(labels, list(group))).sum() >= LEAST]


def _gap(one: tuple[slice, slice], other: tuple[slice, slice]) -> float:
    """How much further two boxes are apart than pieces of one shape would be."""
    apart = max(max(a.start - b.stop, b.start - a.stop) for a, b in zip(one, other, strict=True))
    extent = max(s.stop - s.start for box in (one, other) for s in box)
    return float(apart - GAP * extent)


def _contour(mask: Mask, bare: Mask, colour: Floats) -> Contour:
    """Choose points of a patch."""
    rows, columns = ndimage.find_objects(mask.astype(np.int8))[0]
    extent = float(max(rows.stop - rows.start, columns.stop - columns.start))
    room = round(0.4 * extent) + 4
    top, left = max(0, rows.start - room), max(0, columns.start - room)
    window = (slice(top, rows.stop + room), slice(left, columns.stop + room))
    mask, bare = mask[window], bare[window]
    depth = ndimage.distance_transform_edt(mask)
    points = [_edge(mask, bare), _inside(mask), _inside(bare)]
    chosen = [
        cloud[np.linspace(0, len(cloud) - 1, count).astype(int)] if len(cloud) else np.zeros((count, 3))
        for cloud, count in zip(points, (EDGE, WITHIN, BEYOND), strict=True)
    ]
    x, y, weight = torch.from_numpy(np.concatenate(chosen)).float().unbind(1)
    return Contour(x + left, y + top, weight, extent, float(2 * depth[mask].mean()), colour)


def _edge(mask: Mask, bare: Mask) -> NDArray[np.float64]:
    """(P, 3): x, y and weight of the points between a pixel of the mask and one that is not. Beside bare
    ground the edge is the patch's own; beside another shape it may be that one's."""
    found = []
    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        beside, free = _moved(mask, dy, dx), _moved(bare, dy, dx)
        row, column = np.nonzero(mask & ~beside)
        weight = np.where(free[row, column], 1.0, SHARED)
        found.append(np.stack([column + 0.5 + dx / 2, row + 0.5 + dy / 2, weight], 1))
    points = np.concatenate(found)
    return points[np.lexsort((points[:, 0], points[:, 1]))]


def _moved(mask: Mask, dy: int, dx: int) -> Mask:
    """What each pixel's neighbour shows; beyond the picture, what the pixel itself shows."""
    height, width = mask.shape
    return np.pad(mask, 1, mode="edge")[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]


def _inside(mask: Mask) -> NDArray[np.float64]:
    """(P, 3): x, y and weight of the pixels of a mask."""
    row, column = np.nonzero(mask)
    return np.stack([column + 0.5, row + 0.5, np.full(len(row), 0.5)], 1)


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
    off = _off(shapes, distances(shapes, *points))
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


def _off(shapes: Shapes, signed: Tensor) -> Tensor:
    """(N, M): how far points lie outside what is painted; negative inside."""
    return torch.where(shapes.filled[:, None], signed, signed.abs() - shapes.pose[:, TAU, None])


def _step(
    shapes: Shapes, points: tuple[Tensor, Tensor], weight: Tensor, reach: float, extent: float
) -> Tensor:
    """One robust Gauss-Newton step: edge points onto the outline, the patch inside, bare ground outside."""
    signed, slopes = distances_and_slopes(shapes, *points)
    off = _off(shapes, signed)
    slopes = torch.where(shapes.filled[:, None, None] | (signed[:, None] > 0), slopes, -slopes)
    slopes[:, TAU] = -(~shapes.filled[:, None]).to(slopes.dtype)
    off[:, EDGE : EDGE + WITHIN].clamp_min_(0)
    off[:, EDGE + WITHIN :].clamp_max_(0)
    trust = (reach**2 / (reach**2 + off.square())).square() * weight * (off != 0)
    weighted = slopes * trust[:, None]
    hessian = weighted @ slopes.transpose(1, 2)
    diagonal = hessian.diagonal(dim1=1, dim2=2)
    system = hessian + torch.diag_embed(0.02 * diagonal + 1e-3 * diagonal.amax(1, keepdim=True) + 1e-6)
    move = torch.linalg.solve(system, -(weighted @ off[..., None])[..., 0])
    pose = shapes.pose
    size = torch.exp(torch.minimum(pose[:, LOG_W], pose[:, LOG_H]))
    limit = torch.full_like(move, 0.3)
    limit[:, [CX, CY]] = (0.3 * size).clamp_min(1.0)[:, None]
    limit[:, TAU] = 1.0
    new = pose + torch.maximum(torch.minimum(move, limit), -limit)
    new[:, [LOG_W, LOG_H]] = new[:, [LOG_W, LOG_H]].clamp(1.1, math.log(3 * extent))
    thickest = 0.25 * torch.exp(torch.minimum(new[:, LOG_W], new[:, LOG_H]))
    tau = torch.minimum(new[:, TAU].clamp_min(THIN), thickest)
    new[:, TAU] = torch.where(shapes.filled, torch.zeros_like(tau), tau)
    return new

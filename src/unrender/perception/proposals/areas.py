"""Areas: what a fit needs to know of one or several regions of a colour: their edge, their moments, their
width."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.perception.image.regions import WALK, Labels, Mask, Regions, edge_points, smoothed_stairs
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats, distances
from unrender.render.shape import TAU, Shape, Window, union

POINTS = 48  # of an edge that are fitted
FEWEST = 6  # points of an edge
STAIR = 1.6  # px: points of a staircase this near to each other stand for one stretch of edge
THIN = 3.0  # px: a stroke up to this width may have no pixel that is all its own
BESIDE = 1.2  # px from an edge of another shape: what lies there may be its edge
ALIKE = 1e-3  # squared distance of colours that look the same
PAINTED = 0.15  # of a pixel: what a stroke must cover to run through it
ALONG, STRETCHES = 6.0, 64  # px of an edge that tell how it runs, at least; or of a long one that part of it
DENSE = 8  # times as far as they must reach: then no more points are looked at
TURNS = 60  # directions that are told apart before their means are taken
SIDES = 4  # directions of an edge that are tried
BORDER, BARE = -2, 0  # beyond an edge: the end of the picture, the background


@dataclass(frozen=True, eq=False)
class Area:
    """One region, or several of one colour that may be one shape behind others."""

    x: Doubles  # (POINTS,): on the edge; what is missing has no weight
    y: Doubles
    weight: Doubles
    bare: Mask  # which points border on the background
    line: Doubles | None  # (3, 2 POINTS), of a thin area: its pixels, x, y and how much each is painted
    mean: Doubles  # (2,)
    covariance: Doubles  # (2, 2)
    colour: Doubles  # (3,)
    hollow: bool  # it has holes
    inner: (
        Doubles | None
    )  # (3,): the colour of the region that fills its hole, if it differs from that around it
    width: float  # px of a stroke whose both edges these are
    extent: float  # px: half of the longest side that a shape of it may have
    angles: Doubles  # (K,) radians: the directions in which most of its edge runs

    @classmethod
    def of(
        cls,
        image: Floats,
        ground: Floats,
        regions: Regions,
        which: Sequence[int],
        others: Sequence[Shape] = (),
    ) -> Area | None:
        """None if there is too little of an edge.

        ground: what lies around the regions. others: shapes whose edges the edge of the area may be in part.
        """
        found = [
            edge_points(
                image, ground, regions.labels, regions.colour, regions.solid, k, regions.window(k), WALK
            )
            for k in which
        ]
        x, y, beside = found[0] if len(found) == 1 else (np.concatenate(p) for p in zip(*found, strict=True))
        edges, own = len(x), beside != BORDER
        for other in others:
            own &= ~on_edge(other, x, y)
        at = np.flatnonzero(own)
        if len(at) < FEWEST:
            return None
        pick = (np.arange(POINTS) * (len(at) - 1)) // (POINTS - 1)
        x, y, beside = x[at], y[at], beside[at[pick]]
        angles = directions(x, y, max(ALONG, 2 * len(x) / STRETCHES))
        x, y = smoothed_stairs(x, y, pick, STAIR) if regions.aliased else (x[pick], y[pick])
        weight = np.full(POINTS, min(len(at) / POINTS, 1.0))
        top, bottom, left, right = window = union([regions.window(k, WALK) for k in which])
        mask, size, filled, mean, covariance = _survey(regions.labels, np.array(which), window)
        width = 2 * size / edges
        colour = regions.colour[which[0]]
        line = _line(image, ground, mask, window, colour, PAINTED, 2 * POINTS) if width < THIN else None
        hollow = filled > size
        inside = _inner(regions.labels, regions.solid, regions.colour, ground, mask, window, WALK, ALIKE)
        return cls(
            x,
            y,
            weight,
            beside == BARE,
            line if line is not None and line.size else None,
            mean,
            covariance,
            colour,
            hollow,
            regions.colour[inside] if hollow and inside > 0 else None,
            width,
            2.0 * (max(bottom - top, right - left) - 2 * WALK),
            angles,
        )

    @classmethod
    def along(cls, points: Doubles, width: float, colour: Doubles) -> Area:
        """What is known of a stroke by points (2, N) of its middle."""
        pick = (np.arange(POINTS) * (points.shape[1] - 1)) // (POINTS - 1)
        x, y = points[:, pick]
        extent = 2.0 * float(np.ptp(points, axis=1).max())
        return cls(
            x, y, np.ones(POINTS), np.ones(POINTS, np.bool_), None, points.mean(1),
            np.cov(points) + np.eye(2) / 12, colour, True, None, width, extent,
            directions(points[0], points[1], max(ALONG, 2 * points.shape[1] / STRETCHES)),
        )  # fmt: skip


def on_edge(shape: Shape, x: Doubles, y: Doubles) -> Mask:
    """Which points (M,) lie on an edge that the shape paints."""
    signed = np.abs(distances(shape, x, y)[0][0])
    if shape.stroke is None:
        return np.asarray(signed < BESIDE)
    near = np.abs(signed - shape.pose[TAU]) < BESIDE
    return np.asarray(near if shape.fill is None else near | (signed < BESIDE))


def directions(x: Doubles, y: Doubles, reach: float) -> Doubles:
    """(K,) radians, 0 to π: the directions in which most points (M,) of an edge follow one another, those of
    the longest straight sides first. reach: px from a point to those that tell how the edge runs there."""
    pick = (np.arange(2 * POINTS) * len(x)) // (2 * POINTS)
    every = max(int(reach / (DENSE * ALONG)), 1)  # points of a long edge that tell as much as all of them
    dx, dy = x[::every] - x[pick, None], y[::every] - y[pick, None]
    near = np.maximum(1 - (dx * dx + dy * dy) / reach**2, 0.0)
    xx, xy, yy = ((near * one * other).sum(1) for one, other in ((dx, dx), (dx, dy), (dy, dy)))
    straight = np.hypot(xx - yy, 2 * xy) / np.maximum(xx + yy, 1e-9)  # 1 for points on a line
    angle = 0.5 * np.arctan2(2 * xy, xx - yy) % math.pi
    found: list[float] = []
    weight = straight**4
    for _ in range(SIDES):
        votes = np.bincount((angle * (TURNS / math.pi)).astype(int) % TURNS, weight, TURNS)
        votes = votes + np.roll(votes, 1) + np.roll(votes, -1)
        most = (int(votes.argmax()) + 0.5) * math.pi / TURNS
        off = (angle - most + math.pi / 2) % math.pi - math.pi / 2
        own = weight * (np.abs(off) < 1.5 * math.pi / TURNS)
        if own.sum() < len(pick) / TURNS:
            break
        found.append(most + float((own * off).sum() / own.sum()))
        weight = weight * (np.abs(off) >= 3 * math.pi / TURNS)
    return np.array(found)


IN, HOLE, OUT = 1, 0, 2  # of a mask: the area, what it encloses, what lies around it
Kinds = NDArray[np.uint8]


@compiled
def _survey(
    labels: Labels, which: NDArray[np.int64], window: Window
) -> tuple[Kinds, int, int, Doubles, Doubles]:
    """A mask (h, w) of IN, HOLE and OUT, the number of pixels in the area, that with its holes, and mean (2,)
    and covariance (2, 2) of the area without holes."""
    top, bottom, left, right = window
    tall, wide = bottom - top, right - left
    mask = np.zeros((tall, wide), np.uint8)
    size = 0
    for i in range(tall):
        for j in range(wide):
            for k in range(len(which)):
                if labels[i + top, j + left] == which[k]:
                    mask[i, j] = 1
                    size += 1
                    break
    stack = np.empty(tall * wide, np.int64)
    count = 0
    for i in range(tall):
        for j in range(wide):
            border = i == 0 or j == 0 or i == tall - 1 or j == wide - 1
            if border and mask[i, j] == 0:
                mask[i, j] = 2
                stack[count] = i * wide + j
                count += 1
    while count:
        count -= 1
        i, j = stack[count] // wide, stack[count] % wide
        for k in range(4):
            r, c = i + (k == 0) - (k == 1), j + (k == 2) - (k == 3)
            if 0 <= r < tall and 0 <= c < wide and mask[r, c] == 0:
                mask[r, c] = 2
                stack[count] = r * wide + c
                count += 1
    total, sx, sy, sxx, sxy, syy = 0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(tall):
        for j in range(wide):
            if mask[i, j] != 2:
                total += 1
                sx += j
                sy += i
                sxx += j * j
                sxy += i * j
                syy += i * i
    n = max(total, 1)
    mx, my = sx / n, sy / n
    covariance = np.empty((2, 2))
    covariance[0, 0], covariance[1, 1] = sxx / n - mx * mx + 1 / 12, syy / n - my * my + 1 / 12
    covariance[0, 1] = covariance[1, 0] = sxy / n - mx * my
    return mask, size, total, np.array([mx + left + 0.5, my + top + 0.5]), covariance


@compiled
def _inner(
    labels: Labels,
    solid: Mask,
    colour: Doubles,
    ground: Floats,
    mask: Kinds,
    window: Window,
    walk: int,
    alike: float,
) -> int:
    """The region that most of the edge of a hollow area encloses, if what lies around has another
    colour; or 0."""
    top, _, left, _ = window
    tall, wide = mask.shape
    votes = np.zeros((2, 64), np.int64)  # inside, outside
    names = np.full((2, 64), -1, np.int64)
    for i in range(tall):
        for j in range(wide):
            if mask[i, j] != 1:
                continue
            for k in range(4):
                di, dj = (k == 0) - (k == 1), (k == 2) - (k == 3)
                for step in range(1, walk + 1):
                    r, c = i + step * di, j + step * dj
                    if r < 0 or c < 0 or r >= tall or c >= wide or mask[r, c] == 1:
                        break
                    label = labels[r + top, c + left]
                    if label == 0 or solid[label]:
                        side = 0 if mask[r, c] == 0 else 1
                        for slot in range(64):
                            if names[side, slot] == label or names[side, slot] == -1:
                                names[side, slot] = label
                                votes[side, slot] += 1
                                break
                        break
    inside, outside = int(names[0, np.argmax(votes[0])]), int(names[1, np.argmax(votes[1])])
    if inside <= 0:
        return 0
    if outside >= 0:
        off = 0.0
        for m in range(3):
            far = ground[top, left, m] if outside == 0 else colour[outside, m]
            off += (far - colour[inside, m]) ** 2
        if off < alike:
            return 0
    return inside


@compiled
def _line(
    image: Floats, ground: Floats, mask: Kinds, window: Window, colour: Doubles, least: float, most: int
) -> Doubles:
    """The pixels (3, most) of a thin area: x, y and how much of each is painted; (3, 0) if there are
    too few."""
    top, _, left, _ = window
    tall, wide = mask.shape
    x, y, share, count = np.empty(tall * wide), np.empty(tall * wide), np.empty(tall * wide), 0
    for i in range(tall):
        for j in range(wide):
            near = mask[i, j] == 1
            near = near or (i > 0 and mask[i - 1, j] == 1) or (i + 1 < tall and mask[i + 1, j] == 1)
            near = near or (j > 0 and mask[i, j - 1] == 1) or (j + 1 < wide and mask[i, j + 1] == 1)
            if not near:
                continue
            along, length = 0.0, 1e-9
            for m in range(3):
                step = colour[m] - ground[i + top, j + left, m]
                along += (image[i + top, j + left, m] - ground[i + top, j + left, m]) * step
                length += step * step
            if along > least * length:
                x[count], y[count], share[count] = j + left + 0.5, i + top + 0.5, min(along / length, 1.0)
                count += 1
    if count < 6:
        return np.empty((3, 0))
    found = np.empty((3, most))
    for n in range(most):
        k = n * (count - 1) // (most - 1)
        found[0, n], found[1, n], found[2, n] = x[k], y[k], share[k]
    return found

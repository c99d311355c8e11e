"""Contours: the closed outlines of all colour regions, outer ones and holes, as ordered points to a fraction
of a pixel."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.perception.image.mixed import owners
from unrender.perception.image.regions import Labels, Regions
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

BORDER = -2  # beyond a point: the end of the picture
REACH = 4  # px from an edge to pixels of one colour on either side
UNSURE = 0.3  # px: the standard deviation of an edge that is only known to lie between two pixels


@dataclass(frozen=True, eq=False)
class Contours:
    """All contours of a picture. The region lies to the right of the way along a contour, so that outer ones
    run clockwise on the screen and have a positive area, holes a negative one."""

    x: Doubles  # (P,) px
    y: Doubles
    error: Doubles  # (P,): standard error across the edge, px
    beyond: Labels  # (P,): the region on the other side, 0 the background, UNRESOLVED, or BORDER
    start: NDArray[np.int64]  # (C + 1,): contour c has the points from start[c] to start[c + 1]
    region: Labels  # (C,)
    area: Doubles  # (C,) px², signed

    @classmethod
    def of(
        cls,
        image: Floats,
        background: Floats,
        regions: Regions,
        sigma: float,
        edge_error: float,
        owner: Labels | None = None,
    ) -> Contours:
        """sigma: noise of a channel. edge_error: standard deviation of a renderer's coverage at edges. owner:
        the region that covers most of each pixel, if that is known."""
        if owner is None:
            owner = owners(image, background, regions, sigma)
        rows, columns, sides, ends = _traced(owner)
        return cls(
            *_placed(
                image, background, regions.labels, regions.colour, owner, rows, columns, sides, ends,
                REACH, sigma, edge_error, UNSURE,
            )
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.region)

    def points(self, contour: int) -> slice:
        """Where in the arrays the points of a contour are."""
        return slice(int(self.start[contour]), int(self.start[contour + 1]))

    def longest(self, points: float) -> Contours:
        """The contours of the regions with the longest ones, of no more than so many points together."""
        length = np.diff(self.start)
        if len(self.x) <= points:
            return self
        of_region = np.bincount(self.region, length)
        order = np.argsort(-of_region, kind="stable")
        kept = np.zeros(len(of_region), np.bool_)
        kept[order[np.cumsum(of_region[order]) <= points]] = True
        own = kept[self.region]
        at = np.repeat(own, length)
        start = np.concatenate([[0], np.cumsum(length[own])])
        return Contours(
            self.x[at], self.y[at], self.error[at], self.beyond[at], start, self.region[own], self.area[own]
        )

    def of_region(self, region: int) -> list[int]:
        """The contours of a region, the outer one first."""
        found = np.nonzero(self.region == region)[0]
        return [int(c) for c in found[np.argsort(-self.area[found], kind="stable")]]


@compiled
def _traced(
    owner: Labels,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int8], NDArray[np.int64]]:
    """The sides of pixels that bound regions, in order along every contour: rows, columns, sides (0 top, 1
    right, 2 bottom, 3 left), and where each contour ends. Pixels that touch at a corner are connected."""
    tall, wide = owner.shape
    total = 0
    for i in range(tall):
        for j in range(wide):
            own = owner[i, j]
            if own > 0:
                total += i == 0 or owner[i - 1, j] != own
                total += j == wide - 1 or owner[i, j + 1] != own
                total += i == tall - 1 or owner[i + 1, j] != own
                total += j == 0 or owner[i, j - 1] != own
    rows, columns = np.empty(total, np.int32), np.empty(total, np.int32)
    sides, ends = np.empty(total, np.int8), np.empty(total // 4 + 1, np.int64)
    seen = np.zeros((tall, wide), np.uint8)
    count, contours = 0, 0
    for i in range(tall):
        for j in range(wide):
            own = owner[i, j]
            # every contour has a top side
            if own <= 0 or (i > 0 and owner[i - 1, j] == own) or seen[i, j] & 1:
                continue
            r, c, s = i, j, 0
            while not seen[r, c] & (1 << s):
                seen[r, c] |= 1 << s
                rows[count], columns[count], sides[count] = r, c, s
                count += 1
                dr, dc = (0, 1) if s == 0 else (1, 0) if s == 1 else (0, -1) if s == 2 else (-1, 0)
                ahead_r, ahead_c = r + dr, c + dc
                left_r, left_c = ahead_r - dc, ahead_c + dr
                if 0 <= left_r < tall and 0 <= left_c < wide and owner[left_r, left_c] == own:
                    r, c, s = left_r, left_c, (s + 3) % 4
                elif 0 <= ahead_r < tall and 0 <= ahead_c < wide and owner[ahead_r, ahead_c] == own:
                    r, c = ahead_r, ahead_c
                else:
                    s = (s + 1) % 4
            ends[contours] = count
            contours += 1
    return rows, columns, sides, ends[:contours].copy()


@compiled
def _placed(
    image: Floats,
    background: Floats,
    labels: Labels,
    colour: Doubles,
    owner: Labels,
    rows: NDArray[np.int32],
    columns: NDArray[np.int32],
    sides: NDArray[np.int8],
    ends: NDArray[np.int64],
    reach: int,
    sigma: float,
    edge_error: float,
    unsure: float,
) -> tuple[Doubles, Doubles, Doubles, Labels, NDArray[np.int64], Labels, Doubles]:
    """A point for every pixel side that runs along the contour rather than across it."""
    x, y, error = np.empty(len(rows)), np.empty(len(rows)), np.empty(len(rows))
    beyond = np.empty(len(rows), np.int32)
    start, region = np.zeros(len(ends) + 1, np.int64), np.empty(len(ends), np.int32)
    area = np.zeros(len(ends))
    count, first = 0, 0
    for n in range(len(ends)):
        length = ends[n] - first
        region[n] = owner[rows[first], columns[first]]
        for k in range(length):
            at = first + k
            if not _along(sides[first : ends[n]], k):
                continue
            i, j, side = rows[at], columns[at], sides[at]
            di, dj = (-1, 0) if side == 0 else (0, 1) if side == 1 else (1, 0) if side == 2 else (0, -1)
            along, err, other = _edge(
                image, background, labels, colour, owner, i, j, di, dj, reach, sigma, edge_error, unsure
            )
            x[count], y[count] = j + 0.5 + along * dj, i + 0.5 + along * di
            error[count], beyond[count] = err, other
            count += 1
        for k in range(start[n], count):
            after = k + 1 if k + 1 < count else start[n]
            area[n] += 0.5 * (x[k] * y[after] - x[after] * y[k])
        start[n + 1], first = count, ends[n]
    return (
        x[:count].copy(),
        y[:count].copy(),
        error[:count].copy(),
        beyond[:count].copy(),
        start,
        region,
        area,
    )


@compiled
def _along(sides: NDArray[np.int8], at: int) -> bool:
    """Whether a side of a pixel runs along a contour rather than across it: it is part of a straight run, or
    the way from four sides before it to four sides after it goes more in its direction than across."""
    count, own = len(sides), sides[at]
    run = 1
    for way in (-1, 1):
        step = 1
        while step < 3 and sides[(at + way * step) % count] == own:
            step += 1
        run += step - 1
    if run >= 3:
        return True
    along, across = 0, 0
    for step in range(-4, 5):
        weight, turn = 1 if abs(step) == 4 else 2, (sides[(at + step) % count] - own) % 4
        if turn == 0 or turn == 2:
            along += weight if turn == 0 else -weight
        else:
            across += weight if turn == 1 else -weight
    # of a slope of exactly 1 every column has a point, and no row
    return along > abs(across) or (along == abs(across) and own % 2 == 0)


@compiled
def _edge(
    image: Floats,
    background: Floats,
    labels: Labels,
    colour: Doubles,
    owner: Labels,
    i: int,
    j: int,
    di: int,
    dj: int,
    reach: int,
    sigma: float,
    edge_error: float,
    unsure: float,
) -> tuple[float, float, int]:
    """How far (px) from the centre of pixel (i, j) its region ends in the direction (di, dj), the standard
    error of that, and the region beyond: the sum of the region's shares along the way from where it is pure
    to where the other one is."""
    tall, wide = owner.shape
    own = owner[i, j]
    r, c = i + di, j + dj
    if r < 0 or c < 0 or r >= tall or c >= wide:
        return 0.5, edge_error, -2
    other = owner[r, c]
    if other < 0:
        return 0.5, unsure, other
    inner, pure_inside = 0, labels[i, j] == own
    while not pure_inside and inner < reach:
        r, c = i - (inner + 1) * di, j - (inner + 1) * dj
        if r < 0 or c < 0 or r >= tall or c >= wide or owner[r, c] != own:
            break
        inner += 1
        pure_inside = labels[r, c] == own
    outer, pure_outside = 1, labels[i + di, j + dj] == other
    while not pure_outside and outer < reach:
        r, c = i + (outer + 1) * di, j + (outer + 1) * dj
        if r < 0 or c < 0 or r >= tall or c >= wide or owner[r, c] != other:
            break
        outer += 1
        pure_outside = labels[r, c] == other
    r, c = i + outer * di, j + outer * dj
    length = 1e-9
    for m in range(3):
        far = background[r, c, m] if other == 0 else colour[other, m]
        length += (colour[own, m] - far) ** 2
    total = 0.0
    for step in range(-inner, outer + 1):
        share = 0.0
        for m in range(3):
            far = background[r, c, m] if other == 0 else colour[other, m]
            share += (image[i + step * di, j + step * dj, m] - far) * (colour[own, m] - far)
        total += share / length
    variance = edge_error**2 + (inner + outer + 1) * sigma * sigma / length
    if not pure_inside or not pure_outside:
        variance += unsure**2
    return min(max(total - inner - 0.5, -inner - 0.5), outer + 0.5), math.sqrt(variance), other

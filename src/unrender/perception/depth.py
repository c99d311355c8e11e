"""Depth: which of two shapes lies in front, by the pixels that both paint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from unrender.perception.image.model import ImageModel
from unrender.perception.objective import shape_bits
from unrender.primitives.jit import compiled
from unrender.render.composite import layers
from unrender.render.coverage import NOTHING, Floats, Patch
from unrender.render.shape import Shape, Window

Pixels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Placed:
    """A shape as it is drawn on the canvas, and the bits that it takes to say it."""

    shape: Shape
    patch: Patch
    bits: float
    key: object = field(default_factory=object)  # the same before and after it was refined

    @classmethod
    def of(cls, shape: Shape, model: ImageModel) -> Placed:
        return cls(shape, model.cover(shape, model.sharpness), shape_bits(shape, model))

    @cached_property
    def painted(self) -> Window:
        """The smallest window that holds all that it paints; its patch may be larger."""
        rows, columns = self.pixels
        if len(rows) == 0:
            top, _, left, _ = self.patch.window
            return top, top, left, left
        return int(rows[0]), int(rows[-1]) + 1, int(columns.min()), int(columns.max()) + 1

    @cached_property
    def pixels(self) -> tuple[Pixels, Pixels]:
        """Rows and columns (N,) of all pixels that it paints, row by row."""
        return _painted_pixels(*self._coverage)

    @property
    def _coverage(self) -> tuple[Floats, Floats, int, int]:
        """Coverage of inside and stroke (h, w), empty where nothing is painted, and where it begins."""
        fill, stroke = (NOTHING if each is None else each for each in (self.patch.fill, self.patch.stroke))
        return fill, stroke, self.patch.window[0], self.patch.window[2]

    def touches(self, other: Placed) -> bool:
        """Whether both paint one pixel, or neighbouring ones."""
        one, two = self.painted, other.painted
        if max(one[0], two[0]) > min(one[1], two[1]) or max(one[2], two[2]) > min(one[3], two[3]):
            return False
        return self._near(other, 1) > 0

    def paints(self, window: Window) -> bool:
        """Whether it paints a pixel of a window."""
        top, bottom, left, right = self.patch.window
        rows = slice(max(window[0] - top, 0), max(min(window[1], bottom) - top, 0))
        columns = slice(max(window[2] - left, 0), max(min(window[3], right) - left, 0))
        return any(alpha[rows, columns].any() for _, alpha, _ in layers(self.shape, self.patch))

    def covered(self, by: Placed) -> float:
        """The share of the pixels that it paints which another one paints too."""
        return self._near(by, 0) / max(len(self.pixels[0]), 1)

    def _near(self, other: Placed, reach: int) -> int:
        """How many of the pixels that it paints are no further than that from one that another paints."""
        (rows, columns), (fill, stroke, top, left) = self.pixels, other._coverage
        return _are_near(rows, columns, fill, stroke, top, left, reach)

    def moved(self, shape: Shape, model: ImageModel) -> Placed:
        """The same one, refined."""
        return replace(Placed.of(shape, model), key=self.key)


def overlapping(shapes: Sequence[Placed], window: Window) -> list[Placed]:
    """Those shapes whose windows share a pixel with one; of many, most of which do not."""
    top, bottom, left, right = window
    return [
        placed
        for placed in shapes
        if (own := placed.patch.window)[0] < bottom and top < own[1] and own[2] < right and left < own[3]
    ]


@dataclass(frozen=True, eq=False)
class DepthOrder:
    """Who lies in front of whom in one picture."""

    model: ImageModel
    known: dict[tuple[Placed, Placed], float] = field(default_factory=dict)

    def insert(self, placed: Placed, shapes: Sequence[Placed]) -> list[Placed]:
        """Shapes, back to front, with a further one where it explains most of what they share."""
        near = overlapping(shapes, placed.patch.window)
        evidence = [self.in_front(placed, other) for other in near]
        totals = list(accumulate(evidence, initial=0.0))
        best, wanted = max(totals), sum(max(each, 0.0) for each in evidence)
        behind = max(n for n, total in enumerate(totals) if total == best)  # how many of those near
        at = shapes.index(near[behind]) if behind < len(near) else len(shapes)
        found = [*shapes[:at], placed, *shapes[at:]]
        return found if best >= wanted else self.sorted(found)

    def sorted(self, shapes: Sequence[Placed]) -> list[Placed]:
        """Shapes in the depth order that agrees with every two of them; where that is impossible, with the
        surer."""
        behind: list[dict[int, float]] = [{} for _ in shapes]  # of each shape those behind it, and how surely
        for n, m in _overlapping_pairs([placed.patch.window for placed in shapes]):
            evidence = self.in_front(shapes[n], shapes[m])
            if evidence > 0:
                behind[n][m] = evidence
            elif evidence < 0:
                behind[m][n] = -evidence
        hides: list[list[int]] = [[] for _ in shapes]  # of each shape those in front of it
        for n, those in enumerate(behind):
            for m in those:
                hides[m].append(n)
        order: list[int] = []
        left = dict.fromkeys(range(len(shapes)))
        free = [n for n in left if not behind[n]]  # a heap: of those that nothing must precede the first
        while left:
            now = heappop(free) if free else min(left, key=lambda n: sum(behind[n].values()))
            if now in left:
                order.append(now)
                del left[now]
                for n in hides[now]:
                    behind[n].pop(now)
                    if n in left and not behind[n]:
                        heappush(free, n)
        return [shapes[n] for n in order]

    def in_front(self, one: Placed, other: Placed) -> float:
        """By how many bits the pixels that both paint agree better with the first one in front."""
        key = (one, other)
        if key not in self.known:
            self.known[key] = _in_front(self.model, one, other)
        return self.known[key]


@compiled
def _painted_pixels(fill: Floats, stroke: Floats, top: int, left: int) -> tuple[Pixels, Pixels]:
    tall, wide = max(fill.shape[0], stroke.shape[0]), max(fill.shape[1], stroke.shape[1])
    rows, columns, count = np.empty(tall * wide, np.int64), np.empty(tall * wide, np.int64), 0
    for i in range(tall):
        for j in range(wide):
            if (fill.size and fill[i, j] > 0) or (stroke.size and stroke[i, j] > 0):
                rows[count], columns[count] = top + i, left + j
                count += 1
    return rows[:count].copy(), columns[:count].copy()


@compiled
def _are_near(
    rows: Pixels, columns: Pixels, fill: Floats, stroke: Floats, top: int, left: int, reach: int
) -> int:
    """How many of some pixels (N,) are painted, or have a neighbour no further than `reach` px that is; where
    coverage (h, w) begins at (top, left)."""
    tall, wide, count = max(fill.shape[0], stroke.shape[0]), max(fill.shape[1], stroke.shape[1]), 0
    for n in range(len(rows)):
        row, column, found = rows[n] - top, columns[n] - left, False
        for i in range(max(row - reach, 0), min(row + reach + 1, tall)):
            for j in range(max(column - reach, 0), min(column + reach + 1, wide)):
                found |= (fill.size > 0 and fill[i, j] > 0) or (stroke.size > 0 and stroke[i, j] > 0)
        count += found
    return count


def distinct(several: Sequence[tuple[Pixels, Pixels]], size: tuple[int, int]) -> tuple[Pixels, Pixels]:
    """Rows and columns (N,) of several sets of pixels of a picture, each pixel once."""
    every = np.concatenate([rows * size[1] + columns for rows, columns in several])
    return _each_once(every, size[0] * size[1], size[1])


@compiled
def _each_once(every: Pixels, pixels: int, wide: int) -> tuple[Pixels, Pixels]:
    seen = np.zeros(pixels, np.bool_)
    rows, columns, count = np.empty(len(every), np.int64), np.empty(len(every), np.int64), 0
    for pixel in every:
        if not seen[pixel]:
            seen[pixel] = True
            rows[count], columns[count] = pixel // wide, pixel % wide
            count += 1
    return rows[:count].copy(), columns[:count].copy()


def _overlapping_pairs(windows: Sequence[Window]) -> list[tuple[int, int]]:
    """Pairs (n, m), m < n, of windows that overlap."""
    top, bottom, left, right = np.array(windows, np.int64).reshape(-1, 4).T
    meet = (
        (top[:, None] < bottom) & (top < bottom[:, None]) & (left[:, None] < right) & (left < right[:, None])
    )
    return [(n, m) for n, m in np.argwhere(np.tril(meet, -1)).tolist()]


def _in_front(model: ImageModel, one: Placed, other: Placed) -> float:
    """How much better the pixels that both paint agree with the first one in front, in bits."""
    total = 0.0
    for window, alpha, colour in layers(one.shape, one.patch):
        for behind, beta, paint in layers(other.shape, other.patch):
            total += _evidence(
                model.image, window, alpha, colour, behind, beta, paint, model.paint_sigma, model.cap
            )
    return total


@compiled
def _evidence(
    image: Floats,
    window: Window,
    alpha: Floats,
    colour: NDArray[np.float64],
    behind: Window,
    beta: Floats,
    paint: NDArray[np.float64],
    sigma: float,
    cap: float,
) -> float:
    total, scale = 0.0, 1 / (2 * np.log(2.0) * sigma * sigma)
    for i in range(max(window[0], behind[0]), min(window[1], behind[1])):
        for j in range(max(window[2], behind[2]), min(window[3], behind[3])):
            both = alpha[i - window[0], j - window[2]] * beta[i - behind[0], j - behind[2]]
            if both > 0.5:
                own, its = 0.0, 0.0
                for c in range(3):
                    own += (image[i, j, c] - colour[c]) ** 2
                    its += (image[i, j, c] - paint[c]) ** 2
                total += min(its * scale, cap) - min(own * scale, cap)
    return total

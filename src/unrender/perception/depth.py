"""Depth: which of two shapes lies in front, by the pixels that both paint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import heappop, heappush
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.perception.image.model import ImageModel
from unrender.perception.objective import shape_bits
from unrender.primitives.jit import compiled
from unrender.render.composite import layers
from unrender.render.coverage import Floats, Patch
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
        top, _, left, _ = self.patch.window
        paints = np.any([alpha > 0 for _, alpha, _ in layers(self.shape, self.patch)], axis=0)
        rows, columns = np.nonzero(paints.any(1))[0], np.nonzero(paints.any(0))[0]
        if len(rows) == 0:
            return top, top, left, left
        return (
            top + int(rows[0]),
            top + int(rows[-1]) + 1,
            left + int(columns[0]),
            left + int(columns[-1]) + 1,
        )

    @cached_property
    def pixels(self) -> tuple[Pixels, Pixels]:
        """Rows and columns (N,) of all pixels that it paints."""
        top, _, left, _ = self.patch.window
        none = np.zeros((0, 0), np.float32)
        fill, stroke = (none if each is None else each for each in (self.patch.fill, self.patch.stroke))
        return _painted_pixels(fill, stroke, top, left)

    def touches(self, other: Placed) -> bool:
        """Whether both paint one pixel, or neighbouring ones."""
        one, two = self.painted, other.painted
        top, bottom = max(one[0], two[0]) - 1, min(one[1], two[1]) + 1
        left, right = max(one[2], two[2]) - 1, min(one[3], two[3]) + 1
        if top >= bottom or left >= right:
            return False
        window = max(top, 0), bottom, max(left, 0), right
        own, theirs = self._paints(window), other._paints(window)
        return bool((ndimage.binary_dilation(own, np.ones((3, 3))) & theirs).any())

    def covered(self, by: Placed) -> float:
        """The share of the pixels that it paints which another one paints too."""
        own = self._paints(self.painted)
        return float((own & by._paints(self.painted)).sum()) / max(int(own.sum()), 1)

    def _paints(self, window: Window) -> NDArray[np.bool_]:
        """bool (h, w): which pixels of a window it paints."""
        top, bottom, left, right = window
        mask = np.zeros((bottom - top, right - left), np.bool_)
        row, _, column, _ = self.patch.window
        for _, alpha, _ in layers(self.shape, self.patch):
            tall, wide = max(bottom - row, 0), max(right - column, 0)
            part = alpha[max(top - row, 0) : tall, max(left - column, 0) : wide] > 0
            down, across = max(row - top, 0), max(column - left, 0)
            mask[down : down + part.shape[0], across : across + part.shape[1]] |= part
        return mask

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

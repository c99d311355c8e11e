"""Colour regions: connected pixels of one colour up to noise, and points on their edges to a fraction of a
pixel."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats
from unrender.render.shape import Window

Labels = NDArray[np.int32]
Mask = NDArray[np.bool_]

MERGE = (
    9.0  # squared standard errors by which the means of two regions of one colour may differ (of 3 channels)
)
THIN = 24  # px of a thin region that may be a stroke
WALK = 3  # px from the edge of a region to the next one: what lies between is a mixture of both


@dataclass(frozen=True, eq=False)
class Regions:
    """A picture divided by colour."""

    labels: Labels  # (H, W): 0 is background
    colour: Doubles  # (R, 3): the mean of each region
    area: NDArray[np.int64]  # (R,) px
    solid: Mask  # (R,): its colour is no mixture of two others
    boxes: NDArray[np.int64]  # (R, 4): windows
    aliased: bool = False  # whether their edges are staircases

    def window(self, region: int, margin: int = 0) -> Window:
        """The window of a region, wider by a margin (px)."""
        top, bottom, left, right = (int(side) for side in self.boxes[region])
        tall, wide = self.labels.shape
        return (
            max(top - margin, 0),
            min(bottom + margin, tall),
            max(left - margin, 0),
            min(right + margin, wide),
        )


def divide(image: Floats, foreground: Mask, background: Floats, variance: Floats) -> Regions:
    """Merge neighbouring foreground pixels into regions as long as their means do not differ
    significantly, given the variance (H, W) of a channel of each pixel."""
    parent, count = _merged(image, foreground, variance, MERGE)
    labels, count = _numbered(parent, foreground)
    colour, area, solid, boxes = _measured(image, labels, count)
    flat = background.reshape(-1, 3)
    colour[0] = flat[len(flat) // 2]
    return Regions(labels, colour, area, solid, boxes)


def of_one_colour_each(regions: Regions) -> Regions:
    """The regions of a picture without antialiasing: none shows a mixture, however thin it is."""
    return replace(regions, solid=np.arange(len(regions.area)) > 0, aliased=True)


def with_thin(regions: Regions) -> Regions:
    """The same with thin regions counted as solid: where chroma is smeared a thin stroke has no pixel of its
    own colour, and is no mixture of others."""
    return replace(regions, solid=regions.solid | ((regions.area >= THIN) & (regions.area.cumsum() > 0)))


@compiled
def _root(parent: Labels, i: int) -> int:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@compiled
def _merged(image: Floats, foreground: Mask, variance: Floats, limit: float) -> tuple[Labels, int]:
    """Statistical region merging: pairs of neighbours, the most alike first, join if their regions agree."""
    tall, wide = foreground.shape
    levels = 256
    counts = np.zeros(levels + 1, np.int64)
    for i in range(tall):
        for j in range(wide):
            if not foreground[i, j]:
                continue
            for k in range(4):
                r, c = i + (1 if k else 0), j + (1 if k < 2 else 0 if k == 2 else -1)
                if k == 0:
                    r, c = i, j + 1
                if r < tall and 0 <= c < wide and foreground[r, c]:
                    off = 0.0
                    for m in range(3):
                        off = max(off, abs(image[i, j, m] - image[r, c, m]))
                    counts[min(int(off * levels), levels - 1) + 1] += 1
    for k in range(levels):
        counts[k + 1] += counts[k]
    total = counts[levels]
    first, second = np.empty(total, np.int32), np.empty(total, np.int32)
    place = counts[:levels].copy()
    for i in range(tall):
        for j in range(wide):
            if not foreground[i, j]:
                continue
            for k in range(4):
                r, c = i + (1 if k else 0), j + (1 if k < 2 else 0 if k == 2 else -1)
                if k == 0:
                    r, c = i, j + 1
                if r < tall and 0 <= c < wide and foreground[r, c]:
                    off = 0.0
                    for m in range(3):
                        off = max(off, abs(image[i, j, m] - image[r, c, m]))
                    at = min(int(off * levels), levels - 1)
                    first[place[at]], second[place[at]] = i * wide + j, r * wide + c
                    place[at] += 1
    parent = np.arange(tall * wide).astype(np.int32)
    size = np.ones(tall * wide, np.float32)
    mean = image.copy().reshape(-1, 3)
    noise = variance.copy().reshape(-1)  # the mean of each region
    joined = 0
    for e in range(total):
        p, q = _root(parent, first[e]), _root(parent, second[e])
        if p == q:
            continue
        off = 0.0
        for m in range(3):
            off += (mean[p, m] - mean[q, m]) ** 2
        apart = limit * 3 * (noise[p] / size[p] + noise[q] / size[q])
        if off > apart + 3 * 2.25 * min(noise[p], noise[q]) + 1.6e-5:
            continue
        if size[p] < size[q]:
            p, q = q, p
        whole = size[p] + size[q]
        for m in range(3):
            mean[p, m] = (mean[p, m] * size[p] + mean[q, m] * size[q]) / whole
        noise[p] = (noise[p] * size[p] + noise[q] * size[q]) / whole
        size[p] = whole
        parent[q] = p
        joined += 1
    return parent, joined


@compiled
def _numbered(parent: Labels, foreground: Mask) -> tuple[Labels, int]:
    tall, wide = foreground.shape
    labels = np.zeros((tall, wide), np.int32)
    number = np.zeros(tall * wide, np.int32)
    count = 1
    for i in range(tall):
        for j in range(wide):
            if foreground[i, j]:
                top = _root(parent, i * wide + j)
                if number[top] == 0:
                    number[top] = count
                    count += 1
                labels[i, j] = number[top]
    return labels, count


@compiled
def _measured(
    image: Floats, labels: Labels, count: int
) -> tuple[Doubles, NDArray[np.int64], Mask, NDArray[np.int64]]:
    """Of every region: its colour, its area, whether it is solid, its window.

    Where an edge is antialiased, mixtures of two colours are one pixel wide: four pixels of one colour in a
    square are none. The colour is that of the pixels that are furthest from the edge.
    """
    tall, wide = labels.shape
    total = np.zeros((3, count, 3))
    inside, area = np.zeros((3, count), np.int64), np.zeros(count, np.int64)
    boxes = np.zeros((count, 4), np.int64)
    boxes[:, 0], boxes[:, 2] = tall, wide
    for i in range(tall):
        for j in range(wide):
            own = labels[i, j]
            if own == 0:
                continue
            area[own] += 1
            boxes[own, 0], boxes[own, 1] = min(boxes[own, 0], i), max(boxes[own, 1], i + 1)
            boxes[own, 2], boxes[own, 3] = min(boxes[own, 2], j), max(boxes[own, 3], j + 1)
            up, down = i > 0 and labels[i - 1, j] == own, i + 1 < tall and labels[i + 1, j] == own
            left, right = j > 0 and labels[i, j - 1] == own, j + 1 < wide and labels[i, j + 1] == own
            depth = 0
            if (
                (up and left and labels[i - 1, j - 1] == own)
                or (up and right and labels[i - 1, j + 1] == own)
                or (down and left and labels[i + 1, j - 1] == own)
                or (down and right and labels[i + 1, j + 1] == own)
            ):
                depth = 1
                if up and down and left and right:
                    core = labels[i - 1, j - 1] == own and labels[i - 1, j + 1] == own
                    core = core and labels[i + 1, j - 1] == own and labels[i + 1, j + 1] == own
                    depth = 2 if core else 1
            for level in range(depth + 1):
                inside[level, own] += 1
                for m in range(3):
                    total[level, own, m] += image[i, j, m]
    colour, solid = np.zeros((count, 3)), np.zeros(count, np.bool_)
    for k in range(1, count):
        solid[k] = inside[1, k] > 0
        level = 2 if inside[2, k] else 1 if inside[1, k] else 0
        for m in range(3):
            colour[k, m] = total[level, k, m] / inside[level, k]
    return colour, area, solid, boxes


@compiled
def edge_points(
    image: Floats,
    background: Floats,
    labels: Labels,
    colour: Doubles,
    solid: Mask,
    region: int,
    window: Window,
    walk: int,
) -> tuple[Doubles, Doubles, NDArray[np.int32]]:
    """Points on the edge of a region, x and y, and the label of what lies beyond (-1: a border of the
    picture, or
    nothing solid near). From every pixel whose neighbour belongs to another region, straight on until the
    next
    solid one; what lies between is a mixture of both colours and says where the edge is."""
    top, bottom, left, right = window
    tall, wide = labels.shape
    most = 4 * (bottom - top) * (right - left)
    x, y = np.empty(most), np.empty(most)
    beside = np.empty(most, np.int32)
    count = 0
    for i in range(top, bottom):
        for j in range(left, right):
            if labels[i, j] != region:
                continue
            for k in range(4):
                di, dj = (0, 1) if k == 0 else (1, 0) if k == 1 else (0, -1) if k == 2 else (-1, 0)
                r, c = i + di, j + dj
                if r < 0 or c < 0 or r >= tall or c >= wide:
                    x[count], y[count], beside[count] = j + 0.5 + 0.5 * dj, i + 0.5 + 0.5 * di, -2
                    count += 1
                    continue
                if labels[r, c] == region:
                    continue
                other = -1
                reach = 0
                for step in range(1, walk + 1):
                    r, c = i + step * di, j + step * dj
                    if r < 0 or c < 0 or r >= tall or c >= wide or labels[r, c] == region:
                        break
                    if solid[labels[r, c]] or labels[r, c] == 0:
                        other, reach = labels[r, c], step
                        break
                along = 0.5
                if other >= 0:
                    length, mixed = 0.0, 0.0
                    for m in range(3):
                        far = background[r, c, m] if other == 0 else colour[other, m]
                        length += (colour[region, m] - far) ** 2
                    for step in range(reach + 1):
                        share = 0.0
                        for m in range(3):
                            far = background[r, c, m] if other == 0 else colour[other, m]
                            share += (image[i + step * di, j + step * dj, m] - far) * (
                                colour[region, m] - far
                            )
                        mixed += min(max(share / max(length, 1e-9), 0.0), 1.0)
                    along = mixed - 0.5
                x[count], y[count], beside[count] = j + 0.5 + along * dj, i + 0.5 + along * di, other
                count += 1
    return x[:count].copy(), y[:count].copy(), beside[:count].copy()


@compiled
def smoothed_stairs(
    x: Doubles, y: Doubles, which: NDArray[np.int64], reach: float
) -> tuple[Doubles, Doubles]:
    """Some of the points (M,) on a staircase, each moved to the mean of all within `reach` px, where the edge
    that it stands for runs."""
    found_x, found_y = np.empty(len(which)), np.empty(len(which))
    for n in range(len(which)):
        own_x, own_y, count = 0.0, 0.0, 0
        for m in range(len(x)):
            if (x[m] - x[which[n]]) ** 2 + (y[m] - y[which[n]]) ** 2 <= reach * reach:
                own_x, own_y, count = own_x + x[m], own_y + y[m], count + 1
        found_x[n], found_y[n] = own_x / count, own_y / count
    return found_x, found_y

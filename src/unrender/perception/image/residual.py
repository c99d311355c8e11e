"""What nothing explains: the pixels that look wrong, divided by the colours that they are mixtures of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unrender.perception.image.regions import Labels, Mask, Regions
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

COLOURS = 24  # that are told apart
NOISES = 4.0  # standard deviations of a channel by which pixels of one colour may differ
SAMPLED = 1 << 13  # px that tell the colours
GAP = 2  # px: pixels of one colour that are nearer belong together, whatever lies between them
OVER = 1.1  # of a mixture: how far beyond the pure colour a pixel may lie


@compiled
def wrong_pixels(bits: Floats, limit: float, speck: int) -> Mask:
    """bool (H, W): pixels that cost more bits than the limit, but no specks of fewer pixels."""
    tall, wide = bits.shape
    left, wrong = np.zeros((tall, wide), np.bool_), np.zeros((tall, wide), np.bool_)
    count = 0
    for i in range(tall):
        for j in range(wide):
            if bits[i, j] > limit:
                left[i, j] = True
                count += 1
    rows, columns = np.empty(count, np.int64), np.empty(count, np.int64)
    for i in range(tall):
        for j in range(wide):
            if not left[i, j]:
                continue
            rows[0], columns[0], left[i, j], found, done = i, j, False, 1, 0
            while done < found:  # all that is connected with it
                row, column = rows[done], columns[done]
                done += 1
                for r in range(max(row - 1, 0), min(row + 2, tall)):
                    for c in range(max(column - 1, 0), min(column + 2, wide)):
                        if left[r, c]:
                            rows[found], columns[found], left[r, c] = r, c, False
                            found += 1
            if found >= speck:
                for n in range(found):
                    wrong[rows[n], columns[n]] = True
    return wrong


@compiled
def wrong_bits(bits: Floats, wrong: Mask, roughness: Floats, share: float) -> float:
    """Bits of the pixels that look wrong; of those on the edge of a shape only a share."""
    total = 0.0
    for i in range(bits.shape[0]):
        for j in range(bits.shape[1]):
            if wrong[i, j]:
                total += bits[i, j] * (share if roughness[i, j] > 0 else 1.0)
    return total


def unexplained(image: Floats, canvas: Floats, wrong: Mask, sigma: float) -> Regions:
    """Pixels that look wrong, by the colours that they are mixtures of; connected ones of a colour are
    a region."""
    rows, columns = np.nonzero(wrong)
    stride = max(len(rows) // SAMPLED, 1)
    at = rows[::stride], columns[::stride]
    limit = 3 * (NOISES * sigma) ** 2 + 1e-4
    colours_seen = palette(image[at].astype(np.float64), canvas[at].astype(np.float64), limit)
    colours = np.stack(colours_seen) if colours_seen else np.zeros((0, 3))
    labels, count = connected(_assigned(image, canvas, wrong, colours, OVER), GAP)
    which, area, boxes = _measured(image, canvas, labels, count, colours, OVER)
    colour = np.concatenate([np.zeros((1, 3)), colours])[which]
    return Regions(labels, colour, area, np.arange(count) > 0, boxes)


def palette(seen: Doubles, drawn: Doubles, limit: float) -> list[Doubles]:
    """The colours (3,) that most pixels (P, 3) show or are mixtures of, the most frequent first."""
    off = ((seen - drawn) ** 2).sum(1)
    left = np.ones(len(seen), bool)
    found: list[Doubles] = []
    side = max(np.sqrt(limit / 3), 1 / 64)
    bins = np.floor(seen / side).astype(np.int64)
    _, key = np.unique((bins[:, 0] * 4096 + bins[:, 1]) * 4096 + bins[:, 2], return_inverse=True)
    while left.sum() > 3 and len(found) < COLOURS:
        # a pure colour stands out more than its mixtures with what is drawn
        fullest = np.bincount(key[left], off[left]).argmax()
        start = np.median(seen[left & (key == fullest)], 0)
        near = left & (((seen - start) ** 2).sum(1) < limit)
        colour = np.median(seen[near], 0) if near.any() else start
        found.append(colour)
        step = colour - drawn
        share = (((seen - drawn) * step).sum(1) / np.maximum((step**2).sum(1), 1e-9)).clip(0, OVER)
        mixed = ((seen - drawn - share[:, None] * step) ** 2).sum(1) < limit
        if not (mixed & left).any():
            break
        left &= ~mixed
    return found


@compiled
def _from_mixture(image: Floats, canvas: Floats, i: int, j: int, colour: Doubles, over: float) -> float:
    """Squared distance of a pixel from the mixtures of what is drawn there and a colour."""
    along, length, square = 0.0, 1e-9, 0.0
    for c in range(3):
        step, seen = colour[c] - canvas[i, j, c], image[i, j, c] - canvas[i, j, c]
        along += seen * step
        length += step * step
        square += seen * seen
    share = min(max(along / length, 0.0), over)
    return square - 2 * share * along + share * share * length


@compiled
def _assigned(image: Floats, canvas: Floats, wrong: Mask, colours: Doubles, over: float) -> Labels:
    """int (H, W): which colour a pixel is a mixture of, from 1; 0 where nothing is wrong."""
    tall, wide = wrong.shape
    found = np.zeros((tall, wide), np.int32)
    for i in range(tall):
        for j in range(wide):
            if wrong[i, j]:
                best = np.inf
                for k in range(len(colours)):
                    off = _from_mixture(image, canvas, i, j, colours[k], over)
                    if off < best:
                        best, found[i, j] = off, k + 1
    return found


@compiled
def _root(parent: Labels, i: int) -> int:
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@compiled
def connected(colour: Labels, gap: int) -> tuple[Labels, int]:
    """Pixels (H, W) of one colour that are at most `gap` px apart, numbered from 1; 0 where the colour
    is 0."""
    tall, wide = colour.shape
    parent = np.arange(tall * wide).astype(np.int32)
    for i in range(tall):
        for j in range(wide):
            own = colour[i, j]
            if own == 0:
                continue
            for r in range(max(i - gap, 0), i + 1):
                for c in range(max(j - gap, 0), min(j + gap + 1, wide)):
                    if colour[r, c] == own and (r < i or c < j):
                        p, q = _root(parent, i * wide + j), _root(parent, r * wide + c)
                        if p != q:
                            parent[max(p, q)] = min(p, q)
    labels = np.zeros((tall, wide), np.int32)
    count = 1
    for i in range(tall):
        for j in range(wide):
            if colour[i, j]:
                top = _root(parent, i * wide + j)
                if top == i * wide + j:
                    labels[i, j] = count
                    count += 1
                else:
                    labels[i, j] = labels[top // wide, top % wide]
    return labels, count


@compiled
def _measured(
    image: Floats, canvas: Floats, labels: Labels, count: int, colours: Doubles, over: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Of every region: which colour it has (from 1), its pixels, its window."""
    tall, wide = labels.shape
    which, area = np.zeros(count, np.int64), np.zeros(count, np.int64)
    boxes = np.zeros((count, 4), np.int64)
    boxes[:, 0], boxes[:, 2] = tall, wide
    for i in range(tall):
        for j in range(wide):
            own = labels[i, j]
            if own == 0:
                continue
            if which[own] == 0:
                best = np.inf
                for k in range(len(colours)):
                    off = _from_mixture(image, canvas, i, j, colours[k], over)
                    if off < best:
                        best, which[own] = off, k + 1
            area[own] += 1
            boxes[own, 0], boxes[own, 1] = min(boxes[own, 0], i), max(boxes[own, 1], i + 1)
            boxes[own, 2], boxes[own, 3] = min(boxes[own, 2], j), max(boxes[own, 3], j + 1)
    return which, area, boxes

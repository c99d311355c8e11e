"""What the networks look at: levels of the pyramid in strips, or only areas of them around a mask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.perception.encoder.normalise import normalise
from unrender.perception.encoder.pyramid import BORDER, STRIDE, bordered
from unrender.render.coverage import Floats

STRIP = 1 << 19  # px: a larger level is looked at in strips, so that memory is bounded
NEAR = 24  # px of a level: no centre of a shape that shows in a pixel lies further off
CELL = 16  # px a side: places to look at in neighbouring cells belong together
MOST = 64  # areas: if there are more the cells are too small
SIGHT = 36  # px: the receptive field of a network, to either side
CALL = 1_500  # px: an area costs as much before the first of its pixels is looked at

Mask = NDArray[np.bool_]
Boxes = NDArray[np.int64]
"""(N, 4): first row, row behind the last, first column, column behind the last; multiples of STRIDE."""


@dataclass(frozen=True, eq=False)
class View:
    """A part of one pyramid level, ready for every network."""

    level: int
    pixels: Floats  # (3, H, W), normalised
    top: int  # y of its first row in the level; negative in the border
    left: int  # x of its first column
    rows: tuple[int, int]  # first and behind the last of the estimates that count; the others are margin
    columns: tuple[int, int]


def views(levels: list[Floats], which: range, where: Mask | None = None) -> Iterator[View]:
    """Some levels of a pyramid, or what of them lies around `where` (H, W) of the picture."""
    for index in which:
        pixels = normalise(bordered(levels, index))
        tall, wide = pixels.shape[1:]
        for top, bottom, left, right in _areas(tall, wide, index, where):
            first, last = max(top - SIGHT, 0), min(bottom + SIGHT, tall)
            start, stop = max(left - SIGHT, 0), min(right + SIGHT, wide)
            yield View(
                index,
                np.ascontiguousarray(pixels[:, first:last, start:stop]),
                first - BORDER,
                start - BORDER,
                ((top - first) // STRIDE, (bottom - first) // STRIDE),
                ((left - start) // STRIDE, (right - start) // STRIDE),
            )


def _areas(tall: int, wide: int, level: int, where: Mask | None) -> Iterator[list[int]]:
    """Areas of a level with its border: all of it, or boxes around `where` if that saves work; in strips."""
    whole = np.array([[0, tall, 0, wide]])
    boxes = whole if where is None else _boxes(tall, wide, level, where)
    if _work(boxes, tall, wide).sum() > _work(whole, tall, wide).sum():
        boxes = whole
    for top, bottom, left, right in boxes.tolist():
        strip = max(STRIP // (right - left) // STRIDE, SIGHT // STRIDE) * STRIDE
        for first in range(top, bottom, strip):
            yield [first, min(first + strip, bottom), left, right]


def _boxes(tall: int, wide: int, level: int, where: Mask) -> Boxes:
    """Boxes that hold the centres of all shapes that may show in `where`, joined where that saves work."""
    row, column = (at // 2**level + BORDER for at in np.nonzero(where))
    cell, boxes = CELL, np.zeros((MOST + 1, 4), np.int64)
    while len(boxes) > MOST:
        grid = np.zeros((tall // cell + 1, wide // cell + 1), bool)
        grid[row // cell, column // cell] = True
        found = ndimage.find_objects(ndimage.label(grid, np.ones((3, 3)))[0])
        edges = [(rows.start, rows.stop, columns.start, columns.stop) for rows, columns in found]
        boxes = np.array(edges, np.int64).reshape(-1, 4) * cell
        cell *= 2
    boxes[:, ::2], boxes[:, 1::2] = boxes[:, ::2] - NEAR, boxes[:, 1::2] + NEAR
    boxes = boxes.clip(0, [tall, tall, wide, wide])
    while len(boxes) > 1:
        joined = np.empty((len(boxes), len(boxes), 4), np.int64)
        joined[..., ::2] = np.minimum(boxes[:, None, ::2], boxes[None, :, ::2])
        joined[..., 1::2] = np.maximum(boxes[:, None, 1::2], boxes[None, :, 1::2])
        work = _work(boxes, tall, wide)
        saved = work[:, None] + work - _work(joined, tall, wide)
        np.fill_diagonal(saved, -1)
        i, j = np.unravel_index(saved.argmax(), saved.shape)
        if saved[i, j] < 0:
            break
        boxes = np.vstack([np.delete(boxes, (i, j), 0), joined[i, j]])
    return boxes


def _work(boxes: Boxes, tall: int, wide: int) -> NDArray[np.int64]:
    """What it costs to look at each box (..., 4), in px."""
    rows = np.minimum(boxes[..., 1] + SIGHT, tall) - np.maximum(boxes[..., 0] - SIGHT, 0)
    columns = np.minimum(boxes[..., 3] + SIGHT, wide) - np.maximum(boxes[..., 2] - SIGHT, 0)
    work: NDArray[np.int64] = rows * columns + CALL
    return work

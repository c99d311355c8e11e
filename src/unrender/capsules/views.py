"""What γ looks at: levels of the pyramid, carried on beyond the picture, or only some areas of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from scipy import ndimage
from torch import Tensor

from unrender.capsules.encoder import STRIDE, normalise
from unrender.capsules.pyramid import Pyramid

BORDER = 4  # px that every level is carried on beyond the picture, so that shapes at its edge have a ground
STRIP = 512  # rows: larger levels are looked at in strips
NEAR = 24  # px of a level: further off lies no centre of a shape that shows there
CELL = 16  # px a side: places to look at that lie in cells side by side belong together
MOST = 64  # areas: if there are more the cells are too small
SIGHT = 36  # px: what lies further off changes no estimate of a network
AROUND = 48  # px more: what lies further off changes no pixel of a network's view
CALL = 1_500  # px: an area costs as much before the first of its pixels is looked at

Boxes = NDArray[np.int64]
"""(N, 4): first and last row, first and last column of each."""


@dataclass(frozen=True)
class View:
    """A part of one pyramid level, prepared for every γ."""

    level: int
    pixels: Tensor  # (1, 3, H, W), without local brightness and contrast
    top: int  # y of its first row in the level
    left: int  # x of its first column
    rows: slice  # of the network's output that count; the others are margin
    columns: slice


def views(
    pyramid: Pyramid, where: NDArray[np.bool_] | None = None, levels: Iterable[int] | None = None
) -> Iterator[View]:
    """What the capsules look at: all levels of the picture or some, or what of them lies around `where`
    (H, W)."""
    for index in range(len(pyramid.levels)) if levels is None else levels:
        padded = bordered(pyramid, index)
        height, width = padded.shape[2:]
        for first, last, start, stop in _areas(height, width, index, where):
            rows, columns = _Part(first, last, height), _Part(start, stop, width)
            pixels = normalise(padded[:, :, rows.around, columns.around])[:, :, rows.seen, columns.seen]
            corner = rows.first - BORDER, columns.first - BORDER
            yield View(index, pixels, *corner, rows.counts, columns.counts)


@dataclass(frozen=True)
class _Part:
    """Rows or columns of a level, from `start` to `stop` of `total`, and what is needed to see them as in
    the whole."""

    start: int
    stop: int
    total: int

    @property
    def around(self) -> slice:
        """What of the level is needed."""
        return slice(max(0, self.start - SIGHT - AROUND), min(self.total, self.stop + SIGHT + AROUND))

    @property
    def first(self) -> int:
        """Where in the level the view begins."""
        return max(0, self.start - SIGHT)

    @property
    def seen(self) -> slice:
        """What of the needed part is the view."""
        last = min(self.total, self.stop + SIGHT)
        return slice(self.first - self.around.start, last - self.around.start)

    @property
    def counts(self) -> slice:
        """Which estimates from the view count."""
        return slice((self.start - self.first) // STRIDE, (self.stop - self.first) // STRIDE)


def _areas(height: int, width: int, level: int, where: NDArray[np.bool_] | None) -> list[list[int]]:
    """Areas of a level with its border: strips of all of it, or boxes around `where` if that saves work."""
    whole = np.array([[0, height, 0, width]])
    boxes = whole if where is None else _boxes(height, width, level, where)
    if _work(boxes, height, width).sum() > _work(whole, height, width).sum():
        boxes = whole
    return [
        [top, min(top + STRIP, bottom), left, right]
        for first, bottom, left, right in boxes.tolist()
        for top in range(first, bottom, STRIP)
    ]


def _boxes(height: int, width: int, level: int, where: NDArray[np.bool_]) -> Boxes:
    """Boxes that hold all centres of shapes which may show somewhere in `where`, so that there is little to
    look at."""
    row, column = (at // 2**level + BORDER for at in np.nonzero(where))
    cell, boxes = CELL, np.zeros((MOST + 1, 4), np.int64)
    while len(boxes) > MOST:
        grid = np.zeros((height // cell + 1, width // cell + 1), bool)
        grid[row // cell, column // cell] = True
        found = ndimage.find_objects(ndimage.label(grid, np.ones((3, 3)))[0])
        edges = [(rows.start, rows.stop, columns.start, columns.stop) for rows, columns in found]
        boxes = np.array(edges, np.int64).reshape(-1, 4) * cell
        cell *= 2
    boxes[:, ::2], boxes[:, 1::2] = boxes[:, ::2] - NEAR, boxes[:, 1::2] + NEAR
    boxes = boxes.clip(0, [height, height, width, width])
    while len(boxes) > 1:  # two that lie close are looked at together
        united = np.empty((len(boxes), len(boxes), 4), np.int64)
        united[..., ::2] = np.minimum(boxes[:, None, ::2], boxes[None, :, ::2])
        united[..., 1::2] = np.maximum(boxes[:, None, 1::2], boxes[None, :, 1::2])
        own = _work(boxes, height, width)
        saved = own[:, None] + own - _work(united, height, width)
        np.fill_diagonal(saved, -1)
        i, j = np.unravel_index(saved.argmax(), saved.shape)
        if saved[i, j] < 0:
            break
        boxes = np.vstack([np.delete(boxes, (i, j), 0), united[i, j]])
    return boxes


def _work(boxes: Boxes, height: int, width: int) -> NDArray[np.int64]:
    """What it costs to look at each box (..., 4), in pixels."""
    rows = np.minimum(boxes[..., 1] + SIGHT, height) - np.maximum(boxes[..., 0] - SIGHT, 0)
    columns = np.minimum(boxes[..., 3] + SIGHT, width) - np.maximum(boxes[..., 2] - SIGHT, 0)
    work: NDArray[np.int64] = rows * columns + CALL
    return work


def bordered(pyramid: Pyramid, index: int) -> Tensor:
    """A level (1, 3, H, W) carried on by at least BORDER pixels, to a multiple of the stride.

    The border continues the outermost pixels of the picture itself. Those of a coarse level would already
    be mixed with a shape that nearly fills the picture.
    """
    picture, level = pyramid.levels[0], pyramid.levels[index]
    rows, columns = picture[:, [0, -1]].permute(1, 0, 2), picture[:, :, [0, -1]].permute(2, 0, 1)
    for _ in range(index):
        rows, columns = _halved(rows), _halved(columns)
    height, width = level.shape[1:]
    padded = F.pad(level[None], (BORDER, BORDER + -width % STRIDE, BORDER, BORDER + -height % STRIDE))
    top, bottom = F.pad(rows, (BORDER, BORDER + -width % STRIDE), mode="replicate")
    padded[0, :, :BORDER], padded[0, :, BORDER + height :] = top[:, None], bottom[:, None]
    within = padded[0, :, BORDER : BORDER + height]
    within[..., :BORDER], within[..., BORDER + width :] = columns[0, :, :, None], columns[1, :, :, None]
    return padded


def _halved(edges: Tensor) -> Tensor:
    """(N, 3, side) at half the resolution, as the pyramid does it."""
    return F.avg_pool1d(F.pad(edges, (0, edges.shape[2] % 2), mode="replicate"), 2)

"""Primitive capsules: pixels in, observations of one primitive out. Each owns its γ and knows its g."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.encoder import STRIDE, Encoder, decode_estimates, normalise
from unrender.capsules.pyramid import Pyramid
from unrender.graphics.compiled import compiled
from unrender.graphics.draw import draw
from unrender.graphics.registry import Primitive

ALL = slice(None)  # levels
HOPE = 0.3  # an estimate with less confidence is not worth refining
FAINT_HOPE = 0.12  # unless nothing better explains what is there
BORDER = 4  # px that every level is carried on beyond the picture, so that shapes at its edge have a ground
STRIP = 512  # rows: larger levels are looked at in strips
TILE = 128  # px a side, where only some places are looked at
NEAR = 24  # px of a level: further off lies no centre of a shape that shows there
MARGIN = 64  # px more on each side, so that a part sees what the whole level would show


@dataclass(frozen=True)
class View:
    """A part of one pyramid level, prepared for every γ."""

    level: int
    pixels: Tensor  # (1, 3, H, W), without local brightness and contrast
    top: int  # y of its first row in the level
    left: int  # x of its first column
    rows: slice  # of the network's output that count; the others are margin
    columns: slice


def views(pyramid: Pyramid, where: NDArray[np.bool_] | None = None, levels: slice = ALL) -> Iterator[View]:
    """What the capsules look at: levels of the picture, or what of them lies around `where` (H, W)."""
    for index in range(len(pyramid.levels))[levels]:
        padded = bordered(pyramid, index)
        for rows, columns in _areas(padded.shape[2], padded.shape[3], index, where):
            (top, bottom), own_rows = _with_margin(rows, padded.shape[2])
            (left, right), own_columns = _with_margin(columns, padded.shape[3])
            pixels = normalise(padded[:, :, top:bottom, left:right])
            yield View(index, pixels, top - BORDER, left - BORDER, own_rows, own_columns)


def _areas(height: int, width: int, level: int, where: NDArray[np.bool_] | None) -> list[tuple[slice, slice]]:
    """Rows and columns of a level with its border: strips, or only tiles where that saves work."""
    strips = [(slice(at, min(at + STRIP, height)), slice(0, width)) for at in range(0, height, STRIP)]
    if where is None:
        return strips
    row, column = (np.nonzero(where)[axis] // 2**level + BORDER for axis in (0, 1))
    tiles = []
    for top in range(0, height, TILE):
        for left in range(0, width, TILE):
            near = (row >= top - NEAR) & (row < top + TILE + NEAR)
            if (near & (column >= left - NEAR) & (column < left + TILE + NEAR)).any():
                tiles.append((slice(top, min(top + TILE, height)), slice(left, min(left + TILE, width))))
    seen = len(tiles) * min(TILE + 2 * MARGIN, height) * min(TILE + 2 * MARGIN, width)
    return tiles if seen < height * width else strips


def _with_margin(part: slice, total: int) -> tuple[tuple[int, int], slice]:
    """From where to where pixels are needed, and which estimates from there count."""
    first, last = max(0, part.start - MARGIN), min(total, part.stop + MARGIN)
    return (first, last), slice((part.start - first) // STRIDE, (part.stop - first) // STRIDE)


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


@compiled
def _heard(
    output: NDArray[np.float32], rows: tuple[int, int], columns: tuple[int, int], least: float, peaks: bool
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Rows and columns (2, K) of all places within the given ones whose first channel is above `least`, and
    all that is said (H, W, C) there; if only the peaks, of those that no neighbour exceeds."""
    places = np.empty((2, (rows[1] - rows[0]) * (columns[1] - columns[0])), np.int64)
    count = 0
    for i in range(rows[0], rows[1]):
        for j in range(columns[0], columns[1]):
            if output[i, j, 0] <= least:
                continue
            highest = True
            if peaks:
                for k in range(max(i - 1, rows[0]), min(i + 2, rows[1])):
                    for m in range(max(j - 1, columns[0]), min(j + 2, columns[1])):
                        highest = highest and output[k, m, 0] <= output[i, j, 0]
            if highest:
                places[0, count], places[1, count] = i, j
                count += 1
    values = np.empty((count, output.shape[2]), np.float32)
    for n in range(count):
        values[n] = output[places[0, n], places[1, n]]
    return places[:, :count].copy(), values


Said = tuple[Tensor, Tensor, Tensor, Tensor]
"""What γ says (K, CHANNELS) at K places, their x and y, and the level."""


@dataclass(frozen=True)
class Estimates:
    """First estimates of one capsule, in pixels of their pyramid level."""

    attributes: Tensor  # (N, A)
    level: Tensor  # (N,)
    confidence: Tensor  # (N,)
    filled: Tensor  # (N,) how sure the network is that the inside is painted


@dataclass(frozen=True)
class PrimitiveCapsule:
    """The inverse of one primitive's `draw`."""

    primitive: Primitive
    encoder: Encoder

    @torch.no_grad()
    def encode(self, view: View, thorough: bool = False) -> Said:
        """γ: what the network says at every place of a view that may show this primitive.

        thorough: not only from where the confidence is highest, but from everywhere around.
        """
        return self.heard(self.encoder(view.pixels), view, thorough)

    def heard(self, output: Tensor, view: View, thorough: bool = False) -> Said:
        """What of the network's output (1, CHANNELS, G, G) for a view is worth to be heard."""
        said = output[0].permute(1, 2, 0).contiguous().numpy()
        hope = FAINT_HOPE if thorough else HOPE
        rows, columns = ((part.start, part.stop) for part in (view.rows, view.columns))
        places, values = _heard(said, rows, columns, math.log(hope / (1 - hope)), not thorough)
        row, column = torch.from_numpy(places)
        x = (column + 0.5) * STRIDE + view.left
        y = (row + 0.5) * STRIDE + view.top
        return torch.from_numpy(values), x, y, torch.full_like(row, view.level)

    def estimates(self, said: Sequence[Said]) -> Estimates:
        """First estimates, from what γ says of several views."""
        values, x, y, level = (torch.cat(parts) for parts in zip(*said, strict=True))
        attributes = decode_estimates(self.primitive, values, x, y)
        return Estimates(attributes, level, values[:, 0].sigmoid(), values[:, 8])

    def decode(self, attributes: Tensor, height: int, width: int) -> Tensor:
        """g: what `attributes` (N, A) look like, as coverage (N, H, W)."""
        return draw(self.primitive, attributes, height, width)

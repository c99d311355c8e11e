"""Primitive capsules: pixels in, observations of one primitive out. Each owns its γ and knows its g."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from unrender.capsules.encoder import STRIDE, Encoder, decode_estimates, normalise
from unrender.capsules.pyramid import Pyramid
from unrender.graphics.draw import draw
from unrender.graphics.registry import Primitive

HOPE = 0.3  # an estimate with less confidence is not worth refining
FAINT_HOPE = 0.12  # unless nothing better explains what is there
BORDER = 8  # px that every level is carried on beyond the picture, so that shapes at its edge have a ground
STRIP = 512  # rows: larger levels are looked at in strips
MARGIN = 64  # rows more on each side of a strip, so that it sees what the whole level would show


@dataclass(frozen=True)
class Strip:
    """Some rows of one pyramid level, prepared for every γ."""

    level: int
    pixels: Tensor  # (1, 3, H, W), without local brightness and contrast
    top: int  # y of its first row in the level; its first column is at x = -BORDER
    rows: tuple[int, int]  # estimates from the first up to the second row of the network's output count


def strips(pyramid: Pyramid) -> Iterator[Strip]:
    """What the capsules look at: all levels of the picture."""
    for index, padded in enumerate(bordered(pyramid)):
        total = padded.shape[2]
        for start in range(0, total, STRIP):
            stop = min(start + STRIP, total)
            first, last = max(0, start - MARGIN), min(total, stop + MARGIN)
            rows = ((start - first) // STRIDE, (stop - first) // STRIDE)
            yield Strip(index, normalise(padded[:, :, first:last]), first - BORDER, rows)


def bordered(pyramid: Pyramid) -> Iterator[Tensor]:
    """Every level (1, 3, H, W) carried on by at least BORDER pixels, to a multiple of the stride.

    The border continues the outermost pixels of the picture itself. Those of a coarse level would already
    be mixed with a shape that nearly fills the picture.
    """
    picture = pyramid.levels[0]
    edges = [picture[:, 0], picture[:, -1], picture[:, :, 0], picture[:, :, -1]]  # each (3, side)
    for index, level in enumerate(pyramid.levels):
        if index:
            edges = [_halved(edge) for edge in edges]
        height, width = level.shape[1:]
        border = (BORDER, BORDER + -width % STRIDE, BORDER, BORDER + -height % STRIDE)
        padded = F.pad(level[None], border, mode="replicate")
        top, bottom, left, right = (
            F.pad(edge[None], (BORDER, BORDER + STRIDE), mode="replicate")[0] for edge in edges
        )
        padded[0, :, :BORDER] = top[:, None, : padded.shape[3]]
        padded[0, :, BORDER + height :] = bottom[:, None, : padded.shape[3]]
        rows = slice(BORDER, BORDER + height)
        padded[0, :, rows, :BORDER] = left[:, rows, None]
        padded[0, :, rows, BORDER + width :] = right[:, rows, None]
        yield padded


def _halved(edge: Tensor) -> Tensor:
    """(3, side) at half the resolution, as the pyramid does it."""
    even = F.pad(edge[None], (0, edge.shape[1] % 2), mode="replicate")
    return F.avg_pool1d(even, 2)[0]


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
    def encode(self, strip: Strip, thorough: bool = False) -> Estimates:
        """γ: a first estimate for every place that may show this primitive.

        thorough: not only from where the confidence is highest, but from everywhere around.
        """
        output = self.encoder(strip.pixels)[0]  # (CHANNELS, G, G)
        heat = output[0].sigmoid()
        hopeful = heat > (FAINT_HOPE if thorough else HOPE)
        if not thorough:
            hopeful &= heat == F.max_pool2d(heat[None, None], 3, 1, 1)[0, 0]
        hopeful[: strip.rows[0]] = False
        hopeful[strip.rows[1] :] = False
        row, column = hopeful.nonzero().unbind(1)
        values = output[:, row, column].t()
        x, y = (column + 0.5) * STRIDE - BORDER, (row + 0.5) * STRIDE + strip.top
        level = torch.full((len(row),), strip.level)
        return Estimates(
            decode_estimates(self.primitive, values, x, y), level, heat[row, column], values[:, 8]
        )

    def decode(self, attributes: Tensor, height: int, width: int) -> Tensor:
        """g: what `attributes` (N, A) look like, as coverage (N, H, W)."""
        return draw(self.primitive, attributes, height, width)

"""Primitive capsules: pixels in, observations of one primitive out. Each owns its γ and knows its g."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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
    def encode(self, strips: Sequence[Strip], thorough: bool = False) -> Estimates:
        """γ: a first estimate for every place that may show this primitive.

        thorough: not only from where the confidence is highest, but from everywhere around.
        """
        found = [self._promising(strip, thorough) for strip in strips]
        values, x, y, level = (torch.cat(parts) for parts in zip(*found, strict=True))
        attributes = decode_estimates(self.primitive, values, x, y)
        return Estimates(attributes, level, values[:, 0].sigmoid(), values[:, 8])

    def _promising(self, strip: Strip, thorough: bool) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """What the network says (K, CHANNELS) at K promising places, their x and y, and the level."""
        output = self.encoder(strip.pixels)[0, :, strip.rows[0] : strip.rows[1]]  # (CHANNELS, G, G)
        logit = output[0]
        promising = logit > math.log((hope := FAINT_HOPE if thorough else HOPE) / (1 - hope))
        if not thorough:
            promising &= logit == F.max_pool2d(logit[None], 3, 1, 1)[0]
        row, column = promising.nonzero().unbind(1)
        x, y = (column + 0.5) * STRIDE - BORDER, (row + strip.rows[0] + 0.5) * STRIDE + strip.top
        return output[:, row, column].t(), x, y, torch.full_like(row, strip.level)

    def decode(self, attributes: Tensor, height: int, width: int) -> Tensor:
        """g: what `attributes` (N, A) look like, as coverage (N, H, W)."""
        return draw(self.primitive, attributes, height, width)

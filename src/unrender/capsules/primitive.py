"""Primitive capsules: pixels in, observations of one primitive out. Each owns its γ and knows its g."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from unrender.capsules.encoder import STRIDE, Encoder, decode_estimates, normalise
from unrender.capsules.pyramid import Pyramid
from unrender.graphics.draw import draw
from unrender.graphics.registry import Primitive

HOPE = 0.12  # an estimate with less confidence is not worth refining
TILE = 1024  # px: the network sees larger levels in tiles of this size
MARGIN = 64  # px around a tile, so that its borders see what a whole picture would show


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
    def encode(self, normalised: list[Tensor], thorough: bool = False) -> Estimates:
        """γ: a first estimate for every place that may show this primitive, on every level.

        thorough: not only from where the confidence is highest, but from everywhere around.
        """
        rows, levels, confidences, fills = [], [], [], []
        for level, picture in enumerate(normalised):
            output = self.encoder(picture)[0]  # (CHANNELS, G, G)
            heat = output[0].sigmoid()
            hopeful = heat > HOPE
            if not thorough:
                hopeful &= heat == F.max_pool2d(heat[None, None], 3, 1, 1)[0, 0]
            at = hopeful.nonzero()
            values = output[:, at[:, 0], at[:, 1]].t()
            x, y = (at[:, 1] + 0.5) * STRIDE, (at[:, 0] + 0.5) * STRIDE
            rows.append(decode_estimates(self.primitive, values, x, y))
            levels.append(torch.full((len(at),), level))
            confidences.append(heat[at[:, 0], at[:, 1]])
            fills.append(values[:, 8])
        return Estimates(torch.cat(rows), torch.cat(levels), torch.cat(confidences), torch.cat(fills))

    def decode(self, attributes: Tensor, height: int, width: int) -> Tensor:
        """g: what `attributes` (N, A) look like, as coverage (N, H, W)."""
        return draw(self.primitive, attributes, height, width)


@torch.no_grad()
def normalised_levels(pyramid: Pyramid) -> list[Tensor]:
    """What every γ looks at: each level padded to a multiple of the stride, without local brightness."""
    out = []
    for level in pyramid.levels:
        height, width = level.shape[1:]
        padded = F.pad(level[None], (0, -width % STRIDE, 0, -height % STRIDE), mode="replicate")
        out.append(normalise(padded))
    return out

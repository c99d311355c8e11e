"""Primitive capsules: pixels in, observations of one primitive out. Each owns its γ and knows its g."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.encoder import STRIDE, Encoder, decode_estimates
from unrender.capsules.views import View
from unrender.graphics.compiled import Floats3, compiled
from unrender.graphics.draw import draw
from unrender.graphics.registry import Primitive

HOPE = 0.3  # an estimate with less confidence is not worth refining
FAINT_HOPE = 0.12  # unless nothing better explains what is there


@compiled
def _heard(
    output: Floats3, rows: tuple[int, int], columns: tuple[int, int], least: float, peaks: bool
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
        for c in range(output.shape[2]):
            values[n, c] = output[places[0, n], places[1, n], c]
    return places[:, :count], values


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

"""Patches: the coverage of each shape in its own window of the picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.geometry import CX, CY, TAU, Shapes, distances
from unrender.graphics.draw import inside

Floats = NDArray[np.float32]
_BATCH = 2_000_000  # points at once


@dataclass(frozen=True)
class Patch:
    """Coverage of one shape at every `step`-th pixel of its window."""

    top: int
    left: int
    step: int
    alpha: Floats  # (h, w)

    @property
    def window(self) -> tuple[slice, slice]:
        """Rows and columns of the picture."""
        height, width = self.alpha.shape
        return (
            slice(self.top, self.top + height * self.step, self.step),
            slice(self.left, self.left + width * self.step, self.step),
        )


def alphas(shapes: Shapes, x: Tensor, y: Tensor) -> Tensor:
    """Coverage (N, M) of each shape at its own points."""
    signed, tau = distances(shapes, x, y), shapes.pose[:, TAU, None]
    outer = inside(signed - tau)
    return torch.where(shapes.filled[:, None], outer, outer - inside(signed + tau))


def patches(shapes: Shapes, height: int, width: int, most: int | None = None) -> list[Patch]:
    """The coverage of every shape; with `most`, at no more than that many points a side.

    Shapes of about the same size share a batch.
    """
    reach = shapes.reach + 1.5
    left = (shapes.pose[:, CX] - reach).floor().long().clamp(0, width - 1)
    top = (shapes.pose[:, CY] - reach).floor().long().clamp(0, height - 1)
    right = (shapes.pose[:, CX] + reach).ceil().long().clamp(1, width)
    bottom = (shapes.pose[:, CY] + reach).ceil().long().clamp(1, height)
    side = torch.maximum(right - left, bottom - top).clamp_min(1)
    step = torch.ones_like(side) if most is None else (side - 1) // most + 1
    points = (side + step - 1) // step
    out: list[Patch | None] = [None] * len(shapes)
    bucket = (4 * torch.log2(points.float())).ceil().long()
    for size in bucket.unique():
        at = (bucket == size).nonzero()[:, 0]
        span = int(points[at].max())
        grid = torch.arange(span)
        for chunk in at.split(max(1, _BATCH // span**2)):
            stride = step[chunk, None, None]
            x = (left[chunk, None, None] + grid[None, None, :] * stride + 0.5).expand(-1, span, -1)
            y = (top[chunk, None, None] + grid[None, :, None] * stride + 0.5).expand(-1, -1, span)
            values = alphas(shapes[chunk], x.flatten(1), y.flatten(1)).unflatten(1, (span, span)).numpy()
            for i, alpha in zip(chunk.tolist(), values, strict=True):
                every = int(step[i])
                rows = max(0, -(-int(bottom[i] - top[i]) // every))
                columns = max(0, -(-int(right[i] - left[i]) // every))
                out[i] = Patch(int(top[i]), int(left[i]), every, alpha[:rows, :columns])
    return [patch for patch in out if patch is not None]

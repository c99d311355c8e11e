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
_SMALL = 64  # points a side
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
    return inside(signed - tau) - inside(signed + tau) * ~shapes.filled[:, None]


def patches(shapes: Shapes, height: int, width: int, most: int | None = None) -> list[Patch]:
    """The coverage of every shape; with `most`, at no more than that many points a side.

    Shapes of about the same size share a batch; small ones cost little and need not be that alike.
    """
    reach = shapes.reach + 1.5
    left = (shapes.pose[:, CX] - reach).floor().long().clamp(0, width - 1)
    top = (shapes.pose[:, CY] - reach).floor().long().clamp(0, height - 1)
    right = (shapes.pose[:, CX] + reach).ceil().long().clamp(1, width)
    bottom = (shapes.pose[:, CY] + reach).ceil().long().clamp(1, height)
    side = torch.maximum(right - left, bottom - top).clamp_min(1)
    step = torch.ones_like(side) if most is None else (side - 1) // most + 1
    points = (side + step - 1) // step
    bucket = (torch.where(points > _SMALL, 4, 1) * torch.log2(points.float())).ceil()
    alpha: list[Floats] = [np.zeros((0, 0), np.float32)] * len(shapes)
    for size in bucket.unique():
        at = (bucket == size).nonzero()[:, 0]
        span = int(points[at].max())
        grid = torch.arange(span)
        for chunk in at.split(max(1, _BATCH // span**2)):
            steps = grid * step[chunk, None] + 0.5  # (n, span)
            x = (left[chunk, None] + steps)[:, None, :].expand(-1, span, -1)
            y = (top[chunk, None] + steps)[:, :, None].expand(-1, -1, span)
            values = alphas(shapes[chunk], x.flatten(1), y.flatten(1)).unflatten(1, (span, span)).numpy()
            for i, value in zip(chunk.tolist(), values, strict=True):
                alpha[i] = value
    rows, columns = (-(-length.clamp_min(0) // step) for length in (bottom - top, right - left))
    places = torch.stack([top, left, step, rows, columns], 1).tolist()
    return [
        Patch(y, x, every, whole[:height, :width])
        for (y, x, every, height, width), whole in zip(places, alpha, strict=True)
    ]

"""Choosing: of rival candidates, those that explain edges which nobody else explains."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.agreement import perimeter
from unrender.capsules.candidates import Sightings
from unrender.capsules.geometry import TAU
from unrender.capsules.outline import outline

FRESH = 0.35  # the share of a candidate's outline that must not be explained already


class Claims:
    """Which pixels of the picture hold an edge that is already explained."""

    def __init__(self, height: int, width: int) -> None:
        self.map = np.zeros((height, width), bool)

    def of(self, x: NDArray[np.float32], y: NDArray[np.float32]) -> NDArray[np.bool_]:
        """bool per point: explained already."""
        height, width = self.map.shape
        column, row = x.astype(int).clip(0, width - 1), y.astype(int).clip(0, height - 1)
        known: NDArray[np.bool_] = self.map[row, column]
        return known

    def add(self, x: NDArray[np.float32], y: NDArray[np.float32]) -> None:
        """Claim the 3x3 pixels around these points."""
        height, width = self.map.shape
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                column, row = x.astype(int) + dx, y.astype(int) + dy
                there = (column >= 0) & (column < width) & (row >= 0) & (row < height)
                self.map[row[there], column[there]] = True


def choose(seen: Sightings, claims: Claims, threshold: float) -> Tensor:
    """The candidates that explain edges nobody else explains, best first."""
    a, b = seen.shapes.half
    worth = seen.p**4 * perimeter(a, b).sqrt()
    x, y, nx, ny = outline(seen.shapes)
    tau = seen.shapes.pose[:, TAU, None]
    xs = torch.stack([x + tau * nx, x - tau * nx], 1).numpy()
    ys = torch.stack([y + tau * ny, y - tau * ny], 1).numpy()
    agreement, there = seen.agreement.numpy(), seen.there.numpy()
    chosen = []
    for i in torch.argsort(worth, descending=True).tolist():
        if seen.p[i] < threshold:
            continue
        claimed = claims.of(xs[i], ys[i]).all(0)
        fresh = (agreement[i] * there[i] * ~claimed).sum() / max(there[i].sum(), 1)
        if fresh < FRESH:
            continue
        agreed = agreement[i] > 0.3
        fine = np.linspace(0, 1, 9)[:, None, None]
        claims.add(_between(xs[i][:, agreed], fine), _between(ys[i][:, agreed], fine))
        chosen.append(i)
    return torch.tensor(chosen, dtype=torch.long)


def _between(points: NDArray[np.float32], fine: NDArray[np.float64]) -> NDArray[np.float32]:
    """Points on the way from each to the next, where the next is near."""
    following = np.roll(points, -1, axis=1)
    return (points + fine * (following - points)).reshape(-1).astype(np.float32)

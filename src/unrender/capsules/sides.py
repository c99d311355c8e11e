"""Sides: shapes laid upon a patch whose every pixel is known to be inside, outside or hidden.

Where no edge is smoothed a pixel shows what lies at its centre. Only pixels on the wrong side of an outline
move it. What is hidden moves nothing, so a shape may go on behind another one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import ndimage
from torch import Tensor

from unrender.capsules.contour import painted_off
from unrender.capsules.geometry import (
    ANGLE,
    CX,
    CY,
    LOG_H,
    LOG_W,
    OWN,
    Shapes,
    arms,
    distances,
    distances_and_slopes,
)
from unrender.graphics.registry import Primitive

STARTS = 24  # poses of each kind
TRIED, FINISHED = 8, 14  # steps; in between the PROMISING of each kind go on
PROMISING = 4
HOPELESS = 3.0  # times the loss of the best: what is worse goes on nowhere
BAND = 2  # px around the edge of a patch in which every pixel counts
SPARSE = 3  # px: further off one of so many does, in both directions
ROOM = 10  # px around a patch
POINTS = 800  # pixels at the most
MARGIN = 0.05  # px by which a pixel should be on its side
REACH = 4.0  # px: what is further off pulls no stronger
SMALLEST = 3.0  # px: the least side of a shape

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Sides:
    """Pixels whose side is known: 1 if they show the shape, -1 if they show what it would hide. Each (M,)."""

    x: Tensor
    y: Tensor
    side: Tensor
    edge: int = 0  # how many sides of pixels part the two, where they are all known

    @classmethod
    def of(cls, mine: Mask, hidden: Mask) -> Sides:
        """mine (H, W): pixels that show the shape; hidden: pixels that say nothing of it."""
        rows, columns = (np.nonzero(mine.any(axis))[0] for axis in (1, 0))
        top, left = max(0, rows[0] - ROOM), max(0, columns[0] - ROOM)
        window = slice(top, rows[-1] + ROOM + 1), slice(left, columns[-1] + ROOM + 1)
        own, other = mine[window], ~(mine | hidden)[window]
        telling = ndimage.binary_dilation(own, iterations=BAND) & ndimage.binary_dilation(
            other, iterations=BAND
        )
        telling[::SPARSE, ::SPARSE] = True
        row, column = np.nonzero((own | other) & telling)
        some = np.linspace(0, len(row) - 1, min(POINTS, len(row))).astype(int)
        row, column = row[some], column[some]
        side = torch.from_numpy(np.where(own[row, column], 1.0, -1.0)).float()
        x, y = (torch.from_numpy(at + 0.5).float() for at in (column + left, row + top))
        parted = (own[1:] & other[:-1]).sum() + (own[:-1] & other[1:]).sum()
        parted += (own[:, 1:] & other[:, :-1]).sum() + (own[:, :-1] & other[:, 1:]).sum()
        return cls(x, y, side, int(parted))

    def off(self, shapes: Shapes) -> Tensor:
        """(N, M): how far pixels are on the wrong side of each shape; below 0 on the right one."""
        return self.side * painted_off(shapes, distances(shapes, *self._points(len(shapes))))

    def wrong(self, shapes: Shapes) -> Tensor:
        """(N,): px on the wrong side of each shape."""
        return (self.off(shapes) > 0).sum(1)

    def wrong_together(self, shapes: Shapes) -> int:
        """px on the wrong side of all shapes as one."""
        inside = (self.side * self.off(shapes)).amin(0) < 0
        return int((inside != (self.side > 0)).sum())

    def pulled(self, shapes: Shapes, steps: int) -> Shapes:
        """Shapes after so many damped Gauss-Newton steps towards having every pixel on its side."""
        x, y = self._points(len(shapes))
        for _ in range(steps):
            signed, slopes = distances_and_slopes(shapes, x, y)
            pull = (self.side * signed + MARGIN).clamp_min(0)
            weighted = slopes * ((pull > 0) * (REACH / (REACH + pull)))[:, None]
            hessian = weighted @ slopes.transpose(1, 2)
            unit = arms(shapes.pose).square()
            steepest = (hessian.diagonal(dim1=1, dim2=2) / unit).amax(1, keepdim=True)
            system = hessian + torch.diag_embed(0.02 * unit * steepest + 1e-6)
            move = torch.linalg.solve(system, -(weighted @ (pull * self.side)[..., None])[..., 0])
            limit = torch.full_like(move, 0.2)
            size = shapes.pose[:, LOG_W : LOG_H + 1].amin(1).exp()
            limit[:, CX : CY + 1] = (0.2 * size).clamp_min(0.5)[:, None]
            pose = shapes.pose + torch.maximum(torch.minimum(move, limit), -limit)
            pose[:, LOG_W : LOG_H + 1] = pose[:, LOG_W : LOG_H + 1].clamp(math.log(SMALLEST), 7.0)
            shapes = shapes.with_pose(pose)
        return shapes

    def fitted(self, kinds: Sequence[Primitive]) -> Shapes:
        """The best filled shape of every kind that may be there, one of each at the most."""
        shapes = self.pulled(self._starts(kinds), TRIED)
        loss = self.off(shapes).clamp(0, BAND).sum(1)
        some = _best(shapes, loss, PROMISING)
        shapes = self.pulled(shapes[some[loss[some] <= HOPELESS * loss.min() + 8]], FINISHED)
        off = self.off(shapes)
        return shapes[_best(shapes, (off > 0).sum(1) + 1e-3 * off.clamp(0, BAND).sum(1), 1)]

    def _points(self, count: int) -> tuple[Tensor, Tensor]:
        return self.x.expand(count, -1), self.y.expand(count, -1)

    def _starts(self, kinds: Sequence[Primitive]) -> Shapes:
        """Poses around the patch, some of them larger than what shows, turned evenly."""
        random = np.random.default_rng(0)
        at = np.stack([self.x.numpy(), self.y.numpy()], 1)[self.side.numpy() > 0]
        low, high = at.min(0), at.max(0)
        extent = float((high - low).max()) + 1
        around = np.arange(STARTS) % 4 == 0
        shift = np.where(around[:, None], 0.0, random.normal(0, 0.25, (STARTS, 2)))
        grown = np.where(around, random.uniform(0.7, 1.1, STARTS), random.uniform(0.8, 1.6, STARTS))
        pose = np.zeros((STARTS, OWN + max(len(kind.shape) for kind in kinds)), np.float32)
        pose[:, CX : CY + 1] = (low + high) / 2 + shift * extent
        pose[:, LOG_W : LOG_H + 1] = np.log(extent * grown)[:, None] + random.normal(0, 0.15, (STARTS, 2))
        pose[:, ANGLE] = np.arange(STARTS) * (2 * math.pi * 0.618)
        kind = torch.arange(len(kinds)).repeat_interleave(STARTS)
        every = torch.from_numpy(pose).repeat(len(kinds), 1)
        return Shapes(tuple(kinds), kind, every, torch.ones(len(kind), dtype=torch.bool))


def _best(shapes: Shapes, loss: Tensor, count: int) -> Tensor:
    """Indices of the shapes of each kind with the least loss."""
    own = [(shapes.kind == k).nonzero()[:, 0] for k in range(len(shapes.kinds))]
    return torch.cat([some[loss[some].argsort()[:count]] for some in own])

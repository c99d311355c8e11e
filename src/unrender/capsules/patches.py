"""Patches: the coverage of each shape in its own window of the picture."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.geometry import ANGLE, CX, CY, LOG_H, LOG_W, TAU, Shapes, distances
from unrender.graphics.compiled import Floats1, Floats2, compiled
from unrender.graphics.draw import inside

Floats = NDArray[np.float32]
Window = tuple[slice, slice]  # rows and columns of the picture
_BATCH = 500_000  # points at once
_ZERO, _HALF, _ONE = np.float32(0), np.float32(0.5), np.float32(1)


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


class Windows:
    """The windows of many patches, to be asked together."""

    def __init__(self, patches: Iterable[Patch]) -> None:
        windows = (patch.window for patch in patches)
        edges = [(rows.start, columns.start, rows.stop, columns.stop) for rows, columns in windows]
        self.top, self.left, self.bottom, self.right = np.array(edges, dtype=np.int64).reshape(-1, 4).T

    def near(self, window: Window) -> NDArray[np.int64]:
        """Indices of those that overlap this one."""
        rows, columns = window
        overlap = (self.top < rows.stop) & (rows.start < self.bottom)
        return np.nonzero(overlap & (self.left < columns.stop) & (columns.start < self.right))[0]

    def near_any(self, windows: Iterable[Window]) -> NDArray[np.int64]:
        """Indices of those that overlap one of several."""
        return np.unique(np.concatenate([self.near(window) for window in windows]))


def alphas(shapes: Shapes, x: Tensor, y: Tensor) -> Tensor:
    """Coverage (N, M) of each shape at its own points."""
    signed, tau = distances(shapes, x, y), shapes.pose[:, TAU, None]
    return inside(signed - tau) - inside(signed + tau) * ~shapes.filled[:, None]


def patches(shapes: Shapes, height: int, width: int, most: int | None = None) -> list[Patch]:
    """The coverage of every shape; with `most`, at no more than that many points a side."""
    pose, reach = shapes.pose.numpy(), shapes.reach.numpy() + 1.5
    left = np.floor(pose[:, CX] - reach).clip(0, width - 1).astype(int)
    top = np.floor(pose[:, CY] - reach).clip(0, height - 1).astype(int)
    right = np.ceil(pose[:, CX] + reach).clip(1, width).astype(int)
    bottom = np.ceil(pose[:, CY] + reach).clip(1, height).astype(int)
    side = np.maximum(right - left, bottom - top).clip(1)
    step = np.ones_like(side) if most is None else (side - 1) // most + 1
    rows, columns = (-(-length.clip(0) // step) for length in (bottom - top, right - left))
    places = np.stack([top, left, step, rows, columns], 1).tolist()
    return [Patch(y, x, n, _coverage(shapes, i, y, x, n, h, w)) for i, (y, x, n, h, w) in enumerate(places)]


def _coverage(shapes: Shapes, index: int, top: int, left: int, step: int, rows: int, columns: int) -> Floats:
    """alpha (rows, columns) of one shape, some rows at a time."""
    primitive = shapes.kinds[int(shapes.kind[index])]
    if primitive.compiled_normal is None:
        y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
        x, y = left + x * step + 0.5, top + y * step + 0.5
        covered: Floats = alphas(shapes[index : index + 1], x.reshape(1, -1), y.reshape(1, -1)).numpy()
        return covered.reshape(rows, columns)
    pose, filled = shapes.pose[index].numpy(), bool(shapes.filled[index])
    half = np.exp(pose[LOG_W : LOG_H + 1]) / 2
    alpha = np.empty((rows, columns), np.float32)
    several = max(1, _BATCH // max(columns, 1))
    for first in range(0, rows, several):
        part = alpha[first : first + several]
        x, y, signed, nx, ny = np.empty((5, *part.shape), np.float32)
        _grid(pose, top + first * step, left, step, x, y)
        primitive.compiled_normal(x, y, half[:1].repeat(len(x)), half[1:].repeat(len(x)), signed, nx, ny)
        _covered(signed, pose[TAU], filled, part)
    return alpha


@compiled
def _grid(pose: Floats1, top: int, left: int, step: int, own_x: Floats2, own_y: Floats2) -> None:
    """Every `step`-th pixel of a window, as a shape sees it: from its centre, along its own axes."""
    cos, sin = np.float32(math.cos(pose[ANGLE])), np.float32(math.sin(pose[ANGLE]))
    for i in range(own_x.shape[0]):
        dy = np.float32(top + i * step + 0.5) - pose[CY]
        for j in range(own_x.shape[1]):
            dx = np.float32(left + j * step + 0.5) - pose[CX]
            own_x[i, j], own_y[i, j] = cos * dx + sin * dy, cos * dy - sin * dx


@compiled
def _covered(signed: Floats2, tau: np.float32, filled: bool, out: Floats2) -> None:
    """The share of each pixel that a shape paints, from its signed distance."""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            alpha = min(max(_HALF + tau - signed[i, j], _ZERO), _ONE)
            if not filled:
                alpha -= min(max(_HALF - tau - signed[i, j], _ZERO), _ONE)
            out[i, j] = alpha

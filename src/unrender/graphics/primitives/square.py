"""square: the rectangle of (width, height)."""

from __future__ import annotations

from math import copysign, sqrt

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.graphics.compiled import Floats1, Floats2
from unrender.graphics.registry import primitive

Floats = NDArray[np.float32]

ZERO, ONE, TINY = np.float32(0), np.float32(1), np.float32(1e-9)


def normal(x: Floats2, y: Floats2, a: Floats1, b: Floats1, signed: Floats2, nx: Floats2, ny: Floats2) -> None:
    """The distance and its gradient by x and y: away from the nearest side or corner."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            dx, dy = abs(x[i, j]) - a[i], abs(y[i, j]) - b[i]
            out_x, out_y = max(dx, ZERO), max(dy, ZERO)
            off = sqrt(out_x * out_x + out_y * out_y)
            inside = off < TINY  # or on a side
            signed[i, j] = max(dx, dy) if inside else off
            ux, uy = (ONE, ZERO) if dx > dy else (ZERO, ONE)
            nx[i, j] = copysign(ux if inside else out_x / off, x[i, j])
            ny[i, j] = copysign(uy if inside else out_y / off, y[i, j])


@primitive("square", order=4, normal=normal)
def square(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """Signed distance to the rectangle with half sides a, b."""
    dx, dy = x.abs() - a, y.abs() - b
    inside = torch.maximum(dx, dy)
    ox, oy = dx.clamp_min(0.0), dy.clamp_min(0.0)
    outside = (ox * ox + oy * oy + 1e-20).sqrt()
    return torch.where(inside <= 0, inside, outside)

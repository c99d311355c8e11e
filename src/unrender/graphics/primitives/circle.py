"""circle: the ellipse with the axes (width, height)."""

from __future__ import annotations

from math import copysign, sqrt

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.graphics.compiled import Floats1, Floats2
from unrender.graphics.registry import primitive

Floats = NDArray[np.float32]

ZERO, HALF, ONE = np.float32(0), np.float32(0.5), np.float32(1)
NEAR, TINY = (
    np.float32(1e-9),
    np.float32(1e-18),
)  # keep points on an axis or at a centre from dividing by 0
STEPS = 3  # each step gains about two digits; three are far below what a pixel can tell


def normal(x: Floats2, y: Floats2, a: Floats1, b: Floats1, signed: Floats2, nx: Floats2, ny: Floats2) -> None:
    """The distance and its gradient by x and y, from the foot point as `_foot` finds it."""
    for i in range(x.shape[0]):
        focus = a[i] * a[i] - b[i] * b[i]
        cx, cy = focus / a[i], -focus / b[i]
        lean = HALF * a[i] * b[i]
        for j in range(x.shape[1]):
            right, down = abs(x[i, j]), abs(y[i, j])
            cos, sin = lean + right * b[i], lean + down * a[i]
            norm = ONE / sqrt(cos * cos + sin * sin)
            cos, sin = cos * norm, sin * norm
            for _ in range(STEPS):
                centre_x, centre_y = cx * cos * cos * cos, cy * sin * sin * sin
                foot_x, foot_y = a[i] * cos - centre_x, b[i] * sin - centre_y
                off_x, off_y = right + NEAR - centre_x, down + NEAR - centre_y
                stretch = sqrt((foot_x * foot_x + foot_y * foot_y) / max(off_x * off_x + off_y * off_y, TINY))
                cos = min(max((centre_x + off_x * stretch) / a[i], ZERO), ONE)
                sin = min(max((centre_y + off_y * stretch) / b[i], ZERO), ONE)
                norm = ONE / sqrt(max(cos * cos + sin * sin, TINY))
                cos, sin = cos * norm, sin * norm
            out_x, out_y = b[i] * cos, a[i] * sin
            norm = ONE / sqrt(max(out_x * out_x + out_y * out_y, TINY))
            out_x, out_y = out_x * norm, out_y * norm
            signed[i, j] = (right - a[i] * cos) * out_x + (down - b[i] * sin) * out_y
            nx[i, j], ny[i, j] = copysign(out_x, x[i, j]), copysign(out_y, y[i, j])


@primitive("circle", order=0, normal=normal)
def circle(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """Signed distance to the ellipse with half axes a, b.

    The foot point (a cos t, b sin t) is found without gradients by sliding it along the circle of
    curvature. There the distance is stationary in t, so the derivative of (p - foot) · normal with t
    and the normal held fixed is the exact one.
    """
    x, y = x.abs(), y.abs()
    with torch.no_grad():
        cos, sin = _foot(x, y, a, b, STEPS)
        nx, ny = _normalised(b * cos, a * sin)
    return (x - a * cos) * nx + (y - b * sin) * ny


def _foot(x: Tensor, y: Tensor, a: Tensor, b: Tensor, steps: int) -> tuple[Tensor, Tensor]:
    """cos t and sin t of the nearest point, for x, y >= 0."""
    focus = a * a - b * b
    cx, cy = focus / a, -focus / b  # the evolute: (cx cos³t, cy sin³t)
    # the start leans away from the axes, on which the steps below would stay
    lean = 0.5 * a * b
    cos, sin = _normalised(torch.addcmul(lean, x, b), torch.addcmul(lean, y, a))
    x, y = x + 1e-9, y + 1e-9
    for _ in range(steps):
        centre_x, centre_y = cx * cos**3, cy * sin**3
        foot_x, foot_y = a * cos - centre_x, b * sin - centre_y
        off_x, off_y = x - centre_x, y - centre_y
        stretch = (_square(foot_x, foot_y) / _square(off_x, off_y).clamp_min(1e-18)).sqrt()
        foot_x, foot_y = torch.addcmul(centre_x, off_x, stretch), torch.addcmul(centre_y, off_y, stretch)
        cos, sin = _normalised((foot_x / a).clamp(0.0, 1.0), (foot_y / b).clamp(0.0, 1.0))
    return cos, sin


def _square(x: Tensor, y: Tensor) -> Tensor:
    return torch.addcmul(x * x, y, y)


def _normalised(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    norm = _square(x, y).clamp_min(1e-18).rsqrt()
    return x * norm, y * norm

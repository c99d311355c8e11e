"""circle: the ellipse with the axes (width, height)."""

from __future__ import annotations

import torch
from torch import Tensor

from unrender.graphics.registry import primitive

STEPS = 3  # each step gains about two digits; three are far below what a pixel can tell


def normal(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The distance and its gradient by x and y, one step less exact."""
    right, down = x.abs(), y.abs()
    cos, sin = _foot(right, down, a, b, STEPS - 1)
    nx, ny = _normalised(b * cos, a * sin)
    signed = torch.addcmul((right - a * cos) * nx, down - b * sin, ny)
    return signed, torch.copysign(nx, x), torch.copysign(ny, y)


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

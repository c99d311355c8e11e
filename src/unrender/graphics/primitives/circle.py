"""circle: the ellipse with the axes (width, height)."""

from __future__ import annotations

import torch
from torch import Tensor

from unrender.graphics.registry import primitive

STEPS = 3  # each step gains about two digits; three are far below what a pixel can tell


def normal(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The distance and its gradient by x and y."""
    right, down = x.abs(), y.abs()
    cos, sin = _foot(right, down, a, b)
    nx, ny = b * cos, a * sin
    norm = (nx * nx + ny * ny).rsqrt()
    nx, ny = nx * norm, ny * norm
    signed = (right - a * cos) * nx + (down - b * sin) * ny
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
        cos, sin = _foot(x, y, a, b)
        nx, ny = b * cos, a * sin
        norm = (nx * nx + ny * ny).rsqrt()
        nx, ny = nx * norm, ny * norm
    return (x - a * cos) * nx + (y - b * sin) * ny


def _foot(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """cos t and sin t of the nearest point, for x, y >= 0."""
    focus = a * a - b * b
    cx, cy = focus / a, -focus / b  # the evolute: (cx cos³t, cy sin³t)
    # the start leans away from the axes, on which the steps below would stay
    cos, sin = x * b + 0.5 * a * b, y * a + 0.5 * a * b
    norm = (cos * cos + sin * sin).clamp_min(1e-18).rsqrt()
    cos, sin = cos * norm, sin * norm
    for _ in range(STEPS):
        centre_x, centre_y = cx * (cos * cos * cos), cy * (sin * sin * sin)
        foot_x, foot_y = a * cos - centre_x, b * sin - centre_y
        rx, ry = x - centre_x + 1e-9, y - centre_y + 1e-9
        stretch = ((foot_x * foot_x + foot_y * foot_y) / (rx * rx + ry * ry).clamp_min(1e-18)).sqrt()
        cos = ((rx * stretch + centre_x) / a).clamp(0.0, 1.0)
        sin = ((ry * stretch + centre_y) / b).clamp(0.0, 1.0)
        norm = (cos * cos + sin * sin).clamp_min(1e-18).rsqrt()
        cos, sin = cos * norm, sin * norm
    return cos, sin

"""square: the rectangle of (width, height)."""

from __future__ import annotations

import torch
from torch import Tensor

from unrender.graphics.registry import primitive

TINY = 1e-9  # px: keeps the direction of a point that lies on a side


def normal(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The distance and its gradient by x and y: away from the nearest side or corner."""
    dx, dy = x.abs() - a, y.abs() - b
    depth = torch.maximum(dx, dy).clamp_max(0.0)  # below 0 inside
    off_x, off_y = (dx - depth + TINY).clamp_min(0.0), (dy - depth + TINY).clamp_min(0.0)
    off = torch.addcmul(off_x * off_x, off_y, off_y).sqrt()
    return depth + off, torch.copysign(off_x / off, x), torch.copysign(off_y / off, y)


@primitive("square", order=4, normal=normal)
def square(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """Signed distance to the rectangle with half sides a, b."""
    dx, dy = x.abs() - a, y.abs() - b
    inside = torch.maximum(dx, dy)
    ox, oy = dx.clamp_min(0.0), dy.clamp_min(0.0)
    outside = (ox * ox + oy * oy + 1e-20).sqrt()
    return torch.where(inside <= 0, inside, outside)

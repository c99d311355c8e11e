"""square: the rectangle of (width, height)."""

from __future__ import annotations

import torch
from torch import Tensor

from unrender.graphics.registry import primitive


def normal(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The distance and its gradient by x and y."""
    dx, dy = x.abs() - a, y.abs() - b
    ox, oy = dx.clamp_min(0.0), dy.clamp_min(0.0)
    outside = (ox * ox + oy * oy + 1e-20).sqrt()
    within = torch.maximum(dx, dy)
    in_or_on = within <= 0
    beside = (dx > dy).to(x.dtype)  # nearer to a vertical side
    nx = torch.where(in_or_on, beside, ox / outside)
    ny = torch.where(in_or_on, 1 - beside, oy / outside)
    return torch.where(in_or_on, within, outside), torch.copysign(nx, x), torch.copysign(ny, y)


@primitive("square", order=4, normal=normal)
def square(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """Signed distance to the rectangle with half sides a, b."""
    dx, dy = x.abs() - a, y.abs() - b
    inside = torch.maximum(dx, dy)
    ox, oy = dx.clamp_min(0.0), dy.clamp_min(0.0)
    outside = (ox * ox + oy * oy + 1e-20).sqrt()
    return torch.where(inside <= 0, inside, outside)

"""square: the rectangle of (width, height)."""

from __future__ import annotations

import torch
from torch import Tensor

from unrender.graphics.registry import primitive


@primitive("square", order=4)
def square(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """Signed distance to the rectangle with half sides a, b."""
    dx, dy = x.abs() - a, y.abs() - b
    inside = torch.maximum(dx, dy)
    ox, oy = dx.clamp_min(0.0), dy.clamp_min(0.0)
    outside = (ox * ox + oy * oy + 1e-20).sqrt()
    return torch.where(inside <= 0, inside, outside)

"""triangle: the equilateral triangle in the unit circle, apex up, stretched to (width, height)."""

from __future__ import annotations

import torch
from torch import Tensor

from unrender.graphics.registry import primitive

HALF_BASE = 3**0.5 / 2  # of the triangle in the unit circle; its base lies at y = 1/2


@primitive("triangle", order=3)
def triangle(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """Signed distance to the triangle (0, -b), (±√3/2 a, b/2)."""
    x = x.abs()  # the left half mirrors the right one
    corner_x, corner_y = HALF_BASE * a, 0.5 * b
    side = 1.5 * b  # the slanted edge runs from the apex by (corner_x, side)
    length = (corner_x * corner_x + side * side).sqrt()
    from_apex = y + b
    to_side = (x * side - from_apex * corner_x) / length  # to the line through the slanted edge
    along = (x * corner_x + from_apex * side) / length
    to_base = y - corner_y
    inside = torch.maximum(to_side, to_base)

    apex = (x * x + from_apex * from_apex + 1e-20).sqrt()
    corner = ((x - corner_x).square() + to_base.square() + 1e-20).sqrt()
    slanted = torch.where(along < 0, apex, torch.where(along > length, corner, to_side))
    base = torch.where(x > corner_x, corner, to_base)
    far = torch.full_like(inside, torch.inf)
    outside = torch.minimum(
        torch.where(to_side > 0, slanted, far),
        torch.where(to_base > 0, base, far),
    )
    return torch.where(inside <= 0, inside, outside)

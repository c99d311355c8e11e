"""triangle: the equilateral triangle in the unit circle, apex up, stretched to (width, height)."""

from __future__ import annotations

import torch
from torch import Tensor

from unrender.graphics.registry import primitive

HALF_BASE = 3**0.5 / 2  # of the triangle in the unit circle; its base lies at y = 1/2
TINY = 1e-9  # px: keeps the direction of a point that lies on an edge


def normal(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The distance and its gradient by x and y, from the nearest points of the two edges."""
    right = x.abs()
    corner_x, side = HALF_BASE * a, 1.5 * b
    length = (corner_x * corner_x + side * side).sqrt()
    ex, ey = corner_x / length, side / length  # along the slanted edge
    from_apex, to_base = y + b, y - 0.5 * b
    to_side = torch.addcmul(right * ey, from_apex, ex, value=-1)
    along = torch.addcmul(right * ex, from_apex, ey)
    beyond = along - torch.minimum(along.clamp_min(0.0), length)  # past an end of the slanted edge
    sign = torch.maximum(to_side, to_base).sign()
    to_side, beyond, to_base = sign * to_side + TINY, sign * beyond, sign * to_base + TINY
    # outwards from the nearest point of each edge
    side_x = torch.addcmul(to_side * ey, beyond, ex)
    side_y = torch.addcmul(beyond * ey, to_side, ex, value=-1)
    base_x = sign * (right - corner_x).clamp_min(0.0)
    from_side = torch.addcmul(to_side * to_side, beyond, beyond)
    from_base = torch.addcmul(to_base * to_base, base_x, base_x)
    slanted = (from_side < from_base).to(x.dtype)
    off = torch.minimum(from_side, from_base).sqrt()
    nx, ny = torch.lerp(base_x, side_x, slanted) / off, torch.lerp(to_base, side_y, slanted) / off
    return sign * off, torch.copysign(nx, x), ny


@primitive("triangle", order=3, normal=normal)
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

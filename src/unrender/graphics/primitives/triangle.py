"""triangle: the equilateral triangle in the unit circle, apex up, stretched to (width, height)."""

from __future__ import annotations

import torch
from torch import Tensor

from unrender.graphics.registry import primitive

HALF_BASE = 3**0.5 / 2  # of the triangle in the unit circle; its base lies at y = 1/2


def normal(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The distance and its gradient by x and y, from the nearest points of the two edges."""
    right = x.abs()
    corner_x, corner_y, side = HALF_BASE * a, 0.5 * b, 1.5 * b
    length = (corner_x * corner_x + side * side).sqrt()
    ex, ey = corner_x / length, side / length  # along the slanted edge
    from_apex = y + b
    to_side = right * ey - from_apex * ex
    to_base = y - corner_y
    along = torch.minimum((right * ex + from_apex * ey).clamp_min(0.0), length)
    sx, sy = right - along * ex, from_apex - along * ey
    bx = (right - corner_x).clamp_min(0.0)
    by_side, by_base = sx * sx + sy * sy, bx * bx + to_base * to_base
    slanted = by_side < by_base
    within = torch.maximum(to_side, to_base)
    outside = torch.minimum(by_side, by_base).clamp_min(1e-20).sqrt()
    signed = torch.where(within <= 0, within, outside)
    # off a corner the gradient points away from it, beside an edge it is the edge's normal
    on_edge = within <= 1e-4
    upper = torch.where(on_edge, to_side > to_base, slanted)
    nx = torch.where(upper, torch.where(on_edge, ey, sx / outside), torch.where(on_edge, 0.0, bx / outside))
    ny = torch.where(
        upper, torch.where(on_edge, -ex, sy / outside), torch.where(on_edge, 1.0, to_base / outside)
    )
    return signed, torch.copysign(nx, x), ny


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

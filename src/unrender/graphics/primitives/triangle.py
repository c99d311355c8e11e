"""triangle: the equilateral triangle in the unit circle, apex up, stretched to (width, height)."""

from __future__ import annotations

from math import copysign, sqrt

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.graphics.compiled import Floats1, Floats2
from unrender.graphics.registry import primitive

Floats = NDArray[np.float32]

ZERO, HALF, ONE, ONE_AND_HALF = np.float32(0), np.float32(0.5), np.float32(1), np.float32(1.5)
HALF_BASE = 3**0.5 / 2  # of the triangle in the unit circle; its base lies at y = 1/2
HALF_BASE_32 = np.float32(HALF_BASE)
TINY = np.float32(1e-9)  # px: a point this near lies on an edge


def normal(x: Floats2, y: Floats2, a: Floats1, b: Floats1, signed: Floats2, nx: Floats2, ny: Floats2) -> None:
    """The distance and its gradient by x and y, from the nearest points of the two edges."""
    for i in range(x.shape[0]):
        corner, side, base = HALF_BASE_32 * a[i], ONE_AND_HALF * b[i], HALF * b[i]
        length = sqrt(corner * corner + side * side)
        ex, ey = corner / length, side / length  # along the slanted edge
        for j in range(x.shape[1]):
            right = abs(x[i, j])
            from_apex, to_base = y[i, j] + b[i], y[i, j] - base
            to_side, along = right * ey - from_apex * ex, right * ex + from_apex * ey
            sign = copysign(ONE, max(to_side, to_base))
            beyond = along - min(max(along, ZERO), length)  # past an end of the slanted edge
            past = max(right - corner, ZERO)  # an end of the base
            from_side, from_base = to_side * to_side + beyond * beyond, to_base * to_base + past * past
            slanted = from_side < from_base
            off = sqrt(min(from_side, from_base))
            on = off < TINY
            ux, uy = (ey, -ex) if slanted else (ZERO, ONE)  # out of the edge itself
            out_x = to_side * ey + beyond * ex if slanted else past
            out_y = beyond * ey - to_side * ex if slanted else to_base
            signed[i, j] = sign * off
            nx[i, j] = copysign(ONE, x[i, j]) * (ux if on else sign * out_x / off)
            ny[i, j] = uy if on else sign * out_y / off


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

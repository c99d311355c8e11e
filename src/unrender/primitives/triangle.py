"""triangle: the equilateral triangle in the unit circle, apex up, stretched to (width, height)."""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, sqrt

from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import Path, polygon

CORNERS = polygon([(0, -1), (0.75**0.5, 0.5), (-(0.75**0.5), 0.5)])


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """From the nearest points of the base and of the slanted edge; the left half mirrors the right one."""
    for i in range(x.shape[0]):
        corner, side, base = 0.8660254037844386 * a[i], 1.5 * b[i], 0.5 * b[i]
        length = sqrt(corner * corner + side * side)
        ex, ey = corner / length, side / length  # along the slanted edge
        for j in range(x.shape[1]):
            right = abs(x[i, j])
            from_apex, to_base = y[i, j] + b[i], y[i, j] - base
            to_side, along = right * ey - from_apex * ex, right * ex + from_apex * ey
            sign = copysign(1.0, max(to_side, to_base))
            beyond = along - min(max(along, 0.0), length)  # past an end of the slanted edge
            past = max(right - corner, 0.0)  # an end of the base
            from_side, from_base = to_side * to_side + beyond * beyond, to_base * to_base + past * past
            slanted = from_side < from_base
            off = sqrt(min(from_side, from_base))
            on = off < 1e-9
            ux, uy = (ey, -ex) if slanted else (0.0, 1.0)  # out of the edge itself
            out_x = to_side * ey + beyond * ex if slanted else past
            out_y = beyond * ey - to_side * ex if slanted else to_base
            signed[i, j] = sign * off
            nx[i, j] = copysign(1.0, x[i, j]) * (ux if on else sign * out_x / off)
            ny[i, j] = uy if on else sign * out_y / off


def mitred(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """From the line of the edge that is furthest off."""
    for i in range(x.shape[0]):
        corner, side, base = 0.8660254037844386 * a[i], 1.5 * b[i], 0.5 * b[i]
        length = sqrt(corner * corner + side * side)
        ex, ey = corner / length, side / length  # along the slanted edge
        for j in range(x.shape[1]):
            to_side, to_base = abs(x[i, j]) * ey - (y[i, j] + b[i]) * ex, y[i, j] - base
            slanted = to_side > to_base
            signed[i, j] = max(to_side, to_base)
            nx[i, j] = copysign(ey, x[i, j]) if slanted else 0.0
            ny[i, j] = -ex if slanted else 1.0


def offset(a: float, b: float, d: float) -> tuple[float, float, float, float]:
    """The same triangle, larger around the centre of its incircle."""
    half, tall = 0.8660254037844386 * a, 1.5 * b
    radius = half * tall / (half + sqrt(half * half + tall * tall))
    scale = max(1.0 + d / radius, 1e-3)
    return 0.0, (0.5 * b - radius) * (1.0 - scale), a * scale, b * scale


def outline(a: float, b: float, own: Sequence[float]) -> Path:
    """The same whatever its sides are."""
    return CORNERS


triangle = register(
    Primitive("triangle", field, Symmetry(turns=1, even=3), mitred=mitred, offset=offset, outline=outline)
)

"""square: the rectangle of (width, height)."""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, sqrt

from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import Path, polygon

CORNERS = polygon([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """Away from the nearest side or corner."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            dx, dy = abs(x[i, j]) - a[i], abs(y[i, j]) - b[i]
            out_x, out_y = max(dx, 0.0), max(dy, 0.0)
            off = sqrt(out_x * out_x + out_y * out_y)
            inside = off < 1e-9  # or on a side
            signed[i, j] = max(dx, dy) if inside else off
            ux, uy = (1.0, 0.0) if dx > dy else (0.0, 1.0)
            nx[i, j] = copysign(ux if inside else out_x / off, x[i, j])
            ny[i, j] = copysign(uy if inside else out_y / off, y[i, j])


def mitred(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """From the line of the side that is furthest off."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            dx, dy = abs(x[i, j]) - a[i], abs(y[i, j]) - b[i]
            signed[i, j] = max(dx, dy)
            ux, uy = (1.0, 0.0) if dx > dy else (0.0, 1.0)
            nx[i, j], ny[i, j] = copysign(ux, x[i, j]), copysign(uy, y[i, j])


def outline(a: float, b: float, own: Sequence[float]) -> Path:
    """The same whatever its sides are."""
    return CORNERS


square = register(
    Primitive("square", field, Symmetry(turns=2, even=4, swaps=True), mitred=mitred, outline=outline)
)

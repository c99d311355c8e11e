"""plus: two bars that cross, each as wide as a share of the box, as another package would write it."""

from __future__ import annotations

from math import copysign, sqrt

from unrender.grammar.attribute import Attribute
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.symmetry import Symmetry


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """Of one quadrant: the end of the upright bar, its side to the inner corner, out along the other."""
    for i in range(x.shape[0]):
        across, along = own[i, 0] * a[i], own[i, 1] * b[i]  # half of the upright and of the level bar's width
        for j in range(x.shape[1]):
            right, down = abs(x[i, j]), abs(y[i, j])
            inside = (right < a[i] and down < along) or (right < across and down < b[i])
            # four sides of the outline: (0, b)-(across, b)-(across, along)-(a, along)-(a, 0)
            best, ox, oy, ux, uy = 1e18, 0.0, 0.0, 1.0, 0.0
            for side in range(4):
                if side == 0:
                    px, py = min(right, across), b[i]
                elif side == 1:
                    px, py = across, min(max(down, along), b[i])
                elif side == 2:
                    px, py = min(max(right, across), a[i]), along
                else:
                    px, py = a[i], min(down, along)
                far = (right - px) ** 2 + (down - py) ** 2
                if far < best:
                    best, ox, oy = far, right - px, down - py
                    ux, uy = (0.0, 1.0) if side == 0 or side == 2 else (1.0, 0.0)
            off = sqrt(best)
            if off > 1e-9:
                ux, uy = (-ox / off, -oy / off) if inside else (ox / off, oy / off)
            signed[i, j] = -off if inside else off
            nx[i, j], ny[i, j] = copysign(1.0, x[i, j]) * ux, copysign(1.0, y[i, j]) * uy


plus = Primitive(
    "plus",
    field,
    Symmetry(turns=2, even=2, swaps=True, exchanges=(("upright", "level"),)),
    own=(
        Attribute("upright", low=0.1, high=0.9, default=0.3),
        Attribute("level", low=0.1, high=0.9, default=0.3),
    ),
    stretches=False,
)

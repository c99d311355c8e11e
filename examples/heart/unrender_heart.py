"""heart: the curve (16 sin³t, 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t), stretched to (width, height).

A primitive from another package: this file, and beside it the weights that `unrender train heart` writes.
`pyproject.toml` names it in the entry-point group `unrender.primitives`; importing it does as well.
"""

from __future__ import annotations

from math import copysign, sqrt

import numpy as np

from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import Path, polygon

EDGES = 15  # of the polygon that stands for one half of the curve
TOP, BOTTOM = -11.9233, 17.0  # of the curve


def _half(fine: int = 4000) -> Doubles:
    """The right half from the notch to the tip, in units of half the width and half the height.

    The corners stand closest where the curve bends most, so that no edge leaves it further than another.
    """
    t = np.linspace(0.0, np.pi, fine)
    y = np.cos(4 * t) + 2 * np.cos(3 * t) + 5 * np.cos(2 * t) - 13 * np.cos(t)
    curve = np.stack([np.sin(t) ** 3, (2 * y - TOP - BOTTOM) / (BOTTOM - TOP)], 1)
    steps = np.diff(curve, axis=0)
    bend = np.remainder(np.diff(np.arctan2(steps[:, 1], steps[:, 0])) + np.pi, 2 * np.pi) - np.pi
    way = np.sqrt(np.abs(bend) * np.hypot(*steps[1:].T)).cumsum()
    inner = np.searchsorted(way, way[-1] * np.arange(1, EDGES) / EDGES) + 1
    return curve[[0, *inner, -1]]


CORNERS = _half()
STEPS = np.diff(CORNERS, axis=0)


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """Away from the nearest point of the polygon; the left half mirrors the right one."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            px, py = abs(x[i, j]), y[i, j]
            least, off_x, off_y, side = 1e30, 0.0, 0.0, 1.0
            for k in range(EDGES):
                from_x, from_y = px - CORNERS[k, 0] * a[i], py - CORNERS[k, 1] * b[i]
                ex, ey = STEPS[k, 0] * a[i], STEPS[k, 1] * b[i]
                along = (from_x * ex + from_y * ey) / (ex * ex + ey * ey)
                along = min(max(along, 0.0), 1.0)
                dx, dy = from_x - along * ex, from_y - along * ey
                squared = dx * dx + dy * dy
                if squared < least:
                    least, off_x, off_y = squared, dx, dy
                    side = from_x * ey - from_y * ex  # of the edge, seen along it
            sign = -1.0 if side < 0 else 1.0
            off_x, off_y = sign * off_x + 1e-9, sign * off_y  # a point on the outline keeps a direction
            off = sqrt(off_x * off_x + off_y * off_y)
            signed[i, j] = sign * off
            nx[i, j], ny[i, j] = copysign(1.0, x[i, j]) * off_x / off, off_y / off


def outline(a: float, b: float, own: object) -> Path:
    """The right half down to the tip, and the left one back up."""
    return polygon([*CORNERS, *(CORNERS[-2:0:-1] * (-1, 1))])


heart = register(Primitive("heart", field, Symmetry(), outline=outline, aspects=(0.9, 1.35)))

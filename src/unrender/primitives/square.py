"""square: the rectangle of (width, height)."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, copysign, cos, pi, radians, sin, sqrt

import numpy as np

from unrender.primitives.evidence import Evidence, Start
from unrender.primitives.jit import compiled
from unrender.primitives.pieces import outlines
from unrender.primitives.protocol import Doubles, Primitive, widened
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import Path, polygon

SAME = radians(4)  # by which the directions of two sides may differ
MOST = 3  # directions that are tried for one outline

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


def starts(evidence: Evidence) -> Sequence[Start]:
    """The boxes around each outline along its straight pieces, the longest ones first. A side that is hidden
    is where the region ends."""
    found = []
    for own in outlines(evidence):
        poses = _boxes(own.line.x, own.line.y, own.sides(), SAME, MOST)
        found += [own.start(pose, widened) for pose in poses.tolist()]
    return [start for start in found if start is not None]


@compiled
def _boxes(x: Doubles, y: Doubles, sides: Doubles, same: float, most: int) -> Doubles:
    """(N, 5): x, y, a, b and angle of the boxes around points (n,), along sides (K, 4) of different
    directions."""
    found, count = np.empty((most, 5)), 0
    far = np.empty(4)
    for k in range(len(sides)):
        if count == most:
            break
        first, told, turn, total = atan2(sides[k, 1], sides[k, 0]), False, 0.0, 0.0
        for m in range(count):
            off = first - found[m, 4]
            told |= abs(off - round(off / (pi / 2)) * (pi / 2)) < same
        if told:
            continue
        for m in range(len(sides)):  # the mean direction, the longer sides being surer
            off = atan2(sides[m, 1], sides[m, 0]) - first
            off -= round(off / (pi / 2)) * (pi / 2)
            if abs(off) < same:
                turn += off * sides[m, 3] ** 3
                total += sides[m, 3] ** 3
        angle = first + turn / total
        for q in range(4):
            nx, ny = cos(angle + q * pi / 2), sin(angle + q * pi / 2)
            far[q] = (nx * x + ny * y).max()
            for m in range(len(sides)):
                if nx * sides[m, 0] + ny * sides[m, 1] > cos(same):
                    far[q] = sides[m, 2]
                    break
        u, v = (far[0] - far[2]) / 2, (far[1] - far[3]) / 2
        found[count, 0], found[count, 1] = cos(angle) * u - sin(angle) * v, sin(angle) * u + cos(angle) * v
        found[count, 2], found[count, 3] = (far[0] + far[2]) / 2, (far[1] + far[3]) / 2
        found[count, 4] = angle
        count += 1
    return found[:count]


square = register(
    Primitive(
        "square", field, Symmetry(turns=2, even=4, swaps=True), mitred=mitred, outline=outline, starts=starts
    )
)

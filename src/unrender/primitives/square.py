"""square: the rectangle of (width, height)."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, copysign, pi, radians, sqrt

import numpy as np

from unrender.primitives.evidence import Evidence, Start
from unrender.primitives.pieces import Outline, outlines
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
    found: list[Start] = []
    for own in outlines(evidence):
        sides, told = own.sides(), np.zeros(0)
        for nx, ny, _, _ in sides.tolist():
            angle = atan2(ny, nx) % (pi / 2)
            off = np.abs((told - angle + pi / 4) % (pi / 2) - pi / 4)
            if (off < SAME).any():
                continue
            told = np.append(told, angle)
            start = own.start(_box(own, sides, angle), widened)
            if start is not None:
                found.append(start)
            if len(told) == MOST:
                break
    return found


def _box(own: Outline, sides: Doubles, angle: float) -> tuple[float, float, float, float, float]:
    """x, y, a, b and angle of the box around an outline, along those of its sides (K, 4) that have about this
    angle."""
    turns = np.arctan2(sides[:, 1], sides[:, 0]) - angle
    quarter = np.round(turns / (pi / 2)).astype(np.int64)
    turns -= quarter * (pi / 2)
    along = np.abs(turns) < SAME
    angle += float((turns * sides[:, 3] ** 3)[along].sum() / (sides[:, 3] ** 3)[along].sum())
    cos, sin = np.cos(angle), np.sin(angle)
    normals = np.array([(cos, sin), (-sin, cos), (-cos, -sin), (sin, -cos)])
    far = own.reach(normals)
    for k in range(4):
        ours = np.flatnonzero(along & (quarter % 4 == k))
        if len(ours):
            far[k] = sides[ours[0], 2]
    u, v = (far[0] - far[2]) / 2, (far[1] - far[3]) / 2
    return cos * u - sin * v, sin * u + cos * v, (far[0] + far[2]) / 2, (far[1] + far[3]) / 2, angle


square = register(
    Primitive(
        "square", field, Symmetry(turns=2, even=4, swaps=True), mitred=mitred, outline=outline, starts=starts
    )
)

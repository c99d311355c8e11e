"""triangle: the equilateral triangle in the unit circle, apex up, stretched to (width, height)."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, copysign, cos, radians, sqrt

import numpy as np

from unrender.primitives.evidence import Evidence, Start
from unrender.primitives.jit import compiled
from unrender.primitives.pieces import outlines
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import Path, polygon

SIDES = 4  # straight pieces, the longest ones, that may be sides
SHARPEST = radians(10)  # between two sides
SAME = 1.5  # px by which the corners of two triangles must differ

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


def starts(evidence: Evidence) -> Sequence[Start]:
    """Isosceles triangles of which two sides lie on straight pieces of an outline, each as a leg or as the
    base; the third one is where the region ends."""
    found = []
    for own in outlines(evidence):
        poses = _isosceles(own.line.x, own.line.y, own.sides()[:SIDES], SHARPEST, SAME)
        found += [own.start(pose, offset) for pose in poses.tolist()]
    return [start for start in found if start is not None]


@compiled
def _isosceles(x: Doubles, y: Doubles, sides: Doubles, sharpest: float, same: float) -> Doubles:
    """(N, 5): x, y, a, b and angle of the triangles around points (n,) with two of the sides (K, 4), of which
    both are legs, or either is the base."""
    found, count = np.empty((3 * len(sides) ** 2, 5)), 0
    corners, third, three = np.empty((3 * len(sides) ** 2, 6)), np.empty(3), np.empty((3, 2))
    for m in range(len(sides)):
        for n in range(m):
            one, other = sides[n, :3], sides[m, :3]
            dot = one[0] * other[0] + one[1] * other[1]
            if abs(dot) > cos(sharpest):
                continue
            for role in range(3):
                if role == 0:  # the base is missing
                    nx, ny = -one[0] - other[0], -one[1] - other[1]
                elif role == 1:  # a leg that mirrors the other one
                    nx, ny = 2 * dot * one[0] - other[0], 2 * dot * one[1] - other[1]
                else:
                    nx, ny = 2 * dot * other[0] - one[0], 2 * dot * other[1] - one[1]
                norm = sqrt(nx * nx + ny * ny)
                third[0], third[1] = nx / norm, ny / norm
                third[2] = (third[0] * x + third[1] * y).max()
                base = third if role == 0 else one if role == 1 else other
                left = other if role == 1 else one
                right = other if role == 0 else third
                three[0], three[1], three[2] = (
                    _meeting(left, right),
                    _meeting(left, base),
                    _meeting(right, base),
                )
                above = base[2] - three[0, 0] * base[0] - three[0, 1] * base[1]
                if not above > 0 or not np.isfinite(three).all():
                    continue
                new = True
                for k in range(count):
                    new &= np.abs(corners[k] - three.ravel()).max() > same
                if not new:
                    continue
                corners[count] = three.ravel()
                foot_x, foot_y = (three[1, 0] + three[2, 0]) / 2, (three[1, 1] + three[2, 1]) / 2
                up_x, up_y = three[0, 0] - foot_x, three[0, 1] - foot_y
                wide = sqrt((three[1, 0] - three[2, 0]) ** 2 + (three[1, 1] - three[2, 1]) ** 2)
                found[count, 0], found[count, 1] = foot_x + up_x / 3, foot_y + up_y / 3
                found[count, 2], found[count, 3] = wide / sqrt(3.0), sqrt(up_x * up_x + up_y * up_y) / 1.5
                found[count, 4] = atan2(up_x, -up_y)
                count += 1
    return found[:count]


@compiled
def _meeting(one: Doubles, other: Doubles) -> Doubles:
    """(2,): where two lines (normal and offset) meet; not finite if they nearly never do."""
    cross = one[0] * other[1] - one[1] * other[0]
    point = np.full(2, np.inf)
    if abs(cross) > 1e-3:
        point[0] = (one[2] * other[1] - other[2] * one[1]) / cross
        point[1] = (one[0] * other[2] - other[0] * one[2]) / cross
    return point


triangle = register(
    Primitive(
        "triangle",
        field,
        Symmetry(turns=1, even=3),
        mitred=mitred,
        offset=offset,
        outline=outline,
        starts=starts,
    )
)

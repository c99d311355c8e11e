"""triangle: the equilateral triangle in the unit circle, apex up, stretched to (width, height)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, copysign, inf, pi, radians, sqrt

import numpy as np

from unrender.primitives.evidence import Evidence, Start
from unrender.primitives.pieces import Outline, outlines
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
    found: list[Start] = []
    for own in outlines(evidence):
        sides = own.sides()[:SIDES]
        corners: list[Doubles] = []
        for m in range(len(sides)):
            for n in range(m):
                for corner in _isosceles(own, sides[n], sides[m]):
                    if all(np.abs(corner - other).max() > SAME for other in corners):
                        corners.append(corner)
        starts = [own.start(_pose(corner), offset) for corner in corners]
        found += [start for start in starts if start is not None]
    return found


def _isosceles(own: Outline, one: Doubles, other: Doubles) -> Iterator[Doubles]:
    """Corners (3, 2), apex first, of the triangles with two sides (4,) of which both are legs, or either
    is the base."""
    first, second = one[:2], other[:2]
    turn = abs(atan2(first[0] * second[1] - first[1] * second[0], float(first @ second)))
    if not SHARPEST < turn < pi - SHARPEST:
        return
    thirds = [
        (-(first + second), 0),
        (2 * (first @ second) * first - second, 1),
        (2 * (first @ second) * second - first, 2),
    ]
    for normal, role in thirds:
        normal = normal / np.hypot(*normal)
        third = np.array([*normal, own.reach(normal[None])[0]])
        legs, base = [((one, other), third), ((other, third), one), ((one, third), other)][role]
        corner = np.array([_meeting(*legs), _meeting(legs[0], base), _meeting(legs[1], base)])
        if np.isfinite(corner).all() and (corner @ base[:2] <= base[2] + 1e-6).all():
            yield corner


def _meeting(one: Doubles, other: Doubles) -> tuple[float, float]:
    """Where two lines (normal and offset) meet."""
    cross = one[0] * other[1] - one[1] * other[0]
    if abs(cross) < 1e-3:
        return inf, inf
    return (one[2] * other[1] - other[2] * one[1]) / cross, (one[0] * other[2] - other[0] * one[2]) / cross


def _pose(corner: Doubles) -> tuple[float, float, float, float, float]:
    """x, y, a, b and angle of the triangle with these corners, apex first."""
    foot = (corner[1] + corner[2]) / 2
    up = corner[0] - foot
    tall, wide = float(np.hypot(*up)), float(np.hypot(*(corner[2] - corner[1])))
    x, y = foot + up / 3
    return x, y, wide / sqrt(3), tall / 1.5, atan2(up[0], -up[1])


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

"""circle: the ellipse with the axes (width, height)."""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, radians, sqrt

import numpy as np

from unrender.primitives.evidence import Evidence, Start
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import ELLIPSE, Path

LEAST_SWEEP = radians(20)  # of an arc that tells its circle
SAME = 0.05  # of the radius: circles that differ by less are one


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """The foot point (a cos t, b sin t) is found by sliding it along the circle of curvature; each of three
    steps gains about two digits."""
    for i in range(x.shape[0]):
        focus = a[i] * a[i] - b[i] * b[i]
        cx, cy = focus / a[i], -focus / b[i]  # the evolute: (cx cos³t, cy sin³t)
        lean = 0.5 * a[i] * b[i]  # the start leans away from the axes, on which the steps would stay
        for j in range(x.shape[1]):
            right, down = abs(x[i, j]), abs(y[i, j])
            cos, sin = lean + right * b[i], lean + down * a[i]
            norm = 1.0 / sqrt(cos * cos + sin * sin)
            cos, sin = cos * norm, sin * norm
            for _ in range(3):
                centre_x, centre_y = cx * cos * cos * cos, cy * sin * sin * sin
                foot_x, foot_y = a[i] * cos - centre_x, b[i] * sin - centre_y
                off_x, off_y = right + 1e-9 - centre_x, down + 1e-9 - centre_y
                stretch = sqrt(
                    (foot_x * foot_x + foot_y * foot_y) / max(off_x * off_x + off_y * off_y, 1e-18)
                )
                cos = min(max((centre_x + off_x * stretch) / a[i], 0.0), 1.0)
                sin = min(max((centre_y + off_y * stretch) / b[i], 0.0), 1.0)
                norm = 1.0 / sqrt(max(cos * cos + sin * sin, 1e-18))
                cos, sin = cos * norm, sin * norm
            out_x, out_y = b[i] * cos, a[i] * sin
            norm = 1.0 / sqrt(max(out_x * out_x + out_y * out_y, 1e-18))
            out_x, out_y = out_x * norm, out_y * norm
            signed[i, j] = (right - a[i] * cos) * out_x + (down - b[i] * sin) * out_y
            nx[i, j], ny[i, j] = copysign(out_x, x[i, j]), copysign(out_y, y[i, j])


def _ring(evidence: Evidence) -> Start | None:
    """The stroke between two circles around one centre, if these are the contours of the region."""
    whole = [line for line in evidence.outlines if line.closed and len(line.radius) == 1 and line.radius[0]]
    if len(whole) != 2 or len(evidence.outlines) != 2:
        return None
    (x, y), inner = whole[0].centre[0], whole[1].centre[0]
    outer, hole = abs(float(whole[0].radius[0])), abs(float(whole[1].radius[0]))
    if np.hypot(*(inner - (x, y))) > SAME * outer:
        return None
    middle = (outer + hole) / 2
    return Start(np.array([x, y, middle, middle, 0.0, (outer - hole) / 2]), np.zeros(0), True)


def outline(a: float, b: float, own: Sequence[float]) -> Path:
    """The same whatever its sides are."""
    return ELLIPSE


def starts(evidence: Evidence) -> Sequence[Start]:
    """The circles of all arcs that bulge out of the region, the longest first: what hides a part of it leaves
    arcs that bulge in."""
    ring = _ring(evidence)
    if ring is not None:
        return [ring]
    found: list[tuple[float, Doubles]] = []
    for line in evidence.outlines:
        for k in np.nonzero(line.radius > 0)[0].tolist():
            (x, y), radius = line.centre[k], float(line.radius[k])
            sweep = line.sweep(k)
            if sweep > LEAST_SWEEP and not any(
                np.abs(pose[:3] - (x, y, radius)).max() < SAME * radius for _, pose in found
            ):
                found.append((sweep * radius, np.array([x, y, radius, radius, 0.0, 0.0])))
    return [Start(pose, np.zeros(0), False) for _, pose in sorted(found, key=lambda each: -each[0])]


circle = register(
    Primitive("circle", field, Symmetry(turns=2, even=0, swaps=True), outline=outline, starts=starts)
)

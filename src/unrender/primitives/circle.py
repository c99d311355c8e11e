"""circle: the ellipse with the axes (width, height)."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, copysign, radians, sqrt

import numpy as np

from unrender.primitives.evidence import Evidence, Start
from unrender.primitives.jit import compiled
from unrender.primitives.normal_equations import solve_normal
from unrender.primitives.pieces import Outline, outlines
from unrender.primitives.protocol import Doubles, Primitive, widened
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import ELLIPSE, Path

LEAST_SWEEP = radians(20)  # of an arc that tells its circle
LARGEST = 3.0  # times as long as the points that tell it, half an ellipse
MOST = 4  # arcs, and runs of them, that are tried for one outline
SAME = 0.05  # of the radius: circles that differ by less are one


@compiled
def ellipse_foot(right: float, down: float, a: float, b: float) -> tuple[float, float]:
    """cos t and sin t of the point (a cos t, b sin t) that is nearest to (right, down), both not negative: it
    is found by sliding it along the circle of curvature; each of three steps gains about two digits, and the
    first one all of them if the ellipse is nearly a circle."""
    focus = a * a - b * b
    steps = 3 if abs(focus) > 0.02 * a * b else 1
    cx, cy = focus / a, -focus / b  # the evolute: (cx cos³t, cy sin³t)
    lean = 0.5 * a * b  # the start leans away from the axes, on which the steps would stay
    cos, sin = lean + right * b, lean + down * a
    norm = 1.0 / sqrt(cos * cos + sin * sin)
    cos, sin = cos * norm, sin * norm
    for _ in range(steps):
        centre_x, centre_y = cx * cos * cos * cos, cy * sin * sin * sin
        foot_x, foot_y = a * cos - centre_x, b * sin - centre_y
        off_x, off_y = right + 1e-9 - centre_x, down + 1e-9 - centre_y
        stretch = sqrt((foot_x * foot_x + foot_y * foot_y) / max(off_x * off_x + off_y * off_y, 1e-18))
        cos = min(max((centre_x + off_x * stretch) / a, 0.0), 1.0)
        sin = min(max((centre_y + off_y * stretch) / b, 0.0), 1.0)
        norm = 1.0 / sqrt(max(cos * cos + sin * sin, 1e-18))
        cos, sin = cos * norm, sin * norm
    return cos, sin


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """From the nearest point of the ellipse."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            right, down = abs(x[i, j]), abs(y[i, j])
            cos, sin = ellipse_foot(right, down, a[i], b[i])
            out_x, out_y = b[i] * cos, a[i] * sin
            norm = 1.0 / sqrt(max(out_x * out_x + out_y * out_y, 1e-18))
            out_x, out_y = out_x * norm, out_y * norm
            signed[i, j] = (right - a[i] * cos) * out_x + (down - b[i] * sin) * out_y
            nx[i, j], ny[i, j] = copysign(out_x, x[i, j]), copysign(out_y, y[i, j])


def outline(a: float, b: float, own: Sequence[float]) -> Path:
    """The same whatever its sides are."""
    return ELLIPSE


def starts(evidence: Evidence) -> Sequence[Start]:
    """The circles of all arcs that bulge out of an outline, the longest first, and the ellipses through
    smooth runs of its pieces: what hides a part of a region leaves arcs that bulge in."""
    found: list[Start] = []
    for own in outlines(evidence):
        poses = [*_circles(own), *_ellipses(own)]
        for n, pose in enumerate(poses):
            if all(max(map(abs, np.subtract(pose[:4], other[:4]))) > SAME * pose[2] for other in poses[:n]):
                start = own.start(pose, widened)
                if start is not None:
                    found.append(start)
    return found


def _circles(own: Outline) -> list[tuple[float, float, float, float, float]]:
    line = own.line
    arcs = [
        (line.sweep(k) * abs(line.radius[k]), k) for k in np.flatnonzero(line.radius * own.turn > 0).tolist()
    ]
    found = []
    for length, k in sorted(arcs, reverse=True)[:MOST]:
        radius = abs(float(line.radius[k]))
        if length > LEAST_SWEEP * radius:
            found.append((float(line.centre[k, 0]), float(line.centre[k, 1]), radius, radius, 0.0))
    return found


def _ellipses(own: Outline) -> list[tuple[float, float, float, float, float]]:
    found = []
    for x, y in own.runs()[:MOST]:
        pose = _conic(x, y)
        if pose[2] > 0 and pose[2] < LARGEST * (np.ptp(x) + np.ptp(y)):
            found.append(pose)
    return found


@compiled
def _conic(x: Doubles, y: Doubles) -> tuple[float, float, float, float, float]:
    """x, y, a, b and angle of the ellipse x² + y² + p (x² - y²) + q x y + r x + s y + t = 0 that is nearest
    to points (n,) by least squares, their distances taken to first order; half sides of 0 if it is none."""
    n, none = len(x), (0.0, 0.0, 0.0, 0.0, 0.0)
    mx, my = x.mean(), y.mean()
    scale = sqrt(((x - mx) ** 2 + (y - my) ** 2).mean())
    theta = np.zeros(5)
    for step in range(4):
        normal, right, row = np.zeros((5, 5)), np.zeros(5), np.empty(5)
        for k in range(n):
            u, v = (x[k] - mx) / scale, (y[k] - my) / scale
            row[0], row[1], row[2], row[3], row[4] = u * u - v * v, u * v, u, v, 1.0
            weight = 1.0
            if step:
                gx = 2 * u * (1 + theta[0]) + theta[1] * v + theta[2]
                gy = 2 * v * (1 - theta[0]) + theta[1] * u + theta[3]
                weight = 1 / max(gx * gx + gy * gy, 1e-3)
            for i in range(5):
                right[i] -= weight * row[i] * (u * u + v * v)
                for j in range(5):
                    normal[i, j] += weight * row[i] * row[j]
        for i in range(5):
            normal[i, i] += 1e-9 * normal[4, 4]
        theta[:] = solve_normal(normal, right.reshape(5, 1))[:, 0]
        if not theta[0] ** 2 + theta[1] ** 2 / 4 < 0.98:  # a parabola has 1
            return none
    p, q, r, s, t = theta
    flat = 4 * (1 - p * p) - q * q
    cx, cy = (q * s - 2 * (1 - p) * r) / flat, (q * r - 2 * (1 + p) * s) / flat
    level = -(t + 0.5 * (r * cx + s * cy))
    if level <= 0:
        return none
    apart = sqrt(p * p + q * q / 4)
    a, b = sqrt(level / (1 - apart)), sqrt(level / (1 + apart))
    return cx * scale + mx, cy * scale + my, a * scale, b * scale, 0.5 * atan2(-q, -2 * p)


circle = register(
    Primitive("circle", field, Symmetry(turns=2, even=0, swaps=True), outline=outline, starts=starts)
)

"""The primitives once more, in plain numpy and without `unrender`: what `draw.py` is measured against.

A window is one primitive in two colours on grey ground, float64 (3, SIDE, SIDE).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

SIDE = 28
GROUND = 0.25
Floats = NDArray[np.float64]
Field = tuple[Floats, Floats, Floats]  # signed distance to an outline, and the direction it grows in


def circle(x: Floats, y: Floats, a: float, b: float) -> Field:
    right, down = np.abs(x), np.abs(y)
    cos = sin = np.full_like(right, math.sqrt(0.5))
    for _ in range(5):
        centre_x, centre_y = (a * a - b * b) / a * cos**3, (b * b - a * a) / b * sin**3
        stretch = np.hypot(a * cos - centre_x, b * sin - centre_y)
        stretch /= np.maximum(np.hypot(right - centre_x, down - centre_y), 1e-9)
        cos = np.clip(((right - centre_x) * stretch + centre_x) / a, 0.0, 1.0)
        sin = np.clip(((down - centre_y) * stretch + centre_y) / b, 0.0, 1.0)
        length = np.maximum(np.hypot(cos, sin), 1e-9)
        cos, sin = cos / length, sin / length
    length = np.maximum(np.hypot(b * cos, a * sin), 1e-9)
    nx, ny = b * cos / length, a * sin / length
    d = (right - a * cos) * nx + (down - b * sin) * ny
    return d, np.copysign(nx, x), np.copysign(ny, y)


def polygon(corners: list[tuple[float, float]], x: Floats, y: Floats) -> Field:
    """A convex polygon, its corners clockwise on the screen."""
    d, nx, ny = (np.full(x.shape, value) for value in (np.inf, 0.0, 0.0))
    inside = np.ones(x.shape, bool)
    for (px, py), (qx, qy) in zip(corners, corners[1:] + corners[:1], strict=True):
        ex, ey, wx, wy = qx - px, qy - py, x - px, y - py
        inside &= ex * wy - ey * wx >= 0
        t = np.clip((wx * ex + wy * ey) / (ex * ex + ey * ey), 0.0, 1.0)
        off_x, off_y = wx - t * ex, wy - t * ey
        nearer = np.hypot(off_x, off_y) < d
        d = np.where(nearer, np.hypot(off_x, off_y), d)
        nx, ny = np.where(nearer, off_x, nx), np.where(nearer, off_y, ny)
    sign, length = np.where(inside, -1.0, 1.0), np.maximum(d, 1e-12)
    return sign * d, sign * nx / length, sign * ny / length


def square(x: Floats, y: Floats, a: float, b: float) -> Field:
    return polygon([(-a, -b), (a, -b), (a, b), (-a, b)], x, y)


def triangle(x: Floats, y: Floats, a: float, b: float) -> Field:
    return polygon([(0.0, -b), (math.sqrt(0.75) * a, b / 2), (-math.sqrt(0.75) * a, b / 2)], x, y)


def area(d: Floats, nx: Floats, ny: Floats) -> Floats:
    """The share of a unit pixel on the inner side of a straight edge at the distance d from its centre."""
    p, q = np.maximum(np.abs(nx), np.abs(ny)), np.minimum(np.abs(nx), np.abs(ny))
    tail = ((p + q) / 2 - np.abs(d)).clip(0) ** 2 / np.maximum(2 * p * q, 1e-18)
    middle = 0.5 - d / p
    return np.where(np.abs(d) <= (p - q) / 2, middle, np.where(d > 0, tail, 1 - tail)).clip(0, 1)


def numpy_window(name: str, vector: Floats) -> Floats:
    """(3, SIDE, SIDE), all pixels at once, from x, y, w, h, rotation, both colours, filled and thickness."""
    field = {"circle": circle, "square": square, "triangle": triangle}[name]
    cx, cy, w, h, rotation, *_, filled, thickness = vector.tolist()
    cos, sin = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
    dx, dy = np.meshgrid(np.arange(SIDE) + 0.5 - cx, np.arange(SIDE) + 0.5 - cy)
    d, ux, uy = field(cos * dx + sin * dy, cos * dy - sin * dx, w / 2, h / 2)
    nx, ny = cos * ux - sin * uy, sin * ux + cos * uy
    tau = thickness * min(w, h) / 2
    window = np.full((3, SIDE, SIDE), GROUND)
    for alpha, colour in (
        (filled * area(d, nx, ny), vector[5:8]),
        (area(d - tau, nx, ny) - area(d + tau, nx, ny), vector[8:11]),
    ):
        window += alpha * (colour[:, None, None] - window)
    return window

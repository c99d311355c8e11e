"""The primitives once more, in plain numpy and without `unrender`: what `draw.py` is measured against.

A window is one primitive in colour on grey ground, float64 (3, SIDE, SIDE), in two ways that agree.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

SIDE = 28
GROUND = 0.25
STEP = 1e-7  # of the central differences; so small that hardly ever a pixel has a kink in between
Floats = NDArray[np.float64]


# The plain loop: one pixel, one number at a time.


def circle_at(x: float, y: float, a: float, b: float) -> float:
    x, y = abs(x), abs(y)
    cos = sin = math.sqrt(0.5)
    for _ in range(3):
        centre_x, centre_y = (a * a - b * b) / a * cos**3, (b * b - a * a) / b * sin**3
        radius = math.hypot(a * cos - centre_x, b * sin - centre_y)
        reach = max(math.hypot(x - centre_x, y - centre_y), 1e-9)
        cos = min(max(((x - centre_x) * radius / reach + centre_x) / a, 0.0), 1.0)
        sin = min(max(((y - centre_y) * radius / reach + centre_y) / b, 0.0), 1.0)
        length = max(math.hypot(cos, sin), 1e-9)
        cos, sin = cos / length, sin / length
    length = max(math.hypot(b * cos, a * sin), 1e-9)
    return ((x - a * cos) * b * cos + (y - b * sin) * a * sin) / length


def square_at(x: float, y: float, a: float, b: float) -> float:
    dx, dy = abs(x) - a, abs(y) - b
    return max(dx, dy) if max(dx, dy) <= 0 else math.hypot(max(dx, 0.0), max(dy, 0.0))


def triangle_at(x: float, y: float, a: float, b: float) -> float:
    corners = ((0.0, -b), (math.sqrt(0.75) * a, b / 2), (-math.sqrt(0.75) * a, b / 2))
    nearest, inside = math.inf, True
    for (px, py), (qx, qy) in zip(corners, corners[1:] + corners[:1], strict=True):
        ex, ey, wx, wy = qx - px, qy - py, x - px, y - py
        t = min(max((wx * ex + wy * ey) / (ex * ex + ey * ey), 0.0), 1.0)
        nearest = min(nearest, math.hypot(wx - t * ex, wy - t * ey))
        inside = inside and ex * wy - ey * wx >= 0
    return -nearest if inside else nearest


def loop_window(name: str, vector: Floats) -> Floats:
    """(3, SIDE, SIDE), pixel by pixel."""
    distance = {"circle": circle_at, "square": square_at, "triangle": triangle_at}[name]
    cx, cy, w, h, rotation, *colour, filled, thickness = vector.tolist()
    cos, sin = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
    tau = thickness * min(w, h) / 2
    window = np.empty((3, SIDE, SIDE))
    for row in range(SIDE):
        for column in range(SIDE):
            dx, dy = column + 0.5 - cx, row + 0.5 - cy
            d = distance(cos * dx + sin * dy, cos * dy - sin * dx, w / 2, h / 2)
            outer = min(max(0.5 - d + tau, 0.0), 1.0)
            inner = min(max(0.5 - d - tau, 0.0), 1.0)
            alpha = outer - (1 - filled) * inner
            for channel in range(3):
                window[channel, row, column] = GROUND + alpha * (colour[channel] - GROUND)
    return window


# The same with numpy over the pixels of one window.


def circle_over(x: Floats, y: Floats, a: float, b: float) -> Floats:
    x, y = np.abs(x), np.abs(y)
    cos = sin = np.full_like(x, math.sqrt(0.5))
    for _ in range(3):
        centre_x, centre_y = (a * a - b * b) / a * cos**3, (b * b - a * a) / b * sin**3
        stretch = np.hypot(a * cos - centre_x, b * sin - centre_y)
        stretch /= np.maximum(np.hypot(x - centre_x, y - centre_y), 1e-9)
        cos = np.clip(((x - centre_x) * stretch + centre_x) / a, 0.0, 1.0)
        sin = np.clip(((y - centre_y) * stretch + centre_y) / b, 0.0, 1.0)
        length = np.maximum(np.hypot(cos, sin), 1e-9)
        cos, sin = cos / length, sin / length
    nx, ny = b * cos, a * sin
    return ((x - a * cos) * nx + (y - b * sin) * ny) / np.maximum(np.hypot(nx, ny), 1e-9)


def square_over(x: Floats, y: Floats, a: float, b: float) -> Floats:
    dx, dy = np.abs(x) - a, np.abs(y) - b
    inside = np.maximum(dx, dy)
    return np.where(inside <= 0, inside, np.hypot(np.maximum(dx, 0.0), np.maximum(dy, 0.0)))


def triangle_over(x: Floats, y: Floats, a: float, b: float) -> Floats:
    corners = ((0.0, -b), (math.sqrt(0.75) * a, b / 2), (-math.sqrt(0.75) * a, b / 2))
    nearest, inside = np.full_like(x, np.inf), np.ones(x.shape, bool)
    for (px, py), (qx, qy) in zip(corners, corners[1:] + corners[:1], strict=True):
        ex, ey, wx, wy = qx - px, qy - py, x - px, y - py
        t = np.clip((wx * ex + wy * ey) / (ex * ex + ey * ey), 0.0, 1.0)
        nearest = np.minimum(nearest, np.hypot(wx - t * ex, wy - t * ey))
        inside &= ex * wy - ey * wx >= 0
    return np.where(inside, -nearest, nearest)


def numpy_window(name: str, vector: Floats) -> Floats:
    """(3, SIDE, SIDE), all pixels at once."""
    distance = {"circle": circle_over, "square": square_over, "triangle": triangle_over}[name]
    cx, cy, w, h, rotation, *_, filled, thickness = vector.tolist()
    cos, sin = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
    dx, dy = np.arange(SIDE) + 0.5 - cx, (np.arange(SIDE) + 0.5 - cy)[:, None]
    d = distance(cos * dx + sin * dy, cos * dy - sin * dx, w / 2, h / 2)
    tau = thickness * min(w, h) / 2
    alpha = np.clip(0.5 - d + tau, 0.0, 1.0) - (1 - filled) * np.clip(0.5 - d - tau, 0.0, 1.0)
    return GROUND + alpha * (vector[5:8, None, None] - GROUND)


def central_differences(
    window: Callable[[str, Floats], Floats], name: str, vector: Floats, weights: Floats
) -> Floats:
    """The gradient (10,) of the weighted sum of a window's pixels."""
    gradient = np.empty(len(vector))
    for j in range(len(vector)):
        offset = np.zeros(len(vector))
        offset[j] = STEP
        difference = window(name, vector + offset) - window(name, vector - offset)
        gradient[j] = (weights * difference).sum() / (2 * STEP)
    return gradient

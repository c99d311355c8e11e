"""Flat icons of circles, rectangles and triangles, filled and outlined, with their truth."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from scatter import Colour, Shape

SIDE = 256  # px
CONTRAST = 0.25  # between any two colours of an icon, in the channel that differs most
FILL = 0.0  # thickness of what is painted inside

# symbol, x, y, width, height, rotation, number of its colour, thickness; an icon reaches from -1 to 1.
# The box of a triangle is that of the circle around it: its base lies a quarter of the height below y.
Part = tuple[str, float, float, float, float, float, int, float]

ICONS: dict[str, list[Part]] = {
    "house": [
        ("square", 0.0, 0.42, 1.3, 1.0, 0, 1, FILL),
        ("triangle", 0.0, -0.3, 1.95, 1.0, 0, 2, FILL),
        ("square", -0.3, 0.6, 0.34, 0.6, 0, 3, FILL),
        ("square", 0.3, 0.35, 0.4, 0.4, 0, 2, 0.16),
    ],
    "target": [
        ("circle", 0.0, 0.0, 1.9, 1.9, 0, 1, FILL),
        ("circle", 0.0, 0.0, 1.3, 1.3, 0, 2, FILL),
        ("circle", 0.0, 0.0, 0.8, 0.8, 0, 1, FILL),
        ("circle", 0.0, 0.0, 0.3, 0.3, 0, 3, FILL),
    ],
    "traffic light": [
        ("square", 0.0, 0.0, 0.8, 1.9, 0, 1, FILL),
        ("circle", 0.0, -0.58, 0.48, 0.48, 0, 2, FILL),
        ("circle", 0.0, 0.0, 0.48, 0.48, 0, 3, FILL),
        ("circle", 0.0, 0.58, 0.48, 0.48, 0, 4, FILL),
    ],
    "robot": [
        ("square", 0.0, 0.15, 1.5, 1.3, 0, 1, FILL),
        ("circle", -0.35, -0.05, 0.42, 0.42, 0, 2, 0.2),
        ("circle", 0.35, -0.05, 0.42, 0.42, 0, 2, 0.2),
        ("square", 0.0, 0.48, 0.8, 0.16, 0, 2, FILL),
        ("square", 0.0, -0.62, 0.12, 0.24, 0, 3, FILL),
        ("circle", 0.0, -0.85, 0.24, 0.24, 0, 4, FILL),
    ],
    "tree": [
        ("square", 0.0, 0.78, 0.26, 0.4, 0, 1, FILL),
        ("triangle", 0.0, 0.3, 1.5, 1.0, 0, 2, FILL),
        ("triangle", 0.0, -0.1, 1.2, 0.9, 0, 3, FILL),
        ("triangle", 0.0, -0.48, 0.9, 0.8, 0, 2, FILL),
    ],
    "snowman": [
        ("circle", 0.0, 0.45, 1.1, 1.0, 0, 1, FILL),
        ("circle", 0.0, -0.3, 0.75, 0.75, 0, 1, FILL),
        ("square", 0.0, -0.68, 0.9, 0.1, 0, 2, FILL),
        ("square", 0.0, -0.84, 0.5, 0.3, 0, 2, FILL),
        ("triangle", 0.06, -0.26, 0.2, 0.2, 90, 3, FILL),
        ("circle", 0.0, 0.35, 0.12, 0.12, 0, 2, FILL),
        ("circle", 0.0, 0.6, 0.12, 0.12, 0, 2, FILL),
    ],
    "rocket": [
        ("triangle", -0.42, 0.62, 0.7, 0.7, -20, 2, FILL),
        ("triangle", 0.42, 0.62, 0.7, 0.7, 20, 2, FILL),
        ("square", 0.0, 0.15, 0.66, 1.2, 0, 1, FILL),
        ("triangle", 0.0, -0.6, 0.76, 0.7, 0, 2, FILL),
        ("circle", 0.0, -0.1, 0.4, 0.4, 0, 3, 0.2),
    ],
    "play": [
        ("circle", 0.0, 0.0, 1.8, 1.8, 0, 1, 0.1),
        ("triangle", 0.06, 0.0, 1.1, 1.1, 90, 2, FILL),
    ],
    "camera": [
        ("square", 0.0, 0.1, 1.9, 1.2, 0, 1, FILL),
        ("square", -0.5, -0.62, 0.5, 0.24, 0, 2, FILL),
        ("circle", 0.1, 0.12, 0.9, 0.9, 0, 3, 0.16),
        ("circle", 0.1, 0.12, 0.4, 0.4, 0, 4, FILL),
    ],
    "car": [
        ("square", -0.05, -0.22, 1.1, 0.6, 0, 2, FILL),
        ("square", 0.0, 0.22, 1.9, 0.5, 0, 1, FILL),
        ("circle", -0.52, 0.48, 0.5, 0.5, 0, 3, FILL),
        ("circle", 0.52, 0.48, 0.5, 0.5, 0, 3, FILL),
        ("circle", -0.52, 0.48, 0.2, 0.2, 0, 4, FILL),
        ("circle", 0.52, 0.48, 0.2, 0.2, 0, 4, FILL),
    ],
    "warning": [
        ("triangle", 0.0, 0.2, 2.1, 2.1, 0, 1, 0.07),
        ("square", 0.0, 0.05, 0.16, 0.56, 0, 2, FILL),
        ("circle", 0.0, 0.5, 0.2, 0.2, 0, 2, FILL),
    ],
    "picture": [
        ("square", 0.0, 0.0, 1.9, 1.5, 0, 1, 0.09),
        ("triangle", -0.25, 0.3, 0.9, 0.9, 0, 2, FILL),
        ("triangle", 0.35, 0.38, 0.6, 0.6, 0, 3, FILL),
        ("circle", 0.5, -0.35, 0.3, 0.3, 0, 4, FILL),
    ],
}


def icon(rng: Generator, index: int) -> tuple[list[Shape], Colour]:
    """One icon, back to front, and the ground it stands on; every other one on a tile of its own colour."""
    parts = list(ICONS.values())[index % len(ICONS)]
    colours = palette(rng, 6)
    scale = rng.uniform(0.36, 0.46) * SIDE
    middle = SIDE / 2 + rng.uniform(-0.03, 0.03, 2) * SIDE
    shapes = []
    if rng.random() < 0.5:
        scale *= 0.66
        tile = ("circle", "square")[int(rng.integers(2))]
        shapes.append(Shape(tile, (SIDE / 2, SIDE / 2), (0.92 * SIDE, 0.92 * SIDE), 0.0, colours[5]))
    for symbol, x, y, width, height, rotation, colour, thickness in parts:
        place = (float(middle[0] + scale * x), float(middle[1] + scale * y))
        size = (scale * width, scale * height)
        shapes.append(Shape(symbol, place, size, rotation, colours[colour], not thickness, thickness))
    return shapes, colours[0]


def palette(rng: Generator, count: int) -> list[Colour]:
    """Colours that can be told from one another."""
    found: list[Colour] = []
    while len(found) < count:
        red, green, blue = (float(value) for value in rng.uniform(0, 1, 3))
        if all(np.abs(np.subtract(other, (red, green, blue))).max() >= CONTRAST for other in found):
            found.append((red, green, blue))
    return found

"""Pictures to look at, drawn by the package's own renderer."""

import math

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.registry import find
from unrender.render.composite import composite, layers
from unrender.render.coverage import Floats, cover
from unrender.render.shape import Shape

GROUND = (0.2, 0.3, 0.35)


def a_shape(
    name: str, x: float, y: float, width: float, height: float, degrees: float = 0.0, tau: float = 0.0
) -> Shape:
    """A yellow shape: filled, or outlined if there is half a stroke."""
    pose = np.array([x, y, width / 2, height / 2, math.radians(degrees), tau])
    colour = np.array([0.9, 0.8, 0.1])
    return Shape(find(name), pose, None if tau else colour, colour if tau else None)


def picture(shapes: list[Shape], height: int = 96, width: int = 96, noise: float = 0.01) -> Floats:
    """(H, W, 3): shapes on a flat ground, the last in front."""
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = GROUND
    for shape in shapes:
        patch = cover(shape, shape.window(height, width))
        composite(canvas, np.zeros((height, width), np.float32), (0, 0), layers(shape, patch))
    rng = np.random.default_rng(3)
    noisy: NDArray[np.float32] = (canvas + noise * rng.standard_normal(canvas.shape)).clip(0, 1)
    return noisy.astype(np.float32)


def three_shapes(height: int = 96, width: int = 120) -> Floats:
    """A circle, a square and a triangle, apart from each other."""
    shapes = [
        a_shape("circle", 22, 24, 26, 18, 30),
        a_shape("square", 80, 30, 30, 24, 15),
        a_shape("triangle", 55, 72, 28, 28, 10),
    ]
    return picture(shapes, height, width)

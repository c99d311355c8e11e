"""The outline of a primitive as polygons, for programs that know no distance functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.graphics.draw import HEIGHT, SHAPE, WIDTH
from unrender.graphics.paint import Layer
from unrender.graphics.primitives.triangle import HALF_BASE

Ring = NDArray[np.float64]  # (N, 2) px in the shape's own frame: x right, y down, before rotation
Region = list[Ring]  # a closed line, then the holes in what it encloses

PRECISION = 0.01  # px by which a polygon may miss a curve
GRID = 256  # points across the box of a shape that is traced


def outline(layer: Layer) -> list[Region]:
    """The boundary of the shape: exact for what has corners, else as fine as a picture can show."""
    a, b = layer.vector[WIDTH] / 2, layer.vector[HEIGHT] / 2
    name = layer.primitive.name
    if name == "circle":
        return [[ellipse(a, b)]]
    if name in CORNERS:
        return [[np.array(CORNERS[name]) * (a, b)]]
    return _traced(layer, a, b)


CORNERS = {
    "square": ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)),
    "triangle": ((0.0, -1.0), (HALF_BASE, 0.5), (-HALF_BASE, 0.5)),
}
"""Corners as shares of half the box."""


def ellipse(a: float, b: float) -> Ring:
    """A polygon on the ellipse with half axes a, b."""
    step = 2 * math.acos(1 - min(PRECISION / max(a, b), 1.0))
    t = np.linspace(0, 2 * math.pi, max(16, math.ceil(2 * math.pi / step)), endpoint=False)
    return np.stack([a * np.cos(t), b * np.sin(t)], -1)


def _traced(layer: Layer, a: float, b: float) -> list[Region]:
    """Where the distance of a primitive that we know nothing else about changes its sign."""
    import torch
    from contourpy import FillType, contour_generator

    share = torch.linspace(-1.1, 1.1, GRID, dtype=torch.float64)
    x, y = share[None, :] * a, share[:, None] * b
    half = [torch.tensor(side, dtype=torch.float64) for side in (a, b)]
    shape = [torch.tensor(value, dtype=torch.float64) for value in layer.vector[SHAPE:]]
    with torch.no_grad():
        distance = layer.primitive.distance(x, y, *half, *shape).expand(GRID, GRID).numpy()
    lines = contour_generator(x[0].numpy(), y[:, 0].numpy(), distance, fill_type=FillType.OuterOffset)
    filled: Any = lines.filled(-math.inf, 0.0)  # what it holds depends on the fill type
    return [
        [ring[:-1] for ring in np.split(own, cuts[1:-1])]  # without the first point again at the end
        for own, cuts in zip(*filled, strict=True)
    ]

"""Thin strokes: width and colour, which can hardly be told apart, are searched together.

A line of a pixel or less paints width times contrast. Refined in turn, one waits for the other: each pass
comes only a sixth nearer to what both should be.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unrender.perception.image.model import ImageModel
from unrender.perception.refine.colours import coloured
from unrender.perception.refine.stage import Stage
from unrender.render.coverage import cover
from unrender.render.shape import TAU, B, Shape

THIN = 2.0  # px of a stroke: of wider ones some pixels show nothing else
TRIED = 0.12  # of its width by which a stroke may be wider or thinner at first
ROUNDS = 3  # of a parabola through three widths, each within a third of the one before


def is_thin(shape: Shape) -> bool:
    """Whether a shape has a stroke that is thin, and not dashed."""
    painted = shape.fill if _width(shape) == B else shape.stroke
    return painted is not None and 0 < 2 * shape.pose[_width(shape)] < THIN and shape.dashes is None


def rewidened(shape: Shape, stage: Stage, model: ImageModel) -> Shape:
    """The shape with its thin stroke as wide as explains the pixels best, in the colour that goes with each
    width."""
    index, best, reach = _width(shape), (_wrong(shape, stage, model), shape), TRIED
    for _ in range(ROUNDS):
        middle, cost = float(best[1].pose[index]), best[0]
        sides = [_tried(best[1], index, middle * factor, stage, model) for factor in (1 - reach, 1 + reach)]
        bend = sides[0][0] - 2 * cost + sides[1][0]
        if bend > 0:
            way = float(np.clip(0.5 * (sides[0][0] - sides[1][0]) / bend, -2, 2))
            sides.append(_tried(best[1], index, middle * (1 + way * reach), stage, model))
        best = min([best, *sides], key=lambda each: each[0])
        reach /= 3
    return best[1]


def _width(shape: Shape) -> int:
    """Which number of its pose is half the width of a shape's stroke."""
    return B if shape.primitive.strokelike and shape.stroke is None else TAU


def _tried(shape: Shape, index: int, half: float, stage: Stage, model: ImageModel) -> tuple[float, Shape]:
    pose = shape.pose.copy()
    pose[index] = half
    tried = coloured(replace(shape, pose=pose), stage, model)
    return _wrong(tried, stage, model), tried


def _wrong(shape: Shape, stage: Stage, model: ImageModel) -> float:
    """The sum of squares that a shape leaves of what is seen of it."""
    patch = cover(shape, stage.window, model.sharpness)
    drawn = stage.behind
    for share, colour in ((patch.fill, shape.fill), (patch.stroke, shape.stroke)):
        if share is not None and colour is not None:
            drawn = drawn + share[..., None] * (colour.astype(np.float32) - drawn)
    return float((((stage.image - drawn) ** 2).sum(2) * stage.shows).sum())

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
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import NOTHING, Floats, cover
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
    """The sum of squares that a shape leaves of what is seen of it, more than if it were not there."""
    patch = cover(shape, stage.window, model.sharpness)
    fill, stroke = (NOTHING if share is None else share for share in (patch.fill, patch.stroke))
    inner, line = (np.zeros(3) if colour is None else colour for colour in (shape.fill, shape.stroke))
    return _more(fill, stroke, inner, line, stage.image, stage.behind, stage.shows)


@compiled
def _more(
    fill: Floats, stroke: Floats, inner: Doubles, line: Doubles, image: Floats, behind: Floats, shows: Floats
) -> float:
    total = 0.0
    for i in range(shows.shape[0]):
        for j in range(shows.shape[1]):
            f, s = fill[i, j] if fill.size else 0.0, stroke[i, j] if stroke.size else 0.0
            if f == 0 and s == 0:
                continue
            for c in range(3):
                drawn = behind[i, j, c] + f * (inner[c] - behind[i, j, c])
                drawn += s * (line[c] - drawn)
                off, bare = image[i, j, c] - drawn, image[i, j, c] - behind[i, j, c]
                total += (off * off - bare * bare) * shows[i, j]
    return total

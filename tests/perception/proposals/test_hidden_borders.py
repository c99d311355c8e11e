"""Shapes with a border that others hide in part are one shape, wherever inside and border seemed to end."""

import sys
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.depth import Placed
from unrender.perception.image.background import unlike_background
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import divide
from unrender.perception.interpretation import Interpretation
from unrender.perception.pipeline import UNLIKE, accept
from unrender.perception.proposals.hidden_borders import hidden_borders
from unrender.perception.proposals.propose import Sight
from unrender.primitives.registry import find
from unrender.render.shape import TAU, A, B, Shape, X

sys.path.insert(0, str(Path(__file__).parents[1]))
from drawing import picture

RED, GREEN, PURPLE = (0.8, 0.1, 0.1), (0.5, 0.9, 0.2), (0.6, 0.5, 0.9)
KINDS = [find(name) for name in ("circle", "square", "triangle")]


def square(x: float, y: float, a: float, b: float, half: float, fill: object, stroke: object) -> Shape:
    pose = np.array([x, y, a, b, 0.0, half, 0.0])
    fill, stroke = (None if colour is None else np.array(colour) for colour in (fill, stroke))
    return Shape(find("square"), pose, fill, stroke)


@pytest.mark.parametrize("hides", [True, False])
def test_inside_and_border_of_a_hidden_shape_are_one_and_end_where_it_does(hides: bool) -> None:
    drawn = [("square", 60, 48, 56, 36, 0, GREEN, PURPLE, 4.0), ("square", 32, 48, 24, 60, 0, RED, None, 0)]
    model = ImageModel.of(picture((96, 96), (1.0, 1.0, 1.0), drawn[: 2 if hides else 1]))
    regions = divide(
        model.image,
        unlike_background(model.image, model.background, UNLIKE * model.channel_variance),
        model.background,
        model.channel_variance,
    )
    state, sight = Interpretation(model), Sight(regions, KINDS, np.random.default_rng(0), model)
    several = [square(66, 48, 22, 18, 2, None, PURPLE), square(64, 48, 22, 16, 0, GREEN, None)]
    several += [square(32, 48, 12, 30, 0, RED, None)] if hides else []
    state.shapes = [Placed.of(shape, model) for shape in several]
    state.redraw()
    accept(state, sight, hidden_borders(state, sight, state.wrong), 0.0)
    if not hides:  # there it is seen where each of them ends
        assert len(state.shapes) == 2
        return
    whole, front = (placed.shape for placed in state.shapes)
    assert (whole.fill is None, whole.stroke is None, front.stroke is None) == (False, False, True)
    assert whole.pose[X] + whole.pose[A] == pytest.approx(88.0, abs=0.1)
    assert whole.pose[[B, TAU]] == pytest.approx([18.0, 2.0], abs=0.1)

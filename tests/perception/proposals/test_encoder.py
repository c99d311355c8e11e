"""The encoder alone explains a picture: its proposals, refined, are the shapes that were drawn."""

import numpy as np
import pytest

from tests.perception.encoder.pictures import a_shape, picture
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import Regions
from unrender.perception.interpretation import Interpretation
from unrender.perception.pipeline import see_primitives
from unrender.perception.proposals.encoder import encoder_estimates
from unrender.perception.proposals.propose import Sight
from unrender.primitives.registry import primitives
from unrender.render.coverage import Floats
from unrender.render.shape import TAU, A, B, Shape, X, Y


def seen(image: Floats) -> list[Shape]:
    """The shapes that the encoder's proposals alone make of a picture."""
    state = see_primitives(image, list(primitives().values()), proposals=["encoder"])
    return [placed.shape for placed in state.shapes]


@pytest.mark.parametrize("tau", [0.0, 1.5])
@pytest.mark.parametrize("name", ["circle", "square", "triangle"])
def test_one_shape_is_found_to_a_tenth_of_a_pixel(name: str, tau: float) -> None:
    truth = a_shape(name, 50.3, 47.6, 40, 26, 20, tau)
    (shape,) = seen(picture([truth]))
    assert shape.primitive.name == name
    assert shape.pose[[X, Y]] == pytest.approx(truth.pose[[X, Y]], abs=0.1)
    assert sorted(shape.pose[[A, B]]) == pytest.approx(sorted(truth.pose[[A, B]]), abs=0.1)
    assert shape.pose[TAU] == pytest.approx(tau, abs=0.1)
    painted = shape.fill if truth.stroke is None else shape.stroke
    assert painted == pytest.approx([0.9, 0.8, 0.1], abs=0.01)


def test_a_shape_behind_another_is_found_whole() -> None:
    hidden = a_shape("circle", 40, 48, 44, 44)
    front = a_shape("square", 62, 50, 26, 34, 10)
    front = Shape(front.primitive, front.pose, np.array([0.8, 0.1, 0.3]), None)
    circle, square = seen(picture([hidden, front]))
    assert (circle.primitive.name, square.primitive.name) == ("circle", "square")
    assert circle.pose[[X, Y, A, B]] == pytest.approx(hidden.pose[[X, Y, A, B]], abs=0.15)


def test_nothing_is_proposed_where_nothing_is_wrong() -> None:
    state = Interpretation(ImageModel.of(picture([])))
    nothing = Regions(*(np.zeros(0) for _ in range(5)))
    sight = Sight(nothing, list(primitives().values()), np.random.default_rng(0))
    assert list(encoder_estimates(state, sight, state.wrong)) == []

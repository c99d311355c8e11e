"""First estimates lie near what was drawn."""

import math

import numpy as np
import pytest

from tests.perception.encoder.pictures import a_shape, picture, three_shapes
from unrender.perception.encoder.estimates import Estimate, estimates
from unrender.primitives.registry import primitives
from unrender.render.shape import TAU, A, B, Shape, X, Y


def nearest(found: list[Estimate], truth: Shape) -> Estimate:
    """The surest estimate of the same kind, painted in the same way, whose centre is near."""
    return next(
        each
        for each in found
        if each.shape.primitive.name == truth.primitive.name
        and (each.shape.fill is None) == (truth.fill is None)
        and math.dist(each.full.pose[[X, Y]], truth.pose[[X, Y]])
        < 0.15 * math.sqrt(truth.pose[A] * truth.pose[B]) * 2
    )


@pytest.mark.parametrize("extent", [12.0, 30.0, 70.0])
@pytest.mark.parametrize("name", ["circle", "square", "triangle"])
def test_a_filled_shape_is_estimated_where_it_is_in_its_size_and_colour(name: str, extent: float) -> None:
    truth = a_shape(name, 51.3, 48.6, extent, extent, 20)
    found = estimates(picture([truth], 104, 100))
    estimate = nearest(found, truth)
    assert estimate.confidence > 0.5
    assert found[0].shape.primitive.name == name
    assert estimate.full.pose[A] * estimate.full.pose[B] == pytest.approx(extent**2 / 4, rel=0.3)
    assert estimate.shape.fill == pytest.approx(truth.fill, abs=0.05)


@pytest.mark.parametrize("name", ["circle", "square", "triangle"])
def test_an_outline_is_estimated_with_its_stroke_and_colour(name: str) -> None:
    truth = a_shape(name, 51.3, 48.6, 36, 30, 0, tau=2.0)
    estimate = nearest(estimates(picture([truth], 104, 100)), truth)
    assert estimate.full.pose[TAU] == pytest.approx(2.0, rel=0.6)
    assert estimate.shape.stroke == pytest.approx(truth.stroke, abs=0.2)


def test_what_was_not_asked_for_is_not_looked_for() -> None:
    image = three_shapes()
    where = np.zeros(image.shape[:2], bool)
    assert estimates(image, where) == []
    assert estimates(image, kinds=[]) == []
    circles = [primitives()["circle"]]
    assert {each.shape.primitive.name for each in estimates(image, kinds=circles)} == {"circle"}


def test_a_thorough_look_tells_more() -> None:
    image = three_shapes()
    assert len(estimates(image, thorough=True)) > len(estimates(image)) >= 3


def test_a_blank_picture_has_no_sure_shapes() -> None:
    assert [each for each in estimates(picture([])) if each.confidence > 0.6] == []


def test_looks_repeat() -> None:
    first, again = (estimates(three_shapes()) for _ in range(2))
    assert [tuple(each.shape.pose) for each in first] == [tuple(each.shape.pose) for each in again]

"""Patches of one colour that are looked at again by themselves."""

import numpy as np

from unrender import Observation
from unrender.capsules.routing.patches import Patches


def shown(*shapes: Observation) -> Patches:
    """White shapes, back to front, on black."""
    image = np.zeros((60, 100, 3))
    rows, columns = np.indices(image.shape[:2]) + 0.5
    for shape in shapes:
        off = np.hypot(*((columns, rows) - np.reshape(shape.position, (2, 1, 1))))
        image[off < shape.size[0] / 2] = 1.0
    return Patches(image, np.zeros_like(image))


def disc(x: float, side: float) -> Observation:
    looks = dict.fromkeys(("red", "green", "blue", "filled"), 1.0)
    return Observation("circle", (x, 30.0), (side, side), attributes=looks)


def test_what_was_told_as_two_and_shows_as_one_is_told_as_one() -> None:
    pieces = [disc(40.0, 24.0), disc(44.0, 16.0)]
    ((told, stands_for),) = shown(pieces[0]).told_otherwise(pieces)
    assert told.symbol == "circle"
    assert {id(piece) for piece in stands_for} == {id(piece) for piece in pieces}


def test_what_shows_of_one_of_two_that_touch_takes_the_place_of_neither() -> None:
    pieces = [disc(30.0, 24.0), disc(53.0, 20.0)]
    apart = [disc(30.0, 22.0), disc(54.0, 18.0)]
    assert list(shown(*apart).told_otherwise(pieces)) == []

"""The same shape, told in one way through a film."""

import pytest

from unrender import Observation
from unrender.film.retelling import as_disc

LOOKS = {"red": 1.0, "green": 0.0, "blue": 0.0, "filled": 1.0, "thickness": 0.0}


def square(corner, size=(20.0, 20.6)):
    return Observation("square", (30, 40), size, 17.0, {**LOOKS, "corner": corner})


def test_a_square_that_is_all_corners_is_a_circle():
    disc = as_disc(square(0.99))
    assert disc.symbol == "circle"
    assert disc.position == (30, 40)
    assert disc.size == pytest.approx((20.3, 20.3), abs=0.01)
    assert "corner" not in disc.attributes


def test_a_rounded_square_and_a_long_one_stay_what_they_are():
    assert as_disc(square(0.6)) is None
    assert as_disc(square(1.0, (30.0, 20.0))) is None

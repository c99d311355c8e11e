"""γ of the true scene graph: Equations Gamma1 to Gamma3, written out by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unrender import Observation
from unrender.capsules.gamma import corners, mean_attributes, whole
from unrender.worlds.truth import placed

ANGLES = st.floats(-180, 180)
PLACES = st.tuples(st.floats(-100, 100), st.floats(-100, 100))


def part(x: float, y: float, w: float, h: float, rotation: float = 0.0, **attributes: float) -> Observation:
    return Observation("square", (x, y), (w, h), rotation, attributes)


def test_upright_parts_make_the_box_around_them() -> None:
    made = whole("house", [part(0, 0, 4, 2), part(5, 3, 2, 6)])
    assert made.position == pytest.approx((2.0, 2.5))
    assert made.size == pytest.approx((8.0, 7.0))


def test_a_part_turned_by_45_degrees_takes_the_room_of_its_corners() -> None:
    made = whole("diamond", [part(1, 2, 10, 10, 45)])
    assert made.position == pytest.approx((1.0, 2.0))
    assert made.size == pytest.approx((10 * math.sqrt(2), 10 * math.sqrt(2)))


def test_the_box_turns_with_the_object() -> None:
    made = whole("diamond", [part(1, 2, 10, 6, 45)], rotation=45)
    assert made.size == pytest.approx((10.0, 6.0))
    assert made.position == pytest.approx((1.0, 2.0))


def test_corners_turn_clockwise_on_the_screen() -> None:
    quarter = corners(part(0, 0, 4, 2, 90))
    assert quarter == pytest.approx(np.array([(1, -2), (1, 2), (-1, 2), (-1, -2)]))


def test_attributes_are_means_weighted_by_size() -> None:
    made = mean_attributes(
        [part(0, 0, 3, 4, red=1.0), part(9, 9, 6, 8, red=0.1), part(0, 0, 3, 4, wooden=1.0)]
    )
    assert made == pytest.approx({"red": (5 * 1.0 + 10 * 0.1) / 15, "wooden": 1.0})


@given(ANGLES, PLACES, st.floats(0.1, 10), ANGLES)
def test_moving_turning_and_scaling_an_object_moves_turns_and_scales_its_truth(
    turn: float, place: tuple[float, float], scale: float, inner: float
) -> None:
    """T commutes with γ: the moved whole is the whole of the moved parts."""
    upright = whole("ship", [part(0, 0, 5, 5, red=0.3), part(2, -7, 3, 4, inner, red=0.9)], route="ship/1")
    moved = placed(upright, place, turn, scale)
    again = whole("ship", moved.parts, moved.rotation)
    assert again.position == pytest.approx(moved.position, abs=1e-6)
    assert again.size == pytest.approx(moved.size, abs=1e-6)
    assert again.attributes == pytest.approx(moved.attributes)
    assert moved.position == pytest.approx(place)
    assert (moved.symbol, moved.route) == ("ship", "ship/1")


@given(ANGLES, PLACES)
def test_placing_back_gives_the_first_object_again(turn: float, place: tuple[float, float]) -> None:
    first = whole("ship", [part(0, 0, 5, 5), part(2, -7, 3, 4, 30)])
    back = placed(placed(first, place, turn), first.position, 0.0)
    for a, b in zip(first.walk(), back.walk(), strict=True):
        assert b.position == pytest.approx(a.position, abs=1e-6)
        assert math.remainder(b.rotation - a.rotation, 360) == pytest.approx(0, abs=1e-6)


def test_placing_copies_the_tree() -> None:
    first = whole("ship", [part(0, 0, 5, 5, red=1.0)])
    copy = placed(first, (9, 9), 10)
    copy.parts[0].attributes["red"] = 0.0
    assert first.parts[0].attributes["red"] == 1.0
    assert first.parts[0].position == (0, 0)

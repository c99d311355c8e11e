"""Equations Gamma1 to Gamma3: looks, size and position of a whole from its parts, in 2 and 3 dimensions."""

import math
from itertools import product

import numpy as np
import pytest

from unrender.capsules.gamma import (
    box_around,
    box_corners,
    circular_mean,
    mean_attributes,
    rotation_matrix,
    weighted_mean,
    whole,
)
from unrender.scene import Observation


def euler(x: float, y: float, z: float) -> np.ndarray:
    """R in three dimensions, angles in degrees."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(np.radians([x, y, z])), np.sin(np.radians([x, y, z]))
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def test_gamma_1_is_the_mean_weighted_by_size() -> None:
    """||(3, 4)|| = 5 and ||(6, 8)|| = 10: the larger part counts twice."""
    assert weighted_mean(np.array([[0.3], [0.9]]), np.array([[3.0, 4.0], [6.0, 8.0]])) == pytest.approx([0.7])


def test_gamma_1_in_three_dimensions() -> None:
    """||(1, 2, 2)|| = 3 and ||(2, 3, 6)|| = 7."""
    sizes = np.array([[1.0, 2.0, 2.0], [2.0, 3.0, 6.0]])
    assert weighted_mean(np.array([[1.0], [0.0]]), sizes) == pytest.approx([0.3])


def test_a_wooden_chair_with_many_metallic_screws_is_still_wooden() -> None:
    boards = [Observation("square", (0, 0), (60, 80), 0, {"wooden": 1.0, "metallic": 0.0}) for _ in range(3)]
    screws = [Observation("circle", (0, 0), (1, 1), 0, {"wooden": 0.0, "metallic": 1.0}) for _ in range(40)]
    looks = mean_attributes([*boards, *screws])
    assert looks["wooden"] > 0.8
    assert looks["metallic"] < 0.2
    assert looks["wooden"] == pytest.approx(300 / (300 + 40 * math.sqrt(2)))


def test_an_attribute_that_some_parts_lack_is_the_mean_over_those_that_have_it() -> None:
    parts = [
        Observation("square", (0, 0), (3, 4), 0, {"red": 0.2, "wooden": 0.6}),
        Observation("circle", (0, 0), (6, 8), 0, {"red": 0.8}),
    ]
    assert mean_attributes(parts) == pytest.approx({"red": 0.6, "wooden": 0.6})


def test_size_and_gamma_3_of_an_upright_whole() -> None:
    parts = [Observation("square", (10, 20), (8, 6)), Observation("circle", (30, 25), (10, 20))]
    top = whole("thing", parts)
    assert top.size == pytest.approx((35 - 6, 35 - 15))
    assert top.position == pytest.approx(((35 + 6) / 2, (35 + 15) / 2))


def test_size_and_gamma_3_take_the_corners_of_a_turned_part() -> None:
    """A 2x2 square on its corner is 2 sqrt(2) wide."""
    top = whole("thing", [Observation("square", (5, 5), (2, 2), 45.0)])
    assert top.size == pytest.approx((2 * math.sqrt(2), 2 * math.sqrt(2)))
    assert top.position == pytest.approx((5, 5))


def test_size_and_gamma_3_are_in_the_frame_of_the_turned_whole() -> None:
    """Two bars along a line of 30 degrees: in that frame they are 60 long and 4 high."""
    turn = math.radians(30)
    along = np.array([math.cos(turn), math.sin(turn)])
    parts = [
        Observation("square", tuple(np.array([100, 50]) + s * along), (20, 4), 30.0) for s in (-20.0, 20.0)
    ]
    top = whole("bars", parts, rotation=30.0)
    assert top.size == pytest.approx((60, 4))
    assert top.position == pytest.approx((100, 50))


@pytest.mark.parametrize("dimensions", [2, 3])
def test_size_and_gamma_3_by_hand_in_any_dimension(dimensions: int) -> None:
    """max and min over all parts and corners of R⁻¹ (α_pos + R_λ B), written out as in the paper."""
    rng = np.random.default_rng(dimensions)
    parts = 4
    places, sizes = rng.normal(0, 10, (parts, dimensions)), rng.uniform(1, 5, (parts, dimensions))
    if dimensions == 2:
        turns = [rotation_matrix(a) for a in rng.uniform(0, 360, parts)]
        R = rotation_matrix(37.0)
    else:
        turns = [euler(*rng.uniform(0, 360, 3)) for _ in range(parts)]
        R = euler(20.0, -50.0, 130.0)
    seen = []
    for place, size, turn in zip(places, sizes, turns, strict=True):
        for signs in product((-1, 1), repeat=dimensions):
            seen.append(np.linalg.inv(R) @ (place + turn @ (np.array(signs) * size / 2)))
    high, low = np.max(seen, axis=0), np.min(seen, axis=0)
    corners = np.concatenate([box_corners(*box) for box in zip(places, sizes, turns, strict=True)])
    assert corners.shape == (parts * 2**dimensions, dimensions)
    position, size = box_around(corners, R)
    assert size == pytest.approx(high - low)
    assert position == pytest.approx(R @ (high + low) / 2)


def test_a_turned_box_in_three_dimensions_is_around_itself() -> None:
    place, size, turn = np.array([3.0, -2.0, 7.0]), np.array([1.0, 2.0, 5.0]), euler(10, 20, 30)
    position, around = box_around(box_corners(place, size, turn), turn)
    assert position == pytest.approx(place)
    assert around == pytest.approx(size)


def test_rotations_are_not_averaged_as_plain_numbers() -> None:
    assert circular_mean(np.array([350.0, 20.0]), np.ones(2)) == pytest.approx(5)
    assert abs(circular_mean(np.array([170.0, -170.0]), np.ones(2))) == pytest.approx(180)
    assert circular_mean(np.array([0.0, 90.0]), np.array([3.0, 3.0 * math.sqrt(3)])) == pytest.approx(60)

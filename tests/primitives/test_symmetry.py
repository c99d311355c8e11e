"""Poses that draw the same are one: the canonical pose is turned the least."""

import numpy as np
import pytest

from unrender.primitives.registry import find
from unrender.primitives.symmetry import Symmetry
from unrender.render.coverage import cover
from unrender.render.shape import Shape

INK = np.ones(3)


def drawn(name: str, width: float, height: float, degrees: float) -> np.ndarray:
    pose = np.array([20.2, 19.6, width / 2, height / 2, np.radians(degrees), 0.0])
    patch = cover(Shape(find(name), pose, INK, None), (0, 40, 0, 40))
    assert patch.fill is not None
    return patch.fill


@pytest.mark.parametrize(
    ("name", "width", "height"), [("circle", 20, 12), ("square", 18, 18), ("square", 20, 11)]
)
@pytest.mark.parametrize("degrees", [0.0, 10.0, 44.0, 100.0, -170.0])
def test_the_canonical_pose_draws_the_same_pixels(
    name: str, width: float, height: float, degrees: float
) -> None:
    pose = find(name).symmetry.canonical(width, height, degrees)
    assert abs(pose[2]) <= 45 + 1e-9
    assert np.abs(drawn(name, *pose) - drawn(name, width, height, degrees)).max() < 1e-3


def test_an_equilateral_triangle_repeats_three_times_and_a_stretched_one_never() -> None:
    symmetry = find("triangle").symmetry
    assert symmetry.canonical(18, 18, 130)[2] == pytest.approx(10)
    assert symmetry.canonical(18, 12, 130)[2] == pytest.approx(130)
    assert len(list(symmetry.equivalent(18, 18, 0))) == 3


def test_a_round_circle_has_no_rotation() -> None:
    assert find("circle").symmetry.canonical(20, 20.01, 33, tolerance=0.01) == pytest.approx(
        (20.005, 20.005, 0)
    )


@pytest.mark.parametrize(("name", "order"), [("circle", 0), ("square", 4), ("triangle", 3)])
def test_the_order_of_the_unit_shape_tells_the_group_of_the_stretched_one(name: str, order: int) -> None:
    assert Symmetry.of_order(order) == find(name).symmetry


def test_a_whole_repeats_whatever_its_sides_are() -> None:
    star = Symmetry.of_order(5, stretched=False)
    assert star.period(equal=True) == star.period(equal=False) == pytest.approx(72)
    assert not star.swaps
    disc = Symmetry.of_order(0, stretched=False)
    assert not disc.shows(equal=False)
    assert disc.canonical(20, 10, 33) == (20, 10, 0.0)


def test_a_quarter_turn_exchanges_own_parameters_too() -> None:
    cross = Symmetry(turns=2, even=2, swaps=True, exchanges=(("upright", "level"),))
    assert cross.exchanged({"upright": 0.3, "level": 0.4, "red": 1.0}) == {
        "upright": 0.4,
        "level": 0.3,
        "red": 1.0,
    }

"""Equivalent poses: which turns leave a shape as it is, and the one that is nearest to what is expected."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unrender.capsules.poses import (
    HEIGHT,
    POSE,
    ROTATION,
    WIDTH,
    aligned,
    aligned_one,
    pose_of,
    wrapped,
)
from unrender.primitives.registry import find
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation


def turning(symbol: str) -> Symmetry:
    return find(symbol).symmetry


def pose(width: float, height: float, rotation: float) -> np.ndarray:
    return np.array([10.0, 20.0, width, height, rotation])


def test_a_pose_is_place_sides_and_turn() -> None:
    row = pose_of(Observation("square", (1.0, 2.0), (3.0, 4.0), 5.0))
    assert row.tolist() == [1, 2, 3, 4, 5]
    assert row.shape == (POSE,)


def test_angles_wrap_into_half_a_period_either_side() -> None:
    got = wrapped(np.array([350.0, 100.0, 61.0, 77.0]), np.array([360.0, 90.0, 120.0, 0.0]))
    assert got == pytest.approx([-10, 10, -59, 0])


@pytest.mark.parametrize("symbol", ["square", "triangle", "circle"])
@pytest.mark.parametrize("sides", [(30.0, 30.0), (30.0, 17.0)])
@pytest.mark.parametrize("rotation", [-170.0, -50.0, 0.0, 33.0, 95.0, 178.0])
def test_every_equivalent_pose_is_aligned_to_the_same_one(
    symbol: str, sides: tuple[float, float], rotation: float
) -> None:
    wanted = pose(*sides, rotation)
    for other in find(symbol).symmetry.equivalent(*sides, rotation):
        got = aligned(pose(*other), wanted, turning(symbol))
        assert got == pytest.approx(wanted)


def test_a_square_that_is_nearly_upright_is_not_turned_the_long_way() -> None:
    got = aligned(pose(20, 50, 88), pose(50, 20, 0), turning("square"))
    assert got[[WIDTH, HEIGHT]].tolist() == [50, 20]
    assert got[ROTATION] == pytest.approx(-2)


def test_a_stretched_triangle_keeps_its_turn() -> None:
    got = aligned(pose(30, 18, 120), pose(30, 18, 0), turning("triangle"))
    assert got[ROTATION] == pytest.approx(120)


def test_a_round_circle_has_any_turn() -> None:
    assert aligned(pose(30, 30, 71), pose(30, 30, -140), turning("circle"))[ROTATION] == pytest.approx(-140)


def test_a_whole_of_threefold_symmetry_repeats_every_120_degrees_whatever_its_sides() -> None:
    got = aligned(pose(30, 18, 130), pose(30, 18, 0), Symmetry.of_order(3, stretched=False))
    assert got[ROTATION] == pytest.approx(10)
    assert got[[WIDTH, HEIGHT]].tolist() == [30, 18]


def test_many_poses_are_aligned_at_once_as_one_by_one() -> None:
    rng = np.random.default_rng(0)
    poses = np.stack([rng.uniform(5, 40, 20) for _ in range(POSE)], 1)
    wanted = poses[::-1].copy()
    poses[:, ROTATION] = rng.uniform(-360, 360, 20)
    for symbol in ("square", "triangle", "circle"):
        together = aligned(poses, wanted, turning(symbol))
        alone = [aligned(p, w, turning(symbol)) for p, w in zip(poses, wanted, strict=True)]
        assert together == pytest.approx(np.stack(alone))


@given(
    st.lists(st.floats(-100, 100), min_size=4, max_size=4),
    st.lists(st.floats(1, 50), min_size=4, max_size=4),
    st.lists(st.floats(-400, 400), min_size=2, max_size=2),
    st.sampled_from([0, 1, 2, 3, 4, 6]),
    st.booleans(),
)
def test_one_pose_is_aligned_as_many_are(
    places: list[float], sides: list[float], turns: list[float], order: int, stretched: bool
) -> None:
    pose = np.array([*places[:2], *sides[:2], turns[0]])
    expected = np.array([*places[2:], *sides[2:], turns[1]])
    turning = Symmetry.of_order(order, stretched=stretched)
    one, many = aligned_one(pose, expected, turning), aligned(pose[None], expected[None], turning)[0]
    assert np.allclose(one[:ROTATION], many[:ROTATION])
    assert math.isclose(abs(one[ROTATION] - turns[1]), abs(many[ROTATION] - turns[1]), abs_tol=1e-6)

"""Two forms are one if a pose lays one upon the other."""

import math

import numpy as np
import pytest

from unrender.primitives.forms import Curve, bits_apart, laid, order

ZIGZAG = np.array([(20.0, 20.0), (50.0, 30.0), (35.0, 60.0), (60.0, 75.0)])
CORNER = np.array([(0.0, 0.0), (0.0, 40.0), (30.0, 40.0)])
BAR = np.array([(0.0, 0.0), (40.0, 5.0)])
SHAPE = np.array([(0.0, 0.0), (40.0, 0.0), (40.0, 20.0), (12.0, 30.0)])


def placed(corners: np.ndarray, turn: float, scale: float) -> np.ndarray:
    cos, sin = math.cos(turn), math.sin(turn)
    return scale * corners @ np.array([[cos, sin], [-sin, cos]]) + (5.0, 9.0)


@pytest.mark.parametrize(("turn", "scale"), [(0.7, 1.3), (2.5, 0.6), (-1.2, 1.0), (3.1, 2.0)])
@pytest.mark.parametrize(("corners", "closed"), [(ZIGZAG, False), (CORNER, False), (SHAPE, True)])
@pytest.mark.parametrize("backwards", [False, True])
def test_the_pose_between_two_lines_is_found(
    corners: np.ndarray, closed: bool, turn: float, scale: float, backwards: bool
) -> None:
    seen = placed(corners, turn, scale)[:: -1 if backwards else 1]
    lay, apart = laid(Curve.of([seen], [closed]), Curve.of([corners], [closed]))
    assert apart < 0.1 * scale
    assert lay.sides == pytest.approx([scale, scale], rel=0.02)
    assert math.remainder(lay.turn - turn, 2 * math.pi) == pytest.approx(0, abs=0.02)
    assert lay(corners) == pytest.approx(placed(corners, turn, scale), abs=0.6)


def test_another_line_leaves_many_bits() -> None:
    _, apart = laid(Curve.of([CORNER], [False]), Curve.of([ZIGZAG], [False]))
    assert bits_apart(apart, 40.0) > 10


@pytest.mark.parametrize(("corners", "closed", "often"), [(ZIGZAG, False, 1), (BAR, False, 2)])
def test_the_symmetry_of_a_line_is_how_often_it_repeats(
    corners: np.ndarray, closed: bool, often: int
) -> None:
    assert order(Curve.of([corners], [closed]), float(np.ptp(corners, 0).max())) == often


def test_a_regular_outline_repeats_by_its_corners() -> None:
    for corners in (3, 4, 5, 6):
        turn = 2 * np.pi * np.arange(corners) / corners
        ring = 20 * np.stack([np.cos(turn), np.sin(turn)], 1)
        assert order(Curve.of([ring], [True]), 40.0) == corners

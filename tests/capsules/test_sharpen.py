"""Pictures without antialiasing: every pixel on the right side of every outline."""

import numpy as np
import pytest
from numpy.typing import NDArray

import unrender


def turned_box(degrees: float, width: float, height: float, x: float, y: float) -> NDArray[np.bool_]:
    """bool (64, 64): the pixels whose centre lies in a turned rectangle."""
    row, column = np.mgrid[:64, :64] + 0.5
    turn = np.radians(degrees)
    across = np.cos(turn) * (column - x) + np.sin(turn) * (row - y)
    along = np.cos(turn) * (row - y) - np.sin(turn) * (column - x)
    inside: NDArray[np.bool_] = (np.abs(across) < width / 2) & (np.abs(along) < height / 2)
    return inside


@pytest.mark.parametrize("degrees", [9.0, 27.0, 40.0])
def test_the_mask_of_a_shape_with_hard_edges_is_exact(degrees: float) -> None:
    picture = np.full((64, 64, 3), 90, np.uint8)
    mask = turned_box(degrees, 13.4, 11.1, 31.3, 29.8)
    picture[mask] = (200, 60, 30)
    (box,) = unrender.open().see(picture).axioms
    assert np.count_nonzero(box.mask != mask) <= 1


def test_what_lies_in_front_does_not_move_what_it_hides() -> None:
    picture = np.full((64, 64, 3), 90, np.uint8)
    behind, front = turned_box(20, 22, 16, 28, 30), turned_box(65, 18, 10, 40, 36)
    picture[behind], picture[front] = (200, 60, 30), (30, 90, 220)
    wide, narrow = unrender.open().see(picture).axioms
    assert wide.size == pytest.approx((22, 16), abs=0.6)
    assert np.count_nonzero(narrow.mask != front) <= 1


def test_antialiased_edges_are_left_as_they_were_refined() -> None:
    brain = unrender.open()
    looks = {"position": (31.37, 30.21), "size": (21.3, 14.7), "rotation": 17.0, "red": 0.9}
    (box,) = brain.see(brain.draw("square", canvas=(64, 64), **looks)).axioms
    assert box.size == pytest.approx((21.3, 14.7), abs=0.03)
    assert box.position == pytest.approx((31.37, 30.21), abs=0.03)

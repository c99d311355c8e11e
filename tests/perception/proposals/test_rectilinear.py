"""Regions with right angles only are told as the fewest rectangles."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.pipeline import see_primitives
from unrender.perception.proposals.rectilinear import fills_box, largest
from unrender.primitives.protocol import Primitive

sys.path.insert(0, str(Path(__file__).parents[1]))
from drawing import picture

GREY, RED = (0.8, 0.8, 0.8), (0.9, 0.2, 0.1)


def test_a_rectangle_is_what_fills_its_box(kinds: Sequence[Primitive]) -> None:
    assert [kind.name for kind in kinds if fills_box(kind)] == ["square"]


def test_largest_rectangles_cannot_be_extended() -> None:
    cross = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], bool)
    assert sorted(largest(cross)) == [(0, 3, 1, 2), (1, 2, 0, 3)]


@pytest.mark.parametrize("degrees", [0.0, 25.0])
def test_a_cross_of_one_colour_is_two_rectangles(kinds: Sequence[Primitive], degrees: float) -> None:
    bars = [("square", 40, 36, w, h, degrees, RED, None, 0) for w, h in ((44, 12), (10, 40))]
    state = see_primitives(picture((80, 72), GREY, bars), kinds)
    assert [placed.shape.primitive.name for placed in state.shapes] == ["square", "square"]
    sides = sorted(sorted(2 * placed.shape.pose[2:4]) for placed in state.shapes)
    assert np.abs(np.array(sides) - [[10, 40], [12, 44]]).max() < 0.2

"""The middles of strokes run half a pen inside of their outline."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from unrender.perception.outlines.middles import middles, pens
from unrender.primitives.evidence import Line

HALF = 4.0


def outline(*pieces: tuple[float, float, float, float, float]) -> Line:
    """A closed line of pieces: where each begins, its radius (0: straight) and its centre."""
    told = np.array(pieces)
    none = np.zeros(len(told), np.int64)
    return Line(told[:, 0], told[:, 1], np.zeros(len(told)), told[:, :2], told[:, 2], told[:, 3:], True, none)


STADIUM = outline((10, 6, 0, 0, 0), (40, 6, 4, 40, 10), (40, 14, 0, 0, 0), (10, 14, 4, 10, 10))
ROUND_CORNER = outline(
    (10, 6, 0, 0, 0), (40, 6, 14, 40, 20), (54, 20, 0, 0, 0), (54, 50, 4, 50, 50), (46, 50, 0, 0, 0),
    (46, 20, -6, 40, 20), (40, 14, 0, 0, 0), (10, 14, 4, 10, 10),
)  # fmt: skip
TEE = outline(
    (10, 6, 0, 0, 0), (60, 6, 4, 60, 10), (60, 14, 0, 0, 0), (39, 14, 0, 0, 0), (39, 50, 4, 35, 50),
    (31, 50, 0, 0, 0), (31, 14, 0, 0, 0), (10, 14, 4, 10, 10),
)  # fmt: skip


def anywhere(place: np.ndarray) -> bool:
    return True


def in_tee(place: np.ndarray) -> bool:
    x, y = place
    return bool((abs(y - 10) < 0.5 and 9.5 < x < 60.5) or (abs(x - 35) < 0.5 and 9.5 < y < 50.5))


def ends(found: Sequence[Line]) -> list[list[list[int]]]:
    return sorted([sorted(line.corner[[0, -1]].round().astype(int).tolist()) for line in found])


def test_a_pen_is_told_by_round_ends_and_by_nothing_else() -> None:
    assert pens([STADIUM], 1.5, 2) == [HALF]
    assert pens([ROUND_CORNER, TEE], 1.5, 2) == [HALF]
    square = outline((0, 0, 0, 0, 0), (9, 0, 0, 0, 0), (9, 9, 0, 0, 0), (0, 9, 0, 0, 0))
    assert pens([square, outline((9, 0, 5, 4, 0))], 1.5, 2) == []


def test_a_straight_stroke_has_one_middle_by_either_side() -> None:
    assert ends(list(middles(STADIUM, HALF, anywhere))) == [[[10, 10], [40, 10]]] * 2


def test_a_round_corner_is_an_arc_of_the_middle_by_its_outside_and_by_its_inside() -> None:
    found = list(middles(ROUND_CORNER, HALF, anywhere))
    assert ends(found) == [[[10, 10], [50, 50]]] * 2
    for line in found:
        assert np.abs(line.radius) == pytest.approx([0, 10, 0])
        assert line.sweep(1) == pytest.approx(math.pi / 2)
    assert found[0].radius[1] == -found[1].radius[1]  # they run against one another


def test_where_the_outline_turns_left_one_stroke_ends_at_another() -> None:
    found = ends(list(middles(TEE, HALF, in_tee)))
    assert [[10, 10], [60, 10]] in found  # by the side that nothing meets
    assert [[35, 10], [35, 50]] in found
    assert len(found) == 5


def test_nothing_runs_where_there_is_no_room_for_the_pen() -> None:
    assert not list(middles(STADIUM, HALF, lambda place: False))


def test_a_ring_is_one_middle_that_closes_by_either_of_its_outlines() -> None:
    for radius, turned in ((14.0, 1), (6.0, -1)):
        (line,) = middles(outline((30 + radius, 30, turned * radius, 30, 30)), HALF, anywhere)
        assert line.closed
        assert abs(line.radius[0]) == pytest.approx(10)

"""Thin areas are lines of points along their middle, as wide as they were drawn, through crossings and round
bends."""

import math
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.image.centrelines import CentreLines

sys.path.insert(0, str(Path(__file__).parent))
from cairo_pictures import Drawing, Points, disc, drawn, stroke

BLACK, WHITE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)


def lines(size: tuple[int, int], *drawings: Drawing) -> CentreLines:
    return CentreLines.of(1 - drawn(size, *drawings, ground=WHITE)[:, :, 0], 0.05)


def off(found: CentreLines, points: np.ndarray, line: Points) -> np.ndarray:
    """(n,): distances of points to the nearest side of a line."""
    best = np.full(len(points), np.inf)
    for one, other in pairwise(line):
        a, along = np.array(one), np.array(other) - np.array(one)
        to = np.stack([found.x[points], found.y[points]], 1) - a
        share = (to @ along / (along @ along)).clip(0, 1)
        best = np.minimum(best, np.hypot(*(to - share[:, None] * along).T))
    return best


@pytest.mark.parametrize("width", [0.5, 1.0, 1.7, 3.0, 6.0])
def test_a_line_has_its_place_its_width_and_its_ends(width: float) -> None:
    line = [(8.3, 10.2), (51.1, 37.7)]
    found = lines((60, 48), stroke(line, width, BLACK))
    [one] = found.strokes()
    assert not one.closed
    assert one.free == (True, True)
    assert np.median(off(found, one.points, line)) < 0.06
    assert np.median(found.width[one.points]) == pytest.approx(width, rel=0.05)
    x, y = found.x[one.points], found.y[one.points]
    length = math.hypot(x[-1] - x[0], y[-1] - y[0]) + sum(one.beyond)
    assert length == pytest.approx(math.dist(*line), abs=0.3)


@pytest.mark.parametrize("width", [0.7, 1.5, 4.0])
def test_a_crossing_goes_through(width: float) -> None:
    one, other = [(6.3, 6.2), (53.1, 41.7)], [(7.4, 45.1), (50.2, 8.8)]
    found = lines((60, 50), stroke(one, width, BLACK), stroke(other, width, BLACK))
    strokes = found.strokes()
    assert len(strokes) == 2
    for one_of_them in strokes:
        best = min((off(found, one_of_them.points, line) for line in (one, other)), key=np.median)
        assert np.median(best) < 0.06
        assert best.max() < 0.3


def test_a_junction_ends_one_line_and_not_the_other() -> None:
    bar, stem = [(6.0, 12.3), (54.0, 12.3)], [(30.2, 12.3), (30.2, 44.0)]
    found = lines((60, 50), stroke(bar, 2.0, BLACK), stroke(stem, 2.0, BLACK))
    strokes = sorted(found.strokes(), key=lambda each: len(each.points))
    lengths = [
        math.hypot(np.ptp(found.x[each.points]), np.ptp(found.y[each.points])) + sum(each.beyond)
        for each in strokes
    ]
    assert lengths == pytest.approx([31.7, 48], abs=0.7)
    assert sorted(strokes[0].free) == [False, True]
    assert strokes[1].free == (True, True)


def test_a_ring_is_one_closed_line() -> None:
    found = lines((70, 70), disc(34.6, 35.2, 24.5, BLACK, 2.0))
    [one] = found.strokes()
    assert one.closed
    assert np.abs(np.hypot(found.x[one.points] - 34.6, found.y[one.points] - 35.2) - 24.5).max() < 0.15


def test_a_wide_ring_has_its_centre_line_in_the_middle_of_its_two_edges() -> None:
    found = lines((70, 70), disc(34.6, 35.2, 18.0, BLACK, 12.0))
    [one] = found.strokes()
    assert np.abs(np.hypot(found.x[one.points] - 34.6, found.y[one.points] - 35.2) - 18.0).max() < 0.15


@pytest.mark.parametrize("width", [1.0, 2.5, 4.0])
def test_a_sharp_bend_is_one_line(width: float) -> None:
    line = [(10.2, 8.4), (34.1, 52.3), (44.8, 9.1)]
    found = lines((60, 64), stroke(line, width, BLACK, round_=True))
    [one] = found.strokes()
    assert np.median(off(found, one.points, line)) < 0.05


def test_lines_at_exactly_45_degrees_keep_their_length() -> None:
    line = [(10.0, 10.0), (50.0, 50.0)]
    found = lines((60, 60), stroke(line, 2.5, BLACK))
    [one] = found.strokes()
    assert len(one.points) > 25

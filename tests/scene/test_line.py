"""Lines: pieces of a drawing, kept as numbers."""

import json

import numpy as np
import pytest

from unrender.scene.line import CLOSED, KEPT, Line, rounded


def wave(length: float, points: int) -> Line:
    x = np.linspace(0, length, points)
    return Line(np.stack([x, 10 * np.sin(x / 20)], 1), (0, 2))


def test_a_line_is_written_as_numbers_and_read_again() -> None:
    line = Line(np.array([[1.5, 2.0], [3.25, 4.0], [1.5, 2.0]]), (CLOSED, CLOSED))
    read = Line.from_list(json.loads(json.dumps(line.to_list())))
    assert (read.points == line.points).all()
    assert read.closed


@pytest.mark.parametrize(
    "values", [[], [0, 0], [0, 0, 1.0], [0, -2, 1.0, 1.0], [0, 0, float("nan"), 1.0], [0, 0, "x", 1.0], [0]]
)
def test_numbers_that_are_no_line_are_refused(values: list[object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        Line.from_list(values)


def test_what_is_kept_lies_on_what_was_drawn() -> None:
    line = wave(120, 400)
    (kept,) = rounded([line])
    assert len(kept.points) < 80
    assert kept.ends == line.ends
    assert kept.length == pytest.approx(line.length, rel=0.01)
    far = np.hypot(*(kept.points[:, None] - line.points).transpose(2, 0, 1)).min(1)
    assert far.max() < 0.3


def test_however_much_is_drawn_no_more_than_some_points_are_kept() -> None:
    kept = rounded([wave(50 * k, 500) for k in range(1, 400)])
    assert sum(len(line.points) for line in kept) <= 2 * KEPT
    assert min(line.length for line in kept) > 50 * 200  # the longest


def test_a_dot_stays_a_dot() -> None:
    (kept,) = rounded([Line(np.array([[4.0, 5.0]]))])
    assert kept.points.tolist() == [[4.0, 5.0]]

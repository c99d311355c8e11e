"""Regular polygons take less to say than others, stay regular when refined, and are told by a part."""

import math

import numpy as np
import pytest

from unrender.primitives.evidence import Line
from unrender.primitives.path import framed, freedom, path, placed
from unrender.primitives.regular import completed, corners_of, folded, form_of, motif_of, repeated
from unrender.render.shape import Shape


def ring(count: int, inner: float = 1.0, radius: float = 20.0) -> np.ndarray:
    """(count, 2): corners around (50, 40), every other one nearer to it by a factor."""
    turn = 0.3 + np.arange(count) * math.tau / count
    away = np.where(np.arange(count) % 2, inner, 1.0) * radius
    return np.stack([50 + away * np.cos(turn), 40 + away * np.sin(turn)], 1)


def cross(half: float = 20.0, arm: float = 6.0) -> np.ndarray:
    quarter = np.array([[half, -arm], [half, arm], [arm, arm]])
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    return np.concatenate([quarter @ np.linalg.matrix_power(turn, k) for k in range(4)]) + np.array([50, 40])


def outline(corners: np.ndarray) -> Line:
    """A closed line that was cut at these corners."""
    x, y = corners.T
    none = np.zeros(len(corners))
    return Line(x, y, none + 0.05, corners, none, np.zeros_like(corners), True, np.arange(len(corners)))


POLYGONS = [(ring(5), 1), (ring(6)[::-1], 1), (ring(10, 0.45), 2), (cross(), 3)]


@pytest.mark.parametrize(("corners", "motif"), POLYGONS)
def test_the_corners_that_are_repeated_are_counted(corners: np.ndarray, motif: int) -> None:
    assert motif_of(corners) == motif
    pose, form = framed(form_of(corners), 0.0)
    assert freedom(pose, form) == 2 + 2 * motif
    form[4] += 0.01
    assert freedom(pose, form) == 2 * len(corners)


@pytest.mark.parametrize(("corners", "motif"), POLYGONS)
@pytest.mark.parametrize("regular", [True, False])
def test_what_is_regular_stays_so(corners: np.ndarray, motif: int, regular: bool) -> None:
    if not regular:
        corners = corners + (np.arange(len(corners)) == 1)[:, None]
    pose, form = framed(form_of(corners), 0.0)
    shape = Shape(path, pose, np.zeros(3), None, form)
    off = np.random.default_rng(0).normal(0, 0.005, len(form)) * (np.arange(len(form)) % 3 > 0)
    moved = shape.posed(shape.vector + np.concatenate([np.zeros(len(pose)), off]))
    told = corners_of(placed(moved.pose, moved.form), 1.0, 1.0)
    assert told is not None
    assert motif_of(told) == (motif if regular else 0)
    assert not np.allclose(told, corners, atol=1e-6)


def test_the_nearest_regular_polygon_has_the_same_centre() -> None:
    off = ring(5) + np.random.default_rng(1).normal(0, 0.3, (5, 2))
    near = repeated(off, 1)
    assert near.mean(0) == pytest.approx(off.mean(0))
    assert np.hypot(*(near - ring(5)).T).max() < 0.5


@pytest.mark.parametrize(("corners", "motif"), POLYGONS)
def test_a_part_tells_the_whole(corners: np.ndarray, motif: int) -> None:
    seen = corners[: motif + 3]
    hidden = np.concatenate([seen, [corners.mean(0) + np.array([1.5, -2.0])]])
    found = list(completed(outline(hidden)))
    near = [np.hypot(*(corners[:, None] - each[None]).transpose(2, 0, 1)).min(1).max() for each in found]
    assert min(near) < 0.01


def test_what_repeats_nothing_is_not_completed() -> None:
    assert not list(completed(outline(np.array([[0, 0], [30, 3], [25, 9], [33, 20], [4, 28.0]]))))


def walked(corners: np.ndarray, cut: float) -> Line:
    """A closed line along the sides of a polygon, but for so many px at their ends."""
    sides = [(b - a, math.dist(a, b), a) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    steps = [np.arange(cut, long - cut, 0.7)[:, None] / long for _, long, _ in sides]
    x, y = np.concatenate([a + step * way for step, (way, _, a) in zip(steps, sides, strict=True)]).T
    none = np.zeros(len(corners))
    return Line(x, y, 0.05 + 0 * x, corners, none, np.zeros_like(corners), True, np.arange(len(corners)))


@pytest.mark.parametrize(
    "corners", [ring(5), ring(10, 0.45), ring(10, 0.45, 6.0), ring(14, 0.5, 9.0), ring(8, 0.4)]
)
@pytest.mark.parametrize("cut", [0.0, 0.8])
def test_a_star_whose_corners_are_cut_is_told_by_its_sides(corners: np.ndarray, cut: float) -> None:
    told = folded(walked(corners, cut))
    assert told is not None
    assert len(told) == len(corners)
    assert max(np.hypot(*(told - corner).T).min() for corner in corners) < 0.1 + cut


@pytest.mark.parametrize("corners", [ring(4), ring(64), cross()])
def test_squares_circles_and_crosses_are_no_stars(corners: np.ndarray) -> None:
    assert folded(walked(corners, 0.0)) is None

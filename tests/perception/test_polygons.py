"""Filled polygons are paths with their own corners, with or without a border, alone or over one another."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.pipeline import see_primitives
from unrender.primitives.path import placed
from unrender.primitives.polycurve import nodes
from unrender.primitives.registry import primitives
from unrender.render.shape import Shape

sys.path.insert(0, str(Path(__file__).parent))
from cairo_pictures import Drawing, disc, drawn, polygon, stroke

PAPER, INK, BLUE, GREEN = (1.0, 1.0, 1.0), (0.1, 0.1, 0.1), (0.2, 0.5, 0.85), (0.1, 0.6, 0.3)


def ring(count: int, x: float, y: float, radius: float, turn: float, inner: float = 1.0) -> np.ndarray:
    """(count, 2): corners around a centre, every other one nearer to it by a factor."""
    angles = turn + np.arange(count) * math.tau / count
    away = np.where(np.arange(count) % 2, inner, 1.0) * radius
    return np.stack([x + away * np.cos(angles), y + away * np.sin(angles)], 1)


def seen(*drawings: Drawing) -> list[Shape]:
    state = see_primitives(drawn((128, 128), *drawings, ground=PAPER), list(primitives().values()))
    return [each.shape for each in state.shapes]


def told(shape: Shape) -> np.ndarray:
    """(K, 2) px: the nodes of a path."""
    form = placed(shape.pose, shape.form)
    at, _ = nodes(form)
    return np.stack([form[at + 1], form[at + 2]], 1)


def furthest(shape: Shape, truth: np.ndarray) -> float:
    """px from a true corner to the nearest node of a path, at most."""
    return float(np.hypot(*(truth[:, None] - told(shape)[None]).transpose(2, 0, 1)).min(1).max())


@pytest.mark.parametrize(("count", "inner"), [(5, 1.0), (6, 1.0), (7, 1.0), (10, 0.45), (8, 0.5)])
@pytest.mark.parametrize("turn", [0.1, 0.9])
def test_a_polygon_is_one_path(count: int, inner: float, turn: float) -> None:
    corners = ring(count, 61.3, 66.8, 34, turn, inner)
    (shape,) = seen(polygon(corners.tolist(), BLUE))
    assert shape.primitive.name == "path"
    assert len(told(shape)) == count
    assert furthest(shape, corners) < 0.6


@pytest.mark.parametrize("width", [1.5, 2.0, 4.0])
def test_a_polygon_with_a_border_is_one_path(width: float) -> None:
    corners = ring(6, 63.2, 60.4, 30, 0.3)
    (shape,) = seen(polygon(corners.tolist(), GREEN), stroke(corners.tolist(), width, INK, closed=True))
    assert shape.primitive.name == "path"
    assert shape.fill == pytest.approx(GREEN, abs=0.02)
    assert shape.stroke == pytest.approx(INK, abs=0.08)
    assert furthest(shape, corners) < 0.6


def test_a_star_in_front_of_a_disc_and_a_hexagon_are_one_shape_each() -> None:
    star = ring(10, 70.2, 70.9, 30, 0.4, 0.45)
    hexagon = ring(6, 38.1, 40.4, 24, 0.2)
    shapes = seen(
        polygon(hexagon.tolist(), GREEN), disc(94.3, 40.2, 20, (0.9, 0.7, 0.1)), polygon(star.tolist(), BLUE)
    )
    assert sorted(shape.primitive.name for shape in shapes) == ["circle", "path", "path"]
    front = min(
        shapes, key=lambda shape: np.abs(shape.fill - BLUE).sum() if shape.fill is not None else np.inf
    )
    assert furthest(front, star) < 0.6


@pytest.mark.parametrize("radius", [5.0, 8.0])
def test_a_small_star_is_one_path(radius: float) -> None:
    corners = ring(10, 61.3, 66.8, radius, 0.3, 0.4)
    (shape,) = seen(polygon(corners.tolist(), BLUE))
    assert shape.primitive.name == "path"
    assert furthest(shape, corners) < 0.7


@pytest.mark.parametrize("radius", [11.0, 15.0])
def test_a_small_star_with_a_border_is_one_path(radius: float) -> None:
    corners = ring(10, 61.3, 66.8, radius, 0.3, 0.45).tolist()
    (shape,) = seen(polygon(corners, BLUE), stroke([*corners, *corners[:2]], 1.5, INK))
    assert shape.primitive.name == "path"
    assert shape.fill is not None
    assert shape.stroke is not None
    assert furthest(shape, np.array(corners)) < 1.0

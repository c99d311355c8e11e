"""Strokes, outlines and curves are told as few, right shapes."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.pipeline import see_primitives
from unrender.primitives.path import placed
from unrender.primitives.polycurve import nodes
from unrender.primitives.registry import primitives
from unrender.render.shape import ANGLE, OWN, TAU, A, B, Shape, X, Y

sys.path.insert(0, str(Path(__file__).parent))
from cairo_pictures import Drawing, disc, drawn, polygon, stroke

INK, PAPER = (0.1, 0.15, 0.3), (1.0, 1.0, 1.0)


def seen(size: tuple[int, int], *drawings: Drawing) -> list[Shape]:
    state = see_primitives(drawn(size, *drawings, ground=PAPER), list(primitives().values()))
    return [each.shape for each in state.shapes]


def kinds(shapes: list[Shape]) -> list[str]:
    return sorted(shape.primitive.name for shape in shapes)


def ends(shape: Shape) -> np.ndarray:
    """(2, 2): of the centre line of an edge."""
    reach = shape.pose[A] - shape.pose[OWN] * shape.pose[B]
    along = reach * np.array([math.cos(shape.pose[ANGLE]), math.sin(shape.pose[ANGLE])])
    middle = shape.pose[[X, Y]]
    return np.array(sorted([middle - along, middle + along], key=tuple))


def corners(shape: Shape) -> np.ndarray:
    """(K, 2): the nodes of a path."""
    form = placed(shape.pose, shape.form)
    at = nodes(form)[0]
    return np.stack([form[at + 1], form[at + 2]], 1)


@pytest.mark.parametrize("width", [2.0, 4.0, 8.0])
@pytest.mark.parametrize("round_", [True, False])
def test_a_cross_of_two_lines_is_two_edges(width: float, round_: bool) -> None:
    one, other = [(14.3, 12.2), (82.1, 73.7)], [(15.4, 77.1), (80.2, 15.8)]
    found = seen((96, 90), stroke(one, width, INK, round_=round_), stroke(other, width, INK, round_=round_))
    assert kinds(found) == ["edge", "edge"]
    for line in (one, other):
        off = min(np.abs(ends(shape) - np.array(sorted(line))).max() for shape in found)
        assert off < 0.25
    assert [2 * shape.pose[B] for shape in found] == pytest.approx([width] * 2, rel=0.04)
    assert [shape.pose[OWN] for shape in found] == [float(round_)] * 2


def test_a_line_that_ends_at_another_one_is_another_edge() -> None:
    bar, stem = [(10.0, 20.3), (86.0, 20.3)], [(48.2, 20.3), (48.2, 76.0)]
    found = seen((96, 90), stroke(bar, 5.0, INK, round_=True), stroke(stem, 5.0, INK, round_=True))
    assert kinds(found) == ["edge", "edge"]


def test_a_chain_of_strokes_is_one_path() -> None:
    line = [(14.2, 70.4), (40.3, 20.1), (66.8, 71.2), (84.6, 30.3)]
    [found] = seen((100, 90), stroke(line, 4.0, INK, round_=True))
    assert found.primitive.name == "path"
    assert found.fill is None
    assert corners(found) == pytest.approx(np.array(line), abs=0.3)
    assert 2 * found.pose[TAU] == pytest.approx(4.0, rel=0.03)


def test_an_arc_is_an_arc() -> None:
    def draw(context) -> None:
        context.set_source_rgb(*INK)
        context.set_line_width(5)
        context.set_line_cap(1)
        context.arc(48.3, 47.2, 30.5, 0.4, 3.9)
        context.stroke()

    [found] = seen((96, 96), draw)
    assert found.primitive.name == "arc"
    assert found.pose[[X, Y, A, B]] == pytest.approx([48.3, 47.2, 30.5, 30.5], abs=0.2)
    assert found.pose[OWN + 1] == pytest.approx(3.5 / math.tau, abs=0.01)


@pytest.mark.parametrize("sides", [5, 6, 8])
def test_a_polygon_is_a_path_with_its_corners(sides: int) -> None:
    turn = np.arange(sides) * math.tau / sides + 0.2
    points = np.stack([50.3 + 35 * np.cos(turn), 48.6 + 35 * np.sin(turn)], 1)
    [found] = seen((100, 98), polygon([tuple(p) for p in points], INK))
    assert found.primitive.name == "path"
    told = corners(found)
    assert len(told) == sides
    assert np.hypot(*(told[:, None] - points).transpose(2, 0, 1)).min(1).max() < 0.15


def test_a_star_is_a_path_of_ten_corners() -> None:
    turn = np.arange(10) * math.tau / 10
    radius = np.where(np.arange(10) % 2, 16.0, 40.0)
    points = [(50.1 + r * math.cos(t), 49.7 + r * math.sin(t)) for r, t in zip(radius, turn, strict=True)]
    [found] = seen((100, 100), polygon(points, INK))
    assert len(corners(found)) == 10


def test_a_rectangle_with_round_corners_is_a_square_with_its_radius() -> None:
    def draw(context) -> None:
        context.set_source_rgb(*INK)
        x, y, w, h, r = 15.3, 20.4, 70.0, 50.0, 10.0
        for cx, cy, t in (
            (x + w - r, y + r, -1),
            (x + w - r, y + h - r, 0),
            (x + r, y + h - r, 1),
            (x + r, y + r, 2),
        ):
            context.arc(cx, cy, r, t * math.pi / 2, (t + 1) * math.pi / 2)
        context.close_path()
        context.fill()

    [found] = seen((100, 90), draw)
    assert found.primitive.name == "square"
    assert found.pose[OWN] * min(found.pose[A], found.pose[B]) == pytest.approx(10.0, abs=0.3)


def test_sharp_corners_stay_sharp() -> None:
    [found] = seen((90, 80), polygon([(20.2, 15.3), (70.2, 15.3), (70.2, 60.3), (20.2, 60.3)], INK))
    assert found.primitive.name == "square"
    assert found.pose[OWN] == 0.0


def test_four_edges_that_make_a_rectangle_are_one_square() -> None:
    box = [(20.3, 15.4), (75.3, 15.4), (75.3, 60.4), (20.3, 60.4)]
    sides = [stroke([box[k], box[(k + 1) % 4]], 3.0, INK, round_=True) for k in range(4)]
    [found] = seen((96, 76), *sides)
    assert found.primitive.name == "square"
    assert found.fill is None


def test_overlapping_outlines_stay_two_closed_ones() -> None:
    found = seen((110, 80), disc(40.2, 40.1, 26.0, INK, 3.0), disc(68.4, 39.3, 26.0, INK, 3.0))
    assert kinds(found) == ["circle", "circle"]
    assert all(shape.fill is None for shape in found)


def test_a_house_of_lines_is_told_by_few_strokes() -> None:
    walls = stroke([(25, 45), (25, 80), (75, 80), (75, 45)], 4.0, INK, round_=True)
    roof = stroke([(15, 50), (50, 15), (85, 50)], 4.0, INK, round_=True)
    found = seen((100, 96), walls, roof)
    assert len(found) <= 3
    assert all(shape.fill is None or shape.primitive.strokelike for shape in found)


@pytest.mark.parametrize(
    "points",
    [
        [(64.0, 37.3), (64.0, 64.0), (74.7, 48.0)],
        [(74.6, 80.0), (74.6, 48.0), (91.0, 80.0), (91.0, 48.0)],
        [(36.0, 54.0), (43.5, 48.0), (43.5, 80.0)],
    ],
    ids=["hands of a clock", "N", "1"],
)
def test_short_thick_strokes_that_run_into_one_another_are_one_line_along_their_middle(points: list) -> None:
    (shape,) = seen((128, 128), stroke(points, 10.6, INK, round_=True))
    assert (shape.fill, shape.primitive.name) == (None, "path")
    assert len(corners(shape)) == len(points)
    apart = np.hypot(*(corners(shape)[:, None] - np.array(points)[None]).transpose(2, 0, 1))
    assert apart.min(0).max() < 0.3
    assert 2 * shape.pose[TAU] == pytest.approx(10.6, abs=0.1)

"""Outlines are cut into as few straight pieces and arcs as they were drawn from, with corners in place."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.outlines.cut import ARC, STRAIGHT, Pieces, cut
from unrender.perception.outlines.joins import fitted

sys.path.insert(0, str(Path(__file__).parents[1]))
from cairo_pictures import Points, disc, drawn, polygon, regular, rounded
from test_contours import contours


def pieces(image: np.ndarray) -> Pieces:
    found, _ = contours(image)
    assert len(found) == 1
    return cut(found.x, found.y, found.error, found.start, np.ones(1, bool))


def rectangle(x: float, y: float, w: float, h: float, turn: float) -> Points:
    cos, sin = math.cos(turn), math.sin(turn)
    corners = ((-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2))
    return [(x + cos * a - sin * b, y + sin * a + cos * b) for a, b in corners]


OUTLINES = {
    "a square": rectangle(45.3, 44.8, 40, 40, 0.0),
    "a turned rectangle": rectangle(45.3, 44.8, 40, 23, 0.7),
    "a pentagon": regular(44.6, 45.1, 27, 5, 0.3),
    "an octagon": regular(44.6, 45.1, 22, 8, 1.1),
    "a star": regular(44.6, 45.1, 30, 5, 0.2, 0.45),
    "an arrow": [(12, 38), (50, 38), (50, 22), (78, 45.5), (50, 70), (50, 53), (12, 53)],
}


@pytest.mark.parametrize("name", OUTLINES)
def test_a_polygon_has_its_sides_and_corners(name: str) -> None:
    points = OUTLINES[name]
    found = pieces(drawn((90, 90), polygon(points)))
    assert found.kind.tolist() == [STRAIGHT] * len(points)
    off = np.hypot(*(np.array(points)[:, None] - found.corner[None]).transpose(2, 0, 1)).min(1)
    assert np.median(off) < 0.06
    assert off.max() < 0.2
    assert np.array_equal(found.end, np.roll(found.corner, -1, 0))


@pytest.mark.parametrize("radius", [4.0, 12.3, 40.0])
def test_a_circle_is_one_arc(radius: float) -> None:
    found = pieces(drawn((120, 110), disc(58.2, 54.9, radius)))
    assert found.kind.tolist() == [ARC]
    assert found.centre[0] == pytest.approx([58.2, 54.9], abs=0.05)
    assert found.radius[0] == pytest.approx(radius, abs=0.06)


@pytest.mark.parametrize("radius", [6.0, 10.0])
def test_a_rounded_rectangle_has_four_lines_and_four_arcs(radius: float) -> None:
    found = pieces(drawn((90, 80), rounded(44.2, 40.7, 56, 44, radius, 0.4)))
    assert sorted(found.kind.tolist()) == [STRAIGHT] * 4 + [ARC] * 4
    assert found.radius[found.kind == ARC] == pytest.approx([radius] * 4, abs=0.4)


def test_an_open_line_of_points_is_cut_at_its_bend() -> None:
    rng = np.random.default_rng(0)
    along = np.arange(30.0)
    x = np.concatenate([10 + along, np.full(20, 40.0)]) + rng.normal(0, 0.03, 50)
    y = np.concatenate([np.full(30, 12.0), 12.5 + np.arange(20)]) + rng.normal(0, 0.03, 50)
    found = cut(x, y, np.full(50, 0.05), np.array([0, 50]), np.zeros(1, bool))
    assert found.kind.tolist() == [STRAIGHT] * 2
    assert found.corner[0] == pytest.approx([10, 12], abs=0.1)
    assert found.corner[1] == pytest.approx([40, 12], abs=0.1)
    assert found.end[1] == pytest.approx([40, 31.5], abs=0.1)


def test_many_outlines_are_cut_at_once_and_each_as_if_alone() -> None:
    one, _ = contours(drawn((90, 90), polygon(OUTLINES["a pentagon"])))
    other, _ = contours(drawn((90, 90), polygon(OUTLINES["a star"])))
    x, y, error = (np.concatenate([getattr(one, name), getattr(other, name)]) for name in ("x", "y", "error"))
    both = cut(x, y, error, np.array([0, len(one.x), len(x)]), np.ones(2, bool))
    assert both.start.tolist() == [0, 5, 15]
    assert both.corner[5:] == pytest.approx(pieces(drawn((90, 90), polygon(OUTLINES["a star"]))).corner)


@pytest.mark.parametrize("turned", [False, True])
def test_unsure_points_do_not_turn_an_arc_round(turned: bool) -> None:
    turn = np.linspace(-0.3, 0.3, 21)[:: -1 if turned else 1]
    x, y, error = 30 * np.cos(turn), 30 * np.sin(turn), np.full(21, 0.05)
    x[[0, -1]], error[[0, -1]] = 33.0, 5.0
    model = np.zeros(5)
    assert fitted(x, y, error, 0, 21, True, model)
    assert model[:3] == pytest.approx((-30 if turned else 30, 0, 0), abs=0.1)

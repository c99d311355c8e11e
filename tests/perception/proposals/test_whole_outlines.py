"""Outlines that were told in pieces, twice, or without one of their sides are told as they are."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.depth import Placed
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import divide
from unrender.perception.interpretation import Interpretation
from unrender.perception.pipeline import accept
from unrender.perception.proposals.propose import Sight, of_colour
from unrender.perception.proposals.reshape import as_path, retold
from unrender.perception.proposals.rings import closed_arcs, opened_rings
from unrender.perception.proposals.simplify import removals
from unrender.perception.proposals.whole_outlines import whole_outlines
from unrender.primitives.registry import find
from unrender.render.shape import TAU, A, B, Shape, Y

sys.path.insert(0, str(Path(__file__).parents[1]))
from drawing import picture

INK, PALER, WHITE = np.array([0.5, 0.1, 0.1]), np.array([0.6, 0.28, 0.28]), np.ones(3)
KINDS = [find(name) for name in ("circle", "square", "triangle", "edge", "path")]


def seen(shapes: list[Shape], *drawn: tuple) -> tuple[Interpretation, Sight]:
    """A picture, told by these shapes."""
    model = ImageModel.of(picture((96, 96), (1.0, 1.0, 1.0), list(drawn)))
    state = Interpretation(model)
    state.shapes = [Placed.of(shape, model) for shape in shapes]
    state.redraw()
    regions = divide(
        model.image, np.zeros((96, 96), bool), model.background, np.full((96, 96), 1e-5, np.float32)
    )
    return state, Sight(regions, KINDS, np.random.default_rng(0), model)


def square(y: float, b: float, half: float, colour: np.ndarray = INK) -> Shape:
    return Shape(find("square"), np.array([48.3, y, 30.2, b, 0.0, half, 0.0]), None, colour)


DRAWN = ("square", 48.3, 50.4, 60.4, 50.6, 0.0, None, tuple(INK), 1.0)


def test_three_sides_told_as_a_shorter_rectangle_take_the_fourth_that_was_told_alone() -> None:
    top = Shape(find("edge"), np.array([48.3, 25.1, 30.0, 0.55, 0.0, 0.0, 1.0]), PALER, None)
    state, sight = seen([square(53.0, 22.7, 0.5), top], DRAWN)
    accept(state, sight, whole_outlines(state, sight, state.wrong), 0.0)
    (placed,) = state.shapes
    assert placed.shape.primitive.name == "square"
    assert sorted(placed.shape.pose[[Y, A, B]]) == pytest.approx([25.3, 30.2, 50.4], abs=0.1)


def test_an_outline_that_is_told_twice_is_told_once() -> None:
    state, sight = seen([square(50.4, 25.2, 0.35), square(50.5, 25.4, 0.3)], DRAWN)
    accept(state, sight, removals(state, sight, state.wrong), 0.0)
    (placed,) = state.shapes
    assert placed.shape.pose[TAU] == pytest.approx(0.5, abs=0.05)


def test_a_thin_line_may_be_wider_and_paler() -> None:
    state, _ = seen([square(50.4, 25.3, 0.6, PALER)], DRAWN)
    assert of_colour(state, (0, 96, 0, 96), INK) == state.shapes
    assert not of_colour(state, (0, 96, 0, 96), np.array([0.1, 0.5, 0.1]))
    state, _ = seen([square(50.4, 25.3, 2.0, PALER)], DRAWN)
    assert not of_colour(state, (0, 96, 0, 96), INK)  # of a wide one the colour is known


def test_a_path_with_a_border_is_told_as_the_rectangle_that_it_draws() -> None:
    fill = np.array([0.8, 0.8, 0.9])
    drawn = ("square", 48.3, 50.4, 60.4, 50.6, 20.0, tuple(fill), tuple(INK), 4.0)
    pose = np.array([48.3, 50.4, 30.2, 25.3, np.radians(20), 2.0, 0.0])
    state, sight = seen([as_path(Shape(find("square"), pose, fill, INK))], drawn)
    assert state.shapes[0].shape.primitive.name == "path"
    accept(state, sight, retold(state, sight, state.wrong), 0.0)
    assert [placed.shape.primitive.name for placed in state.shapes] == ["square"]
    assert state.shapes[0].shape.pose[TAU] == pytest.approx(2.0, abs=0.1)


def ring(name: str, x: float, *own: float) -> Shape:
    return Shape(find(name), np.array([x, 48.0, 12.0, 12.0, 0.0, 1.0, *own]), None, INK)


def test_an_arc_whose_gap_a_ring_of_its_colour_crosses_is_a_ring_but_one_that_ends_stays() -> None:
    rings = [("circle", x, 48.0, 24.0, 24.0, 0.0, None, tuple(INK), 2.0) for x in (37.0, 60.0)]
    state, sight = seen([ring("circle", 60.0), ring("arc", 37.0, 0.05, 0.9)], *rings)
    accept(state, sight, closed_arcs(state, sight, state.wrong), 0.0)
    assert [placed.shape.primitive.name for placed in state.shapes] == ["circle", "circle"]
    state, sight = seen(
        [ring("arc", 37.0, 0.25, 0.75)], rings[0], ("square", 43, 54, 12, 12, 0, WHITE, None, 0)
    )
    accept(state, sight, closed_arcs(state, sight, state.wrong), 0.0)
    assert [placed.shape.primitive.name for placed in state.shapes] == ["arc"]


def test_a_ring_with_a_gap_is_an_arc_whatever_seemed_to_hide_it_there_but_one_behind_others_stays() -> None:
    drawn = ("circle", 48.0, 48.0, 40.0, 40.0, 0.0, None, tuple(INK), 3.0)
    gap = ("square", 68, 48, 16, 12, 0, WHITE, None, 0)
    ends = [("circle", 67.08, y, 3, 3, 0, tuple(INK), None, 0) for y in (42, 54)]
    whole = Shape(find("circle"), np.array([48.0, 48.0, 20.0, 20.0, 0.0, 1.5]), None, INK)
    cover = Shape(find("square"), np.array([68.0, 48.0, 8.0, 6.0, 0.0, 0.0, 0.0]), WHITE, None)
    for shapes in ([whole], [whole, cover]):
        state, sight = seen(shapes, drawn, gap, *ends)
        sight = replace(sight, kinds=[*KINDS, find("arc")])
        accept(state, sight, opened_rings(state, sight, state.wrong), 0.0)
        assert [placed.shape.primitive.name for placed in state.shapes] == ["arc"]
        assert state.shapes[0].shape.pose[-2:] == pytest.approx([0.05, 0.9], abs=0.01)
    state, sight = seen([whole, replace(cover, fill=PALER)], drawn, (*gap[:6], tuple(PALER), None, 0))
    sight = replace(sight, kinds=[*KINDS, find("arc")])
    accept(state, sight, opened_rings(state, sight, state.wrong), 0.0)
    assert [placed.shape.primitive.name for placed in state.shapes] == ["circle", "square"]

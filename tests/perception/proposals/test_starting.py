"""What shows of a shape tells all of it: discs in a heap are found from the arcs of their contours."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.pipeline import see_primitives
from unrender.primitives.evidence import Evidence, Line
from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import find, primitives
from unrender.render.shape import A, X, Y

sys.path.insert(0, str(Path(__file__).parents[1]))
from cairo_pictures import disc, drawn


def test_discs_of_which_others_hide_a_part_are_found() -> None:
    rng = np.random.default_rng(4)
    places = [(45, 50), (80, 45), (62, 78), (100, 80), (40, 95), (80, 108)]
    discs = [(x + rng.uniform(-2, 2), y + rng.uniform(-2, 2), rng.uniform(20, 26)) for x, y in places]
    inks = rng.uniform(0, 1, (6, 3))
    image = drawn((150, 150), *(disc(*each, tuple(ink)) for each, ink in zip(discs, inks, strict=True)))
    kinds = [find(name) for name in ("circle", "square", "triangle")]
    found = see_primitives(image, kinds).shapes
    assert [placed.shape.primitive.name for placed in found] == ["circle"] * 6
    for x, y, radius in discs:
        pose = min((p.shape.pose for p in found), key=lambda pose: math.hypot(pose[X] - x, pose[Y] - y))
        assert np.hypot(pose[X] - x, pose[Y] - y) < 0.3
        assert abs(pose[A] - radius) < 0.3


def test_only_arcs_that_bulge_out_of_a_region_are_its_own() -> None:
    corner = np.array([(0.0, -10.0), (10.0, 0.0), (0.0, 10.0), (-10.0, 0.0)])
    radius, centre = np.array([10.0, -8.0, 10.0, 0.0]), np.zeros((4, 2))
    x, y = 10 * np.cos(np.arange(40)), 10 * np.sin(np.arange(40))
    line = Line(x, y, np.ones(40), corner, radius, centre, True, np.arange(4) * 10)
    starts = find("circle").starts
    assert starts is not None
    found = starts(Evidence([line], (), 0.0, np.zeros(2), np.eye(2)))
    assert len(found) == 1  # two arcs of one circle
    assert found[0].pose[:4].tolist() == [0, 0, 10, 10]


@pytest.mark.parametrize("kind", [kind for kind in primitives().values() if kind.starts is not None])
def test_an_outline_of_which_no_point_is_known_suggests_nothing_or_something_finite(kind: Primitive) -> None:
    none, no_piece = np.zeros(0), np.zeros((0, 2))
    line = Line(none, none, none, no_piece, none, no_piece, True, np.zeros(0, np.int64))
    assert kind.starts is not None
    for start in kind.starts(Evidence([line], (), 2.0, np.zeros(2), np.diag([9.0, 1.0]))):
        assert np.isfinite(start.pose).all()

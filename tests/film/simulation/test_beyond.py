"""A still body that the border of the picture cuts goes on behind it."""

from __future__ import annotations

import numpy as np
import pytest

from unrender.film.simulation.bodies.beyond import extended
from unrender.film.simulation.bodies.seen import Seen
from unrender.film.simulation.bodies.trajectory import Array, Trajectory, box, polygon
from unrender.scene import Observation

NODE = Observation("square", p=1.0, position=(0, 0), size=(1, 1))


def still(middle: tuple[float, float], outline: Array, turn: float = 0.0) -> Trajectory:
    places = np.tile(np.array(middle), (10, 1))
    return polygon(0, outline, places, np.full(10, turn), np.ones(10, bool))


def beyond(body: Trajectory) -> Array:
    """Its corners in a picture of 200x100 px."""
    seen = extended({0: Seen(body, np.zeros(2), 0.0, NODE)}, (200, 100))[0].trajectory
    return seen.corners(body.positions[0], float(body.rotations[0]))


def test_a_floor_goes_on_to_both_sides_at_the_same_height() -> None:
    corners = beyond(still((100.0, 80.0), box(200, 16)))
    assert corners.min(axis=0) == pytest.approx([-200, 72])
    assert corners.max(axis=0) == pytest.approx([400, 88])


def test_a_slope_goes_on_along_itself() -> None:
    turn = 20.0
    corners = beyond(still((2.0, 50.0), box(60, 10), turn))
    along = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    heights = (corners - (2.0, 50.0)) @ np.array([-along[1], along[0]])
    assert np.abs(heights).max() == pytest.approx(5)
    assert ((corners - (2.0, 50.0)) @ along).min() < -200
    assert ((corners - (2.0, 50.0)) @ along).max() == pytest.approx(30)


def test_what_ends_inside_the_picture_ends_there() -> None:
    body = still((100.0, 50.0), box(100, 10))
    assert beyond(body) == pytest.approx(body.corners(body.positions[0], 0.0))

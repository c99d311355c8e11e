"""Gravity and drag from what moves freely, whatever others do that lie on something."""

from __future__ import annotations

import numpy as np
import pytest

from unrender.film.simulation.bodies.trajectory import Trajectory, box, circle, polygon
from unrender.film.simulation.free.forces import find_forces

FRAMES = 60
PULL = 0.44  # px/frame²


def at_rest(track: int, outline: np.ndarray, place: tuple[float, float]) -> Trajectory:
    """A box that never moves."""
    places = np.tile(np.asarray(place), (FRAMES, 1))
    return polygon(track, outline, places, np.zeros(FRAMES), np.ones(FRAMES, bool))


def jerking(track: int, rng: np.random.Generator) -> Trajectory:
    """A box on a floor at 102 px that is moved evenly, a little faster or slower every few frames."""
    steps = np.repeat([0.9, 0.2, 0.6, 0.1, 0.7, 0.3, 0.8, 0.2, 0.5, 0.1], FRAMES // 10)
    places = np.stack([30 + np.cumsum(steps), np.full(FRAMES, 92.0)], 1) + rng.normal(0, 0.02, (FRAMES, 2))
    return polygon(track, box(20.0, 20.0), places, np.zeros(FRAMES), np.ones(FRAMES, bool))


def falling(track: int, pull: float, rng: np.random.Generator) -> Trajectory:
    """A ball that falls, and is thrown up in the middle of the film."""
    t = np.arange(FRAMES) % (FRAMES // 2)
    rises = np.arange(FRAMES) >= FRAMES // 2
    y = np.where(rises, 85 - 5.0 * t, 20 - 1.0 * t) + pull * t**2 / 2
    places = np.stack([190 - 0.6 * np.arange(FRAMES), y], 1) + rng.normal(0, 0.02, (FRAMES, 2))
    return circle(track, 7.0, places, np.ones(FRAMES, bool))


@pytest.mark.parametrize("pull", [PULL, 0.0])
def test_what_moves_evenly_on_a_floor_says_nothing_against_gravity(pull: float) -> None:
    rng = np.random.default_rng(3)
    floor = at_rest(0, box(260.0, 16.0), (110.0, 110.0))
    found = find_forces([floor, jerking(1, rng), falling(2, pull, rng)], (220, 160))
    assert found.field.gravity == pytest.approx((0.0, pull), abs=0.01)

"""Trajectories of true motions with noise, as a film would give them, but without seeing."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from unrender.film.simulation.bodies.trajectory import Trajectory, box, circle, polygon
from unrender.film.simulation.infer import infer
from unrender.film.simulation.world import World
from unrender.worlds.mechanics import Setting


def seen(setting: Setting, noise: float = 0.05) -> list[Trajectory]:
    """The trajectories of all things, numbered as they are in the setting."""
    rng = np.random.default_rng(7)
    found = []
    for i, (thing, states) in enumerate(
        zip(setting.things, setting.run().states.swapaxes(0, 1), strict=True)
    ):
        places = states[:, :2] + rng.normal(0, noise, (len(states), 2))
        inside = ((states[:, :2] > 0) & (states[:, :2] < (setting.width, setting.height))).all(axis=1)
        if thing.kind == "circle":
            found.append(circle(i, thing.size[0] / 2, places, inside))
        else:
            turns = states[:, 2] + rng.normal(0, 60 * noise / thing.size[0], len(states))
            found.append(polygon(i, box(*thing.size), places, turns, inside))
    return found


@cache
def explained(setting: Setting, noise: float = 0.05) -> World:
    """The world that is inferred from the motions of a setting; the same for all tests that ask for it."""
    return infer(seen(setting, noise), setting.fps, (setting.width, setting.height))


@pytest.fixture
def explain() -> Callable[..., World]:
    """explain(setting, noise=0.05): the world that is inferred from its motions."""
    return explained

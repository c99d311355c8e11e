"""What touches what in simulations, and how sure that is: the same is run with all that is unsure varied."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from unrender.film.simulation.bodies.trajectory import Array
from unrender.film.simulation.run.otherwise import Paths, again, ahead
from unrender.film.simulation.world import Body, Motion, World

RUNS = 16  # of one simulation
UNKNOWN = {"restitution": (0.2, 0.95), "friction": (0.0, 0.6)}  # ranges of what the film does not tell
SPEED = 2.0  # px/s: how well any velocity is known

Touches = dict[frozenset[int], int]  # pairs of tracks (WALL is -1), with the frame in which they first touch


@dataclass(frozen=True, eq=False)
class Outcome:
    """One simulation."""

    paths: Paths
    touches: Touches
    concerned: Mapping[int, int]


def futures(world: World, frames: int, seed: int = 0) -> list[Outcome]:
    """What follows the film, as is most likely, then in worlds that could be as well."""
    found = []
    for own in _worlds(world, seed):
        touches: Touches = {}
        found.append(Outcome(ahead(own, frames, touches), touches, {}))
    return found


def pasts(world: World, removed: frozenset[int], seed: int = 0) -> list[Outcome]:
    """What would have happened without some bodies, as is most likely, then as could be as well."""
    found = []
    for own in _worlds(world, seed):
        touches: Touches = {}
        paths, concerned = again(own, removed, None, touches)
        found.append(Outcome(paths, touches, concerned))
    return found


def _worlds(world: World, seed: int) -> list[World]:
    rng = np.random.default_rng(seed)
    return [world, *(_varied(world, rng) for _ in range(RUNS - 1))]


def _varied(world: World, rng: np.random.Generator) -> World:
    bodies = tuple(_varied_body(body, rng) for body in world.bodies)
    motions = {}
    for body in world.bodies:
        motion = world.motions[body.track]
        motions[body.track] = motion if body.static is not False else _varied_motion(motion, body, rng)
    gravity, error = world.gravity, world.errors.get("gravity", 0.0)
    if gravity is not None and any(gravity):
        gravity = gravity[0] + float(rng.normal(0, error)), gravity[1] + float(rng.normal(0, error))
    return replace(world, bodies=bodies, motions=motions, gravity=gravity)


def _varied_body(body: Body, rng: np.random.Generator) -> Body:
    told: dict[str, float] = {}
    for name, (low, high) in UNKNOWN.items():
        value = getattr(body, name)
        if value is None:
            told[name] = float(rng.uniform(low, high))
        else:
            told[name] = float(np.clip(rng.normal(value, body.errors.get(name, 0.0)), 0.0, 1.5))
    mass = body.mass
    if mass is not None:
        mass *= math.exp(float(rng.normal(0, body.errors.get("mass", 0.0))))
    return replace(body, restitution=min(told["restitution"], 1.0), friction=told["friction"], mass=mass)


def _varied_motion(motion: Motion, body: Body, rng: np.random.Generator) -> Motion:
    states: Array = motion.states.copy()
    error = min(max(body.errors.get("velocity", SPEED), SPEED), 10 * SPEED)
    states[:, 3:5] += rng.normal(0, error, 2)
    return replace(motion, states=states)

"""The chapter about a film: the world found in it, the next second, and the same without one body.

The film is simulated here, so that what is found can be told beside what is true.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from unrender.brain import Brain
from unrender.film.film import Film
from unrender.film.simulation.world import World
from unrender.scene import Observation, Scene
from unrender.worlds.mechanics import Run, Setting, Thing

AHEAD = 1.0  # s
NIGHT = (24, 28, 40)
BOUNCY = 0.9  # each; a contact has the product of both
THINGS = {
    "red ball": Thing("circle", (20, 70), (20, 20), (0.9, 0.3, 0.25), (95, -70), mass=1.0, elasticity=BOUNCY),
    "yellow ball": Thing("circle", (84, 24), (26, 26), (1, 0.75, 0.2), (-10, 0), mass=1.7, elasticity=BOUNCY),
    "blue ball": Thing(
        "circle", (140, 30), (18, 18), (0.3, 0.65, 1), (-25, -30), mass=0.8, elasticity=BOUNCY
    ),
}
REMOVED = 0  # the red ball
SETTING = Setting(
    176,
    132,
    tuple(THINGS.values()),
    gravity=(0.0, 260.0),
    walls=((-60.0, 124.0, 236.0, 124.0), (8.0, -400.0, 8.0, 124.0), (168.0, -400.0, 168.0, 124.0)),
    frames=45,
)


@dataclass(frozen=True)
class Fact:
    """One value of the world: its name, as it was found, and as it is."""

    name: str
    found: str
    true: str


@dataclass(frozen=True)
class Chapter:
    """A film, its world, and two films that nobody has filmed, each with how far it is from the truth."""

    film: Film
    ahead: Film
    without: Film
    removed: str
    facts: tuple[Fact, ...]
    told: str
    ahead_off: float  # px: the mean distance from where the bodies truly are at the end
    without_off: float
    names: Mapping[int, str]  # by track

    @property
    def world(self) -> World:
        return self.film.world


def watched(brain: Brain, setting: Setting = SETTING) -> Chapter:
    """Watch the film of a setting, and find out why it moves."""
    run = setting.run()
    film = brain.watch([drawn(setting, states) for states in run.states], fps=setting.fps)
    tracks = _tracks(film, run)
    names = {track: list(THINGS)[thing] for thing, track in tracks.items()}
    count = round(AHEAD * setting.fps)
    later = replace(setting, frames=setting.frames + count).run()
    ahead, without = film.predict(AHEAD), film.without(tracks[REMOVED])
    others = {thing: track for thing, track in tracks.items() if thing != REMOVED}
    return Chapter(
        film,
        ahead,
        without,
        names[tracks[REMOVED]],
        _facts(setting, film.world, tracks),
        film.describe(),
        _off(ahead, later, tracks),
        _off(without, setting.without(REMOVED).run(), others),
        names,
    )


def drawn(setting: Setting, states: np.ndarray) -> np.ndarray:
    """The picture of one frame; states (things, 6)."""
    nodes = []
    for thing, (x, y, turn, *_) in zip(setting.things, states, strict=True):
        looks = {"filled": 1.0, "thickness": 0.1}
        for name, value in zip(("red", "green", "blue"), thing.colour, strict=True):
            looks |= {name: value, f"stroke_{name}": value}
        nodes.append(Observation(thing.kind, (float(x), float(y)), thing.size, float(turn), looks))
    return Scene(setting.width, setting.height, nodes, NIGHT).image


def _tracks(film: Film, run: Run) -> dict[int, int]:
    """By thing: the track that begins nearest to it."""
    found = {}
    for thing in range(run.states.shape[1]):
        near = min(
            film.tracks,
            key=lambda track: math.dist(
                track.observations[track.first].position, run.states[track.first, thing, :2]
            ),
        )
        found[thing] = near.number
    return found


def _facts(setting: Setting, world: World, tracks: Mapping[int, int]) -> tuple[Fact, ...]:
    pull = None if world.gravity is None else world.gravity[1]
    facts = [Fact("gravity, px/s²", _number(pull, 0), f"{setting.gravity[1]:.0f}")]
    mean = float(np.mean([thing.mass for thing in setting.things]))
    for thing, name in enumerate(THINGS):
        mass, true = world.body(tracks[thing]).mass, setting.things[thing].mass / mean
        facts.append(Fact(f"mass of the {name}", _number(mass, 2), f"{true:.2f}"))
    bounce = [body.restitution for body in world.bodies if body.restitution is not None]
    found = _number(float(np.mean(bounce)) if bounce else None, 2)
    facts.append(Fact("restitution", found, f"{BOUNCY**2:.2f} of balls, {BOUNCY:.2f} of the floor"))
    friction = [body.friction for body in world.bodies if body.friction is not None]
    slippery = f"{setting.things[0].friction:.1f}"
    return (*facts, Fact("friction", _number(friction[0] if friction else None, 2), slippery))


def _number(value: float | None, digits: int) -> str:
    return "the film cannot tell" if value is None else f"{value:.{digits}f}"


def _off(film: Film, run: Run, tracks: Mapping[int, int]) -> float:
    """px: the mean distance between bodies of the last frame and where they truly are."""
    seen = {node.track: node.position for node in film.scenes[-1].axioms}
    far = [
        math.dist(seen[track], run.states[-1, thing, :2]) for thing, track in tracks.items() if track in seen
    ]
    return float(np.mean(far)) if far else math.nan

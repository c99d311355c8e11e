"""How well a world that was inferred from a film agrees with the setting that the film was made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from operator import mul

import numpy as np
from numpy.typing import NDArray

from unrender.film.simulation.bodies.trajectory import Trajectory, box, circle, polygon
from unrender.film.simulation.run.otherwise import again, ahead
from unrender.film.simulation.world import Body, World
from unrender.worlds.mechanics import WALL, Contact, Run, Setting, Thing

Rule = Callable[[float, float], float]
AHEAD = (10, 30)  # frames
CONCERNED = 0.02  # of the width: who ends further from where it was is concerned by a removal
FAST = 12.0  # px/s: a slower impact tells nothing
MOVED = 0.5  # px
DISTURBED = 4  # times that the true world is run with all its numbers a little off
OFF = {"position": 0.03, "velocity": 0.3, "size": 0.06, "restitution": 0.003, "friction": 0.01, "mass": 0.005}
# px, px/s, px, and of mass relative: about half of what clean films of 60 to 120 frames tell


@dataclass
class Score:
    """What was measured, over all films of a row."""

    gravity: list[float] = field(default_factory=list)  # relative; of none, the share of 300 px/s²
    drag: list[float] = field(default_factory=list)  # relative
    stiffness: list[float] = field(default_factory=list)  # relative
    restitution: list[float] = field(default_factory=list)
    friction: list[float] = field(default_factory=list)
    mass: list[float] = field(default_factory=list)  # relative
    told: list[bool] = field(default_factory=list)  # where it can be known
    silent: list[bool] = field(default_factory=list)  # where it cannot
    ahead: dict[int, list[float]] = field(default_factory=lambda: {n: [] for n in AHEAD})  # of the width
    removed: list[float] = field(default_factory=list)  # of the width
    chaos: list[float] = field(default_factory=list)  # of the width: the same of the true world, disturbed
    answers: list[bool] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Engine:
    """What made a film: how a setting is run, and how restitution and friction of two bodies are combined.

    rub is None where friction is not proportional to the force that presses.
    """

    run: Callable[[Setting], Run]
    bounce: Rule
    rub: Rule | None


PYMUNK = Engine(Setting.run, mul, mul)


def motions(setting: Setting, run: Run, noise: float, rng: np.random.Generator) -> list[Trajectory]:
    """The true trajectories with noise, as a film that is seen well would give them."""
    found = []
    for i, thing in enumerate(setting.things):
        states = run.states[:, i]
        places = states[:, :2] + rng.normal(0, noise, (len(states), 2))
        inside = ((states[:, :2] > 0) & (states[:, :2] < (setting.width, setting.height))).all(axis=1)
        if not inside.any():
            continue
        if thing.kind == "circle":
            found.append(circle(i, thing.size[0] / 2, places, inside))
        else:
            turns = states[:, 2] + rng.normal(0, 60 * noise / thing.size[0], len(states))
            found.append(polygon(i, box(*thing.size), places, turns, inside))
    return found


def score(
    setting: Setting,
    run: Run,
    world: World,
    things: Mapping[int, int],
    into: Score,
    engine: Engine = PYMUNK,
) -> None:
    """Add one film. things: the thing of each track."""
    _fields(setting, world, into)
    _springs(setting, world, into)
    bodies = {things[body.track]: body for body in world.bodies if body.track in things}
    _materials(setting, run, bodies, into, engine)
    _ahead(setting, world, things, into, engine)
    _removed(setting, run, world, things, into, engine)


def _fields(setting: Setting, world: World, into: Score) -> None:
    size = math.hypot(*setting.gravity)
    known = any(not thing.static for thing in setting.things)
    if known:
        into.told.append(world.gravity is not None)
    if world.gravity is not None:
        into.gravity.append(math.dist(world.gravity, setting.gravity) / (size or 300.0))
    if world.drag is not None and setting.drag > 0:
        into.drag.append(abs(world.drag / setting.drag - 1))


def _springs(setting: Setting, world: World, into: Score) -> None:
    for link in setting.links:
        if link.stiffness is None:
            continue
        masses = [setting.things[k].mass for k in (link.a, link.b) if k != WALL]
        goal = link.stiffness / (sum(masses) / len(masses))
        found = [spring.stiffness for spring in world.springs if spring.stiffness is not None]
        into.stiffness.append(min((abs(own / goal - 1) for own in found), default=1.0))


def _impacts(setting: Setting, run: Run) -> list[Contact]:
    """Contacts that a film can tell: fast, and neither at its beginning nor at its end."""
    found = []
    for contact in run.contacts:
        frame = contact.time * setting.fps
        if not 3 < frame < setting.frames - 4:
            continue
        before, after = (run.states[int(frame) + k] for k in (0, 1))
        change = np.abs(after[contact.a, 3:5] - before[contact.a, 3:5]).max()
        seen = (before[contact.a, :2] > 0).all() and (
            before[contact.a, :2] < (setting.width, setting.height)
        ).all()
        if change > 2 * FAST and seen:
            found.append(contact)
    return found


def _materials(setting: Setting, run: Run, bodies: Mapping[int, Body], into: Score, engine: Engine) -> None:
    impacts = _impacts(setting, run)
    any_touch = {k for contact in run.contacts for k in (contact.a, contact.b)}
    weighed = [(k, body) for k, body in bodies.items() if body.mass is not None]
    unit = sum(setting.things[k].mass for k, _ in weighed) / max(len(weighed), 1)
    linked = {k for link in setting.links for k in (link.a, link.b) if link.b != WALL}
    for k, body in bodies.items():
        thing = setting.things[k]
        if thing.static:
            continue
        own = [contact for contact in impacts if k in (contact.a, contact.b)]
        if body.mass is not None:
            into.mass.append(abs(body.mass / (thing.mass / unit) - 1))
        if own:
            into.told.append(body.restitution is not None)
        if k not in any_touch:
            into.silent += [body.restitution is None, body.friction is None]
            if k not in linked:
                into.silent.append(body.mass is None)
        bounces = [_contact(setting, contact, "elasticity", engine.bounce) for contact in own]
        if body.restitution is not None and bounces:
            into.restitution.append(abs(body.restitution - float(np.mean(bounces))))
        touched = [c for c in run.contacts if k in (c.a, c.b)]
        if body.friction is not None and touched and engine.rub is not None:
            rubs = [_contact(setting, contact, "friction", engine.rub) for contact in touched]
            into.friction.append(abs(body.friction - float(np.mean(rubs))))


def _contact(setting: Setting, contact: Contact, name: str, rule: Rule) -> float:
    """Restitution or friction of a contact, as the engine combines them."""
    walls = {"elasticity": setting.wall_elasticity, "friction": setting.wall_friction}
    ours, theirs = (
        walls[name] if k == WALL else float(getattr(setting.things[k], name)) for k in (contact.a, contact.b)
    )
    return rule(ours, theirs)


def _ahead(setting: Setting, world: World, things: Mapping[int, int], into: Score, engine: Engine) -> None:
    paths = ahead(world, max(AHEAD))
    truth = engine.run(replace(setting, frames=setting.frames + max(AHEAD))).states[setting.frames :]
    for track, path in paths.items():
        k = things.get(track)
        if k is None or setting.things[k].static:
            continue
        for n in AHEAD:
            x, y = truth[n - 1, k, :2]
            if not (0 <= x <= setting.width and 0 <= y <= setting.height):
                continue  # where a slope ends that goes on beyond the picture, no film tells
            into.ahead[n].append(math.dist(path[n - 1, :2], truth[n - 1, k, :2]) / setting.width)


def _removed(
    setting: Setting, run: Run, world: World, things: Mapping[int, int], into: Score, engine: Engine
) -> None:
    tracks = {k: track for track, k in things.items()}
    rng = np.random.default_rng(0)
    nearly = [_disturbed(setting, rng) for _ in range(DISTURBED)]
    for gone, thing in enumerate(setting.things):
        if thing.static or gone not in tracks:
            continue
        truth: NDArray[np.float64] = engine.run(setting.without(gone)).states[-1, :, :2]
        apart = np.linalg.norm(truth - run.states[-1, :, :2], axis=1)
        others = [k for k in tracks if k != gone and apart[k] > CONCERNED * setting.width]
        if not others:
            continue
        paths, _ = again(world, frozenset([tracks[gone]]))
        ends = [engine.run(own.without(gone)).states[-1, :, :2] for own in nearly]
        for k in others:
            if not setting.things[k].static and tracks[k] in paths:
                into.removed.append(math.dist(paths[tracks[k]][-1, :2], truth[k]) / setting.width)
                into.chaos.append(
                    float(np.mean([math.dist(end[k], truth[k]) for end in ends])) / setting.width
                )


def _disturbed(setting: Setting, rng: np.random.Generator) -> Setting:
    """The same setting with all numbers of its bodies off by about as much as a film leaves them unsure.

    How far its bodies end from where they truly would is what no reader of the film can do much better.
    """

    def pair(values: tuple[float, float], by: float) -> tuple[float, float]:
        return float(values[0] + rng.normal(0, by)), float(values[1] + rng.normal(0, by))

    def near(thing: Thing) -> Thing:
        larger = float(rng.normal(0, OFF["size"]))
        return replace(
            thing,
            position=pair(thing.position, OFF["position"]),
            velocity=pair(thing.velocity, OFF["velocity"]),
            size=(thing.size[0] + larger, thing.size[1] + larger),
            elasticity=thing.elasticity + float(rng.normal(0, OFF["restitution"])),
            friction=max(thing.friction + float(rng.normal(0, OFF["friction"])), 0.0)
            if thing.friction
            else 0.0,
            mass=thing.mass * math.exp(float(rng.normal(0, OFF["mass"]))),
        )

    return replace(setting, things=tuple(thing if thing.static else near(thing) for thing in setting.things))

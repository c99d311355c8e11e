"""What all contacts of a world have in common: its parameters, in units of how well each is known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.film.simulation.bodies.trajectory import Array
from unrender.film.simulation.fit.shots import Shot
from unrender.film.simulation.run.simulator import usual, weight
from unrender.film.simulation.world import Body, Contact, World

LOOSE = 1.0
LEAST = {"restitution": 0.01, "friction": 0.03, "mass": 0.02}  # errors are not trusted to be smaller
UNKNOWN = {"restitution": 0.25, "friction": 0.3, "mass": 0.5}  # errors of what is not known; of log mass
TOLD = {"restitution": 0.06, "friction": 0.05, "mass": 0.1}  # errors up to which what was not known is told
WHOLE = -1  # in place of a track: a parameter of the whole world


@dataclass(frozen=True)
class Parameter:
    """One number of a body, or of the whole world; `scale` is its error before the fit.

    That of a mass is of its logarithm.
    """

    name: str  # "restitution", "friction", "mass"; "pull x", "pull y", "drag"
    track: int
    value: float
    scale: float
    known: bool = True

    def at(self, offset: float) -> float:
        """Its value when it is off by so many scales."""
        if self.name == "mass":
            return self.value * math.exp(float(np.clip(offset * self.scale, -3, 3)))
        most = {"restitution": 1.0, "friction": 2.0}.get(self.name, math.inf)
        least = -math.inf if self.name.startswith("pull") else 0.0
        return min(max(self.value + offset * self.scale, least), most)


@dataclass(frozen=True, eq=False)
class Parameters:
    """The parameters of a world that its contacts can tell."""

    base: World
    all: tuple[Parameter, ...]

    @classmethod
    def of(cls, world: World, shots: Sequence[Shot]) -> Parameters:
        """Forces, materials of all that touches, and masses of those that touch each other."""
        touching = {track for shot in shots for track in shot.tracks}
        meeting = {t for shot in shots if len(shot.tracks) > 1 for t in shot.tracks}
        found = []
        if world.gravity is not None and any(world.gravity):
            error = world.errors["gravity"]
            found += [Parameter(f"pull {way}", WHOLE, world.gravity[i], error) for i, way in enumerate("xy")]
        if world.drag:
            found.append(Parameter("drag", WHOLE, world.drag, world.errors["drag"]))
        for body in world.bodies:
            if body.track in touching:
                names = ("restitution", "friction", *(("mass",) if body.track in meeting else ()))
                found += [_of_body(world, body, name) for name in names]
        return cls(world, tuple(found))

    def concerns(self, index: int, shot: Shot) -> bool:
        """Whether a parameter may matter in a shot."""
        return self.all[index].track in (WHOLE, *shot.tracks)

    def world(self, offsets: Array) -> World:
        """The world with its parameters off by so many scales."""
        bodies = {body.track: body for body in self.base.bodies}
        pull, drag = self.base.gravity, self.base.drag
        changes: dict[int, float] = {}
        for own, offset in zip(self.all, offsets, strict=True):
            value = own.at(float(offset))
            if own.name == "drag":
                drag = value
            elif own.name == "pull x" and pull is not None:
                pull = value, pull[1]
            elif own.name == "pull y" and pull is not None:
                pull = pull[0], value
            else:
                bodies[own.track] = _with(bodies[own.track], own.name, value)
            if own.name == "restitution":
                changes[own.track] = value - own.value
        told = tuple(bodies[body.track] for body in self.base.bodies)
        contacts = tuple(_shifted(contact, changes) for contact in self.base.contacts)
        return replace(self.base, gravity=pull, drag=drag, bodies=told, contacts=contacts)

    def told(self, offsets: Array, errors: Array) -> World:
        """The world as it is told, with errors (P,) in scales: what is still not known stays None."""
        world = self.world(offsets)
        bodies = {body.track: body for body in world.bodies}
        known, likely = dict(world.errors), dict(world.likely)
        for own, error in zip(self.all, errors * [one.scale for one in self.all], strict=True):
            if own.track == WHOLE:
                name = "drag" if own.name == "drag" else "gravity"
                known[name] = max(min(float(error), known[name]), 1e-6)
                continue
            body = bodies[own.track]
            # A disc that slips and one that rolls look alike at a blow: a curvature does not know of both.
            hidden = own.name == "friction" and self.base.shapes[own.track].is_circle
            if own.known or (error < TOLD.get(own.name, 0.0) and not hidden):
                bodies[own.track] = replace(body, errors={**body.errors, own.name: float(error)})
            else:
                before = getattr(self.base.body(own.track), own.name)
                likely[own.track, own.name] = getattr(body, own.name)
                bodies[own.track] = _with(body, own.name, before)
        masses = [body.mass for body in bodies.values() if body.mass is not None]
        mean = sum(masses) / len(masses) if masses else 1.0
        for track, body in bodies.items():
            if body.mass is not None:
                bodies[track] = replace(body, mass=body.mass / mean)
        likely = {key: value / mean if key[1] == "mass" else value for key, value in likely.items()}
        told = tuple(bodies[body.track] for body in world.bodies)
        return replace(world, bodies=told, errors=known, likely=likely)


def _of_body(world: World, body: Body, name: str) -> Parameter:
    value = getattr(body, name)
    if value is not None:
        scale = max(LOOSE * body.errors.get(name, UNKNOWN[name]), LEAST[name])
        return Parameter(name, body.track, value, scale)
    guess = weight(world, world.shapes[body.track]) if name == "mass" else usual(world, name)
    return Parameter(name, body.track, guess, UNKNOWN[name], known=False)


def _with(body: Body, name: str, value: float | None) -> Body:
    if name == "mass":
        return replace(body, mass=value)
    return replace(body, restitution=value) if name == "restitution" else replace(body, friction=value)


def _shifted(contact: Contact, changes: dict[int, float]) -> Contact:
    """What was seen of two bodies changes with what is told of both."""
    if contact.restitution is None or contact.b is None:
        return contact
    change = (changes.get(contact.a, 0.0) + changes.get(contact.b, 0.0)) / 2
    return replace(contact, restitution=min(max(contact.restitution + change, 0.0), 1.0))

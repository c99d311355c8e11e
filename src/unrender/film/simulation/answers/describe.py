"""A world in sentences, and what the film cannot tell of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from unrender.film.simulation.world import Body, Spring, World
from unrender.scene.language.naming import Names
from unrender.scene.language.words import counted, listed, sentence

if TYPE_CHECKING:
    from unrender.film.simulation.drawn import Explained

WAYS = ("to the right", "down and to the right", "down", "down and to the left")
WAYS_ON = ("to the left", "up and to the left", "up", "up and to the right")


def described(explained: Explained) -> list[str]:
    """Sentences about the forces, walls, springs and bodies of a film, then about what it cannot tell."""
    world = explained.world
    if not any(body.static is False for body in world.bodies):
        return []
    nodes = {track: seen.node for track, seen in explained.bodies.items()}
    names = Names(list(nodes.values()))
    called = {track: names.one(node) for track, node in nodes.items()}
    told = [*_forces(world), *_ties(world, called), *_materials(world, called)]
    if world.walls:
        told.append(f"{counted(len(world.walls), 'wall')} that may not be drawn can be told from bounces")
    return [sentence(own) for own in [*told, *_unknown(world)]]


def _forces(world: World) -> Iterator[str]:
    if world.gravity is not None:
        size = math.hypot(*world.gravity)
        way = (*WAYS, *WAYS_ON)[round(math.degrees(math.atan2(*world.gravity[::-1])) / 45) % 8]
        yield f"gravity pulls {way} with {size:.0f} px/s²" if size else "there is no gravity"
    if world.drag:
        yield f"drag slows everything down by {100 * (1 - math.exp(-world.drag)):.0f} % a second"


def _ties(world: World, called: dict[int, str]) -> Iterator[str]:
    for spring in world.springs:
        a, b = (_end(end, called) for end in (spring.a, spring.b))
        kind = "a rod" if spring.stiffness is None else "a spring"
        yield f"{kind} holds {a} to {b}{_stiff(spring)}"


def _end(end: Body | tuple[float, float], called: dict[int, str]) -> str:
    return called[end.track] if isinstance(end, Body) else f"the point {end[0]:.0f}, {end[1]:.0f}"


def _stiff(spring: Spring) -> str:
    return "" if spring.stiffness is None else f", with a stiffness of {spring.stiffness:.3g} per s²"


def _materials(world: World, called: dict[int, str]) -> Iterator[str]:
    weighed = [body for body in world.bodies if body.mass is not None]
    if len(weighed) > 1:
        heaviest = max(weighed, key=lambda body: body.mass or 0.0)
        lightest = min(weighed, key=lambda body: body.mass or 0.0)
        ratio = (heaviest.mass or 1.0) / (lightest.mass or 1.0)
        if ratio > 1.1:
            yield f"{called[heaviest.track]} is {ratio:.2g} times as heavy as {called[lightest.track]}"
    bounces = [body.restitution for body in world.bodies if body.restitution is not None]
    if bounces:
        yield f"bodies part with {100 * sum(bounces) / len(bounces):.0f} % of the speed at which they meet"


def _unknown(world: World) -> Iterator[str]:
    missing = [name for name in ("gravity", "drag") if getattr(world, name) is None]
    moving = [body for body in world.bodies if body.static is False]
    for name, plural in (("mass", "masses"), ("restitution", "restitution"), ("friction", "friction")):
        if all(getattr(body, name) is None for body in moving):
            missing.append(plural)
    if missing:
        yield f"the film cannot tell {listed(missing)}"

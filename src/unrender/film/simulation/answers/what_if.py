"""Changes of a world in words, by the names that edits of a scene use: "circle.2.velocity*=2"."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from unrender.errors import UnrenderError, nearest
from unrender.film.simulation.bodies.trajectory import Array
from unrender.film.simulation.drawn import Explained
from unrender.film.simulation.world import Body, World
from unrender.scene.addresses import find
from unrender.scene.edit.commands import SIGNS, Assignment, Removal, parse

if TYPE_CHECKING:
    from unrender.film.film import Film

STATE: Mapping[str, tuple[int, ...]] = {
    "position": (0, 1),
    "x": (0,),
    "y": (1,),
    "rotation": (2,),
    "velocity": (3, 4),
    "speed": (3, 4),
    "spin": (5,),
}
MATERIAL: Mapping[str, float] = {"mass": 1.0, "restitution": 0.6, "friction": 0.3}  # where nothing is known
WORLD = ("gravity", "drag")


def tracks_named(film: Film, name: str) -> list[int]:
    """The tracks of what an address means in the first frame that has such a thing."""
    trouble: UnrenderError | None = None
    for scene in film.scenes:
        try:
            found = [one.node.track for one in find(scene, name)]
        except UnrenderError as error:
            trouble = trouble or error
            continue
        return [track for track in found if track is not None]
    raise trouble or UnrenderError(f'There is no "{name}" in this film.')


def what_if(explained: Explained, text: str) -> Film:
    """The film as it would be with a change: of a body when it first appears, or of the world."""
    edit = parse(text if not text.strip().startswith(WORLD) else f"world.{text.strip()}")
    film, world = explained.film, explained.world
    if isinstance(edit, Removal):
        return explained.without(frozenset(tracks_named(film, edit.target)))
    if edit.target == "world":
        made = _of_world(world, edit)
        return explained.changed(made, {t: _first(world, t) for t in world.motions if _moves(world, t)})
    states: dict[int, Array] = {}
    for track in tracks_named(film, edit.target):
        if track not in world.motions:
            raise UnrenderError(f'"{edit.target}" is no body of its own, so nothing can move it.')
        state = _first(world, track)
        if edit.attribute in STATE:
            states[track] = _of_state(state, edit)
        elif edit.attribute in MATERIAL:
            world, states[track] = _of_material(world, track, edit), state
        else:
            known = [*STATE, *MATERIAL]
            raise UnrenderError(
                f'A body has no "{edit.attribute}" that a simulation could change.'
                f"{nearest(edit.attribute, known) or ' It has ' + ', '.join(known) + '.'}"
            )
    return explained.changed(world, states)


def _moves(world: World, track: int) -> bool:
    return world.body(track).static is False


def _first(world: World, track: int) -> Array:
    motion = world.motions[track]
    return np.array(motion.states[max(motion.first, 0)])


def _of_state(state: Array, edit: Assignment) -> Array:
    made = state.copy()
    columns = STATE[edit.attribute]
    if edit.attribute == "speed":
        old = math.hypot(state[3], state[4])
        new = SIGNS[edit.sign](old, _numbers(edit, 1)[0])
        made[3:5] = state[3:5] / old * new if old > 0 else (new, 0.0)
        return made
    for column, value in zip(columns, _numbers(edit, len(columns)), strict=True):
        made[column] = SIGNS[edit.sign](float(state[column]), value)
    return made


def _of_material(world: World, track: int, edit: Assignment) -> World:
    old: Body = world.body(track)
    known = getattr(old, edit.attribute)
    value = SIGNS[edit.sign](MATERIAL[edit.attribute] if known is None else known, _numbers(edit, 1)[0])
    if value < 0 or (edit.attribute == "mass" and value == 0):
        raise UnrenderError(f"The {edit.attribute} of a body cannot be {value:g}.")
    change = {
        "mass": replace(old, mass=value),
        "restitution": replace(old, restitution=value),
        "friction": replace(old, friction=value),
    }
    bodies = tuple(change[edit.attribute] if body.track == track else body for body in world.bodies)
    contacts = world.contacts
    if edit.attribute == "restitution":  # what was seen of its collisions no longer holds
        contacts = tuple(
            replace(one, restitution=None) if track in (one.a, one.b) else one for one in contacts
        )
    return replace(world, bodies=bodies, contacts=contacts)


def _of_world(world: World, edit: Assignment) -> World:
    if edit.attribute == "gravity":
        old = world.gravity or (0.0, 0.0)
        values = _numbers(edit, 2)
        made = tuple(SIGNS[edit.sign](own, value) for own, value in zip(old, values, strict=True))
        return replace(world, gravity=(made[0], made[1]))
    if edit.attribute == "drag":
        return replace(world, drag=max(SIGNS[edit.sign](world.drag or 0.0, _numbers(edit, 1)[0]), 0.0))
    raise UnrenderError(f'A world has no "{edit.attribute}"; it has gravity and drag.')


def _numbers(edit: Assignment, count: int) -> list[float]:
    """The value of a change; one number may stand for both of a pair where it multiplies."""
    try:
        numbers = [float(word) for word in edit.value.replace(",", " ").split()]
    except ValueError:
        numbers = []
    if len(numbers) == 1 and edit.sign in ("*=", "/="):
        numbers *= count
    if len(numbers) == 1 and count == 2 and numbers[0] == 0 and edit.sign == "=":
        numbers *= 2
    if len(numbers) != count or not all(map(math.isfinite, numbers)) or (edit.sign == "/=" and 0 in numbers):
        wanted = "a number" if count == 1 else 'two numbers, like "20,30"'
        raise UnrenderError(f'The {edit.attribute} takes {wanted}, not "{edit.value}".')
    return numbers

"""Mirror images: the same parts, left and right exchanged."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unrender.capsules.experience import DEFAULT_WIDTH, Entry
from unrender.capsules.gamma import whole
from unrender.capsules.poses import HEIGHT, ROTATION, WIDTH, X, Y
from unrender.capsules.route import Route
from unrender.capsules.variants.correspondence import centred, correspondence, read_as, shares
from unrender.primitives.registry import primitives
from unrender.scene import Observation

TURNS = (0.0, 180.0, 90.0, -90.0)  # by which an example may have been turned when it was taught
AGREES = 1.5  # windows within which every part of a mirror image lies
STIFF = frozenset({"circle", "square", "triangle", "edge"})  # primitives that are their own mirror images


def mirrored(part: Observation, middle: float) -> Observation | None:
    """A part, left and right of x = `middle` px exchanged; None if what it is cannot be turned over."""
    (x, y), form = part.position, part.form
    if part.symbol == "path" and form is not None:
        form = _turned_over(form)
    elif part.symbol in primitives() and part.symbol not in STIFF:
        return None
    looks = part.attributes
    if "mirrored" in looks:
        looks = looks | {"mirrored": 1.0 - looks["mirrored"]}
    turn = math.remainder(-part.rotation, 360.0)
    return replace(part, position=(2 * middle - x, y), rotation=turn, form=form, attributes=looks)


def _turned_over(form: tuple[float, ...]) -> tuple[float, ...]:
    """The form of a path with its x exchanged: arcs bend the other way."""
    from unrender.primitives.polycurve import coordinates, node_size

    values = np.array(form, float)
    values[coordinates(values)] *= -1
    i = 0
    while i < len(values):
        size = int(node_size(values[i]))
        if size == 4:
            values[i + 3] *= -1
        i += size
    return tuple(values.tolist())


def mirror_parts(parts: Sequence[Observation]) -> list[Observation] | None:
    """All parts of an example turned over about their middle; None if one of them cannot be."""
    middle = whole("", parts).position[0]
    made = [mirrored(part, middle) for part in parts]
    found = [part for part in made if part is not None]
    return found if len(found) == len(made) else None


def mirror_route(route: Route) -> Route | None:
    """A route as if the mirror image of its first example had been taught."""
    parts = mirror_parts(route.memory[0].parts)
    if parts is None or route.given is not None:
        return None
    entry = Entry(tuple(parts), whole(route.symbol, parts))
    return replace(
        route, memory=(entry,), decoder=None, noticer=None, past=None, variant=f"{route.variant}~mirrored"
    )


def is_mirror_image(one: Route, other: Route) -> bool:
    """Whether the example of one route is that of the other, turned over."""
    if Counter(one.parts) != Counter(other.parts) or len(one.parts) < 2:
        return False
    parts = mirror_parts(one.memory[0].parts)
    return parts is not None and any(_agrees(parts, other.memory[0].parts, one, turn) for turn in TURNS)


def _agrees(known: Sequence[Observation], seen: Sequence[Observation], route: Route, turn: float) -> bool:
    (poses, sides), (others, extents) = centred(known), centred(seen, turn)
    own, its = shares(poses, sides), shares(others, extents)
    pairs = correspondence(known, own, seen, its)
    if pairs is None:
        return False
    off = np.abs(read_as(its[pairs], own, route.turnings) - own)
    off[:, [WIDTH, HEIGHT]] = np.abs(
        np.log(read_as(its[pairs], own, route.turnings)[:, [WIDTH, HEIGHT]] / own[:, [WIDTH, HEIGHT]])
    )
    formed = np.array([part.form is not None for part in known])
    off[formed, ROTATION] = 0.0  # two forms of one outline may be told in frames that are turned
    off[formed, WIDTH], off[formed, HEIGHT] = 0.0, 0.0
    aspect = abs(math.log(float(sides[0] / sides[1] * extents[1] / extents[0])))
    close = off[:, [X, Y, WIDTH, HEIGHT, ROTATION]] < AGREES * DEFAULT_WIDTH
    return bool(close.all()) and aspect < AGREES * DEFAULT_WIDTH[WIDTH]

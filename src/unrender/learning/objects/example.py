"""Examples: which parts of a scene a lesson is made of, and whether memory holds them already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from unrender.capsules.equivalents import read_like, retold
from unrender.capsules.experience import Entry
from unrender.capsules.poses import ROTATION, pose_of
from unrender.capsules.route import Route
from unrender.errors import UnrenderError
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation, Scene

SAME_PLACE = 0.5  # px by which position and size of a part may differ in two looks at one example
SAME_TURN = 1.0  # degrees
SAME_LOOK = 0.02  # of an attribute


def check_parts(scene: Scene, parts: Sequence[Observation] | None) -> list[Observation]:
    """The parts back to front, or one sentence about what is wrong with them."""
    if parts is not None and not isinstance(parts, Sequence):
        raise UnrenderError(f"Parts are a list of observations of the scene, not {parts!r}.")
    chosen = scene.axioms if parts is None else list(parts)
    if not chosen:
        raise UnrenderError("An object needs at least one part; choose some of scene.observations.")
    known = {id(node) for node in scene.observations}
    for part in chosen:
        if not isinstance(part, Observation):
            raise UnrenderError(f"A part must be an observation of the scene, not {part!r}.")
        if id(part) not in known:
            raise UnrenderError(f"The {part.symbol} is a part of another scene; choose from this one.")
        if min(part.size) <= 0:
            raise UnrenderError(f"The {part.symbol} has no extent; choose parts that can be seen.")
    if len({id(part) for part in chosen}) < len(chosen):
        raise UnrenderError("A part is given twice; name each of them once.")
    for part in chosen:
        if any(other is not part and any(node is other for node in part.walk()) for other in chosen):
            raise UnrenderError(f"One part lies inside another one ({part.symbol}); choose only one of them.")
    return sorted(chosen, key=lambda part: max((leaf.depth or 0 for leaf in part.primitives), default=0))


def without_guesses(parts: Sequence[Observation]) -> tuple[list[Observation], tuple[str, ...]]:
    """The parts that were seen, and the symbols of the wholes that were merely guessed.

    A whole with hidden parts may be something else: what was seen of it takes its place.
    """
    guesses = [part for part in parts if part.hidden]
    return [own for part in parts for own in _seen(part)], tuple(part.symbol for part in guesses)


def _seen(part: Observation) -> Iterator[Observation]:
    if not part.hidden:
        yield part
    else:
        for own in part.parts:
            yield from _seen(own)


def remembers(route: Route, entry: Entry) -> bool:
    """Whether a route's memory holds this very example: the same parts at the same place of a picture."""
    return any(
        all(
            any(map(partial(_same, part), known.parts, route.turnings))  # alike parts may have changed places
            for part in entry.parts
        )
        for known in route.memory
    )


def _same(part: Observation, known: Observation, turning: Symmetry) -> bool:
    if part.symbol != known.symbol:
        return False
    wanted = pose_of(known)
    pose, own = read_like(retold(part, known)[0], wanted, turning)
    off = np.abs(pose - wanted)
    names = part.attributes.keys() | known.attributes.keys()
    looks = (abs(own.get(name, 0.0) - known.attributes.get(name, 0.0)) for name in names)
    return bool(
        off[:ROTATION].max() <= SAME_PLACE
        and off[ROTATION] <= SAME_TURN
        and max(looks, default=0.0) <= SAME_LOOK
    )

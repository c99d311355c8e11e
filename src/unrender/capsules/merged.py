"""Patches of one colour that nothing known explains, or known objects that touch or lie over one another:
told once more as the known objects that fill them.

Rectangles of one colour may be pieces of objects that touch, and one that ends at another shape or at the
edge of the picture may go on behind it or not: what shows is the same. Where a known object, or several,
fill exactly what shows, that is what is there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.capsules.blocks import Blocks, blocks
from unrender.capsules.mosaic import ALIKE, PARALLEL, PIECES, Floats, Form, Placed, fill, forms_of
from unrender.capsules.poses import HEIGHT, ROTATION, WIDTH, X, Y, pose_of
from unrender.capsules.route import Route
from unrender.capsules.stains import Stain, same_colour, stains
from unrender.scene import Observation, Scene

COMMON = 0.3  # of the shortest side must two rectangles share to lie over one another
BESIDE = 0.5  # px between rectangles that touch, at the most
FORMS = 160  # at the most are tried


@dataclass(frozen=True)
class Retelling:
    """Primitives in place of others that show the same."""

    gone: list[Observation]
    made: list[Observation]


def solid_forms(routes: Sequence[Route]) -> list[Form]:
    """The forms of all objects that are made of filled rectangles of one colour; of too many, those of the
    objects that were learned last."""
    solid: dict[Route, Floats] = {}
    for route in routes:
        parts = route.memory[0].parts
        alike = all(is_solid(part) and same_colour(part, parts[0]) for part in parts)
        if route.given is None and not route.own and alike:
            solid[route] = np.stack([pose_of(part) for part in route.typical(route.memory[0].whole)])
    forms = forms_of(solid.values())
    if len(forms) > FORMS:
        latest = sorted(solid, key=lambda route: -route.learned)
        forms = forms_of(solid[route] for route in latest)[:FORMS]
    return forms


def retellings(
    scene: Scene,
    leaves: Sequence[Observation],
    wholes: Sequence[Observation],
    forms: Sequence[Form],
    scales: Mapping[int, float],
) -> Iterator[Retelling]:
    """How the patches of a scene that are in doubt may be told as known objects that fill them.

    leaves: its primitives, in its order; wholes: what is known to be made of them; scales: how much larger
    each of these is than it was taught, by its id.
    """
    owners = {id(part): whole for whole in wholes for part in whole.parts}
    loose = [leaf for leaf in leaves if leaf.symbol == "square" and id(leaf) not in owners]
    met = list(_meeting(wholes))
    crossing = {id(leaf) for leaf, over in met if over}
    for stain in stains(scene, leaves, loose + [leaf for leaf, _ in met]):
        own = {id(owners[id(leaf)]): owners[id(leaf)] for leaf in stain.leaves if id(leaf) in owners}
        inside = {id(leaf) for leaf in stain.leaves}
        if all(id(leaf) in owners and id(leaf) not in crossing for leaf in stain.leaves):
            if any(id(leaf) not in inside for whole in own.values() for leaf in whole.primitives):
                continue
            most = limit = len(own)  # all is known, but perhaps not the likeliest
        else:
            most, limit = max(len(stain.leaves), len(stain.masks)), PIECES  # others would not be simpler
        others = [scale for whole, scale in scales.items() if whole not in own]
        if made := _filled(stain, forms, _usual(others), most, limit):
            yield Retelling(stain.leaves, made)


def told_again(leaves: Sequence[Observation], changes: Sequence[Retelling]) -> dict[int, Observation]:
    """All primitives after these changes, ranked anew, by the ids of what they were."""
    told = list(leaves)
    for change in changes:
        gone = {id(leaf) for leaf in change.gone}
        at = min(n for n, leaf in enumerate(told) if id(leaf) in gone)
        rest = [leaf for leaf in told if id(leaf) not in gone]
        told = [*rest[:at], *change.made, *rest[at:]]
    return {id(leaf): replace(leaf, depth=depth) for depth, leaf in enumerate(told)}


def is_solid(node: Observation) -> bool:
    """Whether this is a filled rectangle."""
    return node.symbol == "square" and node.attributes.get("filled", 0.0) > 0.5


def _meeting(wholes: Sequence[Observation]) -> Iterator[tuple[Observation, bool]]:
    """Rectangles of known objects that touch one of their colour which belongs to another object, and whether
    they lie over one: it may be a mere coincidence that both are known."""
    inner = {id(part) for whole in wholes for part in whole.parts}
    tops = [whole for whole in wholes if id(whole) not in inner]
    solid = [(n, leaf) for n, whole in enumerate(tops) for leaf in whole.primitives if is_solid(leaf)]
    if len(tops) < 2 or not solid:
        return
    poses, top = np.stack([pose_of(leaf) for _, leaf in solid]), np.array([n for n, _ in solid])
    place, reach = poses[:, X] + 1j * poses[:, Y], np.hypot(poses[:, WIDTH], poses[:, HEIGHT]) / 2 + BESIDE
    for i, (n, leaf) in enumerate(solid):
        near = np.flatnonzero((np.abs(place - place[i]) < reach + reach[i]) & (top != n))
        shared = [_shared(poses[i], poses[j]) for j in near if same_colour(leaf, solid[j][1])]
        if any(touch for touch, _ in shared):
            yield leaf, any(over for _, over in shared)


def _shared(one: Floats, other: Floats) -> tuple[bool, bool]:
    """Whether two rectangles, poses (5,), stand at right angles and touch; and share more than an edge."""
    off = float(other[ROTATION] - one[ROTATION])
    turns = round(off / 90)
    if abs(off - 90 * turns) > PARALLEL:
        return False, False
    apart = complex(other[X] - one[X], other[Y] - one[Y]) * np.exp(-1j * math.radians(one[ROTATION]))
    width, height = (other[WIDTH], other[HEIGHT]) if turns % 2 == 0 else (other[HEIGHT], other[WIDTH])
    across = (one[WIDTH] + width) / 2 - abs(apart.real), (one[HEIGHT] + height) / 2 - abs(apart.imag)
    touch = min(across) > -BESIDE and max(across) > BESIDE
    return bool(touch), bool(min(across) > COMMON * min(*one[[WIDTH, HEIGHT]], width, height))


def _usual(scales: Sequence[float]) -> list[float]:
    """How large an object is likely to be here: as it was taught, or as most others are."""
    if not scales:
        return [1.0]
    logs = np.log(scales)
    middle = np.median(logs)
    alike = np.mean(np.abs(logs - middle) < ALIKE) > 0.5
    return [1.0, float(np.exp(middle))] if alike else [1.0]


def _filled(
    stain: Stain, forms: Sequence[Form], usual: Sequence[float], most: int, limit: int
) -> list[Observation]:
    """The rectangles of the objects that fill all that shows of a stain; none if they cannot."""
    made: list[Observation] = []
    count = 0
    for corner, mask in stain.masks:
        told = blocks(mask, corner)
        pieces = [] if told is None else fill(told, forms, min(PIECES, most - count), usual, limit - count)
        if told is None or not pieces:
            return []
        count += len(pieces)
        made += [part for piece in pieces for part in _parts(told, piece, stain.leaves)]
    return made


def _parts(told: Blocks, piece: Placed, mates: Sequence[Observation]) -> list[Observation]:
    """The rectangles of an object that was laid into a patch."""
    frame = np.exp(1j * math.radians(told.angle))
    looks = mates[0].attributes | {"filled": 1.0, "thickness": 0.0}
    p = float(np.mean([mate.p for mate in mates]))
    found = []
    for left, top, right, bottom in piece.boxes.tolist():
        at = complex((left + right) / 2, (top + bottom) / 2) * frame
        size = (right - left, bottom - top)
        found.append(
            Observation("square", (float(at.real), float(at.imag)), size, told.angle, dict(looks), p=p)
        )
    return found

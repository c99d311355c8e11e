"""Patches of one colour that nothing known explains, or only known objects that lie over one another, told
once more as the known objects that fill them.

Rectangles of one colour may be pieces of objects that touch, and one that ends at another shape or at the
edge of the picture may go on behind it or not: what shows is the same. Where a known object, or several,
fill exactly what shows, that is what is there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.capsules.blocks import Blocks, blocks
from unrender.capsules.mosaic import PARALLEL, PIECES, Floats, Form, Placed, fill, forms_of
from unrender.capsules.poses import HEIGHT, ROTATION, WIDTH, X, Y, pose_of
from unrender.capsules.route import Route
from unrender.scene import Observation, Scene

ALIKE = 0.1  # distance of colours that may be the same
COMMON = 0.3  # of the shortest side must two rectangles share to lie over one another
FORMS = 160  # at the most are tried
COLOUR = ("red", "green", "blue")

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Retold:
    """All primitives, some of them in place of others."""

    leaves: list[Observation]
    fresh: list[Observation]


def solid_forms(routes: Sequence[Route]) -> list[Form]:
    """The forms of all objects that are made of filled rectangles of one colour."""
    solid = []
    for route in routes:
        parts = route.memory[0].parts
        if route.given is None and not route.own and all(is_solid(p) and _same(p, parts[0]) for p in parts):
            solid.append(np.stack([pose_of(part) for part in route.typical(route.memory[0].whole)]))
    return forms_of(solid)[:FORMS]


def retold(
    scene: Scene, leaves: Sequence[Observation], loose: Sequence[Observation], forms: Sequence[Form]
) -> Retold | None:
    """The primitives of a scene (`leaves`, in its order) with every patch that holds a loose rectangle told
    as known objects where these fill it; None if there is no such patch."""
    told = list(leaves)
    fresh: list[Observation] = []
    for seed in loose:
        if is_solid(seed) and any(seed is leaf for leaf in told):
            mates, made = _patch(scene, leaves, seed, forms)
            if made:
                at = min(n for n, leaf in enumerate(told) if any(leaf is mate for mate in mates))
                rest = [leaf for leaf in told if not any(leaf is mate for mate in mates)]
                told = [*rest[:at], *made, *rest[at:]]
                fresh += made
    if not fresh:
        return None
    ranked = {id(leaf): replace(leaf, depth=depth) for depth, leaf in enumerate(told)}
    return Retold(list(ranked.values()), [ranked[id(leaf)] for leaf in fresh])


def crossing(wholes: Sequence[Observation]) -> list[Observation]:
    """Rectangles of known objects that lie over one of their colour which belongs to another object: it may
    be a mere coincidence that both are known."""
    inner = {id(part) for whole in wholes for part in whole.parts}
    tops = [whole for whole in wholes if id(whole) not in inner]
    several = ((n, leaf) for n, whole in enumerate(tops) for leaf in whole.primitives)
    solid = [(n, leaf, pose_of(leaf)) for n, leaf in several if is_solid(leaf)]
    found = []
    for n, leaf, pose in solid:
        if any(m != n and _same(leaf, other) and _overlap(pose, its) for m, other, its in solid):
            found.append(leaf)
    return found


def _overlap(one: Floats, other: Floats) -> bool:
    """Whether two rectangles, poses (5,), stand at right angles and share more than an edge."""
    off = float(other[ROTATION] - one[ROTATION])
    turns = round(off / 90)
    if abs(off - 90 * turns) > PARALLEL:
        return False
    apart = complex(other[X] - one[X], other[Y] - one[Y]) * np.exp(-1j * math.radians(one[ROTATION]))
    width, height = (other[WIDTH], other[HEIGHT]) if turns % 2 == 0 else (other[HEIGHT], other[WIDTH])
    across = (one[WIDTH] + width) / 2 - abs(apart.real), (one[HEIGHT] + height) / 2 - abs(apart.imag)
    return bool(min(across) > COMMON * min(*one[[WIDTH, HEIGHT]], width, height))


def is_solid(node: Observation) -> bool:
    """Whether this is a filled rectangle."""
    return node.symbol == "square" and node.attributes.get("filled", 0.0) > 0.5


def _same(one: Observation, other: Observation) -> bool:
    colours = [[node.attributes.get(name, 0.0) for name in COLOUR] for node in (one, other)]
    return math.dist(*colours) < ALIKE


def _patch(
    scene: Scene, leaves: Sequence[Observation], seed: Observation, forms: Sequence[Form]
) -> tuple[list[Observation], list[Observation]]:
    """The rectangles that share patches with this one, and those of the objects that fill these patches."""
    alike = [(leaf, node) for leaf, node in zip(leaves, scene.primitives, strict=True) if is_solid(leaf)]
    alike = [(leaf, node) for leaf, node in alike if _same(leaf, seed)]
    shown = {id(leaf): scene.visible_mask(node) for leaf, node in alike}
    labels, _ = ndimage.label(np.any(list(shown.values()), axis=0))
    touched = {own: set(np.unique(labels[mask]).tolist()) - {0} for own, mask in shown.items()}
    patches = touched[id(seed)]
    while True:  # a rectangle behind another shape may show in several patches
        mates = [leaf for leaf, _ in alike if touched[id(leaf)] & patches]
        grown = set().union(*(touched[id(mate)] for mate in mates))
        if grown <= patches:
            break
        patches = grown
    made: list[Observation] = []
    count, most = 0, max(len(mates), len(patches))  # more objects than rectangles would not be simpler
    windows = ndimage.find_objects(labels)
    for n in sorted(patches):
        rows, columns = windows[n - 1]
        told = blocks(labels[rows, columns] == n, (columns.start, rows.start))
        pieces = [] if told is None else fill(told, forms, min(PIECES, most - count))
        if told is None or not pieces:
            return mates, []
        count += len(pieces)
        made += [part for piece in pieces for part in _parts(told, piece, mates)]
    return mates, made


def _parts(told: Blocks, piece: Placed, mates: Sequence[Observation]) -> list[Observation]:
    """The rectangles of an object that was laid into a patch."""
    frame = np.exp(1j * math.radians(told.angle))
    looks, p = mates[0].attributes, float(np.mean([mate.p for mate in mates]))
    found = []
    for left, top, right, bottom in piece.boxes.tolist():
        at = complex((left + right) / 2, (top + bottom) / 2) * frame
        size = (right - left, bottom - top)
        found.append(Observation("square", (at.real, at.imag), size, told.angle, dict(looks), p=p))
    return found

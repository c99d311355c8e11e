"""Stains: what shows of one colour, in one piece or several, and the primitives that were seen there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.capsules.hard import hard_edges
from unrender.scene import Observation, Scene

ALIKE = 0.1  # distance of colours that may be the same
COLOUR = ("red", "green", "blue")
TOLD = 0.8  # of the pixels of a stain must be those of its primitives, and of these its own
PART = 0.1  # of what shows of a primitive must be in a patch that it belongs to

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Stain:
    """Patches of one colour that share primitives: one that another shape hides may show in several."""

    leaves: list[Observation]
    masks: list[tuple[tuple[int, int], Mask]]  # x and y of the first pixel of a window, and the patch in it


def stains(scene: Scene, leaves: Sequence[Observation], wanted: Sequence[Observation]) -> Iterator[Stain]:
    """The stains of these primitives, each once. leaves: all, in the order of the scene's own."""
    picture = _hard_picture(scene) if wanted else None
    asked, done = {id(leaf) for leaf in wanted}, set[int]()
    for seed in wanted:
        if id(seed) in done:
            continue
        alike = {n: leaf for n, leaf in enumerate(leaves) if same_colour(leaf, seed) and id(leaf) not in done}
        shown = {n: scene.visible_mask(scene.primitives[n]) for n in alike}
        told: Mask = np.any(list(shown.values()), axis=0)
        labels, _ = ndimage.label(_of_colour(picture, seed, told))
        windows = ndimage.find_objects(labels)
        for members, patches in _groups({n: _patches(labels, mask) for n, mask in shown.items()}):
            own = [alike[n] for n in members]
            if patches and any(id(leaf) in asked for leaf in own):
                found = [(*windows[k - 1], k) for k in sorted(patches)]
                yield Stain(own, [((c.start, r.start), labels[r, c] == k) for r, c, k in found])
        done |= {id(leaf) for leaf in alike.values()}


def same_colour(one: Observation, other: Observation) -> bool:
    colours = [[node.attributes.get(name, 0.0) for name in COLOUR] for node in (one, other)]
    return math.dist(*colours) < ALIKE


def _hard_picture(scene: Scene) -> NDArray[np.float32] | None:
    """The picture that was seen, if every pixel of it shows one colour."""
    if scene.picture is None:
        return None
    picture = scene.picture.astype(np.float32) / np.float32(255)
    return picture if hard_edges(picture) else None


def _of_colour(picture: NDArray[np.float32] | None, seed: Observation, told: Mask) -> Mask:
    """The pixels of the colour of a primitive, if they are about those that are told so; else these."""
    if picture is None:
        return told
    colour = np.array([seed.attributes.get(name, 0.0) for name in COLOUR], np.float32)
    mask: Mask = np.linalg.norm(picture - colour, axis=2) < ALIKE
    return mask if (mask & told).sum() > TOLD * max(mask.sum(), told.sum()) else told


def _patches(labels: NDArray[np.int32], mask: Mask) -> set[int]:
    """The patches in which a good part of a primitive shows."""
    count = np.bincount(labels[mask], minlength=1)
    count[0] = 0
    return set(np.flatnonzero(count > PART * mask.sum()).tolist())


def _groups(touched: dict[int, set[int]]) -> Iterator[tuple[list[int], set[int]]]:
    """Primitives that share patches, and these patches."""
    rest = dict(touched)
    while rest:
        n, patches = rest.popitem()
        members = [n]
        while more := [m for m, own in rest.items() if own & patches]:
            for m in more:
                patches = patches | rest.pop(m)
            members += more
        yield sorted(members), patches

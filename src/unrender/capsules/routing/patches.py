"""Patches: areas of one colour that were told in pieces, looked at by themselves.

Shapes that touch are at times read as several that overlap, or as one with corners cut off by shapes in the
colour of the background. Where the picture is still there, each such patch can be looked at alone, and is
then often one shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.gamma import corners, rotation_matrix
from unrender.capsules.poses import Floats
from unrender.capsules.routing.occlusion import border, places, within
from unrender.grammar.attribute import COLOUR_NAMES
from unrender.scene import Observation

SAME = 0.06  # colour distance between pieces of one patch
NEAR = 1.5  # px between them
LIKE = 0.08  # colour distance between what may be background and the background
OPEN = 0.5  # of a shape in its colour, from where it goes on to the edge of the picture
MARGIN = 4  # px around a patch
CLEAR = 0.3  # colour distance from the background at which a patch is looked at in its own colour
BARS = ("square", "edge")
LONG = 1.5  # times as long as wide: what is shorter is no bar
LEAST = 0.3  # of a bar that must show
STEPS = 65  # along a bar
MOST_PIECES = 12  # of a patch that is worth looking at again
MOST_PATCHES = 12  # of one picture


@dataclass(frozen=True, eq=False)
class Patch:
    """Pieces of one colour that touch, and the cuts that touch them."""

    pieces: tuple[Observation, ...]
    cuts: tuple[Observation, ...]


@dataclass(frozen=True, eq=False)
class Patches:
    """A picture and its background, (H, W, 3) in 0..1."""

    image: Floats
    background: Floats

    def told_otherwise(
        self, leaves: Sequence[Observation]
    ) -> Iterator[tuple[Observation, tuple[Observation, ...]]]:
        """Every patch that is one shape if it is looked at by itself, with the pieces that it was told as."""
        for leaf in leaves:
            shorter = trimmed(leaf, leaves)
            if shorter is not None:
                yield shorter, (leaf,)
        messy = [own for own in self.find(leaves) if 1 < len(own.pieces) + len(own.cuts) <= MOST_PIECES]
        for patch in messy[:MOST_PATCHES]:
            found = self.look(patch)
            if len(found) == 1:
                yield found[0], (*patch.pieces, *patch.cuts)

    def find(self, leaves: Sequence[Observation]) -> list[Patch]:
        """All patches of these shapes, cuts without a patch left out."""
        cuts = self.cuts(leaves)
        solid = [leaf for leaf in leaves if not any(leaf is cut for cut in cuts)]
        return [
            Patch(tuple(own), tuple(cut for cut in cuts if any(touch(cut, piece) for piece in own)))
            for own in _joined(solid)
        ]

    def cuts(self, leaves: Sequence[Observation]) -> list[Observation]:
        """The shapes that only take something away from others: where they show, the background goes on."""
        from scipy import ndimage

        near = [leaf for leaf in leaves if self._like_background(leaf)]
        if not near:
            return []
        labels, _ = ndimage.label(np.linalg.norm(self.image - self.background, axis=2) < LIKE)
        edges = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
        outer = np.isin(labels, np.unique(edges[edges > 0]))
        return [leaf for leaf in near if outer[self._pixels(leaf)].mean() > OPEN]

    def _pixels(self, leaf: Observation) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows and columns of pixels in a shape."""
        tall, wide = self.image.shape[:2]
        x, y = np.floor(places(leaf)).astype(np.int64).T
        return y.clip(0, tall - 1), x.clip(0, wide - 1)

    def _like_background(self, leaf: Observation) -> bool:
        return bool(np.linalg.norm(self.background[self._pixels(leaf)].mean(0) - colour_of(leaf)) < LIKE)

    def look(self, patch: Patch) -> list[Observation]:
        """What is seen where nothing but one patch is left of the picture."""
        from unrender.capsules.observations import leaves, observations
        from unrender.perception.pipeline import named, see_primitives
        from unrender.perception.proposals.objects import KnownObjects
        from unrender.primitives.registry import primitives

        points = np.concatenate([corners(piece, MARGIN) for piece in patch.pieces])
        low, high = np.floor(points.min(0)).astype(int), np.ceil(points.max(0)).astype(int) + 1
        tall, wide = self.image.shape[:2]
        (left, top), (right, bottom) = low.clip(0), high.clip(1, (wide, tall))
        alone = self._alone(patch, (slice(top, bottom), slice(left, right)))
        if alone is None:
            return []
        state = see_primitives(alone, list(primitives().values()), KnownObjects(()), named(None), None)
        own = {name: patch.pieces[0].attributes.get(name, 0.0) for name in COLOUR_NAMES}
        looks = own | {f"stroke_{name}": value for name, value in own.items()}
        depth = min(piece.depth or 0 for piece in patch.pieces)
        return [
            replace(
                leaf,
                position=(leaf.position[0] + left, leaf.position[1] + top),
                attributes=leaf.attributes | looks,
                depth=depth,
            )
            for leaf in leaves(observations(state))
        ]

    def _alone(self, patch: Patch, window: tuple[slice, slice]) -> NDArray[np.float32] | None:
        """A window of the picture with nothing in it but one patch, its holes filled; None if it is in
        pieces."""
        from scipy import ndimage

        image, ground = self.image[window], self.background[window]
        colour = np.mean([colour_of(piece) for piece in patch.pieces], axis=0)
        off = np.linalg.norm(image - colour, axis=2)
        contrast = float(np.linalg.norm(ground - colour, axis=2).mean())
        labels, count = ndimage.label(off < min(max(0.25 * contrast, 0.04), 0.16), np.ones((3, 3)))
        if not count:
            return None
        sizes = np.bincount(labels.ravel())[1:]
        main = ndimage.binary_fill_holes(labels == 1 + int(sizes.argmax()))
        if sizes.max() < 8:
            return None
        for piece in patch.pieces:  # what is told of one of them takes the place of no other
            x, y = np.floor(places(piece) - (window[1].start, window[0].start)).astype(int).T
            if main[y.clip(0, len(main) - 1), x.clip(0, main.shape[1] - 1)].mean() < OPEN:
                return None
        rim = ndimage.binary_dilation(main, np.ones((3, 3))) & ~main
        share = 1 - np.minimum(off / np.maximum(ndimage.maximum_filter(off, 3), 0.1), 1.0)
        alpha = np.where(main, 1.0, np.where(rim, share, 0.0))
        plain = ground.mean((0, 1))
        shade = colour if contrast > CLEAR else 1.0 - np.round(plain)
        alone: NDArray[np.float32] = (plain + alpha[..., None] * (shade - plain)).astype(np.float32)
        return alone


def colour_of(node: Observation) -> Floats:
    """(3,): the colour of the inside."""
    return np.array([node.attributes.get(name, 0.0) for name in COLOUR_NAMES])


def touch(one: Observation, other: Observation) -> bool:
    """Whether two shapes overlap, or nearly do."""
    if np.hypot(*np.subtract(one.position, other.position)) > np.hypot(*one.size) + np.hypot(*other.size):
        return False
    edges = [np.concatenate([border(node, NEAR), [node.position]]) for node in (one, other)]
    return bool(within(one, edges[1]).any() or within(other, edges[0]).any())


def trimmed(bar: Observation, others: Sequence[Observation]) -> Observation | None:
    """A bar as far along as it shows: how far it goes on behind others, or inside one of its own colour,
    cannot be told. None if it shows to both ends, or is no bar."""
    if bar.symbol not in BARS or max(bar.size) < LONG * min(bar.size):
        return None
    along = int(bar.size[1] > bar.size[0])
    steps = np.stack(np.meshgrid(np.linspace(-1, 1, STEPS), np.linspace(-0.9, 0.9, 5), indexing="ij"), -1)
    local = (steps[..., ::-1] if along else steps).reshape(-1, 2) * np.asarray(bar.size) / 2
    points = local @ rotation_matrix(bar.rotation).T + bar.position
    hidden = np.zeros(len(points), bool)
    for other in others:
        if other is bar or other.attributes.get("filled", 1.0) < 0.5 or not touch(bar, other):
            continue
        same = np.linalg.norm(colour_of(bar) - colour_of(other)) < SAME
        if same or (other.depth or 0) > (bar.depth or 0):
            hidden |= within(other, points)
    shown = np.flatnonzero(~hidden.reshape(STEPS, -1).all(1))
    if not len(shown) or len(shown) < LEAST * STEPS or shown[-1] - shown[0] + 1 == STEPS:
        return None
    low, high = (-1 + 2 * k / (STEPS - 1) for k in (shown[0], shown[-1]))
    size = list(bar.size)
    move = np.zeros(2)
    move[along] = (low + high) / 2 * size[along] / 2
    size[along] *= (high - low) / 2
    x, y = (rotation_matrix(bar.rotation) @ move + bar.position).tolist()
    return replace(bar, position=(x, y), size=(size[0], size[1]))


def _joined(leaves: Sequence[Observation]) -> list[list[Observation]]:
    """Shapes of one colour that touch, together."""
    found: list[list[Observation]] = []
    for leaf in leaves:
        colour = colour_of(leaf)
        same = [
            own
            for own in found
            if any(np.linalg.norm(colour - colour_of(piece)) < SAME and touch(leaf, piece) for piece in own)
        ]
        found = [own for own in found if not any(own is other for other in same)]
        found.append([*(piece for own in same for piece in own), leaf])
    return found

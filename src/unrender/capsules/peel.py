"""Peeling: a picture without antialiasing taken apart by its colours, from the front to the back.

Every pixel of such a picture shows one shape and no other. What lies in front of all else shows the whole of
itself; once it is known, what lies behind it may go on under it, and so on. Every known kind of shape is laid
upon each patch that is not explained to the pixel, and the one with the fewest pixels on the wrong side of
its outline is what is there; or rectangles, if a patch is made of a few.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from scipy import ndimage
from scipy.spatial import ConvexHull

from unrender.capsules.angular import rectangles
from unrender.capsules.blocks import blocks
from unrender.capsules.candidates import Sightings
from unrender.capsules.canvas import LEAST
from unrender.capsules.coloured import bare_ground
from unrender.capsules.geometry import Shapes
from unrender.capsules.patches import Floats
from unrender.capsules.pieces import as_told
from unrender.capsules.sides import Mask, Sides
from unrender.capsules.story import Story

LARGEST = 1_000_000  # px of a picture: in a larger one it would take too long
COLOURS = 24  # at the most: a picture with more is no drawing of a few shapes
SMALL = 8  # px: less is no shape
EXACT = 1  # px on the wrong side of a shape that needs no other
ROUGH = 0.15  # of the edge of a patch may be on the wrong side
NEAR = 2  # px between patches that may hide each other
PARTS = 8  # of one colour at the most
BULGING = 0.93  # of the smallest patch without hollows around it


@dataclass(frozen=True, eq=False)
class Layer:
    """What shows one colour, or a part of it, and the sightings of a story that show nowhere else."""

    mask: Mask  # (H, W)
    twins: Mask  # other parts that have its colour
    colour: Floats  # (3,)
    told: list[int]

    @classmethod
    def of(cls, mask: Mask, twins: Mask, story: Story) -> Layer:
        row, column = np.argwhere(mask)[0]
        whole = slice(0, mask.shape[0]), slice(0, mask.shape[1])
        return cls(mask, twins, story.canvas.picture[row, column], sorted(story.within(whole, mask)))

    def off(self, story: Story) -> int:
        """How many pixels of it the story tells wrong."""
        return int((np.isin(story.canvas.owner, self.told) != self.mask).sum())

    def settled(self, story: Story) -> bool:
        """Whether the story tells it to the pixel, and as one shape if it may be one."""
        return self.off(story) <= EXACT and (len(self.told) == 1 or not self._bulging)

    @property
    def _bulging(self) -> bool:
        """Whether it is hardly anywhere hollow."""
        corners = np.argwhere(self.mask)[:, None] + np.array([(0, 0), (0, 1), (1, 0), (1, 1)])
        return bool(self.mask.sum() > BULGING * ConvexHull(corners.reshape(-1, 2)).volume)

    def in_front(self, hidden: Mask, story: Story) -> bool:
        """Whether what is told explains it if nothing else lies in front of it than what is hidden."""
        shapes = story.seen.shapes[torch.tensor(self.told)]
        return Sides.of(self.mask, hidden | self.twins).wrong_together(shapes) <= EXACT

    def parts(self, story: Story) -> list[Layer]:
        """Its connected parts, if these are a few."""
        labels, count = ndimage.label(self.mask, np.ones((3, 3)))
        masks = [part for n in range(1, min(count, PARTS) + 1) if (part := labels == n).sum() >= SMALL]
        several = 1 < count <= PARTS
        return [Layer.of(part, self.mask & ~part, story) for part in masks] if several else []


@dataclass(frozen=True)
class Guess:
    """What explains a layer best, with some others in front of it."""

    shapes: Shapes  # one, or several rectangles
    wrong: int  # px
    edge: int  # sides of pixels that part it from what it is not

    @classmethod
    def at(cls, layer: Layer, hidden: Mask, story: Story) -> Guess:
        sides = Sides.of(layer.mask, hidden | layer.twins)
        shapes = sides.fitted(story.seen.shapes.kinds)
        wrong = sides.wrong(shapes)
        best = int(wrong.argmin())
        return cls(shapes[best : best + 1], int(wrong[best]), max(sides.edge, 1))

    def or_blocks(self, layer: Layer) -> Guess:
        """Or the rectangles of which the layer is made, where these tell it with less."""
        told = blocks(layer.mask) if self.wrong > EXACT else None
        shapes = rectangles(told, self.shapes.kinds) if told else None
        if shapes is None:
            return self
        wrong = Sides.of(layer.mask, layer.twins).wrong_together(shapes)
        return min(self, Guess(shapes, wrong, self.edge), key=lambda guess: guess.cost)

    @property
    def cost(self) -> float:
        return self.wrong + LEAST * len(self.shapes)

    @property
    def share(self) -> float:
        """Of the edge, how much is wrong."""
        return self.wrong / self.edge

    @property
    def rough(self) -> bool:
        return self.wrong > max(EXACT, ROUGH * self.edge)


def peeled(story: Story) -> Story:
    """The story, or one with other shapes where these explain more pixels of a picture with hard edges."""
    layers = _layers(story) if story.canvas.owner.size <= LARGEST else []
    if len(layers) > COLOURS or all(layer.settled(story) for layer in layers):
        return story
    other = _retold(story, list(_peel(story, layers)))
    return other if _cost(other) < _cost(story) else story


def _layers(story: Story) -> list[Layer]:
    """All that is not bare ground, colour by colour."""
    front = ~bare_ground(story.canvas)
    code = np.round(255 * story.canvas.picture).astype(np.int32) @ np.array([1, 256, 65536], np.int32)
    colours, counts = np.unique(code[front], return_counts=True)
    masks = (front & (code == colour) for colour in colours[counts >= SMALL][: COLOURS + 1])
    return [Layer.of(mask, np.zeros_like(mask), story) for mask in masks]


def _peel(story: Story, layers: list[Layer]) -> Iterator[tuple[Layer, Guess]]:
    """What the layers are that the story does not explain, front to back."""
    known = [layer for layer in layers if layer.settled(story)]
    doubted = [layer for layer in layers if layer not in known]
    hidden = np.zeros(story.canvas.owner.shape, bool)
    guesses: dict[Layer, Guess] = {}
    while doubted:
        nearest = [layer for layer in known if layer.in_front(hidden, story)]
        known = [layer for layer in known if layer not in nearest]
        if not nearest:
            guesses |= {layer: Guess.at(layer, hidden, story) for layer in doubted if layer not in guesses}
            best = min(doubted, key=lambda layer: guesses[layer].share)
            doubted.remove(best)
            if guesses[best].rough and (parts := best.parts(story)):
                known += [part for part in parts if part.settled(story)]
                doubted += [part for part in parts if part not in known]
                continue
            guess = guesses[best].or_blocks(best)
            if guess.wrong <= best.off(story) + EXACT and not guess.rough:
                yield best, guess
            nearest = [best]
        for layer in nearest:
            hidden |= layer.mask
            around = ndimage.binary_dilation(layer.mask, iterations=NEAR)
            guesses = {
                other: guess
                for other, guess in guesses.items()
                if not guess.wrong or not (around & other.mask).any()
            }


def _retold(story: Story, told: list[tuple[Layer, Guess]]) -> Story:
    """The story with these shapes in place of all that was told of each layer."""
    gone = {i for layer, _ in told for i in layer.told}
    kept = torch.tensor([i for i in range(len(story.seen)) if i not in gone], dtype=torch.long)
    fresh = [as_told(guess.shapes, layer.colour, 1 - guess.share) for layer, guess in told]
    return Story.of(Sightings.join([story.seen[kept], *fresh]), story.canvas)


def _cost(story: Story) -> float:
    """px that look wrong, and what the shapes cost."""
    canvas, paint = story.canvas, story.seen.paint.numpy()
    shown = canvas.ground.copy()
    owned = canvas.owner >= 0
    shown[owned] = paint[canvas.owner[owned]]
    wrong = np.linalg.norm(shown - canvas.picture, axis=2) > canvas.alike
    return int(wrong.sum()) + LEAST * len(story.order)

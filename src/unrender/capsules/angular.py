"""Patches with right angles only, as the rectangles that they are made of: what a story may tell of them."""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch

from unrender.capsules.blocks import Blocks, blocks
from unrender.capsules.candidates import Sightings
from unrender.capsules.coloured import Piece, Shown, connected
from unrender.capsules.geometry import ANGLE, CX, CY, LOG_H, LOG_W, OWN, Shapes
from unrender.capsules.outline import RAYS
from unrender.capsules.patches import Floats, patches
from unrender.capsules.story import Story, Turn
from unrender.graphics.registry import Primitive

LONGEST = 7.5  # sides of a rectangle: a longer one is rather a piece of a line
FITTING = 0.95  # p of a rectangle of such a patch, until it is judged


def angular(story: Story, shown: Shown) -> Iterator[tuple[Piece, Sightings]]:
    """Patches of one colour that have right angles only, each with its rectangles."""
    for alike, colour in shown.masks():
        for piece in connected(alike, shown.where):
            rows, columns = piece.window
            told = blocks(piece.mask, (columns.start, rows.start))
            if told is not None and all(max(w, h) <= LONGEST * min(w, h) for _, _, w, h in told.rectangles):
                shapes = rectangles(told, story.seen.shapes.kinds)
                if shapes is not None:
                    yield piece, _unjudged(shapes, colour, story)


def built(story: Story, piece: Piece, rectangles: Sightings) -> Turn:
    """Rectangles in place of all that shows hardly anywhere but at their patch."""
    drawn = patches(rectangles.shapes, *story.canvas.picture.shape[:2])
    return Turn(rectangles, drawn, story.within(piece.window, piece.mask))


def rectangles(told: Blocks, kinds: tuple[Primitive, ...]) -> Shapes | None:
    """The rectangles of a patch as shapes; None if no rectangle is known."""
    square = next((k for k, kind in enumerate(kinds) if kind.name == "square"), None)
    if square is None:
        return None
    count = len(told.rectangles)
    pose = torch.zeros(count, OWN + max(len(kind.shape) for kind in kinds))
    at = torch.tensor(told.rectangles)
    pose[:, [CX, CY]], pose[:, [LOG_W, LOG_H]] = at[:, :2], at[:, 2:].log()
    pose[:, ANGLE] = math.radians(told.angle)
    return Shapes(kinds, torch.full((count,), square), pose, torch.ones(count, dtype=torch.bool))


def _unjudged(shapes: Shapes, colour: Floats, story: Story) -> Sightings:
    """Shapes of one colour as sightings that nothing has judged yet."""
    count = len(shapes)
    plane = torch.zeros(count, 3, 3)
    plane[:, 0] = torch.from_numpy(story.canvas.ground.reshape(-1, 3).mean(0))
    everywhere = torch.ones(count, RAYS)
    paint = torch.from_numpy(colour).expand(count, 3).clone()
    return Sightings(shapes, paint, plane, everywhere, everywhere, torch.full((count,), FITTING))

"""Proposals of primitives that say themselves what to try: from the evidence about each region."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.outlines.clues import Clue
from unrender.perception.proposals.propose import Choice, Sight, of_colour
from unrender.primitives.protocol import Primitive
from unrender.render.shape import Shape


def started(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for regions where something looks wrong, by the primitives' own starts, beside those of their
    colour or in place of them."""
    kinds = [kind for kind in sight.kinds if kind.starts is not None]
    if not kinds or not wrong.any():
        return
    worth = np.bincount(sight.regions.labels.ravel(), state.bits.ravel(), len(sight.regions.area))
    for number, clue in enumerate(sight.clues):
        top, bottom, left, right = clue.window
        if wrong[top:bottom, left:right].any() and sight.fresh(state, ("clue", number), clue.window):
            same = tuple(of_colour(state, clue.window, clue.colour))
            bits = float(worth[clue.region]) if clue.region else None
            yield [
                move
                for kind in kinds
                for shape in shapes(kind, clue)
                for move in _moves(state, shape, same, bits)
            ]


def _moves(state: Interpretation, shape: Shape, same: tuple[Placed, ...], worth: float | None) -> list[Move]:
    """A shape, beside those of its colour or in place of them.

    worth: bits of the region's pixels; what else it would paint may be hidden. Starts without a form are so
    near that they are refined once they are accepted.
    """
    if shape.primitive.formed:
        shape = state.refined(shape, same)
    placed = Placed.of(shape, state.model)
    alone = Move([placed], (), worth)
    return [alone, Move([placed], same, worth)] if same else [alone]


def shapes(kind: Primitive, clue: Clue) -> Iterator[Shape]:
    """What a primitive would try for a region."""
    for start in kind.starts(clue.evidence) if kind.starts is not None else ():
        fill, stroke = (None, clue.colour) if start.stroked else (clue.colour, None)
        pose, form = kind.canonical(start.pose, start.form)
        yield Shape(kind, pose, fill, stroke, form=form)

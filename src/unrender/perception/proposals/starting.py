"""Proposals of primitives that say themselves what to try: from the evidence about each region."""

from __future__ import annotations

from collections.abc import Iterator

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.outlines.clues import Clue
from unrender.perception.proposals.propose import Choice, Sight, of_colour
from unrender.perception.proposals.regions import plain_regions
from unrender.primitives.protocol import Primitive
from unrender.render.shape import Shape


def started(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for regions, by the primitives' own starts, beside those of their colour or in place of them."""
    kinds = [kind for kind in sight.kinds if kind.starts is not None]
    for number, clue in enumerate(sight.clues if kinds else ()):
        top, bottom, left, right = clue.window
        if not wrong[top:bottom, left:right].any() or not sight.fresh(state, ("clue", number), clue.window):
            continue
        same = tuple(of_colour(state, clue.window, clue.colour))
        moves: list[Move] = []
        for shape in (shape for kind in kinds for shape in shapes(kind, clue)):
            placed = Placed.of(state.refined(shape, same), state.model)
            moves += [Move([placed]), Move([placed], same)] if same else [Move([placed])]
        yield moves


def plain_and_started(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """The first look: shapes for regions that can be seen whole, of all primitives."""
    yield from plain_regions(state, sight, wrong)
    yield from started(state, sight, wrong)


def shapes(kind: Primitive, clue: Clue) -> Iterator[Shape]:
    """What a primitive would try for a region."""
    for start in kind.starts(clue.evidence) if kind.starts is not None else ():
        fill, stroke = (None, clue.colour) if start.stroked else (clue.colour, None)
        pose, form = kind.canonical(start.pose, start.form)
        yield Shape(kind, pose, fill, stroke, form=form)

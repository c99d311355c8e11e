"""Outlines of regions that nothing simpler tells: whatever is flat and clean can be told by where its edge
runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.outlines.clues import Clue
from unrender.perception.proposals.fits import Guess
from unrender.perception.proposals.propose import Choice, Sight, bare, of_colour, region_bits, wrong_bits
from unrender.perception.proposals.sets import other_regions
from unrender.perception.proposals.starting import COVERED, NEARLY, QUIET, guesses_of, is_exact, is_outline
from unrender.render.shape import overlaps

UNTOLD = 0.5  # of the bits of a region: if more are wrong, what was tried does not explain it


def outlined_first(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """The same before anything is told better, of regions most of which neither lines nor simple shapes tell,
    though nothing can hide a part of them. In noise lines come later."""
    if state.model.sigma >= QUIET:
        return
    bits = region_bits(sight.regions.labels, state.bits, wrong, len(sight.regions.area))[1]
    untold = bits > UNTOLD * state.model.cap * sight.regions.area
    untold[[clue.region for clue in sight.clues if clue.touches]] = False
    parts = [clue.evidence.mean.astype(int) for clue in sight.clues if clue.part]
    untold[[sight.regions.labels[row, column] for column, row in parts]] = False  # these come next
    yield from _outlines(state, sight, wrong, untold)


def outlined(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """The outline of each region of which more is told wrongly than it takes to say all of its outline, in
    place of the shapes of its colour that lie in it and of patches in the colour of what is behind it. Lines
    that run into one another may show no middle of their own; their common edge is known all the same."""
    return _outlines(state, sight, wrong, np.ones(len(sight.regions.area), bool))


def _outlines(state: Interpretation, sight: Sight, wrong: Mask, which: Mask) -> Iterator[Choice]:
    patches = [placed for placed in state.shapes if bare(state, placed)]
    for number, clue in enumerate(sight.clues):
        if (
            clue.region
            and which[clue.region]
            and is_exact(state, clue)
            and sight.in_doubt(state, wrong, clue.region)
            and sight.fresh(state, ("outlined", number), clue.window)
        ):
            told = [guess for own in guesses_of(state, sight, number) for guess in own if is_outline(guess)]
            over = [placed for placed in patches if overlaps(placed.patch.window, clue.window)]
            yield _in_place(state, sight, clue, told, over, wrong_bits(state, wrong, clue.window))


def _in_place(
    state: Interpretation,
    sight: Sight,
    clue: Clue,
    told: Sequence[Guess],
    over: Sequence[Placed],
    most: float,
) -> Iterator[Move]:
    """Outlines of no more than so many bits, refined where they are not good as they are. One that goes round
    lines tells each of them by both of its edges: it must save what it takes once more."""
    same = of_colour(state, clue.window, clue.colour)
    elsewhere = other_regions(sight.regions, [clue.region])
    for guess in told:
        placed = Placed.of(guess.shape, state.model)
        if placed.bits > most:
            continue
        under = [each for each in same if each.covered(placed) > COVERED]
        gone = [*under, *(each for each in over if each not in under)]
        move = Move([placed], gone, bonus=-placed.bits if clue.thin else 0.0, elsewhere=elsewhere)
        if state.gain(move) < NEARLY * state.promise(move):
            better = state.refined(placed.shape, move.remove, elsewhere)
            move = replace(move, add=[Placed.of(better, state.model)])
        yield move

"""Proposals of forms with a border that is too thin for a region of its own: the outline of the inside, as
far out as the middle of the line around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.outlines.clues import Clue
from unrender.perception.proposals.fits import Guess
from unrender.perception.proposals.propose import Choice, Sight, in_place, of_colour
from unrender.perception.proposals.starting import COVERED, guesses_of, is_outline
from unrender.primitives.protocol import Doubles
from unrender.render.shape import TAU, A, B, Shape, Window, grown, inside


def bordered(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Forms around regions that lie within thin lines, with these as their borders, where something looks
    wrong yet."""
    pens = [clue for clue in sight.clues if not clue.region and not clue.part]
    for number, clue in enumerate(sight.clues):
        if not clue.bordered or not sight.in_doubt(state, wrong, clue.region):
            continue
        reach = round(clue.evidence.width)  # px: tips of the border reach further than those of the inside
        for pen in pens:
            window = grown(pen.window, reach, *state.model.size)
            if inside(clue.window, window) and sight.fresh(state, ("bordered", number, id(pen)), window):
                told = [
                    guess for own in guesses_of(state, sight, number) for guess in own if is_outline(guess)
                ]
                yield _with_border(state, clue, pen, told, clue.window)


def _with_border(
    state: Interpretation, clue: Clue, pen: Clue, forms: Sequence[Guess], window: Window
) -> Iterator[Move]:
    """Every form with a border, in place of what it covers of both colours."""
    half = pen.evidence.width / 2
    told = [*of_colour(state, window, clue.colour), *of_colour(state, window, pen.colour)]
    for guess in forms:
        shape = _around(guess.shape, clue, half)
        shape = replace(shape, fill=clue.colour, stroke=pen.colour)
        placed = Placed.of(shape, state.model)
        gone = tuple(dict.fromkeys(each for each in told if each.covered(placed) > COVERED))
        yield in_place(state, shape, gone)


def _around(shape: Shape, clue: Clue, half: float) -> Shape:
    """A form that lies half the width of a border further out on average: the sides of what is regular all
    lie twice its area by its circumference from its centre."""
    line = clue.evidence.outlines[0]
    x, y = np.roll(line.x, -1), np.roll(line.y, -1)
    area = abs(float((line.x * y - line.y * x).sum())) / 2
    around = float(np.hypot(x - line.x, y - line.y).sum())
    pose: Doubles = shape.pose.copy()
    pose[[A, B]] *= 1 + half * around / (2 * area)
    pose[TAU] = half
    return replace(shape, pose=pose)

"""Proposals for the solid parts of what is lines elsewhere: heads of arrows, dots on a curve."""

from __future__ import annotations

from collections.abc import Iterator

from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation
from unrender.perception.proposals.fits import of_areas
from unrender.perception.proposals.propose import CHEAPEST, Choice, Sight, wrong_bits
from unrender.perception.proposals.starting import choices, guessed


def solid_parts(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Simple shapes that go round a solid part of a thin region, beside the lines of its colour or in place
    of what they hide; where it goes over into a line its outline is not known, so that no form tells it."""
    kinds = [kind for kind in sight.kinds if kind.starts is not None and of_areas(kind)]
    for number, clue in enumerate(sight.clues):
        if not clue.part or wrong_bits(state, wrong, clue.window) < CHEAPEST:
            continue
        if number not in sight.guesses:
            sight.guesses[number] = guessed([clue], kinds, state.budget)[0]
        for line, guesses in enumerate(sight.guesses[number]):
            yield from choices(state, sight, clue, ("solid part", number, line), guesses)

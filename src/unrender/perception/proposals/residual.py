"""Proposals for what nothing explains yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from unrender.perception.image.regions import Mask
from unrender.perception.image.residual import unexplained
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.fits import Guess, partly
from unrender.perception.proposals.propose import Choice, Sight, promising
from unrender.perception.proposals.regions import LEAST, WHOLE, adding, fitted


def residual_areas(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for areas that look wrong, by the colours that they are mixtures of; those first that cost
    most."""
    model = state.model
    rest = replace(unexplained(model.image, state.canvas, wrong, model.sigma), aliased=model.aliased)
    ground = state.canvas.copy()
    several = [
        region
        for region in promising(rest, state)
        if rest.area[region] >= LEAST
        and sight.fresh(state, ("rest", rest.window(region)), rest.window(region, 2))
    ]
    for area, guesses in fitted(state, sight, rest, several, ground):
        yield _added(state, sight, area, guesses)


def _added(state: Interpretation, sight: Sight, area: Area, guesses: Sequence[Guess]) -> Iterator[Move]:
    for guess in guesses:
        yield adding(state, guess, area)
    if not guesses or guesses[0].share < WHOLE:
        for guess in partly(area, sight.kinds, sight.rng, state.budget):
            yield adding(state, guess, area)

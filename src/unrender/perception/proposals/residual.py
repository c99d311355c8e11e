"""Proposals for what nothing explains yet."""

from __future__ import annotations

from collections.abc import Iterator

from unrender.perception.image.regions import Mask
from unrender.perception.image.residual import unexplained
from unrender.perception.interpretation import Interpretation
from unrender.perception.proposals.fits import partly
from unrender.perception.proposals.propose import Choice, Sight, promising
from unrender.perception.proposals.regions import LEAST, WHOLE, adding, fitted


def residual_areas(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for areas that look wrong, by the colours that they are mixtures of; those first that cost most."""
    model = state.model
    rest = unexplained(model.image, state.canvas, wrong, model.sigma)
    ground = state.canvas.copy()
    several = [
        region
        for region in promising(rest, state)
        if rest.area[region] >= LEAST and sight.fresh(state, ("rest", rest.window(region)), rest.window(region, 2))
    ]
    for area, guesses in fitted(state, sight, rest, several, ground):
        if not guesses or guesses[0].share < WHOLE:
            guesses = [*guesses, *partly(area, sight.kinds, sight.rng, state.budget)]
        yield [adding(state, guess, area) for guess in guesses]

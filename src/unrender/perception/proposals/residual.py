"""Proposals for what nothing explains yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from unrender.perception.image.regions import Mask
from unrender.perception.image.residual import unexplained
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.fits import Guess
from unrender.perception.proposals.propose import Choice, Sight, promising
from unrender.perception.proposals.regions import LEAST, adding, explained, likeliest


def residual_areas(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for areas that look wrong, by the colours that they are mixtures of; those first that cost
    most."""
    model = state.model
    if not wrong.any():
        return
    rest = replace(unexplained(model.image, state.canvas, wrong, model.paint_sigma), aliased=model.aliased)
    ground = state.canvas.copy()
    several = [
        region
        for region in promising(rest, state, wrong)
        if rest.area[region] >= LEAST
        and sight.fresh(state, ("rest", rest.window(region)), rest.window(region, 2))
    ]
    areas = [Area.of(model.image, ground, rest, [region]) for region in several]
    some = [area for area in areas if area is not None]
    for n, guesses in explained(state, sight, some):
        yield _added(state, some[n], guesses)


def _added(state: Interpretation, area: Area, guesses: Sequence[Guess]) -> Iterator[Move]:
    for guess in likeliest(state, guesses):
        yield adding(state, guess, area)

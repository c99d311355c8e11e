"""Proposals for what nothing explains yet."""

from __future__ import annotations

from collections.abc import Iterator

from unrender.perception.image.regions import Mask
from unrender.perception.image.residual import unexplained
from unrender.perception.interpretation import Interpretation
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.fits import partly, whole
from unrender.perception.proposals.propose import Choice, Sight
from unrender.perception.proposals.regions import LEAST, WHOLE, adding


def residual_areas(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for areas that look wrong, by the colours that they are mixtures of."""
    model = state.model
    rest = unexplained(model.image, state.canvas, wrong, model.sigma)
    ground = state.canvas.copy()
    areas = []
    for region in range(1, len(rest.area)):
        window = rest.window(region, 2)
        if rest.area[region] >= LEAST and sight.fresh(state, ("rest", window), window):
            area = Area.of(model.image, ground, rest, [region])
            if area is not None:
                areas.append(area)
    for area, guesses in zip(areas, whole(areas, sight.kinds), strict=True):
        if not guesses or guesses[0].share < WHOLE:
            guesses = [*guesses, *partly(area, sight.kinds, sight.rng)]
        yield [adding(state, guess, area) for guess in guesses]

"""Proposals from colour regions: shapes for those that can be seen whole, for those that others hide in part, and
in place of several shapes of one colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask, painted_over
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.fits import Guess, partly, whole
from unrender.perception.proposals.propose import (
    Choice,
    Sight,
    colours_of,
    near_colour,
    neighbours,
    of_colour,
    shows_colour,
)
from unrender.render.shape import grown, overlaps, union

WHOLE = 0.9  # of an edge that a guess must explain so that nothing can be hidden
LEAST = 6  # px of an area that is worth a shape


def plain_regions(state: Interpretation, sight: Sight) -> Iterator[Choice]:
    """Shapes for regions all of which can be seen."""
    model, areas = state.model, []
    for region in sight.solid:
        area = Area.of(model.image, model.background, sight.regions, [region])
        if area is not None:
            areas.append(area)
    for area, guesses in zip(areas, whole(areas, sight.kinds), strict=True):
        if guesses and guesses[0].share > WHOLE:
            yield [adding(state, guess, area) for guess in guesses]


def hidden_regions(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for regions of which other shapes hide a part, alone and together with others of their colour; or
    in place of the shapes of this colour that are there."""
    model, regions = state.model, sight.regions
    for region in sight.solid:
        top, bottom, left, right = window = regions.window(region, 2)
        if not wrong[top:bottom, left:right].any() or not sight.fresh(state, region, window):
            continue
        colour = regions.colour[region]
        alike = [k for k in sight.solid if near_colour(regions.colour[k], colour, model.sigma)]
        gap = max(bottom - top, right - left) // 2
        group = [k for k in alike if overlaps(regions.window(k, gap), window)]
        same = of_colour(state, union([regions.window(k, 2) for k in group]), colour)
        for which in ([region], group) if len(group) > 1 and region == group[0] else ([region],):
            others = neighbours(state, union([regions.window(k, 2) for k in which]), same)
            area = Area.of(model.image, model.background, regions, which, others)
            if area is not None:
                yield replacing(state, sight, area, same)


def retold_colours(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """One shape in place of those of one colour that lie near one another, or of one beside which something is
    wrong."""
    model = state.model
    for one in state.shapes:
        top, bottom, left, right = one.patch.window
        colour = colours_of(one.shape)[0]
        margin = max(bottom - top, right - left) // 2
        same = of_colour(state, grown(one.patch.window, margin, *model.size), colour)
        if not (len(same) > 1 or wrong[top:bottom, left:right].any()):
            continue
        window = grown(union([placed.patch.window for placed in same]), 2, *model.size)
        if not sight.fresh(state, frozenset(placed.key for placed in same), window):
            continue
        mask = shows_colour(state, window, colour)
        if mask.sum() < LEAST:
            continue
        others = neighbours(state, window, same)
        with painted_over(sight.regions, window, mask, colour) as (regions, number):
            area = Area.of(model.image, model.background, regions, [number], others)
        if area is not None:
            yield replacing(state, sight, area, same)


def replacing(state: Interpretation, sight: Sight, area: Area, same: Sequence[Placed]) -> Choice:
    """A shape for an area, beside those of its colour or in place of them."""
    moves: Choice = []
    guesses = whole([area], sight.kinds)[0]
    if not guesses or guesses[0].share < WHOLE:
        guesses = [*guesses, *partly(area, sight.kinds, sight.rng)]
    for guess in guesses:
        placed = Placed.of(state.refined(guess.shape, same), state.model)
        moves += [Move([placed]), Move([placed], tuple(same))] if same else [Move([placed])]
        if len(same) > 1:
            moves += [Move([placed], (one,)) for one in same]
            moves += [
                Move([placed], tuple(same[:n]) + tuple(same[n + 1 :]))
                for n in range(len(same))
                if len(same) > 2
            ]
    return moves


def adding(state: Interpretation, guess: Guess, area: Area) -> Move:
    """A further shape, refined among those that are there; with the colour inside if the area borders it."""
    shape = guess.shape
    if shape.fill is None and area.inner is not None and shape.primitive.closed:
        shape = replace(shape, fill=area.inner)
    return Move([Placed.of(state.refined(shape), state.model)])

"""Proposals of rectangles: the fewest that fill a region with right angles only."""

from __future__ import annotations

from collections.abc import Iterator

from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.propose import Choice, Sight, promising, wrong_bits
from unrender.perception.proposals.rectilinear import rectangles_of
from unrender.perception.proposals.sets import filling, other_regions, refined_together, shown_of, told_in


def rectangles(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Sets of rectangles for regions in which something looks wrong, or which only their outline tells, in
    place of what is told there."""
    outlines = sight.outlines(state)
    for region in dict.fromkeys([*promising(sight.regions, state, wrong), *outlines]):
        bits = wrong_bits(state, wrong, sight.regions.window(region, 2)) + outlines.get(region, 0.0)
        if sight.unasked(("rectangles", region), bits):
            state.budget.look(sight.regions.area[region])
            yield _sets(state, sight, region)


def _sets(state: Interpretation, sight: Sight, region: int) -> Iterator[Move]:
    shown, colour = shown_of(state, sight.regions, region), sight.regions.colour[region]
    same = tuple(told_in(state, shown, colour))
    elsewhere = other_regions(sight.regions, [region])
    for chosen in filling(state, shown, rectangles_of(shown, sight.kinds, colour)):
        yield Move(refined_together(state, chosen, same, elsewhere=elsewhere), same)

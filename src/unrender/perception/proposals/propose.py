"""Proposals: moves that may make an interpretation shorter, each from a look at the picture of its own.

Every proposal yields choices: moves that exclude one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask, Regions, painted_over
from unrender.perception.image.residual import unexplained
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.fits import Guess, partly, whole
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.shape import Shape, Window, grown, overlaps, union

WHOLE = 0.9  # of an edge that a guess must explain so that nothing can be hidden
LEAST = 6  # px of an area that is worth a shape
WEAK = 6.0  # times its bits that a shape saves at most to be doubted
SAME = 1e-3  # squared distance of colours that look the same
NOISY = 0.03  # noise beyond which a pixel's colour is told with its neighbours

Choice = list[Move]


@dataclass(frozen=True, eq=False)
class Sight:
    """What all proposals look at beside the interpretation."""

    regions: Regions
    kinds: Sequence[Primitive]
    rng: np.random.Generator

    @property
    def solid(self) -> list[int]:
        """Regions whose colour is no mixture."""
        return [int(k) for k in np.nonzero(self.regions.solid)[0]]


def plain_regions(state: Interpretation, sight: Sight) -> Iterator[Choice]:
    """Shapes for regions all of which can be seen."""
    model, areas = state.model, []
    for region in sight.solid:
        area = Area.of(model.image, model.background, sight.regions, [region])
        if area is not None:
            areas.append(area)
    for guesses in whole(areas, sight.kinds):
        if guesses and guesses[0].share > WHOLE:
            yield [adding(state, guess) for guess in guesses]


def hidden_regions(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for regions of which other shapes hide a part, alone and together with others of their
    colour; or in
    place of the shapes of this colour that are there."""
    model, regions = state.model, sight.regions
    for region in sight.solid:
        top, bottom, left, right = window = regions.window(region, 2)
        if not wrong[top:bottom, left:right].any():
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
    """One shape in place of those of one colour that lie near one another, or of one beside which
    something is
    wrong."""
    model = state.model
    done: set[frozenset[Placed]] = set()
    for one in state.shapes:
        top, bottom, left, right = one.patch.window
        colour = colours_of(one.shape)[0]
        margin = max(bottom - top, right - left) // 2
        same = of_colour(state, grown(one.patch.window, margin, *model.size), colour)
        key = frozenset(same)
        if key in done or not (len(same) > 1 or wrong[top:bottom, left:right].any()):
            continue
        done.add(key)
        window = grown(union([placed.patch.window for placed in same]), 2, *model.size)
        mask = shows_colour(state, window, colour)
        if mask.sum() < LEAST:
            continue
        others = neighbours(state, window, same)
        with painted_over(sight.regions, window, mask, colour) as (regions, number):
            area = Area.of(model.image, model.background, regions, [number], others)
        if area is not None:
            yield replacing(state, sight, area, same)


def residual_areas(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for what nothing explains yet."""
    model = state.model
    rest = unexplained(model.image, state.canvas, wrong, model.sigma)
    ground = state.canvas.copy()
    areas = []
    for region in range(1, len(rest.area)):
        if rest.area[region] >= LEAST:
            area = Area.of(model.image, ground, rest, [region])
            if area is not None:
                areas.append(area)
    for area, guesses in zip(areas, whole(areas, sight.kinds), strict=True):
        if not guesses or guesses[0].share < WHOLE:
            guesses = [*guesses, *partly(area, sight.kinds, sight.rng)]
        yield [adding(state, guess) for guess in guesses]


def removals(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Without a shape that tells little, and its neighbours refined without it."""
    for placed in state.shapes:
        loss = -state.gain(Move((), (placed,)))
        if loss > WEAK * placed.bits:
            continue
        rest = [other for other in state.shapes if other is not placed]
        moves = [Move((), (placed,))]
        for other in rest:
            if overlaps(other.patch.window, placed.patch.window):
                alone = Placed.of(state.refined(other.shape, (placed, other)), state.model)
                moves.append(Move([alone], (placed, other)))
        yield moves


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


def adding(state: Interpretation, guess: Guess) -> Move:
    """A further shape, refined among those that are there."""
    return Move([Placed.of(state.refined(guess.shape), state.model)])


def colours_of(shape: Shape) -> list[Doubles]:
    """The colours that a shape paints."""
    return [colour for colour in (shape.fill, shape.stroke) if colour is not None]


def near_colour(one: Doubles, other: Doubles, sigma: float) -> bool:
    """Whether two colours, each the mean of several pixels, may be the same."""
    return bool(((one - other) ** 2).sum() < SAME + 3 * sigma**2)


def of_colour(state: Interpretation, window: Window, colour: Doubles) -> list[Placed]:
    """The shapes in a window that paint a colour."""
    return [
        placed
        for placed in state.shapes
        if overlaps(placed.patch.window, window)
        and any(near_colour(own, colour, state.model.sigma) for own in colours_of(placed.shape))
    ]


def neighbours(state: Interpretation, window: Window, without: Sequence[Placed]) -> list[Shape]:
    """The other shapes in a window whose edges can be seen; what looks like the background may be a
    mistake."""
    return [
        placed.shape
        for placed in state.shapes
        if placed not in without and overlaps(placed.patch.window, window) and not bare(state, placed)
    ]


def bare(state: Interpretation, placed: Placed) -> bool:
    """Whether a shape has the colour of the background behind it."""
    top, bottom, left, right = placed.patch.window
    behind = state.model.background[
        (top + bottom) // 2 - (top == bottom), (left + right) // 2 - (left == right)
    ]
    return all(near_colour(colour, behind, state.model.sigma) for colour in colours_of(placed.shape))


def shows_colour(state: Interpretation, window: Window, colour: Doubles) -> NDArray[np.bool_]:
    """bool (h, w): where in a window the picture shows a colour rather than the background."""
    top, bottom, left, right = window
    model = state.model
    own = ((model.image[top:bottom, left:right] - colour) ** 2).sum(2)
    bare = ((model.image[top:bottom, left:right] - model.background[top:bottom, left:right]) ** 2).sum(2)
    if model.sigma > NOISY:  # one pixel alone tells little
        own, bare = ndimage.uniform_filter(own, 3), ndimage.uniform_filter(bare, 3)
    mask: Mask = (own < bare) & (own < SAME + 3 * (4 * model.sigma) ** 2)
    return mask

"""Proposals from colour regions that others hide in part: shapes behind these, also in place of several
shapes of one colour."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy import ndimage

from unrender.perception.budget import Budget
from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask, Regions
from unrender.perception.interpretation import FROM_AFAR, NEAR, Interpretation, Move
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.fits import Guess, partly, whole
from unrender.perception.proposals.propose import (
    Choice,
    Sight,
    alike_regions,
    doubtful_regions,
    neighbours,
    of_colour,
)
from unrender.perception.refine.pixels import refine
from unrender.render.shape import area as shape_area
from unrender.render.shape import union

WHOLE = 0.9  # of an edge that a guess must explain so that nothing can be hidden
BATCH = 64  # regions that are fitted at once
SAMPLES = 64  # along the longer side of a piece: of a larger one every so many pixels are looked at
FEW = 4  # regions that are fitted at once if others may hide a part of them, which takes long
FINALISTS = 2  # guesses for one area that are refined
DOUBTED = 100.0  # bits of pixels of a region, or beside the edge of a shape, that may be another one
ROUGHLY = 1000.0  # bits by which a shape may be worse than several before it is refined
HALF = 0.5  # of a region: a shape that paints more of it tells it
WAYS = 8  # from one piece to another on which something that hides the rest is looked for
LEAST = 6  # px of an area that is worth a shape


def explained(
    state: Interpretation, sight: Sight, areas: Sequence[Area]
) -> Iterator[tuple[int, list[Guess]]]:
    """Numbers of areas with fits to all of their edge and, if none explains all of it, to a part of it."""
    for first in range(0, len(areas), BATCH):
        some = areas[first : first + BATCH]
        found = whole(some, sight.kinds, state.budget)
        open_ = [n for n, guesses in enumerate(found) if not guesses or guesses[0].share < WHOLE]
        more = partly([some[n] for n in open_], sight.kinds, sight.rng, state.budget)
        for n, guesses in zip(open_, more, strict=True):
            found[n] = [*found[n], *guesses]
        yield from ((first + n, guesses) for n, guesses in enumerate(found))


def refitted(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Shapes for regions parts of which look wrong and which a shape of their colour tells for the most part:
    it may lie otherwise, for it was chosen when it was not known what hides it."""
    mostly = []
    for region in _wrong_regions(state, sight, wrong):
        group, same = pieces(state, sight, region)
        window = union([sight.regions.window(k, 2) for k in group])
        if _painted(same, sight.regions, region) > HALF and neighbours(state, window, same):
            mostly.append(region)
    yield from _behind_others(state, sight, mostly)


def _wrong_regions(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[int]:
    """Regions parts of which look wrong, unless they were asked about while as much did."""
    for region in sight.promising(state, wrong):
        top, bottom, left, right = sight.regions.window(region, 2)
        off = wrong[top:bottom, left:right] & (sight.regions.labels[top:bottom, left:right] == region)
        bits = float(state.bits[top:bottom, left:right][off].sum())
        if bits > DOUBTED and sight.unasked(("hidden", region), bits):
            yield region
    for region, bits in doubtful_regions(state, sight.regions, wrong).items():
        if sight.unasked(("beside", region), bits):
            yield region


def _painted(several: Sequence[Placed], regions: Regions, region: int) -> float:
    """The share of the pixels of a region that the one of several shapes paints which paints most of it."""
    own = [(regions.labels[placed.pixels] == region).sum() for placed in several]
    return float(max(own, default=0) / regions.area[region])


def completed(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """One simple shape behind others in place of the outline of what is visible of it, or of the several
    shapes that its visible pieces were told as."""
    asked: list[int] = []
    for clue in sight.clues:
        if state.budget.spent:
            break
        if clue.region and clue.touches and not clue.thin:
            told = pieces(state, sight, clue.region)[1]
            if (len(told) > 1 or sight.outline_bits(state, clue)) and sight.fresh(
                state, ("completed", clue.region), clue.window
            ):
                asked.append(clue.region)
    yield from _behind_others(state, sight, asked)


def _behind_others(state: Interpretation, sight: Sight, several: Sequence[int]) -> Iterator[Choice]:
    """Shapes whose edges, as far as they are not those of others, are the edges of regions."""
    model, regions = state.model, sight.regions
    seen: set[tuple[int, ...]] = set()
    largest_first = sorted(several, key=lambda region: -int(regions.area[region]))
    for first in range(0, len(largest_first), FEW):
        areas: list[Area] = []
        alike: list[list[Placed]] = []
        for region in largest_first[first : first + FEW]:
            group, same = pieces(state, sight, region)
            for which in ([region], group):
                if tuple(which) in seen:
                    continue
                seen.add(tuple(which))
                window = union([regions.window(k, 2) for k in which])
                state.budget.draw(shape_area(window))
                others = neighbours(state, window, same)
                area = Area.of(model.image, model.background, regions, which, others)
                if area is not None:
                    areas.append(area)
                    alike.append(same)
        for n, guesses in explained(state, sight, areas):
            yield replacing(state, guesses, alike[n])


def pieces(state: Interpretation, sight: Sight, region: int) -> tuple[list[int], list[Placed]]:
    """The regions that may be one shape with a region, and the shapes of their colour that tell them."""
    regions, colour = sight.regions, sight.regions.colour[region]
    if region not in sight.linked:
        state.budget.draw(len(regions.area))
        near = alike_regions(regions, colour, state.model.paint_sigma)
        group = _linked(regions, region, near, state.budget)
        sight.linked.update(dict.fromkeys(group, group))
    group = sight.linked[region]
    near_by = of_colour(state, union([regions.window(k, 2) for k in group]), colour)
    return group, [placed for placed in near_by if _paints(placed, regions, group)]


def _linked(regions: Regions, region: int, alike: Sequence[int], budget: Budget) -> list[int]:
    """Those of several regions that may be pieces of one shape with one of them: nothing but other regions
    lies between a piece and the next one, on one of the shortest ways from its pixels, which is no longer
    than the piece."""
    found, waiting = [region], [region]
    left = np.zeros(len(regions.area), np.bool_)
    left[list(alike)] = True
    left[region] = False
    while waiting and left.any() and not budget.spent:
        piece = waiting.pop()
        top, bottom, first, last = regions.window(piece)
        gap = max(bottom - top, last - first)
        top, bottom, first, last = regions.window(piece, gap)
        stride = max(gap // SAMPLES, 1)
        labels = regions.labels[top:bottom:stride, first:last:stride]
        gap = math.ceil(gap / stride)
        budget.draw(4 * labels.size)
        if not left[labels].any():
            continue
        far, nearest = ndimage.distance_transform_edt(labels != piece, return_indices=True)
        rows, columns = np.nonzero(left[labels] & (far <= gap))
        order = np.argsort(far[rows, columns], kind="stable")
        rows, columns = rows[order], columns[order]
        for other in np.unique(labels[rows, columns]).tolist():
            own = np.flatnonzero(labels[rows, columns] == other)
            for k in own[:: max(len(own) // WAYS, 1)].tolist():
                at = rows[k], columns[k]
                steps = np.linspace(at, nearest[(slice(None), *at)], int(far[at]) + 2)[1:-1]
                row, column = steps.round().astype(int).T
                if (labels[row, column] != 0).all():
                    left[other] = False
                    found.append(other)
                    waiting.append(other)
                    break
    return sorted(found)


def _paints(placed: Placed, regions: Regions, several: Sequence[int]) -> bool:
    """Whether a shape paints a pixel of any of several regions."""
    rows, columns = placed.pixels
    return bool(np.isin(regions.labels[rows, columns], several).any())


def replacing(state: Interpretation, guesses: Sequence[Guess], same: Sequence[Placed]) -> Iterator[Move]:
    """A shape for an area, beside those of its colour or in place of them."""
    for guess in likeliest(state, guesses, same):
        placed = Placed.of(state.refined(guess.shape, same), state.model)
        if same:
            whole = Move([placed], tuple(same))
            yield whole if state.gain(whole) > 0 else _with_those_beside(state, whole)
        if len(same) > 1:
            yield from (Move([placed], (one,)) for one in same)
        if len(same) > 2:
            yield from (Move([placed], (*same[:n], *same[n + 1 :])) for n in range(len(same)))
        yield Move([placed])


def _with_those_beside(state: Interpretation, move: Move) -> Move:
    """The same move with the shapes refined whose edges show only since what a move removes hides them no
    longer; or as it is, if it is far from being worth it."""
    if state.gain(move) < -ROUGHLY:
        return move
    shapes = state.after(move)
    beside = [
        placed
        for placed in shapes
        if placed not in move.add and all(any(map(placed.touches, own)) for own in (move.add, move.remove))
    ]
    moved: list[Placed] = []
    for placed in beside:
        at = shapes.index(placed)
        better = refine(placed.shape, state.stage(shapes, at), state.model, FROM_AFAR, NEAR)
        shapes[at] = placed.moved(better, state.model)
        moved.append(shapes[at])
    return Move([*move.add, *moved], (*move.remove, *beside))


def likeliest(state: Interpretation, guesses: Sequence[Guess], same: Sequence[Placed] = ()) -> list[Guess]:
    """The guesses that would save most as they are, before they are refined; none that spoils more than it
    could ever save."""
    gains: list[tuple[float, int]] = []
    for n, guess in enumerate(guesses):
        placed = Placed.of(guess.shape, state.model)
        moves = [Move([placed]), Move([placed], tuple(same))] if same else [Move([placed])]
        gain = max(state.gain(move) for move in moves)
        if gain > -max(ROUGHLY, state.promise(moves[-1])):
            gains.append((gain, -n))
    return [guesses[-n] for _, n in sorted(gains, reverse=True)[:FINALISTS]]


def adding(state: Interpretation, guess: Guess, area: Area) -> Move:
    """A further shape, refined among those that are there; with the colour inside if the area borders it."""
    shape = guess.shape
    if shape.fill is None and area.inner is not None and shape.primitive.closed:
        shape = replace(shape, fill=area.inner)
    return Move([Placed.of(state.refined(shape), state.model)])

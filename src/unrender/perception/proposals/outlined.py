"""Proposals that give a shape its second colour: a painted one the border that lies around it, as wide as it
goes on; an outline the colour that fills it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.propose import (
    CHEAPEST,
    SAME,
    Choice,
    Sight,
    in_place,
    of_colour,
    wrong_bits,
)
from unrender.perception.proposals.sets import refined_together
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import distances, pixels_near
from unrender.render.shape import TAU, A, B, Shape, grown

WIDEST = 0.35  # of the shorter half side: a wider border is a shape of its own
STEP = 0.5  # px between the distances at which a border is looked for
THIN = 1.3  # px: the width at which the refinement of a border begins that no pixel shows alone
LEAST = 6  # px that tell a colour
ROUGHLY, A_THIRD = 1000.0, 12.0  # bits by which a border may be worse before it is refined, and for each px
# around it: what an edge costs that is off by a third of a pixel
FEWEST = 0.5  # of the edge along which the border must show; others may hide the rest


def outlined(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Painted shapes with a border of the colour that lies around them, also in place of lines that were told
    as shapes of their own: one, or one around several."""
    lines = [placed for placed in state.shapes if placed.shape.fill is None and placed.shape.primitive.closed]
    around: dict[Placed, list[tuple[Placed, Shape]]] = {line: [] for line in lines}
    for placed in state.shapes:
        shape = placed.shape
        if shape.stroke is not None or not shape.primitive.closed:
            continue
        window = grown(placed.patch.window, 2, *state.model.size)
        if not lines and wrong_bits(state, wrong, window) < CHEAPEST:
            continue
        fresh = sight.fresh(state, ("outlined", placed.key), window)
        if fresh or (lines and placed not in sight.borders):
            sight.borders[placed] = _border(state, shape)
        border = sight.borders.get(placed)
        if border is None or border.stroke is None:
            continue
        same = [line for line in of_colour(state, window, border.stroke) if line in around]
        for line in same:
            around[line].append((placed, border))
        if fresh:
            gone = [(placed,), (placed, *same)] if same else [(placed,)]
            yield [in_place(state, border, each) for each in gone if _may_be(state, border, each)]
    for line, several in around.items():
        if len(several) > 1 and sight.fresh(state, ("borders of", line.key), line.patch.window):
            inside = [placed for placed, _ in several]
            new = refined_together(state, [border for _, border in several], (line, *inside))
            yield [Move(new, (line, *inside))]


def _may_be(state: Interpretation, border: Shape, gone: tuple[Placed, ...]) -> bool:
    """Whether a shape with a border may become better than others by refinement."""
    around = 4 * float(border.pose[A] + border.pose[B])  # px
    return state.gain(Move([Placed.of(border, state.model)], gone)) > -max(ROUGHLY, A_THIRD * around)


def _border(state: Interpretation, shape: Shape) -> Shape | None:
    """The shape with the border that can be seen around it, if there is any."""
    most = WIDEST * float(min(shape.pose[A], shape.pose[B])) + 2.0
    around = shape.widened(most)
    top, bottom, left, right = around.window(*state.model.size)
    if bottom - top < 3 or right - left < 3:
        return None
    near = pixels_near(shape, (top, bottom, left, right), most)
    state.budget.draw(4 * len(near[0]))
    signed = distances(shape, near[1] + (left + 0.5), near[0] + (top + 0.5))[0][0]
    outside = signed > 0
    rows, columns = (each[outside].astype(np.int64) for each in near)
    rows, columns, signed = rows + top, columns + left, signed[outside]
    image = state.model.image[rows, columns].astype(np.float64)
    colour = _colour_beside(image, signed)
    if colour is None or shape.fill is None or ((colour - shape.fill) ** 2).sum() < SAME:
        return None
    own = ((image - colour) ** 2).sum(1) < SAME + 3 * (4 * state.model.paint_sigma) ** 2
    width = _width(own, signed, most)
    if width is None:  # too thin for a pixel of its own
        beside = (signed > 0.3) & (signed < 1.2)
        if (state.bits[rows, columns] > 0.5 * state.model.cap)[beside].mean() < FEWEST:
            return None
        width, colour = THIN, np.median(image[beside], 0)
    wide = shape.widened(width / 2)
    wide.pose[TAU] = width / 2
    return replace(wide, stroke=colour)


def _colour_beside(image: Doubles, signed: Doubles) -> Doubles | None:
    """The colour (3,) that most pixels about a pixel outside an edge have."""
    beside = image[(signed > 0.7) & (signed < 1.7)]
    if len(beside) < LEAST:
        return None
    colour = np.median(beside, 0)
    near = ((beside - colour) ** 2).sum(1) < 0.01
    return np.median(beside[near], 0) if near.mean() > FEWEST / 2 else None


def _width(own: Mask, signed: Doubles, most: float) -> float | None:
    """How far a colour goes on outside an edge (px), by the share of pixels that show it at each distance."""
    shares = []
    for far in np.arange(0.5, most, STEP):
        band = np.abs(signed - far) < STEP
        if not band.any():
            break
        shares.append(own[band].mean())
    if not shares or max(shares) < FEWEST:
        return None
    first = int(np.argmax(shares))
    below = np.nonzero(np.array(shares[first:]) < shares[first] / 2)[0]
    return None if not len(below) else 0.5 + STEP * (first + int(below[0]))

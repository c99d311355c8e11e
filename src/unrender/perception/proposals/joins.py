"""Proposals that join strokes: those of one colour and width that meet at their ends are one path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.propose import Choice, Sight, near_colour
from unrender.perception.proposals.reshape import around, as_path, path_form
from unrender.primitives.path import backwards, closed_up, ends, framed, is_open, joined, path
from unrender.primitives.protocol import Doubles
from unrender.render.shape import TAU, Shape, union

SAME = 0.15  # of their widths by which those of two pieces of one stroke may differ
MEET = 0.6  # widths between the ends of two strokes that may meet
PARALLEL = 0.3  # sine of the angle from which on the corner is where both would go on


@dataclass(frozen=True, eq=False)
class End:
    """One end of an open stroke."""

    placed: Placed
    form: Doubles  # in px of the canvas, so that this end is the last one
    place: Doubles  # (2,) px
    way: Doubles  # (2,): the unit vector along which it ends
    half: float  # px: half the width of the stroke
    colour: Doubles


def meeting(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """One path in place of every two strokes that meet at their ends, and a closed one in place of one whose
    ends meet."""
    if path not in sight.kinds:
        return
    known: list[End] = []
    for placed in state.shapes:
        known += _ends(placed)
    for n, one in enumerate(known):
        for other in known[:n]:
            if _meet(one, other, state.model.paint_sigma):
                gone = (one.placed,) if one.placed is other.placed else (one.placed, other.placed)
                window = union([placed.patch.window for placed in gone])
                if sight.fresh(state, ("meeting", frozenset(placed.key for placed in gone)), window):
                    yield [_one(state, one, other, gone)]


def _ends(placed: Placed) -> list[End]:
    """Both ends of a stroke, if it has any."""
    shape = placed.shape
    if not (
        shape.primitive.strokelike
        or (shape.fill is None and (shape.primitive.formed or not shape.primitive.closed))
    ):
        return []
    told = as_path(shape)
    form = path_form(told)
    if not is_open(form) or told.stroke is None:
        return []
    place, way = ends(form)
    half = float(told.pose[TAU])
    return [
        End(placed, backwards(form), place[0], way[0], half, told.stroke),
        End(placed, form, place[1], way[1], half, told.stroke),
    ]


def _meet(one: End, other: End, sigma: float) -> bool:
    """Whether two ends may be one corner."""
    if abs(one.half - other.half) > SAME * max(one.half, other.half):
        return False
    apart = float(np.hypot(*(one.place - other.place)))
    if apart > max(2 * MEET * (one.half + other.half), 2.0) or not near_colour(
        one.colour, other.colour, sigma
    ):
        return False
    return one.placed is not other.placed or len(one.form) > 9


def _one(state: Interpretation, one: End, other: End, gone: tuple[Placed, ...]) -> Move:
    where = (one.place + other.place) / 2
    cross = float(one.way[0] * other.way[1] - one.way[1] * other.way[0])
    if abs(cross) > PARALLEL:  # where both would go on to
        off = other.place - one.place
        along = float(off[0] * other.way[1] - off[1] * other.way[0]) / cross
        corner = one.place + along * one.way
        if np.hypot(*(corner - where)) < 4 * one.half + 2:
            where = corner
    if one.placed is other.placed:
        form = closed_up(one.form, where)
    else:
        form = joined(one.form, backwards(other.form), where)
    pose, form = framed(form, (one.half + other.half) / 2)
    shape = Shape(path, pose, None, (one.colour + other.colour) / 2, form)
    reach = 4 * one.half + 4
    within = around(*np.stack([one.place, other.place, where], 1), reach)
    return Move([Placed.of(state.refined(shape, gone, within=within), state.model)], gone)

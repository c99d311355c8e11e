"""Proposals that join strokes: those of one colour and width that meet at their ends are one path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.propose import (
    Choice,
    End,
    Sight,
    as_it_is_or_refined,
    in_place,
    one_pen,
)
from unrender.perception.proposals.reshape import around, as_path, path_form
from unrender.perception.refine.caps import straight_ended
from unrender.primitives.path import framed, path
from unrender.primitives.polycurve_edits import backwards, closed_up, ends, is_open, joined
from unrender.primitives.protocol import Doubles
from unrender.render.shape import TAU, A, B, Shape, grown, union

MEET = 0.6  # widths between the ends of two strokes that may meet
AT_END = 2.5  # half widths around the end of a stroke
STEPS = (-1.0, -2.0, 1.0)  # half widths by which it may end later
WORTH = 50.0  # bits that look wrong there
PARALLEL = 0.3  # sine of the angle from which on the corner is where both would go on


def meeting(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """One path in place of every two strokes that meet at their ends, and a closed one in place of one whose
    ends meet."""
    if path not in sight.kinds:
        return
    known: list[End] = []
    for placed in state.shapes:
        known += measured_ends(sight, placed)
    for n, one in enumerate(known):
        for other in known[:n]:
            if meet(state, one, other):
                gone = (one.placed,) if one.placed is other.placed else (one.placed, other.placed)
                window = union([placed.patch.window for placed in gone])
                if sight.fresh(state, ("meeting", frozenset(placed.key for placed in gone)), window):
                    yield _one(state, one, other, gone)


def measured_ends(sight: Sight, placed: Placed) -> list[End]:
    """The same, measured once."""
    if placed not in sight.ends:
        sight.ends[placed] = ends_of(placed)
    return sight.ends[placed]


def ends_of(placed: Placed) -> list[End]:
    """Both ends of a stroke, if it has any."""
    told = as_stroke(placed.shape)
    return [] if told is None else both_ends(placed, told)


def both_ends(placed: Placed, told: Shape) -> list[End]:
    """The ends of a shape that is told as this path, if it is an open line."""
    form = path_form(told)
    if not is_open(form) or told.stroke is None:
        return []
    place, way = ends(form)
    half = float(told.pose[TAU])
    return [
        End(placed, backwards(form), place[0], way[0], half, told.stroke),
        End(placed, form, place[1], way[1], half, told.stroke),
    ]


def as_stroke(shape: Shape) -> Shape | None:
    """A shape as the path of a stroke, if it is one."""
    open_line = shape.fill is None and (shape.primitive.formed or not shape.primitive.closed)
    is_stroke = shape.dashes is None and (shape.primitive.strokelike or open_line)
    return as_path(shape) if is_stroke else None


def meet(state: Interpretation, one: End, other: End) -> bool:
    """Whether two ends may be one corner."""
    apart = float(np.hypot(*(one.place - other.place)))
    if apart > max(2 * MEET * (one.half + other.half), 2.0) or not one_pen(state, one, other):
        return False
    return one.placed is not other.placed or len(one.form) > 9


def _one(state: Interpretation, one: End, other: End, gone: tuple[Placed, ...]) -> Choice:
    """Both as one path, refined at their corner if it is not as good as it is, but may become so."""
    shape, where = as_one_path(one, other)
    corners = np.stack([one.place, other.place, where])
    within = around(corners[:, 0], corners[:, 1], 4 * one.half + 4)
    return as_it_is_or_refined(state, shape, gone, within)


def as_one_path(one: End, other: End) -> tuple[Shape, Doubles]:
    """The path of two strokes from end to end, or the closed one of one of them, and where its corner is."""
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
    return Shape(path, pose, None, (one.colour + other.colour) / 2, form), where


def moved_ends(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """A stroke that ends a little earlier or later, where something looks wrong at its end: if another one
    hides it, no pixel tells which way to go."""
    bits = np.where(wrong, state.bits, 0)
    for placed in list(state.shapes):
        for number, end in enumerate(measured_ends(sight, placed)):
            reach = AT_END * end.half + 2
            window = grown(around(end.place[:1], end.place[1:], reach), 0, *state.model.size)
            top, bottom, left, right = window
            off = float(bits[top:bottom, left:right].sum())
            if off > WORTH and sight.unasked(("end", placed.key, number), off):
                moved = [_ended(end, step * end.half) for step in STEPS]
                gains = [state.gain(Move([Placed.of(shape, state.model)], (placed,))) for shape in moved]
                if max(gains) > -WORTH:
                    yield [in_place(state, moved[int(np.argmax(gains))], (placed,))]


def straight_ends(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Straight ends in place of the round ones of arcs and paths."""
    for placed in list(state.shapes):
        once = ("straight", placed.key, len(placed.shape.form))
        if once in sight.tried or placed.shape.primitive.strokelike:
            continue
        sight.tried[once] = len(state.changes)
        shape = straight_ended(placed.shape)
        if shape is not None:
            yield [Move([Placed.of(shape, state.model)], (placed,))]


def _ended(end: End, step: float) -> Shape:
    """A stroke that ends `step` px later."""
    shape, form = end.placed.shape, end.form.copy()
    if shape.primitive.strokelike:
        pose = shape.pose.copy()
        pose[:2] += end.way * step / 2
        pose[A] = max(pose[A] + step / 2, pose[B])
        return replace(shape, pose=pose)
    form[-2:] += end.way * step
    pose, form = framed(form, end.half)
    return Shape(path, pose, None, end.colour, form)

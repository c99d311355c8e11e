"""Proposals that join strokes: those of one colour and width that meet at their ends are one path, and those
that lie on one outline are that outline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.outlines.clues import Clue
from unrender.perception.outlines.gather import gathered, opened, trimmed
from unrender.perception.proposals.fits import of_areas
from unrender.perception.proposals.propose import (
    Choice,
    End,
    Sight,
    bits_at,
    in_place,
    one_pen,
    wrong_beside,
)
from unrender.perception.proposals.reshape import around, as_path, evidence, path_form
from unrender.perception.proposals.starting import guessed
from unrender.perception.refine.caps import straight_ended
from unrender.primitives.evidence import Evidence
from unrender.primitives.path import framed, path
from unrender.primitives.polycurve_edits import backwards, closed_up, ends, is_open, joined
from unrender.primitives.protocol import Primitive
from unrender.render.coverage import distances
from unrender.render.shape import TAU, A, B, Shape, grown, inside, overlaps, union

MEET = 0.6  # widths between the ends of two strokes that may meet
MANY = 12  # strokes of one colour that may be pieces of one outline
KEPT = 3  # outlines that are tried for them
AT_END = 2.5  # half widths around the end of a stroke
STEPS = (-1.0, -2.0, 1.0)  # half widths by which it may end later
WORTH = 50.0  # bits that look wrong there
ROUGHLY = 2000.0  # bits by which an outline may be worse than its strokes before it is refined
ALL, MOSTLY = 0.999, 0.6  # of a stroke that lies on the outline; of a closed one a side may lie elsewhere
CORNER = 400.0  # bits by which one path may be worse than its strokes before its corner is refined
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
            if _meet(state, one, other):
                gone = (one.placed,) if one.placed is other.placed else (one.placed, other.placed)
                window = union([placed.patch.window for placed in gone])
                if sight.fresh(state, ("meeting", frozenset(placed.key for placed in gone)), window):
                    yield _one(state, one, other, gone)


def measured_ends(sight: Sight, placed: Placed) -> list[End]:
    """Both ends of a stroke, if it has any."""
    if placed not in sight.ends:
        sight.ends[placed] = _found_ends(placed)
    return sight.ends[placed]


def _found_ends(placed: Placed) -> list[End]:
    shape = placed.shape
    if shape.dashes is not None or not (
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


def _meet(state: Interpretation, one: End, other: End) -> bool:
    """Whether two ends may be one corner."""
    apart = float(np.hypot(*(one.place - other.place)))
    if apart > max(2 * MEET * (one.half + other.half), 2.0) or not one_pen(state, one, other):
        return False
    return one.placed is not other.placed or len(one.form) > 9


def _one(state: Interpretation, one: End, other: End, gone: tuple[Placed, ...]) -> Iterator[Move]:
    """Both as one path, refined at their corner if it is not as good as it is, but may become so."""
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
    plain = Move([Placed.of(shape, state.model)], gone)
    gain = state.gain(plain)
    if gain > 0:
        yield plain
    elif gain > -CORNER:
        corners = np.stack([one.place, other.place, where])
        within = around(corners[:, 0], corners[:, 1], 4 * one.half + 4)
        yield Move([Placed.of(state.refined(shape, gone, within=within), state.model)], gone)


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


def whole_outlines(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """The outline of a closed primitive in place of several strokes of one colour and width that lie on it:
    four edges that make a rectangle are one; and so are three sides, told as a shorter one, and a fourth, and
    two outlines each of which completes a part of one."""
    kinds = [kind for kind in sight.kinds if kind.starts is not None and of_areas(kind)]
    pieces = [
        [placed for placed in group if _goes_on(state, sight, placed, group)]
        for group in _groups(state, sight)
    ]
    for group in [*pieces, *_pairs(state), *_with_a_side(state, sight, wrong)]:
        if len(group) < 2:
            continue
        once = ("whole", frozenset(placed.key for placed in group))
        if once not in sight.tried:  # refined or not, their lines tell the same outline
            sight.tried[once] = len(state.changes)
            yield _outlines(state, kinds, group)


def _groups(state: Interpretation, sight: Sight) -> list[list[Placed]]:
    """Open strokes of one colour and width, two or more."""
    found: list[tuple[End, list[Placed]]] = []
    for placed in state.shapes:
        for end in measured_ends(sight, placed)[:1]:
            for like, group in found:
                if one_pen(state, like, end):
                    group.append(placed)
                    break
            else:
                found.append((end, [placed]))
    return [group for _, group in found if 1 < len(group) <= MANY]


def _pairs(state: Interpretation) -> Iterator[list[Placed]]:
    """Every two outlines of one colour and width that lie upon each other."""
    none = np.zeros(0)
    several = [
        End(placed, none, none, none, float(placed.shape.pose[TAU]), placed.shape.stroke)
        for placed in state.shapes
        if _is_outline(placed.shape) and placed.shape.stroke is not None
    ]
    for n, one in enumerate(several):
        for other in several[:n]:
            if overlaps(one.placed.painted, other.placed.painted) and one_pen(state, one, other):
                yield [other.placed, one.placed]


def _is_outline(shape: Shape) -> bool:
    """Whether a shape is the outline of a closed primitive and nothing else."""
    return shape.fill is None and of_areas(shape.primitive) and shape.primitive.closed


def _with_a_side(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[list[Placed]]:
    """Outlines beside which something looks wrong, each with one open stroke of their colour and width near
    it, which may be a side that was looked for elsewhere."""
    strokes = [end for placed in state.shapes for end in measured_ends(sight, placed)[:1]]
    for placed in state.shapes if strokes else ():
        shape, none = placed.shape, np.zeros(0)
        if not _is_outline(shape) or shape.stroke is None:
            continue
        if bits_at(state, *wrong_beside(placed, wrong)) < WORTH:
            continue
        own = End(placed, none, none, none, float(shape.pose[TAU]), shape.stroke)
        reach = int(0.5 * max(shape.pose[A], shape.pose[B]))
        around = grown(placed.painted, reach, *state.model.size)
        for end in strokes:
            if inside(end.placed.painted, around) and one_pen(state, own, end):
                yield [placed, end.placed]


def _goes_on(state: Interpretation, sight: Sight, placed: Placed, group: Sequence[Placed]) -> bool:
    """Whether a stroke may be a piece of a closed outline: at both of its ends another one begins, or another
    shape may hide what does."""
    for end in measured_ends(sight, placed):
        reach = AT_END * end.half + 2
        others = [other for each in group if each is not placed for other in measured_ends(sight, each)]
        meets = any(np.hypot(*(other.place - end.place)) < reach for other in others)
        window = around(end.place[:1], end.place[1:], end.half)
        if not meets and not any(
            overlaps(window, other.painted) for other in state.shapes if other is not placed
        ):
            return False
    return True


def _outlines(state: Interpretation, kinds: Sequence[Primitive], group: Sequence[Placed]) -> Iterator[Move]:
    """Closed outlines through the strokes of a group, each in place of those that lie on it."""
    told = [as_path(placed.shape) for placed in group]
    width = 2 * float(np.mean([shape.pose[TAU] for shape in told]))
    lines = [trimmed(opened(line), width / 2) for shape in told for line in evidence(shape).strokes]
    least = MOSTLY if any(placed.shape.primitive.closed for placed in group) else ALL
    whole = gathered(lines)
    points = np.stack([whole.x, whole.y])
    clue = Clue(
        Evidence((), [whole], width, points.mean(1), np.cov(points) + np.eye(2) / 12),
        np.zeros(3),
        (0, 0, 0, 0),
    )
    stroke = as_path(group[0].shape).stroke
    for guesses in guessed([clue], kinds, state.budget)[0]:
        for guess in guesses[:KEPT]:
            shape = replace(guess.shape, fill=None, stroke=stroke)
            on = [
                placed
                for placed, line in zip(group, lines, strict=True)
                if (np.abs(distances(shape, line.x, line.y)[0]) < max(width, 2.0)).mean() > least
            ]
            if len(on) > 1 and state.gain(Move([Placed.of(shape, state.model)], on)) > -ROUGHLY:
                yield Move([Placed.of(state.refined(shape, on), state.model)], on)

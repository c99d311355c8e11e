"""Proposals that join strokes: those of one colour and width that meet at their ends are one path, and those
that lie on one outline are that outline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.outlines.clues import Clue
from unrender.perception.proposals.fits import of_areas
from unrender.perception.proposals.propose import Choice, End, Sight, in_place, near_colour
from unrender.perception.proposals.reshape import around, as_path, evidence, path_form
from unrender.perception.proposals.starting import guessed
from unrender.primitives.evidence import Evidence, Line
from unrender.primitives.path import framed, path
from unrender.primitives.polycurve_edits import backwards, closed_up, ends, is_open, joined
from unrender.primitives.protocol import Primitive
from unrender.render.coverage import distances
from unrender.render.shape import TAU, A, B, Shape, grown, overlaps, union

SAME = 0.15  # of their widths by which those of two pieces of one stroke may differ
MEET = 0.6  # widths between the ends of two strokes that may meet
MANY = 12  # strokes of one colour that may be pieces of one outline
KEPT = 3  # outlines that are tried for them
AT_END = 2.5  # half widths around the end of a stroke
STEPS = (-1.0, -2.0, 1.0)  # half widths by which it may end later
WORTH = 50.0  # bits that look wrong there
ROUGHLY = 2000.0  # bits by which an outline may be worse than its strokes before it is refined
CORNER = 400.0  # bits by which one path may be worse than its strokes before its corner is refined
PARALLEL = 0.3  # sine of the angle from which on the corner is where both would go on


def meeting(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """One path in place of every two strokes that meet at their ends, and a closed one in place of one whose
    ends meet."""
    if path not in sight.kinds:
        return
    known: list[End] = []
    for placed in state.shapes:
        known += _ends(sight, placed)
    for n, one in enumerate(known):
        for other in known[:n]:
            if _meet(one, other, state.model.paint_sigma):
                gone = (one.placed,) if one.placed is other.placed else (one.placed, other.placed)
                window = union([placed.patch.window for placed in gone])
                if sight.fresh(state, ("meeting", frozenset(placed.key for placed in gone)), window):
                    yield _one(state, one, other, gone)


def _ends(sight: Sight, placed: Placed) -> list[End]:
    """Both ends of a stroke, if it has any."""
    if placed not in sight.ends:
        sight.ends[placed] = _measured_ends(placed)
    return sight.ends[placed]


def _measured_ends(placed: Placed) -> list[End]:
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
        for number, end in enumerate(_ends(sight, placed)):
            reach = AT_END * end.half + 2
            window = grown(around(end.place[:1], end.place[1:], reach), 0, *state.model.size)
            top, bottom, left, right = window
            off = float(bits[top:bottom, left:right].sum())
            if off > WORTH and sight.unasked(("end", placed.key, number), off):
                moved = [_ended(end, step * end.half) for step in STEPS]
                tried = [Move([Placed.of(shape, state.model)], (placed,)) for shape in moved]
                best = max(range(len(tried)), key=lambda n: state.gain(tried[n]))
                if state.gain(tried[best]) > -WORTH:
                    yield [in_place(state, moved[best], (placed,))]


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
    four edges that make a rectangle are one."""
    kinds = [kind for kind in sight.kinds if kind.starts is not None and of_areas(kind)]
    for group in _groups(state, sight):
        group = [placed for placed in group if _goes_on(state, sight, placed, group)]
        if len(group) < 2:
            continue
        window = union([placed.patch.window for placed in group])
        if sight.fresh(state, ("whole", frozenset(placed.key for placed in group)), window):
            yield _outlines(state, kinds, group)


def _groups(state: Interpretation, sight: Sight) -> list[list[Placed]]:
    """Open strokes of one colour and width, two or more."""
    found: list[tuple[End, list[Placed]]] = []
    for placed in state.shapes:
        for end in _ends(sight, placed)[:1]:
            for like, group in found:
                same = abs(like.half - end.half) < SAME * max(like.half, end.half)
                if same and near_colour(like.colour, end.colour, state.model.paint_sigma):
                    group.append(placed)
                    break
            else:
                found.append((end, [placed]))
    return [group for _, group in found if 1 < len(group) <= MANY]


def _goes_on(state: Interpretation, sight: Sight, placed: Placed, group: Sequence[Placed]) -> bool:
    """Whether a stroke may be a piece of a closed outline: at both of its ends another one begins, or another
    shape may hide what does."""
    for end in _ends(sight, placed):
        reach = AT_END * end.half + 2
        others = [other for each in group if each is not placed for other in _ends(sight, each)]
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
    lines = [_trimmed(line, width / 2) for shape in told for line in evidence(shape).strokes]
    whole = _around(lines)
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
                if np.abs(distances(shape, line.x, line.y)[0]).max() < max(width, 2.0)
            ]
            if len(on) > 1 and state.gain(Move([Placed.of(shape, state.model)], on)) > -ROUGHLY:
                yield Move([Placed.of(state.refined(shape, on), state.model)], on)


def _trimmed(line: Line, length: float) -> Line:
    """A line without its last px at either end, where it may reach beyond the corner of an outline."""
    count = min(math.ceil(length), (len(line.x) - 2) // 2)
    if count < 1 or line.closed:
        return line
    x, y, error = (each[count:-count] for each in (line.x, line.y, line.error))
    first = np.maximum(line.first - count, 0)
    return replace(line.extended(-length, -length), x=x, y=y, error=error, first=first)


def _around(lines: Sequence[Line]) -> Line:
    """Several lines as one closed one, in the order in which they lie around their middle."""
    x, y, error = (np.concatenate([getattr(line, name) for line in lines]) for name in ("x", "y", "error"))
    centre = np.array([x.mean(), y.mean()])
    turned: list[Line] = []
    for line in lines:
        first, last = line.corner[0] - centre, line.corner[-1] - centre
        clockwise = first[0] * last[1] - first[1] * last[0] >= 0
        turned.append(line if clockwise else _backwards(line))
    turned.sort(key=lambda line: float(np.arctan2(line.y.mean() - centre[1], line.x.mean() - centre[0])))
    corner, radius, middle, at, count = [], [], [], [], 0
    for line in turned:
        corner.append(line.corner)
        radius.append(np.append(line.radius, 0.0))
        middle.append(np.concatenate([line.centre, np.zeros((1, 2))]))
        at.append(count + np.append(line.first, len(line.x) - 1))
        count += len(line.x)
    x, y, error = (np.concatenate([getattr(line, name) for line in turned]) for name in ("x", "y", "error"))
    return Line(
        x, y, error, np.concatenate(corner), np.concatenate(radius), np.concatenate(middle), True,
        np.concatenate(at),
    )  # fmt: skip


def _backwards(line: Line) -> Line:
    return Line(
        line.x[::-1].copy(),
        line.y[::-1].copy(),
        line.error[::-1].copy(),
        line.corner[::-1].copy(),
        -line.radius[::-1],
        line.centre[::-1].copy(),
        line.closed,
        np.append(0, len(line.x) - line.first[::-1][:-1]),
    )

"""Whole outlines: one closed shape in place of several strokes of one pen that lie on its outline. Whatever
hides a part of an outline, or crosses it, leaves such pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.perception.depth import Placed, overlapping
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.fits import of_areas, through
from unrender.perception.proposals.joins import both_ends, measured_ends
from unrender.perception.proposals.propose import Choice, End, Sight, one_pen
from unrender.perception.proposals.reshape import around, as_path, evenly
from unrender.perception.proposals.starting import A_THIRD, ROUGHLY, around_px
from unrender.primitives.edge import edge
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.composite import layers
from unrender.render.coverage import distances
from unrender.render.shape import ANGLE, OWN, TAU, A, B, Shape, X, Y, grown, inside

BAR = 2.5  # times as long as wide: what is shorter says little about which way an outline runs
MANY = 12  # pieces of one pen that may lie on one outline
AT_END = 2.5  # half widths around the end of a stroke
NEARBY = 0.5  # of half the longer side of an outline, one of whose sides may lie so far off
SEEN = 0.98  # of an outline: one of which more is visible is whole by itself
HIDDEN = 0.5  # of a pixel that something in front covers
ON = 0.9  # of what is visible of a piece that lies on the outline


@dataclass(frozen=True, eq=False)
class Piece:
    """What may be a part of an outline."""

    placed: Placed
    pen: End  # one of its ends, or of an outline any: its colour and half its width
    line: Doubles  # (N, 2): points, a px apart, of what is visible of its centre line
    ends: Sequence[End] = ()  # of an open one


def whole_outlines(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """The outline of a closed primitive in place of several pieces that lie on it: open strokes and bars that
    end where others begin or may hide what goes on, and outlines that are not visible all around, for these
    may have been completed wrongly."""
    kinds = [kind for kind in sight.kinds if kind.starts is not None and of_areas(kind) and kind.closed]
    for group in _of_one_pen(state, sight):
        once = ("whole", frozenset(piece.placed.key for piece in group))
        if once not in sight.tried:  # refined or not, their lines tell the same outline
            sight.tried[once] = len(state.changes)
            yield _outlines(state, sight, kinds, group)


def _of_one_pen(state: Interpretation, sight: Sight) -> list[list[Piece]]:
    """Pieces of one colour and width, two or more."""
    groups: list[list[Piece]] = []
    for placed in state.shapes:
        state.budget.trace(0, 1)
        piece = _piece(state, sight, placed)
        if piece is None:
            continue
        like = [group for group in groups if one_pen(state, group[0].pen, piece.pen)]
        if like:
            like[0].append(piece)
        else:
            groups.append([piece])
    few = [group for group in groups if 1 < len(group) <= MANY]
    found = [[piece for piece in group if _may_go_on(state, piece, group)] for group in few]
    return [group for group in found if len(group) > 1]


def _piece(state: Interpretation, sight: Sight, placed: Placed) -> Piece | None:
    shape = placed.shape
    ends = _ends(sight, placed)
    if ends:
        half = ends[0].half
        inner = evenly(as_bar(shape) or as_path(shape))[0]
        trim = min(round(half), (len(inner) - 2) // 2)  # it may reach beyond the corner of an outline
        return Piece(placed, ends[0], inner[trim : len(inner) - trim], ends)
    if shape.fill is not None or shape.stroke is None or not shape.primitive.closed or shape.primitive.formed:
        return None
    none = np.zeros(0)
    line = np.concatenate(evenly(as_path(shape)))
    seen = _visible(state, placed, line)
    if len(line) == 0 or seen.mean() > SEEN or not seen.any():
        return None
    return Piece(placed, End(placed, none, none, none, float(shape.pose[TAU]), shape.stroke), line[seen])


def _visible(state: Interpretation, placed: Placed, line: Doubles) -> Mask:
    """Which points (N, 2) of the middle of a shape lie on the picture, look right, and are hidden by none."""
    tall, wide = state.model.size
    column, row = np.floor(line).astype(np.int64).T
    seen = (row >= 0) & (row < tall) & (column >= 0) & (column < wide)
    row, column = row.clip(0, tall - 1), column.clip(0, wide - 1)
    seen &= state.bits[row, column] <= state.model.wrong
    for other in overlapping(state.shapes[state.shapes.index(placed) + 1 :], placed.patch.window):
        for (top, bottom, left, right), alpha, _ in layers(other.shape, other.patch):
            under = (row >= top) & (row < bottom) & (column >= left) & (column < right)
            seen[under] &= alpha[row[under] - top, column[under] - left] < HIDDEN
    return np.asarray(seen)


def _ends(sight: Sight, placed: Placed) -> list[End]:
    """Both ends of a stroke or of a bar."""
    bar = as_bar(placed.shape)
    return measured_ends(sight, placed) if bar is None else both_ends(placed, bar)


def as_bar(shape: Shape) -> Shape | None:
    """A shape all of whose box is painted, much longer than wide, as the stroke that paints the same: a side
    of an outline, cut out by others, may be told as a bar."""
    pose = shape.pose
    long, short = max(pose[A], pose[B]), min(pose[A], pose[B])
    if shape.stroke is not None or shape.fill is None or not of_areas(shape.primitive) or long < BAR * short:
        return None
    u, v = np.array([1, 1, -1, -1]) * (pose[A] - 1), np.array([1, -1, 1, -1]) * (pose[B] - 1)
    cos, sin = np.cos(pose[ANGLE]), np.sin(pose[ANGLE])
    corners = distances(shape, pose[X] + cos * u - sin * v, pose[Y] + sin * u + cos * v)[0]
    if corners.max() >= 0:
        return None
    told = np.zeros(OWN + len(edge.own))
    told[:TAU] = pose[X], pose[Y], long, short, pose[ANGLE] + (0.0 if pose[A] > pose[B] else np.pi / 2)
    return as_path(Shape(edge, told, shape.fill, None))


def _may_go_on(state: Interpretation, piece: Piece, group: Sequence[Piece]) -> bool:
    """Whether it may be a part of a closed outline: at both of its ends another piece begins, or another
    shape may hide what does; or it may be a side that an outline has elsewhere."""
    size = state.model.size
    for each in group:
        if each is not piece and not each.ends:
            margin = int(NEARBY * max(each.placed.shape.pose[A], each.placed.shape.pose[B]))
            if inside(piece.placed.painted, grown(each.placed.painted, margin, *size)):
                return True
    others = [end for each in group if each is not piece for end in each.ends]
    for end in piece.ends:
        reach = AT_END * end.half + 2
        meets = any(np.hypot(*(other.place - end.place)) < reach for other in others)
        window = around(end.place[:1], end.place[1:], end.half)
        if not meets and not any(other.paints(window) for other in state.shapes if other is not piece.placed):
            return False
    return True


def _outlines(
    state: Interpretation, sight: Sight, kinds: Sequence[Primitive], group: Sequence[Piece]
) -> Iterator[Move]:
    """Closed outlines through the pieces of a group, each in place of those that lie on it."""
    width = 2 * float(np.mean([piece.pen.half for piece in group]))
    area = Area.along(np.concatenate([piece.line for piece in group]).T, width, group[0].pen.colour)
    for guess in through(area, kinds, sight.rng, state.budget):
        shape = replace(guess.shape, fill=None, stroke=group[0].pen.colour)
        near = max(width, 2.0)
        on = [
            piece.placed
            for piece in group
            if (np.abs(distances(shape, *piece.line.T.copy())[0]) < near).mean() > ON
        ]
        rough = max(ROUGHLY, A_THIRD * around_px(shape))
        if len(on) > 1 and state.gain(Move([Placed.of(shape, state.model)], on)) > -rough:
            yield Move([Placed.of(state.refined(shape, on), state.model)], on)

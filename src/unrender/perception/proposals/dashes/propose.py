"""Proposals of dashed strokes: equal pieces at equal gaps along one line are one stroke.

Every piece was told exactly before, so the dashed stroke is laid through them: the line by their ends, the
period by where they begin. Ends of so short pieces may be told as straight or as round: each is measured as
if it were straight and painted as much, and the pixels decide for all of them. Either end of such a line may
be cut; it is read from one at which a whole dash is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.dashes.rows import (
    FEWEST,
    MANY,
    OFF,
    Piece,
    alike,
    as_piece,
    is_line,
    readings,
    repeated,
    rows_of,
    specks,
)
from unrender.perception.proposals.dashes.strokes import STRAY, Dashes, strokes_of
from unrender.perception.proposals.propose import Choice, Sight
from unrender.perception.refine.caps import ROUND
from unrender.render.shape import OWN, A, Shape, union


def dashed(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """One dashed stroke in place of every row of equal pieces at equal gaps."""
    for placed in state.shapes:
        if placed not in sight.pieces:
            sight.pieces[placed] = list(readings(placed))
    pieces = [piece for placed in state.shapes for piece in sight.pieces[placed]]
    pieces += specks(state, wrong)
    if len(pieces) > MANY:
        return
    pieces = repeated(pieces)
    for row, closes in rows_of(pieces, state.model.paint_sigma) if len(pieces) >= FEWEST else ():
        gone = [piece.placed for piece in row if piece.placed is not None]
        if len({id(placed) for placed in gone}) < len(gone):
            continue
        if not is_line(row, math.sqrt(math.prod(state.model.size))):
            continue
        found = [Placed.of(shape, state.model) for shape in strokes_of(row, closes)]
        place = tuple(np.concatenate([row[0].first, row[-1].last]).round().tolist())
        key = ("dashed", len(row), place, frozenset(placed.key for placed in gone))
        if found and sight.fresh(state, key, union([placed.patch.window for placed in found])):
            best = max(found, key=lambda placed: state.gain(Move([placed], tuple(gone))))
            yield [_refined(state, best, tuple(gone))]
    lines = [placed for placed in state.shapes if placed.shape.dashes and placed.shape.primitive.strokelike]
    for placed in lines:
        shape, several = grown_line(placed, [*pieces, *map(as_piece, lines)], state.model.paint_sigma)
        name = ("longer", placed.key, frozenset(each.key for each in several))
        if len(several) > 1 and sight.fresh(state, name, placed.patch.window):
            yield [_refined(state, Placed.of(shape, state.model), several)]


def _refined(state: Interpretation, placed: Placed, gone: tuple[Placed, ...]) -> Move:
    """The stroke in place of its pieces, refined if that betters it: what else is there may be told wrongly
    yet."""
    better = Placed.of(state.refined(placed.shape, gone), state.model)
    return max((Move([placed], gone), Move([better], gone)), key=state.gain)


def grown_line(placed: Placed, pieces: Sequence[Piece], sigma: float) -> tuple[Shape, tuple[Placed, ...]]:
    """A straight dashed stroke made so long that it holds all pieces that are dashes of it, or a part of one,
    and what it is then told in place of. Between them something may lie in front of it."""
    shape, own = placed.shape, as_piece(placed)
    assert shape.dashes is not None
    half, cap, way = own.half, float(shape.pose[OWN]), own.out[1]
    line = own.length - 2 * cap * ROUND * half
    step = shape.dashes[1] * line
    dash = shape.dashes[0] * step + 2 * cap * ROUND * half
    first, last, gone = 0.0, own.length, [placed]
    for piece in pieces:
        if not alike(own, piece, sigma) or piece.placed is placed:
            continue
        ends = np.stack([piece.first, piece.last]) - own.first
        if np.abs(ends @ np.array([-way[1], way[0]])).max() > STRAY:
            continue
        begin, end = sorted((ends @ way).tolist())
        number = math.floor((begin + OFF) / step)
        last_one = (
            number
            if piece.placed is None or not piece.placed.shape.dashes
            else math.floor((end - OFF) / step)
        )
        if begin > number * step - OFF and end < last_one * step + dash + OFF:
            first, last = min(first, number * step), max(last, end)
            if piece.placed is not None:
                gone.append(piece.placed)
    told = Dashes(first, last - first, dash, step).ended(cap * half)
    if told is None:
        return shape, ()
    pose = shape.pose.copy()
    pose[:2] = own.first + way * told.middle
    pose[A] = told.length / 2 + cap * half
    return replace(shape, pose=pose, dashes=told.shares), tuple(gone)

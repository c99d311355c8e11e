"""Proposals of strokes in place of the outline around all of them: where an outline has round ends, a pen of
their radius drew it, and half a width inside of its pieces run the middles of its strokes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.outlines.clues import Clue
from unrender.perception.outlines.middles import middles, part, pens
from unrender.perception.proposals.joins import as_one_path, ends_of, meet
from unrender.perception.proposals.offsets import FINEST, fits, room_in
from unrender.perception.proposals.propose import SAME, Choice, Sight, outlines_of
from unrender.perception.proposals.reshape import path_form
from unrender.perception.proposals.sets import refined_together
from unrender.perception.proposals.starting import is_exact, notice
from unrender.primitives.arc import arc
from unrender.primitives.circle import circle
from unrender.primitives.curve import curve
from unrender.primitives.edge import edge
from unrender.primitives.evidence import Line
from unrender.primitives.path import form_of, framed, path
from unrender.primitives.polycurve_edits import backwards, ends, is_open
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats
from unrender.render.shape import TAU, Shape

MOST = 80  # pieces of an outline: what has more is not drawn by so few strokes that they are told apart here
KINDS = (arc, circle, curve, edge, path)  # that tell strokes
FILLED, MOSTLY = 0.99, 0.96  # of a region that its strokes must paint at first, and in place of its outline
AT_END = 0.5  # of half the width of the pen, within which two ends are one
TOLD = 0.9  # of what a piece paints, if another stroke paints it too
LEAST = 6  # px that each of them must paint and no other does
ROUGHLY = 2000.0  # bits by which they may be worse before they are refined
PENS = 2  # that are tried


@dataclass(frozen=True, eq=False)
class Middle:
    """The middle of a stroke, half the width of the pen (px), and the stroke."""

    line: Line
    half: float
    placed: Placed


def stroked_first(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Strokes that paint all of a region whose edge is known exactly, before anything else is told."""
    if _may_tell(sight) and wrong.any():
        notice(state, sight)
        for number, clue in enumerate(sight.clues):
            if clue.region and _is_smooth(state, clue):
                yield _strokes(state, sight, number, (), FILLED)


def stroked(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Strokes that paint what an outline goes round."""
    if not _may_tell(sight):
        return
    for number, clue in enumerate(sight.clues):
        if not clue.region or not _is_smooth(state, clue):
            continue
        gone = tuple(outlines_of(state, clue))
        once = ("stroked", number, frozenset(placed.key for placed in gone))
        if gone and once not in sight.tried:
            sight.tried[once] = len(state.changes)
            yield _strokes(state, sight, number, gone, MOSTLY)


def _may_tell(sight: Sight) -> bool:
    """Whether strokes are told by what is known here, and nobody else has lines of a form of their own."""
    others = any(kind.formed and kind.starts is not None and kind not in KINDS for kind in sight.kinds)
    return {arc, circle, edge, path} <= set(sight.kinds) and not others


def _is_smooth(state: Interpretation, clue: Clue) -> bool:
    """Whether the edge of a region is known exactly; of a staircase it is not."""
    return is_exact(state, clue) and not state.model.aliased


def _halves(state: Interpretation, sight: Sight, number: int) -> list[float]:
    """Half the widths (px) of the pens that may have drawn a region: by its own round ends, or if it has
    none, by those of all regions of its colour."""
    if len(sight.pens) < len(sight.clues):
        told = [clue.evidence.outlines if clue.region else () for clue in sight.clues]
        sight.pens[:] = [pens(each, FINEST, PENS) for each in told]
    if sight.pens[number]:
        return sight.pens[number]
    known = [n for n, own in enumerate(sight.pens) if own]
    colours = np.array([sight.clues[n].colour for n in known]).reshape(-1, 3)
    off = ((colours - sight.clues[number].colour) ** 2).sum(1)
    alike = [sight.pens[known[k]][0] for k in np.flatnonzero(off < SAME + 3 * state.model.paint_sigma**2)]
    return [float(np.median(alike))] if alike else []


def _strokes(
    state: Interpretation, sight: Sight, number: int, gone: tuple[Placed, ...], least: float
) -> Iterator[Move]:
    clue = sight.clues[number]
    if sum(len(line.radius) for line in clue.evidence.outlines) > MOST:
        return
    halves = _halves(state, sight, number)
    if not halves:
        return
    room = room_in(sight, clue)
    state.budget.draw(room.size)

    def drawn(line: Line, half: float) -> Middle:
        return Middle(line, half, Placed.of(_simplest(line, half, clue.colour), state.model))

    found = [
        drawn(line, half)
        for half in halves
        for outline in clue.evidence.outlines
        for line in middles(outline, half, partial(fits, half=half, window=clue.window, room=room))
    ]
    state.budget.trace(room.size, len(found))
    chosen = _filling(clue, room, found, least)
    if chosen is None:
        return
    several = [
        _from_the_left(state, own) for own in _chained(state, [own.placed for own in _trimmed(chosen, drawn)])
    ]
    plain = Move(several, gone)
    gain = state.gain(plain)
    if gain > 0:
        yield plain
    elif gain > -ROUGHLY:
        yield Move(refined_together(state, [placed.shape for placed in several], gone), gone)


def _simplest(line: Line, half: float, colour: Doubles) -> Shape:
    """The stroke with this middle, of one piece or several."""
    if len(line.radius) == 1 and line.closed:
        radius = abs(float(line.radius[0]))
        return Shape(circle, np.array([*line.centre[0], radius, radius, 0.0, half]), None, colour)
    if len(line.radius) > 1 or line.closed:
        pose, form = framed(form_of(line), half)
        return Shape(path, pose, None, colour, form)
    first, last = line.corner
    if line.radius[0] == 0:
        off = last - first
        reach, angle = np.hypot(*off) / 2 + half, np.arctan2(*off[::-1])
        return Shape(edge, np.array([*(first + last) / 2, reach, half, angle, 0.0, 1.0]), colour, None)
    (ax, ay), (bx, by) = (first - line.centre[0]).tolist(), (last - line.centre[0]).tolist()
    start = math.atan2(by, bx) if line.radius[0] < 0 else math.atan2(ay, ax)  # an arc goes to the right
    radius = abs(float(line.radius[0]))
    own = start / math.tau % 1, line.sweep(0) / math.tau
    return Shape(arc, np.array([*line.centre[0], radius, radius, 0.0, half, *own]), None, colour)


def _trimmed(chosen: Sequence[Middle], drawn: Callable[[Line, float], Middle]) -> list[Middle]:
    """The same strokes without pieces at their ends that others paint: they went on into these."""
    found = list(chosen)
    for n in reversed(range(len(found))):
        for last in (False, True):
            line = found[n].line
            while not line.closed and len(line.radius) > 1 and not line.free[last]:
                count = len(line.radius)
                piece = drawn(part(line, count - 1, count) if last else part(line, 0, 1), found[n].half)
                if not any(
                    piece.placed.covered(other.placed) > TOLD for m, other in enumerate(found) if m != n
                ):
                    break
                line = part(line, 0, count - 1) if last else part(line, 1, count)
                found[n] = drawn(line, found[n].half)
    return found


def _filling(clue: Clue, room: Floats, several: Sequence[Middle], least: float) -> list[Middle] | None:
    """The strokes that paint all of a region together, each what no other does, those first that paint most
    of it; None if they do not."""
    top, _, left, _ = clue.window
    left_over = room > 0
    whole, found = int(left_over.sum()), list[Middle]()
    tall, wide = left_over.shape
    pixels = []
    for own in several:
        row, column = own.placed.pixels[0] - top, own.placed.pixels[1] - left
        within = (row >= 0) & (column >= 0) & (row < tall) & (column < wide)
        pixels.append((row[within], column[within]))
    while left_over.sum() > (1 - least) * whole:
        painted = [int(left_over[own].sum()) for own in pixels]
        best = int(np.argmax(painted)) if painted else 0
        if not painted or painted[best] < LEAST:
            return None
        found.append(several[best])
        left_over[pixels[best]] = False
    return found


def _chained(state: Interpretation, several: Sequence[Placed]) -> list[Placed]:
    """The same strokes, those that meet at their ends as one path, the nearest ends first."""
    found = list(several)
    while True:
        known = [end for placed in found for end in ends_of(placed)]
        pairs = [
            (float(np.hypot(*(one.place - other.place))), n, m)
            for n, one in enumerate(known)
            for m, other in enumerate(known[:n])
            if np.hypot(*(one.place - other.place)) < AT_END * one.half and meet(state, one, other)
        ]
        for _, n, m in sorted(pairs):
            one, other = known[n], known[m]
            joined = Placed.of(as_one_path(one, other)[0], state.model)
            if joined.bits < sum(placed.bits for placed in {one.placed, other.placed}):
                found = [placed for placed in found if placed not in (one.placed, other.placed)] + [joined]
                break
        else:
            return found


def _from_the_left(state: Interpretation, placed: Placed) -> Placed:
    """The same, an open path from its end on the left."""
    shape = placed.shape
    if shape.primitive is not path:
        return placed
    form = path_form(shape)
    if not is_open(form):
        return placed
    (first, last), _ = ends(form)
    if tuple(first) <= tuple(last):
        return placed
    pose, form = framed(backwards(form), float(shape.pose[TAU]))
    return Placed.of(replace(shape, pose=pose, form=form), state.model)

"""Strokes by one of their edges: half a width inside of it runs the middle, wherever the other edge is. Where
strokes of one colour run into one another, one edge of each may be all that shows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from scipy import ndimage

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.outlines.clues import Clue
from unrender.perception.proposals.propose import (
    CHEAPEST,
    INK,
    Choice,
    Sight,
    near_colour,
    of_colour,
    stroke_width,
)
from unrender.perception.proposals.starting import HALF, NEARLY, is_exact
from unrender.primitives.arc import arc, through
from unrender.primitives.edge import edge
from unrender.primitives.evidence import Line
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats
from unrender.render.shape import Shape, Window

FINEST = 1.5  # px: half the width of a line from which on both of its edges are known
LOOSE = 1.5  # px by which the middle of a stroke may seem too near to an edge: the pixels there are mixed
DEEP = 1.0  # px inside an edge, where it shows whether something is missing
TOLD = 0.9  # of what a stroke paints, if another paints it too: then both tell the same
STEP = 1.0  # px along a line that is made longer
AHEAD = 0.5  # of half a width: an arc on the inside of a smaller radius is the end of a stroke


def offset_strokes_first(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """The same before anything is told better, for regions of which nothing can hide a part."""
    return _strokes(state, sight, wrong, [n for n, clue in enumerate(sight.clues) if not clue.touches])


def offset_strokes(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Straight strokes and arcs along the edges of regions where something looks wrong, as wide as others of
    their colour."""
    return _strokes(state, sight, wrong, range(len(sight.clues)))


def _strokes(state: Interpretation, sight: Sight, wrong: Mask, numbers: Sequence[int]) -> Iterator[Choice]:
    if edge not in sight.kinds or arc not in sight.kinds:
        return
    pens = _pens(state)
    for number in numbers:
        clue = sight.clues[number]
        halves = [half for half, colour in pens if near_colour(colour, clue.colour, state.model.paint_sigma)]
        if (
            clue.region
            and halves
            and is_exact(state, clue)
            and sight.in_doubt(state, wrong, clue.region)
            and sight.fresh(state, ("offset", number), clue.window)
        ):
            room = room_in(sight, clue)
            state.budget.draw(room.size)
            same = of_colour(state, clue.window, clue.colour)
            shapes = [
                shape
                for line in clue.evidence.outlines
                for piece in _missing(state, line, wrong)
                for half in halves
                for shape in along(line, piece, half, clue, room)
            ]
            for placed in _distinct(state, shapes):
                yield _added(state, placed, same)


def _pens(state: Interpretation) -> list[tuple[float, Doubles]]:
    """Half the width (px) and the colour of the strokes that are told, of those that are alike once."""
    found: list[tuple[float, Doubles]] = []
    for placed in state.shapes:
        pen = stroke_width(placed.shape)
        if pen is None or pen[0] < FINEST:
            continue
        alike = (
            abs(pen[0] - half) < INK * half and near_colour(pen[1], colour, state.model.paint_sigma)
            for half, colour in found
        )
        if not any(alike):
            found.append(pen)
    return found


def room_in(sight: Sight, clue: Clue) -> Floats:
    """(h, w) px: how far each pixel of the window of a region is from the next one outside."""
    top, bottom, left, right = clue.window
    own = sight.regions.labels[top:bottom, left:right] == clue.region
    found: Floats = ndimage.distance_transform_edt(np.pad(own, 1))[1:-1, 1:-1]
    return found


def _missing(state: Interpretation, line: Line, wrong: Mask) -> list[int]:
    """The pieces of an outline inside of which something looks wrong."""
    x, y = line.x, line.y
    if len(x) < 3 or not line.closed:
        return []
    dx, dy = np.roll(x, -1) - np.roll(x, 1), np.roll(y, -1) - np.roll(y, 1)
    length = np.maximum(np.hypot(dx, dy), 1e-9)
    bits = np.zeros(len(x))
    for side in (DEEP, -DEEP):
        column = (x - side * dy / length).astype(int).clip(0, wrong.shape[1] - 1)
        row = (y + side * dx / length).astype(int).clip(0, wrong.shape[0] - 1)
        bits += np.where(wrong[row, column], state.bits[row, column], 0)
    return [k for k in range(len(line.radius)) if bits[_points(line, k)].sum() > CHEAPEST]


def _points(line: Line, piece: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The indices of the points of a piece of a closed line."""
    first, count = int(line.first[piece]), len(line.x)
    last = int(line.first[(piece + 1) % len(line.first)])
    return np.arange(first, last if last > first else last + count) % count


def along(line: Line, piece: int, half: float, clue: Clue, room: Floats) -> Iterator[Shape]:
    """Strokes of half a width inside a piece, as far as there is room for them."""
    first, last = line.corner[piece], line.corner[(piece + 1) % len(line.corner)]
    if line.radius[piece] == 0:
        way = (last - first) / max(float(np.hypot(*(last - first))), 1e-9)
        for side in (1.0, -1.0):
            off = side * half * np.array([-way[1], way[0]])
            if fits((first + last) / 2 + off, half, clue.window, room):
                yield from _straight(first + off, last + off, half, clue, room)
        return
    centre, radius = line.centre[piece], abs(float(line.radius[piece]))
    begin, sweep = math.atan2(*(first - centre)[::-1]), math.copysign(line.sweep(piece), line.radius[piece])
    for own in (radius - half, radius + half):
        middle = centre + max(own, 0.0) * _way(begin + sweep / 2)
        if abs(own) < AHEAD * half and fits(middle, half, clue.window, room):  # the end of a stroke
            yield from _straight(centre, centre - STEP * _way(begin + sweep / 2), half, clue, room)
        elif own > AHEAD * half and fits(middle, half, clue.window, room):
            yield from _bent(centre, own, begin, sweep, half, clue, room)


def _straight(first: Doubles, last: Doubles, half: float, clue: Clue, room: Floats) -> Iterator[Shape]:
    """The stroke from one point to another, or further."""
    way = (last - first) / max(float(np.hypot(*(last - first))), 1e-9)
    ends = [_gone(end, sign * way, half, clue.window, room) for end, sign in ((first, -1), (last, 1))]
    (x, y), (ex, ey) = ends
    reach = math.hypot(ex - x, ey - y) / 2 + half
    pose = [(x + ex) / 2, (y + ey) / 2, reach, half, math.atan2(way[1], way[0]), 0.0, 1.0]
    yield Shape(edge, np.array(pose), clue.colour, None)


def _gone(end: Doubles, way: Doubles, half: float, window: Window, room: Floats) -> Doubles:
    """Where a stroke ends that goes on from a point as long as there is room for it."""
    while fits(end + STEP * way, half, window, room):
        end = end + STEP * way
    return end


def _bent(
    centre: Doubles, radius: float, begin: float, sweep: float, half: float, clue: Clue, room: Floats
) -> Iterator[Shape]:
    """The arc around a centre, as long as there is room for it on both sides."""
    turn = math.copysign(STEP / radius, sweep)
    end = begin + sweep
    most = 2 * math.pi - abs(sweep) - 2 * abs(turn)
    for sign in (-1, 1):
        gone = 0.0
        at = begin if sign < 0 else end
        while gone < most and fits(centre + radius * _way(at + sign * (turn)), half, clue.window, room):
            at, gone = at + sign * turn, gone + abs(turn)
        most -= gone
        begin, end = (at, end) if sign < 0 else (begin, at)
    points = np.stack([centre + radius * _way(angle) for angle in (begin, (begin + end) / 2, end)])
    pose, form = through(points, 2 * half)
    yield Shape(arc, pose, None, clue.colour, form=form)


def _way(angle: float) -> Doubles:
    return np.array([math.cos(angle), math.sin(angle)])


def fits(place: Doubles, half: float, window: Window, room: Floats) -> bool:
    """Whether a disc of half the width of a stroke lies in the region."""
    row, column = math.floor(place[1]) - window[0], math.floor(place[0]) - window[2]
    inside = 0 <= row < room.shape[0] and 0 <= column < room.shape[1]
    return inside and float(room[row, column]) > half - LOOSE


def _distinct(state: Interpretation, shapes: Sequence[Shape]) -> list[Placed]:
    """The strokes that promise something, the best first; not what another one covers, as the same stroke by
    its other edge."""
    several = [Placed.of(shape, state.model) for shape in shapes]
    promised = [(state.promise(Move([placed])), -n) for n, placed in enumerate(several)]
    found: list[Placed] = []
    for promise, n in sorted(promised, reverse=True):
        placed = several[-n]
        if promise > CHEAPEST and not any(placed.covered(other) > TOLD for other in found):
            found.append(placed)
    return found


def _added(state: Interpretation, placed: Placed, same: Sequence[Placed]) -> Iterator[Move]:
    """A stroke, also in place of those of its colour that it covers; refined where it is not good as it is,
    unless that makes another pen of it."""
    under = tuple(each for each in same if each.covered(placed) > HALF)
    for without in dict.fromkeys([(), under]):
        move = Move([placed], without)
        gain, promise = state.gain(move), state.promise(move)
        if -HALF * promise < gain < NEARLY * promise:
            better = state.refined(placed.shape, without)
            if _as_wide(placed.shape, better):
                move = Move([Placed.of(better, state.model)], without)
        yield move


def _as_wide(one: Shape, other: Shape) -> bool:
    """Whether two strokes may be drawn by one pen."""
    pens = [pen[0] for pen in map(stroke_width, (one, other)) if pen is not None]
    return len(pens) == 2 and abs(pens[0] - pens[1]) < INK * pens[0]

"""The middles of the strokes that an outline goes round: half the width of the pen inside of its pieces.

An outline has its area on the right. A round end is an arc of half the width of the pen, and so is the
outside of a round corner, whose middle is one point; where the outline turns left at a corner, one stroke
runs into another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from unrender.primitives.evidence import Line
from unrender.primitives.protocol import Doubles

CAP, SURE = (
    1.4,
    2.6,
)  # radians that an arc sweeps at least, so that it may be, or is, the round end of a stroke
AS_WIDE = 0.15  # of half the width of a pen, by which the radius of an end that it drew may seem to differ
SHARP = 0.5  # of half the width of a pen: an arc to the left of a smaller radius is where two strokes meet
TO_END = 1.1  # the same towards a round end, whose middle a bent stroke need not reach along its own
TANGENT = 0.3  # radians by which an outline may seem to turn where it does not
STEP = 1.0  # px by which a middle is made longer at a time, as long as there is room

Fits = Callable[[Doubles], bool]
"""Whether there is room for the pen at a point."""


@dataclass(frozen=True)
class Piece:
    """A piece of the middle of a stroke."""

    first: Doubles  # (2,) px
    last: Doubles
    radius: float  # positive if it turns to the right; 0 for a straight piece
    centre: Doubles
    begins: Doubles  # (2,): the unit vector along which it does
    ends: Doubles

    @property
    def is_point(self) -> bool:
        return self.first is self.last

    @property
    def middle(self) -> Doubles:
        """(2,): the point halfway."""
        if not self.radius or self.is_point:
            return (self.first + self.last) / 2
        (ax, ay), (bx, by) = self.first - self.centre, self.last - self.centre
        turn = math.atan2(ax * by - ay * bx, ax * bx + ay * by)
        turn = (turn if self.radius > 0 else -turn) % math.tau * math.copysign(0.5, self.radius)
        cos, sin = math.cos(turn), math.sin(turn)
        around: Doubles = self.centre + np.array([cos * ax - sin * ay, sin * ax + cos * ay])
        return around


def pens(outlines: Sequence[Line], finest: float, most: int) -> list[float]:
    """Half the widths (px) of pens by the round ends of outlines, the most frequent ones first."""
    found: list[list[float]] = []
    for line in outlines:
        for piece, radius in enumerate(line.radius.tolist()):
            if radius > finest and line.sweep(piece) > SURE and len(line.radius) > 1:
                near = next((own for own in found if abs(np.mean(own) - radius) < AS_WIDE * radius), None)
                if near is None:
                    found.append([radius])
                else:
                    near.append(radius)
    return [float(np.median(own)) for own in sorted(found, key=len, reverse=True)[:most]]


def middles(line: Line, half: float, fits: Fits) -> Iterator[Line]:
    """The middles of strokes along a closed outline, where there is room for the pen; open unless all of it
    is one. What may be a round end or the outside of a corner is taken for either. Ends that are free are
    round ones."""
    unsure = [k for k in range(len(line.radius)) if _is_end(line, k, CAP) and line.sweep(k) < SURE]
    yield from _middles(line, half, fits, CAP)
    if any(abs(line.radius[k] - half) < AS_WIDE * half for k in unsure):
        yield from _middles(line, half, fits, SURE)


def _middles(line: Line, half: float, fits: Fits, least: float) -> Iterator[Line]:
    pieces = [_inside(line, k, half) for k in range(len(line.radius))]
    count = len(pieces)
    ends = [_is_end(line, k, least) for k in range(count)]
    own_ends = [ends[k] and abs(line.radius[k] - half) < AS_WIDE * half for k in range(count)]
    notches = [-SHARP * half < line.radius[k] < 0 for k in range(count)]  # corners that only seem round
    others = [_is_end(line, k, SURE) and line.radius[k] < 2 * half for k in range(count)]  # of other pens
    apart = [any(each) for each in zip(own_ends, notches, others, strict=True)]
    breaks = [k for k in range(count) if apart[k] or _turn(pieces[k - 1], pieces[k]) < -TANGENT]
    if not breaks:
        yield from _closed(pieces, fits)
    for n, start in enumerate(breaks):
        stop = breaks[(n + 1) % len(breaks)]
        before, after = pieces[start], pieces[stop]
        run = [pieces[k % count] for k in range(start, stop if stop > start else stop + count)]
        run = run[1:] if apart[start] else run
        if not run and own_ends[start] and own_ends[stop]:  # all that shows of a stroke are its ends
            yield from _run([_straight(before.first, after.first)], before.first, after.first, fits)
        elif run:
            first = before.first if own_ends[start] and abs(_turn(before, run[0])) < TO_END else None
            last = after.first if own_ends[stop] and abs(_turn(run[-1], after)) < TO_END else None
            yield from _run(run, first, last, fits)


def _is_end(line: Line, piece: int, least: float) -> bool:
    """Whether a piece may be the round end of a stroke."""
    return bool(line.radius[piece] > 0 and line.sweep(piece) > least)


def _inside(line: Line, k: int, half: float) -> Piece:
    """A piece of an outline, half a width further in."""
    first, last, radius = line.corner[k], line.corner[(k + 1) % len(line.corner)], float(line.radius[k])
    centre = line.centre[k]
    if radius == 0:
        way = (last - first) / max(float(np.hypot(*(last - first))), 1e-9)
        aside = half * _right(way)
        return Piece(first + aside, last + aside, 0.0, centre, way, way)
    inward = [math.copysign(1.0, radius) * (centre - end) / abs(radius) for end in (first, last)]
    ways = [np.array([own[1], -own[0]]) for own in inward]
    if 0 < radius < (1 + AS_WIDE) * half:
        return Piece(centre, centre, 0.0, centre, ways[0], ways[1])
    return Piece(first + half * inward[0], last + half * inward[1], radius - half, centre, ways[0], ways[1])


def _straight(first: Doubles, last: Doubles) -> Piece:
    way = (last - first) / max(float(np.hypot(*(last - first))), 1e-9)
    return Piece(first, last, 0.0, first, way, way)


def _right(way: Doubles) -> Doubles:
    """On the screen, where y points down."""
    return np.array([-way[1], way[0]])


def _turn(one: Piece, other: Piece) -> float:
    """By how many radians an outline turns to the right from one piece to the next."""
    (ax, ay), (bx, by) = one.ends, other.begins
    return math.atan2(ax * by - ay * bx, ax * bx + ay * by)


def _run(own: list[Piece], before: Doubles | None, after: Doubles | None, fits: Fits) -> Iterator[Line]:
    """The middle through several pieces that follow one another, from one round end to another, or else as
    far as there is room."""
    real = [piece for piece in own if not piece.is_point]
    if not real or not all(fits(piece.middle) for piece in real):
        return
    nodes = [real[0].first if before is None else before]
    if before is None and real[0].radius == 0:
        nodes[0] = _as_far(nodes[0], -real[0].begins, fits)
    nodes += [_between(one, other) for one, other in pairwise(real)]
    nodes.append(real[-1].last if after is None else after)
    if after is None and real[-1].radius == 0:
        nodes[-1] = _as_far(nodes[-1], real[-1].ends, fits)
    yield replace(_line(real, nodes, False), free=(before is not None, after is not None))


def _closed(pieces: list[Piece], fits: Fits) -> Iterator[Line]:
    """The middle of a stroke that closes."""
    real = [piece for piece in pieces if not piece.is_point]
    if real and all(fits(piece.middle) for piece in real):
        corners = (
            [real[0].first] if len(real) == 1 else [_between(real[k - 1], real[k]) for k in range(len(real))]
        )
        yield _line(real, corners, True)


def _line(real: list[Piece], nodes: list[Doubles], closed: bool) -> Line:
    corner = np.stack(nodes)
    radius = np.array([piece.radius for piece in real])
    centre = np.stack([piece.centre for piece in real])
    none = np.zeros(len(real), np.int64)
    return Line(corner[:, 0], corner[:, 1], np.zeros(len(corner)), corner, radius, centre, closed, none)


def _between(one: Piece, other: Piece) -> Doubles:
    """Where the middle goes on from one piece to the next: where both cross, if it turns there."""
    cross = float(one.ends[0] * other.begins[1] - one.ends[1] * other.begins[0])
    if abs(cross) < math.sin(TANGENT):
        return (one.last + other.first) / 2
    off = other.first - one.last
    along = float(off[0] * other.begins[1] - off[1] * other.begins[0]) / cross
    return one.last + along * one.ends


def _as_far(end: Doubles, way: Doubles, fits: Fits) -> Doubles:
    while fits(end + STEP * way):
        end = end + STEP * way
    return end


def part(line: Line, begin: int, end: int) -> Line:
    """Some of the pieces of an open line that follow one another."""
    nodes, pieces = slice(begin, end + 1), slice(begin, end)
    corner, radius, centre = line.corner[nodes], line.radius[pieces], line.centre[pieces]
    free = (line.free[0] and begin == 0, line.free[1] and end == len(line.radius))
    none = np.zeros(len(radius), np.int64)
    return Line(corner[:, 0], corner[:, 1], np.zeros(len(corner)), corner, radius, centre, False, none, free)

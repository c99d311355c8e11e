"""Cutting: ordered points of outlines and centre lines, as straight pieces and circular arcs in the fewest
bits."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log2

import numpy as np
from numpy.typing import NDArray

from unrender.perception.outlines.breaks import Indices, candidates, evidence, gap_before
from unrender.perception.outlines.fits import add, arc_misfit, line_misfit
from unrender.perception.outlines.joins import meeting, nearest, settle
from unrender.perception.outlines.simplify import simplify
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles

STRAIGHT, ARC = 0, 1

WIDTH = 6  # points to either side that tell whether an outline is broken at one
SPACING = 6  # points: a break that shows less than that may as well be this far off
LEAST = 6.0  # bits of evidence for a break
GAP = 2  # points at a corner that may belong to neither side: their pixels tell of both at once
TIP = 5.0  # px from its last points to the end of a pointed corner, where it is thinner than a pixel


@dataclass(frozen=True, eq=False)
class Pieces:
    """Outlines, cut. A piece runs from its corner to the next one; those of a closed outline go round."""

    kind: NDArray[np.int8]  # (K,): STRAIGHT or ARC
    corner: Doubles  # (K, 2) px: where a piece begins
    end: Doubles  # (K, 2) px
    centre: Doubles  # (K, 2) px: of an arc
    radius: Doubles  # (K,) px: of an arc, positive if it turns to the right; 0 for a straight piece
    first: Indices  # (K,): index of its first point
    start: Indices  # (C + 1,): outline c has the pieces from start[c] to start[c + 1]
    bits: Doubles  # (C,)
    closed: NDArray[np.bool_]  # (C,)

    def of(self, outline: int) -> slice:
        """Where in the arrays the pieces of an outline are."""
        return slice(int(self.start[outline]), int(self.start[outline + 1]))


def cut(
    x: Doubles,
    y: Doubles,
    error: Doubles,
    start: Indices,
    closed: NDArray[np.bool_],
    tip: float = TIP,
    fewest: int = 2,
) -> Pieces:
    """Cut C outlines; points (P,) px with their standard errors, outline c from start[c] to start[c + 1].
    tip: px from the points beside a corner to the corner itself, at most. fewest: points of a piece; each
    that it has less takes as many bits as a coordinate."""
    return Pieces(*_cut_all(x, y, error, start, closed, WIDTH, SPACING, LEAST, GAP, tip, fewest), closed)


@compiled
def _cut_all(
    x: Doubles,
    y: Doubles,
    error: Doubles,
    start: Indices,
    closed: NDArray[np.bool_],
    width: int,
    spacing: int,
    least: float,
    gap: int,
    tip: float,
    fewest: int,
) -> tuple[NDArray[np.int8], Doubles, Doubles, Doubles, Doubles, Indices, Indices, Doubles]:
    most = len(x) + len(start)
    kind, radius, first = np.empty(most, np.int8), np.zeros(most), np.empty(most, np.int64)
    corner, end, centre = np.empty((most, 2)), np.empty((most, 2)), np.zeros((most, 2))
    begin, bits, count = np.zeros(len(start), np.int64), np.zeros(len(start) - 1), 0
    for c in range(len(start) - 1):
        n = start[c + 1] - start[c]
        if n == 0:
            begin[c + 1] = count
            continue
        own_x, own_y = x[start[c] : start[c + 1]], y[start[c] : start[c + 1]]
        own_e = error[start[c] : start[c + 1]]
        firsts, arcs, models, shift, cost = _cut_one(
            own_x, own_y, own_e, closed[c], width, spacing, least, gap, tip, fewest
        )
        bits[c] = cost
        size = len(firsts)
        for k in range(size):
            at = count + k
            kind[at], first[at] = arcs[k], start[c] + (firsts[k] + shift) % n
            here, before = (firsts[k] + shift) % n, (firsts[k] + shift - 1) % n
            if k == 0 and (size == 1 or not closed[c]):
                corner[at] = nearest(models[k], own_x[here], own_y[here])
            else:
                mid_x, mid_y = 0.5 * (own_x[here] + own_x[before]), 0.5 * (own_y[here] + own_y[before])
                corner[at] = meeting(models[k - 1], models[k], mid_x, mid_y, tip)
            if arcs[k]:
                radius[at], centre[at, 0], centre[at, 1] = models[k, 0], models[k, 1], models[k, 2]
        for k in range(size - 1):
            end[count + k] = corner[count + k + 1]
        if size and closed[c]:
            end[count + size - 1] = corner[count]
        elif size:
            end[count + size - 1] = nearest(models[size - 1], own_x[n - 1], own_y[n - 1])
        count += size
        begin[c + 1] = count
    return (
        kind[:count].copy(), corner[:count].copy(), end[:count].copy(), centre[:count].copy(),
        radius[:count].copy(), first[:count].copy(), begin, bits,
    )  # fmt: skip


@compiled
def _cut_one(
    x: Doubles,
    y: Doubles,
    error: Doubles,
    closed: bool,
    width: int,
    spacing: int,
    least: float,
    gap: int,
    tip: float,
    fewest: int,
) -> tuple[Indices, Indices, Doubles, int, float]:
    """The first points of the pieces, whether each is an arc, their models, by how much the points were
    turned round, and the bits."""
    n, shift = len(x), 0
    number = _number_bits(x, y, error)
    circle = _whole(x, y, error) + 3 * number if closed else np.inf
    firsts, lasts, arcs, cost = np.zeros(1, np.int64), np.full(1, n), np.ones(1, np.int64), circle
    turned_x, turned_y, turned_e = x, y, error
    if circle > 3 * number + least:  # else nothing can be shorter
        told = evidence(x, y, error, closed, width)
        if closed:
            shift = int(np.argmax(told))
        # at a corner an edge is known to a part of a pixel only
        loose = max(log2(0.3 / np.median(error)), 0.0) + 1
        for again in range(2 if closed else 1):
            turned_x, turned_y, turned_e = np.roll(x, -shift), np.roll(y, -shift), np.roll(error, -shift)
            turned = np.roll(told, -shift)
            places = candidates(turned_x, turned_y, turned, closed, spacing, least)
            firsts, lasts, arcs, cost = _shortest(
                turned_x, turned_y, turned_e, places, number, gap, loose, fewest
            )
            if again or not closed or len(firsts) == 1:
                break
            # the first break was put at one point only: go round again from the plainest that was found
            plainest = 1 + int(np.argmax(turned[firsts[1:]]))
            shift = (shift + firsts[plainest]) % n
    models = np.zeros((len(firsts), 5))
    settle(turned_x, turned_y, turned_e, firsts, lasts, arcs, spacing, models)
    count = len(firsts)
    if count > 1:
        count, cost = simplify(turned_x, turned_y, turned_e, closed, firsts, lasts, arcs, models, number, tip)
        if circle < cost:
            firsts[0], lasts[0], arcs[0], count, cost = 0, n, 1, 1, circle
        settle(
            turned_x, turned_y, turned_e, firsts[:count], lasts[:count], arcs[:count], spacing, models[:count]
        )
    return firsts[:count], arcs[:count], models[:count], shift, cost


@compiled
def _number_bits(x: Doubles, y: Doubles, error: Doubles) -> float:
    """Bits of one coordinate within the outline's extent, as precise as one point."""
    extent = max(x.max() - x.min(), y.max() - y.min(), 1.0)
    return log2(extent / np.median(error))


@compiled
def _whole(x: Doubles, y: Doubles, error: Doubles) -> float:
    """Bits by which the points are off the best circle through all of them, beyond those of their errors."""
    sums = np.zeros(9)
    for k in range(len(x)):
        add(sums, x[k] - x[0], y[k] - y[0], 1 / error[k] ** 2)
    return max(arc_misfit(sums) - len(x), 0.0) / (2 * log(2.0)) if len(x) > 3 else 0.0


@compiled
def _shortest(
    x: Doubles,
    y: Doubles,
    error: Doubles,
    places: Indices,
    number: float,
    gap: int,
    loose: float,
    fewest: int,
) -> tuple[Indices, Indices, Indices, float]:
    """Dynamic programming over the places where pieces may begin (the first is 0): first points, last points
    (behind them), kinds, and bits. Up to `gap` points between two pieces may belong to neither, for `loose`
    bits each.

    A place is given up for good once a piece from it is off by more bits than all before it and a new piece
    from here take: a longer piece can only be off by more.
    """
    n, count, scale = len(x), len(places), 1 / (2 * log(2.0))
    sums, gaps = np.zeros((count, 9)), np.zeros(count)
    best, came, how = np.full(count + 1, np.inf), np.zeros(count + 1, np.int64), np.zeros(count + 1, np.int64)
    begin, left = np.full(count + 1, np.inf), np.arange(count + 1)  # with a gap before, and where that begins
    active, living = np.zeros(count, np.int64), 0
    best[0], begin[0] = 0.0, 0.0
    for j in range(1, count + 1):
        active[living] = j - 1
        living += 1
        last = places[j] if j < count else n
        for a in range(living):
            i = active[a]
            ox, oy = x[places[i]], y[places[i]]
            for k in range(places[j - 1], last):
                add(sums[i], x[k] - ox, y[k] - oy, 1 / error[k] ** 2)
                if k > places[i]:
                    gaps[i] += gap_before(x, y, k)
        for a in range(living):
            i = active[a]
            size = last - places[i]
            if size < 2 or (gaps[i] > size and size < n):  # there is more gap than line
                continue
            # half a number less than a piece takes, for it may meet its neighbours smoothly: `simplify` knows
            each = number + 0.5 * log2(size)
            short = max(fewest - size, 0) * number
            cost = begin[i] + line_misfit(sums[i]) * scale + 1.5 * each + 2 + short
            if cost < best[j]:
                best[j], came[j], how[j] = cost, i, 0
            if size >= 3 and gaps[i] < 0.5 * size:
                cost = begin[i] + arc_misfit(sums[i]) * scale + 2 * each + 2 + short
                if cost < best[j]:
                    best[j], came[j], how[j] = cost, i, 1
        begin[j] = best[j]
        before = j - 1
        while before > 0 and last - places[before] <= gap:
            cost = best[before] + loose * (last - places[before])
            if cost < begin[j]:
                begin[j], left[j] = cost, before
            before -= 1
        kept = 0
        for a in range(living):
            i = active[a]
            if begin[i] + arc_misfit(sums[i]) * scale < begin[j] + 8:
                active[kept] = i
                kept += 1
        living = kept
    pieces, at = 0, left[count]
    while at > 0:
        at = left[came[at]]
        pieces += 1
    firsts, lasts, arcs = np.zeros((3, pieces), np.int64)
    at = left[count]
    for k in range(pieces - 1, -1, -1):
        lasts[k] = places[at] if at < count else n
        arcs[k], firsts[k] = how[at], places[came[at]]
        at = left[came[at]]
    return firsts, lasts, arcs, begin[count]

"""Crossings: which lines go straight on into each other at a junction, and which turn back there."""

from __future__ import annotations

import math

import numpy as np

from unrender.perception.image.skeleton import Indices
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles


@compiled
def heading(
    x: Doubles, y: Doubles, first: int, last: int, step: int, reach: float
) -> tuple[float, float, float, float]:
    """The mean point of the end of a line, from `first` on, and the unit vector along which it leaves it."""
    n, mx, my = 0, 0.0, 0.0
    k = first
    while k != last + step and (n < 3 or (x[k] - x[first]) ** 2 + (y[k] - y[first]) ** 2 < reach * reach):
        if n > 1 and (x[k] - x[k - step]) ** 2 + (y[k] - y[k - step]) ** 2 > 6.0:
            break  # beyond a gap it may have turned
        mx, my, n = mx + x[k], my + y[k], n + 1
        k += step
    mx, my = mx / n, my / n
    xx, xy, yy = 0.0, 0.0, 0.0
    for m in range(n):
        dx, dy = x[first + m * step] - mx, y[first + m * step] - my
        xx, xy, yy = xx + dx * dx, xy + dx * dy, yy + dy * dy
    turn = 0.5 * math.atan2(2 * xy, xx - yy)
    ux, uy = math.cos(turn), math.sin(turn)
    if (x[first] - x[k - step]) * ux + (y[first] - y[k - step]) * uy < 0:
        ux, uy = -ux, -uy
    return mx, my, ux, uy


@compiled
def straight_on(
    x: Doubles, y: Doubles, width: Doubles, start: Indices, ends: Indices, centre: Doubles, most: float
) -> Indices:
    """Of every end of a line the end that goes straight on at its junction: (C, 2), -1 where none does. The
    pairs that turn the least are joined first; lines that a short one joins meet at one junction.

    centre: x and y of the junctions (K, 2), towards which a line of one or two points heads.
    """
    count = len(ends)
    through = np.full((count, 2), -1)
    nodes = 1
    for c in range(count):
        nodes = max(nodes, ends[c, 0] + 1, ends[c, 1] + 1)
    same = np.arange(nodes)
    for c in range(count):
        size = start[c + 1] - start[c]
        if ends[c, 0] > 0 and ends[c, 1] > 0 and size <= 2:  # its two junctions are one crossing
            a, b = ends[c, 0], ends[c, 1]
            while same[a] != a:
                a = same[a]
            while same[b] != b:
                b = same[b]
            same[max(a, b)] = min(a, b)
    node, bx, by = np.zeros(2 * count, np.int64), np.zeros(2 * count), np.zeros(2 * count)
    ux, uy, wide = np.zeros(2 * count), np.zeros(2 * count), np.zeros(2 * count)
    for c in range(count):
        first, last = start[c], start[c + 1] - 1
        for e in range(2):
            at = ends[c, e]
            if at <= 0 or last < first or (last - first < 2 and ends[c, 1 - e] > 0):
                continue
            knot = at
            while same[at] != at:
                at = same[at]
            k = 2 * c + e
            node[k], wide[k] = at, np.median(width[first : last + 1])
            reach = wide[k] + 4
            if last - first < 2:  # it is known by its end
                far = last if e == 0 else first
                dx, dy = centre[knot, 0] - x[far], centre[knot, 1] - y[far]
                length = max(math.sqrt(dx * dx + dy * dy), 1e-9)
                bx[k], by[k], ux[k], uy[k] = x[far], y[far], dx / length, dy / length
            elif e == 0:
                bx[k], by[k], ux[k], uy[k] = heading(x, y, first, last, 1, reach)
            else:
                bx[k], by[k], ux[k], uy[k] = heading(x, y, last, first, -1, reach)
    order = np.argsort(node)
    pairs = 0
    for p in range(2 * count):
        q = p
        while q > 0 and node[order[q - 1]] == node[order[p]] and node[order[p]] > 0:
            q -= 1
            pairs += 1
    turns, ones, others, found = np.empty(pairs), np.empty(pairs, np.int64), np.empty(pairs, np.int64), 0
    for p in range(2 * count):
        k, q = order[p], p
        while q > 0 and node[order[q - 1]] == node[k] and node[k] > 0:
            q -= 1
            m = order[q]
            if m // 2 == k // 2:
                continue
            turn = _turn(bx[k], by[k], ux[k], uy[k], bx[m], by[m], ux[m], uy[m])
            if turn < most:
                turns[found], ones[found], others[found] = turn, k, m
                found += 1
    for n in np.argsort(turns[:found]):
        k, m = ones[n], others[n]
        if through[k // 2, k % 2] < 0 and through[m // 2, m % 2] < 0:
            through[k // 2, k % 2], through[m // 2, m % 2] = m, k
    _bend(x, y, start, ends, node, bx, by, ux, uy, wide, through)
    return through


@compiled
def _turn(ax: float, ay: float, ux: float, uy: float, bx: float, by: float, vx: float, vy: float) -> float:
    """By how much (radians) two ends of lines, at a and b with headings u and v, turn towards each other's
    points, or both turn in all, whichever is more."""
    dx, dy = bx - ax, by - ay
    far = max(math.sqrt(dx * dx + dy * dy), 1e-9)
    ahead = (dx * ux + dy * uy) / far
    back = -(dx * vx + dy * vy) / far
    least = min(min(ahead, back), -(ux * vx + uy * vy))
    return math.acos(min(max(least, -1.0), 1.0))


@compiled
def _bend(
    x: Doubles, y: Doubles, start: Indices, ends: Indices, node: Indices, bx: Doubles, by: Doubles,
    ux: Doubles, uy: Doubles, wide: Doubles, through: Indices,
) -> None:  # fmt: skip
    """Where a line turns back sharply its two sides run into each other before they meet: three lines at a
    junction, of which one is short and ends where the others would meet. Those two go on into each other, in
    place; the short one is marked by -2."""
    junction = ends.copy().reshape(-1)
    order = np.argsort(junction)
    place = np.empty(len(order), np.int64)
    for p in range(len(order)):
        place[order[p]] = p
    for c in range(len(ends)):
        for e in range(2):
            if ends[c, e] <= 0 or ends[c, 1 - e] != 0 or start[c + 1] == start[c]:
                continue
            at, one, other, count = 0, -1, -1, 0
            first = place[2 * c + e]
            while first > 0 and junction[order[first - 1]] == ends[c, e]:
                first -= 1
            while first < len(order) and junction[order[first]] == ends[c, e]:
                k = order[first]
                if k != 2 * c + e:
                    at, one, other, count = node[k], k, one, count + 1
                first += 1
            if count != 2 or at == 0 or node[other] == 0 or through[one // 2, one % 2] >= 0:
                continue
            if through[other // 2, other % 2] >= 0 or one // 2 == other // 2:
                continue
            cross = ux[one] * uy[other] - uy[one] * ux[other]
            if abs(cross) < 0.1:
                continue
            along = ((bx[other] - bx[one]) * uy[other] - (by[other] - by[one]) * ux[other]) / cross
            px, py = bx[one] + along * ux[one], by[one] + along * uy[one]
            near = np.inf
            for k in range(start[c], start[c + 1]):
                near = min(near, (px - x[k]) ** 2 + (py - y[k]) ** 2)
            if along > 0 and near < (0.75 * wide[one] + 1) ** 2:
                through[one // 2, one % 2], through[other // 2, other % 2] = other, one
                through[c, 0], through[c, 1] = -2, -2

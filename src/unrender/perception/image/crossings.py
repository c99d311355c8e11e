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
    x: Doubles, y: Doubles, width: Doubles, start: Indices, ends: Indices, most: float
) -> Indices:
    """Of every end of a line the end that goes straight on at its junction: (C, 2), -1 where none does. The
    pairs that turn the least are joined first; lines that a short one joins meet at one junction."""
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
            if at <= 0 or last - first < 2:
                continue
            while same[at] != at:
                at = same[at]
            k = 2 * c + e
            node[k], wide[k] = at, np.median(width[first : last + 1])
            reach = 2 * wide[k] + 4
            if e == 0:
                bx[k], by[k], ux[k], uy[k] = heading(x, y, first, last, 1, reach)
            else:
                bx[k], by[k], ux[k], uy[k] = heading(x, y, last, first, -1, reach)
    while True:
        best, one, other = most, -1, -1
        for k in range(2 * count):
            if node[k] == 0 or through[k // 2, k % 2] >= 0:
                continue
            for m in range(k):
                if node[m] != node[k] or through[m // 2, m % 2] >= 0 or m // 2 == k // 2:
                    continue
                dx, dy = bx[m] - bx[k], by[m] - by[k]
                far = math.sqrt(dx * dx + dy * dy)
                # by how much each turns towards the other's points, and how much both turn in all
                ahead = (dx * ux[k] + dy * uy[k]) / max(far, 1e-9)
                back = -(dx * ux[m] + dy * uy[m]) / max(far, 1e-9)
                turn = max(math.acos(min(max(ahead, -1.0), 1.0)), math.acos(min(max(back, -1.0), 1.0)))
                turn = max(turn, math.acos(min(max(-(ux[k] * ux[m] + uy[k] * uy[m]), -1.0), 1.0)))
                if turn < best:
                    best, one, other = turn, k, m
        if one < 0:
            break
        through[one // 2, one % 2], through[other // 2, other % 2] = other, one
    _bend(x, y, start, ends, node, bx, by, ux, uy, wide, through)
    return through


@compiled
def _bend(
    x: Doubles, y: Doubles, start: Indices, ends: Indices, node: Indices, bx: Doubles, by: Doubles,
    ux: Doubles, uy: Doubles, wide: Doubles, through: Indices,
) -> None:  # fmt: skip
    """Where a line turns back sharply its two sides run into each other before they meet: three lines at a
    junction, of which one is short and ends where the others would meet. Those two go on into each other, in
    place; the short one is marked by -2."""
    for c in range(len(ends)):
        for e in range(2):
            if ends[c, e] <= 0 or ends[c, 1 - e] != 0 or start[c + 1] == start[c]:
                continue
            at, one, other, count = 0, -1, -1, 0
            for k in range(len(node)):
                if ends[k // 2, k % 2] == ends[c, e] and k != 2 * c + e:
                    at, one, other, count = node[k], k, one, count + 1
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

"""Crossings: which lines go straight on into each other at a junction, and which turn back there."""

from __future__ import annotations

import math

import numpy as np

from unrender.perception.image.skeleton import Indices
from unrender.primitives.jit import compiled
from unrender.primitives.normal_equations import solve_normal
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
def leaving(x: Doubles, y: Doubles, first: int, last: int, step: int, reach: float) -> tuple[float, float]:
    """The unit vector along which a line leaves its end at `first`, where it may bend: that of the parabola
    through the points of its end."""
    mx, my, ux, uy = heading(x, y, first, last, step, reach)
    normal, right = np.zeros((3, 3)), np.zeros(3)
    k, n, end = first, 0, 0.0
    while k != last + step and (x[k] - x[first]) ** 2 + (y[k] - y[first]) ** 2 < reach * reach:
        if n > 1 and (x[k] - x[k - step]) ** 2 + (y[k] - y[k - step]) ** 2 > 6.0:
            break
        s, t = (x[k] - mx) * ux + (y[k] - my) * uy, (y[k] - my) * ux - (x[k] - mx) * uy
        end = s if n == 0 else end
        row = (1.0, s, s * s)
        for i in range(3):
            right[i] += row[i] * t
            for j in range(3):
                normal[i, j] += row[i] * row[j]
        k, n = k + step, n + 1
    if n < 6:
        return ux, uy
    for i in range(3):
        normal[i, i] += 1e-9 * normal[i, i] + 1e-12
    level = solve_normal(normal, right.reshape(3, 1))[:, 0]
    slope = level[1] + 2 * level[2] * end
    length = math.sqrt(1 + slope * slope)
    return (ux - slope * uy) / length, (uy + slope * ux) / length


@compiled
def straight_on(
    x: Doubles,
    y: Doubles,
    width: Doubles,
    start: Indices,
    ends: Indices,
    centre: Doubles,
    tips: Doubles,
    most: float,
) -> Indices:
    """Of every end of a line the end that goes straight on at its junction: (C, 2), -1 where none does. The
    pairs that turn the least are joined first; lines that a short one joins meet at one junction.

    centre: x and y of the junctions (K, 2), towards which a line of one or two points heads. tips: those of
    the first and the last pixel of every line (C, 2, 2). most: radians by which a line may turn more than it
    did before the junction.
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
    bend, stub = np.zeros(2 * count), np.zeros(2 * count, np.bool_)
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
            if last - first < 2 or (ends[c, 1 - e] == 0 and last - first < wide[k]):  # known by its end
                far = last if e == 0 else first
                dx, dy = centre[knot, 0] - x[far], centre[knot, 1] - y[far]
                length = max(math.sqrt(dx * dx + dy * dy), 1e-9)
                bx[k], by[k], ux[k], uy[k] = x[far], y[far], dx / length, dy / length
                stub[k] = True
                continue
            step, near, away = (1, first, last) if e == 0 else (-1, last, first)
            bx[k], by[k], ux[k], uy[k] = heading(x, y, near, away, step, reach)
            bend[k] = _bending(x, y, near, away, step, reach, bx[k], by[k], ux[k], uy[k])
    _bend(ends, centre, tips, node, bx, by, ux, uy, wide, through)
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
            size = start[k // 2 + 1] - start[k // 2]
            if m // 2 == k // 2 and size < 4 * wide[k]:
                continue  # only a long one goes round
            bent = 0.5 * (bend[k] - bend[m])
            turn = _turn(bx[k], by[k], ux[k], uy[k], bx[m], by[m], ux[m], uy[m], bent)
            # of lines that only touch, each goes on to the side to which it bends; one may go on straight
            far = math.sqrt((bx[m] - bx[k]) ** 2 + (by[m] - by[k]) ** 2)
            aside = (bx[m] - bx[k]) * uy[k] - (by[m] - by[k]) * ux[k]
            most_bent = max(abs(bend[k]), abs(bend[m]))
            beside = 0.3 * wide[k] + 0.05 * far + 0.13 * most_bent * far * far
            if abs(aside + 0.5 * bent * far * far) > beside:
                continue  # it would have to step aside
            more = abs(bend[k] + bend[m]) - max(abs(bend[k]), abs(bend[m]))
            turn += max(more, 0.0) * far
            if turn < (0.3 * most if stub[k] or stub[m] else most):
                turns[found], ones[found], others[found] = turn, k, m
                found += 1
    for n in np.argsort(turns[:found]):
        k, m = ones[n], others[n]
        if through[k // 2, k % 2] == -1 and through[m // 2, m % 2] == -1:
            through[k // 2, k % 2], through[m // 2, m % 2] = m, k
    usual = np.median(width) if len(width) else 0.0
    for c in range(count):  # what lies within a crossing is no line
        apart = math.sqrt((tips[c, 1, 0] - tips[c, 0, 0]) ** 2 + (tips[c, 1, 1] - tips[c, 0, 1]) ** 2)
        if ends[c, 0] > 0 and ends[c, 1] > 0 and start[c + 1] - start[c] <= 2 and apart < usual:
            through[c, 0], through[c, 1] = -2, -2
    return through


@compiled
def _bending(
    x: Doubles,
    y: Doubles,
    near: int,
    away: int,
    step: int,
    reach: float,
    bx: float,
    by: float,
    ux: float,
    uy: float,
) -> float:
    """By how many radians a px a line turns (to the right) where it leaves its end, told by what lies before
    the piece of it that has the middle b and the heading u; 0 if that is too short."""
    k = near
    while k != away and (x[k] - x[near]) ** 2 + (y[k] - y[near]) ** 2 < reach * reach:
        k += step
    if abs(away - k) < 4:
        return 0.0
    mx, my, vx, vy = heading(x, y, k, away, step, reach)
    far = math.sqrt((bx - mx) ** 2 + (by - my) ** 2)
    return math.atan2(vx * uy - vy * ux, vx * ux + vy * uy) / max(far, 1e-9)


@compiled
def _turn(
    ax: float, ay: float, ux: float, uy: float, bx: float, by: float, vx: float, vy: float, bent: float
) -> float:
    """By how much (radians) more than before two ends of lines, at a and b with headings u and v, turn
    towards each other's points, or in all, whichever is more. bent: radians a px by which they turned
    before."""
    dx, dy = bx - ax, by - ay
    far = max(math.sqrt(dx * dx + dy * dy), 1e-9)
    expected = min(max(bent * far, -1.5), 1.5)
    ahead = math.atan2(ux * dy - uy * dx, ux * dx + uy * dy) - 0.5 * expected
    back = math.atan2(dy * vx - dx * vy, -(dx * vx + dy * vy)) - 0.5 * expected
    whole = math.atan2(uy * vx - ux * vy, -(ux * vx + uy * vy)) - expected
    return max(max(abs(ahead), abs(back)), abs(whole))


@compiled
def _bend(
    ends: Indices, centre: Doubles, tips: Doubles, node: Indices, bx: Doubles, by: Doubles, ux: Doubles,
    uy: Doubles, wide: Doubles, through: Indices,
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
            if ends[c, e] <= 0 or ends[c, 1 - e] != 0:
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
            # the short one runs from the junction to its tip
            cx, cy = centre[ends[c, e], 0], centre[ends[c, e], 1]
            tx, ty = tips[c, 1 - e, 0] - cx, tips[c, 1 - e, 1] - cy
            square = max(tx * tx + ty * ty, 1e-9)
            share = min(max(((px - cx) * tx + (py - cy) * ty) / square, 0.0), 1.0)
            near = (px - cx - share * tx) ** 2 + (py - cy - share * ty) ** 2
            if square > (2 * wide[one] + 4) ** 2:
                continue
            if along > 0 and share > 0.5 and near < (0.75 * wide[one] + 1) ** 2:
                through[one // 2, one % 2], through[other // 2, other % 2] = other, one
                through[c, 0], through[c, 1] = -2, -2

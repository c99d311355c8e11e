"""Where lines really end: at free ends, at junctions, and where they go on into each other."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unrender.perception.image.crossings import heading, leaving
from unrender.perception.image.skeleton import Indices
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats


@compiled
def ended(
    coverage: Floats,
    x: Doubles,
    y: Doubles,
    width: Doubles,
    error: Doubles,
    start: Indices,
    ends: Indices,
    raw: Indices,
    rows: Indices,
    columns: Indices,
) -> tuple[Doubles, Doubles, Doubles, Doubles, Indices, Doubles]:
    """The same lines without the points that a free end is near, and how much further they go there: the
    coverage that is left beyond the last point, divided by the width. A line that has no points but those is
    told by the first and the last pixel of its chain."""
    tall, wide = coverage.shape
    size = len(x) + 2 * len(ends)
    out_x, out_y, out_w, out_e = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    begin, count, beyond = np.zeros(len(start), np.int64), 0, np.zeros((len(ends), 2))
    for c in range(len(ends)):
        first, last = start[c], start[c + 1]
        free = (ends[c, 0] == 0, ends[c, 1] == 0)
        if first == last and not (free[0] or free[1]):
            begin[c + 1] = count
            continue
        typical = np.median(width[first:last]) if last > first else np.median(width) if len(width) else 1.0
        lower, upper, from_ = first, last, count
        margin = int(0.5 * typical + 1.0)  # points that the end itself is near
        if free[0]:
            lower = first + margin
        if free[1]:
            upper = last - margin
        if upper - lower >= 3:
            for k in range(lower, upper):
                out_x[count], out_y[count], out_w[count], out_e[count] = x[k], y[k], width[k], error[k]
                count += 1
        elif raw[c + 1] - raw[c] > 1:
            for k in (raw[c], raw[c + 1] - 1):
                out_x[count], out_y[count] = columns[k] + 0.5, rows[k] + 0.5
                out_w[count], out_e[count] = typical, 0.3
                count += 1
        begin[c + 1] = count
        if count - from_ < 2:
            begin[c + 1] = count = from_
            continue
        for side in range(2):
            if not free[side]:
                continue
            near, away = (from_, count - 1) if side == 0 else (count - 1, from_)
            _, _, ux, uy = heading(out_x, out_y, near, away, 1 if side == 0 else -1, 0.5 * typical + 3)
            reach, total = int(2 * typical + margin + 4), 0.0
            ci, cj = int(out_y[near]), int(out_x[near])
            for i in range(max(ci - reach, 0), min(ci + reach + 1, tall)):
                for j in range(max(cj - reach, 0), min(cj + reach + 1, wide)):
                    dx, dy = j + 0.5 - out_x[near], i + 0.5 - out_y[near]
                    along, across = dx * ux + dy * uy, abs(dx * uy - dy * ux)
                    if along > -1 and across < 0.5 * typical + 1.5 and along < 2 * margin + typical + 2:
                        total += coverage[i, j] * min(max(along + 0.5, 0.0), 1.0)
            beyond[c, side] = total / max(typical, 0.2)
    return (
        out_x[:count].copy(),
        out_y[:count].copy(),
        out_w[:count].copy(),
        out_e[:count].copy(),
        begin,
        beyond,
    )


@compiled
def centres(knots: NDArray[np.int32]) -> Doubles:
    """(K, 2): the middle, x and y, of the pixels of every junction."""
    total, count = np.zeros((knots.max() + 1, 2)), np.zeros(knots.max() + 1)
    for i in range(knots.shape[0]):
        for j in range(knots.shape[1]):
            if knots[i, j] > 0:
                total[knots[i, j], 0] += j + 0.5
                total[knots[i, j], 1] += i + 0.5
                count[knots[i, j]] += 1
    for k in range(len(count)):
        total[k] /= max(count[k], 1.0)
    return total


@compiled
def tips(rows: Indices, columns: Indices, start: Indices) -> Doubles:
    """(C, 2, 2): x and y of the first and the last pixel of every chain."""
    tips = np.zeros((len(start) - 1, 2, 2))
    for c in range(len(start) - 1):
        if start[c + 1] > start[c]:
            for e in range(2):
                k = start[c] if e == 0 else start[c + 1] - 1
                tips[c, e, 0], tips[c, e, 1] = columns[k] + 0.5, rows[k] + 0.5
    return tips


@compiled
def joined(
    x: Doubles,
    y: Doubles,
    width: Doubles,
    error: Doubles,
    start: Indices,
    ends: Indices,
    through: Indices,
    centre: Doubles,
    tips: Doubles,
    beyond: Doubles,
    bridged: float,
) -> tuple[Doubles, Doubles, Doubles, Doubles, Indices]:
    """The same lines with points where they go on into each other at a junction: along a smooth bridge, or at
    the tip of a sharp bend. Where a line ends at a junction, how much further it goes is written to
    `beyond`. bridged: the standard error of such points, px."""
    size = len(x) + 2 * len(ends)
    for c in range(len(ends)):  # as long as bridges may be
        size += int(4 * width[start[c] : start[c + 1]].max()) + 16 if start[c + 1] > start[c] else 0
    out_x, out_y, out_w, out_e = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    begin, count = np.zeros(len(start), np.int64), 0
    for c in range(len(ends)):
        first, last = start[c], start[c + 1] - 1
        for e in range(2):
            if e == 1:
                for k in range(first, last + 1):
                    out_x[count], out_y[count], out_w[count], out_e[count] = x[k], y[k], width[k], error[k]
                    count += 1
            at = ends[c, e]
            if at <= 0 or last < first or through[c, e] == -2:
                continue
            near, far = (first, last) if e == 0 else (last, first)
            wide = width[near]
            _, _, ux, uy = heading(x, y, near, far, 1 if e == 0 else -1, wide + 4)
            if through[c, e] < 0:
                along = (centre[at, 0] - x[near]) * ux + (centre[at, 1] - y[near]) * uy
                beyond[c, e] = max(along + 0.25 * wide, 0.0)
                continue
            if through[c, e] < 2 * c + e:
                continue  # once for both lines
            spur = -1
            for other in range(len(ends)):
                if through[other, 0] == -2 and (ends[other, 0] == at or ends[other, 1] == at):
                    spur = other
            if spur >= 0:
                tip = 1 if ends[spur, 0] == at else 0
                out_x[count], out_y[count] = tips[spur, tip, 0], tips[spur, tip, 1]
                out_w[count], out_e[count] = wide, 0.5
                count += 1
                continue
            m, f = through[c, e] // 2, through[c, e] % 2
            if start[m + 1] == start[m]:
                continue
            to, away = (start[m], start[m + 1] - 1) if f == 0 else (start[m + 1] - 1, start[m])
            ux, uy = leaving(x, y, near, far, 1 if e == 0 else -1, wide + 4)
            vx, vy = leaving(x, y, to, away, 1 if f == 0 else -1, width[to] + 4)
            gap = math.sqrt((x[to] - x[near]) ** 2 + (y[to] - y[near]) ** 2)
            between = min(int(gap) - 1, int(2 * wide) + 6)
            for step in range(between):
                n = step if e == 1 else between - 1 - step  # points run from the first line to its last point
                t = (n + 1.0) / (between + 1.0)
                a, b = (1 - t) ** 2 * (1 + 2 * t), t * (1 - t) ** 2 * gap
                q, r = t * t * (3 - 2 * t), t * t * (1 - t) * gap
                out_x[count] = a * x[near] + b * ux + q * x[to] + r * vx
                out_y[count] = a * y[near] + b * uy + q * y[to] + r * vy
                out_w[count], out_e[count] = wide, bridged
                count += 1
        begin[c + 1] = count
    return out_x[:count].copy(), out_y[:count].copy(), out_w[:count].copy(), out_e[:count].copy(), begin

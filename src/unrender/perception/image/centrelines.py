"""Centre lines: thin areas as lines of points to a fraction of a pixel, with their widths, led straight on
through crossings."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.perception.image.crossings import heading, straight_on
from unrender.perception.image.skeleton import Indices, chains, depth, pruned, thinned
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

LEAST = 0.08  # coverage of a pixel through which a line may run: one of a quarter of a pixel covers more
SHARE = 0.3  # of the coverage beside it: less is the edge of a line, not the line
ASIDE = 5  # pixels of a skeleton to either side that tell its direction
STRAIGHT_ON = math.radians(35)  # lines that turn more at a junction do not go through it
UNEVEN = 0.12  # of its width by which a line may seem wider or narrower: more is a bend or another line
FREE, CLOSED = 0, -1  # what a line ends at, if not at a junction
SHORT = -2  # a line that is part of a sharp bend


@dataclass(frozen=True, eq=False)
class CentreLines:
    """The lines of one thin area, each from end to end or from junction to junction."""

    x: Doubles  # (P,) px
    y: Doubles
    width: Doubles  # (P,) px, from the coverage across the line
    error: Doubles  # (P,): standard error across the line, px
    start: Indices  # (C + 1,): line c has the points from start[c] to start[c + 1]
    ends: Indices  # (C, 2): the junction (from 1) at the first and at the last point, FREE or CLOSED
    through: Indices  # (C, 2): 2 c + e, the end of another line that goes straight on there, or -1

    @classmethod
    def of(cls, coverage: Floats, edge_error: float, left: int = 0, top: int = 0) -> CentreLines:
        """coverage: (h, w), which share of each pixel the lines paint; its first pixel is at (left, top)."""
        deep = depth(coverage, LEAST, SHARE)
        skeleton = pruned(thinned(deep), deep)
        skeleton = thinned(np.where(skeleton, deep, np.float32(0.0)))
        rows, columns, raw, ends, knots = chains(skeleton)
        reach = np.zeros(int(knots.max(initial=0)) + 1)
        np.maximum.at(reach, knots.ravel(), deep.ravel())
        x, y, width, error, start = _placed(
            coverage, deep, rows, columns, raw, ends, reach, ASIDE, edge_error
        )
        x, y, width, error, start = _even(x, y, width, error, start, UNEVEN)
        x, y, width, error, start = _ended(coverage, x, y, width, error, start, ends)
        centre = _centres(knots)
        through = straight_on(x, y, width, start, ends, centre, STRAIGHT_ON)
        tips = _tips(rows, columns, raw)
        x, y, width, error, start = _joined(x, y, width, error, start, ends, through, centre, tips)
        return cls(x + left, y + top, width, error, start, ends, through)

    def __len__(self) -> int:
        return len(self.ends)

    def points(self, line: int) -> slice:
        """Where in the arrays the points of a line are."""
        return slice(int(self.start[line]), int(self.start[line + 1]))

    def strokes(self) -> list[tuple[Indices, bool]]:
        """Lines led through junctions: of each stroke its points in order, and whether it is closed."""
        found: list[tuple[Indices, bool]] = []
        left = {c for c in range(len(self)) if self.through[c, 0] != SHORT}
        # from ends that do not go on; then what is closed
        firsts = [(c, e) for c in range(len(self)) for e in (0, 1) if self.through[c, e] < 0]
        for c, e in firsts + [(c, 0) for c in range(len(self))]:
            if c not in left:
                continue
            parts, at, closed = [], (c, e), self.ends[c, 0] == CLOSED
            while at[0] in left:
                left.discard(at[0])
                points = np.arange(self.start[at[0]], self.start[at[0] + 1])
                parts.append(points if at[1] == 0 else points[::-1])
                onward = int(self.through[at[0], 1 - at[1]])
                if onward < 0:
                    break
                at = divmod(onward, 2)
                closed = closed or at == (c, e)
            found.append((np.concatenate(parts), bool(closed)))
        return [stroke for stroke in found if len(stroke[0]) > 1]


@compiled
def _placed(
    coverage: Floats,
    deep: Floats,
    rows: Indices,
    columns: Indices,
    start: Indices,
    ends: Indices,
    reach: Doubles,
    aside: int,
    edge_error: float,
) -> tuple[Doubles, Doubles, Doubles, Doubles, Indices]:
    """A point for every row or column that a chain crosses, at the centre of the coverage there. Near
    junctions, where other lines are in the way, there are none."""
    tall, wide = coverage.shape
    x, y, width, error = np.empty(len(rows)), np.empty(len(rows)), np.empty(len(rows)), np.empty(len(rows))
    begin, count = np.zeros(len(start), np.int64), 0
    for c in range(len(start) - 1):
        first, last, closed = start[c], start[c + 1], ends[c, 0] == -1
        size = last - first
        # no nearer to a junction than the lines are wide there, if there is as much
        skip, drop = 0, 0
        if not closed and ends[c, 0] > 0:
            skip = min(int(reach[ends[c, 0]] + 1.5), (size - 1) // 2)
        if not closed and ends[c, 1] > 0:
            drop = min(int(reach[ends[c, 1]] + 1.5), (size - 1) // 2)
        before = -1
        for k in range(first + skip, last - drop):
            if closed:
                a, b = first + (k - first - aside) % size, first + (k - first + aside) % size
            else:
                a, b = max(k - aside, first), min(k + aside, last - 1)
            tx, ty = float(columns[b] - columns[a]), float(rows[b] - rows[a])
            length = math.sqrt(tx * tx + ty * ty)
            if length == 0:
                tx, length = 1.0, 1.0
            flat = abs(tx) >= abs(ty)
            at = columns[k] if flat else rows[k]
            if at == before:
                continue  # one point for a row or column
            before = at
            i, j = rows[k], columns[k]
            far = int(deep[i, j] * 1.5) + 2
            total, moment, square = float(coverage[i, j]), 0.0, 0.0
            for way in (-1, 1):
                least = coverage[i, j]
                for step in range(1, far + 1):
                    r, s = (i + way * step, j) if flat else (i, j + way * step)
                    if r < 0 or s < 0 or r >= tall or s >= wide:
                        break
                    share = coverage[r, s]
                    if share > least + 0.1 and least < 0.5:  # another line begins
                        break
                    least = min(least, share)
                    total += share
                    moment += share * way * step
                    square += step * step
                    if share < 0.01:
                        break
            off = moment / max(total, 1e-6)
            x[count], y[count] = (j + 0.5, i + 0.5 + off) if flat else (j + 0.5 + off, i + 0.5)
            width[count] = total * max(abs(tx), abs(ty)) / length
            error[count] = edge_error * max(1.0, 0.7 / max(total, 0.1))
            count += 1
        begin[c + 1] = count
    return x[:count].copy(), y[:count].copy(), width[:count].copy(), error[:count].copy(), begin


@compiled
def _even(
    x: Doubles, y: Doubles, width: Doubles, error: Doubles, start: Indices, uneven: float
) -> tuple[Doubles, Doubles, Doubles, Doubles, Indices]:
    """The points at which lines are as wide as elsewhere: where they bend, or others touch them, the coverage
    across is not theirs alone. A line that is nowhere even keeps all."""
    kept = np.ones(len(x), np.bool_)
    begin = np.zeros(len(start), np.int64)
    for c in range(len(start) - 1):
        first, last = start[c], start[c + 1]
        if last > first:
            typical, good = np.median(width[first:last]), 0
            for k in range(first, last):
                kept[k] = abs(width[k] - typical) < uneven * typical + 0.1
                good += kept[k]
            if good < 3:
                kept[first:last] = True
                good = last - first
            begin[c + 1] = begin[c] + good
        else:
            begin[c + 1] = begin[c]
    return x[kept], y[kept], width[kept], error[kept], begin


@compiled
def _ended(
    coverage: Floats, x: Doubles, y: Doubles, width: Doubles, error: Doubles, start: Indices, ends: Indices
) -> tuple[Doubles, Doubles, Doubles, Doubles, Indices]:
    """The same lines, from where they really begin to where they end: at a free end the coverage that is left
    beyond the last points, divided by the width, says how far they reach."""
    tall, wide = coverage.shape
    size = len(x) + 2 * len(ends)
    out_x, out_y, out_w, out_e = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    begin, count = np.zeros(len(start), np.int64), 0
    for c in range(len(ends)):
        first, last = start[c], start[c + 1]
        if first == last:
            begin[c + 1] = count
            continue
        typical = np.median(width[first:last])
        lower, upper = first, last
        free = (ends[c, 0] == 0, ends[c, 1] == 0)
        margin = int(0.5 * typical + 1.0)  # points that the end itself is near
        if free[0]:
            lower = min(first + margin, last - 1)
        if free[1]:
            upper = max(last - margin, lower + 1)
        for side in range(2):
            if side == 1:
                for k in range(lower, upper):
                    out_x[count], out_y[count], out_w[count], out_e[count] = x[k], y[k], width[k], error[k]
                    count += 1
            if not free[side]:
                continue
            near, away = (lower, upper - 1) if side == 0 else (upper - 1, lower)
            if upper - lower >= 3:
                _, _, ux, uy = heading(x, y, near, away, 1 if side == 0 else -1, 2 * typical + 3)
            else:
                ux, uy = x[first] - x[last - 1], y[first] - y[last - 1]
                length = max(math.sqrt(ux * ux + uy * uy), 1e-9)
                ux, uy = (ux / length, uy / length) if side == 0 else (-ux / length, -uy / length)
            reach, total = int(2 * typical + margin + 4), 0.0
            ci, cj = int(y[near]), int(x[near])
            for i in range(max(ci - reach, 0), min(ci + reach + 1, tall)):
                for j in range(max(cj - reach, 0), min(cj + reach + 1, wide)):
                    dx, dy = j + 0.5 - x[near], i + 0.5 - y[near]
                    along, across = dx * ux + dy * uy, abs(dx * uy - dy * ux)
                    if along > -1 and across < 0.5 * typical + 1.5 and along < 2 * margin + typical + 2:
                        total += coverage[i, j] * min(max(along + 0.5, 0.0), 1.0)
            far = total / max(typical, 0.2)
            out_x[count], out_y[count] = x[near] + far * ux, y[near] + far * uy
            out_w[count], out_e[count] = typical, 2 * error[near]
            count += 1
        begin[c + 1] = count
    return out_x[:count].copy(), out_y[:count].copy(), out_w[:count].copy(), out_e[:count].copy(), begin


@compiled
def _centres(knots: NDArray[np.int32]) -> Doubles:
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
def _tips(rows: Indices, columns: Indices, start: Indices) -> Doubles:
    """(C, 2, 2): x and y of the first and the last pixel of every chain."""
    tips = np.zeros((len(start) - 1, 2, 2))
    for c in range(len(start) - 1):
        if start[c + 1] > start[c]:
            for e in range(2):
                k = start[c] if e == 0 else start[c + 1] - 1
                tips[c, e, 0], tips[c, e, 1] = columns[k] + 0.5, rows[k] + 0.5
    return tips


@compiled
def _joined(
    x: Doubles,
    y: Doubles,
    width: Doubles,
    error: Doubles,
    start: Indices,
    ends: Indices,
    through: Indices,
    centre: Doubles,
    tips: Doubles,
) -> tuple[Doubles, Doubles, Doubles, Doubles, Indices]:
    """The same lines, with a point more where one ends at a junction: on its way, beside the middle of the
    junction. Where two lines turn into each other at a sharp bend, it is the tip of the bend."""
    size = len(x) + 2 * len(ends)
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
            px, py, off = centre[at, 0], centre[at, 1], error[near]
            if through[c, e] >= 0:
                spur = -1
                for other in range(len(ends)):
                    if through[other, 0] == -2 and (ends[other, 0] == at or ends[other, 1] == at):
                        spur = other
                if spur < 0 or through[c, e] < 2 * c + e:  # once for both lines
                    continue
                tip = 1 if ends[spur, 0] == at else 0
                px, py, off = tips[spur, tip, 0], tips[spur, tip, 1], 0.5
            elif last - first >= 2:
                mx, my, ux, uy = heading(x, y, near, far, 1 if e == 0 else -1, 2 * width[near] + 4)
                along = (px - mx) * ux + (py - my) * uy
                px, py = mx + along * ux, my + along * uy
            out_x[count], out_y[count], out_w[count], out_e[count] = px, py, width[near], off
            count += 1
        begin[c + 1] = count
    return out_x[:count].copy(), out_y[:count].copy(), out_w[:count].copy(), out_e[:count].copy(), begin

"""Centre lines: thin areas as lines of points to a fraction of a pixel, with their widths, led straight on
through crossings."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.perception.image.crossings import straight_on
from unrender.perception.image.line_ends import centres, ended, joined, tips
from unrender.perception.image.line_walks import edge_at, followed, settled
from unrender.perception.image.skeleton import Indices, chains, depth, pruned, thinned
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

LEAST = 0.08  # coverage of a pixel through which a line may run: one of a quarter of a pixel covers more
SHARE = 0.3  # of the coverage beside it: less is the edge of a line, not the line
ASIDE = 5  # pixels of a skeleton to either side that tell its direction
ACROSS = 2.5  # px: a narrower line has no pixel of its own at its middle
STRAIGHT_ON = math.radians(35)  # lines that turn more at a junction do not go through it
UNEVEN = 0.12  # of its width by which a line may seem wider or narrower: more is a bend or another line
BRIDGED = 0.25  # px: the standard error of a line where it crosses others
LONG, CLOSE = 4.0, 1.5  # widths: the length of a line that goes round, and how near its ends come
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
    beyond: Doubles  # (C, 2) px: how much further than its first and its last point a line goes

    @classmethod
    def of(cls, coverage: Floats, edge_error: float, left: int = 0, top: int = 0) -> CentreLines:
        """coverage: (h, w), which share of each pixel the lines paint; its first pixel is at (left, top)."""
        deep = depth(coverage, LEAST, SHARE)
        skeleton = pruned(thinned(deep), deep)
        skeleton = thinned(np.where(skeleton, deep, np.float32(0.0)))
        rows, columns, raw, ends, knots = chains(skeleton)
        reach = _deepest(knots, deep)
        x, y, width, error, start = _placed(
            coverage, deep, rows, columns, raw, ends, reach, ASIDE, ACROSS, edge_error
        )
        x, y, width, error, start = _even(x, y, width, error, start, UNEVEN)
        centre, outer = centres(knots), tips(rows, columns, raw)
        x, y, width, error, start = followed(
            coverage, x, y, width, error, start, ends, centre, outer, ACROSS, edge_error
        )
        x, y, width, error, start, beyond = ended(
            coverage, x, y, width, error, start, ends, raw, rows, columns
        )
        through = straight_on(x, y, width, start, ends, centre, outer, STRAIGHT_ON)
        x, y, width, error, start = settled(x, y, width, error, start, ends, through)
        x, y, width, error, start = joined(
            x, y, width, error, start, ends, through, centre, outer, beyond, BRIDGED
        )
        return cls(x + left, y + top, width, error, start, ends, through, beyond)

    def __len__(self) -> int:
        return len(self.ends)

    def points(self, line: int) -> slice:
        """Where in the arrays the points of a line are."""
        return slice(int(self.start[line]), int(self.start[line + 1]))

    def strokes(self) -> list[Stroke]:
        """Lines led through junctions; and those once more by themselves that go round, whatever they are
        led into."""
        found: list[Stroke] = []
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
                last = at[0], 1 - at[1]
                onward = int(self.through[last])
                if onward < 0:
                    break
                at = divmod(onward, 2)
                closed = closed or at == (c, e)
            beyond = float(self.beyond[c, e]), float(self.beyond[last])
            free = bool(self.ends[c, e] == FREE), bool(self.ends[last] == FREE)
            found.append(Stroke(np.concatenate(parts), bool(closed), beyond, free))
        for c in range(len(self)):
            points = np.arange(self.start[c], self.start[c + 1])
            if self.through[c].max() >= 0 and self.through[c, 0] != 2 * c + 1 and self._goes_round(points):
                found.append(Stroke(points, True, (0.0, 0.0), (False, False)))
        return [stroke for stroke in found if len(stroke.points) > 1]

    def _goes_round(self, points: Indices) -> bool:
        """Whether the ends of a long line come so near to each other that it may be closed."""
        if len(points) < 3:
            return False
        x, y, wide = self.x[points], self.y[points], float(np.median(self.width[points]))
        return bool(len(points) > LONG * wide and math.hypot(x[-1] - x[0], y[-1] - y[0]) < CLOSE * wide)


@dataclass(frozen=True, eq=False)
class Stroke:
    """One or several lines that go on into each other."""

    points: Indices  # of the centre lines, in order
    closed: bool
    beyond: tuple[float, float]  # px by which it is longer than its points, at the first one and at the last
    free: tuple[bool, bool]  # whether it ends there by itself, and not at another line


@compiled
def _deepest(knots: NDArray[np.int32], deep: Floats) -> Doubles:
    """(K + 1,): the greatest depth (h, w) of the pixels of each knot, by number."""
    found = np.zeros(knots.max() + 1)
    for i in range(knots.shape[0]):
        for j in range(knots.shape[1]):
            found[knots[i, j]] = max(found[knots[i, j]], deep[i, j])
    return found


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
    across: float,
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
            if width[count] > across:  # a wide one may bend within its width: its two edges, straight across
                px, py, ux, uy = x[count], y[count], -ty / length, tx / length
                one = edge_at(coverage, px, py, ux, uy, width[count] + 3)
                other = edge_at(coverage, px, py, -ux, -uy, width[count] + 3)
                if one > 0 and other > 0:
                    x[count], y[count] = px + 0.5 * (one - other) * ux, py + 0.5 * (one - other) * uy
                    width[count] = one + other
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

"""Lines where others touch them: followed by the edge that is their own, and short ones by their straightest
side."""

from __future__ import annotations

import math

import numpy as np

from unrender.perception.image.crossings import leaving
from unrender.perception.image.skeleton import Indices
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats


@compiled
def edge_at(coverage: Floats, x: float, y: float, ux: float, uy: float, most: float) -> float:
    """How far (px) from a point, along a unit vector, a line ends; -1 if it does not end within `most`."""
    tall, wide = coverage.shape
    before, step, far = 1.0, 0.5, 0.0
    while far <= most:
        px, py = x + far * ux - 0.5, y + far * uy - 0.5
        i, j = math.floor(py), math.floor(px)
        v, u = py - i, px - j
        own = 0.0
        for r in range(2):
            for s in range(2):
                if 0 <= i + r < tall and 0 <= j + s < wide:
                    own += coverage[i + r, j + s] * (v if r else 1 - v) * (u if s else 1 - u)
        if own < 0.5:
            return far - step * (0.5 - own) / max(before - own, 1e-9) if far > 0 else -1.0
        before = own
        far += step
    return -1.0


@compiled
def followed(
    coverage: Floats,
    x: Doubles,
    y: Doubles,
    width: Doubles,
    error: Doubles,
    start: Indices,
    ends: Indices,
    centre: Doubles,
    tips: Doubles,
    narrow: float,
    told: float,
) -> tuple[Doubles, Doubles, Doubles, Doubles, Indices]:
    """The same lines with points up to the junctions (K, 2) at which they end, as far as one of their edges
    can be seen beside the other lines there; lines that have hardly any points of their own get those of
    their straightest side.

    tips: (C, 2, 2), the first and the last pixel of every line. narrow: px of a width at which lines are not
    followed. told: standard error (px) of a point on an edge.
    """
    if len(x) == 0:
        return x, y, width, error, start
    usual, size = np.median(width), len(x)
    way = np.empty((int(4 * usual) + 64, 2))
    for c in range(len(ends)):
        size += int(math.sqrt(((tips[c, 1] - tips[c, 0]) ** 2).sum())) + 2 * len(way) + 16
    out = np.empty((4, size))
    begin, count = np.zeros(len(start), np.int64), 0
    for c in range(len(ends)):
        first, last, from_ = start[c], start[c + 1] - 1, count
        wide = np.median(width[first : last + 1]) if last - first >= 3 else usual
        if wide <= narrow or ends[c, 0] == -1 or (ends[c, 0] == 0 and ends[c, 1] == 0):
            for k in range(first, last + 1):
                out[0, count], out[1, count], out[2, count], out[3, count] = x[k], y[k], width[k], error[k]
                count += 1
            begin[c + 1] = count
            continue
        for k in range(first, last + 1):
            out[0, count], out[1, count], out[2, count], out[3, count] = x[k], y[k], width[k], error[k]
            count += 1
        apart = math.sqrt(((tips[c, 1] - tips[c, 0]) ** 2).sum())
        if count - from_ < 4 and (ends[c, 0] == 0 or ends[c, 1] == 0 or apart > wide):
            n = _straight(coverage, tips[c], wide, told, out, from_)
            count = from_ + n if n else count
        if count - from_ >= 4:
            for e in range(2):
                if ends[c, e] <= 0:
                    continue
                n = _walk(coverage, out, from_, count, e, wide, centre[ends[c, e]], way)
                if e == 0:  # points run from the first end to the last one
                    for k in range(count - 1, from_ - 1, -1):
                        out[:, k + n] = out[:, k]
                    for k in range(n):
                        out[0, from_ + n - 1 - k], out[1, from_ + n - 1 - k] = way[k]
                        out[2, from_ + n - 1 - k], out[3, from_ + n - 1 - k] = wide, 2 * told
                else:
                    for k in range(n):
                        out[0, count + k], out[1, count + k] = way[k]
                        out[2, count + k], out[3, count + k] = wide, 2 * told
                count += n
        begin[c + 1] = count
    return out[0, :count].copy(), out[1, :count].copy(), out[2, :count].copy(), out[3, :count].copy(), begin


@compiled
def _walk(
    coverage: Floats,
    line: Doubles,
    first: int,
    stop: int,
    end: int,
    wide: float,
    centre: Doubles,
    way: Doubles,
) -> int:
    """Go on from an end of a line (4, first:stop), px by px, as long as one of its edges is where it should
    be, until it passes the middle of the junction; the points are written to `way`, their number returned."""
    size = min(stop - first, int(wide) + 16)
    x, y = np.empty(size + len(way)), np.empty(size + len(way))
    for k in range(size):
        at = first + size - 1 - k if end == 0 else stop - size + k
        x[k], y[k] = line[0, at], line[1, at]
    half, near = wide / 2, 0.3 + 0.02 * wide
    found = 0
    while found < len(way) - 1:
        last = size + found - 1
        ux, uy = leaving(x, y, last, 0, -1, wide + 4)
        px, py = x[last] + ux, y[last] + uy
        if (px - centre[0]) * ux + (py - centre[1]) * uy > 0:
            break
        one = edge_at(coverage, px, py, -uy, ux, wide + 3) - half
        other = edge_at(coverage, px, py, uy, -ux, wide + 3) - half
        if abs(one) < near and abs(other) < near:
            off = 0.5 * (one - other)
        elif abs(one) < near:
            off = one
        elif abs(other) < near:
            off = -other
        else:
            break
        x[last + 1], y[last + 1] = px - off * uy, py + off * ux
        way[found, 0], way[found, 1] = x[last + 1], y[last + 1]
        found += 1
    return found


@compiled
def _straight(coverage: Floats, tips: Doubles, wide: float, told: float, out: Doubles, first: int) -> int:
    """Points of a short straight line of this width between about two tips, by the straighter one of its
    sides; they are written to `out` (4, first:), their number returned: 0 if no side is straight."""
    (ax, ay), (bx, by) = tips[0], tips[1]
    length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    if length < 3:
        return 0
    ux, uy = (bx - ax) / length, (by - ay) / length
    mx, my = (ax + bx) / 2, (ay + by) / 2
    count, best = int(length) + 1, 1e9
    side = np.empty((2, count))
    for _ in range(5):
        best, cx, cy, vx, vy = 1e9, mx, my, ux, uy
        for way in (-1.0, 1.0):
            n = 0
            for k in range(count):
                s = (k / (count - 1.0) - 0.5) * length
                px, py = mx + s * ux, my + s * uy
                far = edge_at(coverage, px, py, -way * uy, way * ux, 1.5 * wide)
                if far >= 0:
                    side[0, n], side[1, n] = px - far * way * uy, py + far * way * ux
                    n += 1
            if n < max(4, count // 2):
                continue
            off, ex, ey, tx, ty = _side(side, n)
            if off < best:
                if tx * ux + ty * uy < 0:
                    tx, ty = -tx, -ty
                best, vx, vy = off, tx, ty
                cx, cy = ex + 0.5 * wide * way * ty, ey - 0.5 * wide * way * tx
        along = (mx - cx) * vx + (my - cy) * vy
        mx, my, ux, uy = cx + along * vx, cy + along * vy, vx, vy
    if best > 0.25:
        return 0
    begin, end = (ax - mx) * ux + (ay - my) * uy, (bx - mx) * ux + (by - my) * uy
    count = max(int(end - begin) + 1, 2)
    for k in range(count):
        s = begin + (end - begin) * k / (count - 1.0)
        out[0, first + k], out[1, first + k] = mx + s * ux, my + s * uy
        out[2, first + k], out[3, first + k] = wide, 2 * told
    return count


@compiled
def _side(side: Doubles, n: int) -> tuple[float, float, float, float, float]:
    """The line through most of some points (2, n): the mean distance of these, their middle and its
    direction."""
    weight = np.ones(n)
    off, mx, my, ux, uy = 0.0, 0.0, 0.0, 1.0, 0.0
    for _ in range(4):
        total = weight.sum()
        mx, my = (weight * side[0, :n]).sum() / total, (weight * side[1, :n]).sum() / total
        xx, xy, yy = 0.0, 0.0, 0.0
        for k in range(n):
            dx, dy = side[0, k] - mx, side[1, k] - my
            xx, xy, yy = xx + weight[k] * dx * dx, xy + weight[k] * dx * dy, yy + weight[k] * dy * dy
        turn = 0.5 * math.atan2(2 * xy, xx - yy)
        ux, uy = math.cos(turn), math.sin(turn)
        far = np.empty(n)
        for k in range(n):
            far[k] = abs((side[1, k] - my) * ux - (side[0, k] - mx) * uy)
        limit = np.sort(far)[(2 * n) // 3]  # what belongs to other lines is further off
        off = 0.0
        for k in range(n):
            weight[k] = 1.0 if far[k] <= limit else 0.0
            off += weight[k] * far[k]
        off /= weight.sum()
    return off, mx, my, ux, uy


@compiled
def is_stub(first: int, last: int, far: int, wide: float) -> bool:
    """Whether a line of the points from `first` to `last`, which ends at a junction and at `far`, is free
    there and shorter than it is wide: how it heads is told by its end."""
    return far == 0 and last - first < wide


@compiled
def settled(
    x: Doubles, y: Doubles, width: Doubles, error: Doubles, start: Indices, ends: Indices, through: Indices
) -> tuple[Doubles, Doubles, Doubles, Doubles, Indices]:
    """The same lines, once it is known which go on into each other: the points of a stub lie on the line that
    goes on into it, and lines that were followed beyond each other end where they meet."""
    kept = np.ones(len(x), np.bool_)
    for c in range(len(ends)):
        for e in range(2):
            onward = through[c, e]
            if onward < 0:
                continue
            m, f = onward // 2, onward % 2
            near, away = (start[c], start[c + 1] - 1) if e == 0 else (start[c + 1] - 1, start[c])
            to, far = (start[m], start[m + 1] - 1) if f == 0 else (start[m + 1] - 1, start[m])
            if abs(away - near) < 3 or start[m + 1] <= start[m]:
                continue
            into, on = (1 if e == 0 else -1), (1 if f == 0 else -1)
            ux, uy = leaving(x, y, near, away, into, width[near] + 4)
            stub = is_stub(start[m], start[m + 1] - 1, ends[m, 1 - f], width[to])
            if stub and not is_stub(start[c], start[c + 1] - 1, ends[c, 1 - e], width[near]):
                reach = (x[far] - x[near]) * ux + (y[far] - y[near]) * uy
                count = abs(far - to)
                for k in range(count + 1):
                    at, s = to + on * k, reach * (1 - 0.8 * (count - k) / max(count, 1))
                    x[at], y[at] = x[near] + s * ux, y[near] + s * uy
                continue
            if onward < 2 * c + e or is_stub(start[c], start[c + 1] - 1, ends[c, 1 - e], width[near]):
                continue  # once for both lines
            p, q = near, to
            while abs(away - p) > 3 and abs(far - q) > 3:
                if (x[q] - x[p]) * ux + (y[q] - y[p]) * uy > 0.5:
                    break
                kept[p], kept[q] = False, False
                p, q = p + into, q + on
    begin = np.zeros(len(start), np.int64)
    for c in range(len(ends)):
        begin[c + 1] = begin[c] + kept[start[c] : start[c + 1]].sum()
    return x[kept], y[kept], width[kept], error[kept], begin

"""How far points lie from a polycurve, and how that changes with its numbers."""

from __future__ import annotations

from math import atan, atan2, cos, sqrt

import numpy as np

from unrender.primitives.jit import compiled
from unrender.primitives.polycurve import Indices, flattened, nodes, pieces_of, point
from unrender.primitives.protocol import Doubles

PULLS = 8  # numbers of a form that move one point of it at most: the control points of a cubic
COARSE = (
    0.25  # px by which straight pieces may miss the curve where it is asked what lies inside, or on which
)
# of them the foot of a point is looked for


@compiled
def pieces(form: Doubles, a: float, b: float, flat: float) -> tuple[Doubles, Indices, Doubles]:
    """The pieces of a form, those of cubics in as many straight ones as tell them within `flat` px: their
    ends x, y, x, y (px) and of arcs behind them what `_measure` says (S, 10); the nodes (S, 2) where each
    begins and ends, and from where to where in it each goes (S, 2)."""
    at, after = nodes(form)
    sizes, total = np.zeros(len(at), np.int64), 0
    for k in range(len(at)):
        if after[k] >= 0:
            sizes[k] = pieces_of(form, at[k], after[k], a, b, flat) if int(form[at[k]]) % 4 == 2 else 1
            total += sizes[k]
    rows, which, share = np.zeros((total, 10)), np.empty((total, 2), np.int64), np.empty((total, 2))
    count = 0
    for k in range(len(at)):
        if after[k] < 0:
            continue
        x, y = form[at[k] + 1] * a, form[at[k] + 2] * b
        for m in range(sizes[k]):
            t = (m + 1) / sizes[k]
            ex, ey = point(form, at[k], after[k], a, b, t)
            rows[count, 0], rows[count, 1], rows[count, 2], rows[count, 3] = x, y, ex, ey
            which[count, 0], which[count, 1] = at[k], after[k]
            share[count, 0], share[count, 1] = m / sizes[k], t
            x, y = ex, ey
            count += 1
        if int(form[at[k]]) % 4 == 1:
            _measure(form, at[k], after[k], a, b, rows[count - 1, 4:])
    return rows, which, share


@compiled
def _measure(form: Doubles, i: int, j: int, a: float, b: float, out: Doubles) -> None:
    """Of the arc from the node at i to that at j: its centre and its radius (px), negative if it turns to the
    left, the unit vector from there to its middle, and the cosine of half its sweep. The radius of one that
    is nearly straight stays 0."""
    bulge = form[i + 3]
    if abs(bulge) < 1e-3:
        return
    x, y = form[i + 1] * a, form[i + 2] * b
    ex, ey = form[j + 1] * a - x, form[j + 2] * b - y
    # the centre lies to the right of a chord that turns to the right by less than a half turn
    off = (1 - bulge * bulge) / (4 * bulge)
    out[0], out[1] = x + 0.5 * ex - off * ey, y + 0.5 * ey + off * ex
    mx, my = point(form, i, j, a, b, 0.5)
    radius = sqrt((mx - out[0]) ** 2 + (my - out[1]) ** 2)
    if radius > 0:
        out[3], out[4] = (mx - out[0]) / radius, (my - out[1]) / radius
    out[2] = radius if bulge > 0 else -radius
    out[5] = cos(2 * atan(abs(bulge)))


@compiled
def _to_piece(rows: Doubles, k: int, px: float, py: float) -> tuple[float, float, float]:
    """The squared distance of a point from the k-th piece, the share of it at the foot (0.5 within the sweep
    of an arc), and on which side of it the point is: positive on its right, by the distance from its line.
    The piece is told by its index: to take a row out of an array takes longer than all of this."""
    radius = rows[k, 6]
    if radius != 0:
        vx, vy = px - rows[k, 4], py - rows[k, 5]
        far = sqrt(vx * vx + vy * vy)
        if vx * rows[k, 7] + vy * rows[k, 8] >= far * rows[k, 9]:  # within its sweep
            off = abs(radius) - far
            return off * off, 0.5, off if radius > 0 else -off
        dx, dy, gx, gy = px - rows[k, 0], py - rows[k, 1], px - rows[k, 2], py - rows[k, 3]
        first, last = dx * dx + dy * dy, gx * gx + gy * gy
        if first <= last:  # beside the line on which it leaves its end
            return first, 0.0, -(dx * (rows[k, 0] - rows[k, 4]) + dy * (rows[k, 1] - rows[k, 5])) / radius
        return last, 1.0, -(gx * (rows[k, 2] - rows[k, 4]) + gy * (rows[k, 3] - rows[k, 5])) / radius
    dx, dy = px - rows[k, 0], py - rows[k, 1]
    wx, wy = rows[k, 2] - rows[k, 0], rows[k, 3] - rows[k, 1]
    square = wx * wx + wy * wy
    if square < 1e-18:
        return dx * dx + dy * dy, 0.0, 0.0
    t = min(max((dx * wx + dy * wy) / square, 0.0), 1.0)
    ox, oy = dx - t * wx, dy - t * wy
    return ox * ox + oy * oy, t, (wx * dy - wy * dx) / sqrt(square)


@compiled
def _odd(ends: Doubles, px: float, py: float) -> bool:
    """Whether a ray to the right of a point crosses an odd number of straight pieces."""
    odd = False
    for k in range(len(ends)):
        y, ey = ends[k, 1], ends[k, 3]
        if (y > py) != (ey > py) and ends[k, 0] + (py - y) / (ey - y) * (ends[k, 2] - ends[k, 0]) > px:
            odd = not odd
    return odd


@compiled
def _painted_sides(form: Doubles, a: float, b: float) -> Doubles:
    """(F,): 1 at nodes of closed chains that paint to the right of their pieces, -1 at those of chains that
    paint to the left (even-odd), 0 at nodes of open chains."""
    sides = np.zeros(len(form))
    at, _ = nodes(form)
    closed = False
    for k in at:
        closed = closed or int(form[k]) // 4 == 1
    if not closed:
        return sides
    ends, which, _ = flattened(form, a, b, COARSE)
    first, node = 0, 0
    for k in range(len(at)):
        end = int(form[at[k]]) // 4
        if end == 0:
            continue
        last = first
        while last < len(which) and which[last, 0] <= at[k]:
            last += 1
        if end == 1 and last > first:
            longest, side = first, 0.0
            for m in range(first, last):
                length = (ends[m, 2] - ends[m, 0]) ** 2 + (ends[m, 3] - ends[m, 1]) ** 2
                if length > side:
                    longest, side = m, length
            wx, wy = ends[longest, 2] - ends[longest, 0], ends[longest, 3] - ends[longest, 1]
            mx, my = (ends[longest, 0] + ends[longest, 2]) / 2, (ends[longest, 1] + ends[longest, 3]) / 2
            step = 1e-3 / max(sqrt(side), 1e-9)
            right = 1.0 if _odd(ends, mx - wy * step, my + wx * step) else -1.0
            sides[at[node] : at[k] + 1] = right
        first, node = last, k + 1
    return sides


@compiled
def nearest(rows: Doubles, x: Doubles, y: Doubles, cell: float) -> tuple[Indices, Doubles, Doubles]:
    """Of points (M,) the piece (of S) that is nearest, the share of it at the foot, and on which side of it
    the point is, as `_to_piece` has them. Points that share a square of `cell` px are compared only with what
    can be nearest to any of them."""
    count = len(x)
    found, share, side = np.zeros(count, np.int64), np.zeros(count), np.zeros(count)
    left, top = x.min(), y.min()
    wide, tall = int((x.max() - left) / cell) + 1, int((y.max() - top) / cell) + 1
    begin, size = np.full(wide * tall, -1), np.zeros(wide * tall, np.int64)
    pool, used = np.empty(64 + 4 * len(rows), np.int64), 0
    far, reach = np.empty(len(rows)), cell * 0.7072
    for m in range(count):
        i, j = int((y[m] - top) / cell), int((x[m] - left) / cell)
        c = i * wide + j
        if begin[c] < 0:
            cx, cy, least = left + (j + 0.5) * cell, top + (i + 0.5) * cell, 1e18
            for k in range(len(rows)):
                far[k] = _to_piece(rows, k, cx, cy)[0]
                least = min(least, far[k])
            limit = (sqrt(least) + 2 * reach) ** 2
            if used + len(rows) > len(pool):
                more = np.empty(2 * len(pool) + len(rows), np.int64)
                more[:used] = pool[:used]
                pool = more
            begin[c] = used
            for k in range(len(rows)):
                if far[k] <= limit:
                    pool[used] = k
                    used += 1
            size[c] = used - begin[c]
        best = 1e18
        for n in range(begin[c], begin[c] + size[c]):
            k = pool[n]
            off, t, aside = _to_piece(rows, k, x[m], y[m])
            # beyond a corner two pieces are as near: the one that the point lies more beside tells its side
            if off < best - 1e-9 or (off < best + 1e-9 and abs(aside) > abs(side[m])):
                best, found[m], share[m], side[m] = min(off, best), k, t, aside
    return found, share, side


@compiled
def beside(form: Doubles, x: Doubles, y: Doubles, flat: float) -> tuple[Indices, Doubles]:
    """Of points (M,) in px the nodes (M,) of the pieces that they are nearest to, and where on them (0 to
    1)."""
    rows, which, share = pieces(form, 1.0, 1.0, flat)
    found, part, _ = nearest(rows, x, y, 8.0)
    node = np.empty(len(x), np.int64)
    for m in range(len(x)):
        k = found[m]
        node[m] = which[k, 0]
        t = share[k, 0] + part[m] * (share[k, 1] - share[k, 0])
        part[m] = foot(form, which[k, 0], which[k, 1], 1.0, 1.0, x[m], y[m], t)
    return node, part


@compiled
def foot(form: Doubles, i: int, j: int, a: float, b: float, px: float, py: float, t: float) -> float:
    """Where on the piece from the node at i to that at j a point is nearest to it, from about t."""
    kind = int(form[i]) % 4
    if kind == 1:
        return _arc_foot(form, i, j, a, b, px, py, t)
    if kind == 2:
        return _cubic_foot(form, i, j, a, b, px, py, t)
    return t


@compiled
def _arc_foot(form: Doubles, i: int, j: int, a: float, b: float, px: float, py: float, t: float) -> float:
    bulge = form[i + 3]
    if abs(bulge) < 1e-3:
        return t
    x, y = form[i + 1] * a, form[i + 2] * b
    ex, ey = form[j + 1] * a - x, form[j + 2] * b - y
    # the centre lies to the right of a chord that turns to the right by less than a half turn
    off = (1 - bulge * bulge) / (4 * bulge)
    cx, cy = x + 0.5 * ex - off * ey, y + 0.5 * ey + off * ex
    mx, my = point(form, i, j, a, b, 0.5)
    ux, uy, vx, vy = mx - cx, my - cy, px - cx, py - cy
    turn = atan2(ux * vy - uy * vx, ux * vx + uy * vy)
    return float(min(max(0.5 + turn / (4 * atan(bulge)), 0.0), 1.0))


@compiled
def _cubic_foot(form: Doubles, i: int, j: int, a: float, b: float, px: float, py: float, t: float) -> float:
    x0, y0, x1, y1 = form[i + 1] * a, form[i + 2] * b, form[i + 3] * a, form[i + 4] * b
    x2, y2, x3, y3 = form[i + 5] * a, form[i + 6] * b, form[j + 1] * a, form[j + 2] * b
    for _ in range(3):
        s = 1 - t
        x = s * s * s * x0 + 3 * s * s * t * x1 + 3 * s * t * t * x2 + t * t * t * x3 - px
        y = s * s * s * y0 + 3 * s * s * t * y1 + 3 * s * t * t * y2 + t * t * t * y3 - py
        dx = 3 * (s * s * (x1 - x0) + 2 * s * t * (x2 - x1) + t * t * (x3 - x2))
        dy = 3 * (s * s * (y1 - y0) + 2 * s * t * (y2 - y1) + t * t * (y3 - y2))
        bx, by = (
            6 * (s * (x2 - 2 * x1 + x0) + t * (x3 - 2 * x2 + x1)),
            6 * (s * (y2 - 2 * y1 + y0) + t * (y3 - 2 * y2 + y1)),
        )
        slope = dx * dx + dy * dy
        curve = slope + x * bx + y * by
        step = (x * dx + y * dy) / (curve if curve > 0.2 * slope else max(slope, 1e-12))
        t = min(max(t - step, 0.0), 1.0)
    return t


@compiled
def tangent(form: Doubles, i: int, j: int, a: float, b: float, t: float) -> tuple[float, float]:
    """The unit vector along a piece at t."""
    near = min(max(t, 0.001), 0.999)
    x, y = point(form, i, j, a, b, near - 0.001)
    ex, ey = point(form, i, j, a, b, near + 0.001)
    length = max(sqrt((ex - x) ** 2 + (ey - y) ** 2), 1e-12)
    return (ex - x) / length, (ey - y) / length


@compiled
def distance(
    form: Doubles,
    a: float,
    b: float,
    x: Doubles,
    y: Doubles,
    signed: Doubles,
    nx: Doubles,
    ny: Doubles,
    which: Indices,
    pull: Doubles,
) -> None:
    """Of points (M,) to a polycurve, negative inside closed chains (even-odd), with its gradient; of a form
    with an open chain never negative.

    which, pull: (M, PULLS) or empty: the numbers of the form that move the foot of each point, -1 behind the
    last of them, and how the distance changes with each: the foot moves with the two nodes of its piece, and
    with what bends it.
    """
    rows, ends, share = pieces(form, a, b, COARSE)
    if len(x) == 0 or len(rows) == 0:
        signed[:], nx[:], ny[:] = 1e6, 1.0, 0.0  # nothing is near
        which[:] = -1
        return
    painted = _painted_sides(form, a, b)
    found, part, side = nearest(rows, x, y, 8.0)
    for m in range(len(x)):
        k = found[m]
        i, j = ends[k, 0], ends[k, 1]
        kind, aside, t = int(form[i]) % 4, side[m], share[k, 0] + part[m] * (share[k, 1] - share[k, 0])
        if kind == 2:
            t = _cubic_foot(form, i, j, a, b, x[m], y[m], t)
            fx, fy = point(form, i, j, a, b, t)
            if 0.0 < t < 1.0:  # the straight piece may run on the other side of the point
                tx, ty = tangent(form, i, j, a, b, t)
                aside = tx * (y[m] - fy) - ty * (x[m] - fx)
        elif rows[k, 6] != 0:
            fx, fy = (rows[k, 0], rows[k, 1]) if t < 0.5 else (rows[k, 2], rows[k, 3])
            if t == 0.5:
                vx, vy = x[m] - rows[k, 4], y[m] - rows[k, 5]
                far = sqrt(vx * vx + vy * vy)
                if far < 1e-9:  # as far from all of it as from its middle
                    vx, vy, far = rows[k, 7], rows[k, 8], 1.0
                scale = abs(rows[k, 6]) / far
                fx, fy = rows[k, 4] + vx * scale, rows[k, 5] + vy * scale
        else:
            fx = rows[k, 0] + part[m] * (rows[k, 2] - rows[k, 0])
            fy = rows[k, 1] + part[m] * (rows[k, 3] - rows[k, 1])
        dx, dy = x[m] - fx, y[m] - fy
        off = sqrt(dx * dx + dy * dy)
        inside = aside * painted[i] > 0
        if off > 1e-6:
            dx, dy = dx / off, dy / off
        else:
            tx, ty = tangent(form, i, j, a, b, foot(form, i, j, a, b, x[m], y[m], t))
            dx, dy = (-ty, tx) if inside else (ty, -tx)
        signed[m] = -off if inside else off
        nx[m], ny[m] = (-dx, -dy) if inside else (dx, dy)
        if len(pull):
            _pulls(form, i, j, a, b, t, fx, fy, -nx[m], -ny[m], rows, k, which, pull, m)


@compiled
def _pulls(
    form: Doubles,
    i: int,
    j: int,
    a: float,
    b: float,
    t: float,
    fx: float,
    fy: float,
    ux: float,
    uy: float,
    rows: Doubles,
    k: int,
    which: Indices,
    pull: Doubles,
    m: int,
) -> None:
    """How the foot (fx, fy) of the m-th point on the k-th piece, from the node at i to that at j, at t, moves
    along (ux, uy) with the numbers of a form."""
    kind = int(form[i]) % 4
    if kind == 2:
        s = 1 - t
        for c in range(4):
            weight = (
                s * s * s if c == 0 else 3 * s * s * t if c == 1 else 3 * s * t * t if c == 2 else t * t * t
            )
            to = i + 1 if c == 0 else i + 3 if c == 1 else i + 5 if c == 2 else j + 1
            which[m, 2 * c], which[m, 2 * c + 1] = to, to + 1
            pull[m, 2 * c], pull[m, 2 * c + 1] = weight * ux * a, weight * uy * b
        return
    # the foot is x + along e + aside (e_y, -e_x), where e is the way from node to node
    x, y = form[i + 1] * a, form[i + 2] * b
    ex, ey = form[j + 1] * a - x, form[j + 2] * b - y
    square = max(ex * ex + ey * ey, 1e-18)
    along = ((fx - x) * ex + (fy - y) * ey) / square
    aside = ((fx - x) * ey - (fy - y) * ex) / square
    which[m, 0], which[m, 1], which[m, 2], which[m, 3] = i + 1, i + 2, j + 1, j + 2
    pull[m, 0] = ((1 - along) * ux + aside * uy) * a
    pull[m, 1] = ((1 - along) * uy - aside * ux) * b
    pull[m, 2] = (along * ux - aside * uy) * a
    pull[m, 3] = (along * uy + aside * ux) * b
    which[m, 4] = -1
    if kind == 1:
        which[m, 4], which[m, 5] = i + 3, -1
        if rows[k, 6] != 0:  # all circles through both nodes: each point moves along its radius
            away = ux * (fx - rows[k, 4]) + uy * (fy - rows[k, 5])
            pull[m, 4] = away / abs(rows[k, 6]) * aside * sqrt(square) / abs(form[i + 3])
        else:
            pull[m, 4] = 2 * along * (1 - along) * (ux * ey - uy * ex)

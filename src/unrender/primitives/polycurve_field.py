"""How far points lie from a polycurve, and how that changes with its numbers."""

from __future__ import annotations

from math import atan, atan2, cos, sqrt

import numpy as np

from unrender.primitives.jit import compiled
from unrender.primitives.polycurve import Indices, arc_frame, arc_frame_slope, flattened, nodes, point
from unrender.primitives.protocol import Doubles


@compiled
def _to_piece(ends: Doubles, k: int, px: float, py: float) -> tuple[float, float, float]:
    """The squared distance of a point from a straight piece, the share of it at the foot, and on which side
    of it the point is: positive on its right, by the distance from its line."""
    dx, dy = px - ends[k, 0], py - ends[k, 1]
    wx, wy = ends[k, 2] - ends[k, 0], ends[k, 3] - ends[k, 1]
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
def _painted_sides(form: Doubles, ends: Doubles, which: Indices) -> Doubles:
    """(S,): 1 for straight pieces to the right of which a closed chain paints, -1 for those to the left
    (even-odd), 0 for pieces of open chains."""
    sides = np.zeros(len(ends))
    at, _ = nodes(form)
    first = 0
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
            sides[first:last] = 1.0 if _odd(ends, mx - wy * step, my + wx * step) else -1.0
        first = last
    return sides


@compiled
def nearest(ends: Doubles, x: Doubles, y: Doubles, cell: float) -> tuple[Indices, Doubles, Doubles]:
    """Of points (M,) the straight piece (of S) that is nearest, the share of it at the foot, and on which
    side of it the point is. Points that share a square of `cell` px are compared only with what can be
    nearest to any of them."""
    count = len(x)
    found, share, side = np.zeros(count, np.int64), np.zeros(count), np.zeros(count)
    left, top = x.min(), y.min()
    wide, tall = int((x.max() - left) / cell) + 1, int((y.max() - top) / cell) + 1
    begin, size = np.full(wide * tall, -1), np.zeros(wide * tall, np.int64)
    pool, used = np.empty(64 + 4 * len(ends), np.int64), 0
    far, reach = np.empty(len(ends)), cell * 0.7072
    for m in range(count):
        i, j = int((y[m] - top) / cell), int((x[m] - left) / cell)
        c = i * wide + j
        if begin[c] < 0:
            cx, cy, least = left + (j + 0.5) * cell, top + (i + 0.5) * cell, 1e18
            for k in range(len(ends)):
                far[k] = _to_piece(ends, k, cx, cy)[0]
                least = min(least, far[k])
            limit = (sqrt(least) + 2 * reach) ** 2
            if used + len(ends) > len(pool):
                more = np.empty(2 * len(pool) + len(ends), np.int64)
                more[:used] = pool[:used]
                pool = more
            begin[c] = used
            for k in range(len(ends)):
                if far[k] <= limit:
                    pool[used] = k
                    used += 1
            size[c] = used - begin[c]
        best = 1e18
        for n in range(begin[c], begin[c] + size[c]):
            k = pool[n]
            off, t, aside = _to_piece(ends, k, x[m], y[m])
            # beyond a corner two pieces are as near: the one that the point lies more beside tells its side
            if off < best - 1e-9 or (off < best + 1e-9 and abs(aside) > abs(side[m])):
                best, found[m], share[m], side[m] = min(off, best), k, t, aside
    return found, share, side


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
    flat: float,
    x: Doubles,
    y: Doubles,
    signed: Doubles,
    nx: Doubles,
    ny: Doubles,
) -> None:
    """Of points (M,) to a polycurve, negative inside closed chains (even-odd), with its gradient; of a form
    with an open chain never negative."""
    ends, which, share = flattened(form, a, b, flat)
    if len(x) == 0 or len(ends) == 0:
        signed[:], nx[:], ny[:] = 1e6, 1.0, 0.0  # nothing is near
        return
    painted = _painted_sides(form, ends, which)
    found, part, side = nearest(ends, x, y, 8.0)
    arcs = np.zeros((len(form), 6))
    for k in range(len(which)):
        i = which[k, 0]
        if int(form[i]) % 4 == 1 and arcs[i, 2] == 0:
            _measure(form, i, which[k, 1], a, b, arcs[i])
    for m in range(len(x)):
        k = found[m]
        i, j = which[k, 0], which[k, 1]
        fx, fy, aside = ends[k, 0] + part[m] * (ends[k, 2] - ends[k, 0]), 0.0, side[m]
        fy = ends[k, 1] + part[m] * (ends[k, 3] - ends[k, 1])
        t = share[k, 0] + part[m] * (share[k, 1] - share[k, 0])
        kind = int(form[i]) % 4
        if kind == 1 and arcs[i, 2] > 0:
            vx, vy, radius = x[m] - arcs[i, 0], y[m] - arcs[i, 1], arcs[i, 2]
            far = sqrt(vx * vx + vy * vy)
            if far > 1e-9 and vx * arcs[i, 3] + vy * arcs[i, 4] > far * arcs[i, 5]:  # within its sweep
                fx, fy = arcs[i, 0] + vx * radius / far, arcs[i, 1] + vy * radius / far
                aside = (radius - far) if form[i + 3] > 0 else (far - radius)
        elif kind == 2:
            t = _cubic_foot(form, i, j, a, b, x[m], y[m], t)
            fx, fy = point(form, i, j, a, b, t)
        dx, dy = x[m] - fx, y[m] - fy
        off = sqrt(dx * dx + dy * dy)
        inside = aside * painted[k] > 0
        if off > 1e-6:
            dx, dy = dx / off, dy / off
        else:
            tx, ty = tangent(form, i, j, a, b, t)
            dx, dy = (-ty, tx) if inside else (ty, -tx)
        signed[m] = -off if inside else off
        nx[m], ny[m] = (-dx, -dy) if inside else (dx, dy)


@compiled
def _measure(form: Doubles, i: int, j: int, a: float, b: float, out: Doubles) -> None:
    """Of the arc from the node at i to that at j: its centre and its radius (px), the unit vector from there
    to its middle, and the cosine of half its sweep. The radius of one that is nearly straight stays 0."""
    bulge = form[i + 3]
    if abs(bulge) < 1e-3:
        return
    x, y = form[i + 1] * a, form[i + 2] * b
    ex, ey = form[j + 1] * a - x, form[j + 2] * b - y
    off = (1 - bulge * bulge) / (4 * bulge)
    out[0], out[1] = x + 0.5 * ex - off * ey, y + 0.5 * ey + off * ex
    mx, my = point(form, i, j, a, b, 0.5)
    out[2] = sqrt((mx - out[0]) ** 2 + (my - out[1]) ** 2)
    if out[2] > 0:
        out[3], out[4] = (mx - out[0]) / out[2], (my - out[1]) / out[2]
    out[5] = cos(2 * atan(abs(bulge)))


@compiled
def slope(
    form: Doubles,
    a: float,
    b: float,
    flat: float,
    x: Doubles,
    y: Doubles,
    nx: Doubles,
    ny: Doubles,
    out: Doubles,
) -> None:
    """How the distances of points (M,) change with the numbers of the form, written to out (M, F), which is
    0: the foot moves with the two nodes of its piece, and with what bends it."""
    ends, which, share = flattened(form, a, b, flat)
    if len(x) == 0 or len(ends) == 0:
        return
    found, part, _ = nearest(ends, x, y, 8.0)
    for m in range(len(x)):
        k = found[m]
        i, j = which[k, 0], which[k, 1]
        t = foot(form, i, j, a, b, x[m], y[m], share[k, 0] + part[m] * (share[k, 1] - share[k, 0]))
        kind, ux, uy = int(form[i]) % 4, -nx[m], -ny[m]
        if kind == 2:
            s = 1 - t
            for c in range(4):
                weight = (
                    s * s * s
                    if c == 0
                    else 3 * s * s * t
                    if c == 1
                    else 3 * s * t * t
                    if c == 2
                    else t * t * t
                )
                to = i + 1 if c == 0 else i + 3 if c == 1 else i + 5 if c == 2 else j + 1
                out[m, to] += weight * ux * a
                out[m, to + 1] += weight * uy * b
            continue
        along, aside = (t, 0.0) if kind == 0 else arc_frame(form[i + 3], t)
        # the foot is x + along e + aside (e_y, -e_x), where e is the way from node to node
        out[m, j + 1] += (along * ux - aside * uy) * a
        out[m, j + 2] += (along * uy + aside * ux) * b
        out[m, i + 1] += ((1 - along) * ux + aside * uy) * a
        out[m, i + 2] += ((1 - along) * uy - aside * ux) * b
        if kind == 1:
            ex, ey = (form[j + 1] - form[i + 1]) * a, (form[j + 2] - form[i + 2]) * b
            more, beside = arc_frame_slope(form[i + 3], t)
            out[m, i + 3] += ux * (more * ex + beside * ey) + uy * (more * ey - beside * ex)

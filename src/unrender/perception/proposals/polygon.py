"""Polygons: the outline of an area as straight edges and the corners where they meet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

STRAIGHT = 0.8  # px by which points of an outline may lie beside a straight edge
JAGGED = 1.3  # px: the same where no pixel is mixed, so that edges are stairs
ROUNDED = 1.2  # px from a corner, within which antialiasing rounds an edge
SHORTEST = 2.0  # px: a shorter edge is a corner that is cut off
TURN = math.radians(15)  # between two edges that are not one


@dataclass(frozen=True, eq=False)
class Polygon:
    """Corners of one or several closed outlines; the inside is to the right of every edge."""

    at: Doubles  # (K, 2) px: x and y
    into: Doubles  # (K, 2): unit vector of the edge that ends here
    out: Doubles  # (K, 2): unit vector of the edge that begins here
    before: Doubles  # (K,) px: length of the first
    after: Doubles  # (K,) px: and of the second

    @property
    def angle(self) -> Doubles:
        """(K,): by how much the outline turns at each corner, radians; more than 0 where it is convex."""
        cross = self.into[:, 0] * self.out[:, 1] - self.into[:, 1] * self.out[:, 0]
        turned: Doubles = np.arctan2(cross, (self.into * self.out).sum(1))
        return turned


def polygon(alpha: Floats, left: int = 0, top: int = 0, exact: bool = False) -> Polygon:
    """The polygon around where alpha (h, w) is more than a half; its first pixel is at (left, top).

    exact: alpha is no coverage but goes on linearly across the edge.
    """
    padded = np.pad(alpha, 1)
    tolerance = STRAIGHT if ((alpha > 0.02) & (alpha < 0.98)).any() else JAGGED
    x, y, ends = _outlines(padded, exact)
    parts = [
        _corners(np.stack([x[begin:end], y[begin:end]], 1) + np.array([left - 1.0, top - 1.0]), tolerance)
        for begin, end in pairwise([0, *ends])
    ]
    rows = [_of_loop(part) for part in parts if len(part) > 2]
    if not rows:
        none = np.zeros((0, 2))
        return Polygon(none, none, none, np.zeros(0), np.zeros(0))
    at, into, out, before, after = (np.concatenate(column) for column in zip(*rows, strict=True))
    return Polygon(at, into, out, before, after)


def outline_points(alpha: Floats, left: int, top: int, count: int) -> Doubles:
    """(count, 2): x and y of points along all outlines, evenly spread."""
    x, y, _ = _outlines(np.pad(alpha, 1), False)
    pick = np.linspace(0, len(x) - 1, count).astype(int)
    points: Doubles = np.stack([x[pick], y[pick]], 1) + np.array([left - 1.0, top - 1.0])
    return points


def _of_loop(at: Doubles) -> tuple[Doubles, Doubles, Doubles, Doubles, Doubles]:
    edge = np.roll(at, -1, axis=0) - at
    length = np.hypot(edge[:, 0], edge[:, 1])
    out = edge / np.maximum(length, 1e-9)[:, None]
    return at, np.roll(out, 1, axis=0), out, np.roll(length, 1), length


@compiled
def _outlines(alpha: Floats, exact: bool) -> tuple[Doubles, Doubles, NDArray[np.int64]]:
    """Points where alpha crosses a half, along every outline with the inside to the right, and where each
    ends. The border of alpha is outside."""
    tall, wide = alpha.shape
    done = np.zeros((tall, wide, 4), np.bool_)
    down, right = np.array([0, 1, 0, -1]), np.array([1, 0, -1, 0])
    most = 0
    for i in range(1, tall - 1):
        for j in range(1, wide - 1):
            if alpha[i, j] > 0.5:
                for d in range(4):
                    most += alpha[i + down[d], j + right[d]] <= 0.5
    x, y, ends = np.empty(most), np.empty(most), np.empty(most, np.int64)
    count, loops = 0, 0
    for first in range(1, tall - 1):
        for start in range(1, wide - 1):
            for side in range(4):
                i, j, d = first, start, side
                if alpha[i, j] <= 0.5 or done[i, j, d] or alpha[i + down[d], j + right[d]] > 0.5:
                    continue
                while not done[i, j, d]:
                    done[i, j, d] = True
                    inner, outer = alpha[i, j], alpha[i + down[d], j + right[d]]
                    if exact:
                        along = (inner - 0.5) / (inner - outer)
                    else:  # so much of both pixels is covered
                        along = min(max(inner + outer - 0.5, 0.0), 1.0)
                    x[count], y[count] = j + 0.5 + along * right[d], i + 0.5 + along * down[d]
                    count += 1
                    e = (d + 1) % 4
                    ahead = alpha[i + down[e], j + right[e]] > 0.5
                    beside = alpha[i + down[e] + down[d], j + right[e] + right[d]] > 0.5
                    if not ahead:
                        d = e
                    elif beside:
                        i, j, d = i + down[e] + down[d], j + right[e] + right[d], (d + 3) % 4
                    else:
                        i, j = i + down[e], j + right[e]
                ends[loops] = count
                loops += 1
    return x, y, ends[:loops].copy()


def _corners(points: Doubles, tolerance: float) -> Doubles:
    """(K, 2): where straight edges through all points (N, 2) of a closed outline meet."""
    return _joined(points, _cuts(points, tolerance), SHORTEST, TURN, ROUNDED)


@compiled
def _cuts(points: Doubles, tolerance: float) -> NDArray[np.int64]:
    """Indices of points between which all others lie no further than the tolerance beside a straight edge
    (Douglas and Peucker)."""
    count = len(points)
    if count < 4:
        return np.zeros(0, np.int64)
    first = _farthest(points, points[:, 0].mean(), points[:, 1].mean())
    last = _farthest(points, points[first, 0], points[first, 1])
    first, last = min(first, last), max(first, last)
    cut = np.zeros(count, np.bool_)
    cut[first] = cut[last] = True
    todo = np.empty((count + 2, 2), np.int64)
    todo[0], todo[1] = (first, last), (last, first + count)
    left = 2
    while left:
        left -= 1
        begin, end = todo[left]
        ax, ay = points[begin % count]
        dx, dy = points[end % count, 0] - ax, points[end % count, 1] - ay
        length = max(math.sqrt(dx * dx + dy * dy), 1e-9)
        worst, at = tolerance, -1
        for k in range(begin + 1, end):
            off = abs((points[k % count, 1] - ay) * dx - (points[k % count, 0] - ax) * dy) / length
            if off > worst:
                worst, at = off, k
        if at >= 0:
            cut[at % count] = True
            todo[left], todo[left + 1] = (begin, at), (at, end)
            left += 2
    return np.nonzero(cut)[0]


@compiled
def _farthest(points: Doubles, x: float, y: float) -> int:
    """The index of the point (N, 2) that is farthest from another."""
    found, most = 0, -1.0
    for k in range(len(points)):
        off = (points[k, 0] - x) ** 2 + (points[k, 1] - y) ** 2
        if off > most:
            found, most = k, off
    return found


@compiled
def _joined(
    points: Doubles, cuts: NDArray[np.int64], shortest: float, turn: float, rounded: float
) -> Doubles:
    """(K, 2): where the straight edges between cuts meet; two that go on in one direction are one edge."""
    count = len(cuts)
    lines = np.empty((count, LINE))
    for n in range(count):
        _line(points, cuts[n], cuts[(n + 1) % count], rounded, lines[n])
    while count > 2:
        least, which = np.inf, -1
        for n in range(count):
            one, other = lines[n - 1 if n else count - 1], lines[n]
            cross, dot = one[4] * other[5] - one[5] * other[4], one[4] * other[4] + one[5] * other[5]
            turned = abs(math.atan2(cross, dot))
            if turned < least:
                least, which = turned, n
        if least > turn:
            break
        for n in range(which, count - 1):
            cuts[n], lines[n] = cuts[n + 1], lines[n + 1]
        count -= 1
        n = which - 1 if which else count - 1
        _line(points, cuts[n], cuts[(n + 1) % count], rounded, lines[n])
    kept = 0
    for n in range(count):
        if lines[n, 6] > shortest:
            lines[kept] = lines[n]
            kept += 1
    if count < 3 or kept < 3:
        return np.zeros((0, 2))
    corners = np.empty((kept, 2))
    for n in range(kept):
        _meet(lines[n - 1 if n else kept - 1], lines[n], math.sin(turn), 3 * rounded, corners[n])
    return corners


LINE = 7  # numbers of a straight edge: its first point, a point of it, a unit vector along it, its length


@compiled
def _line(points: Doubles, begin: int, end: int, rounded: float, out: Doubles) -> None:
    """Write the straight edge from one point of an outline to another, by least squares, to (LINE,)."""
    count = len(points)
    last = end if end > begin else end + count
    ax, ay = points[begin]
    bx, by = points[end]
    for reach in (rounded, -1.0):  # without the rounded ends, unless that is all there is
        n, mx, my, xx, xy, yy = 0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(begin, last + 1):
            x, y = points[k % count]
            if min(math.hypot(x - ax, y - ay), math.hypot(x - bx, y - by)) > reach:
                n += 1
                x, y = x - ax, y - ay
                mx, my, xx, xy, yy = mx + x, my + y, xx + x * x, xy + x * y, yy + y * y
        if n > 1:
            break
    mx, my = mx / n, my / n
    angle = 0.5 * math.atan2(2 * (xy / n - mx * my), (xx / n - mx * mx) - (yy / n - my * my))
    ux, uy = math.cos(angle), math.sin(angle)
    if ux * (bx - ax) + uy * (by - ay) < 0:
        ux, uy = -ux, -uy
    out[0], out[1], out[2], out[3], out[4], out[5] = ax, ay, ax + mx, ay + my, ux, uy
    out[6] = math.hypot(bx - ax, by - ay)


@compiled
def _meet(one: Doubles, other: Doubles, parallel: float, far: float, out: Doubles) -> None:
    """Write where two edges meet to (2,); where the second begins, if they hardly do."""
    out[0], out[1] = other[0], other[1]
    cross = one[4] * other[5] - one[5] * other[4]
    if abs(cross) < parallel:
        return
    along = ((other[2] - one[2]) * other[5] - (other[3] - one[3]) * other[4]) / cross
    x, y = one[2] + along * one[4], one[3] + along * one[5]
    if math.hypot(x - other[0], y - other[1]) < far:
        out[0], out[1] = x, y

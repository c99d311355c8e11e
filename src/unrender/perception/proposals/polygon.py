"""Polygons: the outline of an area as straight edges and the corners where they meet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

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
    cuts = _cuts(points, tolerance)
    while len(cuts) > 2:
        lines = [_line(points, cuts[n], cuts[(n + 1) % len(cuts)]) for n in range(len(cuts))]
        turns = [_turned(lines[n - 1].along, lines[n].along) for n in range(len(lines))]
        least = int(np.argmin(np.abs(turns)))
        if abs(turns[least]) > TURN:
            kept = [line for line in lines if line.length > SHORTEST]
            if len(kept) < 3:
                break
            return np.stack(
                [_meet(one, other) for one, other in zip(kept[-1:] + kept[:-1], kept, strict=True)]
            )
        del cuts[least]  # two pieces of one edge
    return np.zeros((0, 2))


def _cuts(points: Doubles, tolerance: float) -> list[int]:
    """Indices of points between which all others lie no further than the tolerance beside a straight edge
    (Douglas and Peucker)."""
    if len(points) < 4:
        return []
    far = int(((points - points.mean(0)) ** 2).sum(1).argmax())
    other = int(((points - points[far]) ** 2).sum(1).argmax())
    first, last = sorted((far, other))
    found, todo = {first, last}, [(first, last), (last, first + len(points))]
    while todo:
        begin, end = todo.pop()
        if end - begin < 2:
            continue
        which = np.arange(begin + 1, end) % len(points)
        a, b = points[begin % len(points)], points[end % len(points)]
        along = (b - a) / max(float(np.hypot(*(b - a))), 1e-9)
        off = np.abs((points[which] - a) @ np.array([-along[1], along[0]]))
        worst = int(off.argmax())
        if off[worst] > tolerance:
            at = begin + 1 + worst
            found.add(at % len(points))
            todo += [(begin, at), (at, end)]
    return sorted(found)


class _Line(NamedTuple):
    """A straight edge."""

    begin: Doubles  # (2,): its first point
    middle: Doubles  # (2,): a point of it
    along: Doubles  # (2,): unit vector
    length: float  # px


def _line(points: Doubles, begin: int, end: int) -> _Line:
    """The straight edge between two points, by least squares."""
    which = np.arange(begin, end + 1 if end > begin else end + 1 + len(points)) % len(points)
    own = points[which]
    a, b = own[0], own[-1]
    near = np.minimum(np.hypot(*(own - a).T), np.hypot(*(own - b).T)) > ROUNDED
    if near.sum() > 1:
        own = own[near]
    middle = own.mean(0)
    along = np.linalg.svd(own - middle, full_matrices=False)[2][0] if len(own) > 1 else b - a
    if along @ (b - a) < 0:
        along = -along
    return _Line(a, middle, along / max(float(np.hypot(*along)), 1e-9), float(np.hypot(*(b - a))))


def _turned(one: Doubles, other: Doubles) -> float:
    return float(np.arctan2(one[0] * other[1] - one[1] * other[0], one @ other))


def _meet(one: _Line, other: _Line) -> Doubles:
    """Where two edges meet; where the second begins, if they hardly do."""
    cross = one.along[0] * other.along[1] - one.along[1] * other.along[0]
    if abs(cross) < math.sin(TURN):
        return other.begin
    apart = other.middle - one.middle
    along = (apart[0] * other.along[1] - apart[1] * other.along[0]) / cross
    at: Doubles = one.middle + along * one.along
    return at if np.hypot(*(at - other.begin)) < 3 * ROUNDED else other.begin

"""Joins: where one piece of an outline ends and the next one begins."""

from __future__ import annotations

from math import sqrt

import numpy as np

from unrender.perception.outlines.breaks import Indices, gap_before
from unrender.perception.outlines.fits import add, circle, line, off
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles


@compiled
def fitted(x: Doubles, y: Doubles, error: Doubles, first: int, last: int, arc: bool, model: Doubles) -> bool:
    """Fit a line, or a circle, to the points from `first` up to `last`; whether it is a circle."""
    sums, turn = np.zeros(9), 0.0
    ox, oy = x[first], y[first]
    for k in range(first, last):
        add(sums, x[k] - ox, y[k] - oy, 1 / error[k] ** 2)
        if k + 1 < last:  # the area between the points and their chord, on the left of the way
            turn += (x[k] - ox) * (y[k + 1] - oy) - (x[k + 1] - ox) * (y[k] - oy)
    if arc and dense(x, y, first, last) and circle(sums, ox, oy, turn, model):
        return True
    line(sums, ox, oy, x[last - 1] - ox, y[last - 1] - oy, model)
    return False


@compiled
def dense(x: Doubles, y: Doubles, first: int, last: int) -> bool:
    """Whether there are enough points for an arc: three, and no gaps that are much of it."""
    gaps = 0.0
    for k in range(first + 1, last):
        gaps += gap_before(x, y, k)
    return last - first >= 3 and gaps < 0.5 * (last - first)


@compiled
def slid(
    x: Doubles, y: Doubles, error: Doubles, one: Doubles, other: Doubles, at: int, least: int, most: int
) -> int:
    """Where between `least` and `most` the points are best told by one model before and the other one
    after."""
    cost, best, found = 0.0, 0.0, at
    for k in range(at, most):
        cost += (off(one, x[k], y[k]) ** 2 - off(other, x[k], y[k]) ** 2) / error[k] ** 2
        if cost < best:
            best, found = cost, k + 1
    cost = 0.0
    for k in range(at - 1, least - 1, -1):
        cost += (off(other, x[k], y[k]) ** 2 - off(one, x[k], y[k]) ** 2) / error[k] ** 2
        if cost < best:
            best, found = cost, k
    return found


@compiled
def meeting(one: Doubles, other: Doubles, x: float, y: float, reach: float) -> tuple[float, float]:
    """The point nearest to (x, y) that lies on both models; where they only touch, or do not, one between
    them. Not further off than `reach` px."""
    px, py = x, y
    for _ in range(12):
        f, g = off(one, px, py), off(other, px, py)
        ax, ay = left_of(one, px, py)
        bx, by = left_of(other, px, py)
        # damped, so that a touching pair is met on the shortest way
        xx, xy, yy = ax * ax + bx * bx + 1e-4, ax * ay + bx * by, ay * ay + by * by + 1e-4
        rx, ry = ax * f + bx * g, ay * f + by * g
        det = xx * yy - xy * xy
        dx, dy = (yy * rx - xy * ry) / det, (xx * ry - xy * rx) / det
        px, py = px - dx, py - dy
        if dx * dx + dy * dy < 1e-8:
            break
    if (px - x) ** 2 + (py - y) ** 2 > reach * reach:
        return nearest(one, x, y)
    return px, py


@compiled
def left_of(model: Doubles, x: float, y: float) -> tuple[float, float]:
    """The unit vector to the left of the way along a model, where it passes (x, y)."""
    if model[0] == 0.0:
        return model[4], -model[3]
    dx, dy = x - model[1], y - model[2]
    far = max(sqrt(dx * dx + dy * dy), 1e-9)
    if model[0] < 0:
        far = -far
    return dx / far, dy / far


@compiled
def nearest(model: Doubles, x: float, y: float) -> tuple[float, float]:
    """The point of a model that is nearest to (x, y)."""
    far = off(model, x, y)
    dx, dy = left_of(model, x, y)
    return x - far * dx, y - far * dy


@compiled
def settle(
    x: Doubles,
    y: Doubles,
    error: Doubles,
    firsts: Indices,
    lasts: Indices,
    arcs: Indices,
    slack: int,
    models: Doubles,
) -> None:
    """Fit all pieces (K,), move the breaks between them to where they fit best, and fit again; in place."""
    count = len(firsts)
    for round_ in range(3):
        for k in range(count):
            arcs[k] = fitted(x, y, error, firsts[k], lasts[k], arcs[k] == 1, models[k])
        if round_ == 2:
            return
        for k in range(1, count):
            least = max(firsts[k] - slack, firsts[k - 1] + (4 if arcs[k - 1] else 2))
            most = min(firsts[k] + slack, lasts[k] - (4 if arcs[k] else 2))
            if lasts[k - 1] == firsts[k] and least <= firsts[k] <= most:
                firsts[k] = slid(x, y, error, models[k - 1], models[k], firsts[k], least, most)
                lasts[k - 1] = firsts[k]

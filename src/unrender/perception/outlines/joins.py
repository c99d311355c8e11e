"""Joins: where one piece of an outline ends and the next one begins."""

from __future__ import annotations

from math import sqrt

import numpy as np

from unrender.perception.outlines.breaks import Indices, gap_before
from unrender.perception.outlines.fits import add, circle, line, off
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles

TOUCHING = 0.1  # px by which two models may differ where they go on as one


@compiled
def fitted(x: Doubles, y: Doubles, error: Doubles, first: int, last: int, arc: bool, model: Doubles) -> bool:
    """Fit a line, or a circle, to the points from `first` up to `last`; whether it is a circle."""
    sums, turn = np.zeros(9), 0.0
    ox, oy = x[first], y[first]
    for k in range(first, last):
        add(sums, x[k] - ox, y[k] - oy, 1 / error[k] ** 2)
        if k + 1 < last:  # the area between the points and their chord, on the left of the way
            turn += (x[k] - ox) * (y[k + 1] - oy) - (x[k + 1] - ox) * (y[k] - oy)
    if arc and dense(x, y, first, last) and circle(sums, ox, oy, model):
        # the same area seen from its centre tells which way they go around it, however they waver
        turn -= (model[1] - ox) * (y[last - 1] - oy) - (model[2] - oy) * (x[last - 1] - ox)
        if turn < 0:
            model[0] = -model[0]
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
    """The point nearest to (x, y) that lies on both models; where they touch, or do not meet, one between
    them. Not further off than `reach` px."""
    ax, ay = nearest(one, x, y)
    bx, by = nearest(other, ax, ay)
    if (bx - ax) ** 2 + (by - ay) ** 2 < TOUCHING * TOUCHING:
        return 0.5 * (ax + bx), 0.5 * (ay + by)
    if one[0] == 0.0 and other[0] == 0.0:
        px, py = _of_lines(one, other, ax, ay)
    elif one[0] == 0.0:
        px, py = _of_line_and_circle(one, other, x, y)
    elif other[0] == 0.0:
        px, py = _of_line_and_circle(other, one, x, y)
    else:
        px, py = _of_circles(one, other, x, y)
    if (px - x) ** 2 + (py - y) ** 2 > reach * reach:
        return ax, ay
    return px, py


@compiled
def _of_lines(one: Doubles, other: Doubles, x: float, y: float) -> tuple[float, float]:
    """Where two lines cross; (x, y) if they hardly do."""
    across = one[3] * other[4] - one[4] * other[3]
    if abs(across) < 1e-6:
        return x, y
    t = ((other[1] - one[1]) * other[4] - (other[2] - one[2]) * other[3]) / across
    return one[1] + t * one[3], one[2] + t * one[4]


@compiled
def _of_line_and_circle(straight: Doubles, round_: Doubles, x: float, y: float) -> tuple[float, float]:
    """Where a line and a circle cross, near (x, y); if they do not, half way between them."""
    t = (round_[1] - straight[1]) * straight[3] + (round_[2] - straight[2]) * straight[4]
    fx, fy = straight[1] + t * straight[3], straight[2] + t * straight[4]
    dx, dy, radius = fx - round_[1], fy - round_[2], abs(round_[0])
    return _beside(round_[1], round_[2], dx, dy, radius, straight[3], straight[4], x, y)


@compiled
def _of_circles(one: Doubles, other: Doubles, x: float, y: float) -> tuple[float, float]:
    """Where two circles cross, near (x, y); if they do not, on the line through their centres."""
    dx, dy, r, s = other[1] - one[1], other[2] - one[2], abs(one[0]), abs(other[0])
    far = sqrt(dx * dx + dy * dy)
    if far < 1e-9:
        return nearest(one, x, y)
    along = (far * far + r * r - s * s) / (2 * far)
    ux, uy = dx / far, dy / far
    return _beside(one[1], one[2], along * ux, along * uy, r, -uy, ux, x, y)


@compiled
def _beside(
    cx: float, cy: float, dx: float, dy: float, radius: float, ux: float, uy: float, x: float, y: float
) -> tuple[float, float]:
    """The point of a circle around (cx, cy) nearest to (x, y), of those that lie along (ux, uy) from the
    point (dx, dy) beside its centre; if none does, half way from that point to the circle."""
    square = radius * radius - dx * dx - dy * dy
    if square <= 0:
        share = 0.5 * (1 + radius / max(sqrt(dx * dx + dy * dy), 1e-9))
        return cx + share * dx, cy + share * dy
    reach = sqrt(square)
    if ux * (x - cx - dx) + uy * (y - cy - dy) < 0:
        reach = -reach
    return cx + dx + reach * ux, cy + dy + reach * uy


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

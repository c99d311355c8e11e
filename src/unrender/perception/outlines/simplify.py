"""Simplifying: pieces of an outline merged or straightened where that is shorter, now that it is known how
they meet."""

from __future__ import annotations

from math import asin, log, log2, sqrt

import numpy as np

from unrender.perception.outlines.breaks import Indices
from unrender.perception.outlines.fits import off
from unrender.perception.outlines.joins import fitted, left_of, meeting
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles


@compiled
def piece_bits(
    x: Doubles, y: Doubles, error: Doubles, first: int, last: int, model: Doubles, number: float
) -> float:
    """Bits of a piece and of the points on it, without what its joins save: two numbers of a line, three of a
    circle, each the more precise the more points there are."""
    misfit = 0.0
    for k in range(first, last):
        misfit += (off(model, x[k], y[k]) / error[k]) ** 2
    each = number + 0.5 * log2(float(last - first))
    return misfit / (2 * log(2.0)) + (2 if model[0] == 0 else 3) * each + 1


@compiled
def join_bits(
    x: Doubles, y: Doubles, error: Doubles, one: Doubles, other: Doubles, before: Indices, after: Indices,
    number: float, tip: float,
) -> float:  # fmt: skip
    """What a join saves (negative): where two pieces go smoothly over into each other, one number.

    before, after: first and last points of both pieces.
    """
    a, b = before[1] - 1, after[0]
    px, py = meeting(one, other, 0.5 * (x[a] + x[b]), 0.5 * (y[a] + y[b]), tip)
    ax, ay = left_of(one, px, py)
    bx, by = left_of(other, px, py)
    if ax * bx + ay * by <= 0:
        return 0.0
    slack = 0.05  # radians: smooth to the eye
    for ends in (before, after):  # three standard errors of the direction at the end of a piece
        size = float(ends[1] - ends[0])
        slack += 3 * 8 * error[ends[0]] / (size * sqrt(size))
    turn = asin(min(abs(ax * by - ay * bx), 1.0))
    return -number if turn < min(slack, 0.4) else 0.0


@compiled
def simplify(
    x: Doubles,
    y: Doubles,
    error: Doubles,
    closed: bool,
    firsts: Indices,
    lasts: Indices,
    arcs: Indices,
    models: Doubles,
    number: float,
    tip: float,
) -> tuple[int, float]:
    """Straighten arcs, bend lines and merge neighbours as long as that saves bits, in place; the number of
    pieces and the bits in the end."""
    count = len(firsts)
    own = np.zeros(count)
    for k in range(count):
        own[k] = piece_bits(x, y, error, firsts[k], lasts[k], models[k], number)
    trial, ends = np.zeros(5), np.zeros((3, 2), np.int64)
    while True:
        best, at, merge, arc = -1e-6, -1, False, False
        for k in range(count):
            for step in range(4):
                merging, bent = step >= 2, step % 2 == 1
                if (not merging and bent == (arcs[k] == 1)) or (merging and k + 1 >= count):
                    continue
                last = lasts[k + 1] if merging else lasts[k]
                if last - firsts[k] < (4 if bent else 2):
                    continue
                if fitted(x, y, error, firsts[k], last, bent, trial) != bent:
                    continue
                change = piece_bits(x, y, error, firsts[k], last, trial, number) - own[k]
                if merging:
                    change -= own[k + 1]
                after = k + 2 if merging else k + 1
                # joins before and after, as they are and as they would be
                ends[1, 0], ends[1, 1] = firsts[k], last
                if change - 2 * number > best:
                    continue
                for side in range(2):
                    beside = k - 1 if side == 0 else after
                    if closed:
                        beside %= count
                    if beside < 0 or beside >= count or (beside == k and not closed):
                        continue
                    if count - merging < 2:
                        continue
                    ends[0, 0], ends[0, 1] = firsts[beside], lasts[beside]
                    edge = k if side == 0 or not merging else k + 1
                    ends[2, 0], ends[2, 1] = firsts[edge], lasts[edge]
                    if side == 0:
                        change += join_bits(
                            x, y, error, models[beside], trial, ends[0], ends[1], number, tip
                        ) - join_bits(
                            x, y, error, models[beside], models[edge], ends[0], ends[2], number, tip
                        )
                    else:
                        change += join_bits(
                            x, y, error, trial, models[beside], ends[1], ends[0], number, tip
                        ) - join_bits(
                            x, y, error, models[edge], models[beside], ends[2], ends[0], number, tip
                        )
                if merging:
                    ends[0, 0], ends[0, 1] = firsts[k], lasts[k]
                    ends[2, 0], ends[2, 1] = firsts[k + 1], lasts[k + 1]
                    change -= join_bits(x, y, error, models[k], models[k + 1], ends[0], ends[2], number, tip)
                if change < best:
                    best, at, merge, arc = change, k, merging, bent
        if at < 0:
            break
        if merge:
            lasts[at] = lasts[at + 1]
            for k in range(at + 1, count - 1):
                firsts[k], lasts[k], arcs[k], own[k] = firsts[k + 1], lasts[k + 1], arcs[k + 1], own[k + 1]
                models[k] = models[k + 1]
            count -= 1
        arcs[at] = arc
        fitted(x, y, error, firsts[at], lasts[at], arc, models[at])
        own[at] = piece_bits(x, y, error, firsts[at], lasts[at], models[at], number)
    total = own[:count].sum()
    for k in range(count if closed else count - 1):
        other = (k + 1) % count
        if count > 1:
            ends[0, 0], ends[0, 1], ends[1, 0], ends[1, 1] = firsts[k], lasts[k], firsts[other], lasts[other]
            total += join_bits(x, y, error, models[k], models[other], ends[0], ends[1], number, tip)
    return count, total

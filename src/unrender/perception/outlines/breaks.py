"""Where an outline may be broken into pieces: where two arcs explain its points better than one, and here and
there between."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from unrender.perception.outlines.fits import add, arc_misfit
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles

Indices = NDArray[np.int64]


@compiled
def evidence(x: Doubles, y: Doubles, error: Doubles, closed: bool, width: int) -> Doubles:
    """(n,): bits by which one arc before each point and another one from it on explain the points around,
    `width` to either side, better than a single arc."""
    n = len(x)
    out = np.zeros(n)
    if closed and n < 2 * width:
        width = n // 2
    before, after, both = np.zeros(9), np.zeros(9), np.zeros(9)
    for k in range(n):
        before[:], after[:] = 0.0, 0.0
        for m in range(width):
            for side in range(2):
                at = k + m if side else k - 1 - m
                if not closed and (at < 0 or at >= n):
                    continue
                at %= n
                add(after if side else before, x[at] - x[k], y[at] - y[k], 1 / error[at] ** 2)
        if before[0] == 0 or after[0] == 0:
            continue
        for m in range(9):
            both[m] = before[m] + after[m]
        out[k] = (arc_misfit(both) - arc_misfit(before) - arc_misfit(after)) / (2 * log(2.0))
    return out


@compiled
def gap_before(x: Doubles, y: Doubles, k: int) -> float:
    """By how many px a point is further from the one before than neighbouring pixels are."""
    return max(sqrt((x[k] - x[k - 1]) ** 2 + (y[k] - y[k - 1]) ** 2) - 1.5, 0.0)


@compiled
def candidates(x: Doubles, y: Doubles, found: Doubles, closed: bool, spacing: int, least: float) -> Indices:
    """Points at which a piece may begin: where the evidence found has a maximum, those beside it, those
    behind gaps, and every `spacing`-th."""
    n = len(found)
    pick = np.zeros(n, np.bool_)
    for k in range(n):
        pick[k] = k % spacing == 0 or gap_before(x, y, k) > 1
    for k in range(n):
        if found[k] < least:
            continue
        before, after = (k - 1) % n, (k + 1) % n
        if found[k] >= found[before] and found[k] >= found[after]:
            for near in range(k - 2, k + 3):
                if closed or 0 <= near < n:
                    pick[near % n] = True
    pick[0] = True
    return np.nonzero(pick)[0]

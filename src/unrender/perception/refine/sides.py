"""Refinement without antialiasing: every pixel shows one side of an edge, and its centre should lie there.

Pixels on their right side say nothing; each on the wrong one pulls the edge over its centre.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unrender.perception.refine.solver import add_equations, gathered, slope_at
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

CENTRED = 0.5  # px from the edge: pixels of both sides push it to the middle between them
MARGIN = 0.02  # px that a pixel's centre should lie beyond the edge in the end
DOUBT = 1.0  # px: a pixel further on the wrong side is likelier something else
BEHIND, FILL, STROKE, OTHER, UNKNOWN = range(5)
"""What a pixel shows: what lies behind the shape, its inside, its stroke, another colour, what hides it."""
SAME, APART = 0.03, 0.01  # RGB distance up to which a pixel shows a colour, and from which two differ
OTHER_WEIGHT = 0.25  # of another colour: it may lie behind or be something in front that is not known yet


@compiled
def sides(
    rows: Doubles,
    columns: Doubles,
    filled: bool,
    stroked: bool,
    fill: Doubles,
    stroke: Doubles,
    image: Floats,
    behind: Floats,
    shows: Floats,
    sigma: float,
) -> Doubles:
    """(N,): what each pixel shows of a shape and its surroundings."""
    found = np.empty(len(rows))
    same = 3 * (4 * sigma) ** 2 + SAME * SAME
    for n in range(len(rows)):
        i, j = int(rows[n]), int(columns[n])
        off = np.zeros(3)
        for c in range(3):
            off[0] += (image[i, j, c] - behind[i, j, c]) ** 2
            off[1] += (image[i, j, c] - fill[c]) ** 2
            off[2] += (image[i, j, c] - stroke[c]) ** 2
        if not filled:
            off[1] = math.inf
        if not stroked:
            off[2] = math.inf
        side = int(np.argmin(off))
        best = off[side]
        off[side] = math.inf
        if best > same:
            side = OTHER
        elif off.min() < 4 * best + APART * APART:
            side = UNKNOWN
        found[n] = side if shows[i, j] > 0.5 else UNKNOWN
    return found


@compiled
def side_equations(
    x: Doubles,
    y: Doubles,
    signed: Doubles,
    nx: Doubles,
    ny: Doubles,
    which: NDArray[np.int64],
    pull: Doubles,
    measured: Doubles,
    pose: Doubles,
    filled: bool,
    stroked: bool,
    side: Doubles,
    margin: float,
    doubt: float,
    rigid: bool,
    hessian: Doubles,
    right: Doubles,
) -> float:
    """JᵀWJ, -JᵀWr and the robust cost of the pixels (N,), r the px by which each is on the wrong side."""
    size, cost = len(pose), 0.0
    hessian[:], right[:] = 0.0, 0.0
    cos, sin, tau = math.cos(pose[4]), math.sin(pose[4]), pose[5] if stroked else 0.0
    slope, moved, by = np.zeros(size), np.zeros(size, np.int64), np.zeros(size)
    for n in range(len(x)):
        d, wanted = signed[n], side[n]
        if wanted == UNKNOWN:
            continue
        # off > 0: wrong by so much; it grows with sign * d and with by_tau * τ
        if wanted == STROKE:
            sign, by_tau = math.copysign(1.0, d), -1.0
        elif wanted == FILL or (not filled and d < 0):
            sign, by_tau = 1.0, 1.0
        else:
            sign, by_tau = -1.0, 1.0
        off = sign * d + by_tau * tau + margin
        if off <= 0:
            continue
        trust = doubt * doubt / (doubt * doubt + off * off)
        share = OTHER_WEIGHT if wanted == OTHER else 1.0
        cost += share * off * off * trust
        weight = share * trust * trust
        if not which.size:
            slope_at(pose, cos, sin, x[n], y[n], d, nx[n], ny[n], rigid, slope)
            if measured.size:
                for k in range(size):
                    if measured[0, n, k] == measured[0, n, k]:
                        slope[k] = measured[0, n, k]
        count = gathered(slope, which, pull, n, moved, by)
        for m in range(count):
            by[m] *= sign
        if stroked:
            moved[count], by[count] = 5, by_tau
            count += 1
        add_equations(count, moved, by, weight, -weight * off, hessian, right)
    return cost

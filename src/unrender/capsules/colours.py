"""Colours of ground, stroke and inside, compiled: given the pose they are linear, so they are solved for.

The ground is a plane of colour, from which single rays may depart: there another thing lies beside the shape.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from unrender.capsules.cholesky import cholesky
from unrender.capsules.geometry import CX, CY, Floats
from unrender.capsules.outline import ACROSS, INNER, OUTER, RAYS, ROWS, SAMPLES
from unrender.graphics.compiled import compiled

STROKE, INSIDE, COLOURS = 3, 4, 5  # rows of the colour coefficients; the first three are the ground's plane
AROUND = np.float32(1.2)  # px from where a departure is looked for

_ZERO, _ONE = np.float32(0), np.float32(1)
_RIDGE = np.array([1e-3, 0.5, 0.5, 1e-3, 1e-3], np.float32)
_LOWEST = np.array([0, -1, -1, 0, 0], np.float32)  # that the coefficients may be
_ROUNDS = np.array([0.6, 0.3, 0.0], np.float32)  # residuals that are believed, the first time


@compiled
def solve_colours(
    basis: Floats,
    residual: Floats,
    there: Floats,
    weight: Floats,
    colours: Floats,
    noise: np.float32,
    first: int,
) -> None:
    """Robust least squares for the colours (5, 3); `residual` holds the values and then what is left."""
    matrix, right = np.empty((COLOURS, COLOURS), np.float64), np.empty((COLOURS, 3), np.float64)
    values = np.empty((3, SAMPLES), np.float32)
    for c in range(3):
        for m in range(SAMPLES):
            values[c, m] = residual[c, m]
    for turn in range(first, len(_ROUNDS)):
        for i in range(COLOURS):
            for j in range(i + 1):
                total = _ZERO
                for m in range(SAMPLES):
                    total += weight[m] * basis[i, m] * basis[j, m]
                matrix[i, j] = total
            matrix[i, i] += _RIDGE[i]
            for c in range(3):
                total = _ZERO
                for m in range(SAMPLES):
                    total += weight[m] * basis[i, m] * values[c, m]
                right[i, c] = total
        cholesky(matrix, right)
        for i in range(COLOURS):
            for c in range(3):
                colours[i, c] = min(max(np.float32(right[i, c]), _LOWEST[i]), _ONE)
        for c in range(3):
            one, two, three = colours[0, c], colours[1, c], colours[2, c]
            four, five = colours[STROKE, c], colours[INSIDE, c]
            for m in range(SAMPLES):
                drawn = one * basis[0, m] + two * basis[1, m] + three * basis[2, m]
                residual[c, m] = values[c, m] - drawn - four * basis[3, m] - five * basis[4, m]
        if _ROUNDS[turn] > 0:
            square = (_ROUNDS[turn] + 4 * noise) ** 2
            for m in range(SAMPLES):
                off = residual[0, m] ** 2 + residual[1, m] ** 2 + residual[2, m] ** 2
                belief = square / (off + square)
                weight[m] = there[m] * belief * belief


@compiled
def edge_colours(
    n: int,
    pose: Floats,
    outlined: Floats,
    reach: Floats,
    x: Floats,
    y: Floats,
    clear: Floats,
    under: Floats,
    colours: Floats,
    beside: Floats,
    behind: Floats,
) -> None:
    """What lies just outside of the outline at each ray, and what the inside shows just within."""
    for r in range(RAYS):
        out, into = OUTER * RAYS + r, INNER * RAYS + r
        px, py = (x[n, out] - pose[n, CX]) / reach[n], (y[n, out] - pose[n, CY]) / reach[n]
        for c in range(3):
            ground = colours[n, 0, c] + colours[n, 1, c] * px + colours[n, 2, c] * py
            inside = colours[n, INSIDE, c]
            if len(clear):
                ground = ground * clear[n, out] + under[n, c, out]
                through = inside * clear[n, into] + under[n, c, into]
                inside += outlined[n] * (through - inside)
            beside[n, c, r], behind[n, c, r] = ground, inside


@compiled
def depart(
    there: Floats,
    signed: Floats,
    middle: np.float32,
    coat: Floats,
    toward: Floats,
    noise: np.float32,
    residual: Floats,
    edge: Floats,
) -> None:
    """Let the colour beside an edge (3, RAYS) depart at the rays where what is drawn clearly differs from the
    samples around `middle` px; what it explains is taken from the residual.

    Not where it differs `toward` the colour of the shape: there the shape is not large enough.
    """
    square = max(toward[0] ** 2 + toward[1] ** 2 + toward[2] ** 2, np.float32(1e-4))
    count, mean = np.zeros(RAYS, np.float32), np.zeros((3, RAYS), np.float32)
    for a in range(ACROSS):
        for r in range(RAYS):
            m = a * RAYS + r
            counts = there[m] if abs(signed[m] - middle) < AROUND else _ZERO
            count[r] += counts
            mean[0, r] += counts * residual[0, m]
            mean[1, r] += counts * residual[1, m]
            mean[2, r] += counts * residual[2, m]
    for r in range(RAYS):
        several = max(count[r], _ONE)
        red, green, blue = mean[0, r] / several, mean[1, r] / several, mean[2, r] / several
        size = red * red + green * green + blue * blue
        if sqrt(size) <= np.float32(0.03) + 5 * noise / sqrt(several):
            continue
        along = (toward[0] * red + toward[1] * green + toward[2] * blue) / square
        if along >= np.float32(0.3) and size / square - along * along <= np.float32(0.1):
            continue
        edge[0, r] += red
        edge[1, r] += green
        edge[2, r] += blue
        for a in range(ROWS):
            m = a * RAYS + r
            residual[0, m] -= coat[m] * red
            residual[1, m] -= coat[m] * green
            residual[2, m] -= coat[m] * blue

"""The equations of one refinement step, compiled: candidate after candidate, sample after sample.

Given the pose, the colours of ground, stroke and inside are linear, so they are solved for (variable
projection). The ground is a plane of colour, from which single rays may depart: there something else lies
beside the shape. What is left over says where the outline should move.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from unrender.capsules.geometry import CX, CY, TAU, Floats
from unrender.capsules.outline import ACROSS, INNER, OUTER, RAYS, ROWS, SAMPLES
from unrender.graphics.compiled import compiled

STROKE, INSIDE, COLOURS = 3, 4, 5  # rows of the colour coefficients; the first three are the ground's plane
CLEAR_OF = np.float32(2.4)  # px from an edge: here the colour beside it is not mixed with its own
AROUND = np.float32(1.2)  # px from there
HIDDEN = np.float32(0.15)  # what a sample costs that the shape hides behind another one, of the most it could

_ZERO, _HALF, _ONE, _TWO = np.float32(0), np.float32(0.5), np.float32(1), np.float32(2)
_RIDGE = np.array([1e-3, 0.5, 0.5, 1e-3, 1e-3], np.float32)
_LOWEST = np.array([0, -1, -1, 0, 0], np.float32)  # that the coefficients may be
_ROUNDS = np.array([0.6, 0.3, 0.0], np.float32)  # residuals that are believed, the first time


@compiled
def equations(
    pose: Floats,
    outlined: Floats,
    reach: Floats,
    values: Floats,
    x: Floats,
    y: Floats,
    there: Floats,
    taken: Floats,
    clear: Floats,
    under: Floats,
    before: Floats,
    signed: Floats,
    slopes: Floats,
    ramp: float,
    noise: float,
    colours: Floats,
    paint: Floats,
    beside: Floats,
    behind: Floats,
    squared: Floats,
    shown: Floats,
    weight: Floats,
    cost: Floats,
    hessian: Floats,
    slope: Floats,
) -> None:
    """Fill in the fields of a `Fitted`, from `colours` on, for N shapes with M samples each.

    taken, clear, under: as in `Samples`; before: the weights of the step before. Each may be empty.
    """
    width, deviation = np.float32(ramp), np.float32(noise)
    basis, residual = np.empty((COLOURS, SAMPLES), np.float32), np.empty((3, SAMPLES), np.float32)
    coat = np.empty((4, SAMPLES), np.float32)  # outer, inner, ground, hollow
    for n in range(len(pose)):
        tau, open_ = pose[n, TAU], outlined[n]
        _coats(signed[n], tau, open_, width, coat)
        residual[:] = values[n]
        for m in range(SAMPLES):
            px, py = (x[n, m] - pose[n, CX]) / reach[n], (y[n, m] - pose[n, CY]) / reach[n]
            bare, within = coat[2, m], coat[1, m]
            if len(clear):
                for c in range(3):
                    residual[c, m] -= (bare + coat[3, m]) * under[n, c, m]
                bare *= clear[n, m]
                within += coat[3, m] * (clear[n, m] - _ONE)
            basis[0, m], basis[1, m], basis[2, m] = bare, bare * px, bare * py
            basis[STROKE, m], basis[INSIDE, m] = coat[0, m] - coat[1, m], within
        if len(before):
            for m in range(SAMPLES):
                weight[n, m] = there[n, m] * before[n, m]
            _solve(basis, residual, there[n], weight[n], colours[n], deviation, 2)
        else:
            weight[n] = there[n]
            _solve(basis, residual, there[n], weight[n], colours[n], deviation, 0)
        for c in range(3):
            paint[n, c] = colours[n, INSIDE, c] + open_ * (colours[n, STROKE, c] - colours[n, INSIDE, c])
        _edge_colours(n, pose, outlined, reach, x, y, clear, under, colours, beside, behind)
        contrast = _ZERO
        toward = np.empty(3, np.float32)
        for c in range(3):
            toward[c] = paint[n, c] - colours[n, 0, c]
            contrast += toward[c] * toward[c]
        _depart(there[n], signed[n], tau + CLEAR_OF, coat[2], toward, deviation, residual, beside[n])
        if open_ > 0:
            for c in range(3):
                toward[c] = colours[n, STROKE, c] - colours[n, INSIDE, c]
            _depart(there[n], signed[n], -tau - CLEAR_OF, coat[3], toward, deviation, residual, behind[n])
        limit = max(np.float32(0.35) * width * sqrt(contrast), np.float32(0.05) + 4 * deviation)
        limit *= limit
        total = _ZERO
        for m in range(SAMPLES):
            off = residual[0, m] ** 2 + residual[1, m] ** 2 + residual[2, m] ** 2
            trust = limit / (off + limit)
            sure, visible, seen = trust * trust, there[n, m], there[n, m]
            if len(taken):
                # where the shape should be, looks wrong, and another one is, it may lie behind that one
                visible *= _ONE - taken[n, m] * (coat[0, m] - coat[3, m]) * (_ONE - sure)
            total += visible * off * trust + (seen - visible) * HIDDEN * limit
            squared[n, m], shown[n, m], weight[n, m] = off, visible, visible * sure
        cost[n] = total
        _accumulate(
            slopes[n],
            weight[n],
            residual,
            coat,
            paint[n],
            colours[n, STROKE],
            beside[n],
            behind[n],
            open_,
            width,
            hessian[n],
            slope[n],
        )


@compiled
def _coats(signed: Floats, tau: np.float32, open_: np.float32, ramp: np.float32, coat: Floats) -> None:
    """How much of each sample lies inside the outer and the inner edge, how much shows the ground, and how
    much the hollow inside of an outline."""
    for m in range(SAMPLES):
        outer = min(max(_HALF + (tau - signed[m]) / ramp, _ZERO), _ONE)
        inner = min(max(_HALF - (tau + signed[m]) / ramp, _ZERO), _ONE)
        coat[0, m], coat[1, m], coat[2, m], coat[3, m] = outer, inner, _ONE - outer, inner * open_


@compiled
def _solve(
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
    values = residual.copy() if first == 0 else residual
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
            one, two, three, four, five = colours[:, c]
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
def cholesky(matrix: Floats, right: Floats) -> None:
    """Solve in place for a positive definite matrix, of which only the lower half is given."""
    size = len(matrix)
    for i in range(size):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = total / matrix[j, j] if j < i else sqrt(max(total, 1e-12))
    for c in range(right.shape[1]):
        for i in range(size):
            for k in range(i):
                right[i, c] -= matrix[i, k] * right[k, c]
            right[i, c] /= matrix[i, i]
        for i in range(size - 1, -1, -1):
            for k in range(i + 1, size):
                right[i, c] -= matrix[k, i] * right[k, c]
            right[i, c] /= matrix[i, i]


@compiled
def _edge_colours(
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
def _depart(
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


@compiled
def _accumulate(
    slopes: Floats,
    weight: Floats,
    residual: Floats,
    coat: Floats,
    paint: Floats,
    stroke: Floats,
    beside: Floats,
    behind: Floats,
    open_: np.float32,
    ramp: np.float32,
    hessian: Floats,
    slope: Floats,
) -> None:
    """J'J (G, G) and -J'r (G,). A thicker stroke moves the two edges apart."""
    together, apart, pull = np.empty((3, SAMPLES), np.float32)
    by_stroke, pull_of_stroke = _ZERO, _ZERO
    rise, fall = np.empty((3, RAYS), np.float32), np.empty((3, RAYS), np.float32)
    for c in range(3):
        for r in range(RAYS):
            rise[c, r] = (paint[c] - beside[c, r]) / ramp  # as the outer edge moves out
            fall[c, r] = open_ * (behind[c, r] - stroke[c]) / ramp  # as the inner edge of a stroke does
    steep, soft, across = _dot(rise, rise), _dot(fall, fall), _dot(rise, fall)
    for a in range(ROWS):
        for r in range(RAYS):
            m = a * RAYS + r
            outer, inner = coat[0, m], coat[1, m]
            at_outer = weight[m] if outer * (_ONE - outer) > _ZERO else _ZERO
            at_inner = weight[m] if inner * (_ONE - inner) > _ZERO else _ZERO
            at_both = at_outer if inner * (_ONE - inner) > _ZERO else _ZERO
            rises, falls, both = at_outer * steep[r], at_inner * soft[r], _TWO * at_both * across[r]
            red, green, blue = residual[0, m], residual[1, m], residual[2, m]
            rising = at_outer * (red * rise[0, r] + green * rise[1, r] + blue * rise[2, r])
            falling = at_inner * (red * fall[0, r] + green * fall[1, r] + blue * fall[2, r])
            together[m], apart[m] = rises + falls + both, open_ * (falls - rises)
            pull[m] = -(rising + falling)
            by_stroke += open_ * (rises + falls - both)
            pull_of_stroke += open_ * (rising - falling)
    size = len(slopes)
    for i in range(size):
        for j in range(i + 1):
            total = _ZERO
            for m in range(SAMPLES):
                total += slopes[i, m] * slopes[j, m] * together[m]
            hessian[i, j] = hessian[j, i] = total
    for i in range(size):
        along, total = _ZERO, _ZERO
        for m in range(SAMPLES):
            along += slopes[i, m] * apart[m]
            total += slopes[i, m] * pull[m]
        slope[i] = total
        hessian[i, TAU] += along
        hessian[TAU, i] += along
    hessian[TAU, TAU] += by_stroke
    slope[TAU] += pull_of_stroke


@compiled
def _dot(one: Floats, other: Floats) -> Floats:
    """The product over the channels: (3, RAYS) -> (RAYS,)"""
    product: Floats = one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
    return product

"""The equations of one refinement step, compiled: candidate after candidate, sample after sample.

At this pose the colours follow from the pixels (variable projection); what is left over says where the
outline should move.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from unrender.capsules.colours import COLOURS, INSIDE, STROKE, depart, edge_colours, solve_colours
from unrender.capsules.geometry import CX, CY, LOG_H, LOG_W, TAU, Floats
from unrender.capsules.outline import RAYS, ROWS, SAMPLES
from unrender.graphics.compiled import Floats1, Floats2, Floats3, compiled

CLEAR_OF = np.float32(2.4)  # px from an edge: here the colour beside it is not mixed with its own
HIDDEN = np.float32(0.15)  # what a sample costs that the shape hides behind another one, of the most it could

_ZERO, _HALF, _ONE, _TWO = np.float32(0), np.float32(0.5), np.float32(1), np.float32(2)


@compiled
def equations(
    pose: Floats2,
    outlined: Floats1,
    values: Floats3,
    x: Floats2,
    y: Floats2,
    there: Floats2,
    taken: Floats2,
    clear: Floats2,
    under: Floats3,
    before: Floats2,
    signed: Floats2,
    slopes: Floats3,
    ramp: float,
    noise: float,
    colours: Floats3,
    paint: Floats2,
    beside: Floats3,
    behind: Floats3,
    squared: Floats2,
    shown: Floats2,
    weight: Floats2,
    cost: Floats1,
    hessian: Floats3,
    slope: Floats2,
) -> None:
    """Fill in the fields of a `Fitted`, from `colours` on, for N shapes with M samples each.

    taken, clear, under: as in `Samples`; before: the weights of the step before. Each may be empty.
    """
    width, deviation = np.float32(ramp), np.float32(noise)
    basis, residual = np.empty((COLOURS, SAMPLES), np.float32), np.empty((3, SAMPLES), np.float32)
    coat = np.empty((4, SAMPLES), np.float32)  # outer, inner, ground, hollow
    reach = np.empty(len(pose), np.float32)
    for n in range(len(pose)):
        reach[n] = _HALF * np.hypot(np.exp(pose[n, LOG_W]), np.exp(pose[n, LOG_H])) + pose[n, TAU]
        tau, open_ = pose[n, TAU], outlined[n]
        _coats(signed[n], tau, open_, width, coat)
        for m in range(SAMPLES):
            for c in range(3):
                residual[c, m] = values[n, c, m]
            px, py = (x[n, m] - pose[n, CX]) / reach[n], (y[n, m] - pose[n, CY]) / reach[n]
            bare, within = coat[2, m], coat[1, m]
            if len(clear):
                for c in range(3):
                    residual[c, m] -= (bare + coat[3, m]) * under[n, c, m]
                bare *= clear[n, m]
                within += coat[3, m] * (clear[n, m] - _ONE)
            basis[0, m], basis[1, m], basis[2, m] = bare, bare * px, bare * py
            basis[STROKE, m], basis[INSIDE, m] = coat[0, m] - coat[1, m], within
        for m in range(SAMPLES):
            weight[n, m] = there[n, m] * before[n, m] if len(before) else there[n, m]
        solve_colours(basis, residual, there[n], weight[n], colours[n], deviation, 2 if len(before) else 0)
        for c in range(3):
            paint[n, c] = colours[n, INSIDE, c] + open_ * (colours[n, STROKE, c] - colours[n, INSIDE, c])
        edge_colours(n, pose, outlined, reach, x, y, clear, under, colours, beside, behind)
        contrast = _ZERO
        toward = np.empty(3, np.float32)
        for c in range(3):
            toward[c] = paint[n, c] - colours[n, 0, c]
            contrast += toward[c] * toward[c]
        depart(there[n], signed[n], tau + CLEAR_OF, coat[2], toward, deviation, residual, beside[n])
        if open_ > 0:
            for c in range(3):
                toward[c] = colours[n, STROKE, c] - colours[n, INSIDE, c]
            depart(there[n], signed[n], -tau - CLEAR_OF, coat[3], toward, deviation, residual, behind[n])
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
    together, apart = np.empty(SAMPLES, np.float32), np.empty(SAMPLES, np.float32)
    pull = np.empty(SAMPLES, np.float32)
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
    product = np.empty(RAYS, np.float32)
    for r in range(RAYS):
        product[r] = one[0, r] * other[0, r] + one[1, r] * other[1, r] + one[2, r] * other[2, r]
    return product

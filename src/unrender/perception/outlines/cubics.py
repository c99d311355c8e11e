"""Cubic pieces: a smooth run of lines and arcs told as one Bézier curve where that takes fewer bits.

Lines and arcs are cut from points by dynamic programming, for which sums suffice; a cubic has to be fitted
again for every run, so it is looked for afterwards, among the pieces that meet smoothly.
"""

from __future__ import annotations

import math

import numpy as np

from unrender.primitives.jit import compiled
from unrender.primitives.polycurve import ARC, CLOSES, CUBIC, ENDS, Indices, node_size, nodes, point
from unrender.primitives.polycurve_field import tangent
from unrender.primitives.protocol import Doubles

SMOOTH = 0.35  # radians by which pieces turn where they meet, at most
RUN = 10  # pieces that one cubic may stand for
EVERY = 12  # points of each piece to which it is fitted
ERRORS = (0.5, 0.25, 0.08)  # px: their standard error, since lines and arcs miss a curve by as much
FITS = 40  # times the points are put where they are nearest: of an S they have a long way to go
COORDINATES = {0: 2, ARC: 3, CUBIC: 6}  # numbers of a node by the kind of the piece behind it


def with_cubics(form: Doubles) -> list[Doubles]:
    """Forms (px of the canvas) in which cubics stand for runs of pieces, those with the fewest first. What
    they miss is for the pixels to tell."""
    found: list[Doubles] = []
    for error in ERRORS:
        told = _told(form, error)
        if told is not None and not any(np.array_equal(told, other) for other in found):
            found.append(told)
    return found


def _told(form: Doubles, error: float) -> Doubles | None:
    """The form with cubics that tells points of this standard error in the fewest bits, if it has any."""
    at, after = nodes(form)
    extent = max(float(np.ptp(form[at + 1])), float(np.ptp(form[at + 2])), 1.0)
    number = math.log2(extent / ERRORS[-1])
    told: list[float] = []
    first, changed = 0, False
    for k in range(len(at)):
        if int(form[at[k]]) >= 4:  # the last node of a chain
            chain, own = _chain(form, at[first : k + 1], after[first : k + 1], number, error)
            told += chain
            changed |= own
            first = k + 1
    return np.array(told) if changed else None


def _chain(
    form: Doubles, at: Indices, after: Indices, number: float, error: float
) -> tuple[list[float], bool]:
    """The numbers of one chain with its cubics, and whether there are any more than before."""
    is_open = int(form[at[-1]]) == ENDS
    ends = [int(j) for j in after if j >= 0]
    begins = [int(i) for i in at[: len(ends)]]
    count = len(ends)
    kinds = [int(form[i]) % 4 for i in begins]
    own = [COORDINATES[kind] * number + 1 for kind in kinds]
    points = [_points(form, i, j) for i, j in zip(begins, ends, strict=True)]
    smooth = [
        count > 1 and _turn(form, begins[k - 1], ends[k - 1], begins[k], ends[k]) < SMOOTH
        for k in range(count)
    ]
    shift = 0
    if not is_open and count > 1:  # it is told from a corner, if it has one
        shift = next((k for k in range(count) if not smooth[k]), 0)
    order = [(k + shift) % count for k in range(count)]
    best = [0.0] + [math.inf] * count
    came: list[tuple[int, Doubles | None]] = [(0, None)] * (count + 1)
    for k in range(count):
        if best[k] + own[order[k]] < best[k + 1]:
            best[k + 1], came[k + 1] = best[k] + own[order[k]], (k, None)
        run = [points[order[k]]]
        for last in range(k + 1, min(k + RUN, count)):
            if not smooth[order[last]]:
                break
            run.append(points[order[last]][1:])
            control, misfit = fit_cubic(np.concatenate(run), error, FITS)
            cost = best[k] + COORDINATES[CUBIC] * number + 1 + misfit / (2 * math.log(2.0))
            if cost < best[last + 1]:
                best[last + 1], came[last + 1] = cost, (k, control)
    pieces: list[tuple[int, Doubles | None]] = []
    k = count
    while k > 0:
        pieces.append(came[k])
        k = came[k][0]
    told: list[float] = []
    pieces.reverse()
    for place, curve in pieces:
        i = begins[order[place]]
        if curve is None:
            told += [float(kinds[order[place]]), *form[i + 1 : i + node_size(form[i])].tolist()]
        else:
            told += [float(CUBIC), *form[i + 1 : i + 3].tolist(), *curve.tolist()]
    if is_open:
        told += form[at[-1] : at[-1] + 3].tolist()
    else:
        last, cubic = pieces[-1]
        told[-node_size(float(kinds[order[last]] if cubic is None else CUBIC))] += CLOSES
    return told, any(curve is not None for _, curve in pieces)


def _points(form: Doubles, i: int, j: int) -> Doubles:
    """(EVERY + 1, 2) points of a piece."""
    return np.array([point(form, i, j, 1.0, 1.0, t) for t in np.linspace(0, 1, EVERY + 1)])


def _turn(form: Doubles, i: int, j: int, k: int, m: int) -> float:
    """The angle (radians) by which the piece from i to j turns where that from k to m begins."""
    ax, ay = tangent(form, i, j, 1.0, 1.0, 1.0)
    bx, by = tangent(form, k, m, 1.0, 1.0, 0.0)
    return abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by))


@compiled
def fit_cubic(points: Doubles, error: float, fits: int) -> tuple[Doubles, float]:
    """The two control points (4,) of the cubic between the first and the last of points (N, 2) that is
    nearest to all, and Σ (distance / error)²."""
    n = len(points)
    t = np.zeros(n)
    for k in range(1, n):
        t[k] = t[k - 1] + math.hypot(points[k, 0] - points[k - 1, 0], points[k, 1] - points[k - 1, 1])
    total = max(t[-1], 1e-9)
    for k in range(n):
        t[k] /= total
    control = np.zeros(4)
    x0, y0, x3, y3 = points[0, 0], points[0, 1], points[-1, 0], points[-1, 1]
    misfit = 0.0
    for again in range(fits + 1):
        aa, ab, bb, ax, ay, bx, by = 1e-9, 0.0, 1e-9, 0.0, 0.0, 0.0, 0.0
        for k in range(n):
            s = 1 - t[k]
            b0, b1, b2, b3 = s * s * s, 3 * s * s * t[k], 3 * s * t[k] * t[k], t[k] * t[k] * t[k]
            rx, ry = points[k, 0] - b0 * x0 - b3 * x3, points[k, 1] - b0 * y0 - b3 * y3
            aa += b1 * b1
            ab += b1 * b2
            bb += b2 * b2
            ax += b1 * rx
            ay += b1 * ry
            bx += b2 * rx
            by += b2 * ry
        det = aa * bb - ab * ab
        control[0], control[1] = (ax * bb - bx * ab) / det, (ay * bb - by * ab) / det
        control[2], control[3] = (bx * aa - ax * ab) / det, (by * aa - ay * ab) / det
        misfit = 0.0
        for k in range(n):
            s = 1 - t[k]
            b0, b1, b2, b3 = s * s * s, 3 * s * s * t[k], 3 * s * t[k] * t[k], t[k] * t[k] * t[k]
            px = b0 * x0 + b1 * control[0] + b2 * control[2] + b3 * x3
            py = b0 * y0 + b1 * control[1] + b2 * control[3] + b3 * y3
            d0, d1, d2 = 3 * s * s, 6 * s * t[k], 3 * t[k] * t[k]
            dx = d0 * (control[0] - x0) + d1 * (control[2] - control[0]) + d2 * (x3 - control[2])
            dy = d0 * (control[1] - y0) + d1 * (control[3] - control[1]) + d2 * (y3 - control[3])
            off_x, off_y = points[k, 0] - px, points[k, 1] - py
            square = max(dx * dx + dy * dy, 1e-9)
            along = off_x * dx + off_y * dy
            misfit += (off_x * off_x + off_y * off_y - along * along / square) / (error * error)
            if again < fits and 0 < k < n - 1:
                t[k] = min(max(t[k] + along / square, 0.0), 1.0)
    return control, misfit

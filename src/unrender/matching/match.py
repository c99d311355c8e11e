"""Matching: bend one drawing onto another, as smoothly as people do, and measure what that costs.

Points are assigned softly, by distance, direction and context, in both ways: every point of either drawing
wants a partner. Given the assignment, the deformation (affine and a smooth field, a Gaussian process whose
variances were learned) that brings partners together is a linear problem; both are repeated while the
assignment gets sharper. What it comes to is told for the whole, in TERMS, and for every point, in ROWS;
`judge.py` knows what that is worth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.matching.context import DIRECTIONS, PLACES, RADII, context
from unrender.matching.drawing import Drawing
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

ROUNDS = 20
WIDE, NARROW = 0.5, 0.15  # standard deviation of partners: at first, and at last
TURNED = 3.0  # nats of partners at right angles
UNLIKE = 8.0  # nats of partners with nothing in common around them
ALONE = 1e-4  # likelihood of a point without a partner
TRUST = 0.3  # of a point's worth: neighbours along a line tell the same
STRETCHED = (0.6, 1.7)  # times as wide or high as the other a drawing may be taken to be at first
THINNEST = 0.15  # of the radius: the width of a straight line, when proportions are compared
HOW = np.array([WIDE, NARROW, TURNED, UNLIKE, ALONE, TRUST])

TERMS = (
    "coverage", "warp", "scale", "rotation", "stretch", "shear",
    "distance", "direction", "context", "misfit", "tears", "ends", "length", "length known", "length seen",
)  # fmt: skip
"""What a match costs as a whole; last the difference of the logarithms of both lengths, and these."""
DEFORMED = slice(1, 6)  # the terms that are squares of deformations
ROWS = (
    "along", "aside", "direction", "context", "context before", "lonely",
    "end", "partner is end", "end without end", "torn", "stretched", "turned", "moved",
    "curve", "curve of partner", "crowd", "crowd of partner", "off middle",
)  # fmt: skip
"""What a match tells of every point and its best partner; distances along and aside of the line."""
WAYS = 4  # known onto seen: points of the seen, of the known; seen onto known: of the known, of the seen


@dataclass(frozen=True, eq=False)
class Match:
    """Two drawings, each bent onto the other."""

    rows: Floats  # (WAYS, N, len(ROWS)), in the order of the points along their lines
    terms: Floats  # (len(TERMS),)

    @classmethod
    def of(cls, known: Drawing, seen: Drawing, linear: float) -> Match:
        """linear: standard deviation of the linear part, as in their fields.

        Of deformations the root mean square counts, not the square: some people are far from all others.
        """
        one, other = bent(known, seen, linear), bent(seen, known, linear)
        both = one[0] + other[0]
        both[DEFORMED] = np.sqrt(both[DEFORMED])
        first, second = math.log(known.length), math.log(seen.length)
        terms = np.concatenate([both, [abs(first - second), first, second]]).astype(np.float32)
        return cls(np.concatenate([one[3], other[3]]), terms)


def bent(model: Drawing, seen: Drawing, linear: float) -> tuple[Doubles, Floats, Floats, Floats]:
    """One drawing bent onto another: the terms of that (all but the last three), where its points lie
    then (2, N), how much of each component of its field it takes (2, F), and rows (2, N, R) of the points of
    the seen and of the model."""
    return _matched(
        model.points, model.tangents, model.field, model.turn, model.context, model.along, model.ends,
        np.stack([model.curve, model.crowd]),
        seen.points, seen.tangents, seen.context, seen.along, seen.ends, np.stack([seen.curve, seen.crowd]),
        _start(model, seen, linear), linear, HOW, ROUNDS, RADII, PLACES, DIRECTIONS,
        len(TERMS) - 3, len(ROWS),
    )  # fmt: skip


def _start(model: Drawing, seen: Drawing, linear: float) -> Floats:
    """(2, F): the deformation to begin with, which gives a drawing the proportions of the other."""
    first = np.zeros((2, model.field.shape[1]), np.float32)
    grown = (seen.points.std(1) + THINNEST) / (model.points.std(1) + THINNEST)
    first[[0, 1], [1, 2]] = (grown.clip(*STRETCHED) - 1) / linear
    return first


@compiled
def _assigned(
    x: Floats, t: Floats, y: Floats, s: Floats, alike: Floats, sharp: float, turned: float, unlike: float,
    found: Floats, row: Floats, column: Floats,
) -> None:  # fmt: skip
    """How well each point (2, N) would be the partner of each other one (2, M): (N, M), and sums over both.

    A power of a linear function stands for the exponential, which would not be vectorised.
    """
    zero, one = np.float32(0), np.float32(1)
    i2, kappa, lam = np.float32(sharp / 32), np.float32(turned / 32), np.float32(unlike / 32)
    column[:] = zero
    for i in range(x.shape[1]):
        a, b, u, v = x[0, i], x[1, i], t[0, i], t[1, i]
        r = zero
        for j in range(y.shape[1]):
            dx, dy, cross = a - y[0, j], b - y[1, j], u * s[1, j] - v * s[0, j]
            q = (dx * dx + dy * dy) * i2 + kappa * cross * cross + lam * (one - alike[i, j])
            q = max(zero, one - q)
            q *= q
            q *= q
            q *= q
            q *= q
            q *= q
            found[i, j] = q
            column[j] += q
            r += q
        row[i] = r


@compiled
def _tears(to: NDArray[np.int64], along: Floats, other: Floats, torn: Floats) -> float:
    """The share of neighbours along one drawing (N, N) whose partners are far apart along the other; of each
    point in `torn` (N,)."""
    total, pairs = 0.0, 0
    for a in range(len(to)):
        own, count = 0.0, 0
        for b in range(len(to)):
            if b != a and along[a, b] < 0.4:
                apart = other[to[a], to[b]] - 2 * along[a, b] - 0.1
                own += min(1.0, max(0.0, apart / 0.5))
                count += 1
        torn[a] = own / max(1, count)
        total += own
        pairs += count
    return total / max(1, pairs)


@compiled
def _matched(
    x: Floats, t: Floats, field: Floats, turn: Floats,
    around: Floats, along: Floats, ends: Floats, bends: Floats,
    y: Floats, s: Floats, around_y: Floats, along_y: Floats, ends_y: Floats, bends_y: Floats,
    first: Floats, linear: float, how: Doubles, rounds: int,
    radii: Doubles, places: int, directions: int, count: int, width: int,
) -> tuple[Doubles, Floats, Floats, Floats]:  # fmt: skip
    """The terms (count,), bent points (2, N), coefficients (2, F) and rows (2, N, width) of a match of N
    points with as many."""
    n, m, f = x.shape[1], y.shape[1], field.shape[1]
    wide, narrow, turned, unlike, alone, trust = how
    flat, bend = np.ascontiguousarray(field.T), np.ascontiguousarray(turn.T)
    found = np.empty((n, m), np.float32)
    row, column = np.zeros(n, np.float32), np.zeros(m, np.float32)
    weight, wanted = np.zeros(n, np.float32), np.zeros((2, n), np.float32)
    c, xx, tt = first.copy(), x.copy(), t.copy()
    alike = around @ around_y.T
    before, longer = alike, np.zeros(n, np.float32)
    for k in range(rounds + 1):
        xx, tt = x + c @ flat, t + c @ bend
        for i in range(n):
            size = math.sqrt(tt[0, i] ** 2 + tt[1, i] ** 2) + 1e-9
            longer[i] = size
            tt[0, i] /= size
            tt[1, i] /= size
        if k == rounds // 2 or k == rounds:  # what surrounds the points has changed
            alike = context(xx[0], xx[1], tt[0], tt[1], radii, places, directions) @ around_y.T
        sigma = wide * (narrow / wide) ** min(1.0, k / (rounds - 1))
        _assigned(xx, tt, y, s, alike, 1 / (2 * sigma * sigma), turned, unlike, found, row, column)
        if k == rounds:
            break
        for j in range(m):
            column[j] = 1 / (column[j] + alone * n)
        for i in range(n):
            r = np.float32(1 / (row[i] + alone * m))
            total, px, py = np.float32(0), np.float32(0), np.float32(0)
            for j in range(m):
                share = found[i, j] * (r + column[j])
                total += share
                px += share * y[0, j]
                py += share * y[1, j]
            weight[i] = total
            wanted[0, i], wanted[1, i] = px - total * x[0, i], py - total * x[1, i]
        worth = np.float32(trust / (sigma * sigma))
        square = ((flat * (weight * worth)) @ field).astype(np.float64)
        for a in range(f):
            square[a, a] += 1
        right = (flat @ np.ascontiguousarray(wanted.T) * worth).astype(np.float64)
        c = np.ascontiguousarray(np.linalg.solve(square, right).T).astype(np.float32)
    out = np.zeros(count)
    for j in range(m):
        out[0] -= math.log(column[j] / n + alone) / m
    for i in range(n):
        out[0] -= math.log(row[i] / m + alone) / n
    for a in range(3, f):
        out[1] += c[0, a] ** 2 + c[1, a] ** 2
    out[2] = ((c[0, 1] + c[1, 2]) * linear / 2) ** 2
    out[3] = ((c[1, 1] - c[0, 2]) * linear / 2) ** 2
    out[4] = ((c[0, 1] - c[1, 2]) * linear / 2) ** 2
    out[5] = ((c[1, 1] + c[0, 2]) * linear / 2) ** 2
    moved = np.ascontiguousarray(c[:, 3:]) @ np.ascontiguousarray(flat[3:])
    rows = np.zeros((2, n, width), np.float32)
    for way in range(2):  # every point of one with its best partner in the other
        size, others = (m, n) if way == 0 else (n, m)
        to = np.zeros(size, np.int64)
        for a in range(size):
            best = np.float32(-1)
            for b in range(others):
                own = found[b, a] if way == 0 else found[a, b]
                if own > best:
                    best, to[a] = own, b
            i, j = (to[a], a) if way == 0 else (a, to[a])
            dx, dy = xx[0, i] - y[0, j], xx[1, i] - y[1, j]
            far = dx * dx + dy * dy
            cross = (tt[0, i] * s[1, j] - tt[1, i] * s[0, j]) ** 2
            out[6] += min(1.0, 2 * math.sqrt(far)) / size
            out[7] += cross / size
            out[8] += (1 - alike[i, j]) / size
            out[9] += min(10.0, far / 0.02 + turned * cross + unlike * (1 - alike[i, j])) / size
            end = (ends_y[a] if way == 0 else ends[a]) > 0
            lost = 0.0
            if end:  # a free end wants to be near one
                near = 1e9
                for b in range(others):
                    if (ends[b] if way == 0 else ends_y[b]) > 0:
                        u, v = (b, a) if way == 0 else (a, b)
                        near = min(near, (xx[0, u] - y[0, v]) ** 2 + (xx[1, u] - y[1, v]) ** 2)
                lost = 1 - math.exp(-near / 0.08)
                out[11] += lost
            told = rows[way, a]
            tx, ty = (s[0, j], s[1, j]) if way == 0 else (tt[0, i], tt[1, i])
            told[0] = min(1.0, 2 * abs(dx * tx + dy * ty))
            told[1] = min(1.0, 2 * abs(dx * ty - dy * tx))
            told[2] = cross
            told[3] = 1 - alike[i, j]
            told[4] = 1 - before[i, j]
            told[5] = -math.log((column[a] / n if way == 0 else row[a] / m) + alone)
            told[6] = 1.0 if end else 0.0
            told[7] = ends[i] if way == 0 else ends_y[j]
            told[8] = lost
            told[10] = math.log(longer[i])
            told[11] = t[0, i] * tt[1, i] - t[1, i] * tt[0, i]
            told[12] = math.sqrt(moved[0, i] ** 2 + moved[1, i] ** 2)
            for k in range(2):
                told[13 + 2 * k] = bends_y[k, j] if way == 0 else bends[k, i]
                told[14 + 2 * k] = bends[k, i] if way == 0 else bends_y[k, j]
            told[17] = math.sqrt(y[0, j] ** 2 + y[1, j] ** 2) - 1
        torn = np.zeros(size, np.float32)
        out[10] += _tears(to, along_y if way == 0 else along, along if way == 0 else along_y, torn)
        rows[way, :, 9] = torn
    return out, xx, c, rows

"""Polycurves: chains of straight pieces, circular arcs and cubic curves, open or closed, as flat forms.

A form is node after node, each (code, x, y) with what the piece that begins there needs behind it: nothing if
it is straight, the bulge tan(sweep / 4) of an arc (positive if it turns to the right), both control points of
a cubic. code = kind + 4 * end: end is 0 where the chain goes on to the next node, 1 where it closes to its
first one, 2 at the last node of an open chain, from which no piece begins. Several chains follow one another:
an outline and its holes. Coordinates are those of the box from -1 to 1; arcs are circular in px.
"""

from __future__ import annotations

from math import atan, cos, sin, sqrt, tan

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles

STRAIGHT, ARC, CUBIC = 0, 1, 2
ON, CLOSES, ENDS = 0, 4, 8
FLAT = 0.02  # px by which a straight piece may miss the curve that it stands for

Indices = NDArray[np.int64]


@compiled
def node_size(code: float) -> int:
    """Numbers of a node in a form."""
    kind = int(code) % 4
    return 3 if kind == 0 else 4 if kind == 1 else 7


@compiled
def nodes(form: Doubles) -> tuple[Indices, Indices]:
    """Where the nodes (K,) of a form begin, and where the piece of each ends: the node after it, the first
    one of its chain, or -1 where there is no piece."""
    at, after, count = np.empty(len(form), np.int64), np.empty(len(form), np.int64), 0
    i, first = 0, 0
    while i < len(form):
        size, end = node_size(form[i]), int(form[i]) // 4
        at[count] = i
        after[count] = i + size if end == 0 else first if end == 1 else -1
        count += 1
        i += size
        if end:
            first = i
    return at[:count].copy(), after[:count].copy()


@compiled
def tidied(form: Doubles, shortest: float) -> Doubles:
    """The same form without pieces whose ends are nearer to each other than `shortest`, if others are left in
    their chain: nodes from which such a piece begins."""
    at, after = nodes(form)
    out, count, begun, last = np.empty(len(form)), 0, 0, 0  # pieces of the chain so far, and its last node
    for k in range(len(at)):
        i, j, size = at[k], after[k], node_size(form[at[k]])
        short = (
            j >= 0
            and (form[j + 1] - form[i + 1]) ** 2 + (form[j + 2] - form[i + 2]) ** 2 < shortest * shortest
        )
        if short and begun > 1 and int(form[i]) // 4 == 1:  # it closes from the node that was kept last
            out[last] += 4
        elif short and int(form[i]) // 4 == 0 and (begun > 0 or int(form[j]) // 4 == 0):
            continue
        else:
            out[count : count + size] = form[i : i + size]
            last = count
            count += size
            begun += 1
        if int(form[i]) // 4:
            begun = 0
    return out[:count].copy()


@compiled
def coordinates(form: Doubles) -> Indices:
    """Where in a form there is an x, of a node or of a control point, with its y behind it."""
    found, count, i = np.empty(len(form), np.int64), 0, 0
    while i < len(form):
        size = node_size(form[i])
        found[count] = i + 1
        count += 1
        if size == 7:
            found[count], found[count + 1] = i + 3, i + 5
            count += 2
        i += size
    return found[:count].copy()


@compiled
def places(form: Doubles) -> Doubles:
    """(F, 2): where each number of a form acts: at its node, its control point, or the middle of its arc."""
    at, after = nodes(form)
    found = np.empty((len(form), 2))
    for k in range(len(at)):
        i, j, size = at[k], after[k], node_size(form[at[k]])
        found[i : i + size] = form[i + 1 : i + 3]
        if size == 4 and j >= 0:
            found[i + 3] = 0.5 * (form[i + 1 : i + 3] + form[j + 1 : j + 3])
        elif size == 7:
            found[i + 3], found[i + 4] = form[i + 3 : i + 5], form[i + 3 : i + 5]
            found[i + 5], found[i + 6] = form[i + 5 : i + 7], form[i + 5 : i + 7]
    return found


@compiled
def arc_frame(bulge: float, u: float) -> tuple[float, float]:
    """Where an arc with the chord from (0, 0) to (1, 0) is at the share u of its sweep: (along, aside), aside
    being positive to the left of the way for a positive bulge, which on the screen is up."""
    if abs(bulge) < 1e-4:
        return u, 2 * bulge * u * (1 - u)
    half = 2 * atan(bulge)
    turn = (2 * u - 1) * half
    return 0.5 + sin(turn) / (2 * sin(half)), (cos(turn) - cos(half)) / (2 * sin(half))


@compiled
def point(form: Doubles, i: int, j: int, a: float, b: float, t: float) -> tuple[float, float]:
    """x and y (px) of the piece from the node at i to that at j, at t from 0 to 1."""
    x, y, kind = form[i + 1] * a, form[i + 2] * b, int(form[i]) % 4
    ex, ey = form[j + 1] * a, form[j + 2] * b
    if kind == 0:
        return x + t * (ex - x), y + t * (ey - y)
    if kind == 1:
        along, aside = arc_frame(form[i + 3], t)
        return x + along * (ex - x) + aside * (ey - y), y + along * (ey - y) - aside * (ex - x)
    s = 1 - t
    p, q, r, w = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
    return (
        p * x + q * form[i + 3] * a + r * form[i + 5] * a + w * ex,
        p * y + q * form[i + 4] * b + r * form[i + 6] * b + w * ey,
    )


@compiled
def pieces_of(form: Doubles, i: int, j: int, a: float, b: float, flat: float) -> int:
    """Straight pieces that tell the one from the node at i to that at j within `flat` px."""
    kind = int(form[i]) % 4
    if kind == 0:
        return 1
    ex, ey = (form[j + 1] - form[i + 1]) * a, (form[j + 2] - form[i + 2]) * b
    if kind == 1:
        bulge = abs(form[i + 3])
        chord = sqrt(ex * ex + ey * ey)
        radius = chord * (1 + bulge * bulge) / max(4 * bulge, 1e-9)
        step = sqrt(8 * flat / max(radius, flat))
        return min(max(int(4 * atan(bulge) / step) + 1, 1), 256)
    ux, uy = (
        (form[i + 1] - 2 * form[i + 3] + form[i + 5]) * a,
        (form[i + 2] - 2 * form[i + 4] + form[i + 6]) * b,
    )
    vx, vy = (
        (form[i + 3] - 2 * form[i + 5] + form[j + 1]) * a,
        (form[i + 4] - 2 * form[i + 6] + form[j + 2]) * b,
    )
    bend = sqrt(max(ux * ux + uy * uy, vx * vx + vy * vy))
    return min(max(int(sqrt(0.75 * bend / flat)) + 1, 2), 256)


@compiled
def flattened(form: Doubles, a: float, b: float, flat: float) -> tuple[Doubles, Indices, Doubles]:
    """Straight pieces x, y, x, y (S, 4) in px, the first nodes (S, 2) of the pieces that they are of with the
    nodes at their ends, and from where to where in it each goes (S, 2)."""
    at, after = nodes(form)
    # counted once: rounded otherwise, the same formula could give another number the second time
    sizes, total = np.zeros(len(at), np.int64), 0
    for k in range(len(at)):
        if after[k] >= 0:
            sizes[k] = pieces_of(form, at[k], after[k], a, b, flat)
            total += sizes[k]
    ends, which, share = np.empty((total, 4)), np.empty((total, 2), np.int64), np.empty((total, 2))
    count = 0
    for k in range(len(at)):
        if after[k] < 0:
            continue
        size = sizes[k]
        x, y = form[at[k] + 1] * a, form[at[k] + 2] * b
        for m in range(size):
            t = (m + 1) / size
            ex, ey = point(form, at[k], after[k], a, b, t)
            ends[count, 0], ends[count, 1], ends[count, 2], ends[count, 3] = x, y, ex, ey
            which[count, 0], which[count, 1] = at[k], after[k]
            share[count, 0], share[count, 1] = m / size, t
            x, y = ex, ey
            count += 1
    return ends, which, share


def bulge(sweep: float) -> float:
    """Of an arc that turns by so many radians, positive to the right."""
    return tan(sweep / 4)

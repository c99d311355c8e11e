"""Polycurves that change: told from another primitive's outline, bent, read backwards, joined, closed."""

from __future__ import annotations

import math

import numpy as np

from unrender.primitives.polycurve import (
    ARC,
    CLOSES,
    CUBIC,
    ENDS,
    FLAT,
    STRAIGHT,
    bulge,
    node_size,
    nodes,
    point,
)
from unrender.primitives.polycurve_field import beside, tangent
from unrender.primitives.protocol import Doubles
from unrender.primitives.vector import Path

LONG = 4.0  # px of a piece that can bend
FLATTEST = 0.02  # bulge of an arc that is one
SMOOTH = 0.2  # radians by which a corner turns at least


def from_outline(told: Path, pose: Doubles) -> Doubles:
    """The form, in px of the canvas, of any primitive's outline as SVG has it; a part of an ellipse becomes
    cubics."""
    a, b, cos, sin = float(pose[2]), float(pose[3]), math.cos(pose[4]), math.sin(pose[4])

    def put(x: float, y: float) -> tuple[float, float]:
        return pose[0] + cos * x * a - sin * y * b, pose[1] + sin * x * a + cos * y * b

    form: list[float] = []
    chain: list[list[float]] = []

    def finish(end: int) -> None:
        if chain and end == CLOSES and math.dist(chain[-1][1:3], chain[0][1:3]) < 1e-6 and len(chain) > 1:
            chain.pop()
        if chain:
            chain[-1][0] = chain[-1][0] % 4 + end if end == CLOSES else float(end)
            form.extend(number for node in chain for number in node)
        chain.clear()

    for kind, numbers in told:
        if kind == "Z":
            finish(CLOSES)
            continue
        x, y = put(*numbers[-2:])
        if kind == "M":
            finish(ENDS)
        elif kind == "C":
            chain[-1] = [CUBIC, *chain[-1][1:3], *put(*numbers[0:2]), *put(*numbers[2:4])]
        elif kind == "A":
            _bend(chain, numbers, a, b, (x, y), pose[4])
            continue
        chain.append([0.0, x, y])
    finish(ENDS)
    return np.array(form)


def _bend(
    chain: list[list[float]],
    numbers: tuple[float, ...],
    a: float,
    b: float,
    end: tuple[float, float],
    angle: float,
) -> None:
    """Bend the last piece of a chain to an arc that ends at a point (px), or to cubics."""
    rx, ry, large, sweep = numbers[0] * a, numbers[1] * b, numbers[2], numbers[3]
    start, turn = chain[-1][1:3], 1.0 if sweep else -1.0
    if math.isclose(rx, ry, rel_tol=0.02):
        chord = math.dist(start, end)
        half = math.asin(min(chord / (rx + ry), 1.0))
        chain[-1] = [ARC, *start, turn * math.tan((math.pi - half if large else half) / 2)]
        chain.append([0.0, *end])
        return
    cos, sin = math.cos(angle), math.sin(angle)

    def unit(x: float, y: float) -> Doubles:
        return np.array([(cos * x + sin * y) / rx, (cos * y - sin * x) / ry])

    p, q = unit(*start), unit(*end)
    middle, off = (p + q) / 2, (q - p) / 2
    length = float(np.hypot(*off))
    far = math.sqrt(max(1 - length * length, 0.0)) / max(length, 1e-12)
    side = 1.0 if bool(large) == bool(sweep) else -1.0
    centre = middle + side * far * np.array([off[1], -off[0]])
    first, last = (math.atan2(*(point - centre)[::-1]) for point in (p, q))
    span = (last - first) % math.tau if sweep else -((first - last) % math.tau)
    count = max(1, math.ceil(abs(span) / (math.pi / 2) - 1e-6))
    handle = 4 / 3 * math.tan(span / count / 4)

    def canvas(u: float, v: float) -> list[float]:
        u, v = u * rx, v * ry
        return [cos * u - sin * v, sin * u + cos * v]

    for k in range(count):
        t, w = first + span * k / count, first + span * (k + 1) / count
        (c, s), (d, u) = (math.cos(t), math.sin(t)), (math.cos(w), math.sin(w))
        x, y = centre
        one, two = (
            canvas(x + c - handle * s, y + s + handle * c),
            canvas(x + d + handle * u, y + u - handle * d),
        )
        chain[-1] = [CUBIC, *chain[-1][1:3], *one, *two]
        to = canvas(x + d, y + u) if k + 1 < count else list(end)
        chain.append([0.0, *to])


def bent(form: Doubles, x: Doubles, y: Doubles, reach: float, pieces: bool = True) -> Doubles:
    """A form (px of the canvas) that can bend where points (M,) lie beside it: corners no further than
    `reach` px from a point are rounded and, if pieces may change, straight ones become arcs, and arcs are cut
    in two."""
    at, after = nodes(form)
    hit = _beside(form, x, y) if pieces else {}
    before = {int(j): int(i) for i, j in zip(at, after, strict=True) if j >= 0}
    told: list[float] = []
    for i, j in zip(at.tolist(), after.tolist(), strict=True):
        code, here = int(form[i]), form[i + 1 : i + 3]
        kind, end = code % 4, code - code % 4
        near = bool((np.hypot(x - here[0], y - here[1]) < reach).any())
        if near and i in before and j >= 0:
            fillet, here = _rounded(form, before[i], i, j, reach)
            told += fillet
        long = j >= 0 and _chord(form, i, j) > LONG
        if kind == ARC and long and i in hit and abs(form[i + 3]) > FLATTEST:
            half = math.tan(math.atan(form[i + 3]) / 2)
            told += [ARC, *here, half, ARC + end, *point(form, i, j, 1.0, 1.0, 0.5), half]
        elif kind == STRAIGHT and long and hit.get(i, False):
            told += [ARC + end, *here, FLATTEST / 10]
        else:
            told += [code, *here, *form[i + 3 : i + node_size(form[i])]]
    return np.array(told)


def _beside(form: Doubles, x: Doubles, y: Doubles) -> dict[int, bool]:
    """The nodes of the pieces that points (M,) are nearest to, and whether one is nearest to the middle half
    of its piece."""
    piece, at = beside(form, x, y, FLAT)
    return {int(i): bool((np.abs(at[piece == i] - 0.5) < 0.25).any()) for i in np.unique(piece)}


def _rounded(form: Doubles, before: int, i: int, j: int, reach: float) -> tuple[list[float], Doubles]:
    """A node with an arc in place of the corner at the node i, and where that arc ends; no node and the
    corner itself if there is none to round."""
    here = form[i + 1 : i + 3]
    inward, outward = _leaving(form, before, i, 1.0), _leaving(form, i, j, 0.0)
    turn = math.atan2(inward[0] * outward[1] - inward[1] * outward[0], float(inward @ outward))
    radius = min(reach / 2, 0.4 * _chord(form, before, i), 0.4 * _chord(form, i, j))
    if abs(turn) < SMOOTH or radius < 0.3:
        return [], here
    return [ARC, *(here - radius * inward), bulge(turn)], here + radius * outward


def backwards(form: Doubles) -> Doubles:
    """An open chain, read from its other end."""
    at, _ = nodes(form)
    told: list[float] = []
    for k in range(len(at) - 1, -1, -1):
        x, y = form[at[k] + 1], form[at[k] + 2]
        if k == 0:
            told += [ENDS, x, y]
            continue
        i = int(at[k - 1])
        kind = int(form[i]) % 4
        more = (
            []
            if kind == 0
            else [-form[i + 3]]
            if kind == ARC
            else [*form[i + 5 : i + 7], *form[i + 3 : i + 5]]
        )
        told += [kind, x, y, *more]
    return np.array(told)


def is_open(form: Doubles) -> bool:
    """Whether a form is one open chain."""
    codes = form[nodes(form)[0]]
    return len(codes) > 1 and codes[-1] == ENDS and (codes >= CLOSES).sum() == 1


def ends(form: Doubles) -> tuple[Doubles, Doubles]:
    """Of an open chain x, y (2, 2) of its first and last node, and the unit vectors (2, 2) along which it
    leaves them."""
    at, after = nodes(form)
    first, last = int(at[0]), int(at[-2])
    place = np.array([form[first + 1 : first + 3], form[-2:]])
    ways = np.array([-_leaving(form, first, int(after[0]), 0.0), _leaving(form, last, int(after[-2]), 1.0)])
    return place, ways


def joined(one: Doubles, other: Doubles, where: Doubles) -> Doubles:
    """Two open chains, the second one going on where the first one ends, at a point (2,)."""
    told = one[:-3].tolist() + other.tolist()
    told[len(one) - 2], told[len(one) - 1] = where
    return np.array(told)


def closed_up(form: Doubles, where: Doubles) -> Doubles:
    """An open chain whose last node becomes its first one, at a point (2,)."""
    told = form[:-3].copy()
    last = int(nodes(form)[0][-2])
    told[last] = told[last] % 4 + CLOSES
    told[1], told[2] = where
    return told


def _chord(form: Doubles, i: int, j: int) -> float:
    return math.hypot(form[j + 1] - form[i + 1], form[j + 2] - form[i + 2])


def _leaving(form: Doubles, i: int, j: int, t: float) -> Doubles:
    """The unit vector along the piece from i to j at t."""
    return np.array(tangent(form, i, j, 1.0, 1.0, t))

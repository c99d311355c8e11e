"""path: a chain of straight, arc and cubic pieces, open or closed, painted inside or stroked, with holes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unrender.primitives.chains import is_polycurve
from unrender.primitives.evidence import Evidence, Line, Start
from unrender.primitives.polycurve import (
    ARC,
    CLOSES,
    CUBIC,
    ENDS,
    FLAT,
    Indices,
    bulge,
    coordinates,
    flattened,
    nodes,
    places,
    tidied,
)
from unrender.primitives.polycurve_field import distance
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import register
from unrender.primitives.regular import completed, corners_of, folded, motif_of, repeated
from unrender.primitives.regular import form_of as regular_form
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import Command, Path

SHORTEST = 0.05  # px of a piece
LEAST = 0.75  # px: half of the shortest side of a box
EXAMPLE = (0.0, -1.0, 1.0, 0.0, 0.0, -1.0, CLOSES, 1.0, 1.0)  # what is drawn if no form is told


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """From the nearest piece."""
    no, none = np.empty((0, 0), np.int64), np.empty((0, 0))
    for i in range(x.shape[0]):
        distance(own[i], a[i], b[i], x[i], y[i], signed[i], nx[i], ny[i], no, none)


def pulls(
    x: Doubles,
    y: Doubles,
    a: Doubles,
    b: Doubles,
    own: Doubles,
    signed: Doubles,
    nx: Doubles,
    ny: Doubles,
    which: Indices,
    pull: Doubles,
) -> None:
    """Only what tells the nearest piece moves the nearest point."""
    for i in range(x.shape[0]):
        distance(own[i], a[i], b[i], x[i], y[i], signed[i], nx[i], ny[i], which[i], pull[i])


def framed(form: Doubles, tau: float) -> tuple[Doubles, Doubles]:
    """The pose and the form of a polycurve told in px of the canvas: not turned, in the box that it fills."""
    form = tidied(form, SHORTEST)
    ends = flattened(form, 1.0, 1.0, FLAT)[0]
    corners = ends.reshape(-1, 2)
    low, high = corners.min(0), corners.max(0)
    centre, half = (low + high) / 2, np.maximum((high - low) / 2, LEAST)
    at, told = coordinates(form), form.copy()
    told[at], told[at + 1] = (form[at] - centre[0]) / half[0], (form[at + 1] - centre[1]) / half[1]
    return np.array([*centre, *half, 0.0, tau]), told


def placed(pose: Doubles, form: Doubles) -> Doubles:
    """The form in px of the canvas."""
    cos, sin = math.cos(pose[4]), math.sin(pose[4])
    at, told = coordinates(form), form.copy()
    u, v = form[at] * pose[2], form[at + 1] * pose[3]
    told[at], told[at + 1] = pose[0] + cos * u - sin * v, pose[1] + sin * u + cos * v
    return told


def canonical(pose: Doubles, form: Doubles) -> tuple[Doubles, Doubles]:
    """Not turned, in the box that it fills."""
    if not len(form):
        return pose, form
    return framed(placed(pose, form), float(pose[5]))


def outline(a: float, b: float, own: Sequence[float]) -> Path:
    """As SVG has it; arcs are circular in px."""
    form = np.array(own, float)
    told: list[Command] = []
    begins = True
    for i, j in zip(*(each.tolist() for each in nodes(form)), strict=True):
        if begins:
            told.append(("M", (form[i + 1], form[i + 2])))
        begins = int(form[i]) >= CLOSES
        if j < 0:
            continue
        kind, end = int(form[i]) % 4, (float(form[j + 1]), float(form[j + 2]))
        chord = math.hypot((end[0] - form[i + 1]) * a, (end[1] - form[i + 2]) * b)
        if kind == ARC and chord > 1e-6:
            bent = float(form[i + 3])
            radius = chord * (1 + bent * bent) / max(4 * abs(bent), 1e-9)
            told.append(("A", (radius / a, radius / b, float(abs(bent) > 1), float(bent > 0), *end)))
        elif kind == CUBIC:
            told.append(("C", (*form[i + 3 : i + 7].tolist(), *end)))
        elif int(form[i]) // 4 != 1:
            told.append(("L", end))
        if int(form[i]) // 4 == 1:
            told.append(("Z", ()))
    return tuple(told)


def freedom(pose: Doubles, form: Doubles) -> int:
    """Numbers of a form that can be chosen: all but the codes of its nodes; of what is regular, its centre
    and the corners that are repeated around it."""
    corners = corners_of(form, float(pose[2]), float(pose[3]))
    motif = 0 if corners is None else motif_of(corners)
    return 2 + 2 * motif if motif else len(form) - len(nodes(form)[0])


def alike(before: Doubles, its: Doubles, pose: Doubles, form: Doubles) -> tuple[Doubles, Doubles]:
    """A pose and a form, as regular as those before them."""
    told = corners_of(its, float(before[2]), float(before[3]))
    corners = corners_of(form, float(pose[2]), float(pose[3]))
    motif = 0 if told is None or corners is None else motif_of(told)
    if corners is None or not motif or len(corners) % motif:
        return pose, form
    return framed(regular_form(repeated(corners, motif) + pose[:2]), float(pose[5]))


def form_of(line: Line) -> Doubles:
    """The form (px of the canvas) of an outline or a centre line that was cut into straight pieces and
    arcs."""
    told: list[float] = []
    pieces = len(line.radius)
    if line.closed and pieces == 1:  # a circle: two halves
        r, (x, y) = float(line.radius[0]), line.centre[0]
        turn = math.copysign(1.0, r)
        return np.array([ARC, x - abs(r), y, turn, ARC + CLOSES, x + abs(r), y, turn])
    for k in range(pieces):
        bent = line.radius[k] != 0
        told += [ARC if bent else 0.0, *line.corner[k]]
        if line.closed and k + 1 == pieces:
            told[-3] += CLOSES
        if bent:
            told.append(bulge(math.copysign(min(line.sweep(k), 6.0), line.radius[k])))
    if not line.closed:
        told += [ENDS, *line.corner[-1]]
    return np.array(told)


def starts(evidence: Evidence) -> Sequence[Start]:
    """The outlines of a region, and the regular polygon that a part of one may belong to, painted inside; and
    every centre line of several pieces, stroked."""
    found = []
    if evidence.outlines:
        lines = [line for line in evidence.outlines if len(line.radius) > 2 or line.radius.any()]
        forms = [form_of(line) for line in lines]
        if forms:
            found.append(Start(*framed(np.concatenate(forms), 0.0), False, exact=True))
        if len(forms) > 1:  # its holes may be things that lie on it
            found.append(Start(*framed(forms[0], 0.0), False, exact=True))
        if len(lines) == 1:
            several = list(completed(lines[0]))
            star = None if several else folded(lines[0])
            regular = map(regular_form, several if star is None else [star])
            found += [Start(*framed(form, 0.0), False, exact=True) for form in regular]
    for line in evidence.strokes:
        if len(line.radius) > 1 and (len(line.radius) > 2 or line.radius.any() or not line.closed):
            told = form_of(line.rounded(evidence.width / 2))
            found.append(Start(*framed(told, evidence.width / 2), True, line, exact=True))
    return found


path = register(
    Primitive(
        "path",
        field,
        Symmetry(),
        stretches=False,
        formed=True,
        canonical=canonical,
        starts=starts,
        pulls=pulls,
        outline=outline,
        example=EXAMPLE,
        is_form=is_polycurve,
        freedom=freedom,
        alike=alike,
        places=places,
        along_longer=True,
    )
)

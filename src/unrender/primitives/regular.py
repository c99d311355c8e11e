"""Regular polygons: closed chains of straight sides that look the same when they are turned by a whole part
of a turn: a pentagon, a star, a cross.

A few corners in a row, the motif, are repeated around a centre: one of a pentagon, two of a star, three of a
cross. So they take less to say than the corners of any polygon, and a few visible ones tell the hidden ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from unrender.primitives.evidence import Line
from unrender.primitives.polycurve import CLOSES
from unrender.primitives.protocol import Doubles

MOTIF = 3  # corners of a motif, at most
TURNS = (3, 12)  # how often it may be repeated
CORNERS = 5  # of a regular polygon: with fewer it is a triangle or a square
OFF = 0.12  # radians by which the turn of a motif may differ from a whole part of a turn
APART = 0.08  # of the radius by which the centres that its corners tell may differ
SIDE = 0.3  # of the typical side: shorter ones are cut corners
EXACT = 1e-4  # of the radius by which the corners of what is regular may be off


def corners_of(form: Doubles, a: float, b: float) -> Doubles | None:
    """(N, 2) px: the corners of a form in the box with half sides a, b, if it is one closed chain of straight
    sides."""
    told = form.reshape(-1, 3) if len(form) % 3 == 0 else np.zeros((0, 3))
    if len(told) < CORNERS or told[:-1, 0].any() or told[-1, 0] != CLOSES:
        return None
    return told[:, 1:] * (a, b)


def form_of(corners: Doubles) -> Doubles:
    """The form (px) with these corners."""
    told = np.concatenate([np.zeros((len(corners), 1)), corners], 1)
    told[-1, 0] = CLOSES
    return told.ravel()


def motif_of(corners: Doubles) -> int:
    """How many corners (N, 2) are repeated around the centre of all; 0 if none are."""
    count, centre = len(corners), corners.mean(0)
    radius = float(np.hypot(*(corners - centre).T).max())
    for motif in range(1, min(MOTIF, count // TURNS[0]) + 1):
        if count % motif == 0:
            off = corners - repeated(corners, motif)
            if float(np.hypot(*off.T).max()) < EXACT * radius:
                return motif
    return 0


def repeated(corners: Doubles, motif: int) -> Doubles:
    """The regular polygon with as many corners (N, 2) that is nearest to one."""
    turns, centre = len(corners) // motif, corners.mean(0)
    turn = math.copysign(math.tau / turns, _area(corners))
    each = _complex(corners - centre).reshape(turns, motif)
    back = np.exp(-1j * turn * np.arange(turns))[:, None]
    nearest: Doubles = centre + _around((each * back).mean(0), turn, turns)
    return nearest


def completed(line: Line) -> Iterator[Doubles]:
    """Regular polygons (N, 2) px, some corners of which follow one another on an outline that others may hide
    a part of; those first that most corners agree with."""
    corners = _sharpened(line)
    if corners is None:
        return
    found: list[tuple[int, Doubles]] = []
    for motif in range(1, MOTIF + 1):
        run, polygon = _longest(corners, motif)
        if polygon is not None and all(run > more for more, _ in found):
            found.append((run, polygon))
    for _, polygon in sorted(found, key=lambda each: -each[0]):
        yield polygon


def _longest(corners: Doubles, motif: int) -> tuple[int, Doubles | None]:
    """How many corners in a row repeat a motif of so many, at most, and the polygon that they belong to."""
    count, at = len(corners), _complex(corners)
    side = np.roll(at, -1) - at
    turned = np.angle(side / np.roll(side, 1))  # at each corner
    sign = math.copysign(1.0, _area(corners))
    best, polygon = motif + 1, None
    for first in range(count):
        which = (first + np.arange(count)) % count
        turn = sign * float(turned[which[1 : motif + 1]].sum())
        turns = round(math.tau / turn) if turn > math.tau / (TURNS[1] + 1) else 0
        whole = turns * motif
        if not TURNS[0] <= turns <= TURNS[1] or whole < CORNERS or abs(turn - math.tau / turns) > OFF:
            continue
        step = np.exp(1j * sign * math.tau / turns)
        ahead = at[which]
        centres = (ahead[motif:] - step * ahead[:-motif]) / (1 - step)
        near = np.abs(centres - centres[0]) < APART * np.abs(ahead[:-motif] - centres[0])
        run = motif + (len(near) if near.all() else int(near.argmin()))
        run = min(run, whole)
        if run > best:
            centre = centres[: run - motif].mean()
            own = np.arange(run)
            back = (ahead[:run] - centre) * step ** -(own // motif).astype(float)
            mean = np.array([back[own % motif == k].mean() for k in range(motif)])
            around = _around(mean, sign * math.tau / turns, turns)
            best, polygon = run, around + np.array([centre.real, centre.imag])
    return best, polygon


def _sharpened(line: Line) -> Doubles | None:
    """(K, 2) px: where the long straight sides of a closed line meet, or would if no corner were cut."""
    if not line.closed:
        return None
    first, last = _complex(line.corner), np.roll(_complex(line.corner), -1)
    straight = line.radius == 0
    if straight.sum() < MOTIF:
        return None
    length = np.abs(last - first)
    long = straight & (length > SIDE * float(np.median(length[straight])))
    first, last = first[long], last[long]
    if len(first) < MOTIF:
        return None
    way = (last - first) / np.abs(last - first)
    before, gone = np.roll(way, 1), np.roll(last, 1)
    across = (np.conj(before) * way).imag
    parallel = np.abs(across) < OFF
    ahead = (np.conj(first - gone) * way).imag / np.where(parallel, 1.0, across)
    meet = np.where(parallel, first, gone + ahead * before)
    return np.stack([meet.real, meet.imag], 1)


def _around(motif: Doubles, turn: float, turns: int) -> Doubles:
    """(N, 2): corners (complex, from the centre) repeated around it."""
    every = (np.exp(1j * turn * np.arange(turns))[:, None] * motif).ravel()
    return np.stack([every.real, every.imag], 1)


def _complex(corners: Doubles) -> Doubles:
    told: Doubles = corners[:, 0] + 1j * corners[:, 1]
    return told


def _area(corners: Doubles) -> float:
    """Positive if they go to the right."""
    x, y = corners.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())

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
FOLDED = 0.7  # px by which the points of an outline may be off where all sides of a star lie on one another
MIDDLE = (0.2, 0.8)  # of a side: at its ends corners are cut, and small tips fade
STRETCHED = 1.5  # of the distance of the furthest point: tips do not fade more
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


def folded(line: Line) -> Doubles | None:
    """The star or regular polygon (N, 2) px that all of a closed line goes round, however its corners are
    cut: folded at its axes of symmetry, all its sides lie on one another."""
    if not line.closed or len(line.x) < 2 * CORNERS:
        return None
    at = line.x + 1j * line.y
    step, centre = np.abs(np.roll(at, -1) - at), _centre(at)
    turns = np.arange(TURNS[0], TURNS[1] + 1)[:, None]
    half, out = math.pi / turns, at - centre
    tips = (np.abs(out) * step * np.exp(-1j * turns * np.angle(out))).sum(1, keepdims=True)
    first = -np.angle(tips) / turns
    beside = np.abs((np.angle(out) - first + half) % (2 * half) - half)  # radians from the nearest tip
    weight = step * ((beside > MIDDLE[0] * half) & (beside < MIDDLE[1] * half))
    weight /= np.maximum(weight.sum(1, keepdims=True), 1e-9)
    side = np.abs(out) * np.exp(1j * beside)
    mean = (weight * side).sum(1, keepdims=True)
    away = side - mean
    way = np.exp(0.5j * np.angle((weight * away**2).sum(1, keepdims=True)))  # along the side
    off = np.sqrt((weight * (np.conj(way) * away).imag ** 2).sum(1))
    high = (np.conj(way) * mean).imag
    with np.errstate(divide="ignore", invalid="ignore"):
        tip, notch = (high / (np.conj(way) * corner).imag for corner in (1.0, np.exp(1j * half)))
    blunt = np.cos(half) * tip  # where the middle of a side would be, if it were a polygon
    star = (notch > 0) & (2 * notch < tip + blunt) & (tip < STRETCHED * np.abs(out).max())
    off = np.where(star[:, 0] & (weight.sum(1) > 0), off, np.inf)
    best = int(off.argmin())
    if off[best] > FOLDED:
        return None
    count, radius, angle = int(turns[best, 0]), float(tip[best, 0]), float(half[best, 0])
    motif = [radius, float(notch[best, 0]) * np.exp(1j * angle)]
    if radius * math.cos(angle) - notch[best, 0] < FOLDED:
        motif = [radius]
    if len(motif) * count < CORNERS:
        return None
    around = _around(np.array(motif) * np.exp(1j * first[best, 0]), 2 * angle, count)
    polygon: Doubles = around + np.array([centre.real, centre.imag])
    return polygon


def _centre(at: Doubles) -> complex:
    """The centre of what a closed line (complex) goes round."""
    out = at - at[0]
    ahead = np.roll(out, -1)
    area = (np.conj(out) * ahead).imag
    return complex(at[0] + ((out + ahead) * area).sum() / (3 * (area.sum() or 1.0)))


def _longest(corners: Doubles, motif: int) -> tuple[int, Doubles | None]:
    """How many corners in a row repeat a motif of so many, at most, and the polygon that they belong to."""
    count, at = len(corners), _complex(corners)
    side = np.roll(at, -1) - at
    turned = np.angle(side * np.conj(np.roll(side, 1)))  # at each corner
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

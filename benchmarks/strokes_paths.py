"""Path data of SVG: read into straight and cubic pieces, and laid out as lines of points."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError

Floats = NDArray[np.float64]
Affine = NDArray[np.float64]
"""(2, 3): a point p becomes A[:, :2] @ p + A[:, 2]."""

IDENTITY: Affine = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
FINE = 0.05  # px between the points of a curve, and between those that distances are measured to
COARSEST = 7  # points at least of every curve, its ends included
STEP = 0.25  # px between the points whose distances count
TURN = 20.0  # degrees: where a line turns by more, it has a corner
MEETS = 0.02  # in units of the drawing: ends that lie as close are one point
ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
NUMBER = re.compile(r"[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
FLAG = re.compile(r"[\s,]*([01])")
COMMAND = re.compile(r"[\s,]*([MmLlHhVvCcSsQqTtAaZz])")


@dataclass(frozen=True)
class Subpath:
    """What one pen-down draws: each piece is (2, 2), its ends, or (4, 2), the control points of a cubic."""

    pieces: tuple[Floats, ...]
    closed: bool
    numbers: int  # of the path data that tell it

    @property
    def length(self) -> float:
        """Of the control polygons: at least that of the line."""
        return float(sum(np.hypot(*np.diff(piece, axis=0).T).sum() for piece in self.pieces))


@dataclass(frozen=True)
class Line:
    """A line in px: its points lie on it, corners among them; a closed one ends where it begins."""

    points: Floats  # (N, 2)
    closed: bool
    corners: Floats  # (M, 2): where it turns sharply, and where it ends

    @property
    def length(self) -> float:
        return float(np.hypot(*np.diff(self.points, axis=0).T).sum())

    def along(self, step: float = STEP) -> Floats:
        """(N, 2): points at equal distances, each of which stands for as much of the line."""
        gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(self.points, axis=0).T))])
        count = max(1, round(gone[-1] / step))
        at = (np.arange(count) + 0.5) * gone[-1] / count
        return np.stack([np.interp(at, gone, self.points[:, k]) for k in (0, 1)], axis=1)

    def dense(self, step: float = FINE) -> Floats:
        """(N, 2): the points, and between them as many as needed to have one every `step` px."""
        starts, ends = self.points[:-1], self.points[1:]
        counts = np.maximum(1, np.ceil(np.hypot(*(ends - starts).T) / step)).astype(int)
        which = np.repeat(np.arange(len(counts)), counts)
        share = (np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[which]
        between = starts[which] + share[:, None] * (ends - starts)[which]
        return np.concatenate([between, self.points[-1:]])


def commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Letter and numbers of each command; those of a letter that is not repeated too."""
    at, letter = 0, ""
    while at < len(data.rstrip(" \t\r\n,")):
        found = COMMAND.match(data, at)
        if found:
            letter, at = found[1], found.end()
        elif letter in "Zz":
            raise UnrenderError(f'This is not path data of SVG: "{data[:40]}".')
        values = []
        for k in range(ARGUMENTS[letter.upper()]):
            token = (FLAG if letter in "Aa" and k in (3, 4) else NUMBER).match(data, at)
            if token is None:
                raise UnrenderError(f'This is not path data of SVG: "{data[:40]}".')
            values.append(float(token[1]))
            at = token.end()
        yield letter, values
        letter = {"M": "L", "m": "l"}.get(letter, letter)


def subpaths(data: str) -> list[Subpath]:
    """All that path data draws; a subpath of no length that is not closed draws nothing."""
    found: list[Subpath] = []
    pieces: list[Floats] = []
    here = start = np.zeros(2)
    control, before, numbers = here, "", 0

    def end(closed: bool) -> None:
        nonlocal pieces, numbers
        if pieces:
            meets = closed or (len(pieces) > 1 and bool(np.hypot(*(here - start)) < MEETS))
            found.append(Subpath(tuple(pieces), meets, numbers))
            pieces, numbers = [], 0

    for letter, values in commands(data):
        kind, base = letter.upper(), here if letter.islower() else np.zeros(2)
        if kind == "M":
            end(False)
            numbers += len(values)
            here = start = base + values
        elif kind == "Z":
            if np.hypot(*(here - start)) > 1e-9:
                pieces.append(np.array([here, start]))
            here = start
            end(True)
        else:
            numbers += len(values)
            again = before in {"S": "CS", "T": "QT"}.get(kind, "-") if before else False
            mirrored = 2 * here - control if again else here
            new, control = _pieces(kind, values, base, here, mirrored)
            pieces += new
            here = new[-1][-1]
        before = kind
    end(False)
    return found


def _pieces(
    kind: str, values: Sequence[float], base: Floats, here: Floats, mirrored: Floats
) -> tuple[list[Floats], Floats]:
    """What a command draws from `here`, and the control point that the next one may mirror."""
    if kind == "A":
        rx, ry, degrees, large, sweep = values[:5]
        drawn = arc(here, base + values[5:], rx, ry, degrees, bool(large), bool(sweep))
        return drawn, drawn[-1][-1]
    if kind in "HV":
        goal = here.copy()
        goal["HV".index(kind)] = base["HV".index(kind)] + values[0]
        return [np.array([here, goal])], goal
    given = base + np.reshape(values, (-1, 2))
    if kind == "L":
        return [np.array([here, given[0]])], given[0]
    if kind in "ST":
        given = np.concatenate([mirrored[None], given])
    if kind in "QT":
        middle, goal = given
        leaves, comes = (end + 2 / 3 * (middle - end) for end in (here, goal))
        return [np.array([here, leaves, comes, goal])], middle
    return [np.array([here, *given])], given[1]


def arc(
    start: Floats, goal: Floats, rx: float, ry: float, degrees: float, large: bool, sweep: bool
) -> list[Floats]:
    """A part of an ellipse as cubics of at most 30 degrees, which miss it by less than a millionth."""
    if min(abs(rx), abs(ry)) == 0 or np.allclose(start, goal, atol=1e-12):
        return [np.array([start, goal])]
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    unit = np.array([[cos, -sin], [sin, cos]]) * (abs(rx), abs(ry))
    p, q = np.linalg.solve(unit, np.stack([start, goal], axis=1)).T
    half = (q - p) / 2
    length = float(np.hypot(*half))
    if length > 1:  # the radii are too small: the smallest ellipse that reaches
        unit, p, q, half, length = unit * length, p / length, q / length, half / length, 1.0
    off = math.sqrt(max(0.0, 1 - length**2)) / length * (-1 if large == sweep else 1)
    centre = (p + q) / 2 + off * np.array([-half[1], half[0]])
    first, last = (math.atan2(*(point - centre)[::-1]) for point in (p, q))
    span = (last - first) % math.tau if sweep else -((first - last) % math.tau)
    count = max(1, math.ceil(abs(span) / math.radians(30)))
    angles = first + span * np.arange(count + 1) / count
    reach = 4 / 3 * math.tan(span / count / 4)
    found = []
    for a, b in pairwise(angles):
        (ca, sa), (cb, sb) = (math.cos(a), math.sin(a)), (math.cos(b), math.sin(b))
        leaves, comes = (ca - reach * sa, sa + reach * ca), (cb + reach * sb, sb - reach * cb)
        found.append((np.array([(ca, sa), leaves, comes, (cb, sb)]) + centre) @ unit.T)
    found[0][0], found[-1][-1] = start, goal
    return found


def laid(subpath: Subpath, affine: Affine = IDENTITY) -> Line:
    """A subpath in px, transformed."""
    pieces = [piece @ affine[:, :2].T + affine[:, 2] for piece in subpath.pieces]
    return Line(points(pieces), subpath.closed, _corners(pieces, subpath.closed))


def points(pieces: Sequence[Floats], fine: float = FINE) -> Floats:
    """(N, 2): along pieces, `fine` px apart where they bend."""
    rows = [pieces[0][:1]]
    for piece in pieces:
        if len(piece) == 2:
            rows.append(piece[1:])
            continue
        length = np.hypot(*np.diff(piece, axis=0).T).sum()
        t = np.linspace(0, 1, max(COARSEST, math.ceil(length / fine) + 1))[1:, None]
        weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
        rows.append(weights @ piece)
    return np.concatenate(rows)


def _corners(pieces: Sequence[Floats], closed: bool) -> Floats:
    """(M, 2): where the direction changes by more than TURN, and the ends of what is open."""
    real = [piece for piece in pieces if np.abs(np.diff(piece, axis=0)).max() > 1e-9]
    if not real:
        return np.asarray(pieces[0][:1])
    found = [] if closed else [real[0][0], real[-1][-1]]
    after = real[1:] + (real[:1] if closed else [])
    for piece, other in zip(real, after, strict=False):
        a, b = _direction(piece[::-1]) * -1, _direction(other)
        if math.degrees(math.acos(float(np.clip(a @ b, -1, 1)))) > TURN:
            found.append(other[0])
    return np.array(found).reshape(-1, 2)


def _direction(piece: Floats) -> Floats:
    """The unit vector in which a piece leaves its first point."""
    away = piece[1:] - piece[0]
    far = np.hypot(*away.T)
    first = int(np.argmax(far > 1e-9))
    return np.asarray(away[first] / max(far[first], 1e-12))

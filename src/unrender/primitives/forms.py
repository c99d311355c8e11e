"""Comparing forms: the pose that lays one line upon another, by the points along both.

Where a line begins, which way it is read and how many pieces tell it make no difference (iterated closest
points, from several turns).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled

Doubles = NDArray[np.float64]

POINTS = 48  # along each line
STARTS = 24  # turns from which the nearest one is looked for
REFINED = 3  # of them
STEPS = 15
MOST = 0.3  # of one step: shares of the spread, logs of the sides, radians
SLIDING = 0.2  # what a distance along the line counts, if one across it counts 1
STIFF = 0.02  # spreads that a change of the proportions by e costs every point
WINDOW = 0.04  # of the longer side: lines this far apart (root mean square) agree by 1/e
ORDERS = (6, 5, 4, 3, 2)  # of the symmetry of a form
ALIKE = 0.15  # bits: a turn that leaves no more is a symmetry


@dataclass(frozen=True, eq=False)
class Curve:
    """Lines as points (N, 2) at even distances, and as straight pieces from (S, 2) to (S, 2)."""

    points: Doubles
    first: Doubles
    last: Doubles

    @classmethod
    def of(cls, lines: Sequence[Doubles], closed: Sequence[bool]) -> Curve:
        """Of the corners (N, 2) of each line, and whether it closes."""
        whole = [
            np.concatenate([line, line[:1]]) if closes else line
            for line, closes in zip(lines, closed, strict=True)
        ]
        first, last = (np.concatenate([line[k : len(line) - 1 + k] for line in whole]) for k in (0, 1))
        length = np.hypot(*(last - first).T)
        end = length.cumsum()
        way = np.linspace(0, end[-1], POINTS)
        at = np.searchsorted(end, way).clip(max=len(length) - 1)
        share = 1 - (end[at] - way) / length[at].clip(1e-12)
        return cls(first[at] + share[:, None] * (last[at] - first[at]), first, last)

    def nearest(self, points: Doubles) -> tuple[Doubles, Doubles]:
        """The nearest point (M, 2) to each, and the unit vector (M, 2) along the line there."""
        return _nearest(*map(np.ascontiguousarray, (points, self.first, self.last)))

    @property
    def spread(self) -> float:
        """The root mean square distance from its middle."""
        return math.sqrt(float(((self.points - self.points.mean(0)) ** 2).sum(1).mean()))


@dataclass(frozen=True, eq=False)
class Lay:
    """Where a line is put: stretched by `sides` (2,), turned by `turn` (radians), moved to `place` (2,)."""

    place: Doubles
    sides: Doubles
    turn: float

    def __call__(self, points: Doubles) -> Doubles:
        put: Doubles = _turned(points * self.sides, self.turn) + self.place
        return put

    def back(self, points: Doubles) -> Doubles:
        """The other way round."""
        own: Doubles = _turned(points - self.place, -self.turn) / self.sides
        return own

    def curve(self, other: Curve) -> Curve:
        """A line, put there."""
        return Curve(self(other.points), self(other.first), self(other.last))


def laid(one: Curve, other: Curve) -> tuple[Lay, float]:
    """How `other` comes nearest to `one`, and the root mean square distance that is left."""
    scale = one.spread / max(other.spread, 1e-12)
    middle, to = other.points.mean(0), one.points.mean(0)
    tried = []
    for turn in np.arange(STARTS) * (2 * math.pi / STARTS):
        lay = Lay(to - _turned(middle * scale, turn), np.full(2, scale), float(turn))
        tried.append((_apart(one, lay.curve(other)), lay))
    tried.sort(key=lambda each: each[0])
    found = []
    for _, lay in tried[:REFINED]:
        for _ in range(STEPS):
            lay = _nearer(one, other, lay)
        found.append((_apart(one, lay.curve(other)), lay))
    apart, best = min(found, key=lambda each: each[0])
    return replace(best, turn=math.remainder(best.turn, 2 * math.pi)), apart


def bits_apart(apart: float, side: float) -> float:
    """The bits that lines of this longer side (px) leave if they are so far apart: 2**-bits is the window."""
    return (apart / (WINDOW * max(side, 1e-12))) ** 2 / math.log(2)


def order(line: Curve, side: float) -> int:
    """How often a line of this longer side looks the same in a full turn."""
    centre = line.points.mean(0)
    for often in ORDERS:
        turn = 2 * math.pi / often
        turned = Lay(centre - _turned(centre, turn), np.ones(2), turn).curve(line)
        if bits_apart(_apart(line, turned), side) < ALIKE:
            return often
    return 1


def _nearer(one: Curve, other: Curve, lay: Lay) -> Lay:
    """One Gauss-Newton step that brings each point to the nearest of the other line, both ways; along the
    line, where the nearest point soon is another one, it counts less than across it."""
    here = lay.curve(other)
    feet, way = one.nearest(here.points)
    other_feet, other_way = here.nearest(one.points)
    put = np.concatenate([here.points, other_feet])
    off = put - np.concatenate([feet, one.points])
    along = np.concatenate([way, other_way])
    arm, size, count = put - lay.place, one.spread, len(put)
    wide = _turned(lay.back(put) * (lay.sides[0], 0.0), lay.turn)
    turning = np.stack([-arm[:, 1], arm[:, 0]], 1)
    shift = np.broadcast_to(size * np.eye(2), (count, 2, 2))
    slopes = np.concatenate([shift, np.stack([wide, arm - wide, turning], -1)], -1)  # (K, 2, 5)
    across = np.stack([-along[:, 1], along[:, 0]], 1)
    weights = np.concatenate([across[:, None], SLIDING * along[:, None]], 1)  # (K, 2, 2)
    J = (weights @ slopes).reshape(-1, 5)
    r = (weights @ off[..., None]).reshape(-1)
    stiff = STIFF * size * math.sqrt(count)
    J = np.concatenate([J, [[0.0, 0.0, stiff, -stiff, 0.0]]])
    r = np.append(r, stiff * math.log(lay.sides[0] / lay.sides[1]))
    move = np.linalg.solve(J.T @ J + 1e-6 * count * size**2 * np.eye(5), -J.T @ r).clip(-MOST, MOST)
    return Lay(lay.place + size * move[:2], lay.sides * np.exp(move[2:4]), lay.turn + float(move[4]))


@compiled
def _nearest(points: Doubles, first: Doubles, last: Doubles) -> tuple[Doubles, Doubles]:
    """The points (M, 2) of pieces from (S, 2) to (S, 2) that are nearest to some, and their directions."""
    feet, way = np.zeros(points.shape), np.zeros(points.shape)
    for i in range(len(points)):
        least = np.inf
        for k in range(len(first)):
            ax, ay = last[k, 0] - first[k, 0], last[k, 1] - first[k, 1]
            dx, dy = points[i, 0] - first[k, 0], points[i, 1] - first[k, 1]
            square = ax * ax + ay * ay
            share = min(1.0, max(0.0, (dx * ax + dy * ay) / max(square, 1e-18)))
            x, y = first[k, 0] + share * ax, first[k, 1] + share * ay
            far = (points[i, 0] - x) ** 2 + (points[i, 1] - y) ** 2
            if far < least:
                least, long = far, max(math.sqrt(square), 1e-12)
                feet[i, 0], feet[i, 1] = x, y
                way[i, 0], way[i, 1] = ax / long, ay / long
    return feet, way


def _turned(points: Doubles, turn: float) -> Doubles:
    cos, sin = math.cos(turn), math.sin(turn)
    out: Doubles = points @ np.array([[cos, sin], [-sin, cos]])
    return out


def _apart(one: Curve, other: Curve) -> float:
    """The root mean square distance to the other line, the larger of both ways."""
    ways = ((a.points, b.nearest(a.points)[0]) for a, b in ((one, other), (other, one)))
    return math.sqrt(max(float(((p - q) ** 2).sum(1).mean()) for p, q in ways))

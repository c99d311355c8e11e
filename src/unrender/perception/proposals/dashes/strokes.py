"""Strokes through a row of dashes: an edge, an arc, a ring or a path, with its dash and period."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from unrender.perception.outlines.clues import line_of
from unrender.perception.outlines.cut import cut
from unrender.perception.proposals.dashes.rows import FEWEST, OFF, Piece, colour_of, width_of
from unrender.perception.refine.caps import ROUND
from unrender.primitives.path import form_of, framed
from unrender.primitives.protocol import Doubles
from unrender.primitives.registry import find
from unrender.render.shape import Shape

STRAY = 0.4  # px by which its ends may lie off the line
STEP = 1.0  # px between the points by which it is cut into pieces
ERRORS = (0.05, 0.15)  # px: their standard errors on a dash, and in a gap


def strokes_of(row: list[Piece], closes: bool) -> Iterator[Shape]:
    """The dashed strokes that pieces in a row may be, with round and with straight ends."""
    lengths = np.array([piece.length for piece in row])
    usual = float(np.median(lengths))
    whole = np.abs(lengths - usual) < 2 * OFF
    if closes:
        if whole.all():
            yield from _rings(row)
        return
    if not whole[1:-1].all():
        return
    if not whole[0]:
        row, whole = [piece.turned() for piece in row[::-1]], whole[::-1]
    if not whole[0]:  # cut at both ends: the first piece stays by itself
        row, whole = row[1:], whole[1:]
    if len(row) < FEWEST:
        return
    points = np.concatenate([[piece.first, piece.last] for piece in row])
    yield from _edges(row, points, usual)
    yield from _arcs(row, points, usual)
    yield from _paths(row, points, usual)


def _edges(row: Sequence[Piece], points: Doubles, usual: float) -> Iterator[Shape]:
    middle = points.mean(0)
    way = np.linalg.svd(points - middle, full_matrices=False)[2][0]
    if (points[-1] - points[0]) @ way < 0:
        way = -way
    along, across = (points - middle) @ way, (points - middle) @ np.array([-way[1], way[0]])
    if np.abs(across).max() > STRAY:
        return
    told, half = Dashes.of(along), width_of(row)
    for cap in (0.0, 1.0):
        own = None if told is None else told.ended(cap * half)
        if own is not None:
            x, y = middle + way * own.middle
            pose = [x, y, own.length / 2 + cap * half, half, math.atan2(way[1], way[0]), 0.0, cap]
            yield Shape(find("edge"), np.array(pose), colour_of(row), None, dashes=own.shares)


def _arcs(row: Sequence[Piece], points: Doubles, usual: float) -> Iterator[Shape]:
    """Arcs go clockwise: a row that does not is read from its other end."""
    fit = _circle(row)
    if fit is None:
        return
    x, y, radius = fit
    turn = np.unwrap(np.arctan2(points[:, 1] - y, points[:, 0] - x))
    if turn[-1] < turn[0]:
        turn = turn[::-1].copy()
        if abs(row[-1].length - usual) > 2 * OFF:
            return
    told, half = Dashes.of(turn * radius), width_of(row)
    for butt in (False, True):
        own = None if told is None else told.ended(0.0 if butt else half)
        if own is not None and own.length < math.tau * radius:
            start, sweep = own.begin / radius / math.tau, own.length / radius / math.tau
            pose = np.array([x, y, radius, radius, 0.0, half, start % 1, sweep])
            yield Shape(find("arc"), pose, None, colour_of(row), dashes=own.shares, butt=butt)


def _rings(row: list[Piece]) -> Iterator[Shape]:
    """A whole circle of dashes."""
    points = np.concatenate([[piece.first, piece.last] for piece in row])
    fit = _circle(row)
    if fit is None:
        return
    x, y, radius = fit
    turn = np.unwrap(np.arctan2(points[:, 1] - y, points[:, 0] - x))
    if turn[-1] < turn[0]:
        turn = turn[::-1].copy()
    step, half = math.tau * radius / len(row), width_of(row)
    told = Dashes.of(turn * radius)
    if told is None or abs(told.step - step) * len(row) > 2 * OFF:
        return
    for butt in (False, True):
        own = told.ended(0.0 if butt else half)
        if own is not None:
            pose = np.array([x, y, radius, radius, own.begin / radius, half])
            shares = (own.dash / step, 1 / len(row))
            yield Shape(find("circle"), pose, None, colour_of(row), dashes=shares, butt=butt)


def _paths(row: Sequence[Piece], points: Doubles, usual: float) -> Iterator[Shape]:
    """A line of straight pieces and arcs through all of a row."""
    x, y, error = _between(points)
    pieces = cut(x, y, error, np.array([0, len(x)]), np.array([False]))
    line, half = line_of(x, y, error, pieces, 0, 0), width_of(row)
    if not 1 < len(line.radius) <= len(row):
        return
    told = Dashes.of(np.concatenate([[0.0], np.hypot(*np.diff(points, axis=0).T).cumsum()]))
    for butt in (False, True):
        own = None if told is None else told.ended(0.0 if butt else half)
        if own is not None:
            short = 0.0 if butt else -ROUND * half  # round ends reach beyond it
            pose, form = framed(form_of(line.extended(short, short)), half)
            yield Shape(find("path"), pose, None, colour_of(row), form, dashes=own.shares, butt=butt)


def _between(points: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """x, y and standard error (M,) of points about STEP px apart along a row whose dashes begin and end at
    points (2 K, 2): in the gaps between dashes they are not as sure."""
    found = []
    for n, (one, other) in enumerate(pairwise(points)):
        share = (
            np.arange(max(round(math.dist(one, other) / STEP), 1)) * STEP / max(math.dist(one, other), STEP)
        )
        place = one + share[:, None] * (other - one)
        found.append(np.column_stack([place, np.full(len(share), ERRORS[n % 2])]))
    x, y, error = np.concatenate([*found, [[*points[-1], ERRORS[0]]]]).T.copy()
    return x, y, error


@dataclass(frozen=True)
class Dashes:
    """Even dashes along a line, in px."""

    begin: float
    length: float  # from the beginning of the first to the end of the last, which may be cut
    dash: float
    step: float

    @classmethod
    def of(cls, along: Doubles) -> Dashes | None:
        """From where each dash begins and ends (2 K,); None if they are not even."""
        begins, stops, n = along[::2], along[1::2], np.arange(len(along) // 2)
        step, begin = (float(number) for number in np.polyfit(n, begins, 1))
        dash = float(np.median(stops - begins))
        found = cls(begin, float(stops[-1]) - begin, dash, step)
        even = np.abs(begins - begin - step * n).max() < OFF
        return found if even and np.abs(stops - begins - dash)[:-1].max() < 2 * OFF else None

    def ended(self, half: float) -> Dashes | None:
        """The same painted with round ends of half this width; None if that cannot be."""
        short = ROUND * half
        dash = self.dash - 2 * short
        if not -OFF < dash < self.step:
            return None
        return Dashes(self.begin + short, self.length - 2 * short, max(dash, 0.0), self.step)

    @property
    def middle(self) -> float:
        return self.begin + self.length / 2

    @property
    def shares(self) -> tuple[float, float]:
        """As shapes tell them."""
        return self.dash / self.step, min(self.step / self.length, 1.0)


def _circle(row: Sequence[Piece]) -> tuple[float, float, float] | None:
    """Centre and radius (px) of the circle on which pieces lie, if they do."""
    points = np.concatenate([piece.on for piece in row])
    if len(points) < 3:
        return None
    system = np.hstack([2 * points, np.ones((len(points), 1))])
    (x, y, rest), *_ = np.linalg.lstsq(system, (points**2).sum(1), rcond=None)
    radius = math.sqrt(max(float(rest + x * x + y * y), 0.0))
    off = np.abs(np.hypot(points[:, 0] - x, points[:, 1] - y) - radius)
    return None if radius < 1 or off.max() > STRAY else (float(x), float(y), radius)

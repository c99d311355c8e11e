"""Strokes through a row of dashes: an edge, an arc, a ring or a path, with its dash and period."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from unrender.perception.proposals.dashes.rows import FEWEST, OFF, Piece, colour_of, width_of
from unrender.perception.refine.caps import ROUND
from unrender.primitives.path import framed
from unrender.primitives.polycurve import ENDS
from unrender.primitives.protocol import Doubles
from unrender.primitives.registry import find
from unrender.render.shape import Shape

STRAY = 0.4  # px by which its ends may lie off the line


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
    """A line of straight pieces through all of a row, with a corner wherever it is needed."""
    kept = _corners(points, STRAY)
    if len(kept) < 3 or len(kept) > len(row):
        return
    told = Dashes.of(np.concatenate([[0.0], np.hypot(*np.diff(points, axis=0).T).cumsum()]))
    half = width_of(row)
    for butt in (False, True):
        own = None if told is None else told.ended(0.0 if butt else half)
        if own is None:
            continue
        line = points[kept]
        for end, beside in ((0, 1), (-1, -2)):  # round ends reach beyond it
            way = line[end] - line[beside]
            line[end] -= way * ((0.0 if butt else ROUND * half) / max(float(np.hypot(*way)), 1e-9))
        form = np.concatenate([[0.0, *point] for point in line])
        form[-3] = ENDS
        pose, form = framed(form, half)
        yield Shape(find("path"), pose, None, colour_of(row), form, dashes=own.shares, butt=butt)


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


def _corners(points: Doubles, tolerance: float) -> list[int]:
    """Indices of the points (N, 2) between which all others lie on straight lines (Douglas and Peucker)."""
    kept, waiting = {0, len(points) - 1}, [(0, len(points) - 1)]
    while waiting:
        first, last = waiting.pop()
        way = points[last] - points[first]
        normal = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-9)
        off = np.abs((points[first + 1 : last] - points[first]) @ normal)
        if len(off) and off.max() > tolerance:
            worst = first + 1 + int(off.argmax())
            kept.add(worst)
            waiting += [(first, worst), (worst, last)]
    return sorted(kept)

"""Joints: parts of a whole that turn about a point as one of its own attributes grows.

An arm that is raised goes along an arc, which no line between two examples tells. From one example and the
rest the pivot follows; further ones say how the angle goes with the attribute. Which of the turns that look
alike it was is told by the pivot: it is the same in all examples, and lies on the part or close to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from unrender.capsules.gamma import rotation_matrix
from unrender.capsules.poses import HEIGHT, ROTATION, WIDTH, Floats, X, Y, wrapped

SHOWN = 0.05  # of an attribute: what shows less is at rest
LEAST = 15.0  # degrees: what turns by less goes along a line as well
CLOSE = 0.05  # mean sides of the whole by which the examples of one joint may miss their pivot
FAR = 1.2  # half diagonals of the part: a pivot that lies further off is none
STEPS = 201  # values that are tried to read one
CAPPED = 9.0  # squared windows: a part that is off by more is off for another reason
MOST = 4  # examples from which the turns are made out


@dataclass(frozen=True, eq=False)
class Joint:
    """Part `part` turns about `pivot` (2,) by `angles` (K,) degrees at `values` (K,) of attribute `own`."""

    part: int
    own: int
    pivot: Floats  # in mean sides of the whole
    start: Floats  # (3,): place and rotation at rest
    values: Floats
    angles: Floats

    def angle(self, value: Floats) -> Floats:
        """Degrees at values (...); past the last example the angle goes on as between the last two."""
        last = (self.angles[-1] - self.angles[-2]) / (self.values[-1] - self.values[-2])
        beyond = np.maximum(value - self.values[-1], 0.0) * last
        angle: Floats = np.interp(value, self.values, self.angles) + beyond
        return angle

    def pose(self, value: Floats) -> tuple[Floats, Floats, Floats]:
        """x, y in mean sides and rotation in degrees at values (...)."""
        angle = self.angle(value)
        cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        dx, dy = self.start[:2] - self.pivot
        return (
            self.pivot[0] + cos * dx - sin * dy,
            self.pivot[1] + sin * dx + cos * dy,
            self.start[2] + angle,
        )


def find_joints(own: Floats, rows: Floats, periods: Floats) -> tuple[Joint, ...]:
    """The joints in examples with own attributes (E, N) and parts (E, P, 5): places in mean sides, log sides,
    degrees. periods (P,): degrees after which each part looks the same, 0 for any turn."""
    found = []
    for k in range(own.shape[1]):
        others = np.delete(own, k, axis=1)
        alone = (others < SHOWN).all(1)
        rest, moved = alone & (own[:, k] < SHOWN), np.flatnonzero(alone & (own[:, k] >= SHOWN))
        if not rest.any() or not len(moved):
            continue
        for j in range(rows.shape[1]):
            if periods[j]:
                joint = _joint(j, k, own[moved, k], rows[rest, j].mean(0), rows[moved, j], float(periods[j]))
                if joint is not None:
                    found.append(joint)
    return tuple(found)


def _joint(j: int, k: int, values: Floats, rest: Floats, moved: Floats, period: float) -> Joint | None:
    order = np.argsort(values, kind="stable")
    values, moved = values[order], moved[order]
    turns = wrapped(moved[:, ROTATION] - rest[ROTATION], np.array(period))
    if (np.abs(turns) < LEAST).all():  # it slides, or does not move at all
        return None
    options = [[t + n * period for n in range(-3, 4) if abs(t + n * period) < 330.0] for t in turns]
    some = np.unique(np.linspace(0, len(values) - 1, min(len(values), MOST)).round().astype(int))
    half = float(np.hypot(*np.exp(rest[[WIDTH, HEIGHT]]))) / 2
    best: tuple[float, Floats] | None = None
    for angles in product(*(options[i] for i in some)):
        steps = np.diff([0.0, *angles]) / np.diff([0.0, *values[some]]).clip(1e-6)
        if max(map(abs, angles)) < LEAST or not (np.all(steps > 0) or np.all(steps < 0)):
            continue
        pivot, missed = _pivot(rest, moved[some], angles)
        away = float(np.hypot(*(pivot - rest[[X, Y]]))) / half
        if missed < CLOSE and away < FAR:
            score = missed / CLOSE + max(map(abs, angles)) / 180.0  # the shorter way, if both fit
            score += 0.2 * float(np.std(steps) / np.abs(steps).mean())
            if best is None or score < best[0]:
                best = score, pivot
    if best is None:
        return None
    pivot = best[1]
    chosen: list[float] = []
    for own, row in zip(options, moved, strict=True):  # of whole turns apart, the one next to the last
        fits = [angle for angle in own if _off(rest, row, angle, pivot) < CLOSE] or own
        last = chosen[-1] if chosen else 0.0
        chosen.append(min(fits, key=lambda angle: abs(angle - last)))
    knots = np.unique(values)
    means = np.array(
        [np.mean([a for a, v in zip(chosen, values, strict=True) if v == knot]) for knot in knots]
    )
    start = np.array([rest[X], rest[Y], rest[ROTATION]])
    return Joint(j, k, pivot, start, np.array([0.0, *knots]), np.array([0.0, *means]))


def _pivot(rest: Floats, moved: Floats, angles: Sequence[float]) -> tuple[Floats, float]:
    """The point about which these turns carry a part nearest to where it was seen, and how far they miss."""
    turns = [rotation_matrix(angle) for angle in angles]
    matrix = np.concatenate([np.eye(2) - turn for turn in turns])
    target = np.concatenate(
        [row[[X, Y]] - turn @ rest[[X, Y]] for row, turn in zip(moved, turns, strict=True)]
    )
    pivot = np.linalg.lstsq(matrix, target, rcond=None)[0]
    return pivot, float(np.sqrt(((matrix @ pivot - target) ** 2).mean() * 2))


def _off(rest: Floats, row: Floats, angle: float, pivot: Floats) -> float:
    return float(np.hypot(*(row[[X, Y]] - pivot - rotation_matrix(angle) @ (rest[[X, Y]] - pivot))))


def read_value(joints: Sequence[Joint], rows: Floats, widths: Floats, periods: Floats) -> float:
    """The value of one attribute at which its joints have their parts nearest to rows (P, 5), in windows
    widths (P, 5)."""
    tried = np.linspace(0.0, 1.0, STEPS)
    cost = np.zeros(STEPS)
    for joint in joints:
        x, y, turn = joint.pose(tried)
        j = joint.part
        off = np.stack([x - rows[j, X], y - rows[j, Y], wrapped(turn - rows[j, ROTATION], periods[j])])
        squares = ((off / widths[j, [X, Y, ROTATION]][:, None]) ** 2).sum(0)
        cost += np.minimum(squares, CAPPED)
    return float(tried[int(cost.argmin())])

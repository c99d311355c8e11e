"""Copies: parts of one example that are alike and follow each other by a law.

A unit of one or more parts is copied about a centre (petals), along a line (the wagons of a train) or in a
grid (windows). Every copy has a frame; in it the parts of the unit have the same pose again and again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import permutations, product

import numpy as np

from unrender.capsules.gamma import rotation_matrix
from unrender.capsules.poses import ROTATION, Floats, X, Y, aligned_one, pose_of
from unrender.grammar.attribute import COLOUR_NAMES
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

ALIKE_SIDES, ALIKE_COLOUR = 0.2, 0.25  # log sides and colour distance of what may be copies
OFF = 0.2  # mean sides of a copy by which it may miss its place
OFF_TURN = 10.0  # degrees by which it may miss its turn
SMALLEST_RING = 3
NEIGHBOURS = 4  # of a copy in a grid, among which the next column and the next row are


class Law(StrEnum):
    """How copies follow each other."""

    RING = "ring"
    LINE = "line"
    GRID = "grid"


@dataclass(frozen=True, eq=False)
class Copies:
    """How the parts of one example fall into copies of a unit, and the rest."""

    law: Law
    shape: tuple[int, ...]  # (count,), or (columns, rows) of a grid
    units: tuple[tuple[int, ...], ...]  # the parts of each copy, in one order, by their number in the example
    fixed: tuple[int, ...]  # the other parts
    origin: Floats  # (2,): the centre of a ring, else the place of the first copy
    angle: float  # degrees: of the first copy on a ring, of the line, of the rows of a grid
    steps: Floats  # (2, 2): from one copy to the next along a line, and to the next row; px

    @property
    def count(self) -> int:
        return math.prod(self.shape)

    def rolled(self, first: int) -> Copies:
        """A ring that is counted from another copy."""
        units = (*self.units[first:], *self.units[:first])
        return replace(self, units=units, angle=self.frame(first)[1])

    def frame(self, index: int) -> tuple[Floats, float]:
        """Origin (2,) and turn (degrees) of one copy's frame."""
        if self.law is Law.RING:
            return self.origin, self.angle + 360.0 * index / self.count
        row, column = divmod(index, self.shape[0])
        return self.origin + column * self.steps[0] + row * self.steps[1], self.angle


def alike(one: Observation, other: Observation) -> bool:
    """Whether one part could be a copy of the other."""
    if one.symbol != other.symbol:
        return False
    sides = np.abs(np.log(np.sort(one.size) / np.sort(other.size))).max()
    colours = [one.attributes.get(n, 0.0) - other.attributes.get(n, 0.0) for n in COLOUR_NAMES]
    return bool(sides < ALIKE_SIDES and math.hypot(*colours) < ALIKE_COLOUR)


def arrangements(parts: Sequence[Observation], unit: Counter[str]) -> Iterator[Copies]:
    """Every way in which copies of a unit stand among parts. unit: how many parts of each symbol it has."""
    lead = max(unit, key=lambda symbol: (-unit[symbol], _largest(parts, symbol)))
    leads = [i for i, part in enumerate(parts) if part.symbol == lead]
    for law, shape, order, steps in _laws(parts, leads):
        made = _with_units(parts, unit, lead, law, shape, order, steps)
        if made is not None:
            yield made


def local_pose(
    part: Observation,
    copies: Copies,
    index: int,
    turned: bool,
    turning: Symmetry,
    like: Floats | None = None,
) -> Floats:
    """(5,): the pose of a part in the frame of a copy, in px, read as `like`; turned: whether it turns with
    the copies of a ring."""
    origin, angle = copies.frame(index)
    pose = pose_of(part)
    pose[[X, Y]] = (pose[[X, Y]] - origin) @ rotation_matrix(angle)
    pose[ROTATION] -= angle if turned else copies.angle
    return pose if like is None else aligned_one(pose, like, turning)


def _largest(parts: Sequence[Observation], symbol: str) -> float:
    return max((math.prod(part.size) for part in parts if part.symbol == symbol), default=0.0)


def _laws(
    parts: Sequence[Observation], leads: Sequence[int]
) -> Iterator[tuple[Law, tuple[int, ...], tuple[int, ...], Floats]]:
    """Law, shape, the leads in the order of their copies, and the steps."""
    places = np.array([part.position for part in parts])
    groups = {tuple(k for k in leads if alike(parts[i], parts[k])) for i in leads}
    for group in sorted(groups):
        yield from _rings(places, group)
        reach = OFF * math.sqrt(math.prod(parts[group[0]].size))
        yield from _lines(places, group, reach)
        yield from _grids(places, group, reach)
        for lone in group:
            yield Law.LINE, (1,), (lone,), np.zeros((2, 2))


def _rings(
    places: Floats, group: tuple[int, ...]
) -> Iterator[tuple[Law, tuple[int, ...], tuple[int, ...], Floats]]:
    without = [group, *(tuple(k for k in group if k != left) for left in group)]
    for own in without:
        count = len(own)
        if count < SMALLEST_RING:
            continue
        away = places[list(own)] - places[list(own)].mean(0)
        radius = np.hypot(*away.T)
        angles = np.degrees(np.arctan2(away[:, 1], away[:, 0]))
        order = np.argsort(angles, kind="stable")
        even = np.diff([*angles[order], angles[order[0]] + 360.0]) - 360.0 / count
        far = float(radius.mean())
        slack = min(OFF, 0.3 * 2 * math.pi / count)  # radians: less than half the way to the next copy
        if far > 1e-6 and np.ptp(radius) < OFF * far and np.abs(even).max() < math.degrees(slack):
            yield Law.RING, (count,), tuple(own[k] for k in order), np.zeros((2, 2))


def _lines(
    places: Floats, group: tuple[int, ...], reach: float
) -> Iterator[tuple[Law, tuple[int, ...], tuple[int, ...], Floats]]:
    """The longest runs in equal steps, either way."""
    for i, j in product(group, group):
        step = places[j] - places[i]
        if i == j or _at(places, group, places[i] - step, reach) is not None:
            continue
        run = [i]
        while (found := _at(places, group, places[i] + len(run) * step, reach)) is not None:
            run.append(found)
        if len(run) > 1:
            step = (places[run[-1]] - places[i]) / (len(run) - 1)
            yield Law.LINE, (len(run),), tuple(run), np.stack([step, np.zeros(2)])


def _grids(
    places: Floats, group: tuple[int, ...], reach: float
) -> Iterator[tuple[Law, tuple[int, ...], tuple[int, ...], Floats]]:
    """All of a group in columns and rows, from any corner."""
    count = len(group)
    for columns in range(2, count // 2 + 1):
        rows = count // columns
        if rows < 2 or rows * columns != count:
            continue
        for i in group:
            away = np.hypot(*(places[list(group)] - places[i]).T)
            near = [group[k] for k in np.argsort(away, kind="stable")[1 : 1 + NEIGHBOURS]]
            for j, k in permutations(near, 2):
                a, b = places[j] - places[i], places[k] - places[i]
                if abs(float(a @ b)) > 0.2 * math.hypot(*a) * math.hypot(*b):
                    continue
                at = [
                    _at(places, group, places[i] + c * a + r * b, reach)
                    for r in range(rows)
                    for c in range(columns)
                ]
                own = tuple(k for k in at if k is not None)
                if len(set(own)) == count:
                    yield Law.GRID, (columns, rows), own, np.stack([a, b])


def _at(places: Floats, group: tuple[int, ...], place: Floats, reach: float) -> int | None:
    away = np.hypot(*(places[list(group)] - place).T)
    best = int(away.argmin())
    return group[best] if away[best] < reach else None


def _with_units(
    parts: Sequence[Observation],
    unit: Counter[str],
    lead: str,
    law: Law,
    shape: tuple[int, ...],
    order: tuple[int, ...],
    steps: Floats,
) -> Copies | None:
    """The copies of a lead with all other parts of their unit; None if some are missing."""
    places = np.array([part.position for part in parts])
    first = places[order[0]]
    if law is Law.RING:
        origin = places[list(order)].mean(0)
        angle = math.degrees(math.atan2(*(first - origin)[::-1]))
    else:
        origin, angle = first, math.degrees(math.atan2(steps[0][1], steps[0][0]))
    bare = Copies(law, shape, tuple((k,) for k in order), (), origin, angle, steps)
    units = [[k] for k in order]
    wanted = [symbol for symbol, often in unit.items() for _ in range(often - (symbol == lead))]
    used = set(order)
    for symbol in wanted:
        options = [i for i, part in enumerate(parts) if part.symbol == symbol and i not in used]
        options.sort(key=lambda i: float(np.hypot(*(places[i] - first))))
        found = next((run for i in options if (run := _followers(parts, bare, i, options))), None)
        if found is None:
            return None
        used |= set(found)
        for own, k in zip(units, found, strict=True):
            own.append(k)
    fixed = tuple(i for i in range(len(parts)) if i not in used)
    return Copies(law, shape, tuple(map(tuple, units)), fixed, origin, angle, steps)


def _followers(
    parts: Sequence[Observation], copies: Copies, first: int, options: Sequence[int]
) -> tuple[int, ...] | None:
    """The parts that stand to every copy as part `first` stands to the first one."""
    places = np.array([part.position for part in parts])
    reach = OFF * math.sqrt(math.prod(parts[first].size))
    origin, angle = copies.frame(0)
    offset = (places[first] - origin) @ rotation_matrix(angle)
    group = tuple(i for i in options if alike(parts[first], parts[i]))
    found = [first]
    for index in range(1, copies.count):
        origin, angle = copies.frame(index)
        own = _at(places, group, origin + rotation_matrix(angle) @ offset, reach)
        if own is None or own in found:
            return None
        found.append(own)
    return tuple(found)

"""Repetition: what two or more counts of one object have in common, and the object for any other count.

A flower of five petals and one of seven are one rule, [flower] -> [petal]* [circle]. Beside the law by which
the copies follow each other, most numbers stay the same from count to count if lengths are told in the right
unit, such as the side of the middle; the others go with the count along a line, those of a ring by a power.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.gamma import mean_attributes, rotation_matrix
from unrender.capsules.poses import (
    HEIGHT,
    POSE,
    ROTATION,
    WIDTH,
    Floats,
    X,
    Y,
    equal_sides,
    pose_of,
)
from unrender.capsules.repetition.copies import OFF_TURN, SMALLEST_RING, Copies, Law, local_pose
from unrender.capsules.route import Route
from unrender.grammar.rule import MOST_COPIES, USUAL_COPIES, Counts
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

SAME_PLACE = 0.05  # mean sides of the whole: what moves by less from count to count stays where it is
MOST_ROWS = 6  # and columns of a grid


@dataclass(frozen=True, eq=False)
class Example:
    """One count of an object: its parts, and how they fall into copies and the rest."""

    route: Route
    copies: Copies

    @property
    def parts(self) -> tuple[Observation, ...]:
        return self.route.memory[0].parts

    @property
    def extent(self) -> float:
        """px: the mean side of the whole."""
        return math.sqrt(math.prod(self.route.memory[0].whole.size))

    def turning(self, k: int) -> Symmetry:
        return self.route.turnings[k]

    @cached_property
    def turned(self) -> bool:
        """Whether the copies of a ring turn with it, or all stand upright."""
        return self._spread(True) <= self._spread(False) + 1e-6

    @cached_property
    def unit(self) -> Floats:
        """(U, 5): the parts of the unit in the frame of their copy, px, the mean of all copies."""
        mean: Floats = self._locals(self.turned).mean(0)
        return mean

    @property
    def steady(self) -> bool:
        """Whether all copies are turned alike."""
        return self._spread(self.turned) < OFF_TURN

    def fixed(self, k: int, like: Floats | None = None) -> Floats:
        """(5,): the pose of another part in the frame of the first copy, px."""
        return local_pose(self.parts[k], self.copies, 0, True, self.turning(k), like)

    @property
    def pointed(self) -> bool:
        """Whether the other parts tell how a ring is turned: not if they are round and in its middle."""
        return any(
            math.dist(self.parts[k].position, self.copies.origin) > SAME_PLACE * self.extent
            or self.turning(k).shows(bool(equal_sides(pose_of(self.parts[k]))))
            for k in self.copies.fixed
        )

    @property
    def steps(self) -> Floats:
        """(2, 2): the steps in the frame of the first copy, px."""
        return self.copies.steps @ rotation_matrix(self.copies.angle)

    def _locals(self, turned: bool) -> Floats:
        """(N, U, 5)"""
        rows: list[Any] = []
        for index, unit in enumerate(self.copies.units):
            like = rows[0] if rows else [None] * len(unit)
            rows.append(
                [
                    local_pose(self.parts[k], self.copies, index, turned, self.turning(k), like[u])
                    for u, k in enumerate(unit)
                ]
            )
        return np.array(rows)

    def _spread(self, turned: bool) -> float:
        rows = self._locals(turned)[..., ROTATION]
        return float(np.ptp(rows, axis=0).max())


@dataclass(frozen=True, eq=False)
class Repetition:
    """The law of an object that has been seen with two counts or more.

    values: (M, K): of each example the pose of every part of the unit, then of every other part, then the
    steps; lengths in units of `sides` (M,) px. changed: (K,) which of them go with the count.
    """

    examples: tuple[Example, ...]
    fixed: tuple[tuple[int, ...], ...]  # (M, F): the other parts, each example in the order of the first
    sides: Floats
    values: Floats
    changed: NDArray[np.bool_]

    @property
    def law(self) -> Law:
        return self.examples[0].copies.law

    @cached_property
    def counts(self) -> dict[str, int]:
        """The count of every route that is an example."""
        return {own.route.name: own.copies.count for own in self.examples}

    @cached_property
    def shapes(self) -> list[tuple[int, ...]]:
        """All counts, or columns and rows, for which it is told; a side of a grid that never varied stays."""
        seen = np.array([own.copies.shape for own in self.examples])
        if self.law is Law.GRID:
            ranges = [
                range(1, MOST_ROWS + 1) if np.ptp(seen[:, k]) else range(seen[0, k], seen[0, k] + 1)
                for k in range(2)
            ]
            return [(int(c), int(r)) for c, r in product(*ranges) if c * r <= MOST_COPIES and c * r > 1]
        low = SMALLEST_RING if self.law is Law.RING else 1
        high = min(MOST_COPIES, max(USUAL_COPIES[1], int(seen.max())))
        return [(n,) for n in range(min(low, int(seen.min())), high + 1) if self._possible((n,))]

    @property
    def bounds(self) -> Counts:
        """As the text of a grammar tells them."""
        several = [math.prod(shape) for shape in self.shapes]
        return Counts(min(several), max(several), self.examples[0].copies.count)

    def shape_of(self, count: int) -> tuple[int, ...] | None:
        """The shape of so many copies; of a grid the one nearest to the first example's proportions."""
        first = self.examples[0].copies.shape
        fits = [shape for shape in self.shapes if math.prod(shape) == count]
        return min(fits, key=lambda own: abs(math.log(own[0] / own[-1] * first[-1] / first[0])), default=None)

    def _possible(self, shape: tuple[int, ...]) -> bool:
        """Whether all sides are still there."""
        poses = self.at(shape)[: -4 or None].reshape(-1, POSE)
        return bool((poses[:, [WIDTH, HEIGHT]] > 0).all())

    @cached_property
    def _powers(self) -> NDArray[np.bool_]:
        """(K,): the numbers that go by a power of the count: the sides and the radius of a ring."""
        column = np.arange(len(self.changed)) % POSE
        last = np.arange(len(self.changed)) >= len(self.changed) - 4
        positive = (self.values > 1e-6).all(0)
        power: NDArray[np.bool_] = np.isin(column, [X, WIDTH, HEIGHT]) & positive & ~last
        return power if self.law is Law.RING else np.zeros_like(power)

    def _drivers(self, shape: tuple[int, ...]) -> Floats:
        """(K,): the number that each value goes with: of a grid columns across and rows along."""
        column = np.arange(len(self.changed)) % POSE
        down = np.isin(column, [Y, HEIGHT])
        return np.where(down, float(shape[-1]), float(shape[0]))

    @cached_property
    def lines(self) -> tuple[Floats, Floats]:
        """(K,), (K,): start and slope of every value; both in logs for those that go by a power."""
        drivers = np.stack([self._drivers(own.copies.shape) for own in self.examples])
        power = self._powers & self.changed
        x, y = np.where(power, np.log(drivers), drivers), self.values.copy()
        y[:, power] = np.log(y[:, power])
        off = x - x.mean(0)
        spread = (off**2).sum(0)
        slope = np.where(self.changed & (spread > 0), (off * y).sum(0) / np.where(spread > 0, spread, 1), 0.0)
        return y.mean(0) - slope * x.mean(0), slope

    def at(self, shape: tuple[int, ...]) -> Floats:
        """(K,): the values for other numbers."""
        start, slope = self.lines
        drivers = self._drivers(shape)
        power = self._powers & self.changed
        values = start + slope * np.where(power, np.log(drivers), drivers)
        return np.where(power, np.exp(values), values)

    def parts(self, shape: tuple[int, ...]) -> list[Observation]:
        """The object for other numbers, where the first example was, back to front."""
        first, values = self.examples[0], self.at(shape)
        units = len(first.copies.units[0])
        poses = values[:-4].reshape(-1, POSE).copy()
        poses[:, :ROTATION] *= self.sides[0]
        back = rotation_matrix(first.copies.angle)
        steps = values[-4:].reshape(2, 2) * self.sides[0] @ back.T
        copies = replace(first.copies, shape=shape, steps=steps)
        made = {k: self._placed(k, poses[units + f], copies, 0) for f, k in enumerate(self.fixed[0])}
        block = [
            self._placed(first.copies.units[0][u], poses[u], copies, index, of_unit=u)
            for index in range(copies.count)
            for u in self.painted
        ]
        behind = [made[k] for k in sorted(made) if k < self.rank]
        return [*behind, *block, *(made[k] for k in sorted(made) if k >= self.rank)]

    @property
    def rank(self) -> float:
        """The mean place of the copies in the painting order of the first example."""
        return float(np.mean(self.examples[0].copies.units))

    @property
    def painted(self) -> list[int]:
        """The parts of the unit, back to front."""
        order = np.mean(self.examples[0].copies.units, axis=0)
        return [int(u) for u in np.argsort(order, kind="stable")]

    def looks(self, u: int) -> dict[str, float]:
        """The mean attributes of one part of the unit."""
        first = self.examples[0]
        return mean_attributes([first.parts[unit[u]] for unit in first.copies.units])

    def _placed(
        self, k: int, pose: Floats, copies: Copies, index: int, of_unit: int | None = None
    ) -> Observation:
        """Like part k of the first example, at a pose in the frame of a copy."""
        first = self.examples[0]
        origin, angle = copies.frame(index)
        x, y = rotation_matrix(angle) @ pose[[X, Y]] + origin
        turn = angle if of_unit is None or first.turned else copies.angle
        looks = first.parts[k].attributes if of_unit is None else self.looks(of_unit)
        return replace(
            first.parts[k],
            position=(float(x), float(y)),
            size=(float(pose[WIDTH]), float(pose[HEIGHT])),
            rotation=math.remainder(float(pose[ROTATION]) + turn, 360.0),
            attributes=dict(looks),
        )

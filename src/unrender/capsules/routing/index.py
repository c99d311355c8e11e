"""Which known objects could two observations belong to?

Every pair of parts of every rigid route is a point in a space of features that no move, turn or change of
scale alters. The pairs that are seen look up their neighbours there: a thousand known objects cost little
more than ten.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.poses import HEIGHT, ROTATION, WIDTH, Floats, X, Y
from unrender.primitives.symmetry import Symmetry
from unrender.scene.nearby import Nearby

Ints = NDArray[np.int64]
MOST = 8  # parts of a route from which pairs are made, the largest first
ALIKE = 0.1  # log sides and colour of parts that are told apart by their places alone
NEAR = 0.15  # of the size: centres this close have no direction
TOLERANCE = np.array([0.12, 0.12, 0.15, 0.15, 0.4, 0.4, 0.4, 0.4])
"""log ratio of sizes, log distance, the two aspects, the two directions as points on the unit circle."""


def features(a: Floats, b: Floats, first: Symmetry, second: Symmetry) -> Floats:
    """(N, 8): of pairs of poses (N, 5), in units of the tolerance."""
    own, other = np.sqrt(a[:, WIDTH] * a[:, HEIGHT]), np.sqrt(b[:, WIDTH] * b[:, HEIGHT])
    dx, dy = b[:, X] - a[:, X], b[:, Y] - a[:, Y]
    far = np.hypot(dx, dy) / own
    heading = np.degrees(np.arctan2(dy, dx))
    clear = far > NEAR
    columns = [np.log(other / own), np.log(far.clip(NEAR)), _aspect(a, first), _aspect(b, second)]
    columns += _direction(heading - a[:, ROTATION], first, clear)
    columns += _direction(heading + 180 - b[:, ROTATION], second, clear)
    out: Floats = np.stack(columns, 1) / TOLERANCE
    return out


def _aspect(pose: Floats, turning: Symmetry) -> Floats:
    """The log of width / height, without a sign where a quarter turn would change it."""
    aspect = np.log(pose[:, WIDTH] / pose[:, HEIGHT])
    return np.abs(aspect) if turning.swaps else aspect


def _direction(degrees: Floats, turning: Symmetry, clear: NDArray[np.bool_]) -> list[Floats]:
    """Where the other one lies, as seen from a shape, on the unit circle; 0 where its turns hide that."""
    often = math.lcm(turning.even, 4) if turning.swaps else turning.even  # readings of one shape
    angle = np.radians(degrees) * often
    known = clear & (often > 0)
    return [np.where(known, np.cos(angle), 0.0), np.where(known, np.sin(angle), 0.0)]


@dataclass(frozen=True)
class Pairs:
    """The pairs of all routes that have one kind of first and one kind of second part."""

    seen_as: Nearby  # features (N, 8)
    route: Ints  # (N,) which route
    first: Ints  # (N,) which part of it
    second: Ints

    def matches(self, seen: Floats) -> tuple[Ints, Ints]:
        """For pairs that are seen, features (M, 8): indices (K,) into them and into these (K,)."""
        return self.seen_as.within(seen, 1.0, np.inf)


@dataclass(frozen=True)
class Pattern:
    """A route as the index sees it: symbols (`retell.key`) and poses of its parts at unit scale."""

    symbols: tuple[str, ...]
    poses: Floats  # (P, 5)
    aspect: float = 0.0  # log of height / width of the whole
    looks: Mapping[str, float] = field(default_factory=dict)  # the attributes of the whole
    shades: Floats | None = None  # (P, 3): the colours of the parts

    @cached_property
    def kinds(self) -> list[int]:
        """(P,): the same number for parts of which it does not matter which is which: three and more that are
        as large as each other, and coloured alike."""
        sides = np.log(np.sort(self.poses[:, [WIDTH, HEIGHT]], axis=1))
        colours = np.nan_to_num(self.colours)
        first = list(range(len(self.symbols)))
        for j, symbol in enumerate(self.symbols):
            alike = [
                i
                for i in range(len(first))
                if self.symbols[i] == symbol
                and np.abs(sides[i] - sides[j]).max() < ALIKE
                and np.abs(colours[i] - colours[j]).max() < ALIKE
            ]
            first[j] = alike[0] if len(alike) > 2 else j
        return first

    @property
    def colours(self) -> Floats:
        """(P, 3): NaN where they are not known."""
        return np.full((len(self.symbols), 3), np.nan) if self.shades is None else self.shades


def build(patterns: Sequence[Pattern], turnings: Mapping[str, Symmetry]) -> dict[tuple[str, str], Pairs]:
    """The index over all patterns, by the symbols of the pair, the first not after the second."""
    collected: dict[tuple[str, str], list[tuple[int, int, int]]] = {}
    for r, pattern in enumerate(patterns):
        extent = np.sqrt(pattern.poses[:, WIDTH] * pattern.poses[:, HEIGHT])
        largest = np.argsort(-extent, kind="stable")[:MOST]
        for i in largest:
            for j in largest:
                one, other = pattern.symbols[i], pattern.symbols[j]
                if i != j and one <= other:
                    collected.setdefault((one, other), []).append((r, int(i), int(j)))
    index = {}
    for (one, other), members in collected.items():
        route, first, second = np.array(members, dtype=np.int64).T
        a = np.stack([patterns[r].poses[i] for r, i, _ in members])
        b = np.stack([patterns[r].poses[j] for r, _, j in members])
        known = Nearby(features(a, b, turnings[one], turnings[other]))
        index[one, other] = Pairs(known, route, first, second)
    return index


def similarity(a: Floats, b: Floats, p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """Scale and turn (degrees) that carry the pair of places (N, 2) p -> q onto a -> b."""
    seen, known = b - a, q - p
    scale = np.hypot(*seen.T) / np.hypot(*known.T).clip(1e-9)
    turn = np.degrees(np.arctan2(seen[:, 1], seen[:, 0]) - np.arctan2(known[:, 1], known[:, 0]))
    return scale, turn

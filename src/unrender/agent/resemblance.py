"""What a group of parts comes near to: the capsule with the highest p that did not activate.

In routing a part that stands elsewhere is not taken. Here it is: a route is laid upon the parts so that they
are least off in all, and those that agree say where the whole would be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from unrender.capsules.experience import UNSEEN
from unrender.capsules.network import Network, patterns_of
from unrender.capsules.pairs import Pattern
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y, aligned, pose_of
from unrender.capsules.route import Route
from unrender.capsules.routing import Hypotheses, by_parts
from unrender.capsules.semantic import activation, agreement, fit
from unrender.capsules.table import ObservationTable
from unrender.scene import Observation

ALIKE = 0.6  # share of the parts that a route and a group must have in common
CLOSELY, TRIED = 12, 4  # ways to lay a route upon the parts: compared, and tried
MOST_OFF = 3.0  # windows: what is off by more is simply elsewhere
MISMATCH = 0.5  # an attribute whose window is below this does not agree
POSE_COLUMNS = {"position": (0, 1), "size": (2, 3), "rotation": (4,)}


@dataclass(frozen=True)
class Mismatch:
    """One attribute of one part that is not as expected."""

    part: Observation
    attribute: str  # "position", "size", "rotation" or a style
    seen: float
    expected: float
    z: float  # the agreement


@dataclass(frozen=True)
class Resemblance:
    """A route that nearly fits: the whole it would be, and how each of its parts agrees."""

    route: Route
    whole: Observation  # its parts in the order of the route, those that have no counterpart left out
    parts: tuple[Observation | None, ...]
    expected: tuple[Observation, ...]
    z: tuple[Floats | None, ...]
    extra: tuple[Observation, ...]  # parts of the group for which the route has no place

    @property
    def p(self) -> float:
        return self.whole.p

    @property
    def off(self) -> float:
        """By how many windows its parts are off at their worst, in the mean."""
        worst = [
            MOST_OFF if z is None else min(MOST_OFF, float(np.sqrt(-np.log(z[:POSE].min().clip(1e-30)))))
            for z in self.z
        ]
        return float(np.mean(worst))

    @property
    def complete(self) -> bool:
        """Whether the group and the route have the same parts."""
        return not self.extra and all(part is not None for part in self.parts)

    @property
    def mismatches(self) -> list[Mismatch]:
        """All attributes that do not agree, the worst first."""
        found = [own for j in range(len(self.parts)) for own in self._of_part(j)]
        return sorted(found, key=lambda own: own.z)

    @property
    def attributes(self) -> int:
        """How many attributes were compared, over all parts."""
        styles = sum(len(own) - POSE for own in self.z if own is not None)
        return styles + len(POSE_COLUMNS) * sum(own is not None for own in self.z)

    def never_seen(self, attribute: str) -> bool:
        """Whether memory has no entry with more than ε of an attribute."""
        return all(entry.whole.attributes.get(attribute, 0.0) < UNSEEN for entry in self.route.memory)

    def _of_part(self, j: int) -> Iterator[Mismatch]:
        seen, expected, z = self.parts[j], self.expected[j], self.z[j]
        if seen is None or z is None:
            return
        scale = float(np.sqrt(self.whole.size[0] * self.whole.size[1]))
        values = {
            "position": (float(np.hypot(*np.subtract(seen.position, expected.position))) / scale, 0.0),
            "size": (float(np.prod(seen.size)) ** 0.5, float(np.prod(expected.size)) ** 0.5),
            "rotation": (seen.rotation, expected.rotation),
        }
        worst = {name: float(z[list(columns)].min()) for name, columns in POSE_COLUMNS.items()}
        styles = [name for name in self.route.names if name in seen.attributes]
        for name, agreed in zip(styles, z[POSE:], strict=True):
            values[name] = (seen.attributes[name], expected.attributes.get(name, 0.0))
            worst[name] = float(agreed)
        for name, agreed in worst.items():
            if agreed < MISMATCH:
                yield Mismatch(seen, name, *values[name], agreed)


def nearest(network: Network, parts: Sequence[Observation], symbol: str | None = None) -> Resemblance | None:
    """The whole that these parts nearly are, of a symbol if one is named."""
    counts = Counter(part.symbol for part in parts)
    table = ObservationTable(parts)
    found: list[Resemblance] = []
    for route in network.routes:
        wanted = Counter(route.parts)
        shared = (counts & wanted).total()
        if symbol not in (None, route.symbol) or shared < ALIKE * max(counts.total(), wanted.total()):
            continue
        if shared >= min(2, wanted.total()):
            found += _tries(network, route, table, parts)
    return min(found, key=lambda own: (not own.complete, own.off), default=None)


def _tries(
    network: Network, route: Route, table: ObservationTable, parts: Sequence[Observation]
) -> Iterator[Resemblance]:
    """The route laid upon the parts in the ways in which they are least off."""
    poses = np.stack([pose_of(part) for part in parts])
    same = np.array([[symbol == part.symbol for part in parts] for symbol in route.parts])
    ways: list[tuple[float, Pattern, Hypotheses, list[Observation | None]]] = []
    for pattern in patterns_of(route):
        guess = by_parts(table, pattern, network.turnings)
        off = _offsets(route, guess, guess.expected(pattern.poses), poses)
        off = np.where(same, off, 1e3 * MOST_OFF)
        for h in np.argsort(off.min(2).sum(1), kind="stable")[:CLOSELY]:
            rows, columns = linear_sum_assignment(off[h])
            own: list[Observation | None] = [None] * len(route.parts)
            for j, k in zip(rows.tolist(), columns.tolist(), strict=True):
                if same[j, k]:
                    own[j] = parts[k]
            ways.append((float(off[h][rows, columns].sum()), pattern, guess[np.array([h])], own))
    ways.sort(key=lambda way: way[0])
    for _, pattern, at, own in ways[:TRIED]:
        yield laid(route, pattern, at, own, parts)


def _offsets(route: Route, guess: Hypotheses, expected: Floats, poses: Floats) -> Floats:
    """(H, P, N): by how many windows each part is off each place at its worst, at most MOST_OFF."""
    wanted = expected[:, :, None]
    off = np.empty((*expected.shape[:2], len(poses)))
    cos, sin = np.cos(np.radians(guess.turn))[:, None], np.sin(np.radians(guess.turn))[:, None]
    for j, turning in enumerate(route.turnings):
        best = aligned(poses, wanted[:, j], turning)
        apart = best - wanted[:, j]
        difference = np.stack(
            [
                (cos * apart[..., X] + sin * apart[..., Y]) / guess.scale[:, None],
                (cos * apart[..., Y] - sin * apart[..., X]) / guess.scale[:, None],
                np.log(best[..., WIDTH] / wanted[:, j, :, WIDTH]),
                np.log(best[..., HEIGHT] / wanted[:, j, :, HEIGHT]),
                apart[..., ROTATION],
            ],
            -1,
        )
        off[:, j] = np.abs(difference / route.widths[j, :POSE]).max(-1)
    return off.clip(max=MOST_OFF)


def laid(
    route: Route,
    pattern: Pattern,
    at: Hypotheses,
    own: Sequence[Observation | None],
    parts: Sequence[Observation],
) -> Resemblance:
    """One way to see a route in the parts; those that agree say where the whole is."""
    half = pattern.aspect / 2 * np.array([-1.0, 1.0])
    width, height = (at.scale[0] * np.exp(half)).tolist()
    place = (float(at.x[0]), float(at.y[0]))
    guess = Observation(route.symbol, place, (width, height), float(at.turn[0]), dict(pattern.looks))
    whole = fit(route, own, guess).whole  # leaves out those that are far off
    z = _agreements(route, own, whole)
    clear = [
        None if z_ is None or z_[:POSE].min() < MISMATCH else part for part, z_ in zip(own, z, strict=True)
    ]
    if (
        len(own) > sum(part is not None for part in clear) > len(own) / 2
    ):  # and then those that are off at all
        whole = fit(route, clear, whole).whole
        z = _agreements(route, own, whole)
    expected = route.decode(whole)
    p = np.array([0.0 if part is None else part.p for part in own])
    there = [part for part in own if part is not None]
    top = replace(whole, p=activation(z, p, route.past_p), parts=there, hidden=[])
    used = {id(part) for part in there}
    extra = tuple(part for part in parts if id(part) not in used)
    return Resemblance(route, top, tuple(own), tuple(expected), tuple(z), extra)


def _agreements(route: Route, own: Sequence[Observation | None], whole: Observation) -> list[Floats | None]:
    """Z of every part that is there."""
    expected = route.decode(whole)
    return [
        None if part is None else agreement(route, j, part, expected[j], whole) for j, part in enumerate(own)
    ]

"""What a group of parts comes near to: the capsule with the highest p that did not activate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.capsules.agreement import activation, agreement
from unrender.capsules.alignment import MOST_OFF, Way, strangeness, ways
from unrender.capsules.experience import UNSEEN
from unrender.capsules.network import Network
from unrender.capsules.poses import POSE, Floats
from unrender.capsules.route import Route
from unrender.capsules.semantic import fit
from unrender.scene import Observation

ALIKE = 0.6  # share of the parts that a route and a group must have in common
TRIED = 4  # ways to lay a route upon the parts that are looked at closely
AGREED = 0.885  # the window of what is off by CLOSE
SETTLED = 3  # times that the parts that agree say where the whole is
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
    def offsets(self) -> Floats:
        """(P,): by how many windows each part is off at its worst; one that is missing as far as can be."""
        worst = np.array([0.0 if z is None else z[:POSE].min() for z in self.z])
        off: Floats = np.sqrt(-np.log(worst.clip(1e-30))).clip(max=MOST_OFF)
        return off

    @property
    def off(self) -> float:
        """By how many windows its parts are off at their worst, in the mean."""
        return float(self.offsets.mean())

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
        styles = self.route.compared(j, seen)
        for name, agreed in zip(styles, z[POSE:], strict=True):
            values[name] = (seen.attributes[name], expected.attributes.get(name, 0.0))
            worst[name] = float(agreed)
        for name, agreed in worst.items():
            if agreed < MISMATCH:
                yield Mismatch(seen, name, *values[name], agreed)


def nearest(network: Network, parts: Sequence[Observation], symbol: str | None = None) -> Resemblance | None:
    """The whole that these parts nearly are, of a symbol if one is named."""
    counts = Counter(part.symbol for part in parts)
    found: list[Resemblance] = []
    for route in network.routes:
        wanted = Counter(route.parts)
        shared = (counts & wanted).total()
        if symbol not in (None, route.symbol) or shared < ALIKE * max(counts.total(), wanted.total()):
            continue
        if shared >= min(2, wanted.total()):
            for way in ways(route, parts, network.turnings)[:TRIED]:
                found += _laid(route, way, parts)
    return min(found, key=lambda own: (not own.complete, strangeness(own.offsets)), default=None)


def _laid(route: Route, way: Way, parts: Sequence[Observation]) -> Iterator[Resemblance]:
    """What the whole would be by all parts, and by those that agree with one another."""
    first = fit(route, way.parts, way.guess).whole  # leaves out those that are far off
    yield _seen(route, way.parts, first, parts)
    for start, least in ((first, MISMATCH), (way.guess, AGREED)):
        whole = start
        for _ in range(SETTLED):
            agreeing = [
                None if z is None or z[:POSE].min() < least else part
                for part, z in zip(way.parts, _agreements(route, way.parts, whole), strict=True)
            ]
            if not len(agreeing) > sum(part is not None for part in agreeing) > len(agreeing) / 2:
                break
            whole = fit(route, agreeing, whole).whole
        if whole is not start:
            yield _seen(route, way.parts, whole, parts)


def _seen(
    route: Route, own: Sequence[Observation | None], whole: Observation, parts: Sequence[Observation]
) -> Resemblance:
    """The parts beside those that this whole should have."""
    z = _agreements(route, own, whole)
    p = np.array([0.0 if part is None else part.p for part in own])
    there = [part for part in own if part is not None]
    top = replace(whole, p=activation(z, p, route.past_p), parts=there, hidden=[])
    used = {id(part) for part in there}
    extra = tuple(part for part in parts if id(part) not in used)
    return Resemblance(route, top, tuple(own), tuple(route.decode(whole)), tuple(z), extra)


def _agreements(route: Route, own: Sequence[Observation | None], whole: Observation) -> list[Floats | None]:
    """Z of every part that is there."""
    expected = route.decode(whole)
    return [
        None if part is None else agreement(route, j, part, expected[j], whole) for j, part in enumerate(own)
    ]

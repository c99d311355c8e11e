"""What a group of parts comes near to: the capsule with the highest p that did not activate.

In routing a part that stands elsewhere is not taken. Here it is: the parts that agree say where the whole
would be, and the others are told how far they are off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from unrender.capsules.network import Network, patterns_of
from unrender.capsules.pairs import Pattern
from unrender.capsules.poses import POSE, Floats
from unrender.capsules.route import UNSEEN, Route
from unrender.capsules.routing import Hypotheses, assign, by_parts
from unrender.capsules.semantic import activation, agreement, fit
from unrender.capsules.table import ObservationTable
from unrender.scene import Observation

ALIKE = 0.6  # share of the parts that a route and a group must have in common
TRIED = 4  # places of a whole that are looked at closely
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
    """The likeliest whole that these parts are not quite, of a symbol if one is named."""
    counts = Counter(part.symbol for part in parts)
    table = ObservationTable(parts)
    best: Resemblance | None = None
    for route in network.routes:
        wanted = Counter(route.parts)
        shared = (counts & wanted).total()
        if symbol not in (None, route.symbol) or shared < ALIKE * max(counts.total(), wanted.total()):
            continue
        if shared < 2 and wanted.total() > 1:
            continue
        for found in _tries(network, route, table, parts):
            if best is None or (found.complete, found.p) > (best.complete, best.p):
                best = found
    return best


def _tries(
    network: Network, route: Route, table: ObservationTable, parts: Sequence[Observation]
) -> Iterator[Resemblance]:
    """The route laid upon the parts in the ways in which most of them agree."""
    ways: list[tuple[float, Pattern, Hypotheses, list[Observation | None]]] = []
    for pattern in patterns_of(route):
        guess = by_parts(table, pattern, network.turnings)
        chosen, score = assign(table, route, pattern, guess)
        for h in np.argsort(-score.sum(1), kind="stable")[:TRIED]:
            own = [
                table.nodes(symbol)[k] if k >= 0 else None
                for symbol, k in zip(route.parts, chosen[h].tolist(), strict=True)
            ]
            ways.append((float(score[h].sum()), pattern, guess[np.array([h])], own))
    ways.sort(key=lambda way: -way[0])
    for _, pattern, at, own in ways[:TRIED]:
        yield laid(route, pattern, at, own, parts)


def laid(
    route: Route,
    pattern: Pattern,
    at: Hypotheses,
    chosen: Sequence[Observation | None],
    parts: Sequence[Observation],
) -> Resemblance:
    """One way to see a route in the parts: `chosen` agree and say where it is, the rest take what is left."""
    half = pattern.aspect / 2 * np.array([-1.0, 1.0])
    width, height = (at.scale[0] * np.exp(half)).tolist()
    guess = Observation(
        route.symbol,
        (float(at.x[0]), float(at.y[0])),
        (width, height),
        float(at.turn[0]),
        dict(pattern.looks),
    )
    whole = fit(route, chosen, guess).whole
    expected = route.decode(whole)
    taken = {id(part) for part in chosen if part is not None}
    left = [part for part in parts if id(part) not in taken]
    filled = _filled(chosen, expected, left)
    z = [
        None if own is None else agreement(route, j, own, expected[j], whole) for j, own in enumerate(filled)
    ]
    used = {id(part) for part in filled if part is not None}
    p = np.array([0.0 if own is None else own.p for own in filled])
    there = [own for own in filled if own is not None]
    top = replace(whole, p=activation(z, p, route.past_p), parts=there, hidden=[])
    extra = tuple(part for part in parts if id(part) not in used)
    return Resemblance(route, top, tuple(filled), tuple(expected), tuple(z), extra)


def _filled(
    chosen: Sequence[Observation | None], expected: Sequence[Observation], left: Sequence[Observation]
) -> list[Observation | None]:
    """`chosen` with each gap given the part of its symbol, of those that are left, that lies nearest."""
    filled = list(chosen)
    gaps = [j for j, own in enumerate(filled) if own is None]
    if gaps and left:
        far = np.array(
            [
                [
                    np.hypot(*np.subtract(part.position, expected[j].position))
                    if part.symbol == expected[j].symbol
                    else np.inf
                    for part in left
                ]
                for j in gaps
            ]
        )
        most = far[np.isfinite(far)].max(initial=1.0)
        rows, columns = linear_sum_assignment(np.where(np.isfinite(far), far, 1e3 * most))
        for row, column in zip(rows, columns, strict=True):
            if np.isfinite(far[row, column]):
                filled[gaps[row]] = left[column]
    return filled

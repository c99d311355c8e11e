"""Routing: from observed parts to wholes, without trying permutations.

Two observations that lie to each other as two parts of a known object do are a hypothesis for the whole; g
says where the other parts must be, a tree finds what is there, and rivals for one place are settled by how
well they fit. What is left of each hypothesis goes through γ, g, Z and p as in the paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.agreement import activation, agreement, differences, window
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y, aligned
from unrender.capsules.route import Route
from unrender.capsules.routing.evidence import (
    DRAWN,
    GONE,
    HIDDEN,
    UNREAD,
    colour_bits,
    name_bits,
    part_bits,
    pose_bits,
)
from unrender.capsules.routing.hypotheses import HOPE, Hypotheses, needed
from unrender.capsules.routing.index import Ints, Pattern
from unrender.capsules.routing.occlusion import Occlusion
from unrender.capsules.routing.table import ObservationTable
from unrender.capsules.routing.verification import Verifier
from unrender.capsules.semantic import Fit, fit
from unrender.grammar.attribute import COLOUR_NAMES
from unrender.primitives.registry import primitives
from unrender.scene import Observation

THRESHOLD = 0.6  # p of an object of one part
STRAY = 0.3  # colour distance: what is as large as a part and coloured like it may be that part
LEAST = 0.55  # p of any other
RIVALS = 4  # observations that are tried for one place


def assign(table: ObservationTable, route: Route, pattern: Pattern, guess: Hypotheses) -> tuple[Ints, Floats]:
    """For every hypothesis the observation of each part (H, P), -1 for none, and how well its pose agrees."""
    expected = guess.expected(pattern.poses)
    chosen = np.full(expected.shape[:2], -1, dtype=np.int64)
    score = np.zeros(expected.shape[:2])
    cos, sin = np.cos(np.radians(guess.turn))[:, None, None], np.sin(np.radians(guess.turn))[:, None, None]
    for symbol in dict.fromkeys(pattern.symbols):
        if symbol not in table:
            continue
        at = [j for j, own in enumerate(pattern.symbols) if own == symbol]
        wanted = expected[:, at][:, :, None]  # (H, K, 1, 5)
        places = wanted[..., [X, Y]].reshape(-1, 2)
        distance, index = table.nearest(symbol, places, RIVALS)
        shape = (len(expected), len(at), RIVALS)
        distance, index = distance.reshape(shape), index.reshape(shape)
        best = aligned(table.poses(symbol)[index], wanted, route.turnings[at[0]])
        off = best - wanted
        dx, dy = off[..., X], off[..., Y]
        scale = guess.scale[:, None, None]
        difference = np.stack(
            [
                (cos * dx + sin * dy) / scale,
                (cos * dy - sin * dx) / scale,
                np.log(best[..., WIDTH] / wanted[..., WIDTH]),
                np.log(best[..., HEIGHT] / wanted[..., HEIGHT]),
                off[..., ROTATION],
            ],
            -1,
        )
        z = window(difference, route.widths[at][:, None, :POSE])
        agrees = z.mean(-1) * (z.min(-1) > HOPE) * np.isfinite(distance)
        for j, other in enumerate(pattern.symbols):
            shared = table.shared(other, symbol) if other != symbol and other in table else None
            if shared is not None:  # what is a part already cannot be one of another part
                agrees[shared[chosen[:, j][:, None, None], index] & (chosen[:, j] >= 0)[:, None, None]] = 0.0
        _settle(chosen, score, at, index, agrees, table.shared(symbol, symbol))
    return chosen, score


def _settle(
    chosen: Ints, score: Floats, at: list[int], index: Ints, agrees: Floats, shared: NDArray[np.bool_] | None
) -> None:
    """Give each part of one symbol its best observation; where two want the same one, or two that have a
    primitive in common, the worse of them takes its next best."""
    agrees = agrees.copy()
    rows = np.arange(len(chosen))
    for _ in at:
        best = agrees.argmax(-1)  # (H, K)
        own = np.take_along_axis(index, best[..., None], -1)[..., 0]
        value = np.take_along_axis(agrees, best[..., None], -1)[..., 0]
        leader = value.argmax(1)
        column = np.asarray(at)[leader]
        won = value[rows, leader] > 0
        chosen[rows[won], column[won]] = own[rows, leader][won]
        score[rows[won], column[won]] = value[rows, leader][won]
        winner = own[rows, leader][:, None, None]
        agrees[index == winner if shared is None else shared[winner, index]] = 0.0
        agrees[rows, leader] = 0.0


@dataclass(frozen=True, eq=False)
class Candidate:
    """A whole that may be there, the bits that it saves, and the shapes that it is told in place of."""

    whole: Observation
    bits: float
    instead: tuple[Observation, ...] = ()


@dataclass(frozen=True)
class Sight:
    """All that a route is judged by besides its parts: what may hide them, their pixels where there are any,
    and how many routes are known."""

    screen: Occlusion
    verifier: Verifier | None = None
    known: int = 1


@dataclass(frozen=True, eq=False)
class Assigned:
    """Where one route's whole may be, and which observation each of its parts would be there."""

    route: Route
    pattern: Pattern
    guess: Hypotheses
    chosen: Ints  # (H, P): the number of the observation of its symbol, -1 for none
    order: Ints  # of the hypotheses that have enough of the parts, the fullest first

    @classmethod
    def of(
        cls, table: ObservationTable, route: Route, pattern: Pattern, guess: Hypotheses, sight: Sight
    ) -> Assigned:
        chosen, score = assign(table, route, pattern, guess)
        count = (chosen >= 0).sum(1)
        least = needed(len(route.parts))
        good = np.flatnonzero(count >= (least if sight.verifier is None else min(least, 2)))
        return cls(route, pattern, guess, chosen, good[np.lexsort((-score[good].sum(1), -count[good]))])

    @property
    def most(self) -> int:
        """How many of the parts were observed, by the fullest hypothesis."""
        return int((self.chosen[self.order[0]] >= 0).sum()) if len(self.order) else 0

    def parts(self, table: ObservationTable, h: int) -> list[Observation | None]:
        """The observations of one hypothesis."""
        symbols = self.pattern.symbols
        return [table.nodes(symbols[j])[k] if k >= 0 else None for j, k in enumerate(self.chosen[h])]

    def first(self, h: int) -> Observation:
        """About where the whole is by one hypothesis."""
        scale = float(self.guess.scale[h])
        sides = scale * np.exp(self.pattern.aspect / 2 * np.array([-1.0, 1.0]))
        return Observation(
            self.route.symbol,
            (float(self.guess.x[h]), float(self.guess.y[h])),
            (float(sides[0]), float(sides[1])),
            float(self.guess.turn[h]),
            dict(self.pattern.looks),
        )


def all_wholes(
    table: ObservationTable, several: Sequence[tuple[Route, Pattern, Hypotheses]], sight: Sight
) -> Iterator[Candidate]:
    """All that these routes see. First those of which every part was observed, the largest first: what the
    same object with other parts would be in some of theirs is no longer asked. In a ring of twelve petals
    there are many of three, of four and of six."""
    assigned = [Assigned.of(table, *own, sight) for own in several]
    assigned.sort(key=lambda own: -own.most)
    full: dict[str, list[set[int]]] = {}
    for complete in (True, False):
        for own in assigned:
            for found in _wholes(own, table, sight, complete, full.setdefault(own.route.symbol, [])):
                if not found.whole.hidden:
                    full[own.route.symbol].append({id(part) for part in found.whole.parts})
                yield found


def _wholes(
    own: Assigned, table: ObservationTable, sight: Sight, complete: bool, full: Sequence[set[int]]
) -> Iterator[Candidate]:
    """What one route sees, each set of parts once. full: the parts of wholes of its symbol that are known."""
    route, kinds = own.route, own.pattern.kinds
    tried: list[set[tuple[int, int]]] = []
    for h in own.order.tolist():
        labels = {(kinds[j], int(k)) for j, k in enumerate(own.chosen[h]) if k >= 0}
        if any(labels <= other for other in tried):
            continue
        tried.append(labels)
        if (len(labels) == len(route.parts)) != complete:
            continue
        parts = own.parts(table, h)
        if any({id(part) for part in parts if part is not None} <= other for other in full):
            continue
        got = fit(route, parts, own.first(h))
        if route.joints and None in got.seen:
            got = bent(route, got, table)
        found = judged(route, got, sight, table)
        if found is not None:
            parts_told = {id(part) for part in found.whole.parts}
            instead = {
                id(own): own
                for own in (*found.instead, *(o for part in found.whole.parts for o in table.originals(part)))
                if id(own) not in parts_told
            }
            yield replace(found, instead=tuple(instead.values()))


def judged(route: Route, got: Fit, sight: Sight, table: ObservationTable | None = None) -> Candidate | None:
    """The whole with what becomes of the parts that were not observed; None if it is not there.

    table: where parts that have strayed from their places are looked for.
    """
    if len(route.parts) == 1:  # told by its proportions alone
        return Candidate(got.whole, got.whole.p) if got.whole.p >= THRESHOLD and got.whole.parts else None
    if len(got.whole.parts) < 2:
        return None
    found, hidden, bits = list(got.seen), [], evidence(route, got) - name_bits(sight.known)
    unread = gone = 0
    left = got.seen.count(None)
    for j, part in enumerate(got.seen):
        if part is not None:
            continue
        if unread + gone > len(found) // 5 or bits + DRAWN * left <= 0:
            return None
        left -= 1
        seen = _by_pixels(got, j, sight.verifier, covered=False)
        if not isinstance(seen, Observation):
            if sight.screen.hides(got.expected[j], got.whole.parts):
                hidden.append(j)
                bits -= HIDDEN
                continue
            seen = _by_pixels(got, j, sight.verifier, covered=True)
        if not isinstance(seen, Observation) and _blends(got, j, sight.verifier):
            hidden.append(j)
            bits -= HIDDEN
            continue
        if seen is False:
            away = strayed(route, got, j, table, found) if table is not None else None
            if away is None or len(got.whole.parts) < 3:
                gone += 1
                hidden.append(j)
            else:
                found[j] = away
            bits -= GONE
            continue
        if isinstance(seen, Observation):
            found[j] = seen
            bits += DRAWN * seen.p
            continue
        hidden.append(j)
        bits -= UNREAD
        unread += 1
    there = [part for part in found if part is not None]
    if bits <= 0 or unread + gone > len(found) // 5 or len(there) < needed(len(found)):
        return None
    z = [
        None if part is None else agreement(route, j, part, got.expected[j], got.whole)
        for j, part in enumerate(found)
    ]
    p = activation(z, np.array([0.0 if part is None else part.p for part in found]), route.past_p)
    if p < LEAST:
        return None
    whole = replace(got.whole, p=p, parts=there, hidden=[replace(got.expected[j], p=0.0) for j in hidden])
    drawn = sight.verifier is not None and len(there) > len(got.whole.parts)
    return Candidate(whole, bits, tuple(sight.verifier.explained(there)) if drawn and sight.verifier else ())


def bent(route: Route, got: Fit, table: ObservationTable) -> Fit:
    """The same whole with what its joints have carried away from where the parts were looked for."""
    seen = list(got.seen)
    for j in dict.fromkeys(joint.part for joint in route.joints if seen[joint.part] is None):
        for near in _loose_nodes(route, got, j, table, seen):
            trial = fit(route, [near if i == j else own for i, own in enumerate(seen)], got.whole)
            if trial.seen[j] is not None and sum(map(bool, trial.seen)) > sum(map(bool, got.seen)):
                got, seen = trial, list(trial.seen)
                break
    return got


def strayed(
    route: Route, got: Fit, j: int, table: ObservationTable, found: list[Observation | None]
) -> Observation | None:
    """A shape like part j that is not in its place: the same kind, size and colour, close to the whole."""
    return next(iter(_loose_nodes(route, got, j, table, found)), None)


def _loose_nodes(
    route: Route, got: Fit, j: int, table: ObservationTable, taken: Sequence[Observation | None]
) -> list[Observation]:
    """Shapes like part j within reach of the whole that are none of its parts, the nearest first."""
    expected = got.expected[j]
    used = {id(own) for part in taken if part is not None for own in table.originals(part)}
    reach = math.hypot(*got.whole.size)
    alike = []
    for node in table.nodes(expected.symbol):
        away = math.dist(node.position, expected.position)
        if away > reach or any(id(own) in used for own in table.originals(node)):
            continue
        sides = np.log(np.sort(node.size) / np.sort(expected.size))
        looks = [node.attributes.get(n, 0.0) - expected.attributes.get(n, 0.0) for n in COLOUR_NAMES]
        if np.abs(sides).max() < route.widths[j, WIDTH] and math.hypot(*looks) < STRAY:
            alike.append((away, node))
    return [node for _, node in sorted(alike, key=lambda own: own[0])]


def evidence(route: Route, got: Fit) -> float:
    """The bits that a whole saves on the parts that were observed."""
    scale = math.sqrt(got.whole.size[0] * got.whole.size[1])
    bits = -pose_bits(route, got.seen, scale)
    for j, part in enumerate(got.seen):
        if part is not None:
            off, _, left = differences(route, j, part, got.expected[j], got.whole)
            bits += part_bits(route, j, off[:POSE], part, scale) - left
            bits += colour_bits(part, got.expected[j])
    return bits


def _blends(got: Fit, j: int, verifier: Verifier | None) -> bool:
    """Whether part j may have the colour of a part that was seen, and lie on it."""
    there = [part for part in got.seen if part is not None]
    return verifier is not None and verifier.blends(got.expected[j], there)


def _by_pixels(got: Fit, j: int, verifier: Verifier | None, covered: bool) -> Observation | bool | None:
    """What the picture shows in the place of a primitive that was not observed; covered: behind what was told
    there."""
    expected = got.expected[j]
    if verifier is None or expected.symbol not in primitives():
        return None
    others = [got.expected[i] if part is None else part for i, part in enumerate(got.seen) if i != j]
    depths = [part.depth for part in (*reversed(got.seen[:j]), *got.seen[j:]) if part is not None]
    seen = verifier.sees(expected, others, j, covered)
    return replace(seen, depth=depths[0]) if isinstance(seen, Observation) else seen

"""Routing: from observed parts to wholes, without trying permutations.

Two observations that lie to each other as two parts of a known object do are a hypothesis for the whole; g
says where the other parts must be, a tree finds what is there, and rivals for one place are settled by how
well they fit. What is left of each hypothesis goes through γ, g, Z and p as in the paper.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.pairs import NEAR, Ints, Pairs, Pattern, features, similarity
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, Turning, X, Y, aligned
from unrender.capsules.route import Route
from unrender.capsules.screen import Screen
from unrender.capsules.semantic import fit, window
from unrender.capsules.table import ObservationTable
from unrender.scene import Observation

THRESHOLD = 0.6  # a whole with a lower p is not observed
NEIGHBOURS = 12  # of each symbol around an observation, with which it may form a pair
RIVALS = 4  # observations that are tried for one place
HOPE = 0.05  # agreement of every attribute of a pose, while only two parts say where the whole is
FARTHEST = math.sqrt(-math.log(HOPE))  # widths of a window within which there is hope
NEEDED = 0.6  # share of the parts that must be seen


@dataclass(frozen=True)
class Hypotheses:
    """Where one route's whole may be: its centre, the scale of its frame and its turn, each (H,)."""

    x: Floats
    y: Floats
    scale: Floats
    turn: Floats

    def expected(self, poses: Floats) -> Floats:
        """(H, P, 5): where the parts of a pattern (P, 5) would be."""
        cos, sin = np.cos(np.radians(self.turn))[:, None], np.sin(np.radians(self.turn))[:, None]
        scale = self.scale[:, None]
        out = np.empty((len(self.x), *poses.shape))
        out[..., X] = self.x[:, None] + scale * (cos * poses[:, X] - sin * poses[:, Y])
        out[..., Y] = self.y[:, None] + scale * (sin * poses[:, X] + cos * poses[:, Y])
        out[..., WIDTH], out[..., HEIGHT] = scale * poses[:, WIDTH], scale * poses[:, HEIGHT]
        out[..., ROTATION] = poses[:, ROTATION] + self.turn[:, None]
        return out

    @classmethod
    def join(cls, parts: Sequence[Hypotheses]) -> Hypotheses:
        return cls(*(np.concatenate([getattr(h, n) for h in parts]) for n in ("x", "y", "scale", "turn")))

    def __getitem__(self, index: NDArray[np.bool_] | Ints) -> Hypotheses:
        return Hypotheses(self.x[index], self.y[index], self.scale[index], self.turn[index])


def seen_pairs(table: ObservationTable, one: str, other: str) -> tuple[Ints, Ints]:
    """Indices of neighbouring observations of two symbols; each pair of the same symbol once."""
    a = table.poses(one)
    same = one == other
    distance, index = table.nearest(other, a[:, [X, Y]], NEIGHBOURS + same)
    rows = np.repeat(np.arange(len(a)), index.shape[1])
    columns, near = index.ravel(), np.isfinite(distance.ravel())
    keep = near & (rows != columns) if same else near
    rows, columns = rows[keep], columns[keep]
    if same:
        pairs = np.unique(np.sort(np.stack([rows, columns], 1), 1), axis=0)
        rows, columns = pairs[:, 0], pairs[:, 1]
    return rows, columns


def by_pairs(
    table: ObservationTable,
    index: dict[tuple[str, str], Pairs],
    patterns: Sequence[Pattern],
    turnings: dict[str, Turning],
    fresh: set[str],
) -> dict[int, Hypotheses]:
    """Hypotheses for all rigid routes, by the number of their pattern."""
    found: dict[int, list[Hypotheses]] = {}
    for (one, other), pairs in index.items():
        if one not in table or other not in table or not fresh & {one, other}:
            continue
        rows, columns = seen_pairs(table, one, other)
        a, b = table.poses(one)[rows], table.poses(other)[columns]
        which, known = pairs.matches(features(a, b, turnings[one], turnings[other]))
        order = np.argsort(pairs.route[known], kind="stable")
        which, known = which[order], known[order]
        bounds = np.flatnonzero(np.diff(pairs.route[known], prepend=-1, append=-1))
        for start, stop in pairwise(bounds):
            r = int(pairs.route[known[start]])
            some = slice(start, stop)
            poses = patterns[r].poses
            p, q = poses[pairs.first[known[some]]], poses[pairs.second[known[some]]]
            made = carried(a[which[some]], b[which[some]], p, q, turnings[one])
            found.setdefault(r, []).append(made)
    return {r: Hypotheses.join(parts) for r, parts in found.items()}


def carried(a: Floats, b: Floats, p: Floats, q: Floats, turning: Turning) -> Hypotheses:
    """The wholes whose parts p and q (N, 5) would be at a and b.

    Parts whose centres meet have no direction to each other: then each equivalent turn of the first one is
    a hypothesis of its own.
    """
    size = np.sqrt(p[:, WIDTH] * p[:, HEIGHT])
    clear = np.hypot(*(q - p)[:, [X, Y]].T) > NEAR * size
    scale, turn = similarity(a[:, [X, Y]], b[:, [X, Y]], p[:, [X, Y]], q[:, [X, Y]])
    made = [_placed(a, p, scale, turn)[clear]]
    if not clear.all():
        scale = np.sqrt(a[:, WIDTH] * a[:, HEIGHT]) / size
        for option, period in turning.options(a):
            step = np.where(period > 0, period, 360.0)
            for k in range(4):
                turn = option[:, ROTATION] - p[:, ROTATION] + k * step
                made.append(_placed(a, p, scale, turn)[~clear & (k * step < 360)])
    return Hypotheses.join(made)


def _placed(a: Floats, p: Floats, scale: Floats, turn: Floats) -> Hypotheses:
    """The frame in which part p lies at a."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    x = a[:, X] - scale * (cos * p[:, X] - sin * p[:, Y])
    y = a[:, Y] - scale * (sin * p[:, X] + cos * p[:, Y])
    return Hypotheses(x, y, scale, turn)


def by_parts(table: ObservationTable, pattern: Pattern, turnings: dict[str, Turning]) -> Hypotheses:
    """Hypotheses for a loose route: every part with its pose is one, and so is every pair of neighbours."""
    made = []
    for i, symbol in enumerate(pattern.symbols):
        a = table.poses(symbol)
        if len(a):
            p = np.broadcast_to(pattern.poses[i], a.shape)
            made.append(carried(a, a, p, p, turnings[symbol]))
        for j in range(i):
            other = pattern.symbols[j]
            if len(a) and other in table:
                rows, columns = seen_pairs(table, symbol, other)
                for swap in (False, True) if symbol == other else (False,):
                    m, n = (columns, rows) if swap else (rows, columns)
                    b = table.poses(other)[n]
                    p = np.broadcast_to(pattern.poses[i], b.shape)
                    q = np.broadcast_to(pattern.poses[j], b.shape)
                    made.append(carried(a[m], b, p, q, turnings[symbol]))
    return Hypotheses.join(made)


def promising(
    table: ObservationTable, route: Route, pattern: Pattern, guess: Hypotheses, screen: Screen
) -> Hypotheses:
    """Those hypotheses for which something lies near where enough of the parts should be, and the others may
    be missed: of many known objects that share two parts with what is there, hardly any has the rest."""
    expected = guess.expected(pattern.poses)
    near = np.zeros(expected.shape[:2], bool)
    reach = FARTHEST * np.hypot(route.widths[:, X], route.widths[:, Y])
    for symbol in dict.fromkeys(pattern.symbols):
        if symbol in table:
            at = [j for j, own in enumerate(pattern.symbols) if own == symbol]
            distance, _ = table.nearest(symbol, expected[:, at][..., [X, Y]].reshape(-1, 2), 1)
            near[:, at] = distance.reshape(-1, len(at)) < guess.scale[:, None] * reach[at]
    good = np.flatnonzero(near.sum(1) >= needed(len(route.parts)))
    plain = ~near[good]
    if plain.any():
        plain[plain] = ~screen.may_hide(expected[good][plain])
    return guess[good[plain.sum(1) <= len(route.parts) // 5]]


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


def wholes(
    table: ObservationTable,
    route: Route,
    pattern: Pattern,
    guess: Hypotheses,
    screen: Screen,
) -> Iterator[Observation]:
    """All that this route sees, each set of parts once. screen: everything that may hide a part."""
    guess = promising(table, route, pattern, guess, screen)
    if not len(guess.x):
        return
    chosen, score = assign(table, route, pattern, guess)
    expected = guess.expected(pattern.poses)
    count = (chosen >= 0).sum(1)
    good = np.flatnonzero(count >= needed(len(route.parts)))
    order = good[np.lexsort((-score[good].sum(1), -count[good]))]
    tried: list[set[tuple[int, int]]] = []
    sides = np.exp(pattern.aspect / 2 * np.array([-1.0, 1.0]))
    for h in order:
        own = {(j, int(k)) for j, k in enumerate(chosen[h]) if k >= 0}
        if any(own <= other for other in tried):
            continue
        tried.append(own)
        parts = [table.nodes(route.parts[j])[k] if k >= 0 else None for j, k in enumerate(chosen[h])]
        absent = [_node(route.parts[j], expected[h, j]) for j, part in enumerate(parts) if part is None]
        seen = [part for part in parts if part is not None]
        if not missable(seen, absent, len(parts), screen):
            continue
        scale = float(guess.scale[h])
        first = Observation(
            route.symbol,
            (float(guess.x[h]), float(guess.y[h])),
            (scale * sides[0], scale * sides[1]),
            float(guess.turn[h]),
            dict(pattern.looks),
        )
        whole = fit(route, parts, first).whole
        if whole.p >= THRESHOLD and plausible(whole, len(route.parts), screen):
            yield whole


def needed(parts: int) -> int:
    """How many of the parts of a whole must be seen."""
    return min(parts, max(2, math.ceil(NEEDED * parts)))


def plausible(whole: Observation, expected: int, screen: Screen) -> bool:
    """Whether enough of a whole is seen, and the rest may be missed."""
    return len(whole.parts) >= needed(expected) and missable(whole.parts, whole.hidden, expected, screen)


def missable(
    seen: Sequence[Observation], absent: Sequence[Observation], expected: int, screen: Screen
) -> bool:
    """Whether the parts that were not seen may be missed: something hides them, or at most one in five."""
    spare = expected // 5
    if len(absent) <= spare:
        return True
    return sum(not screen.hides(part, seen) for part in absent) <= spare


def _node(symbol: str, pose: Floats) -> Observation:
    """An observation that only has a pose."""
    x, y, width, height, rotation = pose.tolist()
    return Observation(symbol, (x, y), (width, height), rotation)

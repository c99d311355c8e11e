"""Routing: from observed parts to wholes, without trying permutations.

Two observations that lie to each other as two parts of a known object do are a hypothesis for the whole; g
says where the other parts must be, a tree finds what is there, and rivals for one place are settled by how
well they fit. What is left of each hypothesis goes through γ, g, Z and p as in the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.hypotheses import HOPE, Hypotheses, needed
from unrender.capsules.pairs import Ints, Pattern
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y, aligned
from unrender.capsules.route import Route
from unrender.capsules.screen import Screen
from unrender.capsules.semantic import fit, window
from unrender.capsules.table import ObservationTable
from unrender.scene import Observation

THRESHOLD = 0.6  # a whole with a lower p is not observed
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


def wholes(
    table: ObservationTable,
    route: Route,
    pattern: Pattern,
    guess: Hypotheses,
    screen: Screen,
) -> Iterator[Observation]:
    """All that this route sees, each set of parts once. screen: everything that may hide a part."""
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
        parts = [table.nodes(pattern.symbols[j])[k] if k >= 0 else None for j, k in enumerate(chosen[h])]
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

"""Finding a repetition: which parts of two examples of different counts are copies, and by which law."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.poses import (
    HEIGHT,
    POSE,
    ROTATION,
    WIDTH,
    Floats,
    X,
    Y,
    aligned_one,
)
from unrender.capsules.repetition.copies import OFF_TURN, Law, arrangements
from unrender.capsules.repetition.law import SAME_PLACE, Example, Repetition
from unrender.capsules.route import Route

SAME_SIDES = 0.12  # log sides
CHANGED = 1 / 3  # of the numbers that may go with the count; if more do, these are two different things
MOST_UNIT = 4  # parts that are copied together


def find_repetition(routes: Sequence[Route]) -> Repetition | None:
    """What repeats in the routes of one object; None if they do not differ by a number of copies."""
    own = [route for route in routes if route.given is None and len(route.parts) > 1]
    for i, one in enumerate(own):
        for other in own[i + 1 :]:
            found = _best(one, other)
            if found is not None:
                return _with_others(found, [route for route in own if route not in (one, other)])
    return None


def _units(one: Route, other: Route) -> Iterator[Counter[str]]:
    """What the larger has more than the smaller, in as many equal units as can be."""
    more, fewer = sorted((Counter(one.parts), Counter(other.parts)), key=lambda own: -own.total())
    extra = more - fewer
    if not extra or fewer - more:
        return
    shared = math.gcd(*extra.values())
    for often in range(shared, 0, -1):
        if shared % often == 0 and extra.total() // often <= MOST_UNIT:
            yield Counter({symbol: number // often for symbol, number in extra.items()})


def _best(one: Route, other: Route) -> Repetition | None:
    for unit in _units(one, other):
        step = (len(other.parts) - len(one.parts)) // unit.total()
        pairs = [
            made
            for a in arrangements(one.memory[0].parts, unit)
            for b in arrangements(other.memory[0].parts, unit)
            if a.law == b.law and b.count - a.count == step and max(a.count, b.count) > 1
            for made in _together(Example(one, a), Example(other, b))
        ]
        if pairs:
            return min(pairs, key=_strangeness)
    return None


def _strangeness(found: Repetition) -> tuple[int, float]:
    """How many numbers the law takes, where one that goes with the count takes two; then by how much the
    others depart."""
    return len(found.changed) + int(found.changed.sum()), float(
        np.ptp(found.values[:, ~found.changed], axis=0).sum()
    )


def _together(one: Example, other: Example) -> Iterator[Repetition]:
    """The law of two examples in any of their frames."""
    if len(one.copies.fixed) != len(other.copies.fixed) or not (one.steady and other.steady):
        return
    if one.copies.count == 1:  # one copy alone tells no direction
        one = replace(one, copies=replace(one.copies, angle=other.copies.angle))
    elif other.copies.count == 1:
        other = replace(other, copies=replace(other.copies, angle=one.copies.angle))
    several = one.copies.law is Law.RING and one.pointed  # which copy is the first matters to the others
    rolls = product(range(one.copies.count), range(other.copies.count)) if several else [(0, 0)]
    for i, j in rolls:
        a = Example(one.route, one.copies.rolled(i)) if i else one
        b = Example(other.route, other.copies.rolled(j)) if j else other
        made = _law([a, b])
        if made is not None:
            yield made


def _law(examples: Sequence[Example]) -> Repetition | None:
    """What examples have in common, told in the unit of length in which the most does."""
    first = examples[0]
    best: Repetition | None = None
    lengths: list[Callable[[Example, Sequence[int]], float]] = [
        *(lambda own, fixed, u=u: _side(own.unit[u]) for u in range(len(first.unit))),
        *(lambda own, fixed, f=f: _side(own.fixed(fixed[f])) for f in range(len(first.copies.fixed))),
    ]
    matched = [first.copies.fixed, *(_matched(first, own) for own in examples[1:])]
    if any(own is None for own in matched):
        return None
    fixed = tuple(own for own in matched if own is not None)
    for length in lengths:
        sides = np.array([length(own, rest) for own, rest in zip(examples, fixed, strict=True)])
        values = [_values(first, first, fixed[0], fixed[0], 1.0)]
        values += [
            _values(own, first, rest, fixed[0], sides[0] / side)
            for own, rest, side in zip(examples[1:], fixed[1:], sides[1:], strict=True)
        ]
        table = np.stack(values) / np.where(_lengths(len(values[0])), sides[0], 1.0)
        steps = [m for m, own in enumerate(examples) if own.copies.count > 1]
        for m in set(range(len(examples))) - set(steps):  # one copy alone tells no step
            table[m, -4:] = table[steps[0], -4:]
        changed = _changed(table, first.extent / sides[0])
        turns = np.arange(len(changed) - 4) % POSE == ROTATION
        if changed[:-4][turns].any() or changed.sum() > CHANGED * len(changed):
            continue
        made = Repetition(tuple(examples), fixed, sides, table, changed)
        if best is None or _strangeness(made) < _strangeness(best):
            best = made
    return best


def _lengths(count: int) -> NDArray[np.bool_]:
    """(K,): the values that are lengths: all but the turns."""
    found: NDArray[np.bool_] = (np.arange(count) % POSE != ROTATION) | (np.arange(count) >= count - 4)
    return found


def _side(pose: Floats) -> float:
    return math.sqrt(float(pose[WIDTH] * pose[HEIGHT]))


def _values(own: Example, first: Example, rest: Sequence[int], known: Sequence[int], grown: float) -> Floats:
    """(K,): all numbers of an example, in px as if it were `grown` times as large, read as the first is."""
    rows = []
    for u, pose in enumerate(own.unit):
        pose = pose.copy()
        pose[:ROTATION] *= grown
        rows.append(aligned_one(pose, first.unit[u], first.turning(first.copies.units[0][u])))
    for k, f in zip(rest, known, strict=True):
        pose, like = own.fixed(k), first.fixed(f)
        pose[:ROTATION] *= grown
        rows.append(aligned_one(pose, like, first.turning(f)))
    return np.concatenate([*rows, (own.steps * grown).ravel()])


def _changed(table: Floats, extent: float) -> NDArray[np.bool_]:
    """(K,): the numbers that differ from example to example. extent: the mean side of the whole."""
    spread = np.ptp(table, axis=0)
    column = np.arange(table.shape[1]) % POSE
    changed: NDArray[np.bool_] = spread > SAME_PLACE * extent
    sides = np.isin(column, [WIDTH, HEIGHT])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.ptp(np.log(table), axis=0)
    changed = np.where(sides, ratio > SAME_SIDES, changed)
    changed = np.where(column == ROTATION, spread > OFF_TURN, changed)
    changed[-4:] = spread[-4:] > SAME_PLACE * extent
    return changed


def _matched(first: Example, own: Example) -> tuple[int, ...] | None:
    """The other parts of an example in the order of the first one's."""
    from scipy.optimize import linear_sum_assignment

    if not first.copies.fixed:
        return ()
    grown = first.extent / own.extent
    cost = np.full((len(first.copies.fixed),) * 2, 1e3)
    for i, k in enumerate(first.copies.fixed):
        like = first.fixed(k)
        for j, m in enumerate(own.copies.fixed):
            if first.parts[k].symbol == own.parts[m].symbol:
                pose = own.fixed(m)
                pose[:ROTATION] *= grown
                pose = aligned_one(pose, like, first.turning(k))
                away = float(np.hypot(*(pose - like)[[X, Y]])) / first.extent
                cost[i, j] = away + float(np.abs(np.log(pose[[WIDTH, HEIGHT]] / like[[WIDTH, HEIGHT]])).sum())
    rows, columns = linear_sum_assignment(cost)
    if cost[rows, columns].max() >= 1e3:
        return None
    return tuple(own.copies.fixed[j] for j in columns)


def _with_others(found: Repetition, others: Sequence[Route]) -> Repetition:
    """The same law with all other routes that follow it, each a count that is new."""
    for route in others:
        unit = Counter(found.examples[0].parts[k].symbol for k in found.examples[0].copies.units[0])
        base = found.examples
        for copies in arrangements(route.memory[0].parts, unit):
            if copies.law is not found.law or copies.count in found.counts.values():
                continue
            if len(copies.fixed) != len(base[0].copies.fixed):
                continue
            rolls = range(copies.count) if copies.law is Law.RING and base[0].pointed else range(1)
            made = [_law([*base, Example(route, copies.rolled(j) if j else copies)]) for j in rolls]
            fits = [own for own in made if own is not None]
            if fits:
                found = min(fits, key=_strangeness)
                break
    return found

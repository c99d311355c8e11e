"""Unrolling: a rule that repeats a part, as one route for every count.

A repetition is learned from routes that differ by the number of their copies, or given by a grammar. For the
counts in between and beyond, routes are made that nobody has taught; they are found and drawn like all others
and are never stored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from weakref import WeakKeyDictionary

from unrender.capsules.experience import Entry
from unrender.capsules.gamma import whole
from unrender.capsules.grammar_decoder import GivenRule
from unrender.capsules.repetition.finding import find_repetition
from unrender.capsules.repetition.law import Repetition
from unrender.capsules.route import Route
from unrender.capsules.semantic import SemanticCapsule
from unrender.errors import UnrenderError
from unrender.grammar.rule import Counts


@dataclass(frozen=True, eq=False)
class Unrolled:
    """What one capsule knows about counts: the routes for counts that were not taught, and the count of every
    route by its name."""

    capsule: SemanticCapsule
    repetition: Repetition | None = None  # that its examples tell

    @cached_property
    def written(self) -> tuple[Route, GivenRule] | None:
        """The route whose rule a grammar tells to be repeated."""
        for route in self.capsule.routes:
            if isinstance(route.given, GivenRule) and route.given.rule.counts is not None:
                return route, route.given
        return None

    @property
    def bounds(self) -> Counts | None:
        """How many copies there may be; None if nothing repeats."""
        if self.repetition is not None:
            return self.repetition.bounds
        return None if self.written is None else self.written[1].rule.counts

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        """The routes for all counts that were not taught."""
        if self.repetition is not None:
            known = {own.copies.shape for own in self.repetition.examples}
            shapes = [shape for shape in self.repetition.shapes if shape not in known]
            return tuple(_example(self.repetition, shape) for shape in shapes)
        if self.written is not None:
            route, given = self.written
            counts = given.rule.counts
            assert counts is not None
            several = [n for n in range(counts.low, counts.high + 1) if n != counts.usual]
            return tuple(_by_rule(route, given, count) for count in several)
        return ()

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many copies each route has, by its name."""
        found = {route.name: math.prod(route.shape) for route in self.routes}
        if self.repetition is not None:
            found |= self.repetition.counts
        elif self.written is not None and self.bounds is not None:
            found[self.written[0].name] = self.bounds.usual
        return found

    def route(self, count: object) -> Route:
        """The route for so many copies; an error if there cannot be so many."""
        symbol = self.capsule.symbol
        if self.bounds is None:
            raise UnrenderError(f"[{symbol}] repeats nothing that is known, so it has no count.")
        number = self.bounds.check(count, symbol)
        if self.repetition is not None:
            shape = self.repetition.shape_of(number)
            if shape is None:
                raise UnrenderError(f"[{symbol}] stands in rows, and there are no even rows of {number}.")
            names = [own.route.name for own in self.repetition.examples if own.copies.shape == shape]
            names += [route.name for route in self.routes if route.shape == shape]
        else:
            names = [name for name, own in self.counts.items() if own == number]
        return next(r for r in (*self.capsule.routes, *self.routes) if r.name == names[0])


def _example(found: Repetition, shape: tuple[int, ...]) -> Route:
    """A route as if one example of this count had been taught."""
    first, parts = found.examples[0], found.parts(shape)
    turnings = {
        (own.symbol, own.form): first.turning(k) for k, own in enumerate(first.parts)
    }  # the same for all copies
    return Route(
        symbol=first.route.symbol,
        number=first.route.number,
        parts=tuple(part.symbol for part in parts),
        names=first.route.names,
        turnings=tuple(turnings[part.symbol, part.form] for part in parts),
        memory=(Entry(tuple(parts), whole(first.route.symbol, parts)),),
        hinged=first.route.hinged,
        kind=first.route.kind,
        learned=first.route.learned,
        shape=shape,
    )


def _by_rule(route: Route, given: GivenRule, count: int) -> Route:
    """The route of a rule for another count."""
    other = replace(given, count=count)
    top = other.example()
    parts = other(top)
    known = dict(zip(route.parts, route.turnings, strict=True))
    return replace(
        route,
        parts=tuple(part.symbol for part in parts),
        turnings=tuple(known[part.symbol] for part in parts),
        memory=(Entry(tuple(parts), top),),
        given=other,
        past=None,
        shape=(count,),
    )


_KNOWN: WeakKeyDictionary[SemanticCapsule, Unrolled] = WeakKeyDictionary()


def unrolled(capsule: SemanticCapsule) -> Unrolled:
    """What a capsule knows about counts."""
    if capsule not in _KNOWN:
        _KNOWN[capsule] = Unrolled(capsule, find_repetition(capsule.routes))
    return _KNOWN[capsule]

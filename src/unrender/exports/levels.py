"""Where the capsules of a network stand in a drawing: primitives left, wholes to the right of their parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

SWEEPS = 8  # times that the columns are sorted, to and fro


class RouteLike(Protocol):
    """What a drawing needs to know of a route."""

    @property
    def parts(self) -> tuple[str, ...]: ...

    @property
    def own(self) -> tuple[str, ...]:
        """The attributes that were taught of the whole itself."""


@dataclass(frozen=True)
class Link:
    """An arrow from a part to one route of its whole."""

    part: str
    whole: str
    route: int  # counted from 0
    count: int  # how many such parts the route has
    via: tuple[str, ...] = ()  # places in the columns between them, so that it passes no capsule


@dataclass(frozen=True)
class Levels:
    """Capsules in columns, each from top to bottom, and the links between them."""

    columns: tuple[tuple[str, ...], ...]  # with the places through which links pass
    links: tuple[Link, ...]
    routes: Mapping[str, int]  # of every whole
    words: Mapping[str, tuple[str, ...]]  # its own attributes

    @property
    def places(self) -> dict[str, tuple[int, float]]:
        """(column, row) of everything in the columns; rows are counted from the middle of each."""
        return {
            name: (i, j - (len(column) - 1) / 2)
            for i, column in enumerate(self.columns)
            for j, name in enumerate(column)
        }

    @property
    def capsules(self) -> list[str]:
        """Everything in the columns but the places through which links pass."""
        bends = {bend for link in self.links for bend in link.via}
        return [name for column in self.columns for name in column if name not in bends]

    def is_part(self, name: str) -> bool:
        """Whether anything is made of it."""
        return any(link.part == name for link in self.links)


def levels(symbols: Mapping[str, Sequence[RouteLike]], primitives: Sequence[str]) -> Levels:
    """The columns of a network: primitives first, every whole right of all its parts.

    A part that is neither a symbol nor among the primitives counts as one.
    """
    parts = {name: {part for route in routes for part in route.parts} for name, routes in symbols.items()}
    strange = sorted(set().union(*parts.values()) - set(symbols) - set(primitives))
    column = dict.fromkeys([*primitives, *strange], 0)
    while left := [name for name in symbols if name not in column]:
        for name in left:
            if parts[name] <= set(column):
                column[name] = 1 + max(column[part] for part in parts[name])
    links = tuple(
        Link(part, name, i, count, _via(part, name, column))
        for name, routes in symbols.items()
        for i, route in enumerate(routes)
        for part, count in Counter(route.parts).items()
    )
    columns = [[name for name, own in column.items() if own == i] for i in range(max(column.values()) + 1)]
    for i, bend in dict.fromkeys((i, bend) for link in links for i, bend in _bends(link, column)):
        columns[i].append(bend)
    return Levels(
        columns=tuple(tuple(names) for names in _untangled(columns, links)),
        links=links,
        routes={name: len(routes) for name, routes in symbols.items()},
        words={
            name: tuple(dict.fromkeys(w for r in routes for w in r.own)) for name, routes in symbols.items()
        },
    )


def _via(part: str, whole: str, column: Mapping[str, int]) -> tuple[str, ...]:
    """A name for the place in each column between a part and its whole."""
    return tuple(f"{part} > {whole} {i}" for i in range(column[part] + 1, column[whole]))


def _bends(link: Link, column: Mapping[str, int]) -> list[tuple[int, str]]:
    """The places through which a link passes, with their columns."""
    return list(enumerate(link.via, start=column[link.part] + 1))


def _untangled(columns: list[list[str]], links: Sequence[Link]) -> list[list[str]]:
    """The columns, each sorted by the mean row of what it is linked to, so that few links cross."""
    steps = [pair for link in links for pair in pairwise((link.part, *link.via, link.whole))]
    best, fewest = [list(names) for names in columns], _crossings(columns, steps)
    now = [list(names) for names in columns]
    for sweep in range(SWEEPS):
        for names in now if sweep % 2 else reversed(now):
            rows = _rows(now)
            near = {
                name: [rows[one] for pair in steps if name in pair for one in pair if one != name]
                for name in names
            }
            names.sort(key=lambda name: sum(near[name]) / len(near[name]) if near[name] else rows[name])
        crossed = _crossings(now, steps)
        if crossed < fewest:
            best, fewest = [list(names) for names in now], crossed
    return best


def _rows(columns: Sequence[Sequence[str]]) -> dict[str, float]:
    """How far down each capsule stands, in [0, 1]."""
    return {name: (j + 0.5) / len(names) for names in columns for j, name in enumerate(names)}


def _crossings(columns: Sequence[Sequence[str]], steps: Sequence[tuple[str, str]]) -> int:
    """How many pairs of steps from a column to the next one cross."""
    rows = _rows(columns)
    column = {name: i for i, names in enumerate(columns) for name in names}
    ends = [(column[one], rows[one], rows[other]) for one, other in steps]
    return sum(i == j and (a - c) * (b - d) < 0 for k, (i, a, b) in enumerate(ends) for j, c, d in ends[:k])

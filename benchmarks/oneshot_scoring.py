"""Scoring of `oneshot.py`: a match has the right name and its centre within a quarter of sqrt(w h)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from counting import Counts, paired
from objects import Point, Thing
from oneshot_scenes import Picture


@dataclass(frozen=True)
class Finding:
    """What a finder says about one object, in the units of `Thing`."""

    name: str
    position: Point
    size: tuple[float, float]
    rotation: float
    p: float = 1.0
    parts: tuple[str, ...] = ()  # symbols of what it is made of
    hidden: tuple[tuple[str, Point], ...] = ()  # symbol and place of every part that it lacks


@dataclass
class Score(Counts):
    """Counts and errors, of one picture or, added up with `+=`, of many."""

    centre: list[float] = field(default_factory=list)  # px
    size: list[float] = field(default_factory=list)  # %, w and h of every match
    rotation: list[float] = field(default_factory=list)  # degrees
    named: list[bool] = field(default_factory=list)  # of found objects that lack a part: it is named
    complete: list[bool] = field(default_factory=list)  # of found objects: made of the right symbols
    seconds: list[float] = field(default_factory=list)
    alarmed: int = 0  # pictures in which anything was found
    pictures: int = 0


def total(scores: Sequence[Score]) -> Score:
    """All of them added up."""
    result = Score()
    for one in scores:
        result += one
    return result


def match(things: Sequence[Thing], found: Sequence[Finding]) -> list[tuple[int, int]]:
    """(index in things, index in found) of every match."""
    there = [(thing.name, thing.position) for thing in things]
    return paired(there, [(guess.name, guess.position) for guess in found], [own.reach for own in things])


def score(picture: Picture, found: Sequence[Finding], seconds: float) -> Score:
    """The score of one picture."""
    pairs = match(picture.things, found)
    result = Score(len(picture.things), len(found), len(pairs), seconds=[seconds], pictures=1)
    result.alarmed = int(bool(found))
    for i, j in pairs:
        thing, guess = picture.things[i], found[j]
        result.centre.append(math.dist(thing.position, guess.position))
        result.size += [100 * abs(g / t - 1) for g, t in zip(guess.size, thing.size, strict=True)]
        result.rotation.append(abs(math.remainder(guess.rotation - thing.rotation, 360.0)))
        result.complete.append(sorted(guess.parts) == sorted(shape.symbol for shape in thing.shapes))
        if thing.missing:
            result.named.append(_named(thing, guess))
    return result


def _named(thing: Thing, guess: Finding) -> bool:
    """Whether the part that cannot be seen is among those said to be hidden, within half of its size."""
    (part,) = thing.missing
    near = math.sqrt(part.size[0] * part.size[1]) / 2
    return any(
        symbol == part.symbol and math.dist(part.position, position) <= near
        for symbol, position in guess.hidden
    )

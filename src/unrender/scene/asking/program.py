"""What a question means: a small program of sets of objects, filters and a final operation."""

from __future__ import annotations

from dataclasses import dataclass

from unrender.scene.asking.filters import Filter, Phrase, Things


@dataclass(frozen=True)
class Count:
    """How many?"""

    things: Things


@dataclass(frozen=True)
class CountIs:
    """Are there at least, at most, exactly so many?"""

    things: Things
    sign: str  # "exactly", "at least", "at most", "more than", "fewer than"
    number: int


@dataclass(frozen=True)
class CountsCompare:
    """Are there more of these than of those?"""

    things: Things
    sign: str  # "more", "fewer", "as many"
    others: Things


@dataclass(frozen=True)
class Check:
    """Is it so?"""

    subject: Phrase
    filters: tuple[Filter, ...]


@dataclass(frozen=True)
class Which:
    """Which are these?"""

    things: Things


@dataclass(frozen=True)
class Choice:
    """Which of two is larger?"""

    word: str
    one: Phrase
    other: Phrase


@dataclass(frozen=True)
class Property:
    """What colour, size, ... does it have?"""

    subject: Phrase
    name: str


@dataclass(frozen=True)
class Distance:
    """How far is it from another?"""

    subject: Phrase
    other: Phrase


Program = Count | CountIs | CountsCompare | Check | Which | Choice | Property | Distance

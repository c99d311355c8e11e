"""What a question means: a small program of sets of objects, filters and a final operation."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Looks:
    """Keep what looks like that: "red", "filled", "very damaged"."""

    word: str
    degree: str = ""


@dataclass(frozen=True)
class Related:
    """Keep what stands like that to other objects: "left of the ship", "between the ship and a circle"."""

    word: str
    others: tuple[Phrase, ...]


@dataclass(frozen=True)
class Extreme:
    """Keep the one object that is most so: "largest"."""

    word: str


@dataclass(frozen=True)
class Nearest:
    """Keep the one object that is nearest to another, or farthest from it."""

    word: str
    other: Phrase


@dataclass(frozen=True)
class Compared:
    """Keep what is "larger" than another object."""

    word: str
    other: Phrase


@dataclass(frozen=True)
class Same:
    """Keep what has the same colour, size or kind as another object."""

    what: str
    other: Phrase


@dataclass(frozen=True)
class Kind:
    """Keep objects of one kind; None for all."""

    symbol: str | None
    text: str


@dataclass(frozen=True)
class Not:
    """Keep all but those that a filter keeps."""

    of: Filter


@dataclass(frozen=True)
class Either:
    """Keep what one of several filters keeps."""

    of: tuple[Filter, ...]


Filter = Looks | Related | Extreme | Nearest | Compared | Same | Kind | Not | Either


@dataclass(frozen=True)
class Things:
    """A set of objects: all, or the parts of some, through filters one after the other."""

    filters: tuple[Filter, ...] = ()
    parts_of: Phrase | None = None
    text: str = field(default="things", compare=False)


@dataclass(frozen=True)
class Phrase:
    """Things, and how many of them are meant: "one" (the ship), "any" (a ship), "all" (the ships)."""

    things: Things
    quantity: str


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

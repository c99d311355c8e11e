"""What a question means: a small program of sets of objects, filters and a final operation."""

from __future__ import annotations

from dataclasses import dataclass

from unrender.scene.questions.filters import Filters, Phrase, Things


@dataclass(frozen=True)
class Count:
    """How many of one or several kinds, all together?"""

    things: tuple[Things, ...]
    parts_too: bool = False  # whether what is a part of others counts beside what stands alone


@dataclass(frozen=True)
class Copies:
    """How many are there of what an object repeats, by a word that nobody has taught?"""

    owner: Phrase
    word: str


@dataclass(frozen=True)
class Sum:
    """A number and others that are added to it, taken from it or multiplied with it, from left to right."""

    first: Count | int
    more: tuple[tuple[str, Count | int], ...]  # "plus", "minus", "times" or "from": how far it is from it


@dataclass(frozen=True)
class CountIs:
    """Are there at least, at most, exactly so many?"""

    things: Things
    sign: str  # "exactly", "so many", "at least", "at most", "more than", "fewer than"
    number: int


@dataclass(frozen=True)
class CountsCompare:
    """Are there more of these than of those?"""

    things: Things
    sign: str  # "more", "fewer", "as many"
    others: Things


@dataclass(frozen=True)
class MoreOf:
    """Of which of two kinds are there more?"""

    things: Things
    others: Things


@dataclass(frozen=True)
class Check:
    """Is it so?"""

    subject: Phrase
    filters: Filters
    denied: bool = False  # whether it was asked as "is not every circle red?"


@dataclass(frozen=True)
class OnlyThese:
    """Are no others like that?"""

    subject: Phrase
    filters: Filters


@dataclass(frozen=True)
class AnyAlike:
    """Do any two or more agree in all of some properties?"""

    things: Things
    names: tuple[str, ...]
    number: int = 2


@dataclass(frozen=True)
class Which:
    """Which are these?"""

    things: Things
    there: bool = False  # whether there must be such: the purple one
    number: int | None = None  # how many there must be: which two


@dataclass(frozen=True)
class MadeOf:
    """Of which parts does it consist?"""

    subject: Phrase


@dataclass(frozen=True)
class Property:
    """What colour, size, ... does it have?"""

    subject: Phrase
    name: str


@dataclass(frozen=True)
class Values:
    """How many different colours, kinds, ... are there, which, or which is the most common?"""

    subject: Phrase
    name: str
    wanted: str  # "count", "all", "most", "least"


@dataclass(frozen=True)
class Mean:
    """How large is a property on average, or all together?"""

    subject: Phrase
    name: str
    total: bool  # the sum, not the mean


@dataclass(frozen=True)
class HowMuch:
    """By how much is it larger, taller, further left than another?"""

    word: str
    one: Phrase
    other: Phrase


@dataclass(frozen=True)
class Share:
    """Which share of some things is like that? Or is it more or less than a half?"""

    subject: Phrase
    filters: Filters
    asked: str  # "fraction", "percentage", "more than", "fewer than", "exactly" a half


@dataclass(frozen=True)
class Background:
    """What colour does the picture have where nothing is?"""


@dataclass(frozen=True)
class HowTo:
    """How does it stand to another?"""

    subject: Phrase
    other: Phrase


@dataclass(frozen=True)
class Distance:
    """How far is it from another? Or, without another, how far are two from each other?"""

    subject: Phrase
    other: Phrase | None


Program = (
    Count | Copies | Sum | CountIs | CountsCompare | MoreOf | Check | OnlyThese | AnyAlike | Which | MadeOf
    | Property | Values | Mean | HowMuch | Share | Background | HowTo | Distance
)  # fmt: skip

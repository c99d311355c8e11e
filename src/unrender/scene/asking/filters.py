"""What is kept of a set of objects, and phrases that stand for objects."""

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


def said(own: Filter) -> str:
    """A filter in words."""
    match own:
        case Kind(_, text):
            return text
        case Looks(word, degree):
            return f"{degree} {word}".lstrip()
        case Related(word, others):
            return f"{word} {' and '.join(_phrased(other) for other in others)}"
        case Extreme(word):
            return word
        case Nearest(word, other):
            return f"{word} to {_phrased(other)}"
        case Compared(word, other):
            return f"{word} than {_phrased(other)}"
        case Same(what, other):
            return f"the same {what} as {_phrased(other)}"
        case Not(inner):
            return f"not {said(inner)}"
        case Either(several):
            return " or ".join(said(inner) for inner in several)


def _phrased(phrase: Phrase) -> str:
    article = {"one": "the ", "all": "all ", "any": "any "}[phrase.quantity]
    return f"{article}{phrase.things.text}"

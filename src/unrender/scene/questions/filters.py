"""What is kept of a set of objects, and phrases that stand for objects."""

from __future__ import annotations

from dataclasses import dataclass, field

from unrender.scene.language.words import ORDINALS


@dataclass(frozen=True)
class Kind:
    """Keep objects of one kind; None for all."""

    symbol: str | None
    text: str
    shape: bool = False  # whether it is the noun of a shape, of which an object may have several


@dataclass(frozen=True)
class Looks:
    """Keep what looks like that: "red", "filled", "turned", "very damaged"."""

    word: str
    degree: str = ""
    partly: bool = False  # whether some of it is enough


@dataclass(frozen=True)
class Vague:
    """Keep what is "large", which only among others has a meaning: "the large circle" is the largest, and
    "large circles" are those on the upper side of the only gap between their sizes."""

    word: str
    extreme: str


@dataclass(frozen=True)
class Place:
    """Keep what lies there in the picture; of "the ship in the top left" the one that lies there most."""

    sides: tuple[str, ...]  # "left", "right", "top", "bottom", "middle"
    most: bool = False
    corner: bool = False  # whether it must lie in a corner, not only in that quarter of the picture


@dataclass(frozen=True)
class Related:
    """Keep what stands like that to other objects: "left of the ship", "between the ship and a circle"."""

    word: str
    others: tuple[Phrase, ...]
    loosely: bool = False  # whether all that lies on a side counts, however far to another side, too
    direct: bool = False  # whether it must be straight to that side, not aslant


@dataclass(frozen=True)
class Mutual:
    """Keep all if they stand like that to each other; else none."""

    word: str


@dataclass(frozen=True)
class Hosts:
    """Keep objects to which so many others stand in a relation: "with a square inside it"."""

    things: Things | Phrase
    word: str
    sign: str
    number: int


@dataclass(frozen=True)
class Points:
    """Keep what points "up", "down", "left" or "right"."""

    way: str


@dataclass(frozen=True)
class Nth:
    """Keep the second or third of objects in a row from the left, or in a column from the top."""

    rank: int


@dataclass(frozen=True)
class Extreme:
    """Keep the object that is most so, comes second or third, or the first few. Equals are kept together."""

    word: str
    rank: int = 1
    count: int = 1


@dataclass(frozen=True)
class Nearest:
    """Keep the one object that is nearest to another, or farthest from it."""

    word: str
    other: Phrase


@dataclass(frozen=True)
class NearerThan:
    """Keep what is nearer to one object than to another, or than another is; or farther from it."""

    word: str
    one: Phrase
    other: Phrase
    than: str = ""  # "to" another, or another "is"; "" where it was not said


@dataclass(frozen=True)
class Compared:
    """Keep what is "larger" than another object."""

    word: str
    other: Phrase


@dataclass(frozen=True)
class Measured:
    """Keep what is so many pixels wide, tall, long or thick: more than `low`, less than `high`."""

    name: str  # of a property
    low: float
    high: float


@dataclass(frozen=True)
class Beyond:
    """Keep what is "wider" than it is "tall", by its own width and height."""

    word: str
    name: str


@dataclass(frozen=True)
class Times:
    """Keep what is so many times as wide, tall or long as another object, or as its own other side."""

    name: str
    factor: float
    other: Phrase | str


@dataclass(frozen=True)
class Closest:
    """Keep the two objects that are nearest to each other, or farthest from each other."""

    word: str


@dataclass(frozen=True)
class Same:
    """Keep what has the same colour, size or kind as another object."""

    what: str
    other: Phrase
    exactly: bool = False  # whether about the same is not enough


@dataclass(frozen=True)
class Alike:
    """Keep all if they agree in a property; else none."""

    name: str


@dataclass(frozen=True)
class AsManyParts:
    """Keep all if they have equally many parts of a kind; else none."""

    things: Things


@dataclass(frozen=True)
class PartOf:
    """Keep the parts, at any depth, of other objects."""

    owner: Phrase


@dataclass(frozen=True)
class Has:
    """Keep wholes with so many parts of a kind."""

    things: Things
    sign: str = "at least"  # or "at most", "exactly", "so many", "more than", "fewer than"
    number: int = 1


@dataclass(frozen=True)
class HasMore:
    """Keep wholes with more, fewer or as many parts of a kind than another object has, or than of another."""

    things: Things
    sign: str  # "more", "fewer", "as many"
    other: Phrase | Things


@dataclass(frozen=True)
class MostParts:
    """Keep the whole with the "most" or "fewest" parts of a kind, or with the "largest" of them."""

    word: str
    things: Things


@dataclass(frozen=True)
class Consists:
    """Keep wholes all of whose parts are of some kinds."""

    kinds: tuple[Things, ...]
    only: bool  # whether that was said


@dataclass(frozen=True)
class But:
    """Keep all but some."""

    others: Phrase


@dataclass(frozen=True)
class Not:
    """Keep all but those that filters, one after the other, keep."""

    of: tuple[Filter, ...]


@dataclass(frozen=True)
class Either:
    """Keep what one of several chains of filters keeps."""

    of: tuple[tuple[Filter, ...], ...]
    both: bool = False  # whether they were joined with "and": red and white ships, of which each may be both


Filter = (
    Kind | Looks | Vague | Place | Related | Mutual | Hosts | Points | Nth | Extreme | Nearest | NearerThan
    | Compared | Measured | Beyond | Times | Closest | Same | Alike | AsManyParts | PartOf | Has | HasMore
    | MostParts | Consists | But | Not | Either
)  # fmt: skip
Filters = tuple[Filter, ...]


@dataclass(frozen=True)
class Things:
    """A set of objects: all, the parts of some, or what some phrases stand for, through filters."""

    filters: Filters = ()
    parts_of: Phrase | None = None
    joined: tuple[Phrase, ...] = ()
    text: str = field(default="things", compare=False)
    many: bool = True  # a plural

    def but(self, *more: Filter) -> Things:
        """The same through more filters."""
        return Things((*self.filters, *more), self.parts_of, self.joined, self.text, self.many)


def named(things: Things) -> bool:
    """Whether there is a noun for them: circles, or things."""
    return any(isinstance(own, Kind) for own in things.filters)


@dataclass(frozen=True)
class Phrase:
    """Things, and how many of them are meant: "one" (the ship), "any" (a ship), "all" (the ships), "each" of
    them alone, "other" (the other ships); a "bare" plural is "any" or "all", by its place."""

    things: Things
    quantity: str
    number: int | None = None  # how many there must be


def said(own: Filter) -> str:
    """A filter in words."""
    match own:
        case Kind(text=text) | Vague(text, _):
            return text
        case Looks(word, degree):
            return f"{degree} {word}".lstrip()
        case Place(sides):
            return f"at the {' '.join(sides)}"
        case Related(word, others):
            return f"{word} {' and '.join(map(phrased, others))}"
        case Mutual(word):
            return f"{word} each other"
        case Hosts(things, word):
            return f"with {phrased(things) if isinstance(things, Phrase) else things.text} {word} it"
        case Points(way):
            return f"pointing {way}"
        case Nth(rank):
            return ORDINALS[rank - 1]
        case Extreme(word, rank, count):
            return word if rank == count == 1 else f"{word}, {count} from number {rank}"
        case Nearest(word, other):
            return f"{word} to {phrased(other)}"
        case NearerThan(word, one, other, _):
            return f"{word} to {phrased(one)} than to {phrased(other)}"
        case Compared(word, other):
            return f"{word} than {phrased(other)}"
        case Measured(name, low, high):
            return f"{name} between {low:g} and {high:g} px"
        case Beyond(word, name):
            return f"{word} than its {name}"
        case Times(name, factor, other):
            return f"{factor:g} times the {name} of {other if isinstance(other, str) else phrased(other)}"
        case Closest(word):
            return f"{word} to each other"
        case Same(what, other):
            return f"the same {what} as {phrased(other)}"
        case Alike(name):
            return f"the same {name}"
        case AsManyParts(things):
            return f"the same number of {things.text}"
        case PartOf(owner):
            return f"part of {phrased(owner)}"
        case Has(things, sign, number):
            many = "" if (sign, number) == ("at least", 1) else f"{sign} {number} ".removeprefix("so many ")
            return f"with {many}{things.text}"
        case HasMore(things, sign, other):
            than = other.text if isinstance(other, Things) else phrased(other)
            return f"with {sign} {things.text} {'as' if sign == 'as many' else 'than'} {than}"
        case MostParts(word, things):
            return f"with the {word} {things.text}"
        case Consists(of, _):
            return f"made of {' and '.join(own.text for own in of)}"
        case But(others):
            return f"but not {phrased(others)}"
        case Not(inner):
            return f"not {' and '.join(map(said, inner))}"
        case Either(several):
            return " or ".join(" and ".join(map(said, inner)) for inner in several)


def phrased(phrase: Phrase) -> str:
    """A phrase in words."""
    article = {"one": "the ", "all": "all ", "any": "any ", "each": "each ", "other": "the other "}.get(
        phrase.quantity, ""
    )
    if phrase.things.joined:
        return " and ".join(map(phrased, phrase.things.joined))
    return f"{article}{phrase.things.text}"

"""English edits as commands: which objects, and what becomes of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lark import Token

from unrender.errors import UnrenderError
from unrender.scene.questions.filters import Phrase, Related
from unrender.scene.questions.phrases import Phrases
from unrender.scene.questions.predicates import DIMENSIONS, Children, chain, first, meant

LITTLE, PLAIN, MUCH = 1.2, 1.5, 2.0  # times as large: "a bit larger", "larger", "much larger"
STEPS = {"slightly": 0.05, "": 0.1, "much": 0.25}  # of the picture's shorter side, for what moves
MORE = {"slightly": 0.1, "": 0.25, "much": 0.5}  # of an attribute
DEGREES = {"not": 0.0, "slightly": 0.2, "": 0.6, "very": 0.9}  # the value of an attribute
SHADES = {"slightly": 0.15, "": 0.3, "much": 0.5}  # of the way to black or white
GROWS = ("larger", "wider", "taller", "longer", "thicker")
A_BIT = 15.0  # degrees


@dataclass(frozen=True)
class Remove:
    """Take it out."""


@dataclass(frozen=True)
class Put:
    """Give a value another one, as the dotted syntax does."""

    name: str
    sign: str
    value: float | str


@dataclass(frozen=True)
class Shade:
    """Bring its colours so much of the way to white, or, if negative, to black."""

    share: float


@dataclass(frozen=True)
class Point:
    """Turn a triangle so that it points "up", "down", "left" or "right"."""

    way: str


@dataclass(frozen=True)
class Like:
    """Give it the size, width, height or colour of another object."""

    name: str
    other: Phrase


@dataclass(frozen=True)
class Shift:
    """Move it, by pixels or by a share of the picture's shorter side."""

    direction: tuple[int, int]
    pixels: float | None
    share: float


@dataclass(frozen=True)
class Spot:
    """Move it to a side, a corner or the middle of the picture."""

    sides: tuple[str, ...]


@dataclass(frozen=True)
class Beside:
    """Move it to where it stands in a relation to others."""

    relation: Related


@dataclass(frozen=True)
class Swap:
    """Let two objects change places."""


Change = Remove | Put | Shade | Point | Like | Shift | Spot | Beside | Swap


@dataclass(frozen=True)
class Command:
    """What to change, and how."""

    target: Phrase
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Measure:
    """How much: "slightly", "much", a number of "pixels", "percent" or "times"."""

    unit: str = ""
    number: float = 0.0


class Commands(Phrases):
    """Makes commands of the parse-tree of an edit; each method is called as its rule in english.lark."""

    _last: Phrase | None = None

    def edit(self, of: Children) -> list[Command]:
        return [command for own in of for command in (own if isinstance(own, list) else [own])]

    def target(self, of: Children) -> Phrase:
        self._last = self.subject(of)
        return self._last

    def it(self, of: Children) -> Phrase:
        return super().it(of) if self._last is None else self._last

    def delete_from(self, of: Children) -> Command:
        """ "delete the wheels from the car"."""
        phrase, whole = of
        return Command(replace(phrase, things=replace(phrase.things, parts_of=whole)), (Remove(),))

    def delete(self, of: Children) -> Command:
        return Command(of[0], (Remove(),))

    def change(self, of: Children) -> Command:
        return Command(first(Phrase, of), chain(of))

    def changes(self, of: Children) -> list[Command]:
        """ "make the triangles red and the squares blue"."""
        own = [child for child in of if not isinstance(child, Token)]
        return [Command(target, look) for target, look in zip(own[::2], own[1::2], strict=True)]

    look = Phrases.both

    def growth(self, of: Children) -> Measure | tuple[Change, ...]:
        much: Measure | tuple[Change, ...] = of[0]
        return much

    def colour(self, of: Children) -> tuple[Change, ...]:
        return (Put("colour", "=", self._vocabulary.meaning(of[0])),)

    def filled(self, of: Children) -> tuple[Change, ...]:
        return (Put("filled", "=", float(of[0].type == "FILLED")),)

    def fill(self, of: Children) -> Command:
        return Command(of[0], (Put("filled", "=", 1.0),))

    def give_parts(self, of: Children) -> Command:
        """ "give the face green eyes"."""
        whole, look, core = of
        things = self.things([core])
        return Command(Phrase(replace(things, parts_of=whole), "all"), look)

    def straighten(self, of: Children) -> Command:
        return Command(of[0], (Put("rotation", "=", 0.0),))

    def attribute(self, of: Children) -> tuple[Change, ...]:
        *degree, own = of
        how = "" if not degree else meant(degree[0]) if isinstance(degree[0], Token) else degree[0]
        return (Put(self._vocabulary.meaning(own), "=", DEGREES[how]),)

    # Sizes

    def extent(self, of: Children) -> str:
        return meant(of[0])

    upright = extent

    def factor(self, of: Children) -> Measure:
        times = {"TWICE": 2.0, "HALF": 0.5}
        return Measure("times", times[of[0].type] if len(of) == 1 else of[0])

    def measure(self, of: Children) -> Measure:
        if isinstance(of[0], Measure):
            return of[0]
        if len(of) == 2:
            return Measure("percent", of[0])
        if isinstance(of[0], Token):
            return Measure(meant(of[0]))
        return Measure(of[0]) if isinstance(of[0], str) else Measure("pixels", of[0])

    def larger(self, of: Children) -> tuple[Change, ...]:
        much, word = first(Measure, of) or Measure(), str(of[-1])
        sides = {"larger": "size", "smaller": "size", "wider": "width", "narrower": "width"}
        sides |= {"taller": "height", "shorter": "height", "longer": "length"}
        sides |= {"thicker": "thickness", "thinner": "thickness"}
        if word in sides:
            return (_scaled(sides[word], much, grows=word in GROWS),)
        if word in ("darker", "lighter") and much.unit in SHADES:
            return (Shade(SHADES[much.unit] * (1 if word == "lighter" else -1)),)
        sign, _, name = word.partition(" ")
        if sign not in ("more", "less") or much.unit not in MORE:
            raise UnrenderError(
                f'I do not know how to make something "{word}"; say where to move it instead.'
            )
        return (Put(name, "+=" if sign == "more" else "-=", MORE[much.unit]),)

    def shrunk(self, of: Children) -> tuple[Change, ...]:
        factor, name = of
        return (Put(DIMENSIONS.get(name, name), "*=", factor.number),)

    def so_large(self, of: Children) -> tuple[Change, ...]:
        return (Put(DIMENSIONS[of[1]], "=", of[0]),)

    def likeness(self, of: Children) -> tuple[Change, ...]:
        name = meant(of[0]) if isinstance(of[0], Token) else of[0]
        return (Like(DIMENSIONS.get(name, name), of[1]),)

    def by_factor(self, of: Children) -> Measure:
        return Measure("times", of[0])

    def grow(self, of: Children) -> Command:
        target, much = first(Phrase, of), first(Measure, of) or Measure()
        name = next((own for own in of[1:] if isinstance(own, str)), "size")
        return Command(target, chain(of) or (_scaled(name, much, grows=of[0].type == "GROW"),))

    def scale(self, of: Children) -> Command:
        name = next((own for own in of[1:] if isinstance(own, str)), "size")
        return Command(first(Phrase, of), (Put(name, "*=", 2.0 if of[0].type == "TWICE" else 0.5),))

    def set_extent(self, of: Children) -> Command:
        name = next(own for own in of if isinstance(own, str))
        return Command(first(Phrase, of), (Put(name, "=", of[-1]),))

    # Places

    def direction(self, of: Children) -> tuple[int, int]:
        ways = {"UP": (0, -1), "DOWN": (0, 1), "LEFT": (-1, 0), "RIGHT": (1, 0)}
        return ways[of[0].type]

    def motion(self, of: Children) -> tuple[Change, ...]:
        bare = [Measure("pixels", own) for own in of if isinstance(own, int | float)]
        way, much = first(tuple, of), first(Measure, [*of, *bare]) or Measure()
        if much.unit not in (*STEPS, "pixels"):
            raise UnrenderError("Say how many pixels to move it.")
        pixels = much.number if much.unit == "pixels" else None
        return (Shift(way, pixels, STEPS.get(much.unit, 0.0)),)

    def raised(self, of: Children) -> Command:
        return self._moved((0, -1), of)

    def lowered(self, of: Children) -> Command:
        return self._moved((0, 1), of)

    def _moved(self, way: tuple[int, int], of: Children) -> Command:
        """ "lift the ship by 10 pixels"."""
        much = [own for own in of if isinstance(own, Measure | int | float)]
        return Command(first(Phrase, of), self.motion([way, *much]))

    def centred(self, of: Children) -> Command:
        return Command(of[-1], (Spot(("middle",)),))

    def onto(self, of: Children) -> tuple[Change, ...]:
        return (Beside(Related("in", (of[-1],))),)

    def pointing(self, of: Children) -> tuple[Change, ...]:
        return (Point(of[0]),)

    def spot(self, of: Children) -> tuple[Change, ...]:
        return (Spot(tuple(own for own in of if not isinstance(own, Token))),)

    def spot_at(self, of: Children) -> tuple[Change, ...]:
        return (Put("position", "=", f"{of[0]},{of[1]}"),)

    def beside(self, of: Children) -> tuple[Change, ...]:
        return (Beside(of[0][0]),)

    def swap(self, of: Children) -> Command:
        phrases = [own for own in of if isinstance(own, Phrase)]
        return Command(replace(self.subject(phrases), quantity="all"), (Swap(),))

    # Turns

    def sense(self, of: Children) -> str:
        return "counterclockwise" if of[0].type in ("COUNTERCLOCKWISE", "LEFT") else "clockwise"

    def turning(self, of: Children) -> tuple[Change, ...]:
        sign = "-=" if "counterclockwise" in of else "+="
        turns = {"QUARTER_TURN": 90.0, "UPSIDE_DOWN": 180.0, "AROUND": 180.0}
        by = next((own for own in of if isinstance(own, int | float)), None)
        if by is None:
            by = next((turns[own.type] for own in of if isinstance(own, Token)), A_BIT)
        return (Put("rotation", sign, by),)


def _scaled(name: str, much: Measure, grows: bool) -> Put:
    """A side, or both, larger or smaller by so much."""
    if much.unit == "pixels":
        return Put(name, "+=" if grows else "-=", much.number)
    factors = {"": PLAIN, "slightly": LITTLE, "much": MUCH, "times": much.number, "very": MUCH}
    if much.unit == "percent":
        return Put(name, "*=", 1 + (much.number if grows else -much.number) / 100)
    return Put(name, "*=" if grows or factors[much.unit] < 1 else "/=", factors[much.unit])

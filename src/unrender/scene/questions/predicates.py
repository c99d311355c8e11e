"""What is said of objects, as filters: the words and predicates of a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from lark import Token, Transformer

from unrender.errors import UnrenderError
from unrender.scene.language.colours import COLOURS
from unrender.scene.language.words import ORDINALS
from unrender.scene.questions import filters as keep
from unrender.scene.questions.filters import Filters, Things
from unrender.scene.questions.measures import compares
from unrender.scene.questions.vocabulary import Vocabulary

Children = list[Any]
EXTREMES: Mapping[str, str] = {
    "left": "leftmost",
    "right": "rightmost",
    "top": "topmost",
    "bottom": "lowest",
    "middle": "middle",
    "large": "largest",
    "small": "smallest",
    "tall": "tallest",
    "short": "shortest",
    "wide": "widest",
    "narrow": "narrowest",
    "long": "longest",
    "thick": "thickest",
    "thin": "thinnest",
}
DIMENSIONS: Mapping[str, str] = {
    "large": "size",
    "small": "size",
    "tall": "height",
    "short": "height",
    "wide": "width",
    "narrow": "width",
    "long": "length",
    "thick": "thickness",
    "thin": "thickness",
}
LENGTHS: Mapping[str, tuple[str, int]] = {  # comparatives of what is told in pixels
    "wider": ("width", 1),
    "narrower": ("width", -1),
    "taller": ("height", 1),
    "shorter": ("height", -1),
    "longer": ("length", 1),
    "thicker": ("thickness", 1),
    "thinner": ("thickness", -1),
}
HALF_A_PIXEL = 0.5
_SIGNS: Mapping[str, str] = {
    "LEAST": "at least",
    "MOST": "at most",
    "MORE": "more than",
    "FEWER": "fewer than",
    "LESS": "fewer than",
    "ONLY": "exactly",
}
_VERBS: Mapping[str, str] = {
    "TOUCH": "touching",
    "COVER": "in front of",
    "SURROUND": "around",
    "OVERLAP": "overlapping",
}


@dataclass(frozen=True)
class Amount:
    """How many there are."""

    sign: str
    number: int


def meant(token: Token) -> str:
    """What a word of the grammar means: the name of its terminal."""
    return str(token.type).lower().replace("_", " ")


def chain(children: Iterable[Any]) -> tuple[Any, ...]:
    """All filters among some children, one after the other."""
    return tuple(own for child in children if isinstance(child, tuple) for own in child)


def _pixels(dimension: str) -> str:
    """The property that a dimension is told by, in pixels."""
    if dimension in ("large", "small"):
        raise UnrenderError(
            f'How {dimension} something is has no single number; say "wide", "tall" or "long".'
        )
    return DIMENSIONS[dimension]


def _coloured(filters: Filters) -> bool:
    return len(filters) > 1 and all(isinstance(own, keep.Looks) and own.word in COLOURS for own in filters)


def shared(filters: Filters) -> Filters:
    """Several colours, of which each is that of a part."""
    return tuple(replace(own, partly=True) if isinstance(own, keep.Looks) else own for own in filters)


def _corner(own: Any) -> bool:
    return isinstance(own, Token) and own.type == "CORNER"


def first(kind: type, children: Iterable[Any]) -> Any:
    """The first child of a type; None if there is none."""
    return next((child for child in children if isinstance(child, kind)), None)


class Predicates(Transformer[Token, Any]):
    """Makes filters of the branches of a parse-tree; each method is called as its rule in english.lark."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._vocabulary = vocabulary

    # Words

    def relation(self, of: Children) -> str:
        return meant(of[0])

    upon = dimension = extremity = degree = nearest = heading = relation

    def number(self, of: Children) -> float:
        number = 1.0 if of[0].type == "ONE" else float(self._vocabulary.meaning(of[0]))
        return int(number) if number.is_integer() else number

    def ordinal(self, of: Children) -> int:
        return ORDINALS.index(of[0]) + 1

    def superlative(self, of: Children) -> str:
        return " ".join([meant(of[0]), *map(self._vocabulary.meaning, of[1:])])

    comparative = superlative

    def nearer(self, of: Children) -> str:
        return "nearest" if of[0].type == "NEARER" else "farthest"

    def side(self, of: Children) -> str:
        return "bottom" if of[0].type == "LOWER" else meant(of[0])

    def property(self, of: Children) -> str:
        plain = meant(of[0])
        return "colours" if of[0] in ("colours", "colors") else plain

    def properties(self, of: Children) -> list[str]:
        return of

    def many(self, of: Children) -> str:
        return "more" if of[0].type == "MORE" else "fewer"

    def sign(self, of: Children) -> str:
        return _SIGNS[of[0].type]

    def amount(self, of: Children) -> Amount:
        match of:
            case []:
                return Amount("at least", 1)
            case [Token()]:
                return Amount("exactly", 0)
            case [*sign, number]:
                return Amount(sign[0] if sign else "so many", number)
        raise AssertionError(of)

    consisting = amount

    # What is said of objects

    def adjective(self, of: Children) -> Filters:
        *degree, own = of
        word = self._vocabulary.meaning(own) if own.type in ("COLOUR_NAME", "ATTRIBUTE") else meant(own)
        return (keep.Looks(word, *degree),)

    def adjectives(self, of: Children) -> Filters:
        """ "red and blue things", each of them one or the other; "red and damaged", each of them both."""
        return (keep.Either(tuple(of), both=True),) if _coloured(chain(of)) else chain(of)

    def vague(self, of: Children) -> Filters:
        return (keep.Vague(of[0], EXTREMES[of[0]]),)

    def nth(self, of: Children) -> Filters:
        """ "the second ship", as one reads."""
        return (keep.Nth(of[0]),)

    def extreme(self, of: Children) -> Filters:
        return (keep.Extreme(of[-1], *of[:-1]),)

    def most(self, of: Children) -> Filters:
        return of[0] if isinstance(of[0], tuple) else (keep.Extreme(of[0]),)

    def most_so(self, of: Children) -> Filters:
        return (keep.Extreme(f"{of[1]} {self._vocabulary.meaning(of[0])}"),)

    def most_parts(self, of: Children) -> Filters:
        return (keep.MostParts("most" if of[0].type in ("MORE", "MOST") else "fewest", of[1]),)

    def most_by_part(self, of: Children) -> Filters:
        return (keep.MostParts(*of),)

    def place(self, of: Children) -> Filters:
        sides = tuple(own for own in of if not isinstance(own, Token))
        corner = any(isinstance(own, Token) and own.type == "CORNER" for own in of)
        far = any(isinstance(own, Token) and own.type == "FAR" for own in of)
        return (keep.Place(sides, most=far, corner=corner),)

    def place_before(self, of: Children) -> Filters:
        of = [own for own in of if not isinstance(own, Token)]
        return (keep.Extreme(EXTREMES[of[0]]),) if len(of) == 1 else (keep.Place(tuple(of), most=True),)

    def related(self, of: Children) -> Filters:
        direct = isinstance(of[0], Token) and of[0].type == "DIRECTLY"
        word, *others = of[direct:]
        if isinstance(word, tuple):
            return word
        named = word if not isinstance(word, Token) else _VERBS.get(word.type, meant(word))
        if others[0].things.joined:  # between the first and the second ship
            others = list(others[0].things.joined)
        return (keep.Related(named, tuple(others), direct=direct),)

    def identical(self, of: Children) -> Filters:
        """ "the same", as far as that can be seen."""
        return tuple(map(keep.Alike, ("kind", "colour", "size")))

    def mutual(self, of: Children) -> Filters:
        """ "touch each other"."""
        word = of[0]
        return (keep.Mutual(_VERBS[word.type] if isinstance(word, Token) else word),)

    def points(self, of: Children) -> Filters:
        return (keep.Points(of[0]),)

    def to_several(self, of: Children) -> Filters:
        """ "left of the ship and the circle"."""
        word, *others = of
        return tuple(keep.Related(word, (other,)) for other in others)

    def either_side(self, of: Children) -> Filters:
        """ "above or below the ship"."""
        one, word, phrase = of
        sides = {"LEFT": "left of", "RIGHT": "right of"}
        words = (sides.get(one.type, meant(one)), word)
        return (keep.Either(tuple((keep.Related(own, (phrase,)),) for own in words)),)

    def compared(self, of: Children) -> Filters:
        *words, other = of
        ways = tuple((keep.Compared(word, other),) for word in words)
        return ways[0] if len(ways) == 1 else (keep.Either(ways),)

    def beyond_number(self, of: Children) -> Filters:
        """ "taller than 100 pixels"."""
        word, wanted = of
        if word not in LENGTHS:
            raise UnrenderError(f'I do not know how many pixels "{word}" is; ask for the width or height.')
        name, sign = LENGTHS[word]
        return (keep.Measured(name, *((wanted, math.inf) if sign > 0 else (-math.inf, wanted))),)

    def between_numbers(self, of: Children) -> Filters:
        """ "between 50 and 100 pixels tall"."""
        _, low, high, dimension = of
        return (keep.Measured(_pixels(dimension), low - HALF_A_PIXEL, high + HALF_A_PIXEL),)

    def reaches(self, of: Children) -> Filters:
        """ "reaches higher than the house"."""
        word, other = of
        if not compares(f"reaching {word}"):
            raise UnrenderError(f'Something reaches higher, lower or further than another, not "{word}".')
        return (keep.Compared(f"reaching {word}", other),)

    def so_many_pixels(self, of: Children) -> Filters:
        """ "at least 100 pixels wide"."""
        *sign, wanted, dimension = of
        low, high = wanted - HALF_A_PIXEL, wanted + HALF_A_PIXEL
        ends = {"more than": (wanted, math.inf), "fewer than": (-math.inf, wanted)}
        ends |= {"at least": (low, math.inf), "at most": (-math.inf, high)}
        return (keep.Measured(_pixels(dimension), *ends.get(sign[0] if sign else "", (low, high))),)

    def beyond_itself(self, of: Children) -> Filters:
        """ "wider than it is tall"."""
        word, _, dimension = of
        if word not in LENGTHS:
            raise UnrenderError(f'I do not know what "{word} than it is {dimension}" means.')
        return (keep.Beyond(word, _pixels(dimension)),)

    def square_itself(self, of: Children) -> Filters:
        """ "as wide as it is tall"."""
        one, _, other = of
        return (keep.Times(_pixels(one), 1.0, _pixels(other)),)

    def times_as(self, of: Children) -> Filters:
        """ "twice as tall as the door"."""
        factor, dimension, other = of
        return (keep.Times(_pixels(dimension), factor, other),)

    def times_itself(self, of: Children) -> Filters:
        """ "twice as tall as it is wide"."""
        factor, one, _, other = of
        return (keep.Times(_pixels(one), factor, _pixels(other)),)

    def multiple(self, of: Children) -> float:
        fixed = {"TWICE": 2.0, "HALF": 0.5}
        return fixed.get(of[0].type, 0.0) if isinstance(of[0], Token) else float(of[0])

    def closest(self, of: Children) -> Filters:
        """ "closest to each other"."""
        return (keep.Closest(of[0] if not isinstance(of[0], Token) else "nearest"),)

    def nearest_spot(self, of: Children) -> Filters:
        """ "nearest to the bottom right corner"."""
        sides = tuple("middle" if isinstance(own, Token) else own for own in of[1:] if not _corner(own))
        if of[0] == "farthest":
            raise UnrenderError(
                "I know what is nearest to a side of the picture, not what is farthest from it."
            )
        return (keep.Place(sides, most=True),)

    def upside_down(self, of: Children) -> Filters:
        return (keep.Looks("upside down"),)

    def clad(self, of: Children) -> Filters:
        """ "in green", which the clothes are, not all of it."""
        return (keep.Looks(self._vocabulary.meaning(of[1]), partly=True),)

    def wholly(self, of: Children) -> Filters:
        """ "completely white"."""
        return (keep.Looks(self._vocabulary.meaning(of[0]), "wholly"),)

    def part_at(self, of: Children) -> Filters:
        """ "at the top of the rocket"."""
        _, side, owner = of if len(of) == 3 else (None, *of)
        return (keep.PartOf(owner), keep.Extreme(EXTREMES[side]))

    def as_large(self, of: Children) -> Filters:
        return (keep.Same(DIMENSIONS[of[-2]], of[-1], exactly=len(of) == 3),)

    def nearest_to(self, of: Children) -> Filters:
        return (keep.Nearest(*of),)

    most_near = nearest_to

    def nearer_than(self, of: Children) -> Filters:
        return (keep.NearerThan(*of),)

    def nearer_than_to(self, of: Children) -> Filters:
        word, one, other = of
        return (keep.NearerThan(word, one, other, "to"),)

    def nearer_than_is(self, of: Children) -> Filters:
        word, one, other = of
        return (keep.NearerThan(word, one, other, "is"),)

    def same(self, of: Children) -> Filters:
        names, other = of
        return tuple(keep.Same(name, other) for name in names)

    def alike(self, of: Children) -> Filters:
        if isinstance(of[0], Things):
            return (keep.AsManyParts(of[0]),)
        return tuple(map(keep.Alike, of[0]))

    def equally(self, of: Children) -> Filters:
        return (keep.Alike(DIMENSIONS[of[0]]),)

    def part_of(self, of: Children) -> Filters:
        return (keep.PartOf(of[-1]),)

    def consists(self, of: Children) -> Filters:
        return (keep.Consists(of[-1], len(of) == 2),)

    def has(self, of: Children) -> Filters:
        amount = of[0] if isinstance(of[0], Amount) else Amount("at least", 1)
        return (keep.Has(of[-1], amount.sign, amount.number),)

    def has_more(self, of: Children) -> Filters:
        *sign, things, other = of
        than = other.things if other.quantity == "bare" else other  # more circles than squares
        return (keep.HasMore(things, sign[0] if sign and sign[0] in ("more", "fewer") else "as many", than),)

    def without(self, of: Children) -> Filters:
        return (keep.Not((keep.Has(of[-1]),)),)

    def but(self, of: Children) -> Filters:
        return tuple(map(keep.But, of))

    def kind(self, of: Children) -> Filters:
        things: Things = of[-1]
        filters = (*things.filters, *([keep.PartOf(things.parts_of)] if things.parts_of else []))
        return (keep.Not(filters),) if len(of) == 2 else filters

    def negated(self, of: Children) -> Filters:
        return (keep.Not(of[1]),)

    def both(self, of: Children) -> Filters:
        """ "is red and white", each to a part."""
        return shared(chain(of)) if _coloured(chain(of)) else chain(of)

    def said(self, of: Children) -> Filters:
        return chain(of)

    not_either = pred = quality = simple = doing = having = having_same = that = pre = post = both

    def either(self, of: Children) -> Filters:
        return (keep.Either(tuple(of)),)

    def neither(self, of: Children) -> Filters:
        return tuple(keep.Not(own) for own in of if not isinstance(own, Token))

"""The words that a question may have: those of the language, and the nouns and adjectives of the scene."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from unrender.errors import UnrenderError
from unrender.names import composed, kinds
from unrender.scene.colours import COLOURS
from unrender.scene.graph import Scene
from unrender.scene.words import BASIC, noun, plural

THING = "thing"  # any object
PART = "part"
LONGEST = 5  # words in one token
MOST, MOST_LETTERS = 60, 1000  # words and characters in a question
DIGITS = 9  # of a number

_SAME: Mapping[str, tuple[str, ...]] = {
    # function words, by what they mean
    "how many": ("how many", "count", "what number of", "what is the number of", "number of"),
    "how far": ("how far", "how far away"),
    "how": ("how",),
    "what": ("what", "which", "whats"),
    "where": ("where",),
    "is": ("is", "are"),
    "there": ("there",),
    "do": ("does", "do"),
    "have": ("have", "has"),
    "that": ("that",),
    "of": ("of",),
    "and": ("and",),
    "or": ("or",),
    "not": ("not",),
    "no": ("no",),
    "than": ("than",),
    "as": ("as",),
    "from": ("from",),
    "to": ("to",),
    "the": ("the", "this", "these", "its"),
    "a": ("a", "an", "any", "some"),
    "all": ("all", "every", "each", "both", "all of", "all the", "all of the", "both of the"),
    "most": ("most",),
    "least": ("least",),
    "more": ("more",),
    "fewer": ("fewer", "less"),
    "as many": ("as many", "equally many"),
    "same": ("same",),
    "at least": ("at least",),
    "at most": ("at most",),
    "more than": ("more than",),
    "fewer than": ("fewer than", "less than"),
    "exactly": ("exactly", "only", "just"),
    "": ("please", "in the picture", "in the image", "in the scene", "in this picture", "here", "in total"),
}
_RELATIONS: Mapping[str, tuple[str, ...]] = {
    "left of": ("left of", "to the left of", "on the left of", "on the left side of"),
    "right of": ("right of", "to the right of", "on the right of", "on the right side of"),
    "above": ("above", "over", "higher than"),
    "below": ("below", "under", "beneath", "underneath", "lower than"),
    "near": ("near", "close to", "next to", "beside"),
    "far from": ("far from", "far away from"),
    "in": ("in", "inside", "inside of", "within"),
    "around": ("around", "surrounding"),
    "on": ("on", "on top of"),
    "in front of": ("in front of", "covering"),
    "behind": ("behind", "covered by"),
    "touching": ("touching", "in contact with"),
    "between": ("between", "in between"),
}
_SUPERLATIVES: Mapping[str, tuple[str, ...]] = {
    "largest": ("largest", "biggest"),
    "smallest": ("smallest", "tiniest"),
    "leftmost": ("leftmost", "furthest left", "left"),
    "rightmost": ("rightmost", "furthest right", "right"),
    "topmost": ("topmost", "highest", "uppermost", "upper", "top"),
    "lowest": ("lowest", "bottommost", "lower", "bottom"),
    "widest": ("widest",),
    "narrowest": ("narrowest",),
    "tallest": ("tallest",),
    "shortest": ("shortest",),
    "front-most": ("front-most", "frontmost"),
    "backmost": ("backmost", "rearmost"),
}
_NEAREST: Mapping[str, tuple[str, ...]] = {
    "nearest": ("nearest", "closest"),
    "farthest": ("farthest", "furthest", "most distant"),
}
_COMPARATIVES: Mapping[str, tuple[str, ...]] = {
    "larger": ("larger", "bigger"),
    "smaller": ("smaller",),
    "wider": ("wider",),
    "narrower": ("narrower",),
    "taller": ("taller",),
    "shorter": ("shorter",),
}
_PROPERTIES: Mapping[str, tuple[str, ...]] = {
    "colour": ("colour", "color", "colours", "colors"),
    "border": ("border", "border colour", "border color", "stroke colour", "stroke color"),
    "size": ("size", "large", "big", "small"),
    "width": ("width", "wide", "narrow"),
    "height": ("height", "tall", "high"),
    "rotation": ("rotation", "angle", "orientation"),
    "position": ("position", "place"),
    "kind": ("kind", "shape", "type", "kind of thing", "kind of object", "type of object", "sort of thing"),
}
_ADJECTIVES: Mapping[str, tuple[str, ...]] = {
    "filled": ("filled", "solid"),
    "bordered": ("bordered",),
    "outlined": ("outlined", "hollow", "unfilled", "empty"),
    "grey": ("gray",),
    "dark grey": ("dark gray",),
    "light grey": ("light gray",),
    "purple": ("violet",),
    "turquoise": ("teal",),
}
_DEGREES: Mapping[str, tuple[str, ...]] = {"very": ("very", "strongly"), "slightly": ("slightly", "a little")}
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NOUNS: Mapping[str, tuple[str, ...]] = {
    THING: ("thing", "object", "item", "anything", "something"),
    PART: ("part", "piece"),
    "circle": ("circle", "ellipse", "disc", "disk", "oval"),
    "square": ("square", "rectangle"),
    "triangle": ("triangle",),
}


@dataclass(frozen=True)
class Token:
    """One word, or several that belong together."""

    kind: str  # "noun", "adjective", "relation", ...; function words have their own meaning as kind
    value: str
    text: str  # as it was written
    plural: bool = False


def _words(text: str) -> list[str]:
    """The words of a text, in any script."""
    return [text[slice(*found.span())] for found in re.finditer("[am0_]+(?:[-'][am0_]+)*", kinds(text))]


class Vocabulary:
    """All words that are understood about a scene."""

    def __init__(self, scene: Scene, known: Iterable[str] = ()) -> None:
        nodes = scene.observations
        self._tokens: dict[str, tuple[str, str, bool]] = {}
        self._add("degree", _DEGREES)
        self._add("property", _PROPERTIES)
        self._add("adjective", {name: (name,) for name in COLOURS})
        self._add("adjective", _ADJECTIVES)
        own = {name for node in nodes for name in node.attributes} - BASIC
        self._add("adjective", {name: (noun(name),) for name in own})
        self._add("number", {str(n): (word,) for n, word in enumerate(_NUMBERS)})
        self._add_nouns(_NOUNS)
        self._add_nouns({name: (noun(name),) for name in (*known, *scene.nouns)})
        self._add_nouns({node.symbol: (noun(node.symbol),) for node in nodes})
        self._add("superlative", _SUPERLATIVES)
        self._add("nearest", _NEAREST)
        self._add("comparative", _COMPARATIVES)
        self._add("relation", _RELATIONS)
        for meaning, forms in _SAME.items():
            self._add(meaning, {meaning: forms})

    def _add(self, kind: str, words: Mapping[str, Iterable[str]]) -> None:
        for value, forms in words.items():
            self._tokens |= {form.lower(): (kind, value, False) for form in forms}

    def _add_nouns(self, words: Mapping[str, Iterable[str]]) -> None:
        for value, forms in words.items():
            for form in forms:
                self._tokens[form.lower()] = ("noun", value, False)
                self._tokens.setdefault(plural(form.lower()), ("noun", value, True))

    def words(self, kind: str) -> list[str]:
        """All that is understood of a kind."""
        return sorted(text for text, (own, _, many) in self._tokens.items() if own == kind and not many)

    def tokens(self, question: str) -> list[Token]:
        """The words of a question; one that is not understood is an error that says so."""
        if not isinstance(question, str):
            raise UnrenderError(f"A question is a text, not {type(question).__name__}.")
        if len(question) > MOST_LETTERS:
            raise UnrenderError(
                f"A question may have {MOST_LETTERS} characters, not {len(question)}; ask in fewer words."
            )
        words = _words(composed(question).lower().replace("'s ", " is "))
        if len(words) > MOST:
            raise UnrenderError(f"A question may have {MOST} words, not {len(words)}; ask in fewer words.")
        found: list[Token] = []
        while words:
            count = next((n for n in range(min(LONGEST, len(words)), 0, -1) if self._has(words[:n])), 0)
            if not count:
                raise UnrenderError(f'I do not understand the word "{words[0]}".{self._hint(words[0])}')
            text = " ".join(words[:count])
            kind, value, many = self._tokens.get(text, ("number", text, False))
            if kind:
                found.append(Token(kind, value, text, many))
            words = words[count:]
        return found

    def _has(self, words: list[str]) -> bool:
        text = " ".join(words)
        return text in self._tokens or (text.isdecimal() and len(text) <= DIGITS)

    def _hint(self, word: str) -> str:
        """What a word could have been."""
        singles = [text for text, (kind, _, _) in self._tokens.items() if kind and " " not in text]
        close = get_close_matches(word, singles, n=3, cutoff=0.6)
        if close:
            return " Did you mean " + " or ".join(f'"{text}"' for text in close) + "?"
        return f" Nouns that I know are {', '.join(self.words('noun'))}."

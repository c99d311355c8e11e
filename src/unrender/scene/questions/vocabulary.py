"""The words that may be said about a scene: those of the grammar, and its own nouns and adjectives."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files

from lark import Token

from unrender.errors import UnrenderError
from unrender.names import composed, kinds
from unrender.primitives.registry import primitives
from unrender.scene.graph import Scene
from unrender.scene.language.colours import COLOURS
from unrender.scene.language.kinds import KIND_WORDS, called, kind_words
from unrender.scene.language.words import BASIC, noun, number, plural
from unrender.scene.questions.wording import inflected, synonyms, written_out

LONGEST = 5  # words in one token
MOST, MOST_LETTERS = 60, 1000  # words and characters in a sentence
DIGITS = 9  # of a number
ALIKE = 0.75  # share of the letters of a mistyped word that are right

OPEN = (
    "NOUN",
    "NOUNS",
    "COPIES",
    "_HAS_IT",
    "COLOUR_NAME",
    "ATTRIBUTE",
    "NUMBER",
)  # terminals whose words the scene has
_COLOURS: Mapping[str, tuple[str, ...]] = {
    "grey": ("gray",),
    "dark grey": ("dark gray",),
    "light grey": ("light gray",),
    "purple": ("violet",),
    "turquoise": ("teal",),
}
_BEFORE_PRONOUNS = re.compile(  # tokens after which "one" is no number but stands for a noun
    "_THE|_OTHER|COLOUR_NAME|ATTRIBUTE|.*(EST|MOST)|LARGER|SMALLER|WIDER|NARROWER|TALLER|SHORTER|LARGE|SMALL|TALL"
    "|SHORT|WIDE|NARROW|LONG|THICK|THIN|LONGER|THICKER|THINNER|DARKER|LIGHTER|LEFT|RIGHT|TOP|BOTTOM|LOWER|MIDDLE|ORDINAL|FILLED|OUTLINED|EMPTY|BORDERED|TURNED|HORIZONTAL|VERTICAL|ROUND|DOTLIKE|_EACH|_WHICH"
)
ADJECTIVES = ("COLOUR_NAME", "ATTRIBUTE", "FILLED", "OUTLINED", "EMPTY", "BORDERED", "TURNED", "DOTLIKE")
_SIDES = ("LEFT", "RIGHT", "TOP", "BOTTOM", "LOWER", "MIDDLE")
_BEFORE_PLUS = re.compile(f"_A|_ANY|NONE|{_BEFORE_PRONOUNS.pattern}")  # tokens after which "plus" is a shape


class UnknownWordError(UnrenderError):
    """A word that is not understood, with a hint at what it could have been."""

    def __init__(self, word: str, hint: str) -> None:
        super().__init__(f'I do not understand the word "{word}".{hint}')
        self.hint = hint


@lru_cache
def closed_words() -> Mapping[str, str]:
    """The terminal of each word of the language."""
    read = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))
    return {word: terminal for terminal, words in read.items() for word in words}


class Vocabulary:
    """All words that are understood about a scene, each with its terminal and its meaning."""

    def __init__(self, scene: Scene, known: Iterable[str] = ()) -> None:
        nodes = scene.observations
        self._known: dict[str, tuple[str, str]] = {}
        shapes = {*KIND_WORDS} & {*primitives()}
        taught = {*known, *scene.nouns, *(node.symbol for node in nodes)} - shapes
        self._shapes = {*KIND_WORDS} - {noun(name).lower() for name in taught}
        self._add_nouns(sorted(self._shapes))
        own = {name for node in nodes for name in node.attributes} - BASIC
        self._add("COLOUR_NAME", {name: (name, *_COLOURS.get(name, ())) for name in COLOURS})
        self._add("ATTRIBUTE", {name: (noun(name),) for name in own})
        self._add("NUMBER", {str(n): (number(n) if n else "zero",) for n in (0, *range(2, 13))})
        self._add_nouns(sorted(taught))
        self._known |= {word: (name, word) for word, name in closed_words().items()}
        other_words = {**inflected(own), **synonyms(self._known)}
        self._reworded = {word: said for word, said in other_words.items() if word not in self._known}
        self._counts = any(node.count is not None for node in nodes)
        self.present = Counter(called(node).lower() for node in scene.axioms)  # how many there are of each
        self._meant = Counter(word.lower() for node in scene.axioms for word in kind_words(node))

    def _add(self, terminal: str, words: Mapping[str, Iterable[str]]) -> None:
        for value, forms in words.items():
            self._known |= {form.lower(): (terminal, value) for form in forms}

    def _add_nouns(self, names: Iterable[str]) -> None:
        for name in names:
            self._add("NOUN", {name: (noun(name),)})
            self._known.setdefault(plural(noun(name)).lower(), ("NOUNS", name))

    def is_shape(self, name: str) -> bool:
        """Whether a noun is that of a shape, as `kind_words` gives them to objects, and was not taught."""
        return name in self._shapes

    def meaning(self, token: Token) -> str:
        """What an open word stands for: a symbol, a shape, the name of a colour or an attribute, a number."""
        text = str(token)
        return self._known[text][1] if text in self._known else text.replace("_", ".")

    def words(self, terminal: str) -> list[str]:
        """All that is understood of a kind."""
        return sorted(word for word, (own, _) in self._known.items() if own == terminal)

    def noun(self, symbol: str, many: bool = False) -> str:
        """A symbol as a word."""
        return plural(noun(symbol)).lower() if many else noun(symbol).lower()

    def single(self, symbol: str) -> str:
        """A symbol as a phrase for one object: "largest car" where there are several."""
        return f"largest {self.noun(symbol)}" if self._meant[self.noun(symbol)] > 1 else self.noun(symbol)

    def readings(self, sentence: str) -> list[list[Token]]:
        """The words of a sentence, and the same with "one" for a noun with what was said of it."""
        plain, fuller = self.tokens(sentence), self.tokens(sentence, fuller=True)
        return [plain] if len(plain) == len(fuller) else [plain, fuller]

    def tokens(self, sentence: str, skip: bool = False, fuller: bool = False) -> list[Token]:
        """The words of a sentence; one that is not understood is an error that says so, or is skipped.

        fuller: whether "the largest one" after "the small red circle" is the largest red circle, not any.
        """
        words = [said for word in _words(sentence) for said in self._reworded.get(word, [word])]
        found: list[Token] = []
        while words:
            count = next((n for n in range(min(LONGEST, len(words)), 0, -1) if self._has(words[:n])), 0)
            if not count and skip:
                words = words[1:]
                continue
            if not count and self._counts and found and found[-1].type == "_HOW_MANY":
                # a word for what something has a number of, which nobody has named
                found.append(Token("COPIES", words[0], start_pos=len(found)))
                words = words[1:]
                continue
            if not count:
                raise UnknownWordError(words[0], self._hint(words[0]))
            text = " ".join(words[:count])
            terminal = self._known.get(text, ("NUMBER", text))[0]
            if terminal == "ONES" or (
                terminal == "ONE" and found and _BEFORE_PRONOUNS.fullmatch(found[-1].type)
            ):
                looks = _looks(found) if fuller else []
                found += [Token(own.type, str(own), start_pos=len(found) + i) for i, own in enumerate(looks)]
                terminal, text = self._pronoun(found, terminal == "ONES")
            elif _is_noun(text, found):
                terminal = "NOUN"
            elif text == "has" and found and found[-1].type in ("NOUNS", "COPIES", "PARTS"):
                if any(token.type == "_HOW_MANY" for token in found):  # "how many wheels has the car"
                    terminal = "_HAS_IT"
            elif terminal == "IN_PICTURE":  # where "what is in the picture" means "what is there"
                terminal = "_THERE" if found and found[-1].type == "_IS" else "SKIP"
            if terminal != "SKIP":
                found.append(Token(terminal, text, start_pos=len(found)))
            words = words[count:]
        return found

    def _pronoun(self, before: list[Token], many: bool) -> tuple[str, str]:
        """The noun that "one" or "ones" stands for: the last one before it, but that which is asked for in
        "which wheel of the car is the largest one"."""
        types = [token.type for token in before]
        nouns = [i for i, own in enumerate(types) if own in ("NOUN", "NOUNS")]
        after = types.index("_WHICH") if "_WHICH" in types and nouns and "_IS" in types[nouns[-1] :] else -1
        asked = [i for i in nouns if 0 <= after < i]
        last = before[asked[0] if asked else nouns[-1]] if nouns else None
        if last is None:
            return ("THINGS", "things") if many else ("THING", "thing")
        return "NOUNS" if many else "NOUN", self.noun(self.meaning(last), many)

    def _has(self, words: list[str]) -> bool:
        text = " ".join(words)
        return text in self._known or (text.replace("_", "").isdecimal() and len(text) <= DIGITS)

    def _hint(self, word: str) -> str:
        """What a word could have been."""
        singles = [text for text in self._known if " " not in text and len(text) > 3]
        close = get_close_matches(word, singles, n=3, cutoff=ALIKE)
        return " Did you mean " + " or ".join(f'"{text}"' for text in close) + "?" if close else ""


def _looks(before: Sequence[Token]) -> list[Token]:
    """What is said before the last noun of how it looks."""
    at = next((i for i in reversed(range(len(before))) if before[i].type in ("NOUN", "NOUNS")), 0)
    start = at
    while start and before[start - 1].type in ADJECTIVES:
        start -= 1
    return list(before[start:at])


def _is_noun(text: str, before: Sequence[Token]) -> bool:
    """Whether a word with two meanings is a shape here: "an edge", not "the left edge"; "the plus", not "two
    plus three"."""
    last = before[-1].type if before else ""
    return (text == "edge" and last not in _SIDES) or (
        text == "plus" and _BEFORE_PLUS.fullmatch(last) is not None
    )


def _words(sentence: str) -> list[str]:
    """The words of a sentence in any script, small letters, short forms written out."""
    if not isinstance(sentence, str):
        raise UnrenderError(f"A question is a text, not {type(sentence).__name__}.")
    if len(sentence) > MOST_LETTERS:
        raise UnrenderError(
            f"A question may have {MOST_LETTERS} characters, not {len(sentence)}; ask in fewer words."
        )
    text = written_out(composed(sentence).lower().replace("’", "'"))
    words = [text[slice(*found.span())] for found in re.finditer("[am0_]+(?:[-'][am0_]+)*|'a", kinds(text))]
    if len(words) > MOST:
        raise UnrenderError(f"A question may have {MOST} words, not {len(words)}; ask in fewer words.")
    return words

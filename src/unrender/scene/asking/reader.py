"""The words of a question, read from left to right."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from unrender.errors import UnrenderError
from unrender.scene.asking.vocabulary import Token, Vocabulary

T = TypeVar("T")

_EXAMPLES = {
    "noun": "a noun",
    "number": "a number",
    "relation": "a relation like left of",
    "adjective": "an adjective like red",
    "is": "is or are",
    "": "the end of the question",
}


class StuckError(Exception):
    """Here it does not go on like this; another way may."""


class Reader:
    """Takes one word after the other, and goes back where a way does not lead on."""

    def __init__(self, vocabulary: Vocabulary, question: str) -> None:
        self._vocabulary = vocabulary
        self._tokens = vocabulary.tokens(question)
        self._at = 0
        self._furthest = 0
        self._wanted: dict[str, None] = {}  # kinds that could have stood where it went on furthest

    def _more(self) -> bool:
        return self._at < len(self._tokens)

    def _next(self, *kinds: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at].kind in kinds:
            return True
        self._stuck(*kinds)
        return False

    def _after(self, *kinds: str) -> bool:
        return self._at + 1 < len(self._tokens) and self._tokens[self._at + 1].kind in kinds

    def _accept(self, *kinds: str) -> Token | None:
        return self._take(*kinds) if self._next(*kinds) else None

    def _take(self, *kinds: str) -> Token:
        if not self._next(*kinds):
            raise self._stuck(*kinds)
        self._at += 1
        return self._tokens[self._at - 1]

    def _end(self, found: T) -> T:
        if self._more():
            raise self._stuck("")
        return found

    def _said(self, first: int) -> str:
        return " ".join(token.text for token in self._tokens[first : self._at])

    def _attempt(self, way: Callable[[], T]) -> T | None:
        start = self._at
        try:
            return way()
        except StuckError:
            self._at = start
            return None

    def _stuck(self, *kinds: str) -> StuckError:
        """Remember what could have stood here, if nothing led further."""
        if self._at > self._furthest:
            self._furthest, self._wanted = self._at, {}
        if self._at == self._furthest:
            self._wanted |= dict.fromkeys(kinds)
        return StuckError()

    def _error(self) -> UnrenderError:
        """Which word was not understood, and what it could have been."""
        if not self._tokens:
            return UnrenderError('Ask something, like "how many circles are red?".')
        wanted = [_EXAMPLES[kind] for kind in self._wanted if kind in _EXAMPLES]
        if "noun" in self._wanted:
            wanted[wanted.index("a noun")] = f"a noun ({', '.join(self._vocabulary.words('noun'))})"
        if self._furthest == 0:
            wanted = ["how many", "is there", "is the", "what", "which", "where", "how"]
        could = f" Here could stand {', or '.join(wanted)}." if wanted else ""
        if self._furthest >= len(self._tokens):
            last = self._tokens[-1].text
            return UnrenderError(f'I do not understand how the question ends, after "{last}".{could}')
        word = self._tokens[self._furthest].text
        return UnrenderError(f'I do not understand "{word}" at this place of the question.{could}')

"""A question as the page and the API show it: words only, parts by their keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unrender.learning.objects.names import POSE_WORDS
from unrender.studio.desk.picture import Key, key_of

if TYPE_CHECKING:
    from unrender.agent.causes import Cause
    from unrender.agent.question import Question
    from unrender.brain import Brain

MEANINGS = {
    "A.1": ("known object", "another form of an object that is known"),
    "A.2": ("new object", "an object that is not known yet"),
    "B.1": ("known look", "more of how a known word can look"),
    "B.2": ("new look", "a word for how it looks that is not known yet"),
}
"""What each of the paper's causes asks for, in two words and in a few more."""


def in_words(title: str) -> str:
    """The title of a lesson with plain words for the paper's cause: "new object ship from ..."."""
    cause, colon, rest = title.partition(": ")
    return f"{MEANINGS[cause][0]} {rest}" if colon and cause in MEANINGS else title


@dataclass(frozen=True)
class Asked:
    """One question about a picture."""

    sentence: str
    parts: tuple[Key, ...]
    cause: str
    options: tuple[str, ...]  # all causes, the likeliest first
    features: tuple[str, ...]
    reasons: tuple[str, ...]
    nouns: tuple[str, ...]  # known objects
    adjectives: tuple[str, ...]  # known words for what the parts resemble
    resembles: str | None = None

    @classmethod
    def of(cls, question: Question, brain: Brain) -> Asked:
        """All that is told about a question of this brain."""
        near = question.resembles
        nouns = sorted(question.names, key=lambda name: (name != near, name))
        return cls(
            sentence=str(question),
            parts=tuple(key_of(part) for part in question.parts),
            cause=question.cause.value,
            options=_values(question.options),
            features=question.features,
            reasons=tuple(question.reasons),
            nouns=tuple(nouns),
            adjectives=(*(brain.knows(near) or ()), *POSE_WORDS[:3]) if near else (),
            resembles=near,
        )

    @property
    def grounds(self) -> dict[str, str]:
        """The reasons by feature; of those that differ in degree alone, the strongest."""
        pairs = zip(self.features, self.reasons, strict=False)
        kinds = {re.sub(r"[\d.]+", "#", reason): (name, reason) for name, reason in pairs}
        return dict(kinds.values())

    def meant(self, word: str) -> str:
        """The cause that a word shows to be meant, whether it is known or new."""
        if word in self.nouns:
            return "A.1"
        if word in self.adjectives:
            return "B.1"
        return self.cause if not word else f"{self.cause[0]}.2"

    def offered(self, cause: str, typed: str) -> list[str]:
        """Known words for an answer of this cause that go on from what has been typed."""
        words = self.nouns if cause == "A.1" else self.adjectives if cause == "B.1" else ()
        if cause in ("A.2", "B.2"):  # new words; known ones show that another cause is meant
            words = (*self.nouns, *self.adjectives) if typed.strip() else ()
        wanted = typed.strip().casefold()
        starting = [word for word in words if word.casefold().startswith(wanted)]
        return [*starting, *(word for word in words if wanted in word.casefold() and word not in starting)]


def _values(causes: Sequence[Cause]) -> tuple[str, ...]:
    return tuple(cause.value for cause in causes)

"""Who answers: any callable, a world's ground truth, or nobody. A person sits at the terminal, in `cli`."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from unrender.agent.causes import Cause
from unrender.agent.question import Answer, Question
from unrender.scene import Observation, Scene

Reply = Answer | str | None
Oracle = Callable[[Question], Reply]
"""Answers a question with an `Answer`, with a word alone, or with None to skip it."""

FAR = 0.35  # of its size: an observation this far from the truth is another thing


class Known(Protocol):
    """What an oracle may ask of a brain."""

    def knows(self, symbol: str) -> Collection[str] | None:
        """The attributes of a symbol; None if it is not known."""


@dataclass(frozen=True)
class Nobody:
    """The agent acts on its own decision, and invents names that can be changed later."""

    brain: Known

    def __call__(self, question: Question) -> Reply:
        if question.cause is Cause.LACKING_ROUTE and question.resembles:
            return Answer(question.resembles, question.cause)
        if question.cause.about_parts:
            return Answer(self._unused("object"), Cause.MISSING_CAPSULE)
        known = self.brain.knows(question.resembles or "") or ()
        if question.cause is Cause.LACKING_DATA:
            own = [name for name in known if question.near and name in question.near.route.own]
            return Answer(own[-1] if own else "position", question.cause)
        number = 1
        while f"quality{number}" in known:
            number += 1
        return Answer(f"quality{number}", question.cause)

    def _unused(self, word: str) -> str:
        number = 1
        while self.brain.knows(f"{word}{number}") is not None:
            number += 1
        return f"{word}{number}"


@dataclass
class Truth:
    """The ground truth of a world: set `scene` to the true one before each question.

    A group in which no true object can be made out is skipped, and so is one that was not seen whole. A true
    object whose `route` has been told before lacks nothing but data.
    """

    brain: Known
    scene: Scene | None = None
    told: set[str | None] = field(default_factory=set)  # the true routes so far

    def __call__(self, question: Question) -> Reply:
        node = self._meant(question)
        if node is None:
            return None
        parts = observed(node, question.scene)
        if parts is None:
            return None
        known = self.brain.knows(node.symbol)
        shown = [name for name in variants(node) if node.attributes[name] > 0]
        new = [name for name in shown if known is None or name not in known]
        if len(new) > (known is not None) or (shown and node.route not in self.told):
            return None  # several new words at once cannot be told apart
        if shown:
            name = (new or shown)[0]
            cause = Cause.MISSING_ATTRIBUTE if new else Cause.LACKING_DATA
            return Answer(name, cause, parts, node.attributes[name], node.symbol)
        if node.route in self.told:
            return Answer("position", Cause.LACKING_DATA, parts, symbol=node.symbol)
        self.told.add(node.route)
        return Answer(node.symbol, Cause.MISSING_CAPSULE if known is None else Cause.LACKING_ROUTE, parts)

    def _meant(self, question: Question) -> Observation | None:
        """The true object to which most of these parts belong, unless it is understood already."""
        leaves = [leaf for part in question.parts for leaf in part.primitives]
        best, most = None, 0.0
        for node in self.scene.axioms if self.scene else []:
            if node.parts and not understood(node, question.scene):
                shared = sum(match(true, leaves) is not None for true in node.primitives)
                if shared >= 2 and shared / len(node.primitives) > most:
                    best, most = node, shared / len(node.primitives)
        return best


def understood(node: Observation, scene: Scene) -> bool:
    """Whether a true object has been seen as what it is, with all its parts."""
    seen = match(node, scene.observations)
    return seen is not None and not seen.hidden and len(seen.primitives) == len(node.primitives)


def variants(node: Observation) -> list[str]:
    """The attributes of a true object that no part of it has."""
    return [name for name in node.attributes if not any(name in part.attributes for part in node.parts)]


def match(true: Observation, seen: Sequence[Observation]) -> Observation | None:
    """The observation of a true shape, if there is one."""
    alike = [own for own in seen if own.symbol == true.symbol]
    if not alike:
        return None
    best = min(alike, key=lambda own: math.dist(own.position, true.position))
    return best if math.dist(best.position, true.position) < FAR * min(true.size) else None


def observed(node: Observation, scene: Scene) -> list[Observation] | None:
    """The observations of all parts of a true object, wholes that are part of it included; None if any is
    missing."""
    seen = [match(part, scene.observations) for part in node.parts]
    return [own for own in seen if own is not None] if None not in seen else None

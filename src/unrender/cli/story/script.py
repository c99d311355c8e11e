"""The oracles of the story: each answers by a script, and corrects what it was asked about where needed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from unrender.agent.causes import Cause
from unrender.agent.oracle import Known, Reply, Truth, match, understood
from unrender.agent.question import Answer, Question
from unrender.scene import Observation, Scene

BELT = "belt-scene"


@dataclass
class Script:
    """One word for everything that is shown: the ship, the asteroid, the scene of a belt."""

    brain: Known
    truth: Truth = field(init=False)
    shown: Scene | None = field(default=None, init=False)  # the truth about the picture
    settled: bool = field(default=False, init=False)  # whether the belt in it has been named

    def __post_init__(self) -> None:
        self.truth = Truth(self.brain)

    def look(self, scene: Scene) -> None:
        """Be told the truth about the next picture."""
        self.truth.scene, self.shown, self.settled = scene, scene, False

    def __call__(self, question: Question) -> Reply:
        """What the parts truly are; once every object is understood, all of them are a belt. None: no more
        to say about this picture."""
        true = self.shown.axioms if self.shown else []
        if not all(understood(one, question.scene) for one in true):
            return self.truth(question)
        if len(true) < 2 or self.settled:
            return None
        self.settled = True
        seen = (match(one, question.scene.observations) for one in true)
        parts = [one for one in seen if one is not None]
        if self.brain.knows(BELT) is None:
            return Answer(BELT, Cause.MISSING_CAPSULE, parts)
        return Answer("position", Cause.LACKING_DATA, parts, symbol=BELT)


@dataclass
class PartsFirst(Script):
    """The ship as a booster and a shuttle, and a word for how an asteroid may look."""

    word: str = "elongated"

    def __call__(self, question: Question) -> Reply:
        tops = {axiom.symbol: axiom for axiom in question.scene.axioms}
        if {"booster", "shuttle"} <= set(tops) and self.brain.knows("ship") is None:
            return Answer("ship", parts=[tops["booster"], tops["shuttle"]])
        if "square" in tops and self.brain.knows("booster") is None:
            return Answer("booster", parts=_booster(question.scene.axioms))
        if "booster" in tops and self.brain.knows("shuttle") is None:
            return Answer("shuttle", parts=[one for one in question.scene.axioms if one.symbol != "booster"])
        known = self.brain.knows("asteroid")
        if known is not None and self.word not in known and question.resembles == "asteroid":
            return Answer(self.word, Cause.MISSING_ATTRIBUTE, value=1.0)
        return super().__call__(question)


def _booster(axioms: Sequence[Observation]) -> list[Observation]:
    """The square and the two triangles beside it."""
    square = next(one for one in axioms if one.symbol == "square")
    wings = [one for one in axioms if one.symbol == "triangle"]
    wings.sort(key=lambda one: math.dist(one.position, square.position))
    return [square, *wings[:2]]

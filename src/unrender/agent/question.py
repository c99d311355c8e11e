"""What the agent asks, and what it may be answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from unrender.agent.causes import Cause
from unrender.agent.features import features
from unrender.agent.lexicon import Difference, ask
from unrender.agent.resemblance import POSE_COLUMNS, Resemblance
from unrender.scene import Observation, Scene

TOLD = 3  # differences that a sentence tells


@dataclass(frozen=True)
class Answer:
    """An answer; what it leaves out is as the question proposed. It may correct everything.

    name: a noun for A.1 and A.2, an adjective or verb for B.1 and B.2 (or "position", "rotation", "size": the
    arrangement varies). value: how much of the attribute is shown. symbol: the object that has it.
    """

    name: str
    cause: Cause | str | None = None
    parts: Sequence[Observation] | None = None
    value: float | None = None
    symbol: str | None = None


@dataclass(eq=False)
class Question:
    """One question about a scene; `str()` is the English sentence."""

    scene: Scene = field(repr=False)
    parts: list[Observation]
    cause: Cause  # what the decision matrix says
    options: tuple[Cause, ...]  # all causes, the likeliest first
    features: tuple[str, ...]  # names of the features that hold
    possible: tuple[Cause, ...] = tuple(Cause)  # those that can be remedied, the likeliest first
    near: Resemblance | None = field(default=None, repr=False)
    names: tuple[str, ...] = ()  # known words that may be the answer
    answered: bool = False

    @property
    def resembles(self) -> str | None:
        """The known object that the parts come nearest to."""
        return self.near.route.symbol if self.near else None

    @property
    def reasons(self) -> list[str]:
        """The features behind the question, in words."""
        known = features()
        return [known[name].meaning for name in self.features if name in known]

    @property
    def differences(self) -> list[Difference]:
        """What differs most from the known object."""
        found: list[Difference] = []
        for own in self.near.mismatches if self.near else []:
            if own.attribute not in [known.attribute for known in found]:
                part = own.part.symbol if own.attribute in POSE_COLUMNS else None
                found.append(Difference(own.attribute, own.seen, own.expected, part))
        return found[:TOLD]

    def settle(self, parts: Sequence[Observation]) -> None:
        """It has been answered for these parts, which are not asked about again in the same scene."""
        self.answered = True
        leaves = (leaf for part in parts for leaf in part.primitives)
        self.scene.settled.add(frozenset(leaf.depth or 0 for leaf in leaves))

    def __str__(self) -> str:
        looks = {} if self.near is None else self.near.route.memory[0].whole.attributes
        return ask(self.cause.value, self.parts, self.resembles, looks, self.differences, self.scene.verbs)

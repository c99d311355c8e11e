"""One brain and everything that happens to it, kept to be told."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from unrender.agent.causes import Cause
from unrender.agent.matrix import DecisionMatrix
from unrender.agent.question import Answer, Question
from unrender.brain import Brain
from unrender.cli.story.script import Script
from unrender.scene import Observation, Scene
from unrender.worlds import Picture

MOST = 8  # questions about one picture


@dataclass(frozen=True)
class Asked:
    """One question with its answer, and the decision matrix before and after."""

    question: Question
    reply: Answer | str
    told: str  # what the brain says it has learned
    before: DecisionMatrix
    after: DecisionMatrix

    @property
    def word(self) -> str:
        """The word that was answered."""
        return self.reply.name if isinstance(self.reply, Answer) else self.reply

    @property
    def corrected(self) -> Sequence[Observation] | None:
        """The parts, where the answer has corrected them."""
        parts = self.reply.parts if isinstance(self.reply, Answer) else None
        same = parts is None or {id(one) for one in parts} == {id(one) for one in self.question.parts}
        return None if same else parts

    @property
    def cause(self) -> Cause:
        """The cause that the answer counts for: the column of the matrix that has grown."""
        for name, row in self.after.rows.items():
            old = self.before.rows.get(name, (0, 0, 0, 0))
            for cause, now, then in zip(Cause, row, old, strict=True):
                if now > then:
                    return cause
        return self.question.cause


@dataclass(frozen=True)
class Moment:
    """One picture: what was seen in it at first, what was asked, and what is seen in it then."""

    picture: Picture
    first: Scene
    scene: Scene
    asked: tuple[Asked, ...]
    seconds: float

    @property
    def understood(self) -> bool:
        """Whether it was one axiom at once, with nothing to ask."""
        return not self.asked and len(self.scene.axioms) == 1


@dataclass(frozen=True)
class Sight:
    """The primitives of pictures. All brains see them alike, so each picture is looked at once."""

    seen: dict[bytes, Scene] = field(default_factory=dict)

    def __call__(self, picture: Picture) -> Scene:
        key = picture.image.tobytes()
        if key not in self.seen:
            self.seen[key] = Brain().see(picture.image)
        return self.seen[key]


@dataclass(frozen=True)
class Step:
    """Some pictures about one thing: the first of them in full, the others at a glance."""

    title: str
    text: str
    moments: list[Moment] = field(default_factory=list)


@dataclass
class Timeline:
    """A brain, the oracle who answers it, and what has happened so far."""

    title: str
    text: str
    brain: Brain
    oracle: Script
    sight: Sight = field(default_factory=Sight)
    steps: list[Step] = field(default_factory=list)

    def begin(self, title: str, text: str) -> None:
        """The next step; all pictures from now on belong to it."""
        self.steps.append(Step(title, text))

    def show(self, picture: Picture, ask: bool = True) -> Moment:
        """Show a picture, and answer what is asked about it until the oracle has no more to say."""
        start = time.perf_counter()
        self.oracle.look(picture.scene)
        scene = first = self.brain.see_again(self.sight(picture))
        asked: list[Asked] = []
        while ask and len(asked) < MOST and (question := scene.question) is not None:
            reply, before = self.oracle(question), self.brain.matrix
            if reply is None:
                break
            told = self.brain.answer(question, reply)
            asked.append(Asked(question, reply, told, before, self.brain.matrix))
            scene = self.brain.see_again(scene)
        moment = Moment(picture, first, scene, tuple(asked), time.perf_counter() - start)
        self.steps[-1].moments.append(moment)
        return moment

    @property
    def moments(self) -> list[Moment]:
        """All pictures so far."""
        return [moment for step in self.steps for moment in step.moments]

    @property
    def questions(self) -> int:
        """How many were asked so far."""
        return sum(len(moment.asked) for moment in self.moments)

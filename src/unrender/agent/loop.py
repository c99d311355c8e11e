"""The loop of lifelong meta-learning: see, ask, learn, and see again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from unrender.agent.oracle import Oracle, Reply
from unrender.agent.question import Question
from unrender.scene import Scene

MOST = 12  # questions about one picture


class Teachable(Protocol):
    """What the loop asks of a brain."""

    def see(self, image: Any, after: Scene | None = None) -> Scene: ...

    def see_again(self, scene: Scene, after: Scene | None = None) -> Scene: ...

    def answer(self, question: Question, answer: Any) -> str: ...

    def skip(self, question: Question) -> None: ...


@dataclass(frozen=True)
class Exchange:
    """One question, what was answered, and what the brain says it has learned."""

    question: Question
    reply: Reply
    told: str | None  # None if the question was skipped


@dataclass(frozen=True)
class Attended:
    """A scene after all questions about it, the last of them answered or skipped."""

    scene: Scene
    exchanges: list[Exchange] = field(default_factory=list)


def attend(
    brain: Teachable, image: Any, oracle: Oracle | None, after: Scene | None = None, most: int = MOST
) -> Attended:
    """See a picture and ask about it until there is nothing left to ask, at most `most` questions.

    image: anything that `see` takes, or a scene that has been seen. Without an oracle nothing is asked.
    """
    scene = brain.see_again(image, after) if isinstance(image, Scene) else brain.see(image, after)
    exchanges: list[Exchange] = []
    while oracle is not None and len(exchanges) < most:
        question = scene.question
        if question is None:
            break
        reply = oracle(question)
        if reply is None:
            brain.skip(question)
            exchanges.append(Exchange(question, None, None))
        else:
            exchanges.append(Exchange(question, reply, brain.answer(question, reply)))
        scene = brain.see_again(scene, after)
    return Attended(scene, exchanges)

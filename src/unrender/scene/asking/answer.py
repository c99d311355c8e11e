"""What comes of a question."""

from __future__ import annotations

from dataclasses import dataclass

from unrender.scene.observation import Observation

Value = bool | int | float | str | tuple[float, float] | list[Observation]


@dataclass(frozen=True)
class Step:
    """One step of the execution: what was done, and what it gave."""

    did: str  # 'left of the ship'
    found: str  # '2 of 3'

    def __str__(self) -> str:
        return f"{self.did}: {self.found}"


@dataclass(frozen=True)
class Answer:
    """The answer to a question; `str()` is how a person would say it."""

    value: Value  # a number, yes or no, a word, a position, or the objects that are meant
    text: str
    steps: tuple[Step, ...] = ()

    def __str__(self) -> str:
        return self.text

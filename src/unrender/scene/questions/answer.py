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
    """The answer to a question; `str()` is how a person would say it.

    >>> from unrender import Observation, Scene
    >>> circles = [Observation("circle", (x, 15), (8, 8)) for x in (10, 50)]
    >>> scene = Scene(80, 30, [*circles, Observation("square", (30, 15), (8, 8))])
    >>> answer = scene.ask("how many circles are left of the square?")
    >>> answer.value
    1
    >>> print(*answer.steps, sep="\\n")
    circles: 2 of 3 (both circles)
    square: 1 of 3 (the square)
    left of the square: 1 of 2 (the left circle)
    """

    value: Value  # a number, yes or no, a word, a position, or the objects that are meant
    text: str
    steps: tuple[Step, ...] = ()
    otherwise: tuple[Value, ...] = ()  # values it would have if parts counted, or a square had to be one

    def __str__(self) -> str:
        return self.text

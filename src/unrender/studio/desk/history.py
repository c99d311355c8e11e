"""What can be taken back: edits by hand and lessons, the latest first."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from unrender.studio.desk.picture import Moment, Picture

LONGEST = 200  # steps that are remembered


@dataclass(frozen=True)
class Edited:
    """A picture was changed by hand."""

    title: str  # "rotation of ship in one.png"
    picture: Picture
    before: Moment
    handle: object = None  # what was moved


@dataclass(frozen=True)
class Taught:
    """Something was taught."""

    before: dict[Picture, Moment]  # of every picture that had been seen


Step = Edited | Taught


class History:
    """The steps since the brain was opened, the oldest first."""

    def __init__(self) -> None:
        self._steps: deque[Step] = deque(maxlen=LONGEST)
        self._moving: object = None  # the handle that has not been let go since the latest edit

    def add(self, step: Step) -> None:
        """Remember a step; changes that go on from an edit belong to it until it is settled."""
        self._steps.append(step)
        self._moving = step.handle if isinstance(step, Edited) else None

    def goes_on(self, picture: Picture, handle: object) -> bool:
        """Whether a change is more of the latest edit: a slider that is still being moved."""
        last = self._steps[-1] if self._steps else None
        return isinstance(last, Edited) and last.picture is picture and self._moving == handle is not None

    def settle(self) -> None:
        """The latest edit is done; the next one is another."""
        self._moving = None

    def pop_edit(self) -> Edited | None:
        """The latest step, if it is an edit; it is then forgotten."""
        last = self._steps[-1] if self._steps else None
        if not isinstance(last, Edited):
            return None
        self._steps.pop()
        self._moving = None
        return last

    def pop_lesson(self) -> Taught | None:
        """The latest lesson; it is then forgotten, and so are the edits after it."""
        while self._steps:
            step = self._steps.pop()
            if isinstance(step, Taught):
                return step
        return None

    def drop_edits(self, picture: Picture) -> None:
        """Forget the edits of a picture."""
        kept = [step for step in self._steps if isinstance(step, Taught) or step.picture is not picture]
        self._steps = deque(kept, LONGEST)
        self._moving = None

    def drop(self, picture: Picture) -> None:
        """Forget a picture that has left the desk."""
        self.drop_edits(picture)
        for step in self._steps:
            if isinstance(step, Taught):
                step.before.pop(picture, None)

    def clear(self) -> None:
        """Forget everything."""
        self._steps.clear()
        self._moving = None

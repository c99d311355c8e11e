"""A video on the desk: frames are seen one after the other, as far as somebody has watched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.scene import Scene

if TYPE_CHECKING:
    from unrender.brain import Brain

LONGEST = 600  # frames that are kept
TRAIL = 40  # frames back to which tracks are drawn


def remember(brain: Brain, scene: Scene) -> None:
    """Remember a scene, once; it can be shown even if the brain file cannot be written now."""
    with suppress(UnrenderError):
        brain.remember(scene)


class Film:
    """The frames of a video so far; each is understood after the one before it, so that tracks go on."""

    def __init__(self, path: Path, lesson: int = 0) -> None:
        """lesson: counts what is known; when it has grown, all frames are understood anew."""
        from unrender.film.video import frames

        self._frames: Iterator[NDArray[np.uint8]] = frames(path)
        self.scenes: list[Scene] = []
        self.index = -1
        self.ended = False
        self.lesson = lesson

    def turn(self, brain: Brain, index: int) -> Scene:
        """The scene of a frame; frames that have not been seen yet are seen up to it, or to the end."""
        while len(self.scenes) <= index and not self.ended:
            self._see_next(brain)
        if not self.scenes:
            raise UnrenderError("This video has no frames.")
        self.index = min(max(index, 0), len(self.scenes) - 1)
        return self.scenes[self.index]

    def _see_next(self, brain: Brain) -> None:
        image = next(self._frames, None)
        if image is None or len(self.scenes) >= LONGEST:
            self.ended = True
            return
        self.scenes.append(brain.see(image, after=self.scenes[-1] if self.scenes else None))
        remember(brain, self.scenes[-1])

    def understand(self, brain: Brain) -> None:
        """All frames so far, with what is known now."""
        before: Scene | None = None
        for i, scene in enumerate(self.scenes):
            before = self.scenes[i] = brain.see_again(scene, before)

    @property
    def recent(self) -> list[Scene]:
        """The frames whose tracks are drawn, up to the one that is shown."""
        return self.scenes[max(0, self.index - TRAIL) : self.index + 1]

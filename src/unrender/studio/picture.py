"""One opened picture: where it is, what has been seen in it, and what has been changed by hand."""

from __future__ import annotations

import io
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.scene import Observation, Scene

if TYPE_CHECKING:
    from unrender.studio.asked import Asked
    from unrender.studio.film import Film

Key = tuple[str, tuple[int, ...]]
"""A node by its symbol and the depths of its leaves: the same when the picture is understood again."""


class State(StrEnum):
    """What the strip shows of a picture."""

    NEW = "not seen yet"
    QUESTION = "has a question"
    UNDERSTOOD = "understood"
    BROKEN = "cannot be seen"


@dataclass(eq=False)
class Picture:
    """A file on the desk. Everything but the names is written by the brain's thread only."""

    id: str
    name: str  # as shown; any text
    path: Path
    state: State = State.NEW
    error: str = ""
    scene: Scene | None = None  # as it is understood, and as it was edited
    asked: Asked | None = None  # what the brain wants to know about it
    edited: bool = False
    outdated: bool = False  # something was learned since it was understood
    version: int = 0  # counts every change of what is shown
    original: bytes = b""  # PNG of what was seen
    redrawn: bytes = b""  # PNG of the scene
    drawn: int = -1  # the version that `redrawn` shows
    thumbnail: bytes = b""  # PNG
    leaves: list[Observation] = field(default_factory=list)  # the primitives as they were seen
    film: Film | None = None  # of a video

    def seen(self) -> Scene:
        """The scene, or a sentence if there is none."""
        if self.scene is None:
            raise UnrenderError(self.error or f'"{self.name}" has not been seen yet.')
        return self.scene

    def keep(self, scene: Scene, *, fresh: bool = False) -> None:
        """Take a scene in place of the one before; of a fresh one, remember the primitives."""
        if fresh:
            self.leaves = [_copy(leaf) for leaf in scene.primitives]
        self.scene, self.edited, self.outdated = scene, False, False
        self.version += 1

    def untouched(self) -> Scene:
        """The primitives alone, as they were seen: what a lesson starts from."""
        now = self.seen()
        scene = Scene(now.width, now.height, [_copy(leaf) for leaf in self.leaves], now.background)
        scene.picture, scene.settled = now.picture, set(now.settled)
        scene.scale, scene.complete = now.scale, now.complete
        return scene

    def draw(self) -> None:
        """Draw the scene again, if it has changed since."""
        if self.drawn != self.version:
            self.redrawn, self.drawn = png(self.seen().image), self.version

    @property
    def redrawn_url(self) -> str:
        """Where the page finds the scene drawn again, as it was drawn last."""
        return f"/studio/{self.id}/redrawn?v={self.drawn}"


def key_of(node: Observation) -> Key:
    """What names a node."""
    return node.symbol, tuple(sorted(leaf.depth or 0 for leaf in node.primitives))


def find(scene: Scene, keys: list[Key]) -> list[Observation]:
    """The nodes with these keys."""
    known = {key_of(node): node for node in reversed(scene.observations)}
    if any(key not in known for key in keys):
        raise UnrenderError("What was chosen is not seen any more; choose again.")
    return [known[key] for key in keys]


def png(pixels: NDArray[np.uint8], level: int = 1) -> bytes:
    """Pixels as a PNG file; a low level is quick, a high one small."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=level)
    return buffer.getvalue()


def thumbnail(pixels: NDArray[np.uint8], side: int = 96) -> bytes:
    """A PNG that fits into a square of this side."""
    from PIL import Image

    image = Image.fromarray(pixels)
    image.thumbnail((side, side))
    return png(np.asarray(image))


def _copy(leaf: Observation) -> Observation:
    return replace(leaf, attributes=dict(leaf.attributes), scene=None)

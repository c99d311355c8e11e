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
    from unrender.studio.desk.asked import Asked
    from unrender.studio.desk.film import OpenFilm

Key = tuple[str, tuple[int, ...]]
"""A node by its symbol and the depths of its leaves: the same when the picture is understood again."""


class State(StrEnum):
    """What the strip shows of a picture."""

    NEW = "not seen yet"
    QUESTION = "has a question"
    UNDERSTOOD = "understood"
    BROKEN = "cannot be seen"


@dataclass(frozen=True)
class Moment:
    """What has to be known of a picture to go back to it."""

    scene: Scene | None
    asked: Asked | None
    state: State
    edited: bool
    settled: frozenset[frozenset[int]]  # groups that are not asked about


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
    frames: tuple[Path, ...] = ()  # of a film that is made of pictures
    unwatched: bool = False  # a film of which the first frame only was seen so far
    film: OpenFilm | None = None  # once it was watched
    stored: int = 0  # bytes of the copy that was uploaded; 0 for a file that is not the studio's own
    restored: int = 0  # counts how often something was taken back

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

    def discard(self) -> None:
        """Let go of its file; a copy that was uploaded is deleted."""
        if self.film is not None:
            self.film.close()
        self.film = None
        if self.stored:
            self.path.unlink(missing_ok=True)
            self.stored = 0

    def moment(self, *, copy: bool = False) -> Moment:
        """How it is now. Of a scene that nobody has edited only what cannot be understood again is kept,
        unless it is about to be changed: then it is copied."""
        now = self.seen()
        scene = copied(now) if copy else now if self.edited else None
        return Moment(scene, self.asked, self.state, self.edited, frozenset(now.settled))

    def restore(self, moment: Moment) -> None:
        """Be as it was then."""
        if moment.scene is not None:
            self.scene, self.asked, self.state = moment.scene, moment.asked, moment.state
            self.edited, self.outdated = moment.edited, False
            self.restored += 1
        self.seen().settled = set(moment.settled)
        self.version += 1

    def untouched(self) -> Scene:
        """The primitives alone, as they were seen: what a lesson starts from."""
        return _like(self.seen(), [_copy(leaf) for leaf in self.leaves])

    def draw(self) -> None:
        """Draw the scene again, if it has changed since."""
        if self.drawn != self.version:
            self.redrawn, self.drawn = png(self.seen().image), self.version

    @property
    def original_url(self) -> str:
        """Where the page finds what was seen."""
        if self.film is not None:
            return f"/studio/{self.id}/frames/{min(self.film.index, len(self.film.seen) - 1)}"
        return f"/studio/{self.id}/original"

    @property
    def redrawn_url(self) -> str:
        """Where the page finds the scene drawn again, as it was drawn last."""
        if self.film is not None and not self.edited:
            return f"/studio/{self.id}/drawn/{self.film.version}/{self.film.index}?v={self.film.changes}"
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


def copied(scene: Scene) -> Scene:
    """The same scene with nodes of its own; the pixels are shared."""
    scene.image  # noqa: B018  what was edited at the top has been carried down
    return _like(scene, [_tree(axiom) for axiom in scene.axioms])


def _like(scene: Scene, axioms: list[Observation]) -> Scene:
    """Other trees in the place of a scene's own; all else that is known of it stays."""
    made = Scene(scene.width, scene.height, axioms)
    vars(made).update({name: own for name, own in vars(scene).items() if name[0] != "_" and name != "axioms"})
    made.settled = set(scene.settled)
    return made


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


def _tree(node: Observation) -> Observation:
    return replace(_copy(node), parts=[_tree(part) for part in node.parts])

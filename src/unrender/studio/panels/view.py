"""One picture as a page shows it at one instant: plain values, made on the brain's thread."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from unrender.studio.desk.desk import Desk
from unrender.studio.desk.picture import Key, Picture, key_of
from unrender.studio.panels.shapes import nodes, trails


@dataclass(frozen=True)
class View:
    """Nodes and their keys, in the order of `scene.observations`."""

    version: int = -1
    width: int = 0
    height: int = 0
    scale: float = 1.0  # less than 1 if the picture was too large to be seen as it is
    nodes: list[dict[str, Any]] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    trails: list[dict[str, Any]] = field(default_factory=list)
    frame: int = 0
    frames: int = 0  # seen so far; 0 for a picture
    more: bool = False  # whether there may be more of them
    error: str = ""

    def ids(self, keys: Collection[Key]) -> list[int]:
        """The places of these keys, as far as they are seen."""
        return [i for i, key in enumerate(self.keys) if key in keys]


def view(desk: Desk, picture: Picture, known: Collection[Key] = ()) -> View:
    """Look at a picture if need be, draw it again, and say what is to be shown."""
    desk.look(picture)
    scene = picture.scene
    if scene is None:
        return View(picture.version, error=picture.error)
    shown = nodes(scene, known)
    picture.draw()
    film = picture.film
    return View(
        trails=[] if film is None else trails(film.recent),
        frame=0 if film is None else film.index,
        frames=0 if film is None else len(film.scenes),
        more=film is not None and not film.ended,
        version=picture.version,
        width=scene.width,
        height=scene.height,
        scale=scene.scale,
        nodes=shown,
        keys=[key_of(node) for node in scene.observations],
    )

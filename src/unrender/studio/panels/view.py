"""One picture as a page shows it at one instant: plain values, made on the brain's thread."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from unrender.scene import Scene
from unrender.studio.desk.desk import Desk
from unrender.studio.desk.film import OpenFilm
from unrender.studio.desk.film_values import film_values
from unrender.studio.desk.picture import Key, Picture, key_of
from unrender.studio.panels.shapes import nodes


@dataclass(frozen=True)
class View:
    """Nodes and their keys, in the order of `scene.observations`."""

    version: int = -1
    width: int = 0
    height: int = 0
    scale: float = 1.0  # less than 1 if the picture was too large to be seen as it is
    nodes: list[dict[str, Any]] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    tracks: list[int | None] = field(default_factory=list)  # of the object that each node belongs to
    film: dict[str, Any] | None = None  # all that is shown of a film but for its frames
    frame: int = 0
    made: bool = False  # whether this frame was not filmed
    error: str = ""

    def ids(self, keys: Collection[Key]) -> list[int]:
        """The places of these keys, as far as they are seen."""
        return [i for i, key in enumerate(self.keys) if key in keys]

    def track(self, key: Key) -> int | None:
        """The track of the object that a node belongs to."""
        return self.tracks[self.keys.index(key)] if key in self.keys else None

    def top(self, track: int | None) -> list[Key]:
        """The object with this track, as far as it is seen."""
        tops = [i for i, node in enumerate(self.nodes) if node["parent"] is None]
        return [self.keys[i] for i in tops if track is not None and self.tracks[i] == track]


def view(desk: Desk, picture: Picture, known: Collection[Key] = (), before: View | None = None) -> View:
    """Look at a picture if need be, draw it again, and say what is to be shown.

    known: what was seen before a lesson. before: what was shown last, of this picture or another.
    """
    desk.look(picture)
    scene = picture.scene
    if scene is None:
        return View(picture.version, error=picture.error)
    shown, film = nodes(scene, known), picture.film
    if film is None or picture.edited:
        picture.draw()
    else:
        film.drawn(film.version, film.index)
    return View(
        film=None if film is None else _film_values(film, picture.id, before),
        frame=0 if film is None else film.index,
        made=film is not None and not film.filmed,
        version=picture.version,
        width=scene.width,
        height=scene.height,
        scale=scene.scale,
        nodes=shown,
        keys=[key_of(node) for node in scene.observations],
        tracks=_tracks(scene),
    )


def _film_values(film: OpenFilm, id: str, before: View | None) -> dict[str, Any]:
    """As before, where nothing has changed but the frame."""
    known = None if before is None else before.film
    if known is not None and (known["id"], known["changes"]) == (id, film.changes):
        return known
    return film_values(film, id)


def _tracks(scene: Scene) -> list[int | None]:
    tops = {id(node): axiom.track for axiom in scene.axioms for node in axiom.walk()}
    return [tops.get(id(node)) for node in scene.observations]

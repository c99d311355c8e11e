"""A scene, a film or a world as a file of any kind that it can be saved as."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from unrender.errors import UnrenderError
from unrender.exports.registry import suffixes
from unrender.film.exports.save import SUFFIXES
from unrender.film.film import Film
from unrender.studio.desk.picture import Picture


def exported(picture: Picture, suffix: str) -> bytes:
    """The scene as a file of this kind."""
    if suffix not in suffixes():
        raise UnrenderError(f'A scene is saved as {", ".join(suffixes())}, not as "{suffix}".')
    return _written(picture.seen().save, f"scene{suffix}")


def exported_film(film: Film, suffix: str) -> bytes:
    """The film as a file of this kind."""
    if suffix not in SUFFIXES:
        raise UnrenderError(f'A film is saved as {", ".join(SUFFIXES)}, not as "{suffix}".')
    return _written(film.save, f"film{suffix}")


def exported_world(film: Film) -> bytes:
    """The world behind a film as a scene of Godot."""
    return _written(film.world.save, "world.tscn")


def _written(save: Callable[[Path], None], name: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        goal = Path(folder) / name
        save(goal)
        return goal.read_bytes()

"""A scene as a file of any kind that scenes can be saved as."""

from __future__ import annotations

import tempfile
from pathlib import Path

from unrender.errors import UnrenderError
from unrender.exports.registry import suffixes
from unrender.studio.desk.picture import Picture


def exported(picture: Picture, suffix: str) -> bytes:
    """The scene as a file of this kind."""
    if suffix not in suffixes():
        raise UnrenderError(f'A scene is saved as {", ".join(suffixes())}, not as "{suffix}".')
    with tempfile.TemporaryDirectory() as folder:
        goal = Path(folder) / f"scene{suffix}"
        picture.seen().save(goal)
        return goal.read_bytes()

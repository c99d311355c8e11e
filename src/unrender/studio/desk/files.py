"""Brain files of one folder: which there are, a copy of one, another one. Never outside that folder."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from unrender.errors import UnrenderError
from unrender.studio.desk.desk import Desk
from unrender.studio.desk.picture import Picture
from unrender.studio.desk.uploads import inside

SUFFIX = ".brain"


def brains(folder: Path) -> list[str]:
    """The names of all brain files in a folder."""
    return sorted(path.name for path in folder.glob(f"*{SUFFIX}") if path.is_file())


def save_copy(desk: Desk, name: str) -> str:
    """Copy the brain of the desk, every lesson of it, into a new file; its name."""
    goal = _named(desk.folder, name)
    if goal.exists():
        raise UnrenderError(f'There is a file "{goal.name}" already; choose another name.')
    try:
        source = sqlite3.connect(f"{desk.path.resolve().as_uri()}?mode=ro", uri=True)
        with closing(source), closing(sqlite3.connect(goal)) as copy:
            source.backup(copy)
    except sqlite3.Error as error:
        goal.unlink(missing_ok=True)
        raise UnrenderError(f'The brain could not be copied to "{goal.name}": {error}.') from None
    return goal.name


def open_other(desk: Desk, picture: Picture | None, name: str) -> str:
    """Go on with another brain of the same folder, which is made if it is not there."""
    goal = _named(desk.folder, name)
    desk.reopen(goal)
    desk.learned(picture)
    return f"This is {goal.name} now."


def _named(folder: Path, name: str) -> Path:
    plain = name.strip()
    return inside(folder, plain if plain.endswith(SUFFIX) or not plain else plain + SUFFIX)

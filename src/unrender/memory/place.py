"""Where a brain file is, and whether it can be written; decided before SQLite touches anything."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from unrender.errors import UnrenderError

MEMORY = ":memory:"
SMALLEST = 100  # bytes in the header of an SQLite file


@dataclass(frozen=True)
class Place:
    """The name as the caller wrote it, and what SQLite is to open."""

    name: str
    uri: str
    read_only: bool = False


def find(path: str | os.PathLike[str]) -> Place:
    """The place of a brain file, which may not exist yet, or an UnrenderError when none can be there.

    The file itself is not opened: closing it would release the locks that SQLite holds on it elsewhere in
    this process.
    """
    name = os.fspath(path)
    if name == MEMORY:
        return Place(name, "file::memory:")
    if not name or name.startswith("file:"):
        raise UnrenderError(f'A brain file is named by its plain path, not by "{name}".')
    try:
        # SQLite keeps its journal beside the file that a link points to.
        file = Path(os.path.realpath(name))
        exists = _exists(file, name)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UnrenderError(f"The brain file {name!r} cannot be opened: {reason}.") from error
    writable = os.access(file.parent, os.W_OK) and (not exists or os.access(file, os.W_OK))
    if not exists and not writable:
        raise UnrenderError(
            f'The brain file "{name}" cannot be made: its folder cannot be written; choose another place.'
        )
    return Place(name, f"{file.as_uri()}?mode={'rwc' if writable else 'ro'}", not writable)


def _exists(file: Path, name: str) -> bool:
    """Whether there is a readable file; anything else that stands there is an error."""
    try:
        found = file.stat()
    except FileNotFoundError:
        if not file.parent.is_dir():
            raise UnrenderError(
                f'The folder of the brain file "{name}" does not exist; make it, or choose another place.'
            ) from None
        return False
    if stat.S_ISDIR(found.st_mode):
        raise UnrenderError(f'"{name}" is a folder; name a brain file inside it.')
    if not stat.S_ISREG(found.st_mode):
        raise UnrenderError(f'"{name}" is not a file; choose another place for the brain file.')
    if 0 < found.st_size < SMALLEST:  # SQLite would take a single byte for an empty file
        raise UnrenderError(f'"{name}" is not a brain file and was left as it is; choose another file.')
    if not os.access(file, os.R_OK):
        raise UnrenderError(f'The brain file "{name}" may not be read; change its permissions.')
    return True

"""Files that a browser hands over: bounded in size, and never written anywhere but into one folder."""

from __future__ import annotations

import re
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

from unrender.errors import UnrenderError

LARGEST = 64 * 1024 * 1024  # bytes of one file
LONGEST = 120  # characters of a name that is shown


async def receive(chunks: AsyncIterator[bytes], folder: Path, name: str) -> Path:
    """Write what comes into a new file of the folder; what is too large is refused before it is kept."""
    goal = folder / f"{secrets.token_hex(8)}{_suffix(name)}"
    size = 0
    try:
        with goal.open("xb") as file:
            async for chunk in chunks:
                size += len(chunk)
                if size > LARGEST:
                    raise UnrenderError(
                        f'"{shown(name)}" has more than {LARGEST >> 20} MB; that is too large.'
                    )
                file.write(chunk)
    except BaseException:
        goal.unlink(missing_ok=True)
        raise
    return goal


def shown(name: str) -> str:
    """The last part of a name, without its folders, as it is shown."""
    last = re.split(r"[\\/]", name)[-1].strip()
    return "".join(c for c in last if c.isprintable())[:LONGEST] or "picture"


def inside(folder: Path, name: str) -> Path:
    """The file of this name in the folder, and nowhere else."""
    if not name.strip() or name != Path(name).name or name in (".", "..") or "\\" in name or "\0" in name:
        raise UnrenderError("Give the plain name of a file, without a folder.")
    goal = folder / name
    if goal.resolve().parent != folder.resolve():
        raise UnrenderError(f'"{name}" lies outside the folder of this brain; choose another name.')
    return goal


def _suffix(name: str) -> str:
    """The suffix, if it is an ordinary one."""
    found = re.search(r"\.[A-Za-z0-9]{1,5}$", name)
    return found.group(0).lower() if found else ""

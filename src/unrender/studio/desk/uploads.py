"""Files that a browser hands over: bounded in size and number, readable, and written into one folder only."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

from unrender.batch.sources import Source
from unrender.errors import UnrenderError
from unrender.studio.desk.desk import Desk
from unrender.studio.desk.picture import Picture

LARGEST = 64 << 20  # bytes of one file
QUOTA = 512 << 20  # bytes of all files
MOST = 500  # files
LONGEST = 120  # characters of a name


class Uploads:
    """Where files go on their way to the desk. Those that cannot be read are not kept."""

    def __init__(self, folder: Path, *, quota: int = QUOTA, most: int = MOST) -> None:
        self.folder = folder
        self._quota = quota
        self._most = most
        self._arriving: dict[Path, int] = {}  # bytes so far
        self._one = asyncio.Lock()  # pictures are unpacked one at a time

    async def receive(self, chunks: AsyncIterator[bytes], desk: Desk, name: str) -> Picture:
        """Write what comes into a new file and lay it on the desk."""
        goal = self.folder / f"{secrets.token_hex(8)}{_suffix(name)}"
        self._arriving[goal] = 0
        try:
            self._check_room(desk)
            with goal.open("xb") as file:
                async for chunk in chunks:
                    self._arriving[goal] += len(chunk)
                    if self._arriving[goal] > LARGEST:
                        raise UnrenderError(
                            f'"{shown(name)}" has more than {LARGEST >> 20} MB; that is too large.'
                        )
                    self._check_room(desk)
                    file.write(chunk)
            async with self._one:
                await asyncio.to_thread(_check, goal, shown(name))
            return desk.add(goal, shown(name), stored=max(1, self._arriving[goal]))
        except BaseException:
            goal.unlink(missing_ok=True)
            raise
        finally:
            del self._arriving[goal]

    def _check_room(self, desk: Desk) -> None:
        kept = [picture.stored for picture in desk.pictures.values() if picture.stored]
        if sum(kept) + sum(self._arriving.values()) > self._quota or len(kept) >= self._most:
            raise UnrenderError(
                f"The desk is full: it holds {self._quota >> 20} MB or {self._most} uploaded files; "
                "remove some pictures first."
            )


def _check(path: Path, name: str) -> None:
    """Whether a file is a picture or a video at all; what is wrong with it is told by its own name."""
    from unrender.film.video import frames
    from unrender.scene.picture import read_picture

    try:
        if Source(path, name).video:
            next(frames(path), None)
        else:
            read_picture(path)
    except MemoryError:
        raise UnrenderError(f'There is not enough memory to look at "{name}".') from None
    except UnrenderError as error:
        raise UnrenderError(str(error).replace(str(path), name)) from None


def shown(name: str) -> str:
    """The last part of a name, without its folders, as it is shown."""
    last = re.split(r"[\\/]", name)[-1].strip()
    return "".join(c for c in last if c.isprintable())[:LONGEST] or "picture"


def inside(folder: Path, name: str) -> Path:
    """The file of this name in the folder, and nowhere else."""
    if not name.strip() or name != Path(name).name or name in (".", "..") or "\\" in name or "\0" in name:
        raise UnrenderError("Give the plain name of a file, without a folder.")
    if len(name) > LONGEST:
        raise UnrenderError(f"The name of a file has at most {LONGEST} characters.")
    goal = folder / name
    if goal.resolve().parent != folder.resolve():
        raise UnrenderError(f'"{name}" lies outside the folder of this brain; choose another name.')
    return goal


def _suffix(name: str) -> str:
    """The suffix, if it is an ordinary one."""
    found = re.search(r"\.[A-Za-z0-9]{1,5}$", name)
    return found.group(0).lower() if found else ""

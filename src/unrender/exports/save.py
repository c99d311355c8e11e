"""Writing a scene to a file, all of it or nothing."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from unrender.errors import UnrenderError
from unrender.exports.registry import find

if TYPE_CHECKING:
    from unrender.scene import Scene


def save(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Write `scene` in the format that the suffix of `path` names."""
    goal = Path(os.fsdecode(path))
    find(goal.name)
    check(goal)
    write(goal, content(scene, goal.name))


def content(scene: Scene, filename: str) -> bytes:
    """All of a file of this name, in the format that its suffix names."""
    exporter, name = find(filename)
    made = exporter(scene, name)
    return made.encode("utf-8") if isinstance(made, str) else made


def check(goal: Path) -> None:
    """Say what is wrong with a place before anything is computed for it."""
    with _writing(goal):
        if not goal.parent.is_dir():
            raise UnrenderError(f'Cannot write "{goal}": create the folder "{goal.parent}" first.')
        if goal.is_dir():
            raise UnrenderError(f'Cannot write "{goal}": it is a folder.')
        if goal.exists() and not (goal.is_file() and os.access(goal, os.W_OK)):
            raise UnrenderError(f'Cannot write "{goal}": what is there may not be replaced.')


def write(goal: Path, content: bytes) -> None:
    """Put `content` in its place at once: a failure leaves what was there before, and nothing beside it."""
    with replacing(goal) as file:
        file.write(content)


@contextmanager
def replacing(goal: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `goal` when the block is left; not if that is by an error."""
    with _writing(goal):
        there = Path(os.path.realpath(goal))  # what a link points at is replaced, not the link
        beside = there.with_name(f".unrender-{secrets.token_hex(8)}")
        try:
            with beside.open("xb") as file:
                yield file
            os.replace(beside, there)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def _writing(goal: Path) -> Iterator[None]:
    """Turn what goes wrong while writing `goal` into one sentence."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise UnrenderError(f'Cannot write "{goal}": {reason}.') from None

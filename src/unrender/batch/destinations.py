"""Where scenes are written to: one file, or a folder with a file for each picture."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from unrender.batch.look import View
from unrender.batch.output import check_place, make_folder
from unrender.batch.sources import Source
from unrender.errors import UnrenderError, nearest

if TYPE_CHECKING:
    from unrender.scene import Scene

USUAL = ".json"  # the format of files in a folder
LINES, PARQUET = ".jsonl", ".parquet"  # one file for all scenes
TOGETHER = (LINES, PARQUET)


@dataclass(frozen=True)
class Goal:
    """The files to write for each scene: none, one that is named, or one of each suffix in a folder; or one
    file for all scenes together."""

    file: Path | None = None
    table: Path | None = None  # for all
    folder: Path | None = None
    suffixes: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether what is done stands somewhere, so that the work can be stopped and gone on with."""
        return self.table is not None or self.folder is not None

    def paths(self, view: View) -> list[Path]:
        """Where this one goes."""
        if self.file is not None:
            return [self.file]
        return [] if self.folder is None else [self.folder / f"{view.name}{end}" for end in self.suffixes]

    def save(self, scene: Scene, view: View) -> list[str]:
        """Write a scene, and say where to."""
        paths = self.paths(view)
        for path in paths:
            keep_apart(path, view.source.path)
            make_folder(path.parent)
            scene.save(path)
        return [str(path) for path in paths]

    def write(self, files: Mapping[str, bytes], view: View) -> None:
        """Write what has been made of a scene, by suffix, to the folder."""
        from unrender.exports.save import check, write

        for path, content in zip(self.paths(view), files.values(), strict=True):
            keep_apart(path, view.source.path)
            make_folder(path.parent)
            check(path)
            write(path, content)


def goal_of(output: Path | None, formats: Sequence[str], wanted: Sequence[Source]) -> Goal:
    """What `-o` and `--format` ask for, checked before anything is looked at; nothing if they say nothing."""
    single = len(wanted) == 1 and not wanted[0].video
    suffixes = tuple(_suffix(text) for text in formats)
    if output is not None and output.suffix.lower() in TOGETHER and not output.is_dir():
        if suffixes:
            raise UnrenderError(f'"{output}" is one file for all; --format is for the files in a folder.')
        return Goal(table=_writable(output))
    if output is None:
        if suffixes:
            raise UnrenderError("Say with -o which folder the files are to be written to.")
        return Goal()
    if suffixes or not _is_file(output, single):
        folder = make_folder(output)
        if not os.access(folder, os.W_OK):
            raise UnrenderError(f'Cannot write to the folder "{folder}".')
        return Goal(folder=folder, suffixes=suffixes or (USUAL,))
    if not single:
        raise UnrenderError(
            f'"{output}" is one file, but there are several scenes to write; name a folder with -o, and the '
            "format with --format, or one file for all that ends in .jsonl or .parquet."
        )
    check_file(output, wanted[0].path)
    return Goal(file=output)


def _writable(path: Path) -> Path:
    """A file in a folder that is there, or made."""
    from unrender.exports.save import check

    make_folder(path.parent)
    check(path)
    return path


def check_file(path: Path, picture: Path) -> None:
    """Find out before the work, not after it, that a file cannot be written."""
    from unrender.exports.registry import suffix_of

    suffix_of(path.name)
    keep_apart(path, picture)
    check_place(path)


def keep_apart(goal: Path, picture: Path) -> None:
    """Refuse to write over the picture itself."""
    try:
        same = goal.samefile(picture)
    except OSError:  # one of them is not there
        same = False
    if same:
        raise UnrenderError(f'"{goal}" is the picture itself; choose another name for the output.')


def _is_file(output: Path, single: bool) -> bool:
    """Whether a name is meant for a file: it has a suffix, and is no folder."""
    if output.is_dir():
        return False
    return bool(output.suffix) or (single and output.exists())


def _suffix(text: str) -> str:
    from unrender.exports.registry import suffixes

    known = suffixes()
    suffix = f".{text.lower().removeprefix('.')}"
    if suffix not in known:
        raise UnrenderError(f'"{text}" is no format for scenes.{nearest(suffix, known)}')
    return suffix

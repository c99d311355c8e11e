"""The pictures and videos that are meant by files, folders and patterns."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from unrender.errors import UnrenderError
from unrender.paths import check_readable

PICTURES = frozenset(
    (
        *(".avif", ".bmp", ".dib", ".gif", ".ico", ".jp2", ".jpeg", ".jpg", ".pbm", ".pcx", ".pgm", ".png"),
        *(".pnm", ".ppm", ".qoi", ".tga", ".tif", ".tiff", ".webp"),
    )
)
VIDEOS = frozenset([".avi", ".flv", ".m4v", ".mkv", ".mov", ".mp4", ".mpeg", ".mpg", ".ogv", ".webm", ".wmv"])


@dataclass(frozen=True)
class Source:
    """One picture or video."""

    path: Path
    name: str  # what files made from it are called: "folder/frame", without a suffix, each one different

    @property
    def video(self) -> bool:
        """Whether it has many frames."""
        return self.path.suffix.lower() in VIDEOS


def sources(words: Sequence[str]) -> list[Source]:
    """All files that these words mean, in the order of the words, each of them once.

    A folder stands for all pictures and videos in it and below it; a pattern that the shell has left alone
    for all that match it. A file that is named is taken whatever its suffix, and even if it is not there:
    `unread` tells that.
    """
    found: dict[Path, Path] = {}  # with their names, where they are the first to have them
    for word in words:
        path = Path(word)
        if path.is_dir():
            inside = list(_inside(path))
            if not inside:
                raise UnrenderError(f'The folder "{word}" holds no pictures or videos.')
            found |= {file: file.relative_to(path) for file in inside if file not in found}
        elif glob.has_magic(word) and not path.exists():
            matches = [Path(match) for match in sorted(glob.glob(word, recursive=True))]
            files = [match for match in matches if match.is_file()]
            if not files:
                raise UnrenderError(f'No file matches "{word}".')
            found |= {file: Path(file.name) for file in files if file not in found}
        else:
            found.setdefault(path, Path(path.name))
    return _named(found.items())


def unread(source: Source) -> str | None:
    """A sentence about why a file cannot be read, as far as can be told without opening it."""
    try:
        check_readable(source.path)
    except UnrenderError as error:
        return str(error)
    return None


def _inside(folder: Path) -> Iterable[Path]:
    for file in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
        if file.suffix.lower() in PICTURES | VIDEOS and not hidden:
            yield file


def _named(found: Iterable[tuple[Path, Path]]) -> list[Source]:
    """With a name for each: frame, or frame.jpg where frame is taken, or frame.jpg-2."""
    taken: set[str] = set()
    made = []
    for path, short in found:
        name, number = short.with_suffix("").as_posix(), 1
        while name.casefold() in taken or not name:
            name = short.as_posix() if number == 1 else f"{short.as_posix()}-{number}"
            number += 1
        taken.add(name.casefold())
        made.append(Source(path, name))
    return made

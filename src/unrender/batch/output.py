"""What all commands share: reading sizes and numbers, writing files, one clear sentence when that fails."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from unrender.errors import UnrenderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def sides(text: str) -> tuple[int, int]:
    """ "320x200" or "256" as (width, height) in pixels."""
    found = re.fullmatch(r"(\d{1,6})(?:[xX×](\d{1,6}))?", text.strip())
    if not found:
        raise UnrenderError(f'A size is written like 84x84 or 256, not "{text}".')
    return int(found[1]), int(found[2] or found[1])


def assignments(words: list[str]) -> dict[str, float]:
    """["red=1", "width=20"] as {"red": 1.0, "width": 20.0}."""
    values: dict[str, float] = {}
    for word in words:
        name, equals, number = word.partition("=")
        if not equals or not name:
            raise UnrenderError(f'An attribute is written like red=0.5, not "{word}".')
        if name in values:
            raise UnrenderError(f'The attribute "{name}" is given twice.')
        try:
            values[name] = float(number)
        except ValueError:
            raise UnrenderError(f'The attribute "{name}" must be a number, not "{number}".') from None
    return values


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what goes wrong while writing `path` into one sentence."""
    try:
        yield
    except OSError as error:
        raise UnrenderError(f'Cannot write "{path}": {error.strerror or error}.') from None


def make_folder(path: Path) -> Path:
    """`path` as a folder that exists."""
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
    return path


def check_place(path: Path) -> None:
    """Say before the work, not after it, that a file cannot be written."""
    from unrender.exports.save import check

    if path.parent.exists():
        check(path)


def picture_kind(path: Path) -> str:
    """The format of pictures that the suffix of a path names."""
    from PIL import Image

    kind = Image.registered_extensions().get(path.suffix.lower())
    if kind is None or kind not in Image.SAVE:
        raise UnrenderError(f'Cannot write "{path}": use a name that ends in .png.')
    return kind


def save_picture(image: NDArray[np.uint8], path: Path) -> None:
    """Write uint8 HxWx3 as a picture, its format chosen by the suffix, all of it or nothing."""
    from PIL import Image

    from unrender.exports.save import check, write

    kind = picture_kind(path)
    make_folder(path.parent)
    check(path)
    buffer = io.BytesIO()
    try:
        Image.fromarray(image).save(buffer, kind)
    except (OSError, ValueError) as error:
        raise UnrenderError(f'Cannot write "{path}": {error}; use a name that ends in .png.') from None
    write(path, buffer.getvalue())


def write_text(text: str, path: Path) -> None:
    """Write a UTF-8 text file, all of it or nothing."""
    from unrender.exports.save import write

    write(path, text.encode("utf-8"))

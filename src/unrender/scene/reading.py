"""Reading a scene from JSON, which anybody may have written: every value is checked before it is believed."""

from __future__ import annotations

import base64
import io
import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.scene.picture_file import DAMAGE

LEVELS = 100  # of parts in parts
SIDE, AREA = 1 << 15, 1 << 24  # px of a scene
_WRONG = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError)


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Whatever is wrong with the data within is an UnrenderError that begins with `what`."""
    try:
        yield
    except KeyError as error:
        raise UnrenderError(f"{what}: the entry {error} is missing.") from None
    except _WRONG as error:
        raise UnrenderError(f"{what}: {str(error).rstrip('.')}.") from None


def number(value: Any) -> float:
    """A finite number."""
    found = float(value)
    if not math.isfinite(found):
        raise ValueError(f"a number is {found}, which is not finite")
    return found


def whole(value: Any) -> int:
    """A whole number of ordinary size."""
    found = int(value)
    if abs(found) > 1 << 53:
        raise ValueError("a whole number is too large")
    return found


def pair(values: Any) -> tuple[float, float]:
    """Two finite numbers."""
    x, y = (number(value) for value in values)
    return x, y


def text(value: Any) -> str:
    """A text that can be written again."""
    if not isinstance(value, str):
        raise TypeError(f"a name is a text, not {type(value).__name__}")
    value.encode("utf-8")  # a lone surrogate raises a ValueError
    return value


def numbers(values: Any) -> dict[str, float]:
    """Numbers by name."""
    return {text(name): number(value) for name, value in values.items()}


def items(data: Any, name: str) -> list[Any]:
    """The list that an entry holds; none if there is no entry."""
    found = data.get(name, [])
    if not isinstance(found, list | tuple):
        raise TypeError(f'"{name}" is a list, not {type(found).__name__}')
    return list(found)


def sides(data: Any) -> tuple[int, int]:
    """Width and height of a scene."""
    width, height = whole(data["width"]), whole(data["height"])
    if not (0 < width <= SIDE and 0 < height <= SIDE and width * height <= AREA):
        raise ValueError(f"a scene of {width}x{height} pixels cannot be drawn")
    return width, height


def scale(data: Any) -> float:
    """Pixels of a scene for one of the picture that it was seen in."""
    found = number(data.get("scale", 1.0))
    if not 0 < found <= 1:
        raise ValueError(f"its scale is {found:g}, not above 0 and at most 1")
    return found


def background(value: Any, width: int, height: int) -> NDArray[np.uint8] | tuple[int, int, int]:
    """One colour, or a PNG in base64 of the size of the scene."""
    if not isinstance(value, str):
        red, green, blue = (whole(part) for part in value)
        if not all(0 <= part <= 255 for part in (red, green, blue)):
            raise ValueError("the background has a colour beyond 0 to 255")
        return red, green, blue
    return picture(value, width, height, "background")


def picture(value: str, width: int, height: int, what: str) -> NDArray[np.uint8]:
    """uint8 HxWx3: a PNG in base64 of the size of the scene."""
    from PIL import Image

    content = io.BytesIO(base64.b64decode(value))
    try:
        with Image.open(content, formats=["PNG"]) as image:
            if image.size != (width, height):
                raise ValueError(f"the {what} has another size than the scene")
            return np.asarray(image.convert("RGB"))
    except (*DAMAGE, Image.DecompressionBombError) as error:
        raise ValueError(f"its {what} cannot be read ({error})") from None


def png(array: NDArray[np.uint8]) -> str:
    """A picture (HxW or HxWx3) as a PNG in base64."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(array).save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def load(path: str | os.PathLike[str]) -> Any:
    """The JSON of a file."""
    name = os.fsdecode(path)
    try:
        return json.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise UnrenderError(f'Cannot read "{name}": {error.strerror or error}.') from None
    except (ValueError, RecursionError) as error:
        raise UnrenderError(f'"{name}" is not a JSON file: {error}.') from None

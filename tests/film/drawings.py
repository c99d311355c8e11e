"""Small films of discs and boxes, drawn by Pillow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

FINER = 16  # Pillow rounds to whole pixels
Frame = NDArray[np.uint8]
Thing = tuple[str, float, float, float, float, str]  # kind, x, y, width, height, colour; the first is behind


def frame(things: Sequence[Thing], size: tuple[int, int] = (96, 64), ground: str = "#101828") -> Frame:
    image = Image.new("RGB", (size[0] * FINER, size[1] * FINER), ground)
    pen = ImageDraw.Draw(image)
    for kind, x, y, width, height, colour in things:
        box = [FINER * v for v in (x - width / 2, y - height / 2, x + width / 2, y + height / 2)]
        (pen.ellipse if kind == "circle" else pen.rectangle)(box, fill=colour)
    return np.asarray(image.resize(size, Image.Resampling.BOX))


def passing(frames: int = 24) -> list[Frame]:
    """Two discs of one colour that pass over one another on straight lines."""
    return [
        frame([("circle", 14 + 3 * t, 26, 16, 16, "#e05030"), ("circle", 82 - 3 * t, 34, 16, 16, "#e05030")])
        for t in range(frames)
    ]


def behind_post(frames: int = 30) -> list[Frame]:
    """A disc that goes all the way behind a post."""
    return [
        frame([("circle", 12 + 2.5 * t, 32, 14, 14, "#40c070"), ("box", 48, 32, 20, 60, "#a0a0a8")])
        for t in range(frames)
    ]

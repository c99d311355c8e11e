"""The image pyramid: every level half as large as the one before, and each carried on beyond the picture."""

from __future__ import annotations

import numpy as np

from unrender.primitives.jit import compiled
from unrender.render.coverage import Floats

SMALLEST = 9  # px: a level with a shorter side shows nothing
BORDER = 4  # px that every level is carried on, so that shapes at the edge of a picture have a ground
STRIDE = 4  # px between two estimates of a network: levels with their border are multiples of it


def levels_of(image: Floats) -> list[Floats]:
    """Level k (H / 2^k, W / 2^k, 3) of a picture (H, W, 3), sides rounded up."""
    levels = [np.ascontiguousarray(image, np.float32)]
    while min(levels[-1].shape[:2]) // 2 >= SMALLEST:
        levels.append(halved(levels[-1]))
    return levels


@compiled
def halved(image: Floats) -> Floats:
    """Means of 2x2 pixels (ceil(H / 2), ceil(W / 2), C); at an odd side the last pixels count twice."""
    tall, wide, channels = image.shape
    small = np.empty(((tall + 1) // 2, (wide + 1) // 2, channels), np.float32)
    quarter = np.float32(0.25)
    for i in range(small.shape[0]):
        top, bottom = 2 * i, min(2 * i + 1, tall - 1)
        for j in range(small.shape[1]):
            left, right = 2 * j, min(2 * j + 1, wide - 1)
            for c in range(channels):
                total = (
                    image[top, left, c]
                    + image[top, right, c]
                    + image[bottom, left, c]
                    + image[bottom, right, c]
                )
                small[i, j, c] = quarter * total
    return small


def bordered(levels: list[Floats], index: int) -> Floats:
    """A level carried on by at least BORDER pixels on every side, to multiples of STRIDE.

    The border continues the outermost pixels of the picture itself: those of a coarse level would already be
    mixed with a shape that nearly fills the picture.
    """
    image, level = levels[0], levels[index]
    top, bottom, left, right = image[:1], image[-1:], image[:, :1], image[:, -1:]
    for _ in range(index):
        top, bottom, left, right = halved(top), halved(bottom), halved(left), halved(right)
    tall, wide = level.shape[:2]
    below, beyond = BORDER + -tall % STRIDE, BORDER + -wide % STRIDE
    found = np.empty((BORDER + tall + below, BORDER + wide + beyond, 3), np.float32)
    sides = ((0, 0), (BORDER, beyond), (0, 0))
    found[:BORDER], found[BORDER + tall :] = np.pad(top, sides, "edge"), np.pad(bottom, sides, "edge")
    middle = found[BORDER : BORDER + tall]
    middle[:, :BORDER], middle[:, BORDER + wide :], middle[:, BORDER : BORDER + wide] = left, right, level
    return found

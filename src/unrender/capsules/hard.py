"""Whether the edges in a picture are hard: every pixel shows one colour, none a mixture of two."""

from __future__ import annotations

import numpy as np

from unrender.capsules.patches import Floats
from unrender.graphics.compiled import compiled

SAME = 0.5 / 255  # colours that differ by less in every channel are one
LONELY = 0.05  # of the pixels at corners may look like none beside them
PLENTY = 40  # of these say that there is no need to look at the rest


def hard_edges(picture: Floats) -> bool:
    """Whether hardly a pixel of a picture (H, W, 3) differs from all four beside it.

    On a smooth edge nearly all do, on a hard one that is not upright there are stairs. Upright edges say
    nothing, nor do pictures without any corner.
    """
    lonely, corners = _count(picture, np.float32(SAME), PLENTY)
    return bool(corners and lonely <= LONELY * corners)


@compiled
def _count(picture: Floats, same: float, plenty: int) -> tuple[int, int]:
    """How many pixels look like none beside them, and how many look like one above or below at the most, and
    one to the left or right."""
    lonely, corners = 0, 0
    height, width = picture.shape[:2]
    above = np.zeros(width, np.int8)  # whether a pixel looks like the one above it
    for i in range(height - 1):
        left = 0
        for j in range(width - 1):
            below, right = 1, 1
            for c in range(3):
                below &= abs(picture[i, j, c] - picture[i + 1, j, c]) < same
                right &= abs(picture[i, j, c] - picture[i, j + 1, c]) < same
            if i and j and not (above[j] & below) and not (left & right):
                corners += 1
                lonely += not (above[j] | below | left | right)
            above[j], left = below, right
        if lonely > plenty and 2 * lonely > corners:
            break
    return lonely, corners

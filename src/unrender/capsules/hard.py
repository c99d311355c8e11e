"""Whether the edges in a picture are hard: every pixel shows one colour, none a mixture of two."""

from __future__ import annotations

import numpy as np

from unrender.capsules.patches import Floats
from unrender.graphics.compiled import Floats3, compiled

SAME = 0.5 / 255  # colours that differ by less in every channel are one
CLOSE = 0.01  # distance from the straight way between two colours at which a third is a mixture of them
SOFT = 0.1  # soft pixels for every one at a corner that there may be by chance
PLENTY = 40  # of them say that there is no need to look at the rest


def hard_edges(picture: Floats) -> bool:
    """Whether hardly a pixel of a picture (H, W, 3) is soft.

    A soft one looks like none beside it, as with noise and on most smooth edges, or shows a mixture of what
    lies on two sides of it, as on upright smooth edges. Hard edges have corners: stairs, if not upright.
    """
    soft, corners = _count(picture, np.float32(SAME), np.float32(CLOSE**2), PLENTY)
    return bool(corners and soft <= SOFT * corners)


@compiled
def _count(picture: Floats3, same: np.float32, close: np.float32, plenty: int) -> tuple[int, int]:
    """How many pixels are soft, and how many look like one above or below at the most, and one to the left or
    right."""
    soft, corners = 0, 0
    height, width = picture.shape[:2]
    above = np.zeros(width, np.int8)  # whether a pixel looks like the one above it
    for i in range(height - 1):
        left = 0
        for j in range(width - 1):
            below, right = 1, 1
            for c in range(3):
                below &= abs(picture[i, j, c] - picture[i + 1, j, c]) < same
                right &= abs(picture[i, j, c] - picture[i, j + 1, c]) < same
            if i and j:
                corners += not (above[j] & below) and not (left & right)
                upright, lying = above[j] | below, left | right
                if not upright and not lying:
                    soft += 1
                elif not upright:
                    soft += _between(picture, i, j, 1, 0, close)
                elif not lying:
                    soft += _between(picture, i, j, 0, 1, close)
            above[j], left = below, right
        if soft > plenty and 2 * soft > corners:
            break
    return soft, corners


@compiled
def _between(picture: Floats, i: int, j: int, down: int, across: int, close: float) -> bool:
    """Whether the colour of a pixel lies between those of its neighbours on two sides."""
    far, along, own = np.float32(0), np.float32(0), np.float32(0)
    for c in range(3):
        first = picture[i - down, j - across, c]
        way, gone = picture[i + down, j + across, c] - first, picture[i, j, c] - first
        far, along, own = far + way * way, along + way * gone, own + gone * gone
    return bool(0 < along < far and own * far - along * along < close * far)

"""Aliasing: whether every pixel of a picture shows one colour, none a mixture of the two sides of an edge."""

from __future__ import annotations

import numpy as np

from unrender.primitives.jit import compiled
from unrender.render.coverage import Floats

STEP = 0.1  # contrast (RGB distance) from which two colours have an edge between them
NOISES = 5.0  # standard deviations by which pixels of one colour differ at most
MIXTURE = 0.02  # RGB distance from the straight way between two colours at which a third is their mixture
MIXED = 0.05  # mixtures for every corner of a staircase that there may be by chance
FEWEST = 6  # corners: with fewer no edge is slanted, and both kinds of pictures look the same


def is_aliased(image: Floats, sigma: float) -> bool:
    """Whether a picture (H, W, 3) with this noise has edges, and hardly any of them is smooth.

    Edges that follow rows or columns say nothing; slanted ones are staircases if they are aliased and have
    mixtures at every stair if not.
    """
    same = NOISES * sigma + 0.5 / 255
    step = max(STEP, 3 * same)  # a lower one has no room for a mixture that looks like neither side
    mixtures, stairs = _counted(image, same, step, MIXTURE + 2 * sigma)
    return bool(stairs >= FEWEST and mixtures <= MIXED * stairs)


@compiled
def _counted(image: Floats, same: float, step: float, close: float) -> tuple[int, int]:
    """Pixels that are mixtures of their neighbours on two sides; corners of stairs: pixels that have an edge
    both to a neighbour beside them and to one above or below, and of which one beside them has, too."""
    mixtures, stairs = 0, 0
    tall, wide = image.shape[0], image.shape[1]
    corner = np.zeros((tall, wide), np.bool_)
    for i in range(1, tall - 1):
        for j in range(1, wide - 1):
            across = _edge(image, i, j, 0, 1, step) or _edge(image, i, j, 0, -1, step)
            upright = _edge(image, i, j, 1, 0, step) or _edge(image, i, j, -1, 0, step)
            if not (across or upright):
                continue
            corner[i, j] = across and upright
            mixtures += _between(image, i, j, 0, 1, same, step, close) or _between(
                image, i, j, 1, 0, same, step, close
            )
    for i in range(1, tall - 1):
        for j in range(1, wide - 1):
            if corner[i, j]:
                stairs += corner[i, j - 1] or corner[i, j + 1] or corner[i - 1, j] or corner[i + 1, j]
    return mixtures, stairs


@compiled
def _edge(image: Floats, i: int, j: int, down: int, right: int, step: float) -> bool:
    off = 0.0
    for c in range(3):
        off += (image[i, j, c] - image[i + down, j + right, c]) ** 2
    return off > step * step


@compiled
def _between(
    image: Floats, i: int, j: int, down: int, right: int, same: float, step: float, close: float
) -> bool:
    """Whether a pixel looks like neither neighbour on two sides of it, but like a mixture of both."""
    whole, along, own, first, second = 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(3):
        start, end = image[i - down, j - right, c], image[i + down, j + right, c]
        way, gone = end - start, image[i, j, c] - start
        whole, along, own = whole + way * way, along + way * gone, own + gone * gone
        first, second = max(first, abs(gone)), max(second, abs(way - gone))
    if whole < step * step or first < same or second < same or not 0 < along < whole:
        return False
    return own - along * along / whole < close * close

"""Local brightness and contrast, taken out of a picture before a network sees it."""

from __future__ import annotations

import numpy as np

from unrender.primitives.jit import compiled
from unrender.render.coverage import Floats

CELL = 4  # px a side: local means are taken of cells
REACH = 2  # cells to either side, twice: about 36 px around a pixel
FLOOR = 0.02  # contrast below which a neighbourhood counts as blank


def normalise(image: Floats) -> Floats:
    """(3, H, W) of a picture (H, W, 3), sides multiples of CELL: every pixel less the mean of its
    surroundings, divided by their root mean square contrast."""
    mean = _smooth(_smooth(_cells(image, CELL), REACH), REACH)
    centred, square = _centred(image, mean, CELL)
    spread = _smooth(_smooth(square, REACH), REACH)
    _divided(centred, spread, CELL, FLOOR)
    return centred


@compiled
def _cells(image: Floats, cell: int) -> Floats:
    """(H / cell, W / cell, C): mean of every cell."""
    tall, wide, channels = image.shape[0] // cell, image.shape[1] // cell, image.shape[2]
    found = np.zeros((tall, wide, channels), np.float32)
    scale = np.float32(1 / cell**2)
    for i in range(cell * tall):
        for j in range(cell * wide):
            for c in range(channels):
                found[i // cell, j // cell, c] += image[i, j, c] * scale
    return found


@compiled
def _smooth(values: Floats, reach: int) -> Floats:
    """Means over (2 reach + 1)² values (h, w, C), as far as they are there."""
    tall, wide, channels = values.shape
    rows, found = np.zeros_like(values), np.zeros_like(values)
    for i in range(tall):
        for j in range(wide):
            first, last = max(j - reach, 0), min(j + reach + 1, wide)
            scale = np.float32(1 / (last - first))
            for k in range(first, last):
                for c in range(channels):
                    rows[i, j, c] += values[i, k, c] * scale
    for i in range(tall):
        first, last = max(i - reach, 0), min(i + reach + 1, tall)
        scale = np.float32(1 / (last - first))
        for k in range(first, last):
            for j in range(wide):
                for c in range(channels):
                    found[i, j, c] += rows[k, j, c] * scale
    return found


@compiled
def _between(values: Floats, row: int, cell: int, out: Floats) -> None:
    """One row of pixels (C, W) between the centres of cells (h, w, C), by bilinear interpolation."""
    tall, wide, channels = values.shape
    at = max((row + 0.5) / cell - 0.5, 0.0)
    i = int(at)
    k, down = min(i + 1, tall - 1), np.float32(at - i)
    for c in range(channels):
        for column in range(cell * wide):
            along = max((column + 0.5) / cell - 0.5, 0.0)
            j = int(along)
            m, right = min(j + 1, wide - 1), np.float32(along - j)
            first = values[i, j, c] + down * (values[k, j, c] - values[i, j, c])
            second = values[i, m, c] + down * (values[k, m, c] - values[i, m, c])
            out[c, column] = first + right * (second - first)


@compiled
def _centred(image: Floats, mean: Floats, cell: int) -> tuple[Floats, Floats]:
    """Pixels less the local mean (3, H, W), and the mean square of every cell (H / cell, W / cell, 1)."""
    tall, wide = image.shape[0], image.shape[1]
    centred, row = np.empty((3, tall, wide), np.float32), np.empty((3, wide), np.float32)
    square = np.zeros((tall // cell, wide // cell, 1), np.float32)
    scale = np.float32(1 / (3 * cell**2))
    for i in range(tall):
        _between(mean, i, cell, row)
        for j in range(wide):
            total = np.float32(0)
            for c in range(3):
                off = image[i, j, c] - row[c, j]
                centred[c, i, j] = off
                total += off * off
            square[i // cell, j // cell, 0] += total * scale
    return centred, square


@compiled
def _divided(centred: Floats, spread: Floats, cell: int, floor: float) -> None:
    """Divide (3, H, W) by the local contrast, in place."""
    row = np.empty((1, centred.shape[2]), np.float32)
    least = np.float32(floor * floor)
    for i in range(centred.shape[1]):
        _between(spread, i, cell, row)
        for j in range(centred.shape[2]):
            row[0, j] = np.float32(1) / np.sqrt(row[0, j] + least)
        for c in range(3):
            for j in range(centred.shape[2]):
                centred[c, i, j] *= row[0, j]

"""Chroma that a decoder has repeated: films keep one chroma for 2x2 pixels, and quick decoders give it to all
four of them. Interpolated between the centres of these squares it is smooth at edges, as in JPEG files."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled
from unrender.render.coverage import Floats

STEP = 0.06  # of chroma or luma between two neighbours, from which it is an edge
FEWEST = 16  # edges of chroma that must tell
INSIDE = 0.05  # of them inside of squares at most: rounding, and what was cut off at black or white
MIXED = 0.2  # squares with a mixture of two chromas for one edge between squares: without any the edges of
# what was drawn lie between squares by themselves, or the whole picture is enlarged


def with_smooth_chroma(image: Floats) -> Floats:
    """A picture (H, W, 3) whose chroma is interpolated if it was repeated in squares of 2x2 pixels; else the
    same picture."""
    turned = np.ascontiguousarray(image.transpose(1, 0, 2))
    inside, between, mixed = _edges(image, STEP) + _edges(turned, STEP)
    if between < FEWEST or inside > INSIDE * between or mixed < MIXED * between:
        return image
    return _interpolated(image)


@compiled
def _edges(image: Floats, least: float) -> NDArray[np.int64]:
    """(3,): edges of chroma between the first and the second pixel of a square, and from one square to the
    next, along the rows; squares with an edge of luma inside, before and behind which chroma differs. Where a
    channel is cut off at black or white no edge is counted: there the two steps of one soft edge would count
    differently."""
    found = np.zeros(3, np.int64)
    for i in range(image.shape[0]):
        for j in range(image.shape[1] - 1):
            luma, chroma, cut_off = _step(image, i, j, j + 1)
            if chroma > least and not cut_off:
                found[j % 2] += 1
            if j % 2 == 0 and luma > least and 0 < j < image.shape[1] - 2:
                found[2] += _step(image, i, j - 1, j + 2)[1] > least
    return found


@compiled
def _step(image: Floats, i: int, j: int, k: int) -> tuple[float, float, bool]:
    """By how much luma and chroma of two pixels of a row differ, and whether one of them is cut off."""
    luma, cut_off = 0.0, False
    for c in range(3):
        weight = 0.299 if c == 0 else 0.587 if c == 1 else 0.114
        luma += weight * (image[i, k, c] - image[i, j, c])
        cut_off |= min(image[i, j, c], image[i, k, c]) <= 0 or max(image[i, j, c], image[i, k, c]) >= 1
    red, blue = image[i, k, 0] - image[i, j, 0] - luma, image[i, k, 2] - image[i, j, 2] - luma
    return abs(luma), max(abs(red), abs(blue)), cut_off


@compiled
def _interpolated(image: Floats) -> Floats:
    """The means of the chroma of 2x2 pixels, linearly between their centres; luma as it is."""
    tall, wide = image.shape[0], image.shape[1]
    down, across = (tall + 1) // 2, (wide + 1) // 2
    luma = np.empty((tall, wide), np.float32)
    chroma = np.zeros((down, across, 3), np.float32)
    count = np.zeros((down, across), np.float32)
    for i in range(tall):
        for j in range(wide):
            luma[i, j] = 0.299 * image[i, j, 0] + 0.587 * image[i, j, 1] + 0.114 * image[i, j, 2]
            count[i // 2, j // 2] += 1
            for c in range(3):
                chroma[i // 2, j // 2, c] += image[i, j, c] - luma[i, j]
    for r in range(down):
        for s in range(across):
            for c in range(3):
                chroma[r, s, c] /= count[r, s]
    found = np.empty_like(image)
    for i in range(tall):
        r, k = i // 2, min(max(i // 2 + (1 if i % 2 else -1), 0), down - 1)
        for j in range(wide):
            s, m = j // 2, min(max(j // 2 + (1 if j % 2 else -1), 0), across - 1)
            for c in range(3):
                near = 0.75 * chroma[r, s, c] + 0.25 * chroma[r, m, c]
                far = 0.75 * chroma[k, s, c] + 0.25 * chroma[k, m, c]
                found[i, j, c] = min(max(luma[i, j] + 0.75 * near + 0.25 * far, 0.0), 1.0)
    return found

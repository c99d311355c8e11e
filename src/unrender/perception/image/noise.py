"""Noise: how much pixels of one colour differ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled
from unrender.render.coverage import Floats

SAMPLED = 1 << 16  # px that are asked
LEAST = 2000  # values: fewer say little
FLAT = 0.25  # of what is cut off at black or white: if more is all alike, there is no noise in it
FEW = 12_000  # values of a picture so small that most of it may be edges
EXACT = 0.02  # of them: if more are exactly as all around them, there is no noise, in which 0.01 at most are
NEAR = 0.25  # of black or white: what is further off is another colour


def estimate_noise(image: Floats) -> float:
    """The standard deviation of the noise of a picture (H, W, 3): the median of a local second difference,
    which
    neither edges nor slow changes of colour touch as long as most of the picture is smooth."""
    tall, wide = image.shape[:2]
    stride = max(int(np.sqrt(tall * wide / SAMPLED)), 1)
    found, free, flat = _second_differences(image, stride)
    if len(found) < FEW and flat.mean() > EXACT:
        return 0.0
    if (flat & ~free).sum() > FLAT * (~free).sum():
        free |= flat
    if free.sum() >= LEAST:
        return float(np.median(found[free])) / (0.6745 * 6.0)
    return max(
        _cut_off(image[::stride, ::stride]), float(np.median(found)) / (0.6745 * 6.0) if len(found) else 0.0
    )


def _cut_off(image: Floats) -> float:
    """The noise of black or white, of which one half is cut off: a quarter of all values is off by more
    than the
    median of what was."""
    off = np.minimum(image, 1 - image).ravel()
    near = off[off < NEAR]
    return float(np.quantile(near, 0.75)) / 0.6745 if len(near) else 0.0


@compiled
def _second_differences(image: Floats, stride: int) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """At every pixel and channel; whether no value there is cut off at black or white, where noise is less;
    and whether all nine values are the same, which noise alone hardly ever makes them where they are not cut
    off, and once in 512 times where they are."""
    tall, wide = image.shape[0], image.shape[1]
    found = np.empty(((tall - 2) // stride + 1) * ((wide - 2) // stride + 1) * 3, np.float32)
    free, flat = np.empty(len(found), np.bool_), np.empty(len(found), np.bool_)
    count = 0
    for i in range(1, tall - 1, stride):
        for j in range(1, wide - 1, stride):
            for c in range(3):
                cross = image[i - 1, j, c] + image[i + 1, j, c] + image[i, j - 1, c] + image[i, j + 1, c]
                corners = (
                    image[i - 1, j - 1, c]
                    + image[i - 1, j + 1, c]
                    + image[i + 1, j - 1, c]
                    + image[i + 1, j + 1, c]
                )
                middle = image[i, j, c]
                found[count] = abs(4 * middle - 2 * cross + corners)
                inner, even = True, True
                for r in range(i - 1, i + 2):
                    for k in range(j - 1, j + 2):
                        value = image[r, k, c]
                        inner = inner and 0 < value < 1
                        even = even and value == middle
                    if not inner and not even:
                        break
                free[count], flat[count] = inner, even
                count += 1
    return found[:count], free[:count], flat[:count]

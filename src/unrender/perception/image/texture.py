"""Texture: noise that goes on from pixel to pixel, each predicted from those before it, as in lossless
coding."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

DENSE, REACH = 3, 12  # px: all neighbours up to here tell about a pixel, and some up to there
FREE = 18.0  # squared spreads from the background, over 3 channels: what is further off may be a shape
ASKED = 6000  # px from which texture is learned
COEFFICIENT_BITS = 10.0  # to tell one number of a texture
CORRELATED = 0.03  # correlation of neighbours below which no texture is looked for: that of noise is a third
EVEN = 3.0  # standard deviations of the noise that may be new in a pixel of texture
VISIBLE = 1.5 / 255  # spread that texture has at the least
APART = 4  # px: what is as far apart shows one colour inside a flat shape, and another in texture
ALIKE = 12.0  # times the variance of the noise that two pixels of one colour differ by, over 3 channels
FLAT = 0.25  # of all pixels: half of those unlike the background, which are half of all if they are texture

Texture = NDArray[np.float64]
"""(K, 3): rows and columns from a pixel to neighbours above and to its left, and how much each of them
tells."""


def estimate_texture(image: Floats, background: Floats, sigma: float) -> tuple[Texture, float]:
    """How what is added to the background goes on from pixel to pixel, and the standard deviation of what
    is new in
    every pixel. Noise of which every pixel is independent has no texture: (0, 3) and sigma."""
    none = np.zeros((0, 3))
    spread, correlation = _correlation(image, background, max(math.isqrt(image.size // 3 // 16384), 1))
    if spread < VISIBLE or correlation < CORRELATED:
        return none, sigma
    if _flat(image, background, sigma) > FLAT:
        return none, sigma
    before = _neighbours()
    normal, right, plain, count = _told(image, background, before, FREE * spread**2, DENSE, REACH, ASKED)
    if count < 10 * len(before):
        return none, sigma
    weights = np.linalg.solve(normal + 1e-6 * np.trace(normal) / len(before) * np.eye(len(before)), right)
    left = max(float(plain - 2 * weights @ right + weights @ normal @ weights), 0.0)
    tall, wide = image.shape[:2]
    saved = 0.5 * 3 * tall * wide * math.log2(max(plain, 1e-12) / max(left, 1e-12))
    # what is new in most pixels is as much as noise; edges of flat shapes are new in few, and that much more
    if saved < COEFFICIENT_BITS * len(before) or math.sqrt(left / count) > EVEN * sigma:
        return none, sigma
    return np.concatenate([before, weights[:, None]], 1), max(math.sqrt(left / count), sigma)


def _flat(image: Floats, background: Floats, sigma: float) -> float:
    """The share of the pixels that are unlike the background and like those around them: they show flat
    shapes, of which neighbours tell all as they do in texture. Noise alone is hardly ever so unlike it."""
    tall, wide = image.shape[:2]
    stride = max(math.isqrt(tall * wide // ASKED), 1)
    first = image[: tall - APART : stride, : wide - APART : stride]
    right = image[: tall - APART : stride, APART::stride]
    below = image[APART::stride, : wide - APART : stride]
    unlike = ((first - background[: tall - APART : stride, : wide - APART : stride]) ** 2).sum(2)
    alike = np.maximum(((first - right) ** 2).sum(2), ((first - below) ** 2).sum(2)) < ALIKE * sigma**2
    return float((alike & (unlike > FREE * sigma**2)).mean())


def _neighbours() -> Doubles:
    """(K, 2): rows and columns from a pixel to those before it, all that are near and some that are
    further off."""
    near = [(r, c) for r in range(-DENSE, 1) for c in range(-DENSE, DENSE + 1) if r < 0 or c < 0]
    ways = [(0, -1), (-1, -1), (-1, 0), (-1, 1)]
    return np.array(near + [(step * r, step * c) for step in (5, 8, REACH) for r, c in ways], float)


@compiled
def _correlation(image: Floats, background: Floats, stride: int) -> tuple[float, float]:
    """The robust spread around the background, and how much neighbours two pixels apart are alike there."""
    tall, wide = image.shape[0], image.shape[1]
    squares = np.empty(((tall + stride - 1) // stride) * ((wide + stride - 1) // stride))
    count = 0
    for i in range(0, tall, stride):
        for j in range(0, wide, stride):
            off = 0.0
            for c in range(3):
                off += (image[i, j, c] - background[i, j, c]) ** 2
            squares[count] = off
            count += 1
    middle = np.median(squares[:count]) / 2.366  # the median of a sum of three squares
    limit = 18 * middle
    own, across, down = 1e-12, 0.0, 0.0
    for i in range(0, tall - 2, stride):
        for j in range(0, wide - 2, stride):
            first, right, below = 0.0, 0.0, 0.0
            for c in range(3):
                first += (image[i, j, c] - background[i, j, c]) ** 2
                right += (image[i, j + 2, c] - background[i, j + 2, c]) ** 2
                below += (image[i + 2, j, c] - background[i + 2, j, c]) ** 2
            if first < limit and right < limit and below < limit:
                own += first
                for c in range(3):
                    off = image[i, j, c] - background[i, j, c]
                    across += off * (image[i, j + 2, c] - background[i, j + 2, c])
                    down += off * (image[i + 2, j, c] - background[i + 2, j, c])
    return math.sqrt(middle), max(across, down) / own


@compiled
def _told(
    image: Floats, background: Floats, before: Doubles, limit: float, dense: int, reach: int, asked: int
) -> tuple[Doubles, Doubles, float, int]:
    """The normal equations of the prediction, the sum of squares of what is predicted, and its number of
    values."""
    tall, wide = image.shape[0], image.shape[1]
    size = len(before)
    normal, right, plain, count = np.zeros((size, size)), np.zeros(size), 0.0, 0
    told = np.empty(size)
    stride = max(int(math.sqrt(tall * wide / asked)), 1)
    for i in range(reach, tall, stride):
        for j in range(reach, wide - reach, stride):
            free = True
            for r in range(i - dense, i + 1):
                for s in range(j - dense, j + dense + 1):
                    off = 0.0
                    for c in range(3):
                        off += (image[r, s, c] - background[r, s, c]) ** 2
                    free = free and off < limit
            if not free:
                continue
            for c in range(3):
                value = image[i, j, c] - background[i, j, c]
                for k in range(size):
                    r, s = i + int(before[k, 0]), j + int(before[k, 1])
                    told[k] = image[r, s, c] - background[r, s, c]
                for k in range(size):
                    right[k] += told[k] * value
                    for m in range(size):
                        normal[k, m] += told[k] * told[m]
                plain += value * value
                count += 1
    return normal, right, plain, count

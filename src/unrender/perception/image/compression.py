"""Lossy compression: how much noise it adds, and where.

JPEG and its kin quantise blocks of 8x8 pixels. What is flat stays flat; an edge rings all over its block, and
the variance of that grows with the contrast in the block. (Measured on JPEG files of quality 50 to 95: the
ratio of both, a value like the step of the quantisation, is the same from contrast 0.01 to 0.5.)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

LUMA = np.array([0.299, 0.587, 0.114], np.float32)
BLOCK = 8  # px a side
EDGE = 0.15  # range of luma from which a block holds an edge
PLATEAU = 0.3  # of that range: what lies this near to its ends is one side of the edge or the other
SIDE = 8  # px of a side from which its spread is told
FEWEST = 4  # sides of edges that must tell
BLOCKS = 2048  # that are asked, about
NEAR = 0.05  # of luma: what is this near to the darkest or lightest pixel of a block may be one side of it
UNEVEN = 0.12  # of these pixels: where fewer differ from their side, nothing was lost
NEARLY = 10 / 255  # range of a channel over 3x3 px that hold no edge
ROUGH = 0.3  # of such places beside edges: where fewer are not exactly flat, nothing was lost (measured on
# flags and icons: 0.16 at most, and 0.5 at least in JPEG files of quality 95)
MOSTLY = 0.4  # of them, beyond what mixtures at the edges of clean drawings ever make up
EVEN = 1 / 255  # noise of a picture that has none of its own
LEAST = 2e-4  # ringing below which nothing was lost: spreads of less than a step of 8 bits
FILM = 1.5e-3  # ringing of films, which gathers at edges, where a median tells nothing (measured on H.264 of
# crf 18, 23 and 28: 0.001, 0.003 and 0.007 on average)
HOLDS = 0.04  # contrast of a block that holds an edge
MANY = 64  # px that must tell
CHROMA = 5.0  # times as much variance of chroma (over 3 channels): it is quantised about twice as coarsely
FLAT = 0.35  # of the blocks that hold no edge, in most pictures
EVENED_OUT = 1.4  # times as much ringing as differs from the mean of 3x3 px (measured on JPEG files)
TOGETHER = 2.0  # neighbours ring together: of so many pixels one tells something of its own
CUT_OFF = 3 / 255  # luma this near to black or white
SHARED = 2.5  # of the ringing: the error that a block shares, as if its pixels were independent
REACH = 7  # px across an edge
CONTRAST = 0.15  # between both sides of it
SOFT = 0.48  # of the contrast between two neighbours in the middle of an edge: antialiased edges have a half
SHARP = 0.6  # and more, up to all, if they are not halved for sure
LINES = 256  # rows and columns of a picture that are asked
STEPS = 12  # edges that must tell


def estimate_ringing(image: Floats, sigma: float) -> float:
    """Variance that compression adds to luma in a block, by the block's contrast (standard deviation); 0 if
    nothing was lost. From the spread of both sides of edges."""
    stride = max(math.isqrt(image.shape[0] * image.shape[1] // (BLOCKS * BLOCK**2)), 1)
    share, uneven = _uneven(image, BLOCK, stride, EDGE, NEAR)
    if share < UNEVEN or _rough(image, BLOCK, stride, EDGE, NEARLY) < ROUGH:
        return 0.0
    told = _ringing(image, sigma, stride, False)
    if told is None:
        return 0.0
    inner = _ringing(image, sigma, stride, True)
    # mixtures are as uneven: thin lines in noise have no side that is even
    ringing = told if inner is not None and inner > LEAST else 0.0
    if ringing <= LEAST and share > MOSTLY and sigma < EVEN:
        ringing = uneven  # where most pixels are cut off at black or white, a median tells nothing
    return ringing if ringing > LEAST else 0.0


def _ringing(image: Floats, sigma: float, stride: int, inner: bool) -> float | None:
    """The median of what both sides of edges tell, beyond noise; None if too few tell. inner: only of pixels
    that have the same side all around."""
    for cut_off in (CUT_OFF, -1.0):
        spreads, contrasts = _plateaus(image, BLOCK, stride, EDGE, PLATEAU, SIDE, cut_off, inner)
        if len(spreads) >= FEWEST:
            noise = 2 * 0.447 * sigma**2  # of luma; twice, for the median of few values is uncertain
            return float(np.median((spreads - noise) / contrasts))
    return None


def ringing_beside(image: Floats, canvas: Floats, roughness: Floats) -> float:
    """The same from what is left (H, W, 3) beside the edges of a canvas. Ringing changes from pixel to pixel;
    what is left of an area that is not explained yet does not, and says nothing."""
    contrast = _contrasts(image, BLOCK)[..., 0]
    at = (roughness == 0) & (contrast > HOLDS)
    if at.sum() < MANY:
        return 0.0
    left = (image - canvas) @ LUMA
    uneven = (left - ndimage.uniform_filter(left, 3))[at] ** 2 / contrast[at]
    return EVENED_OUT * float(np.quantile(uneven, 0.8)) / 1.642  # of the square of one normal deviate


@compiled
def _uneven(image: Floats, block: int, stride: int, edge: float, near: float) -> tuple[float, float]:
    """Of the pixels of blocks with an edge that are nearly as dark or as light as the block's extremes, the
    share that is not exactly so, and their mean squared difference by the contrast (standard deviation) of
    the blocks: drawn plateaus are even, and mixtures at an edge rarely come so near."""
    tall, wide = image.shape[0] // block, image.shape[1] // block
    luma = np.empty((block, block))
    off, count, step, square, contrast, blocks = 0, 0, 0.5 / 255, 0.0, 0.0, 0
    for r in range(0, tall, stride):
        for s in range(0, wide, stride):
            low, high = 2.0, -1.0
            for i in range(block):
                for j in range(block):
                    pixel = image[r * block + i, s * block + j]
                    luma[i, j] = 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]
                    low, high = min(low, luma[i, j]), max(high, luma[i, j])
            if high - low < edge:
                continue
            contrast += luma.std()
            blocks += 1
            for i in range(block):
                for j in range(block):
                    far = min(luma[i, j] - low, high - luma[i, j])
                    if far < near:
                        count += 1
                        off += far > step
                        square += far * far
    return off / max(count, 1), square / max(count, 1) * blocks / max(contrast, 1e-9)


@compiled
def _rough(image: Floats, block: int, stride: int, edge: float, nearly: float) -> float:
    """Of the places of 3x3 px in blocks with an edge that hold none themselves, the share that is not exactly
    flat. However fine a drawing is, what lies between its edges is; beside an edge that was quantised nothing
    is."""
    tall, wide = image.shape[0] // block, image.shape[1] // block
    rough, count = 0, 0
    for r in range(0, tall, stride):
        for s in range(0, wide, stride):
            low, high = 2.0, -1.0
            for i in range(r * block, (r + 1) * block):
                for j in range(s * block, (s + 1) * block):
                    luma = _luma(image, i, j)
                    low, high = min(low, luma), max(high, luma)
            if high - low < edge:
                continue
            for i in range(r * block + 1, (r + 1) * block - 1):
                for j in range(s * block + 1, (s + 1) * block - 1):
                    widest = 0.0
                    for c in range(3):
                        least, most = image[i, j, c], image[i, j, c]
                        for k in range(i - 1, i + 2):
                            for m in range(j - 1, j + 2):
                                least, most = min(least, image[k, m, c]), max(most, image[k, m, c])
                        widest = max(widest, most - least)
                    if widest <= nearly:
                        count += 1
                        rough += widest > 0
    return rough / count if count else 1.0


def chroma_variance(off: Floats) -> float:
    """Robust variance of the chroma (over 3 channels) of residuals (H, W, 3)."""
    chroma = off[::3, ::3] - (off[::3, ::3] @ LUMA)[..., None]
    return float(np.median((chroma**2).sum(2))) * 2 / 1.386  # of two squares


def compressed_variance(image: Floats, noise: Doubles, ringing: float) -> Floats:
    """(H, W, 2): variance of luma and chroma (over 3 channels) of every pixel, given that of noise (2,)."""
    if ringing == 0:
        return np.broadcast_to(noise, (*image.shape[:2], 2)).astype(np.float32)
    # chroma may be halved even where no edge tells so
    luma, chroma = _contrasts(image, BLOCK), _contrasts(image, 2 * BLOCK)
    contrast = np.stack([luma[..., 0], chroma[..., 1]], 2)
    # what is left of noise changes slowly, and is told by blocks without edges only
    flat = np.quantile(contrast[::BLOCK, ::BLOCK], FLAT, (0, 1)) ** 2
    shared = (SHARED * ringing) ** 2 * np.array([1.0, CHROMA])
    rings = TOGETHER * ringing * contrast * np.array([1.0, CHROMA])
    variance = rings + np.maximum(np.maximum(noise, flat), shared)
    found: Floats = variance.astype(np.float32)
    return found


def has_halved_chroma(image: Floats, otherwise: bool = False) -> bool:
    """Whether chroma, but not luma, is smeared across the edges of a picture (H, W, 3).

    otherwise: what to believe where edges between colours are few or say little.
    """
    chroma = edge_steps(image, False)
    if len(chroma) < STEPS:
        return otherwise
    if np.median(chroma) >= (SHARP if otherwise else SOFT):
        return False
    luma = edge_steps(image, True)
    return bool(len(luma) < STEPS or np.median(luma) >= SOFT)


@compiled
def _luma(image: Floats, i: int, j: int) -> float:
    return float(0.299 * image[i, j, 0] + 0.587 * image[i, j, 1] + 0.114 * image[i, j, 2])


@compiled
def _plateaus(
    image: Floats,
    block: int,
    stride: int,
    edge: float,
    plateau: float,
    fewest: int,
    cut_off: float,
    inner: bool,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of both sides of the edges in every `stride`th block that holds one: the robust variance of luma, and
    the standard deviation of the block. inner: only of pixels that have the same side all around, which are
    no mixtures."""
    down, across = image.shape[0] // block, image.shape[1] // block
    spreads, contrasts, count = np.empty(2 * down * across), np.empty(2 * down * across), 0
    values, own = np.empty((block, block)), np.empty(block * block)
    for r in range(0, down, stride):
        for s in range(0, across, stride):
            for i in range(block):
                for j in range(block):
                    values[i, j] = _luma(image, r * block + i, s * block + j)
            low, high = values.min(), values.max()
            if high - low < edge:
                continue
            near = plateau * (high - low)
            for side in range(2):
                flat = values < low + near if side == 0 else values > high - near
                size = 0
                for i in range(block):
                    for j in range(block):
                        around = flat[max(i - 1, 0), j] and flat[min(i + 1, block - 1), j]
                        around = around and flat[i, max(j - 1, 0)] and flat[i, min(j + 1, block - 1)]
                        if flat[i, j] and (around or not inner):
                            own[size] = values[i, j]
                            size += 1
                if size < fewest:
                    continue
                middle = np.median(own[:size])
                # black and white cut one half of the ringing off
                if cut_off < middle < 1 - cut_off:
                    off = (own[:size] - middle) ** 2
                    spreads[count], contrasts[count] = np.median(off) / 0.455, values.std()
                    count += 1
    return spreads[:count], contrasts[:count]


@compiled
def _contrasts(image: Floats, block: int) -> Floats:
    """(H, W, 2): standard deviations of luma and of chroma (over 3 channels) in the block of every pixel."""
    tall, wide = image.shape[0], image.shape[1]
    found = np.empty((tall, wide, 2), np.float32)
    for top in range(0, tall, block):
        for left in range(0, wide, block):
            bottom, right = min(top + block, tall), min(left + block, wide)
            total, square, count = np.zeros(4), np.zeros(4), (bottom - top) * (right - left)
            for i in range(top, bottom):
                for j in range(left, right):
                    luma = _luma(image, i, j)
                    for c in range(4):
                        value = luma if c == 3 else image[i, j, c] - luma
                        total[c] += value
                        square[c] += value * value
            varied = square / count - (total / count) ** 2
            for i in range(top, bottom):
                for j in range(left, right):
                    found[i, j, 0] = math.sqrt(max(varied[3], 0.0))
                    found[i, j, 1] = math.sqrt(max(varied[0] + varied[1] + varied[2], 0.0))
    return found


def edge_steps(image: Floats, of_luma: bool) -> Floats:
    """At the edges of luma, or of chroma, in a picture (H, W, 3): the share of an edge's contrast between the
    two pixels in its middle. From about LINES rows and columns."""
    turned = np.ascontiguousarray(image.transpose(1, 0, 2))
    return np.concatenate(
        [
            _steps_across(lines, max(lines.shape[0] // LINES, 1), of_luma, REACH, CONTRAST)
            for lines in (image, turned)
        ]
    )


@compiled
def _part(image: Floats, i: int, j: int, of_luma: bool, out: Doubles) -> None:
    """Luma, or chroma, of a pixel."""
    luma = _luma(image, i, j)
    for c in range(3):
        out[c] = (luma if c == 0 else 0.0) if of_luma else image[i, j, c] - luma


@compiled
def _change(image: Floats, i: int, j: int, down: int, of_luma: bool, buffer: Doubles) -> float:
    """From a pixel to the one above or below it."""
    _part(image, i, j, of_luma, buffer[0])
    _part(image, i + down, j, of_luma, buffer[1])
    return _apart(buffer, 0, 1)


@compiled
def _steps_across(image: Floats, stride: int, of_luma: bool, reach: int, contrast: float) -> Floats:
    """Along every `stride`th row, at edges that cross it rather than follow it."""
    tall, wide = image.shape[0], image.shape[1]
    found, count = np.empty((tall // stride + 1) * wide, np.float32), 0
    values, step, beside = np.zeros((wide, 3)), np.zeros(wide), np.zeros((2, 3))
    for i in range(1, tall - 1, stride):
        for j in range(wide):
            _part(image, i, j, of_luma, values[j])
            if j:
                step[j - 1] = _apart(values, j - 1, j)
        for j in range(wide - reach):
            middle, highest = step[j + reach // 2], True
            if reach * middle < contrast:  # none of the steps is higher
                continue
            whole = _apart(values, j, j + reach)
            if whole < contrast:
                continue
            for k in range(j, j + reach):
                highest = highest and step[k] <= middle
            if highest:
                above = _change(image, i, j + reach // 2, -1, of_luma, beside)
                below = _change(image, i, j + reach // 2, 1, of_luma, beside)
                if max(above, below) <= 1.5 * middle:  # else the edge follows the row
                    found[count] = middle / whole
                    count += 1
    return found[:count].copy()


@compiled
def _apart(values: NDArray[np.float64], one: int, other: int) -> float:
    return math.sqrt(
        (values[one, 0] - values[other, 0]) ** 2
        + (values[one, 1] - values[other, 1]) ** 2
        + (values[one, 2] - values[other, 2]) ** 2
    )

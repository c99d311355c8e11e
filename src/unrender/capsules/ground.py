"""The background: what the picture shows where no object stands, carried on behind the objects."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.cholesky import cholesky
from unrender.capsules.patches import Floats, Patch
from unrender.graphics.compiled import Flags2, Floats1, Floats2, Floats3, compiled

GRAIN = 2.0  # px: finer detail of the background counts as noise
POINTS = 6_000  # free pixels that are asked
ONE_COLOUR, SMOOTH = 0.6, 0.75  # of them must agree with a ground of this kind
_BINS = 512  # between black and white
_TIGHT = np.array([4.0, 2.0, 1.5, 1.0, 1.0, 1.0, 1.0, 1.0])  # limits beyond which a pixel is not believed


def estimate_ground(picture: Floats, patches: list[Patch], noise: float) -> Floats:
    """float HxWx3 from the picture (H, W, 3) in 0..1 and the coverage of everything that stands in it.

    The simplest that most free pixels agree with: one colour, or colours that change slowly over the
    picture (a quadratic surface). Where neither holds, what is there, smoothed, and filled in behind the
    objects from coarser and coarser means (pull and push).
    """
    free = np.ones(picture.shape[:2], bool)
    for patch in patches:
        free[patch.window] &= patch.alpha < 0.01
    if free.mean() < 0.02:
        free[:] = True
    height, width = picture.shape[:2]
    block = 4 if noise > 0.01 and min(height, width) >= 64 else 1
    values, rows, columns = _points(picture, free, block)
    limit = 0.04 + 1.5 * noise
    middle = _medians(values, np.zeros(3, np.float32), np.inf)
    surface, share = _surface(np.ones((len(values), 1), np.float32), values, middle, limit)
    if share > ONE_COLOUR:
        single = values if block == 1 else _points(picture, free, 1)[0]
        shown = _medians(single, surface[0], 1.5 * limit + 3 * noise)
        return np.broadcast_to(shown.clip(0, 1), picture.shape).astype(np.float32, order="C")
    x, y = (2 * columns / width - 1).astype(np.float32), (2 * rows / height - 1).astype(np.float32)
    surface, share = _surface(_powers(x, y), values, middle, limit)
    if share > SMOOTH:
        gx = np.linspace(-1, 1, width, endpoint=False, dtype=np.float32)[None, :]
        gy = np.linspace(-1, 1, height, endpoint=False, dtype=np.float32)[:, None]
        shown = (_powers(gx, gy) @ surface).clip(0, 1)
        return np.ascontiguousarray(shown, np.float32)
    weight = torch.from_numpy(free)[None, None].float()
    colours = torch.tensor(picture).permute(2, 0, 1)[None] * weight
    sigma = GRAIN if noise > 0.01 else 0.5
    filled = _push(_blur(colours, sigma), _blur(weight, sigma))
    return np.ascontiguousarray(filled[0].permute(1, 2, 0).clamp(0, 1).numpy())


@compiled
def _points(
    picture: Floats3, free: Flags2, block: int
) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """Colours (P, 3) of at most POINTS free blocks of pixels, evenly chosen, with their rows and columns."""
    height, width = free.shape[0] // block, free.shape[1] // block
    whole, total = np.empty((height, width), np.bool_), 0
    for row in range(height):
        for column in range(width):
            whole[row, column] = True
            for i in range(row * block, (row + 1) * block):
                for j in range(column * block, (column + 1) * block):
                    whole[row, column] &= free[i, j]
            total += whole[row, column]
    none = total == 0
    if none:
        total = height * width
    count = min(POINTS, total)
    values = np.empty((count, 3), np.float32)
    rows, columns = np.empty(count, np.int64), np.empty(count, np.int64)
    passed, taken, middle = 0, 0, (block - 1) // 2
    for row in range(height):
        for column in range(width):
            if not (none or whole[row, column]):
                continue
            if passed == taken * (total - 1) // max(count - 1, 1) and taken < count:
                for c in range(3):
                    sum_ = np.float32(0)
                    for i in range(block):
                        for j in range(block):
                            sum_ += picture[row * block + i, column * block + j, c]
                    values[taken, c] = sum_ / (block * block)
                rows[taken], columns[taken] = row * block + middle, column * block + middle
                taken += 1
            passed += 1
    return values, rows, columns


def _powers(x: Floats, y: Floats) -> Floats:
    """All products of powers of x and y up to degree 2, on a new last axis."""
    x, y = np.broadcast_arrays(x, y)
    return np.stack([x**i * y**j for i in range(3) for j in range(3 - i)], -1)


@compiled
def _surface(basis: Floats2, values: Floats2, middle: Floats1, limit: float) -> tuple[Floats, float]:
    """Coefficients (K, 3) that most values (P, 3), whose medians are given, agree with, and the share that
    does."""
    size = basis.shape[1]
    coefficients = np.zeros((size, 3), np.float32)
    for c in range(3):
        coefficients[0, c] = middle[c]
    for round_ in range(len(_TIGHT)):
        normal, right = np.zeros((size, size)), np.zeros((size, 3))
        square = (limit * _TIGHT[round_]) ** 2
        for n in range(len(values)):
            belief = 1.0
            if round_ or size == 1:
                belief = square / (_off(basis[n], values[n], coefficients) + square)
            for i in range(size):
                weighted = belief * belief * basis[n, i]
                for j in range(i + 1):
                    normal[i, j] += weighted * basis[n, j]
                for c in range(3):
                    right[i, c] += weighted * values[n, c]
        for i in range(size):
            normal[i, i] += 1e-6
        cholesky(normal, right)
        moved = np.float32(0)
        for i in range(size):
            for c in range(3):
                before, coefficients[i, c] = coefficients[i, c], right[i, c]
                moved = max(moved, abs(coefficients[i, c] - before))
        if round_ >= 3 and moved < 1e-4:
            break
    agreeing = 0
    for n in range(len(values)):
        agreeing += _off(basis[n], values[n], coefficients) < (1.5 * limit) ** 2
    return coefficients, agreeing / len(values)


@compiled
def _medians(values: Floats2, mean: Floats1, limit: float) -> Floats:
    """The median of each channel of those values (P, 3) that are no further than `limit` from the mean (3,),
    which it is if there are none. Noise that is cut off at black or white moves a mean, not a median."""
    near = np.empty((3, len(values)), np.float32)
    count = 0
    for n in range(len(values)):
        off = 0.0
        for c in range(3):
            off += (values[n, c] - mean[c]) ** 2
            near[c, count] = values[n, c]
        count += off < limit * limit
    medians = mean.copy()
    for c in range(3 if count else 0):
        below, above = _ranked(near[c], count, (count - 1) // 2), _ranked(near[c], count, count // 2)
        medians[c] = (below + above) / np.float32(2)
    return medians


@compiled
def _ranked(values: Floats, count: int, rank: int) -> np.float32:
    """Which of the first `count` values in 0..1 has this many before it. Those that are about alike are
    counted first, for to sort all of them would take longer than all else."""
    counts = np.zeros(_BINS + 1, np.int64)
    for n in range(count):
        counts[_bin(values[n])] += 1
    own = 0
    while counts[own] <= rank:
        rank -= counts[own]
        own += 1
    alike, found = np.empty(counts[own], np.float32), 0
    for n in range(count):
        if _bin(values[n]) == own:
            alike[found] = values[n]
            found += 1
    low, high = 0, found - 1
    while low < high:
        pivot, i, j = alike[(low + high) // 2], low, high
        while i <= j:
            while alike[i] < pivot:
                i += 1
            while alike[j] > pivot:
                j -= 1
            if i <= j:
                alike[i], alike[j] = alike[j], alike[i]
                i, j = i + 1, j - 1
        if rank <= j:
            high = j
        elif rank >= i:
            low = i
        else:
            break
    wanted: np.float32 = alike[rank]
    return wanted


@compiled
def _bin(value: np.float32) -> int:
    return min(max(int(value * _BINS), 0), _BINS)


@compiled
def _off(basis: Floats, value: Floats, coefficients: Floats) -> float:
    """The squared distance of one value (3,) from the surface."""
    total = 0.0
    for c in range(3):
        off = value[c]
        for i in range(len(basis)):
            off -= basis[i] * coefficients[i, c]
        total += off * off
    return total


def _blur(values: Tensor, sigma: float) -> Tensor:
    reach = round(2 * sigma + 0.5)
    offsets = torch.arange(-reach, reach + 1)
    kernel = torch.exp(-0.5 * (offsets / sigma) ** 2)
    kernel = (kernel / kernel.sum()).repeat(values.shape[1], 1, 1, 1)
    values = F.conv2d(values, kernel, padding=(0, reach), groups=values.shape[1])
    return F.conv2d(values, kernel.transpose(2, 3), padding=(reach, 0), groups=values.shape[1])


def _push(colours: Tensor, weight: Tensor) -> Tensor:
    """Weighted colours (1, 3, H, W) over weights (1, 1, H, W); where there is no weight, the coarser mean."""
    mean = colours / weight.clamp_min(1e-6)
    if min(weight.shape[-2:]) < 2 or bool((weight > 0.5).all()):
        return mean
    pooled = [F.avg_pool2d(t, 2, ceil_mode=True, count_include_pad=False) for t in (colours, weight)]
    coarse = _push(*pooled)
    wide = F.interpolate(coarse, weight.shape[-2:], mode="bilinear", align_corners=False)
    trust = (2 * weight).clamp_max(1)
    return trust * mean + (1 - trust) * wide

"""The background: what the picture shows where no object stands, carried on behind the objects."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.patches import Floats, Patch

GRAIN = 2.0  # px: finer detail of the background counts as noise
POINTS = 6_000  # free pixels that are asked


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
    values, rows, columns = _points(picture, free, 4 if noise > 0.01 and min(height, width) >= 64 else 1)
    x, y = (2 * columns / width - 1).astype(np.float32), (2 * rows / height - 1).astype(np.float32)
    limit = 0.04 + 1.5 * noise
    for degree in (0, 2):
        surface, share = _surface(_powers(x, y, degree), values, limit)
        if share > (0.6, 0.75)[degree // 2]:
            if degree == 0:  # noise that is cut off at black or white moves the mean, not the median
                raw = _points(picture, free, 1)[0]
                near = np.linalg.norm(raw - surface, axis=1) < 1.5 * limit + 3 * noise
                surface = np.median(raw[near], axis=0, keepdims=True) if near.any() else surface
            gx = np.linspace(-1, 1, width, endpoint=False, dtype=np.float32)[None, :]
            gy = np.linspace(-1, 1, height, endpoint=False, dtype=np.float32)[:, None]
            shown = _powers(gx, gy, degree) @ surface
            return np.broadcast_to(shown.clip(0, 1), picture.shape).astype(np.float32)
    weight = torch.from_numpy(free)[None, None].float()
    colours = torch.tensor(picture).permute(2, 0, 1)[None] * weight
    sigma = GRAIN if noise > 0.01 else 0.5
    filled = _push(_blur(colours, sigma), _blur(weight, sigma))
    return np.ascontiguousarray(filled[0].permute(1, 2, 0).clamp(0, 1).numpy())


def _points(
    picture: Floats, free: NDArray[np.bool_], block: int
) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
    """Colours (P, 3) of at most POINTS free blocks of pixels, evenly chosen, with their rows and columns."""
    weight = torch.from_numpy(free)[None, None].float()
    colours = torch.tensor(picture).permute(2, 0, 1)[None]
    if block > 1:
        colours = F.avg_pool2d(colours, block)
        weight = F.avg_pool2d(weight, block)
        weight = weight if bool((weight > 0.99).any()) else torch.ones_like(weight)
    rows, columns = np.nonzero(weight[0, 0].numpy() > 0.99)
    few = np.linspace(0, len(rows) - 1, min(POINTS, len(rows))).astype(int)
    rows, columns = rows[few], columns[few]
    values: Floats = colours[0].permute(1, 2, 0).numpy()[rows, columns]
    middle = (block - 1) // 2
    return values, rows * block + middle, columns * block + middle


def _powers(x: Floats, y: Floats, degree: int) -> Floats:
    """All products of powers of x and y up to `degree`, on a new last axis."""
    x, y = np.broadcast_arrays(x, y)
    return np.stack([x**i * y**j for i in range(degree + 1) for j in range(degree + 1 - i)], -1)


def _surface(basis: Floats, values: Floats, limit: float) -> tuple[Floats, float]:
    """Coefficients (K, 3) that most values (P, 3) agree with, and the share that does."""
    middle = np.median(values, axis=0)
    weight = np.ones(len(values), np.float32)
    coefficients = np.zeros((basis.shape[1], 3), np.float32)
    coefficients[0] = middle
    for round_ in range(8):
        if round_ or basis.shape[1] == 1:
            off = np.linalg.norm(values - basis @ coefficients, axis=1)
            tight = limit * (4.0, 2.0, 1.5, 1.0, 1.0, 1.0, 1.0, 1.0)[round_]
            weight = (tight**2 / (off**2 + tight**2)) ** 2
        weighted = basis * weight[:, None]
        normal = weighted.T @ basis + 1e-6 * np.eye(basis.shape[1], dtype=np.float32)
        before, coefficients = coefficients, np.linalg.solve(normal, weighted.T @ values).astype(np.float32)
        if round_ >= 3 and np.abs(coefficients - before).max() < 1e-4:
            break
    off = np.linalg.norm(values - basis @ coefficients, axis=1)
    return coefficients, float((off < 1.5 * limit).mean())


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

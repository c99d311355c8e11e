"""The background: what the picture shows where no object stands, carried on behind the objects."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from unrender.capsules.patches import Floats, Patch

GRAIN = 2.0  # px: finer detail of the background counts as noise


def estimate_ground(picture: Floats, patches: list[Patch], noise: float) -> Floats:
    """float HxWx3 from the picture (H, W, 3) in 0..1 and the coverage of everything that stands in it.

    One colour if the free pixels differ by no more than noise; else smoothed, and filled in behind the
    objects from coarser and coarser means (pull and push).
    """
    free = np.ones(picture.shape[:2], bool)
    for patch in patches:
        free[patch.window] &= patch.alpha < 0.01
    if not free.any():
        free[:] = True
    values = picture[free]
    colour = np.median(values, axis=0)
    off = np.abs(values - colour).max(axis=1)
    if np.quantile(off, 0.98) < 0.02 + 4 * noise:
        middle = values[off < 0.02 + 4 * noise].mean(axis=0)
        return np.broadcast_to(middle, picture.shape).astype(np.float32)
    weight = torch.from_numpy(free)[None, None].float()
    colours = torch.tensor(picture).permute(2, 0, 1)[None] * weight
    sigma = GRAIN if noise > 0.01 else 0.5
    filled = _push(_blur(colours, sigma), _blur(weight, sigma))
    return np.ascontiguousarray(filled[0].permute(1, 2, 0).clamp(0, 1).numpy())


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

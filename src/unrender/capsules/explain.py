"""Taking out what is explained, so that the rest can be looked at again."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.candidates import Sightings
from unrender.capsules.geometry import CX, CY
from unrender.capsules.order import Floats, Patch

ENOUGH = 6  # unexplained edge pixels that are worth another look


def without(picture: Floats, seen: Sightings, patches: list[Patch], order: list[int], noise: float) -> Floats:
    """The picture (H, W, 3) with the ground in place of every pixel that a sighting explains."""
    rest = picture.copy()
    pose, paint = seen.shapes.pose.numpy(), seen.paint.numpy()
    plane, reach = seen.plane.numpy(), seen.shapes.reach.numpy()
    for i in reversed(order):
        patch = patches[i]
        rows, columns = patch.window
        y = np.arange(rows.start, rows.stop, dtype=np.float32)[:, None, None] + 0.5
        x = np.arange(columns.start, columns.stop, dtype=np.float32)[None, :, None] + 0.5
        ground = plane[i, 0] + plane[i, 1] * ((x - pose[i, CX]) / reach[i])
        ground = (ground + plane[i, 2] * ((y - pose[i, CY]) / reach[i])).clip(0, 1)
        seen_here = picture[rows, columns]
        contrast = float(np.linalg.norm(paint[i] - plane[i, 0]))
        off = np.linalg.norm(seen_here - paint[i], axis=2)
        edge = (patch.alpha > 0.02) & (patch.alpha < 0.98)
        explained = edge | ((patch.alpha >= 0.98) & (off < 0.3 * contrast + 4 * noise))
        rest[rows, columns] = np.where(explained[..., None], ground, rest[rows, columns])
    return rest


def unexplained(picture: Tensor, claimed: NDArray[np.bool_], noise: float) -> int:
    """How many pixels of the picture (3, H, W) lie on a clear edge that no sighting claims."""
    flat = picture[None]
    dx = F.pad(flat, (1, 1, 0, 0), mode="replicate")
    dy = F.pad(flat, (0, 0, 1, 1), mode="replicate")
    slope = (dx[..., 2:] - dx[..., :-2]).square() + (dy[..., 2:, :] - dy[..., :-2, :]).square()
    clear = slope.sum(1)[0].sqrt() > 0.1 + 8 * noise
    near = F.max_pool2d(torch.from_numpy(claimed)[None, None].float(), 5, 1, 2)[0, 0] > 0
    return int((clear & ~near).sum())

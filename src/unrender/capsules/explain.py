"""Taking out what is explained, so that the rest can be looked at again."""

from __future__ import annotations

import numpy as np
import torch

from unrender.capsules.geometry import CX, CY
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.story import Story


def explained(story: Story) -> tuple[Pyramid, Pyramid]:
    """The picture with the ground in place of every pixel that a sighting explains, and how far each pixel is
    explained."""
    picture, seen = story.canvas.picture, story.seen
    rest = picture.copy()
    taken = np.zeros(picture.shape[:2], np.float32)
    pose, paint = seen.shapes.pose.numpy(), seen.paint.numpy()
    plane, reach = seen.plane.numpy(), seen.shapes.reach.numpy()
    for i in reversed(story.order):
        patch = story.drawn[i]
        rows, columns = patch.window
        y = np.arange(rows.start, rows.stop, dtype=np.float32)[:, None, None] + 0.5
        x = np.arange(columns.start, columns.stop, dtype=np.float32)[None, :, None] + 0.5
        ground = plane[i, 0] + plane[i, 1] * ((x - pose[i, CX]) / reach[i])
        ground = (ground + plane[i, 2] * ((y - pose[i, CY]) / reach[i])).clip(0, 1)
        seen_here = picture[rows, columns]
        contrast = float(np.linalg.norm(paint[i] - plane[i, 0]))
        off = np.linalg.norm(seen_here - paint[i], axis=2)
        edge = (patch.alpha > 0.02) & (patch.alpha < 0.98)
        explained = edge | ((patch.alpha >= 0.98) & (off < 0.3 * contrast + 4 * story.canvas.noise))
        rest[rows, columns] = np.where(explained[..., None], ground, rest[rows, columns])
        taken[rows, columns] = np.maximum(taken[rows, columns], explained * patch.alpha)
    return (
        Pyramid.of(torch.from_numpy(rest).permute(2, 0, 1).contiguous()),
        Pyramid.of(torch.from_numpy(taken)[None]),
    )

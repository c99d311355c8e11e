"""Sharpening: shapes in a picture without antialiasing, put where every pixel is on its right side.

Where edges are not smoothed a pixel shows what lies at its centre, no mixture. Refining on mixtures then
leaves an edge a fraction of a pixel off, which is many pixels of a small shape.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.canvas import Canvas
from unrender.capsules.geometry import distances
from unrender.capsules.patches import Windows
from unrender.capsules.sides import Sides
from unrender.capsules.story import Story

BAND = 2.5  # px: pixels further from an outline say nothing about it
STEPS = 12


def sharpened(story: Story) -> Story:
    """The story with every filled shape on the pixels that show it; no edge in the picture is smooth."""
    pose = story.seen.shapes.pose.clone()
    windows = Windows(story.drawn)
    for i in story.order:
        near = [j for j in windows.near(story.drawn[i].window).tolist() if j != i]
        if bool(story.seen.shapes.filled[i]) and not _twin(story, i, near):
            pose[i] = _put(story, i, near)
    return Story.of(replace(story.seen, shapes=story.seen.shapes.with_pose(pose)), story.canvas)


def _twin(story: Story, i: int, near: list[int]) -> bool:
    """Whether a shape beside it has the same colour, so that a pixel may be of either."""
    paint = story.seen.paint
    return any(float((paint[i] - paint[j]).norm()) < story.canvas.alike for j in near)


def _put(story: Story, i: int, near: list[int]) -> Tensor:
    """The pose of a shape that leaves the fewest pixels on the wrong side."""
    sides = _sides(story, i, near)
    best = shape = story.seen.shapes[torch.tensor([i])]
    least = int(sides.wrong(shape))
    for _ in range(STEPS):
        shape = sides.pulled(shape, 1)
        wrong = int(sides.wrong(shape))
        if wrong < least:
            best, least = shape, wrong
        if not least:
            break
    return best.pose[0]


def _sides(story: Story, i: int, near: list[int]) -> Sides:
    """Pixels around an outline that show the shape, or neither the shape nor anything that may hide it."""
    patch, canvas, paint = story.drawn[i], story.canvas, story.seen.paint.numpy()
    colours = canvas.picture[patch.window]
    mine = _alike(colours, paint[i], canvas)
    front = [j for j in near if story.order.index(j) > story.order.index(i)]
    hidden = np.zeros_like(mine)
    for j in front:
        hidden |= _alike(colours, paint[j], canvas)
    row, column = np.nonzero(mine | ~hidden)
    rows, columns = patch.window
    x = torch.from_numpy(column + columns.start + 0.5).float()
    y = torch.from_numpy(row + rows.start + 0.5).float()
    side = torch.from_numpy(np.where(mine[row, column], 1.0, -1.0)).float()
    band = distances(story.seen.shapes[torch.tensor([i])], x[None], y[None])[0].abs() < BAND
    return Sides(x[band], y[band], side[band])


def _alike(colours: NDArray[np.float32], paint: NDArray[np.float32], canvas: Canvas) -> NDArray[np.bool_]:
    near: NDArray[np.bool_] = np.linalg.norm(colours - paint, axis=2) < canvas.alike
    return near

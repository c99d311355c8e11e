"""Sharpening: shapes in a picture without antialiasing, put where every pixel is on its right side.

Where edges are not smoothed a pixel shows what lies at its centre, no mixture. Refining on mixtures then
leaves an edge a fraction of a pixel off, which is many pixels of a small shape. Here only pixels on the wrong
side of an outline move it, until there are none.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.canvas import Canvas
from unrender.capsules.geometry import CX, CY, distances, distances_and_slopes
from unrender.capsules.patches import Windows
from unrender.capsules.story import Story

BAND = 2.5  # px: pixels further from an outline say nothing about it
MARGIN = 0.05  # px by which a pixel should be on its side
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
    x, y, side = _sides(story, i, near)
    shape = story.seen.shapes[torch.tensor([i])]
    best, least = shape.pose[0], float("inf")
    for _ in range(STEPS):
        signed, slopes = distances_and_slopes(shape, x[None], y[None])
        off = side * signed[0]  # above 0: on the wrong side
        wrong = float((off > 0).sum())
        if wrong < least:
            best, least = shape.pose[0], wrong
        pull = (off + MARGIN).clamp_min(0)
        if not bool(pull.any()):
            break
        active = slopes[0] * (side * (pull > 0))
        hessian = active @ active.T
        scale = hessian.diagonal().max()
        system = hessian + torch.eye(len(hessian)) * (0.02 * scale + 1e-6)
        move = torch.linalg.solve(system, -(active @ pull))
        limit = torch.full_like(move, 0.03)
        limit[[CX, CY]] = 0.3
        shape = shape.with_pose((shape.pose[0] + torch.clamp(move, -limit, limit))[None])
    return best


def _sides(story: Story, i: int, near: list[int]) -> tuple[Tensor, Tensor, Tensor]:
    """Pixels around an outline whose side is known, x and y (M,): 1 if they show the shape, -1 if what they
    show is neither the shape nor anything that may hide it."""
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
    return x[band], y[band], side[band]


def _alike(colours: NDArray[np.float32], paint: NDArray[np.float32], canvas: Canvas) -> NDArray[np.bool_]:
    near: NDArray[np.bool_] = np.linalg.norm(colours - paint, axis=2) < canvas.alike
    return near

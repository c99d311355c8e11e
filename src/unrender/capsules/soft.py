"""Soft pictures: most JPEG files keep colour at half the resolution, which smears it across every edge.

What two neighbours of such a picture show is a mixture of both. At half the size it is as sharp as any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.agreement import estimate_noise
from unrender.capsules.canvas import LEAST, Canvas
from unrender.capsules.deadline import Deadline
from unrender.capsules.ground import estimate_ground
from unrender.capsules.patches import patches
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.capsules.sight import see_primitives
from unrender.capsules.story import Story
from unrender.graphics.compiled import Floats3, compiled
from unrender.graphics.registry import Primitive

Floats = NDArray[np.float32]

REACH = 7  # px across an edge
CONTRAST = 0.15  # of colour without brightness, between both sides of an edge
STEP = 0.48  # of it between two neighbours in the middle of an edge: with less the edge is soft
FEWEST = 24  # edges that must be soft or not
LINES = 256  # of the picture are enough to tell
SMALLEST = 64  # px: of a smaller picture half is too little


def soft(picture: Floats) -> bool:
    """Whether the colours of a picture (H, W, 3), not its brightness, are smeared across its edges."""
    height, width = picture.shape[:2]
    if min(height, width) < SMALLEST:
        return False
    rows = picture[:: max(height // LINES, 1)]
    columns = picture[:, :: max(width // LINES, 1)].transpose(1, 0, 2)
    steps = np.concatenate([_steps(np.ascontiguousarray(lines)) for lines in (rows, columns)])
    return len(steps) >= FEWEST and float(np.median(steps)) < STEP


@compiled
def _steps(picture: Floats3) -> Floats:
    """At every edge across a row, what share of its contrast lies between the two pixels in its middle."""
    height, width = picture.shape[0], picture.shape[1]
    found, count = np.empty(height * width, np.float32), 0
    blue, red = np.empty(width, np.float32), np.empty(width, np.float32)
    step = np.empty(width, np.float32)
    for row in range(height):
        for x in range(width):
            r, g, b = picture[row, x, 0], picture[row, x, 1], picture[row, x, 2]
            bright = np.float32(0.299) * r + np.float32(0.587) * g + np.float32(0.114) * b
            blue[x], red[x] = np.float32(0.564) * (b - bright), np.float32(0.713) * (r - bright)
            if x:
                step[x - 1] = np.sqrt((blue[x] - blue[x - 1]) ** 2 + (red[x] - red[x - 1]) ** 2)
        for x in range(width - REACH):
            total = np.sqrt((blue[x + REACH] - blue[x]) ** 2 + (red[x + REACH] - red[x]) ** 2)
            if total <= CONTRAST:
                continue
            middle, highest = step[x + REACH // 2], True
            for k in range(REACH):
                highest = highest and step[x + k] <= middle
            if highest:
                found[count] = middle / total
                count += 1
    return found[:count].copy()


def see_soft(
    picture: Tensor,
    capsules: Sequence[PrimitiveCapsule],
    silhouettes: Sequence[Primitive] = (),
    *,
    deadline: Deadline | None = None,
) -> Story:
    """All primitives in a soft picture (3, H, W): what is seen of it at half the size, or as it is, if that
    explains more of it."""
    deadline = deadline or Deadline()
    half = see_primitives(_halved(picture), capsules, silhouettes, deadline=deadline)
    story = _enlarged(half, picture)
    if half.done or deadline.passed():
        return story
    whole = see_primitives(picture, capsules, silhouettes, deadline=deadline)
    return min(story, whole, key=lambda story: story.canvas.left + LEAST * len(story.order))


def _halved(picture: Tensor) -> Tensor:
    """(3, H, W) at half the resolution."""
    height, width = picture.shape[1:]
    return F.avg_pool2d(F.pad(picture[None], (0, width % 2, 0, height % 2), mode="replicate"), 2)[0]


def _enlarged(half: Story, picture: Tensor) -> Story:
    """A story of the halved picture, told of the picture itself."""
    height, width = picture.shape[1:]
    shapes = half.cast.shapes.scaled(torch.full((len(half.order),), 2.0))
    flat, noise = picture.permute(1, 2, 0).contiguous().numpy(), estimate_noise(picture)
    ground = estimate_ground(flat, patches(shapes, height, width), noise)
    return Story.of(replace(half.cast, shapes=shapes), Canvas(flat, ground, noise))

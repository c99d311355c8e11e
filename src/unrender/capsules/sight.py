"""Seeing primitives: look, refine, choose, take out what is explained, look again, polish together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.agreement import estimate_noise
from unrender.capsules.arrange import Arrangement, arrange, explained, polish
from unrender.capsules.candidates import Sightings, look, settle
from unrender.capsules.canvas import CERTAIN, Canvas, choose, slivers
from unrender.capsules.geometry import CX, CY, Shapes
from unrender.capsules.ground import estimate_ground
from unrender.capsules.hidden import uncover
from unrender.capsules.patches import Floats, patches
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.capsules.pyramid import Pyramid

THRESHOLD = 0.6  # an observation with a lower p is not made
LOOKS = 3  # at the most; each sees only what the ones before left unexplained


@torch.no_grad()
def see_primitives(
    picture: Tensor, capsules: Sequence[PrimitiveCapsule], threshold: float = THRESHOLD
) -> Arrangement:
    """All primitives in a picture (3, H, W), back to front."""
    noise = estimate_noise(picture)
    pyramid = Pyramid.of(picture)
    flat = picture.permute(1, 2, 0).contiguous().numpy()
    rest, taken = pyramid, None
    found: Sightings | None = None
    canvas: Canvas | None = None
    for _ in range(LOOKS):
        shapes, level = look(rest, capsules, thorough=found is not None)
        if canvas is not None:
            worth = _touching(shapes.scaled(torch.exp2(level.float())), canvas.unexplained())
            shapes, level = shapes[worth], level[worth]
        pool = settle(pyramid, shapes, level, noise, taken)
        pool = pool if found is None else Sightings.join([found, pool])
        ground = _ground(flat, pool, noise)
        canvas = Canvas(flat, ground, noise)
        settled = 0 if found is None else len(found)
        chosen = choose(pool, canvas, settled=settled).index
        if not canvas.done:
            chosen, canvas, pool = uncover(pyramid, pool, Canvas(flat, ground, noise), settled)
        news = found is None or bool((chosen >= len(found)).any())
        found = polish(pyramid, arrange(pool[chosen], flat, noise))
        if not news or canvas.done:
            break
        rest, taken = explained(flat, found, noise)
    assert found is not None
    good = found.p > torch.where(slivers(found.shapes), max(threshold, CERTAIN), threshold)
    if bool(good.all()) and taken is None:  # the first look explained everything
        return arrange(found, flat, noise)
    found = found[good.nonzero()[:, 0]]
    final = choose(found, Canvas(flat, _ground(flat, found, noise), noise), settled=len(found)).index
    return arrange(found[final], flat, noise)


def _touching(shapes: Shapes, where: NDArray[np.bool_]) -> Tensor:
    """Indices of the shapes in whose box any of the given pixels (H, W) lies."""
    height, width = where.shape
    total = torch.from_numpy(np.pad(where, ((1, 0), (1, 0))).cumsum(0).cumsum(1))
    x, y, reach = shapes.pose[:, CX], shapes.pose[:, CY], shapes.reach
    left, right = (x - reach).long().clamp(0, width), (x + reach).long().clamp(0, width)
    top, bottom = (y - reach).long().clamp(0, height), (y + reach).long().clamp(0, height)
    inside = total[bottom, right] - total[top, right] - total[bottom, left] + total[top, left]
    return (inside > 0).nonzero()[:, 0]


def _ground(picture: Floats, pool: Sightings, noise: float) -> Floats:
    """The background as far as the likelier sightings leave it free."""
    height, width = picture.shape[:2]
    likely = (pool.p > 0.6).nonzero()[:, 0]
    return estimate_ground(picture, patches(pool.shapes[likely], height, width), noise)

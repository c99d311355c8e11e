"""Seeing primitives: look, refine, choose, take out what is explained, look again, polish together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.agreement import estimate_noise
from unrender.capsules.candidates import Sightings, look, settle
from unrender.capsules.canvas import CERTAIN, POINTS, Canvas, choose, slivers
from unrender.capsules.explain import explained
from unrender.capsules.geometry import CX, CY, Shapes
from unrender.capsules.ground import estimate_ground
from unrender.capsules.patches import Floats, Patch, patches
from unrender.capsules.pieces import pieces
from unrender.capsules.polish import polish
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.revise import revise
from unrender.capsules.sharpen import sharpened
from unrender.capsules.story import Story
from unrender.graphics.registry import Primitive

THRESHOLD = 0.6  # an observation with a lower p is not made
LOOKS = 3  # at the most; each sees only what the ones before left unexplained


@torch.no_grad()
def see_primitives(
    picture: Tensor,
    capsules: Sequence[PrimitiveCapsule],
    silhouettes: Sequence[Primitive] = (),
    threshold: float = THRESHOLD,
) -> Story:
    """All primitives in a picture (3, H, W), and all silhouettes, which have no γ of their own."""
    noise = estimate_noise(picture)
    pyramid = Pyramid.of(picture)
    flat = picture.permute(1, 2, 0).contiguous().numpy()
    height, width = flat.shape[:2]
    rest, taken = pyramid, None
    story: Story | None = None
    for _ in range(LOOKS):
        where = None if story is None else story.canvas.unexplained()
        shapes, level = look(rest, capsules, silhouettes, where)
        if where is not None:
            worth = _touching(shapes.scaled(torch.exp2(level.float())), where)
            shapes, level = shapes[worth], level[worth]
        pool = settle(pyramid, shapes, level, noise, taken)
        known = 0 if story is None else len(story.seen)
        pool = pool if story is None else Sightings.join([story.seen, pool])
        coarse = patches(pool.shapes, height, width, POINTS)
        bare = Canvas(flat, _ground(flat, pool, coarse, noise), noise)
        choice = choose(pool, coarse, bare.bare(), settled=known)
        first = Story.of(pool[choice.index], bare, [shape.patch for shape in choice.painted])
        polished = polish(pyramid, first)
        polished = polished[(polished.p > threshold).nonzero()[:, 0]]
        story = revise(pyramid, Story.of(polished, bare))
        news = bool((choice.index >= known).any())
        if not news or story.canvas.done:
            break
        rest, taken = explained(story)
    assert story is not None
    return _with_pieces(sharpened(_final(story, flat, noise, threshold, again=taken is not None)))


def _final(story: Story, flat: Floats, noise: float, threshold: float, again: bool) -> Story:
    """What is certain enough to be told. again: whether there was more than one look."""
    good = story.seen.p > torch.where(slivers(story.seen.shapes), max(threshold, CERTAIN), threshold)
    if bool(good.all()) and not again:  # the first look explained everything
        return story
    found = story.seen[good.nonzero()[:, 0]]
    coarse = patches(found.shapes, flat.shape[0], flat.shape[1], POINTS)
    bare = Canvas(flat, _ground(flat, found, coarse, noise), noise)
    return Story.of(found[choose(found, coarse, bare.bare(), settled=len(found)).index], bare)


def _with_pieces(story: Story) -> Story:
    """The story with several shapes in place of each that is not known."""
    more = pieces(story.canvas, story.seen.shapes)
    return story if more is None else Story.of(Sightings.join([story.seen, more]), story.canvas)


def _touching(shapes: Shapes, where: NDArray[np.bool_]) -> Tensor:
    """Indices of the shapes in whose box any of the given pixels (H, W) lies."""
    height, width = where.shape
    total = torch.from_numpy(np.pad(where, ((1, 0), (1, 0))).cumsum(0).cumsum(1))
    x, y, reach = shapes.pose[:, CX], shapes.pose[:, CY], shapes.reach
    left, right = (x - reach).long().clamp(0, width), (x + reach).long().clamp(0, width)
    top, bottom = (y - reach).long().clamp(0, height), (y + reach).long().clamp(0, height)
    inside = total[bottom, right] - total[top, right] - total[bottom, left] + total[top, left]
    return (inside > 0).nonzero()[:, 0]


def _ground(picture: Floats, pool: Sightings, coarse: list[Patch], noise: float) -> Floats:
    """The background as far as the likelier sightings leave it free."""
    likely = (pool.p > 0.6).nonzero()[:, 0].tolist()
    large = torch.tensor([i for i in likely if coarse[i].step > 1], dtype=torch.long)
    drawn = [coarse[i] for i in likely if coarse[i].step == 1]
    return estimate_ground(picture, drawn + patches(pool.shapes[large], *picture.shape[:2]), noise)

"""Seeing primitives: look, refine, choose, take out what is explained, look again, polish together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import ndimage
from torch import Tensor

from unrender.capsules.agreement import estimate_noise
from unrender.capsules.candidates import Sightings, look, settle
from unrender.capsules.canvas import CERTAIN, LEAST, POINTS, Canvas, choose, slivers
from unrender.capsules.deadline import Deadline
from unrender.capsules.explain import explained
from unrender.capsules.geometry import CX, CY, Shapes
from unrender.capsules.ground import estimate_ground
from unrender.capsules.hard import hard_edges
from unrender.capsules.patches import Floats, Patch, patches
from unrender.capsules.peel import peeled
from unrender.capsules.pieces import pieces
from unrender.capsules.polish import polish
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.revise import revise
from unrender.capsules.sharpen import sharpened
from unrender.capsules.story import Story
from unrender.capsules.views import NEAR
from unrender.graphics.registry import Primitive

THRESHOLD = 0.6  # an observation with a lower p is not made
LOOKS = 3  # at the most; each sees only what the ones before left unexplained
SLIGHT = 0.03  # colour distance, averaged over 3 x 3 pixels, that is worth a closer look
FILLED = 12  # px a side: a smaller level shows only what nearly fills the picture


@torch.no_grad()
def see_primitives(
    picture: Tensor,
    capsules: Sequence[PrimitiveCapsule],
    silhouettes: Sequence[Primitive] = (),
    threshold: float = THRESHOLD,
    *,
    deadline: Deadline | None = None,
) -> Story:
    """All primitives in a picture (3, H, W), and all silhouettes, which have no γ of their own.

    Once the deadline has passed nothing new is begun, and what has been seen is told.
    """
    deadline = deadline or Deadline()
    noise = estimate_noise(picture)
    pyramid = Pyramid.of(picture)
    flat = picture.permute(1, 2, 0).contiguous().numpy()
    told, news = _first_look(pyramid, flat, capsules, silhouettes, noise, threshold, deadline)
    if deadline.passed():
        return told
    story, looks = _final(revise(pyramid, told), flat, noise, threshold, again=False), 1
    while news and not story.done and looks < LOOKS and not deadline.passed():
        looks += 1
        where = story.unexplained()
        rest, taken = explained(story)
        shapes, level = look(rest, capsules, silhouettes, where, thorough=True)
        worth = _touching(shapes.scaled(torch.exp2(level.float())), where)
        pool = settle(pyramid, shapes[worth], level[worth], noise, taken)
        candidates = Candidates.of(Sightings.join([story.seen, pool]), flat, noise)
        told, news = _tell(pyramid, candidates, threshold, known=len(story.seen))
        if deadline.passed():
            return told
        story = _final(revise(pyramid, told), flat, noise, threshold, again=True)
    if hard_edges(flat) and not deadline.passed():
        story = peeled(sharpened(story))
    return story if deadline.passed() else _with_pieces(story)


def _first_look(
    pyramid: Pyramid,
    flat: Floats,
    capsules: Sequence[PrimitiveCapsule],
    silhouettes: Sequence[Primitive],
    noise: float,
    threshold: float,
    deadline: Deadline,
) -> tuple[Story, bool]:
    """What is plain to see, and whether there is anything.

    The coarse levels show most of it, for a third of the work: at the picture itself, and at the coarsest, γ
    looks only where they do not explain it.
    """
    count = len(pyramid.levels)
    first = [k for k in range(1, count) if min(pyramid.levels[k].shape[1:]) >= FILLED] or [0]
    other = [k for k in range(count) if k not in first]
    pool = settle(pyramid, *look(pyramid, capsules, silhouettes, levels=first), noise)
    candidates = Candidates.of(pool, flat, noise)
    where, looked = candidates.uncovered(), np.full(flat.shape[:2], not other)
    while True:
        where &= ~looked
        if where.sum() > LEAST and not deadline.passed():
            more = settle(pyramid, *look(pyramid, capsules, silhouettes, where, other), noise)
            candidates = Candidates.of(Sightings.join([candidates.pool, more]), flat, noise)
            looked |= ndimage.maximum_filter(where, 2 * NEAR + 1)
        story, news = _tell(pyramid, candidates, threshold)
        where = story.unexplained(SLIGHT + 1.5 * noise)
        if (where & ~looked).sum() <= LEAST or deadline.passed():
            return story, news


@dataclass(frozen=True)
class Candidates:
    """All that may be in a picture, and what lies behind it."""

    pool: Sightings
    coarse: list[Patch]  # their coverage at some points
    likely: list[Patch]  # the full patches of the likelier ones
    bare: Canvas  # the ground as far as these leave it free

    @classmethod
    def of(cls, pool: Sightings, picture: Floats, noise: float) -> Candidates:
        height, width = picture.shape[:2]
        coarse = patches(pool.shapes, height, width, POINTS)
        likely = (pool.p > 0.6).nonzero()[:, 0].tolist()
        large = torch.tensor([i for i in likely if coarse[i].step > 1], dtype=torch.long)
        drawn = [coarse[i] for i in likely if coarse[i].step == 1]
        drawn += patches(pool.shapes[large], height, width)
        return cls(pool, coarse, drawn, Canvas(picture, estimate_ground(picture, drawn, noise), noise))

    def uncovered(self) -> NDArray[np.bool_]:
        """bool (H, W): what differs from the ground where no likely one is."""
        covered = np.zeros(self.bare.owner.shape, bool)
        for patch in self.likely:
            covered[patch.window] |= patch.alpha > 0
        where = self.bare.unexplained(SLIGHT + 1.5 * self.bare.noise)
        where[ndimage.binary_dilation(covered, iterations=2)] = False
        return where


def _tell(pyramid: Pyramid, candidates: Candidates, threshold: float, known: int = 0) -> tuple[Story, bool]:
    """The story of those candidates that explain the picture, and whether others than the first `known`
    belong to it."""
    pool, bare = candidates.pool, candidates.bare
    choice = choose(pool, candidates.coarse, bare.bare(), settled=known)
    first = Story.of(pool[choice.index], bare, [shape.patch for shape in choice.painted])
    polished = polish(pyramid, first)
    polished = polished[(polished.p > threshold).nonzero()[:, 0]]
    return Story.of(polished, bare), bool((choice.index >= known).any())


def _final(story: Story, flat: Floats, noise: float, threshold: float, again: bool) -> Story:
    """What is certain enough to be told. again: whether there was more than one look."""
    good = story.seen.p > torch.where(slivers(story.seen.shapes), max(threshold, CERTAIN), threshold)
    if bool(good.all()) and not again:  # the first look explained everything
        return story
    found = Candidates.of(story.seen[good.nonzero()[:, 0]], flat, noise)
    whole = Story.of(found.pool, found.bare)
    choice = choose(found.pool, found.coarse, found.bare.bare(), settled=len(found.pool))
    fewer = Story.of(found.pool[choice.index], found.bare)
    return min(fewer, whole, key=lambda story: story.canvas.left + LEAST * len(story.order))


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

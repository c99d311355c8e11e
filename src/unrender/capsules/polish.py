"""Polishing: all shapes refined together, once it is known who lies in front of whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from unrender.capsules.agreement import SEEN
from unrender.capsules.candidates import Sightings, sight, turned
from unrender.capsules.geometry import Shapes
from unrender.capsules.order import overlapping
from unrender.capsules.outline import outline
from unrender.capsules.patches import alphas
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.refine import Samples, refine
from unrender.capsules.story import Story

AGREED = 0.93  # p of a shape whose corners need not be doubted
AMONG, WITHIN = 0.5, 0.9  # of an outline must be visible, if so much of it is in the picture
CLEARLY = 0.02  # p by which another turn must be better


def polish(pyramid: Pyramid, story: Story) -> Sightings:
    """Refine all shapes of a story together: each on the ground that those behind it make, where those in
    front leave it visible."""
    seen, noise = story.seen, story.canvas.noise
    shapes = seen.shapes
    rank = {i: n for n, i in enumerate(story.order)}
    behind: list[list[int]] = [[] for _ in range(len(shapes))]
    in_front: list[list[int]] = [[] for _ in range(len(shapes))]
    for i, j in overlapping(shapes):
        near, far = (i, j) if rank[i] > rank[j] else (j, i)
        behind[near].append(far)
        in_front[far].append(near)
    for own in behind:
        own.sort(key=rank.__getitem__)
    context = partial(among, seen, behind, in_front)
    seen = judged(pyramid, shapes, (1.0, 1.0, 1.0), noise, context)
    for turn in _other_turns(seen):
        ramps = (3.0, 2.0, 1.5, 1.0, 1.0)
        other = judged(pyramid, turn, ramps, noise, context)
        seen = seen.put(*_better(seen, other))
    return seen


def judged(
    pyramid: Pyramid,
    shapes: Shapes,
    ramps: Sequence[float],
    noise: float,
    context: Callable[[Samples], Samples],
) -> Sightings:
    """Refine shapes in the full picture, in their context, and score them.

    What the shapes in front hide counts less against them than what lies outside of the picture.
    """
    level = torch.zeros(len(shapes), dtype=torch.long)
    shapes, fitted = refine(pyramid, shapes, level, ramps, noise, context=context)
    x, y, _, _ = outline(shapes)
    height, width = pyramid.levels[0].shape[1:]
    inside = ((x > 0) & (x < width) & (y > 0) & (y < height)).float().mean(1)
    return sight(shapes, fitted, noise, torch.where(inside > WITHIN, AMONG, SEEN))


def among(
    seen: Sightings, behind: Sequence[Sequence[int]], in_front: Sequence[Sequence[int]], samples: Samples
) -> Samples:
    """Samples of shapes that stand among those seen: `behind` each lie some of them, back to front, and
    others `in_front`."""
    covered = torch.zeros_like(samples.x)
    clear, under = torch.ones_like(samples.x), torch.zeros_like(samples.values)
    for own, other in _rounds(in_front):
        covered[own] += alphas(seen.shapes[other], samples.x[own], samples.y[own])
    for own, other in _rounds(behind):
        alpha = alphas(seen.shapes[other], samples.x[own], samples.y[own])
        clear[own] *= 1 - alpha
        alpha = alpha[:, None]
        under[own] = under[own] * (1 - alpha) + alpha * seen.paint[other][:, :, None]
    return replace(samples, there=samples.there * (covered < 0.02), clear=clear, under=under)


def _other_turns(seen: Sightings) -> Iterator[Shapes]:
    """The shapes with those that do not agree well turned to another corner: which one of a triangle is its
    apex may have been mistaken."""
    shapes = seen.shapes
    order = torch.tensor([kind.order for kind in shapes.kinds])[shapes.kind]
    unsure = (order % 2 == 1) & (order > 1) & (seen.p < AGREED)
    if bool(unsure.any()):
        for k in range(1, int(order[unsure].max())):
            pose = turned(shapes, 2 * math.pi * k / order.clamp_min(1)).pose
            yield shapes.with_pose(torch.where(unsure[:, None], pose, shapes.pose))


def _better(seen: Sightings, other: Sightings) -> tuple[Tensor, Sightings]:
    """Which of the others agree clearly better, and these."""
    at = (other.p > seen.p + CLEARLY).nonzero()[:, 0]
    return at, other[at]


def _rounds(neighbours: Sequence[Sequence[int]]) -> Iterator[tuple[Tensor, Tensor]]:
    """Pairs of shapes and one neighbour each: the first neighbour of all that have one, then the second,
    and so on."""
    for depth in range(max(map(len, neighbours), default=0)):
        own = [i for i, others in enumerate(neighbours) if depth < len(others)]
        yield torch.tensor(own), torch.tensor([neighbours[i][depth] for i in own])

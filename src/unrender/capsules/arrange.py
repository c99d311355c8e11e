"""Arrangement: who lies in front of whom, and what that leaves of the picture."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from unrender.capsules.candidates import Sightings, sight, turned
from unrender.capsules.explain import without
from unrender.capsules.geometry import Shapes
from unrender.capsules.order import covers, depth_order, overlapping
from unrender.capsules.patches import Floats, alphas, patches
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.refine import Samples, refine

AGREED = 0.93  # p of a shape whose corners need not be doubted
CLEARLY = 0.02  # p by which another turn must be better


@dataclass(frozen=True)
class Arrangement:
    """Sightings with who lies in front of whom."""

    seen: Sightings
    front: dict[tuple[int, int], float]  # evidence that the first lies in front of the second
    order: list[int]  # back to front
    noise: float  # standard deviation


def arrange(seen: Sightings, picture: Floats, noise: float) -> Arrangement:
    """Find out who lies in front of whom."""
    pairs = overlapping(seen.shapes)
    touching = sorted({i for pair in pairs for i in pair})
    place = {i: n for n, i in enumerate(touching)}
    height, width = picture.shape[:2]
    drawn = patches(seen.shapes[torch.tensor(touching, dtype=torch.long)], height, width)
    paint = seen.paint[touching].numpy()
    front = {pair: covers((place[pair[0]], place[pair[1]]), drawn, paint, picture) for pair in pairs}
    front = {pair: evidence for pair, evidence in front.items() if evidence}
    return Arrangement(seen, front, depth_order(len(seen), front), noise)


def polish(pyramid: Pyramid, arrangement: Arrangement) -> Sightings:
    """Refine all shapes together: each on the ground that those behind it make, where those in front leave
    it visible."""
    shapes, paint = arrangement.seen.shapes, arrangement.seen.paint
    level = torch.zeros(len(shapes), dtype=torch.long)
    rank = {i: n for n, i in enumerate(arrangement.order)}
    behind: list[list[int]] = [[] for _ in range(len(shapes))]
    in_front: list[list[int]] = [[] for _ in range(len(shapes))]
    for i, j in overlapping(shapes):
        near, far = (i, j) if rank[i] > rank[j] else (j, i)
        behind[near].append(far)
        in_front[far].append(near)

    def context(samples: Samples) -> Samples:
        covered = torch.zeros_like(samples.x)
        clear, under = torch.ones_like(samples.x), torch.zeros_like(samples.values)
        for own, other in _rounds(in_front, rank):
            covered[own] += alphas(shapes[other], samples.x[own], samples.y[own])
        for own, other in _rounds(behind, rank):
            alpha = alphas(shapes[other], samples.x[own], samples.y[own])
            clear[own] *= 1 - alpha
            alpha = alpha[:, None]
            under[own] = under[own] * (1 - alpha) + alpha * paint[other][:, :, None]
        return replace(samples, there=samples.there * (covered < 0.02), clear=clear, under=under)

    noise = arrangement.noise
    seen = sight(*refine(pyramid, shapes, level, (1.0, 1.0, 1.0), noise, context=context), noise)
    for turn in _other_turns(seen):
        ramps = (3.0, 2.0, 1.5, 1.0, 1.0)
        other = sight(*refine(pyramid, turn, level, ramps, noise, context=context), noise)
        seen = seen.put(*_better(seen, other))
    return seen


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


def _rounds(neighbours: list[list[int]], rank: dict[int, int]) -> Iterator[tuple[Tensor, Tensor]]:
    """Pairs of shapes and one neighbour each, back to front: the first neighbour of all that have one,
    then the second, and so on."""
    ordered = [sorted(own, key=rank.__getitem__) for own in neighbours]
    for depth in range(max(map(len, ordered), default=0)):
        own = [i for i, others in enumerate(ordered) if depth < len(others)]
        yield torch.tensor(own), torch.tensor([ordered[i][depth] for i in own])


def explained(picture: Floats, seen: Sightings, noise: float) -> tuple[Pyramid, Pyramid]:
    """The picture without what the sightings explain, and how far each pixel is explained."""
    height, width = picture.shape[:2]
    order = arrange(seen, picture, noise).order
    rest, taken = without(picture, seen, patches(seen.shapes, height, width), order, noise)
    return (
        Pyramid.of(torch.from_numpy(rest).permute(2, 0, 1).contiguous()),
        Pyramid.of(torch.from_numpy(taken)[None]),
    )

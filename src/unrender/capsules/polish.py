"""Polishing: all shapes refined together, once it is known who lies in front of whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
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
from unrender.graphics.compiled import Floats2, Floats3, Ints1, compiled

AGREED = 0.93  # p of a shape whose corners need not be doubted
AMONG, WITHIN = 0.5, 0.9  # of an outline must be visible, if so much of it is in the picture
HIDDEN = 0.02  # of another shape in front covers a sample that says nothing any more
THROUGH = 0.3  # of another shape covers a point of an outline that runs through it or along its edge
DOUBTED = 0.85  # p of a shape that may be a few pixels off
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
    merged = _merged(seen, [own + other for own, other in zip(behind, in_front, strict=True)], story)
    polished = judged(pyramid, shapes, (1.0, 1.0, 1.0), noise, context, merged)
    source, others = _second_tries(polished)
    if len(source):
        context = partial(among, seen, [behind[i] for i in source], [in_front[i] for i in source])
        turns = judged(pyramid, others, (3.0, 2.0, 1.5, 1.0, 1.0), noise, context, merged[source])
        for n, i in enumerate(source):
            if turns.p[n] > polished.p[i] + CLEARLY:
                polished = polished.put(torch.tensor([i]), turns[n : n + 1])
    return polished


def judged(
    pyramid: Pyramid,
    shapes: Shapes,
    ramps: Sequence[float],
    noise: float,
    context: Callable[[Samples], Samples],
    merged: Tensor | None = None,
) -> Sightings:
    """Refine shapes in the full picture, in their context, and score them.

    What the shapes in front hide counts less against them than what lies outside of the picture.
    merged: bool (N, RAYS), where an outline makes no edge, because it runs through its own colour.
    """
    level = torch.zeros(len(shapes), dtype=torch.long)
    shapes, fitted = refine(pyramid, shapes, level, ramps, noise, context=context)
    x, y, _, _ = outline(shapes)
    height, width = pyramid.levels[0].shape[1:]
    inside = ((x > 0) & (x < width) & (y > 0) & (y < height)).float().mean(1)
    least = torch.where(inside > WITHIN, AMONG, SEEN)
    return sight(shapes, fitted, noise, least, merged)


def _merged(seen: Sightings, around: Sequence[Sequence[int]], story: Story) -> Tensor:
    """bool (N, RAYS): where the outline of each shape runs through those `around` it of the same colour."""
    x, y, _, _ = outline(seen.shapes)
    within = torch.zeros_like(x, dtype=torch.bool)
    own, other = _pairs(around)
    same = (seen.paint[own] - seen.paint[other]).norm(dim=1) < story.canvas.alike
    same &= seen.shapes.filled[own] & seen.shapes.filled[other]
    own, other = own[same], other[same]
    if len(own):
        through = alphas(seen.shapes[other], x[own], y[own]) > THROUGH
        within.index_put_((own,), through, accumulate=True)
    return within


def among(
    seen: Sightings, behind: Sequence[Sequence[int]], in_front: Sequence[Sequence[int]], samples: Samples
) -> Samples:
    """Samples of shapes that stand among those seen: `behind` each lie some of them, back to front, and
    others `in_front`."""
    (far, back), (near, front) = _pairs(behind), _pairs(in_front)
    own, other = torch.cat([far, near]), torch.cat([back, front])
    there, clear, under = samples.there.clone(), torch.ones_like(samples.x), torch.zeros_like(samples.values)
    if len(own):
        alpha = alphas(seen.shapes[other], samples.x[own], samples.y[own])
        arrays = (t.numpy() for t in (own, alpha, seen.paint[other], there, clear, under))
        _laid(len(far), *arrays)
    return replace(samples, there=there, clear=clear, under=under)


@compiled
def _laid(
    far: int,
    own: Ints1,
    alpha: Floats2,
    paint: Floats2,
    there: Floats2,
    clear: Floats2,
    under: Floats3,
) -> None:
    """Lay other shapes under those of whom the samples are, the first `far` pairs, and over them. Of each
    pair are told the shape, and coverage (M,) and paint (3,) of the other."""
    for p in range(len(own)):
        n = own[p]
        for m in range(alpha.shape[1]):
            covered = alpha[p, m]
            if p < far:
                clear[n, m] *= 1 - covered
                for c in range(3):
                    under[n, c, m] += covered * (paint[p, c] - under[n, c, m])
            elif covered >= HIDDEN:
                there[n, m] = 0


def _second_tries(seen: Sightings) -> tuple[list[int], Shapes]:
    """Whose turn it is, and from where: those that hardly agree may be a few pixels off, and of those that do
    not agree well another corner of a triangle may be its apex."""
    order = torch.tensor([kind.order for kind in seen.shapes.kinds])[seen.shapes.kind]
    off = (seen.p < DOUBTED).nonzero()[:, 0]
    unsure = ((order % 2 == 1) & (order > 1) & (seen.p < AGREED)).nonzero()[:, 0]
    source = [i for i in unsure.tolist() for _ in range(1, int(order[i]))]
    turn = [2 * math.pi * k / int(order[i]) for i in unsure.tolist() for k in range(1, int(order[i]))]
    others = turned(seen.shapes[torch.tensor(source, dtype=torch.long)], torch.tensor(turn))
    return off.tolist() + source, Shapes.join([seen.shapes[off], others])


def _pairs(neighbours: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Shapes and their neighbours, pair by pair."""
    own = [i for i, others in enumerate(neighbours) for _ in others]
    other = [j for others in neighbours for j in others]
    return torch.tensor(own, dtype=torch.long), torch.tensor(other, dtype=torch.long)

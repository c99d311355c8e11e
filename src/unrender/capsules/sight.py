"""Seeing primitives: look, refine, choose, take out what is explained, look again, polish together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.agreement import estimate_noise
from unrender.capsules.candidates import PATIENT_END, Sightings, look, settle, sight
from unrender.capsules.canvas import CERTAIN, Canvas, choose, reconsider, slivers
from unrender.capsules.contour import contours
from unrender.capsules.explain import without
from unrender.capsules.geometry import CX, CY, Shapes
from unrender.capsules.ground import estimate_ground
from unrender.capsules.grow import HOPEFUL, grown, merged
from unrender.capsules.order import covers, depth_order, overlapping
from unrender.capsules.patches import Floats, alphas, patches
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.refine import Samples, refine

THRESHOLD = 0.5  # an observation with a lower p is not made
LOOKS = 3  # at the most; each sees only what the ones before left unexplained


@dataclass(frozen=True)
class Arrangement:
    """Sightings with who lies in front of whom."""

    seen: Sightings
    front: dict[tuple[int, int], float]  # evidence that the first lies in front of the second
    order: list[int]  # back to front
    noise: float  # standard deviation


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
            chosen, canvas, pool = _behind(pyramid, pool, Canvas(flat, ground, noise), settled)
        news = found is None or bool((chosen >= len(found)).any())
        found = polish(pyramid, arrange(pool[chosen], flat, noise))
        if not news or canvas.done:
            break
        rest, taken = _explained(flat, found, noise)
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


def _behind(
    pyramid: Pyramid, pool: Sightings, canvas: Canvas, settled: int
) -> tuple[Tensor, Canvas, Sightings]:
    """Choose again from the pool, now that those in front are known: what they hide says nothing."""
    front = Canvas(canvas.picture, canvas.ground, canvas.noise)
    sure = choose(pool, front, only_complete=True, settled=settled).index
    taken = _explained(canvas.picture, pool[sure], canvas.noise)[1]
    others = torch.ones(len(pool), dtype=torch.bool)
    others[sure] = False
    others[:settled] = False
    at = others.nonzero()[:, 0]
    if len(at):
        level = torch.zeros(len(at), dtype=torch.long)
        shapes, fitted = refine(
            pyramid, pool.shapes[at], level, (3.0, 2.0, 1.5, 1.0, 1.0), canvas.noise, taken
        )
        judged = sight(shapes, fitted, canvas.noise)
        pool = pool.put(at, judged)
        again = Canvas(canvas.picture, canvas.ground, canvas.noise)
        chosen = choose(pool, again, settled=settled).index
        if again.done:
            return chosen, again, pool
        hopeful = judged[(judged.p > HOPEFUL).nonzero()[:, 0]]
        for larger, level in (grown(hopeful, front.owner >= 0), merged(hopeful, canvas.noise)):
            level = level.clamp_max(len(pyramid.levels) - 1)
            more = settle(pyramid, larger.scaled(torch.exp2(-level.float())), level, canvas.noise, taken)
            pool = Sightings.join([pool, more])
    else:
        again = front
    def fitted_contours(on: Canvas, context: Callable[[Samples], Samples] | None) -> Sightings:
        shapes = contours(on, pool.shapes.kinds)
        fits = refine(pyramid, shapes, torch.zeros(len(shapes)).long(), PATIENT_END, on.noise, taken, context)
        seen = sight(*fits, on.noise)
        return seen[(seen.p > HOPEFUL).nonzero()[:, 0]]

    pool = Sightings.join([pool, fitted_contours(again, None)])
    choice = choose(pool, canvas, settled=settled)
    if canvas.done:
        return choice.index, canvas, pool
    known = len(pool)
    taken = _explained(canvas.picture, pool[choice.index], canvas.noise)[1]
    pool = Sightings.join([pool, fitted_contours(canvas, partial(_upon, canvas))])
    choice = choose(pool, canvas, after=(choice, known))
    choice, canvas = reconsider(pool, choice, canvas, settled)
    return choice.index, canvas, pool


def _upon(canvas: Canvas, samples: Samples) -> Samples:
    """Samples of shapes that lie upon all that is painted on the canvas (of the full picture)."""
    height, width = canvas.owner.shape
    row, column = (side.long().clamp(0, most - 1) for side, most in ((samples.y, height), (samples.x, width)))
    painted = torch.from_numpy(canvas.painted)[row, column]
    known = (painted - torch.from_numpy(canvas.ground)[row, column]).abs().amax(2) > 0.01
    under = (painted * known[..., None]).transpose(1, 2)
    return replace(samples, clear=1 - known.to(under.dtype), under=under)


def _explained(picture: Floats, seen: Sightings, noise: float) -> tuple[Pyramid, Pyramid]:
    """The picture without what the sightings explain, and how far each pixel is explained."""
    height, width = picture.shape[:2]
    order = arrange(seen, picture, noise).order
    rest, taken = without(picture, seen, patches(seen.shapes, height, width), order, noise)
    return (
        Pyramid.of(torch.from_numpy(rest).permute(2, 0, 1).contiguous()),
        Pyramid.of(torch.from_numpy(taken)[None]),
    )


def _ground(picture: Floats, pool: Sightings, noise: float) -> Floats:
    """The background as far as the likelier sightings leave it free."""
    height, width = picture.shape[:2]
    likely = (pool.p > 0.6).nonzero()[:, 0]
    return estimate_ground(picture, patches(pool.shapes[likely], height, width), noise)


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

    shapes, fitted = refine(pyramid, shapes, level, (1.0, 1.0, 1.0), arrangement.noise, context=context)
    return sight(shapes, fitted, arrangement.noise)


def _rounds(neighbours: list[list[int]], rank: dict[int, int]) -> Iterator[tuple[Tensor, Tensor]]:
    """Pairs of shapes and one neighbour each, back to front: the first neighbour of all that have one,
    then the second, and so on."""
    ordered = [sorted(own, key=rank.__getitem__) for own in neighbours]
    for depth in range(max(map(len, ordered), default=0)):
        own = [i for i, others in enumerate(ordered) if depth < len(others)]
        yield torch.tensor(own), torch.tensor([ordered[i][depth] for i in own])

"""Seeing primitives: look, refine, choose, take out what is explained, look again, polish together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from unrender.capsules.agreement import estimate_noise
from unrender.capsules.candidates import Sightings, look, settle, sight
from unrender.capsules.canvas import Canvas, choose
from unrender.capsules.explain import without
from unrender.capsules.ground import estimate_ground
from unrender.capsules.order import covers, depth_order, overlapping
from unrender.capsules.patches import Floats, alphas, patches
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.refine import refine

THRESHOLD = 0.5  # an observation with a lower p is not made
LOOKS = 3  # at the most; each sees only what the ones before left unexplained
ENOUGH = 10  # px that still look wrong are worth another look


@dataclass(frozen=True)
class Arrangement:
    """Sightings with who lies in front of whom."""

    seen: Sightings
    front: dict[tuple[int, int], float]  # evidence that the first lies in front of the second
    order: list[int]  # back to front


@torch.no_grad()
def see_primitives(
    picture: Tensor, capsules: Sequence[PrimitiveCapsule], threshold: float = THRESHOLD
) -> Arrangement:
    """All primitives in a picture (3, H, W), back to front."""
    height, width = picture.shape[1:]
    noise = estimate_noise(picture)
    pyramid = Pyramid.of(picture)
    flat = picture.permute(1, 2, 0).contiguous().numpy()
    rest, taken = pyramid, None
    found: Sightings | None = None
    for _ in range(LOOKS):
        shapes, level = look(rest, capsules)
        fresh = settle(pyramid, shapes, level, noise, taken)
        pool = fresh if found is None else Sightings.join([found, fresh])
        canvas = Canvas(flat, _ground(flat, pool, noise), noise)
        chosen = choose(pool, canvas)
        news = found is None or bool((chosen >= len(found)).any())
        arrangement = arrange(pool[chosen], flat)
        found = polish(pyramid, arrangement, noise)
        if not news or canvas.unexplained() < ENOUGH:
            break
        coverage = patches(found.shapes, height, width)
        left, explained = without(flat, found, coverage, arrangement.order, noise)
        rest = Pyramid.of(torch.from_numpy(left).permute(2, 0, 1).contiguous())
        taken = Pyramid.of(torch.from_numpy(explained)[None])
    assert found is not None
    found = found[(found.p > threshold).nonzero()[:, 0]]
    final = choose(found, Canvas(flat, _ground(flat, found, noise), noise))
    return arrange(found[final], flat)


def _ground(picture: Floats, pool: Sightings, noise: float) -> Floats:
    """The background as far as the likelier sightings leave it free."""
    height, width = picture.shape[:2]
    likely = (pool.p > 0.6).nonzero()[:, 0]
    return estimate_ground(picture, patches(pool.shapes[likely], height, width), noise)


def arrange(seen: Sightings, picture: Floats) -> Arrangement:
    """Find out who lies in front of whom."""
    pairs = overlapping(seen.shapes)
    touching = sorted({i for pair in pairs for i in pair})
    place = {i: n for n, i in enumerate(touching)}
    height, width = picture.shape[:2]
    drawn = patches(seen.shapes[torch.tensor(touching, dtype=torch.long)], height, width)
    paint = seen.paint[touching].numpy()
    front = {pair: covers((place[pair[0]], place[pair[1]]), drawn, paint, picture) for pair in pairs}
    front = {pair: evidence for pair, evidence in front.items() if evidence}
    return Arrangement(seen, front, depth_order(len(seen), front))


def polish(pyramid: Pyramid, arrangement: Arrangement, noise: float) -> Sightings:
    """Refine all shapes together: what lies behind another is judged by what shows of it."""
    seen = arrangement.seen
    shapes = seen.shapes
    level = torch.zeros(len(shapes), dtype=torch.long)
    near = [i if evidence > 0 else j for (i, j), evidence in arrangement.front.items()]
    far = torch.tensor([j if evidence > 0 else i for (i, j), evidence in arrangement.front.items()]).long()
    covering = shapes[torch.tensor(near).long()]

    def hidden(x: Tensor, y: Tensor) -> Tensor:
        covered = torch.zeros_like(x)
        if len(far):
            covered.index_add_(0, far, alphas(covering, x[far], y[far]))
        return covered > 0.02

    shapes, fitted = refine(pyramid, shapes, level, (1.5, 1.0, 1.0, 1.0), noise, hidden)
    return sight(shapes, fitted, noise)

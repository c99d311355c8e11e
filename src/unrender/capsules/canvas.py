"""Choosing by drawing: of rival candidates, those that explain the picture when they are painted.

The canvas starts as the bare background. A candidate's gain is how many pixels, weighted by how surely,
look right with it that look wrong without it; where it overlaps a shape that is already there it may lie
in front or behind, whichever explains more. The best is painted, and so on, until nothing gains enough.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from unrender.capsules.candidates import Sightings
from unrender.capsules.patches import Floats, Patch, patches

POINTS = 48  # a side: larger shapes are judged by every n-th pixel
LEAST = 6.0  # px: a shape must explain more than this
SHARE = 0.5  # of what it would explain if every visible pixel of it were right
SHOWN = 0.4  # of a shape must be visible
FRESH = 0.5  # of what is visible of it must not look like that already


@dataclass
class Gain:
    """What painting one candidate now would bring."""

    value: float
    share: float  # of the best that its visible pixels could bring
    shown: float  # share of its coverage that is visible
    fresh: float  # share of its visible coverage that changes what is painted
    behind: frozenset[int]  # shapes on the canvas that it would lie behind


class Canvas:
    """The picture, and what has been painted of it so far."""

    def __init__(self, picture: Floats, ground: Floats, noise: float) -> None:
        self.picture = picture  # (H, W, 3)
        self.painted = ground.copy()
        self.owner = np.full(picture.shape[:2], -1, np.int32)  # who is seen at each pixel
        self.scale = (0.08 + 3.0 * noise) ** 2

    def wrong(self, difference: Floats) -> Floats:
        """0 where a colour difference (..., 3) is nothing, towards 1 where it is plain."""
        squared = np.einsum("...c,...c->...", difference, difference)
        share: Floats = squared / (squared + self.scale)
        return share

    def gain(self, patch: Patch, paint: Floats) -> Gain:
        """What this candidate explains that nothing on the canvas explains."""
        window, alpha = patch.window, patch.alpha
        at = alpha > 0.3
        area = float(patch.step**2)
        total = float(alpha.sum())
        if not at.any():
            return Gain(0.0, 0.0, 0.0, 0.0, frozenset())
        seen, painted = self.picture[window][at], self.painted[window][at]
        owner, cover = self.owner[window][at], alpha[at]
        drawn = painted + cover[:, None] * (paint - painted)
        better = cover * (self.wrong(seen - painted) - self.wrong(seen - drawn))
        change = self.wrong(drawn - painted)
        hoped = cover * change
        behind = set()
        for other in np.unique(owner):
            if other >= 0 and better[owner == other].sum() <= 0:
                behind.add(int(other))
        visible = ~np.isin(owner, list(behind)) if behind else np.ones(len(owner), bool)
        value, hope = float(better[visible].sum()), float(hoped[visible].sum())
        shown = float(cover[visible].sum()) / max(total, 1e-6)
        fresh = float((cover * (change > 0.3))[visible].sum() / max(cover[visible].sum(), 1e-6))
        return Gain(value * area, value / max(hope, 1e-6), shown, fresh, frozenset(behind))

    def paint(self, index: int, patch: Patch, paint: Floats, behind: frozenset[int]) -> None:
        """Paint a shape (a full patch) behind the given ones and in front of all others."""
        window = patch.window
        alpha = patch.alpha
        if behind:
            alpha = alpha * ~np.isin(self.owner[window], list(behind))
        self.painted[window] += alpha[..., None] * (paint - self.painted[window])
        self.owner[window] = np.where(alpha > 0.5, index, self.owner[window])

    def unexplained(self) -> int:
        """How many pixels still look plainly wrong."""
        return int((self.wrong(self.picture - self.painted) > 0.7).sum())


def choose(seen: Sightings, canvas: Canvas) -> Tensor:
    """Indices of the candidates that explain the picture, the most telling first; paints them."""
    height, width = canvas.picture.shape[:2]
    coarse = patches(seen.shapes, height, width, POINTS)
    paint = seen.paint.numpy()
    trust = seen.p.numpy() ** 2
    chosen: list[int] = []
    heap: list[tuple[float, int, int]] = []  # (-worth, candidate, how many were painted when it was judged)
    for i in range(len(seen)):
        heapq.heappush(heap, (-np.inf, i, -1))
    while heap:
        _, i, judged = heapq.heappop(heap)
        gain = canvas.gain(coarse[i], paint[i])
        if gain.value < LEAST or gain.share < SHARE or gain.shown < SHOWN or gain.fresh < FRESH:
            continue
        if judged < len(chosen):
            heapq.heappush(heap, (-gain.value * float(trust[i]), i, len(chosen)))
            continue
        full = patches(seen.shapes[torch.tensor([i])], height, width)[0]
        canvas.paint(i, full, paint[i], gain.behind)
        chosen.append(i)
    return torch.tensor(chosen, dtype=torch.long)

"""Choosing by drawing: of rival candidates, those that explain the picture when they are painted.

The canvas starts as the bare background. A candidate's gain is how many pixels, weighted by how surely,
look right with it that look wrong without it; where it overlaps a shape that is already there it may lie
in front or behind, whichever explains more. The best is painted, and so on, until nothing gains enough.
"""

from __future__ import annotations

import heapq
from copy import copy
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.brush import Place, gains, paint_over, plainly_off, told_by, trace, wrongness
from unrender.capsules.candidates import Sightings
from unrender.capsules.geometry import TAU, Shapes
from unrender.capsules.outline import outline
from unrender.capsules.patches import Floats, Patch, Windows, patches

POINTS = 48  # a side: larger shapes are judged by every n-th pixel
PLAIN = 0.14  # colour distance that cannot be a rough edge
ENOUGH = 10  # px that still look wrong are worth another look
LEAST = 6.0  # px: a shape must explain more than this
SHARE = 0.5  # of what it would explain if every visible pixel of it were right
SHOWN = 0.4  # of a shape must be visible
COMPLETE = 0.85  # of the outline must agree for a shape that nothing hides
SLIVER = 4.2  # width / height
CERTAIN = 0.93  # of the outline of a sliver must agree
TELLING = 0.65  # of the outline must at least say something
PLAINLY = 0.7  # p that it must have where nothing seems to be left to explain
DOUBT = 0.4  # a candidate with a lower p is not painted
FRESH = 0.5  # of what is visible of it must not look like that already


@dataclass
class Gain:
    """What painting one candidate now would bring."""

    value: float
    share: float  # of the best that its visible pixels could bring
    shown: float  # share of its coverage that is visible
    fresh: float  # share of its visible coverage that changes what is painted
    behind: frozenset[int]  # shapes on the canvas that it would lie behind

    def enough(self, p: float) -> bool:
        """Whether the candidate belongs on the canvas; one whose outline agrees well may be drawn roughly."""
        share = SHARE * min(1.0, 1.4 - p)
        return self.value > LEAST and self.share > share and self.shown > SHOWN and self.fresh > FRESH


class Canvas:
    """The picture, or a window of it, and what has been painted of it so far."""

    def __init__(
        self, picture: Floats, ground: Floats, noise: float, window: tuple[slice, slice] | None = None
    ) -> None:
        self.whole = window is None
        self.rows, self.columns = rows, columns = window or (slice(None), slice(None))
        self.picture = np.ascontiguousarray(picture[rows, columns])  # (h, w, 3)
        self.ground, self.noise = ground, noise
        self.painted = ground[rows, columns].copy()
        self.owner = np.full(self.picture.shape[:2], -1, np.int32)  # who is seen at each pixel
        self.scale = (0.08 + 3.0 * noise) ** 2
        self.alike = 0.06 + 4 * noise  # distance of colours that may be the same

    def bare(self, window: tuple[slice, slice] | None = None) -> Canvas:
        """The same picture, or a window of it, with nothing painted of it."""
        return Canvas(self.picture, self.ground, self.noise, window)

    def with_window(self, part: Canvas) -> Canvas:
        """The same canvas with a part of it painted otherwise."""
        new = copy(self)
        new.painted, new.owner = self.painted.copy(), self.owner.copy()
        new.painted[part.rows, part.columns], new.owner[part.rows, part.columns] = part.painted, part.owner
        return new

    def crop(self, patch: Patch) -> tuple[Place, Floats]:
        """Where on this canvas a patch lies, and its coverage there.

        The whole picture takes any patch; a window takes the patch it was made for and full ones.
        """
        if self.whole:
            return (patch.top, patch.left, patch.step), patch.alpha
        if patch.window == (self.rows, self.columns):
            return (0, 0, 1), patch.alpha
        places, parts = [], []
        for mine, its in zip((self.rows, self.columns), patch.window, strict=True):
            first = max(0, -(-(its.start - mine.start) // mine.step))
            last = max(first, -(-(min(mine.stop, its.stop) - mine.start) // mine.step))
            offset = mine.start + first * mine.step - its.start
            places.append(first)
            parts.append(slice(offset, offset + (last - first) * mine.step, mine.step))
        return (places[0], places[1], 1), np.ascontiguousarray(patch.alpha[parts[0], parts[1]])

    def gain(self, patch: Patch, paint: Floats) -> Gain:
        """What this candidate explains that nothing on the canvas explains."""
        place, alpha = self.crop(patch)
        sums = gains(self.picture, self.painted, self.owner, place, alpha, paint, self.scale)
        behind = (sums[1:, 2] > 0) & (sums[1:, 0] <= 0)
        value, hope, cover, fresh = sums[0] + sums[1:][~behind].sum(0)
        return Gain(
            float(value) * patch.step**2,
            float(value / max(hope, 1e-6)),
            float(cover) / max(float(alpha.sum()), 1e-6),
            float(fresh / max(cover, 1e-6)),
            frozenset(np.nonzero(behind)[0].tolist()),
        )

    def paint(self, index: int, patch: Patch, paint: Floats, behind: frozenset[int]) -> None:
        """Paint a shape (a full patch) behind the given ones and in front of all others."""
        place, alpha = self.crop(patch)
        others = np.array(list(behind), dtype=np.int64)
        paint_over(self.painted, self.owner, place, alpha, paint, index, others)

    def unexplained(self, limit: float | None = None) -> NDArray[np.bool_]:
        """bool (H, W): where the picture, averaged over 3 x 3 pixels, still looks wrong by more than `limit`
        (a distance of colours), or plainly wrong."""
        where = np.empty(self.picture.shape[:2], np.bool_)
        plainly_off(self.picture, self.painted, (limit or PLAIN + 3 * self.noise) ** 2, where)
        return where

    @property
    def left(self) -> float:
        """How many pixels, weighted by how surely, still look wrong."""
        return float(wrongness(self.picture, self.painted, self.scale))

    def left_in(self, window: tuple[slice, slice]) -> float:
        """The same for a window of this canvas."""
        picture, painted = (np.ascontiguousarray(a[window]) for a in (self.picture, self.painted))
        return float(wrongness(picture, painted, self.scale))

    def differs(self, other: Canvas) -> float:
        """How many pixels of this window look otherwise than on the other canvas, weighted by how surely."""
        painted = np.ascontiguousarray(other.painted[self.rows, self.columns])
        return float(wrongness(self.painted, painted, self.scale))

    @property
    def done(self) -> bool:
        """Whether the canvas looks like the picture."""
        return int(self.unexplained().sum()) < ENOUGH


class Outlines:
    """The outlines of all candidates, and which of their points say something once others are painted.

    Where a candidate would lie behind a painted shape its outline cannot be seen; where it runs along the
    outline of a painted shape, the edge is that shape's.
    """

    def __init__(self, seen: Sightings, height: int, width: int) -> None:
        x, y, nx, ny = outline(seen.shapes)
        tau = seen.shapes.pose[:, TAU, None]
        deep = torch.where(
            seen.shapes.filled[:, None], tau + 1.5, 0.5 * tau
        )  # px, where its own colour shows
        points = torch.stack([torch.stack([y - k * ny, x - k * nx], 1) for k in (-tau, tau, deep)], 1)
        limits = torch.tensor([height - 1, width - 1])[:, None]
        self.pixels = torch.minimum(points.long().clamp_min(0), limits).numpy()  # (N, 3, 2, RAYS)
        self.agreement, self.there = seen.agreement.numpy(), seen.there.numpy()
        self.explained = np.zeros((height, width), bool)

    def add(self, i: int) -> None:
        """Painted: from now on these edges are its own."""
        trace(self.pixels[i, :2], self.explained)

    def p(self, i: int, owner: NDArray[np.int32], behind: frozenset[int]) -> float:
        """The activation probability of candidate i over the part of its outline that says something."""
        others = np.array(list(behind), dtype=np.int64)
        own = (self.agreement[i], self.there[i], self.pixels[i])
        told, telling = told_by(*own, owner, others, self.explained)
        return float(told / max(telling, TELLING * len(own[0])))


def slivers(shapes: Shapes) -> Tensor:
    """bool (N,): so thin that a piece of anything looks like it; such a shape must agree better."""
    a, b = shapes.half
    return torch.maximum(a, b) > SLIVER * torch.minimum(a, b)


@dataclass(frozen=True)
class Painted:
    """A candidate as it was put on the canvas."""

    index: int
    patch: Patch
    paint: Floats
    behind: frozenset[int]
    p: float


@dataclass(frozen=True)
class Choice:
    """The candidates that explain the picture, the most telling first."""

    painted: list[Painted]

    @property
    def index(self) -> Tensor:
        return torch.tensor([shape.index for shape in self.painted], dtype=torch.long)


def choose(seen: Sightings, coarse: list[Patch], canvas: Canvas, settled: int = 0) -> Choice:
    """Choose the candidates that explain the picture, and paint them.

    First come those whose whole outline is there. What is left may lie behind them, and is judged by the
    part of its outline that they leave to it.
    coarse: their coverage at no more than POINTS points a side.
    settled: so many at the beginning were judged together with the shapes around them; their p stands.
    """
    height, width = canvas.picture.shape[:2]
    outlines = Outlines(seen, height, width)
    paint = seen.paint.numpy()
    whole = (seen.agreement * seen.there).mean(1)
    complete = (whole > torch.where(slivers(seen.shapes), CERTAIN, COMPLETE)).tolist()
    chosen: list[Painted] = []
    for wanted in (True, False):
        doubt = PLAINLY if not wanted and canvas.done else DOUBT
        # (-worth, candidate, how many were painted when it was judged, and what it would bring)
        heap: list[tuple[float, int, int, Gain | None, float]] = [
            (-np.inf, i, -1, None, 0.0) for i, c in enumerate(complete) if c is wanted and seen.p[i] > doubt
        ]
        while heap:
            _, i, judged, gain, p = heapq.heappop(heap)
            if gain is None or judged < len(chosen):
                gain = canvas.gain(coarse[i], paint[i])
                p = float(seen.p[i]) if i < settled else outlines.p(i, canvas.owner, gain.behind)
                if p >= DOUBT and gain.enough(p):
                    heapq.heappush(heap, (-gain.value * p * p, i, len(chosen), gain, p))
                continue
            full = coarse[i]
            if full.step > 1:
                full = patches(seen.shapes[torch.tensor([i])], height, width)[0]
            canvas.paint(i, full, paint[i], gain.behind)
            outlines.add(i)
            chosen.append(Painted(i, full, paint[i], gain.behind, p))
    return Choice(thin_out(chosen, coarse, canvas))


def thin_out(chosen: list[Painted], coarse: list[Patch], canvas: Canvas) -> list[Painted]:
    """Drop what the shapes painted after it have made superfluous, the least needed first."""
    while True:
        needed = []
        windows = Windows(shape.patch for shape in chosen)
        for i, shape in enumerate(chosen):
            patch = coarse[shape.index]
            near = [chosen[j] for j in windows.near(patch.window) if j != i]
            if not near:
                needed.append(np.inf)
                continue
            local = Canvas(canvas.picture, canvas.ground, canvas.noise, patch.window)
            for other in near:
                local.paint(other.index, other.patch, other.paint, other.behind)
            gain = local.gain(patch, shape.paint)
            needed.append(np.inf if gain.enough(shape.p) else gain.fresh * gain.share)
        if not chosen or min(needed) == np.inf:
            return chosen
        least = int(np.argmin(needed))
        chosen = chosen[:least] + chosen[least + 1 :]

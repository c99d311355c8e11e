"""A story: which shapes are in the picture, who lies in front of whom, and the picture as they tell it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import ndimage

from unrender.capsules.brush import without_rims
from unrender.capsules.candidates import Sightings
from unrender.capsules.canvas import ENOUGH, LEAST, SHARE, Canvas, slivers
from unrender.capsules.order import covers, depth_order, overlapping
from unrender.capsules.patches import Floats, Patch, Window, Windows, patches

SURE = 0.85  # p of a shape that needs no second thoughts
RIM = 2  # px around its edge
DOUBTFUL = 20.0  # px: what a shape costs that does not agree at all
REPLACED = 0.7  # of what shows of a piece lies within the whole


@dataclass(frozen=True)
class Turn:
    """What may be told otherwise: some shapes more, in place of others."""

    shapes: Sightings  # often one, or none
    drawn: list[Patch]  # of these
    gone: frozenset[int]  # those they replace


@dataclass(frozen=True)
class Story:
    """Sightings, back to front, and the canvas on which they are painted."""

    seen: Sightings
    drawn: list[Patch]
    order: list[int]  # back to front; what is not in it does not take part
    canvas: Canvas

    @classmethod
    def of(cls, seen: Sightings, bare: Canvas, drawn: list[Patch] | None = None) -> Story:
        """Find out who lies in front of whom.

        bare: the picture with nothing painted of it. drawn: the patches of the shapes, if they are known.
        """
        if drawn is None:
            drawn = patches(seen.shapes, *bare.picture.shape[:2])
        paint = seen.paint.numpy()
        front = {pair: covers(pair, drawn, paint, bare.picture) for pair in overlapping(seen.shapes)}
        order = depth_order(len(seen), {pair: evidence for pair, evidence in front.items() if evidence})
        return cls(seen, drawn, order, _painted(bare.bare(), order, drawn, paint))

    @property
    def cast(self) -> Sightings:
        """The shapes that take part."""
        return self.seen[torch.tensor(sorted(self.order), dtype=torch.long)]

    def unexplained(self, limit: float | None = None) -> NDArray[np.bool_]:
        """bool (H, W): where the picture looks wrong, as `Canvas.unexplained`, but no spot that lies at the
        edge of a shape which needs no second thoughts: others smooth and join their lines otherwise."""
        where = self.canvas.unexplained(limit)
        beyond = where.copy()
        without_rims(beyond, self.canvas.owner, (self.seen.p >= SURE).numpy(), RIM)
        if not beyond.any() or beyond.sum() == where.sum():
            return beyond
        labels, count = ndimage.label(where, np.ones((3, 3)))
        more = np.zeros(count + 1, bool)  # which spots are more than an edge
        more[labels[beyond]] = True
        kept: NDArray[np.bool_] = more[labels]
        return kept

    @property
    def done(self) -> bool:
        """Whether nothing is worth another look."""
        return int(self.unexplained().sum()) < ENOUGH

    def doubted(self) -> NDArray[np.bool_]:
        """bool (H, W): where the picture looks wrong, or a shape shows that may be a piece of another."""
        seen, canvas = self.seen, self.canvas
        wrong = self.unexplained()
        poor = ((seen.p < SURE) | slivers(seen.shapes)).tolist()
        filled, paint = seen.shapes.filled.tolist(), seen.paint.tolist()
        unsure = set()
        for i, j in overlapping(seen.shapes):
            alike = filled[i] and filled[j]  # pieces of outlines are none
            alike = alike and math.dist(paint[i], paint[j]) < canvas.alike
            unsure |= {k for k in (i, j) if alike or poor[k]}
        if unsure:
            wrong |= np.isin(canvas.owner, list(unsure))
        return wrong

    def pieces(self, patch: Patch, paint: Floats, share: float = REPLACED) -> frozenset[int]:
        """The shapes of this colour (3,) of which such a share of what they show lies within the patch."""
        same = np.linalg.norm(self.seen.paint.numpy() - paint, axis=1) < self.canvas.alike
        inside = self.canvas.owner[patch.window][patch.alpha > 0.5]
        return frozenset(i for i in self._mostly(inside, share) if same[i])

    def within(self, window: Window, mask: NDArray[np.bool_]) -> frozenset[int]:
        """The shapes that show hardly anywhere but at these pixels of a window."""
        return frozenset(self._mostly(self.canvas.owner[window][mask]))

    def _mostly(self, owners: NDArray[np.int32], share: float = REPLACED) -> list[int]:
        """Those who own such a share of what they show at pixels with these owners."""
        most = np.bincount(owners[owners >= 0], minlength=len(self.seen)) >= share * self.shown
        return [i for i in self.order if most[i]]

    @cached_property
    def shown(self) -> NDArray[np.int64]:
        """(N,): how many pixels each shape shows."""
        owner = self.canvas.owner
        return np.bincount(owner[owner >= 0], minlength=len(self.seen))

    def near(self, window: Window, gone: frozenset[int]) -> list[int]:
        """The shapes in this window, back to front, without those that are gone."""
        return [i for n in self._windows.near(window) if (i := self.order[n]) not in gone]

    @cached_property
    def _windows(self) -> Windows:
        """Of the shapes, back to front."""
        return Windows(self.drawn[i] for i in self.order)

    def between(self, patch: Patch, paint: Floats, gone: frozenset[int]) -> tuple[list[int], list[int]]:
        """The shapes around a further one, back to front: those behind it, and those in front of it."""
        near = self.near(patch.window, gone)
        drawn = [patch, *(self.drawn[i] for i in near)]
        colours = np.stack([paint, *self.seen.paint.numpy()[near]])
        hides = [covers((0, n), drawn, colours, self.canvas.picture) for n in range(1, len(drawn))]
        at = int(np.argmax(np.cumsum([0.0, *hides])))
        return near[:at], near[at:]

    def window(self, turn: Turn) -> Window:
        """Where a turn changes the picture."""
        return _around([*turn.drawn, *(self.drawn[i] for i in turn.gone)])

    def gain(self, turn: Turn) -> float:
        """How many pixels a turn wins: those that look right after it, less what the shapes cost."""
        window, canvas, _ = self._retold(turn)
        doubts = float((1 - turn.shapes.p).sum()) - sum(1 - float(self.seen.p[i]) for i in turn.gone)
        cost = LEAST * (len(turn.drawn) - len(turn.gone)) + DOUBTFUL * doubts
        righted = self.canvas.left_in(window) - canvas.left
        changed = canvas.differs(self.canvas)
        if not turn.gone and righted < SHARE * changed:
            return -np.inf  # where much looks wrong, anything would make some of it right
        return righted - cost

    def after(self, turn: Turn) -> Story:
        """The story with this turn taken."""
        _, canvas, behind = self._retold(turn)
        order = [i for i in self.order if i not in turn.gone]
        for n, below in enumerate(behind, len(self.seen)):
            order.insert(order.index(below[-1]) + 1 if below else 0, n)
        seen = Sightings.join([self.seen, turn.shapes])
        return Story(seen, [*self.drawn, *turn.drawn], order, self.canvas.with_window(canvas))

    def _retold(self, turn: Turn) -> tuple[Window, Canvas, list[list[int]]]:
        """What a turn changes: the window, as it would be painted, and what lies behind each new shape."""
        window = self.window(turn)
        paint = np.concatenate([self.seen.paint.numpy(), turn.shapes.paint.numpy()])
        drawn, near = [*self.drawn, *turn.drawn], self.near(window, turn.gone)
        behind: list[list[int]] = []
        for n, patch in enumerate(turn.drawn, len(self.seen)):
            behind.append(self.between(patch, paint[n], turn.gone)[0])
            near.insert(near.index(behind[-1][-1]) + 1 if behind[-1] else 0, n)
        return window, _painted(self.canvas.bare(window), near, drawn, paint), behind


def _painted(canvas: Canvas, order: Sequence[int], drawn: list[Patch], paint: Floats) -> Canvas:
    """The canvas after painting one shape after the other."""
    for i in order:
        canvas.paint(i, drawn[i], paint[i], frozenset())
    return canvas


def _around(several: list[Patch]) -> Window:
    """The window that holds all of the patches."""
    rows, columns = zip(*(patch.window for patch in several), strict=True)
    return (
        slice(min(r.start for r in rows), max(r.stop for r in rows), 1),
        slice(min(c.start for c in columns), max(c.stop for c in columns), 1),
    )

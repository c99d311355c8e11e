"""Solid parts of regions that are lines elsewhere: the head of an arrow, the dots on a curve, the bob of a
pendulum, drawn in the colour of the line that they touch."""

from __future__ import annotations

import numpy as np

from unrender.perception.image.mixed import UNRESOLVED
from unrender.perception.image.regions import Labels, Mask, Regions
from unrender.perception.image.residual import connected
from unrender.perception.image.skeleton import Indices
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

THICKER = 1.6  # times as far from the edge as most of a line: where lines cross it is 1.4 times
PIXEL = 0.3  # px by which that is uncertain
STUB = 3.0  # times as long as wide: less of a line that is left beside a solid part is a corner of it
MOST = 0.9  # of a region: if its solid parts are more, it is no line at all
BIN, BINS = 0.25, 160  # px, and how many of them: how finely distances are counted, and how far


def solid_parts(regions: Regions, owner: Labels) -> tuple[Regions, Labels]:
    """The solid parts of regions that are no such part as a whole, as regions of their own, and the owner
    (H, W) of every pixel among them. owner: among the regions."""
    far = _distances(owner)
    limit, wide = _limits(owner, far, len(regions.area), THICKER, PIXEL, BIN, BINS)
    opened = _opened(owner, far, limit)
    if not opened.any():
        return _none(owner)
    rest, count = connected(np.where(opened, 0, np.maximum(owner, 0)), 1)
    _absorb(opened, rest, count, owner, wide, STUB)
    labels, count = connected(np.where(opened, owner, 0), 1)
    source, area, boxes = _measured(labels, owner, count)
    whole = np.bincount(np.maximum(owner, 0).ravel(), minlength=len(limit))
    told = np.bincount(source, area, len(limit))
    kept = (told[source] < MOST * whole[source]) & (area > 4 * limit[source] ** 2)
    kept[0] = False
    if not kept.any():
        return _none(owner)
    number = np.cumsum(kept) * kept
    labels = number[labels].astype(np.int32)
    own = np.flatnonzero(kept)
    among = np.where(labels > 0, labels, np.where(owner == 0, 0, UNRESOLVED)).astype(np.int32)
    colour = np.concatenate([regions.colour[:1], regions.colour[source[own]]])
    area = np.concatenate([[0], area[own]])
    boxes = np.concatenate([np.zeros((1, 4), np.int64), boxes[own]])
    return Regions(labels, colour, area, np.arange(len(area)) > 0, boxes, regions.aliased), among


def _none(owner: Labels) -> tuple[Regions, Labels]:
    nothing = np.zeros_like(owner)
    area = np.zeros(1, np.int64)
    return Regions(nothing, np.zeros((1, 3)), area, area > 0, np.zeros((1, 4), np.int64)), nothing


@compiled
def _distances(owner: Labels) -> Floats:
    """(H, W): about how far, in px, the centre of each pixel of a region lies from its edge."""
    tall, wide = owner.shape
    far = np.zeros((tall, wide), np.float32)
    straight, diagonal = np.float32(1.0), np.float32(1.4)
    for i in range(tall):
        for j in range(wide):
            own = owner[i, j]
            if own <= 0:
                continue
            least = np.float32(1e6)
            for r, c, step in ((i, j - 1, straight), (i - 1, j, straight), (i - 1, j - 1, diagonal),
                               (i - 1, j + 1, diagonal)):  # fmt: skip
                if r >= 0 and 0 <= c < wide and owner[r, c] == own:
                    least = min(least, far[r, c] + step)
                else:
                    least = min(least, step - np.float32(0.5))
            far[i, j] = least
    for i in range(tall - 1, -1, -1):
        for j in range(wide - 1, -1, -1):
            own = owner[i, j]
            if own <= 0:
                continue
            least = far[i, j]
            for r, c, step in ((i, j + 1, straight), (i + 1, j, straight), (i + 1, j - 1, diagonal),
                               (i + 1, j + 1, diagonal)):  # fmt: skip
                if r < tall and 0 <= c < wide and owner[r, c] == own:
                    least = min(least, far[r, c] + step)
                else:
                    least = min(least, step - np.float32(0.5))
            far[i, j] = least
    return far


@compiled
def _limits(
    owner: Labels, far: Floats, regions: int, thicker: float, pixel: float, size: float, bins: int
) -> tuple[Doubles, Doubles]:
    """(R,) px: how far from the edge of each region no line reaches, and how wide its lines are: most pixels
    along the middle of a region are those of its lines."""
    tall, wide = owner.shape
    counts = np.zeros((regions, bins), np.int32)
    for i in range(1, tall - 1):
        for j in range(1, wide - 1):
            own = owner[i, j]
            if own <= 0:
                continue
            middle = True
            for r in range(i - 1, i + 2):
                for c in range(j - 1, j + 2):
                    middle &= far[r, c] <= far[i, j]
            if middle:
                counts[own, min(int(far[i, j] / size), bins - 1)] += 1
    limit, width = np.full(regions, 1e6), np.zeros(regions)
    for k in range(regions):
        total, passed, at = counts[k].sum(), 0, 0
        if total == 0:
            continue
        while 2 * (passed + counts[k, at]) < total:
            passed += counts[k, at]
            at += 1
        half = (at + 0.5) * size
        limit[k], width[k] = thicker * half + pixel, 2 * half
    return limit, width


@compiled
def _opened(owner: Labels, far: Floats, limit: Doubles) -> Mask:
    """bool (H, W): pixels no further from one that is beyond the limit than that one is from the edge."""
    tall, wide = owner.shape
    off = np.full((tall, wide), np.float32(1e6))
    for i in range(tall):
        for j in range(wide):
            own = owner[i, j]
            if own > 0 and far[i, j] > limit[own]:
                off[i, j] = -far[i, j]
    for way in range(2):
        for n in range(tall * wide):
            at = n if way == 0 else tall * wide - 1 - n
            i, j = at // wide, at % wide
            own = owner[i, j]
            if own <= 0 or limit[own] > 1e5:
                continue
            step = -1 if way == 0 else 1
            for r, c, more in ((i, j + step, 1.0), (i + step, j, 1.0), (i + step, j - 1, 1.4),
                               (i + step, j + 1, 1.4)):  # fmt: skip
                if 0 <= r < tall and 0 <= c < wide and owner[r, c] == own:
                    off[i, j] = min(off[i, j], off[r, c] + np.float32(more))
    return off < 0.5


@compiled
def _absorb(opened: Mask, rest: Labels, count: int, owner: Labels, width: Doubles, stub: float) -> None:
    """Add what is left of a region beside its solid parts to these, in place, if it is too short for a
    line."""
    tall, wide = opened.shape
    area, touches, source = np.zeros(count), np.zeros(count, np.bool_), np.zeros(count, np.int64)
    for i in range(tall):
        for j in range(wide):
            part = rest[i, j]
            if part > 0:
                area[part] += 1
                source[part] = owner[i, j]
                for r in range(max(i - 1, 0), min(i + 2, tall)):
                    for c in range(max(j - 1, 0), min(j + 2, wide)):
                        touches[part] |= opened[r, c]
    for i in range(tall):
        for j in range(wide):
            part = rest[i, j]
            if part > 0 and touches[part] and area[part] < stub * width[source[part]] ** 2:
                opened[i, j] = True


@compiled
def _measured(labels: Labels, owner: Labels, count: int) -> tuple[Indices, Indices, Indices]:
    """The owner (count,) of each label, its area, and its window (count, 4)."""
    tall, wide = labels.shape
    source, area = np.zeros(count, np.int64), np.zeros(count, np.int64)
    boxes = np.zeros((count, 4), np.int64)
    boxes[:, 0], boxes[:, 2] = tall, wide
    for i in range(tall):
        for j in range(wide):
            k = labels[i, j]
            if k > 0:
                source[k] = owner[i, j]
                area[k] += 1
                boxes[k, 0], boxes[k, 1] = min(boxes[k, 0], i), max(boxes[k, 1], i + 1)
                boxes[k, 2], boxes[k, 3] = min(boxes[k, 2], j), max(boxes[k, 3], j + 1)
    return source, area, boxes

"""Mixed pixels: the edge between two colour regions runs through them; each is given to the region that
covers more of it."""

from __future__ import annotations

import numpy as np

from unrender.perception.image.regions import Labels, Mask, Regions
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

UNRESOLVED = -1  # the owner of a pixel that is no mixture of two regions nearby: a thin line, a texture
NEAR = 3  # px from a mixed pixel to the regions that it may be a mixture of: edges are 1 to 3 px wide
MOST = 8  # regions that meet near one pixel
OFF = 0.06  # of a channel by which a renderer's mixture of two colours may differ from a straight one


def owners(image: Floats, background: Floats, regions: Regions, sigma: float) -> Labels:
    """int32 (H, W): of each pixel the region that covers most of it, 0 the background, or UNRESOLVED."""
    anchors = regions.solid.copy()
    anchors[0] = True
    limit = 3 * ((3 * sigma) ** 2 + OFF**2)
    owner = _owners(image, background, regions.labels, regions.colour, anchors, NEAR, MOST, limit)
    _give_up_islands(owner, regions.labels)
    return owner


@compiled
def _owners(
    image: Floats,
    background: Floats,
    labels: Labels,
    colour: Doubles,
    anchors: Mask,
    near: int,
    most: int,
    limit: float,
) -> Labels:
    tall, wide = labels.shape
    owner = np.empty((tall, wide), np.int32)
    found, distance, colours = np.empty(most, np.int32), np.empty(most), np.empty((most, 3))
    for i in range(tall):
        for j in range(wide):
            own = labels[i, j]
            if anchors[own]:
                owner[i, j] = own
                continue
            count = 0
            for r in range(max(i - near, 0), min(i + near + 1, tall)):
                for c in range(max(j - near, 0), min(j + near + 1, wide)):
                    label = labels[r, c]
                    if not anchors[label]:
                        continue
                    far, at = (r - i) ** 2 + (c - j) ** 2, 0
                    while at < count and found[at] != label:
                        at += 1
                    if at < count:
                        distance[at] = min(distance[at], far)
                    elif count < most:
                        found[at], distance[at] = label, far
                        for m in range(3):
                            colours[at, m] = background[r, c, m] if label == 0 else colour[label, m]
                        count += 1
            owner[i, j] = _mixture(image[i, j], found, distance, colours, count, limit)
    return owner


@compiled
def _mixture(
    pixel: Floats, found: Labels, distance: Doubles, colours: Doubles, count: int, limit: float
) -> int:
    """The region with the larger share of a pixel: of the two whose mixtures come nearest to it; of equally
    good pairs the nearest ones."""
    best, owner = limit, -1
    for a in range(count):
        for b in range(a):
            length, along = 1e-12, 0.0
            for m in range(3):
                step = colours[b, m] - colours[a, m]
                length += step * step
                along += step * (pixel[m] - colours[a, m])
            share = min(max(along / length, 0.0), 1.0)
            off = 0.0
            for m in range(3):
                off += (pixel[m] - colours[a, m] - share * (colours[b, m] - colours[a, m])) ** 2
            # a pair that is further away must explain the pixel better
            off += 0.01 * limit * (distance[a] + distance[b])
            if off < best:
                best, owner = off, found[b] if share > 0.5 else found[a]
    return owner


@compiled
def _give_up_islands(owner: Labels, labels: Labels) -> None:
    """Take from regions, in place, the mixed pixels that no way through pixels of their own leads to: on the
    far side of a dark line a mixture of the line and what lies beyond it may look like what it surrounds."""
    tall, wide = owner.shape
    reached = owner == labels
    waiting, count = np.empty((tall * wide, 2), np.int32), 0
    for i in range(tall):
        for j in range(wide):
            if reached[i, j] and owner[i, j] > 0:
                waiting[count, 0], waiting[count, 1] = i, j
                count += 1
    while count:
        count -= 1
        i, j = waiting[count, 0], waiting[count, 1]
        for step in range(4):
            r, c = i + (step == 0) - (step == 1), j + (step == 2) - (step == 3)
            if 0 <= r < tall and 0 <= c < wide and not reached[r, c] and owner[r, c] == owner[i, j]:
                reached[r, c] = True
                waiting[count, 0], waiting[count, 1] = r, c
                count += 1
    for i in range(tall):
        for j in range(wide):
            if owner[i, j] > 0 and not reached[i, j]:
                owner[i, j] = UNRESOLVED

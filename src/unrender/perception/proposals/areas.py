"""Areas: what a fit needs to know of one or several regions of a colour: their edge, their moments, their
width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from unrender.perception.image.regions import WALK, Mask, Regions, edge_points
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats, distances
from unrender.render.shape import TAU, Shape, union

POINTS = 48  # of an edge that are fitted
FEWEST = 6  # points of an edge
THIN = 3.0  # px: a stroke up to this width may have no pixel that is all its own
BESIDE = 1.2  # px from an edge of another shape: what lies there may be its edge
ALIKE = 1e-3  # squared distance of colours that look the same
BORDER, BARE = -2, 0  # beyond an edge: the end of the picture, the background


@dataclass(frozen=True, eq=False)
class Area:
    """One region, or several of one colour that may be one shape behind others."""

    x: Doubles  # (POINTS,): on the edge; what is missing has no weight
    y: Doubles
    weight: Doubles
    bare: Mask  # which points border on the background
    line: (
        tuple[Doubles, Doubles, Doubles] | None
    )  # of a thin area: its pixels, x, y and how much each is painted
    mean: Doubles  # (2,)
    covariance: Doubles  # (2, 2)
    colour: Doubles  # (3,)
    hollow: bool  # it has holes
    inner: Doubles | None  # (3,): the colour of the region that fills its hole, if it differs from that around it
    width: float  # px of a stroke whose both edges these are
    extent: float  # px: half of the longest side that a shape of it may have

    @classmethod
    def of(
        cls,
        image: Floats,
        ground: Floats,
        regions: Regions,
        which: Sequence[int],
        others: Sequence[Shape] = (),
    ) -> Area | None:
        """None if there is too little of an edge.

        ground: what lies around the regions. others: shapes whose edges the edge of the area may be in part.
        """
        found = [
            edge_points(
                image, ground, regions.labels, regions.colour, regions.solid, k, regions.window(k), WALK
            )
            for k in which
        ]
        x, y, beside = found[0] if len(found) == 1 else (np.concatenate(p) for p in zip(*found, strict=True))
        edges, own = len(x), beside != BORDER
        for other in others:
            own &= ~on_edge(other, x, y)
        if own.sum() < FEWEST:
            return None
        at = np.nonzero(own)[0]
        pick = at[np.linspace(0, len(at) - 1, POINTS).astype(int)]
        weight = np.full(POINTS, min(len(at) / POINTS, 1.0))
        top, bottom, left, right = union([regions.window(k) for k in which])
        labels = regions.labels[top:bottom, left:right]
        mask = labels == which[0] if len(which) == 1 else np.isin(labels, which)
        filled = ndimage.binary_fill_holes(mask)
        size = int(mask.sum())
        mean, covariance = moments(filled, left, top)
        width = 2 * size / edges
        line = _line(image, ground, regions, which) if width < THIN else None
        extent = 2.0 * max(bottom - top, right - left)
        hollow = int(filled.sum()) > size
        colour = regions.colour[which[0]]
        inner = _inner(regions, which, ground) if hollow else None
        return cls(
            x[pick],
            y[pick],
            weight,
            beside[pick] == BARE,
            line,
            mean,
            covariance,
            colour,
            hollow,
            inner,
            width,
            extent,
        )


def on_edge(shape: Shape, x: Doubles, y: Doubles) -> Mask:
    """Which points (M,) lie on an edge that the shape paints."""
    signed = np.abs(distances(shape, x, y)[0][0])
    if shape.stroke is None:
        return np.asarray(signed < BESIDE)
    near = np.abs(signed - shape.pose[TAU]) < BESIDE
    return np.asarray(near if shape.fill is None else near | (signed < BESIDE))


def _inner(regions: Regions, which: Sequence[int], ground: Floats) -> Doubles | None:
    """The colour that most of what a hollow area encloses shows beside it, if what lies around has another."""
    top, bottom, left, right = union([regions.window(k, WALK) for k in which])
    labels = regions.labels[top:bottom, left:right]
    mask = np.isin(labels, which)
    filled = ndimage.binary_fill_holes(mask)
    near = ndimage.binary_dilation(mask, np.ones((3, 3)), iterations=WALK) & ~mask
    inside, outside = labels[near & filled], labels[near & ~filled]
    inside, outside = inside[regions.solid[inside] | (inside == 0)], outside[regions.solid[outside] | (outside == 0)]
    if not len(inside):
        return None
    label = int(np.bincount(inside).argmax())
    if label == 0:
        return None
    colour = regions.colour[label]
    if len(outside):
        beyond = int(np.bincount(outside).argmax())
        far = ground[top:bottom, left:right][near & ~filled].mean(0) if beyond == 0 else regions.colour[beyond]
        if ((far - colour) ** 2).sum() < ALIKE:
            return None
    return colour


def moments(mask: Mask, left: int, top: int) -> tuple[Doubles, Doubles]:
    """Mean (2,) and covariance (2, 2) of the area of a mask whose first pixel is at (left, top)."""
    by_row, by_column = mask.sum(1).astype(float), mask.sum(0).astype(float)
    total = max(by_row.sum(), 1.0)
    rows, columns = np.arange(len(by_row)), np.arange(len(by_column))
    y, x = (by_row @ rows) / total, (by_column @ columns) / total
    vy, vx = (by_row @ (rows - y) ** 2) / total, (by_column @ (columns - x) ** 2) / total
    vxy = ((rows - y) @ (mask @ (columns - x))) / total
    return (
        np.array([x + left + 0.5, y + top + 0.5]),
        np.array([[vx + 1 / 12, vxy], [vxy, vy + 1 / 12]]),
    )


def _line(
    image: Floats, ground: Floats, regions: Regions, which: Sequence[int]
) -> tuple[Doubles, Doubles, Doubles] | None:
    """The pixels of a thin area: the middle of a stroke runs through them. At most a few hundred."""
    top, bottom, left, right = union([regions.window(k, 1) for k in which])
    own = ndimage.binary_dilation(np.isin(regions.labels[top:bottom, left:right], which))
    step = regions.colour[which[0]] - ground[top:bottom, left:right]
    off = image[top:bottom, left:right] - ground[top:bottom, left:right]
    share = (off * step).sum(2) / np.maximum((step * step).sum(2), 1e-9)
    rows, columns = np.nonzero(own & (share > 0.15))
    if len(rows) < FEWEST:
        return None
    pick = np.linspace(0, len(rows) - 1, 2 * POINTS).astype(int)
    rows, columns = rows[pick], columns[pick]
    return columns + (left + 0.5), rows + (top + 0.5), share[rows, columns].clip(0, 1)

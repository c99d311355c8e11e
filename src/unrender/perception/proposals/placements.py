"""Placements: where in an area a known rigid shape may lie, by the corners that both have.

A corner of the shape on a corner of the area tells its place and its rotation; its scale is told by an edge
that both have there, by what memory has seen, or by any other corner of the area.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.perception.proposals.polygon import Polygon, polygon
from unrender.perception.refine.solver import Field
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.coverage import Floats
from unrender.render.shape import ANGLE, OWN, A, B, Shape, X, Y

Indices = NDArray[np.int64]

GRID = 160  # px a side of the picture of a known shape
SAMPLES = 80  # points inside it
ALIKE = math.radians(12)  # by which two corners may differ that are the same
WITHIN = 0.95  # of the points of a shape must lie in the area
CLOSE = (0.7, 0.02, math.radians(3))  # px, log of the scale, radians: nearer placements are one


@dataclass(frozen=True, eq=False)
class KnownShape:
    """A rigid shape that is looked for, measured at scale 1 (half of its side is 1 px)."""

    primitive: Primitive
    scales: tuple[float, ...] = ()  # px: half its side in the past
    parts: Callable[[Shape], Sequence[Shape]] | None = None  # those that one of them is made of

    @cached_property
    def _inner(self) -> Floats:
        """(GRID + 2, GRID + 2): a half on the outline, more by the distance in px within."""
        side = (np.arange(GRID + 2) - 0.5) * (2 / GRID) - 1
        x, y = (grid.ravel()[None].copy() for grid in np.meshgrid(side, side))
        pose = np.zeros((1, OWN + len(self.primitive.own)))
        pose[0, A] = pose[0, B] = 1.0
        field = Field(self.primitive, *x.shape)
        field.at(pose, x, y)
        inner: Floats = (0.5 - field.signed * GRID / 2).reshape(GRID + 2, GRID + 2).astype(np.float32)
        return inner

    @property
    def _alpha(self) -> Floats:
        """(GRID, GRID): coverage."""
        return self._inner[1:-1, 1:-1].clip(0, 1)

    @cached_property
    def solid(self) -> bool:
        """Whether it is wide enough anywhere to be told by what it covers; thin strokes are not."""
        return bool((self._alpha > 0.5).any())

    @cached_property
    def polygon(self) -> Polygon:
        found = polygon(self._inner, -1, -1, exact=True)
        at = found.at * (2 / GRID) - 1
        return Polygon(at, found.into, found.out, found.before * (2 / GRID), found.after * (2 / GRID))

    @cached_property
    def area(self) -> float:
        return float(self._alpha.sum()) * (2 / GRID) ** 2

    @cached_property
    def inside(self) -> Doubles:
        """(SAMPLES, 2): points well inside, evenly spread."""
        alpha = self._alpha
        deep = ndimage.binary_erosion(alpha > 0.99, iterations=2)
        rows, columns = np.nonzero(deep if deep.any() else alpha > 0.5)
        pick = np.linspace(0, len(rows) - 1, SAMPLES).astype(int)
        return (np.stack([columns[pick], rows[pick]], 1) + 0.5) * (2 / GRID) - 1

    @cached_property
    def moments(self) -> tuple[Doubles, Doubles, float]:
        """Mean (2,), covariance (2, 2) and area of the shape without holes."""
        rows, columns = np.nonzero(ndimage.binary_fill_holes(self._alpha > 0.5))
        points = (np.stack([columns, rows]) + 0.5) * (2 / GRID) - 1
        return points.mean(1), np.cov(points), len(rows) * (2 / GRID) ** 2


@dataclass(frozen=True, eq=False)
class Shown:
    """How much of each pixel shows an area's colour, in a window of the picture."""

    alpha: Floats  # (h, w)
    left: int
    top: int

    @cached_property
    def area(self) -> float:
        """px"""
        return float(self.alpha.sum())

    @cached_property
    def polygon(self) -> Polygon:
        return polygon(self.alpha, self.left, self.top)

    def at(self, x: Doubles, y: Doubles) -> Floats:
        """alpha at any points of the picture (...); 0 beyond the window."""
        i, j = np.floor(y - self.top).astype(int) + 1, np.floor(x - self.left).astype(int) + 1
        padded = np.pad(self.alpha, 1)
        tall, wide = padded.shape
        values: Floats = padded[i.clip(0, tall - 1), j.clip(0, wide - 1)]
        return values


def placements(known: KnownShape, shown: Shown, smallest: float, scales: Sequence[float] | None) -> Doubles:
    """Poses (N, P) at which a known shape lies within an area, one corner on one of its corners.

    smallest: px of its area. scales: of half its side (px), beside those that common edges tell; None: any
    that another corner of the area tells.
    """
    own, there = known.polygon, shown.polygon
    c, r, turn = _corner_pairs(own, there)
    if not len(c):
        return np.zeros((0, OWN))
    along = [there.before[r] / own.before[c], there.after[r] / own.after[c]]
    if scales is None:
        apart = there.at[None] - there.at[r][:, None]  # (N, K, 2)
        along += list((np.abs((apart * there.out[r][:, None]).sum(2)) / own.after[c][:, None]).T)
        along += list((np.abs((apart * there.into[r][:, None]).sum(2)) / own.before[c][:, None]).T)
    else:
        along += [np.full(len(c), scale) for scale in scales]
    scale = np.stack(along)  # (S, N)
    area = scale**2 * known.area
    s, n = np.nonzero((area > smallest) & (area < shown.area / WITHIN))
    scale, turn, corner = scale[s, n], turn[n], own.at[c[n]] @ np.array([1, 1j])
    centre = there.at[r[n]] @ np.array([1, 1j]) - scale * np.exp(1j * turn) * corner
    pose = np.zeros((len(n), OWN + len(known.primitive.own)))
    pose[:, X], pose[:, Y], pose[:, ANGLE] = centre.real, centre.imag, turn
    pose[:, A] = pose[:, B] = scale
    pose = _distinct(pose, known.primitive)
    points = _placed(pose, known.inside)
    inside = (shown.at(points.real, points.imag) > 0.5).mean(1)
    within: Doubles = pose[inside > WITHIN]
    return within


def _corner_pairs(own: Polygon, there: Polygon) -> tuple[Indices, Indices, Doubles]:
    """Corners of a shape that may lie on corners of an area, and the rotation (radians) of the shape then.

    Two that turn alike share both edges. Where the area is concave two shapes may meet, each with a convex
    corner that has one edge of the area.
    """
    own_edges, edges = (
        (each.into @ np.array([1, 1j]), each.out @ np.array([1, 1j])) for each in (own, there)
    )
    c, r = np.nonzero(np.abs(own.angle[:, None] - there.angle[None]) < ALIKE)
    pairs = [(c, r, np.angle((edges[0] + edges[1])[r] * np.conj((own_edges[0] + own_edges[1])[c])))]
    c, r = np.nonzero((own.angle[:, None] > 0) & (there.angle[None] < 0))
    pairs += [(c, r, np.angle(edges[k][r] * np.conj(own_edges[k][c]))) for k in (0, 1)]
    c, r, turn = (np.concatenate(column) for column in zip(*pairs, strict=True))
    return c, r, turn


def _placed(pose: Doubles, points: Doubles) -> NDArray[np.complex128]:
    """x + i y (N, Q) of points (Q, 2) of scale 1 at poses (N, P)."""
    turned = (pose[:, A] * np.exp(1j * pose[:, ANGLE]))[:, None] * (points @ np.array([1, 1j]))
    placed: NDArray[np.complex128] = turned + (pose[:, X] + 1j * pose[:, Y])[:, None]
    return placed


def _distinct(pose: Doubles, primitive: Primitive) -> Doubles:
    """Without those that differ from another by less than the pixels tell."""
    period = 2 * math.pi / primitive.symmetry.turns
    turn = np.remainder(pose[:, ANGLE] + CLOSE[2] / 4, period)
    key = [pose[:, X] / CLOSE[0], pose[:, Y] / CLOSE[0], np.log(pose[:, A]) / CLOSE[1], turn / CLOSE[2]]
    _, first = np.unique(np.round(np.stack(key, 1)).astype(np.int64), axis=0, return_index=True)
    kept: Doubles = pose[np.sort(first)]
    return kept

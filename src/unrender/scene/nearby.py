"""Which points lie near others: by comparing all of them where they are few, else by a tree over them.

For a few hundred comparisons a tree is no faster, and importing it takes longer than all of them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
FEW = 200_000  # numbers that are compared at once


class Nearby:
    """Points (N, D) that are looked up by places (M, D)."""

    def __init__(self, points: Floats) -> None:
        self._points = points

    @cached_property
    def _tree(self) -> cKDTree:
        from scipy.spatial import cKDTree

        return cKDTree(self._points)

    def nearest(self, places: Floats, count: int) -> tuple[Floats, Ints]:
        """Distances and indices (M, count) of the points nearest to each place, the nearest first; where
        there are fewer points, the distance is infinite and the index N."""
        if self._are_many(places):
            return self._tree.query(places, k=list(range(1, count + 1)))  # type: ignore[no-any-return]
        apart = np.sqrt(((places[:, None] - self._points) ** 2).sum(-1))
        apart = np.pad(apart, ((0, 0), (0, max(0, count - apart.shape[1]))), constant_values=np.inf)
        index = np.argsort(apart, axis=1, kind="stable")[:, :count]
        return np.take_along_axis(apart, index, 1), index.clip(max=len(self._points))

    def within(self, places: Floats, reach: float, p: float = 2.0) -> tuple[Ints, Ints]:
        """The pairs of a place and a point that are at most `reach` apart in the p-norm (2 or infinity):
        indices (K,) of both, in order."""
        if self._are_many(places):
            found = self._tree.query_ball_point(places, reach, p=p, return_sorted=True)
            rows = np.repeat(np.arange(len(places)), [len(own) for own in found])
            return rows, np.concatenate([np.asarray(own, np.int64) for own in found])
        off = np.abs(places[:, None] - self._points)
        apart = off.max(-1) if p == np.inf else np.sqrt((off**2).sum(-1))
        rows, index = np.nonzero(apart <= reach)
        return rows, index

    def _are_many(self, places: Floats) -> bool:
        return places.size * len(self._points) > FEW

"""Cover: the sets of shapes that together fill an area in the fewest bits, by a small branch and bound."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.protocol import Doubles

MOST = 6  # shapes of one area
KEPT = 4  # sets that are returned
NODES = 3000  # of the search: what is not found by then is left to others
LEFT = 0.03  # of the points may stay uncovered: edges are never exact before they are refined

Mask = NDArray[np.bool_]


@dataclass(eq=False)
class _Search:
    covers: Mask  # (N, M): which points each candidate covers
    bits: Doubles  # (N,)
    blank: float  # bits of a point that nothing covers
    slack: float  # points that may stay uncovered
    most: int  # candidates of one set
    nodes: int = 0
    found: list[tuple[float, tuple[int, ...]]] = field(default_factory=list)

    def go(self, left: Mask, chosen: tuple[int, ...], cost: float) -> None:
        """Every way to go on from some candidates that were chosen."""
        rest = int(left.sum())
        if rest <= self.slack:
            self.keep(cost + rest * self.blank, chosen)
            if rest * self.blank <= self.bits.min():
                return
        self.nodes += 1
        if self.nodes > NODES or len(chosen) >= self.most:
            return
        gains = self.covers[:, left]
        new = gains.sum(1)
        largest = int(new.max(initial=0))
        if not largest:
            return
        least = max(np.ceil((rest - self.slack) / largest), 1) * self.bits.min()
        if len(self.found) >= KEPT and cost + least >= self.found[-1][0]:
            return
        pivot = int(np.where(gains.any(0), gains.sum(0), len(gains) + 1).argmin())  # fewest choices
        options = np.nonzero(gains[:, pivot])[0]
        for n in options[np.argsort(self.bits[options] / np.maximum(new[options], 1), kind="stable")]:
            self.go(left & ~self.covers[n], (*chosen, int(n)), cost + float(self.bits[n]))

    def keep(self, cost: float, chosen: tuple[int, ...]) -> None:
        """Remember a set if it is among the cheapest and holds no cheaper one."""
        key = tuple(sorted(chosen))
        if not any(less <= cost and set(other) <= set(key) for less, other in self.found):
            self.found = sorted([*self.found, (cost, key)])[:KEPT]


def cheapest(
    covers: Mask, bits: Doubles, blank: float, left: float = LEFT, most: int = MOST
) -> list[list[int]]:
    """Sets of at most so many candidates (indices) that cover all of the points but a share that may be left,
    the cheapest first.

    covers: bool (N, M), which of the M points of an area each candidate covers. bits: (N,) of each candidate.
    blank: bits of a point that is not covered.
    """
    if not covers.size:
        return []
    search = _Search(covers, bits, blank, left * covers.shape[1], min(most, MOST))
    search.go(np.ones(covers.shape[1], bool), (), 0.0)
    return [list(chosen) for _, chosen in search.found]

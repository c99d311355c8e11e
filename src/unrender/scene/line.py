"""Line: a piece of a drawing as it was drawn, from end to end or from junction to junction."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.scene import reading

FREE, CLOSED = 0, -1  # what a line ends at, if not at a junction
KEPT = 240  # points of all lines of a drawing that is kept: three times as many as are compared
APART = 2.0  # px between points along a line, unless there would be more
DECIMALS = 1  # of a px


@dataclass(frozen=True, eq=False)
class Line:
    """Points in order."""

    points: NDArray[np.float64]  # (P, 2) px; of a dot one
    ends: tuple[int, int] = (FREE, FREE)  # the junction (from 1) at its first and its last point, or none

    @property
    def closed(self) -> bool:
        return self.ends[0] == CLOSED

    @property
    def length(self) -> float:
        """px."""
        return float(np.hypot(*np.diff(self.points, axis=0).T).sum())

    def to_list(self) -> list[float]:
        """Plain JSON values: what it ends at, then x and y of all points."""
        return [*self.ends, *self.points.ravel().tolist()]

    @classmethod
    def from_list(cls, values: Sequence[Any]) -> Line:
        """What `to_list` gave; a ValueError or TypeError if that cannot be."""
        first, last = (reading.whole(value) for value in values[:2])
        numbers = [reading.number(value) for value in values[2:]]
        if not numbers or len(numbers) % 2 or min(first, last) < CLOSED:
            raise ValueError("a line that cannot be")
        return cls(np.array(numbers).reshape(-1, 2), (first, last))


def rounded(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Lines with no more and no finer points than are worth keeping; the longest, if there are very many."""
    longest = sorted(lines, key=lambda line: -line.length)[: KEPT // 2]
    apart = max(APART, sum(line.length for line in longest) / (KEPT // 2))
    return tuple(Line(_evenly(line, apart).round(DECIMALS), line.ends) for line in longest)


def _evenly(line: Line, apart: float) -> NDArray[np.float64]:
    """Points along a line, about so far apart (px), with both of its ends."""
    far = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line.points, axis=0).T))])
    if far[-1] == 0:
        return line.points[:1]
    at = np.linspace(0.0, far[-1], 1 + max(1, math.ceil(far[-1] / apart)))
    return np.stack([np.interp(at, far, line.points[:, k]) for k in (0, 1)], 1)

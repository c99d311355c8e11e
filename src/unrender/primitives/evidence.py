"""Evidence: what a picture tells about one region, for primitives that say themselves what to try there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Line:
    """Ordered points, and the straight pieces and arcs that they were cut into: an outline or a centre
    line."""

    x: Doubles  # (n,) px
    y: Doubles
    error: Doubles  # (n,): standard error across the line, px
    corner: Doubles  # (K, 2) px: where the pieces begin, and, of an open line, where the last one ends
    radius: Doubles  # (pieces,) px: of an arc, positive if it turns to the right; 0 for a straight piece
    centre: Doubles  # (pieces, 2) px: of an arc
    closed: bool
    first: NDArray[np.int64]  # (pieces,): index of the first point of each
    free: tuple[bool, bool] = (True, True)  # which ends of an open line end by themselves, not at another one

    def sweep(self, piece: int) -> float:
        """The angle (radians) that an arc sweeps."""
        if len(self.radius) == 1 and self.closed:
            return 2 * math.pi
        first, last = self.corner[piece], self.corner[(piece + 1) % len(self.corner)]
        (ax, ay), (bx, by) = first - self.centre[piece], last - self.centre[piece]
        turn = math.atan2(ax * by - ay * bx, ax * bx + ay * by)
        return (turn if self.radius[piece] > 0 else -turn) % (2 * math.pi)

    def extended(self, before: float, after: float) -> Line:
        """The same open line, longer by so many px at its first and its last point, along its pieces."""
        if self.closed or not len(self.radius):
            return self
        corner = self.corner.copy()
        for piece, end, beside, length in ((0, 0, 1, before), (-1, -1, -2, after)):
            if self.radius[piece]:
                turn = length / self.radius[piece] * (-1 if end == 0 else 1)
                arm, (cos, sin) = corner[end] - self.centre[piece], (math.cos(turn), math.sin(turn))
                corner[end] = self.centre[piece] + (cos * arm[0] - sin * arm[1], sin * arm[0] + cos * arm[1])
            else:
                way = corner[end] - corner[beside]
                corner[end] += way * (length / max(float(np.hypot(*way)), 1e-9))
        return replace(self, corner=corner)

    def rounded(self, half: float) -> Line:
        """The centre line of a stroke of half this width with round ends that paints as much as one with
        straight ends does on this line."""
        short = half * math.pi / 4
        return self.extended(*(-short if free else 0.0 for free in self.free))


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of a region of one colour."""

    outlines: Sequence[Line]  # its contours, the outer one first, then holes
    strokes: Sequence[Line]  # its centre lines, if it is thin
    width: float  # px: of the strokes
    mean: Doubles  # (2,) px
    covariance: Doubles  # (2, 2) px²

    @cached_property
    def number(self) -> dict[int, int]:
        """The number, from 1, of each of its centre lines, by identity."""
        return {id(line): k for k, line in enumerate(self.strokes, 1)}


@dataclass(frozen=True, eq=False)
class Start:
    """A shape to try: its pose (x, y, a, b, angle, τ and own parameters, as in `render.shape`) and its
    form."""

    pose: Doubles
    form: Doubles
    stroked: bool
    along: Line | None = None  # the centre line that it follows, if it does not go round the region
    exact: bool = False  # it lies on the line already and need not be fitted to its points


Starts = Callable[[Evidence], Sequence[Start]]
"""From evidence about a region to the shapes to try there."""

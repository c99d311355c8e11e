"""R_α of the paper: the poses that draw the same pixels. The one place that interprets symmetry groups."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Symmetry:
    """Which changes of (width, height, rotation) leave a shape as it is.

    turns: how often it repeats in a full turn whatever its proportions (2 for a rectangle, 1 for a triangle).
    even: how often it repeats if width and height are equal (4 for a square, 3 for an equilateral triangle, 0
    for a circle, which looks the same at every angle).
    swaps: whether a quarter turn is the same as exchanging width and height.
    """

    turns: int = 1
    even: int = 1
    swaps: bool = False

    def equivalent(
        self, width: float, height: float, degrees: float, tolerance: float = 0.0
    ) -> Iterator[tuple[float, float, float]]:
        """All (width, height, degrees) that draw the same; sides that differ by less than the share
        `tolerance` count as equal, and angles of what is round as 0."""
        if abs(width - height) <= tolerance * max(width, height):
            mean = (width + height) / 2
            if self.even == 0:
                yield mean, mean, 0.0
                return
            for k in range(self.even):
                yield mean, mean, _wrapped(degrees + 360.0 * k / self.even)
            return
        for k in range(self.turns):
            turned = degrees + 360.0 * k / self.turns
            yield width, height, _wrapped(turned)
            if self.swaps:
                yield height, width, _wrapped(turned + 90.0)

    def canonical(
        self, width: float, height: float, degrees: float, tolerance: float = 0.0
    ) -> tuple[float, float, float]:
        """The equivalent pose that is turned the least."""
        return min(
            self.equivalent(width, height, degrees, tolerance),
            key=lambda pose: (round(abs(pose[2]), 6), -pose[2]),
        )


def _wrapped(degrees: float) -> float:
    """In (-180, 180]."""
    turned = math.remainder(degrees, 360.0)
    return 180.0 if turned == -180.0 else turned

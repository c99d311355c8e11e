"""The budget of a picture: work is counted, not timed, so that the same picture is always seen the same way.

A unit is about a microsecond on one core. Whatever the picture, the work grows at most linearly with its
pixels;
what is not read when the budget is spent stays residual.
"""

from __future__ import annotations

from dataclasses import dataclass

BASE = 1_500_000.0  # units for any picture
PER_PIXEL = 1.5  # units more for each pixel
CALL, PIXEL, POINT = 60.0, 0.05, 0.04  # units of any step, and of one pixel or one point of an edge in it


@dataclass(eq=False)
class Budget:
    """Units that may be spent on a picture, and those that were."""

    limit: float
    used: float = 0.0

    @classmethod
    def of(cls, pixels: int) -> Budget:
        """That of a picture of so many pixels."""
        return cls(BASE + PER_PIXEL * pixels)

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.used >= self.limit

    def draw(self, pixels: int) -> None:
        """Count one drawing of a window."""
        self.used += CALL + PIXEL * pixels

    def refine(self, pixels: int, steps: int) -> None:
        """Count one refinement against the pixels of a window."""
        self.used += steps * (CALL + PIXEL * pixels)

    def fit(self, starts: int, points: int, steps: int) -> None:
        """Count fits of many starts to the points of an edge."""
        self.used += steps * (CALL + POINT * starts * points)

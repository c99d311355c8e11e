"""R_α of the paper: the poses that draw the same pixels. The one place that interprets symmetry groups."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

NEARLY = 0.15  # of the longer side by which sides differ that are nearly equal


@dataclass(frozen=True)
class Symmetry:
    """Which changes of (width, height, rotation) leave a shape as it is.

    turns: how often it repeats in a full turn whatever its proportions (2 for a rectangle, 1 for a triangle,
    0 for what looks the same at every angle).
    even: how often it repeats if width and height are equal (4 for a square, 3 for an equilateral triangle, 0
    for a circle, which looks the same at every angle).
    swaps: whether a quarter turn is the same as exchanging width and height.
    exchanges: the pairs of own parameters that such a quarter turn exchanges, too.
    """

    turns: int = 1
    even: int = 1
    swaps: bool = False
    exchanges: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of_order(cls, order: int, stretched: bool = True) -> Symmetry:
        """That of a unit shape that repeats `order` times in a full turn (0: at every angle), stretched to
        its sides; or that of a whole, which repeats so often whatever its sides are."""
        if not stretched:
            return cls(order, order)
        return cls(2 if order % 2 == 0 else 1, order, swaps=order % 4 == 0)

    @property
    def round(self) -> bool:
        """Whether no rotation shows where width and height are equal."""
        return self.swaps and self.even == 0

    def nearly_alike(self, width: float, height: float) -> list[float]:
        """Degrees by which a shape whose sides are nearly equal may be turned to look nearly the same, though
        neither a turn nor an exchange of sides makes it so: which corner of a triangle is its apex is told by
        a little."""
        if self.swaps or self.even <= self.turns or abs(width - height) > NEARLY * max(width, height):
            return []
        return [360.0 * k / self.even for k in range(1, self.even // self.turns)]

    def period(self, equal: bool) -> float:
        """Degrees after which it looks the same again, by its sides equal or not; 0 for every angle."""
        often = self.even if equal else self.turns
        return 360.0 / often if often else 0.0

    def options(
        self, width: float, height: float, degrees: float, equal: bool
    ) -> list[tuple[float, float, float, float]]:
        """Equivalent (width, height, degrees), each with the period of its further turns in degrees."""
        found = [(width, height, degrees, self.period(equal))]
        if self.swaps:
            turn = 0.0 if equal and not self.even else 180.0
            found.append((height, width, degrees + 90.0, turn))
        return found

    def shows(self, equal: bool) -> bool:
        """Whether a turn of a shape with its sides equal or not can be seen at all."""
        return self.period(equal) > 0

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
        if self.turns == 0:
            yield width, height, 0.0
        for k in range(self.turns):
            turned = degrees + 360.0 * k / self.turns
            yield width, height, _wrapped(turned)
            if self.swaps:
                yield height, width, _wrapped(turned + 90.0)

    def exchanged(self, attributes: Mapping[str, float]) -> dict[str, float]:
        """The attributes of a shape that is read after a quarter turn."""
        other = {one: two for pair in self.exchanges for one, two in (pair, pair[::-1])}
        return {name: attributes.get(other.get(name, name), value) for name, value in attributes.items()}

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

"""Parts of ellipses as SVG tells them, with as many decimals as a picture supports."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

Point = tuple[float, float]

FAITHFUL, NEAR = 0.02, 0.05  # px by which rounding may move the middle of an arc: gladly, and at most
TRIED = (0, -1, 1, -2, 2, -3, 3)  # last digits that are added to the radii


def number(value: float, decimals: int = 4) -> str:
    """With at most so many decimals; four are finer than any renderer."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class Arc:
    """A part of the outline of an ellipse, in px, as the command A of SVG has it."""

    start: Point
    end: Point
    rx: float
    ry: float
    degrees: float  # by which the axes are turned
    large: bool
    sweep: bool  # clockwise on the screen

    @property
    def middle(self) -> Point:
        """The point half way along it. Radii too small for the chord are those of half an ellipse."""
        turn = math.radians(self.degrees)
        cos, sin = math.cos(turn), math.sin(turn)

        def unit(point: Point) -> Point:  # where the ellipse is a circle of radius 1
            x, y = point
            return (cos * x + sin * y) / self.rx, (cos * y - sin * x) / self.ry

        (px, py), (qx, qy) = unit(self.start), unit(self.end)
        mx, my, dx, dy = (px + qx) / 2, (py + qy) / 2, (qx - px) / 2, (qy - py) / 2
        half = max(math.hypot(dx, dy), 1e-12)
        off = math.sqrt(max(1 - half * half, 0.0))  # of the centre from the chord
        far = max(half, 1.0) + (off if self.large else -off)
        far = far if self.sweep else -far  # a way that turns to the right lies to the left of its chord
        x, y = (mx + far * dy / half) * self.rx, (my - far * dx / half) * self.ry
        return cos * x - sin * y, sin * x + cos * y

    @property
    def sagitta(self) -> float:
        """How far (px) its middle lies from its chord's."""
        return math.dist(self.middle, [(a + b) / 2 for a, b in zip(self.start, self.end, strict=True)])

    def words(self, decimals: int) -> list[str]:
        """The command, rounded. Half an ellipse hangs upon the last digit of its radii: those are taken that
        leave its middle where it is, and where none do, it is told as two arcs. What bends by less than the
        last digit is straight."""
        digit = 10.0**-decimals
        if not min(self.rx, self.ry) > 0 or self.sagitta < digit / 2:
            return ["L", *(number(value, decimals) for value in self.end)]
        rounded = replace(self, start=_rounded(self.start, decimals), end=_rounded(self.end, decimals))
        told, best = rounded, math.inf
        for step in TRIED:
            grown = 1 + step * digit / max(self.rx, digit)
            radii = [round(radius * grown, decimals) for radius in (self.rx, self.ry)]
            if min(radii) <= 0:
                continue
            tried = replace(rounded, rx=radii[0], ry=radii[1])
            if (off := math.dist(tried.middle, self.middle)) < best:
                told, best = tried, off
            if best < FAITHFUL:
                break
        if best > NEAR and self.sagitta > NEAR:
            first, second = self.halves()
            return [*first.words(decimals), *second.words(decimals)]
        turned = "0" if math.isclose(self.rx, self.ry, rel_tol=1e-9) else number(self.degrees, decimals)
        numbers = [number(told.rx, decimals), number(told.ry, decimals), turned]
        numbers += [str(int(self.large)), str(int(self.sweep))]
        return ["A", *numbers, *(number(value, decimals) for value in told.end)]

    def halves(self) -> tuple[Arc, Arc]:
        """The same as two arcs."""
        first = replace(self, end=self.middle, large=False)
        return first, replace(self, start=self.middle, large=False)


def _rounded(point: Point, decimals: int) -> Point:
    return round(point[0], decimals), round(point[1], decimals)

"""What the world of line drawings draws: things of strokes, each about 2 px large around the origin.

A drawing is a tuple of strokes; a stroke is its points and how they are joined: by straight lines, by one
cubic curve through four control points, or as a circle or a box around the first of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unrender.primitives.evidence import Doubles
from unrender.primitives.path import framed
from unrender.primitives.polycurve import CLOSES, ENDS
from unrender.primitives.registry import find
from unrender.scene import Observation

Point = tuple[float, float]


@dataclass(frozen=True)
class Stroke:
    """One stroke of a drawing, without its width and its colour."""

    kind: str  # the primitive that tells it
    points: tuple[Point, ...]  # corners, control points; or the centre, and half of width and height
    closed: bool = False
    start: float = 0.0  # of an arc, shares of a turn
    sweep: float = 1.0

    def told(self, width: float, looks: dict[str, float]) -> Observation:
        """As it is observed at this width (px) in these colours."""
        return getattr(self, f"_{self.kind}")(width, looks)  # type: ignore[no-any-return]

    def _edge(self, width: float, looks: dict[str, float]) -> Observation:
        (x1, y1), (x2, y2) = self.points
        length, turn = math.dist(*self.points), math.degrees(math.atan2(y2 - y1, x2 - x1))
        place = ((x1 + x2) / 2, (y1 + y2) / 2)
        style = looks | {"filled": 1.0, "thickness": 0.0, "cap": 1.0}
        return Observation("edge", place, (length + width, width), turn, style)

    def _circle(self, width: float, looks: dict[str, float]) -> Observation:
        return self._boxed("circle", width, looks, {})

    def _square(self, width: float, looks: dict[str, float]) -> Observation:
        return self._boxed("square", width, looks, {"corner": 0.0})

    def _arc(self, width: float, looks: dict[str, float]) -> Observation:
        return self._boxed("arc", width, looks, {"start": self.start, "sweep": self.sweep})

    def _boxed(self, kind: str, width: float, looks: dict[str, float], own: dict[str, float]) -> Observation:
        place, (a, b) = self.points
        side = find(kind).stroke_side(2 * a, 2 * b)
        style = looks | {"filled": 0.0, "thickness": width / side} | own
        return Observation(kind, place, (2 * a, 2 * b), 0.0, style)

    def _path(self, width: float, looks: dict[str, float]) -> Observation:
        form = np.array([[0.0, x, y] for x, y in self.points])
        form[-1, 0] = CLOSES if self.closed else ENDS
        return _formed("path", *framed(form.ravel(), width / 2), looks)

    def _curve(self, width: float, looks: dict[str, float]) -> Observation:
        pose = np.array([0.0, 0.0, 1.0, 1.0, 0.0, width / 2])
        return _formed("curve", *find("curve").canonical(pose, np.ravel(self.points)), looks)


def _formed(kind: str, pose: Doubles, form: Doubles, looks: dict[str, float]) -> Observation:
    x, y, a, b, _, tau = pose.tolist()
    style = looks | {"filled": 0.0, "thickness": 2 * tau / find(kind).stroke_side(2 * a, 2 * b)}
    return Observation(kind, (x, y), (2 * a, 2 * b), 0.0, style, form=tuple(form.tolist()))


def _line(*points: Point) -> Stroke:
    return Stroke("edge" if len(points) == 2 else "path", points)


def _polygon(*points: Point) -> Stroke:
    return Stroke("path", points, closed=True)


def _ring(x: float, y: float, r: float) -> Stroke:
    return Stroke("circle", ((x, y), (r, r)))


def _box(x: float, y: float, a: float, b: float) -> Stroke:
    return Stroke("square", ((x, y), (a, b)))


def _arc(x: float, y: float, r: float, start: float, sweep: float) -> Stroke:
    return Stroke("arc", ((x, y), (r, r)), start=start, sweep=sweep)


SKETCHES: dict[str, tuple[Stroke, ...]] = {
    "house": (
        _polygon((-0.8, -0.1), (0.0, -0.95), (0.8, -0.1), (0.8, 0.9), (-0.8, 0.9)),
        _box(0.0, 0.55, 0.2, 0.35),
        _box(-0.42, 0.15, 0.16, 0.16),
    ),
    "key": (
        _ring(-0.55, 0.0, 0.4),
        _line((-0.15, 0.0), (0.95, 0.0)),
        _line((0.6, 0.0), (0.6, 0.3)),
        _line((0.85, 0.0), (0.85, 0.4)),
    ),
    "figure": (
        _ring(0.0, -0.7, 0.25),
        _line((0.0, -0.45), (0.0, 0.3)),
        _line((-0.5, -0.2), (0.0, -0.3), (0.5, -0.15)),
        _line((-0.4, 0.95), (0.0, 0.3), (0.45, 0.9)),
    ),
    "lens": (_ring(-0.2, -0.2, 0.6), _line((0.24, 0.24), (0.9, 0.9))),
    "flag": (_line((-0.6, -0.95), (-0.6, 0.95)), _polygon((-0.6, -0.9), (0.75, -0.55), (-0.6, -0.15))),
    "arrow": (_line((-0.9, 0.0), (0.9, 0.0)), _line((0.45, -0.4), (0.9, 0.0), (0.45, 0.4))),
    "mail": (_box(0.0, 0.0, 0.95, 0.65), _line((-0.7, -0.35), (0.0, 0.2), (0.7, -0.35))),
    "clock": (_ring(0.0, 0.0, 0.9), _line((0.0, -0.55), (0.0, 0.0), (0.4, 0.25))),
    "umbrella": (
        _arc(0.0, 0.0, 0.9, 0.5, 0.5),
        _line((-0.9, 0.0), (0.9, 0.0)),
        _line((0.0, 0.0), (0.0, 0.85)),
    ),
    "swan": (
        Stroke("curve", ((-0.6, -0.8), (0.3, -1.2), (-0.9, 0.4), (0.9, 0.0))),
        _polygon((0.3, 0.35), (0.9, 0.35), (0.6, 0.75)),
    ),
}
"""By name."""

"""A shape: a primitive with its pose, its own parameters and its two colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from unrender.primitives.protocol import Doubles, Field, Primitive

X, Y, A, B, ANGLE, TAU, OWN = range(7)
"""Columns of a pose: the centre (px), half of width and height (px), the rotation (radians), half of the
stroke's
width (px); from OWN on the primitive's own parameters."""

MITRE_LIMIT = 4.0  # of a stroke's half width: how far a mitred corner may reach, as in SVG

SMALLEST = 0.75  # px: half of the shortest side
NO_FORM: Doubles = np.zeros(0)

Window = tuple[int, int, int, int]
"""First row, row behind the last, first column, column behind the last."""


@dataclass(frozen=True, eq=False)
class Shape:
    """One shape of a picture. What has no colour is not painted."""

    primitive: Primitive
    pose: Doubles  # (OWN + K,)
    fill: Doubles | None  # (3,)
    stroke: Doubles | None  # (3,)
    form: Doubles = field(default_factory=lambda: NO_FORM)  # numbers behind the own parameters
    mitre: bool = False  # whether the stroke's corners are mitred, not round
    dashes: tuple[float, float] | None = None  # painted share of a period, and its share of the line's length
    butt: bool = False  # whether the ends of an open line are straight, not round

    def window(self, height: int, width: int) -> Window:
        """The part of a canvas in which it may paint."""
        x, y, a, b, angle, tau = self.pose[:OWN]
        cos, sin = abs(np.cos(angle)), abs(np.sin(angle))
        reach = MITRE_LIMIT if self.mitre else 1.0
        edge = (tau * reach if self.stroke is not None else 0.0) + 1.0
        right, down = a * cos + b * sin + edge, a * sin + b * cos + edge
        return (
            min(max(int(np.floor(y - down)), 0), height),
            min(max(int(np.ceil(y + down)), 0), height),
            min(max(int(np.floor(x - right)), 0), width),
            min(max(int(np.ceil(x + right)), 0), width),
        )

    @property
    def field(self) -> Field:
        """The distance to its outline, compiled."""
        mitred = self.mitre and self.stroke is not None
        return self.primitive.compiled_mitred if mitred else self.primitive.compiled_field

    def posed(self, pose: Doubles) -> Shape:
        """The same shape elsewhere; behind the pose there may be another form, which stays as regular."""
        if not self.primitive.formed:
            return replace(self, pose=pose)
        size = len(self.pose)
        form = pose[size:] if len(pose) > size else self.form
        pose, form = self.primitive.canonical(pose[:size], form)
        if self.primitive.alike is not None:
            pose, form = self.primitive.alike(self.pose, self.form, pose, form)
        return replace(self, pose=pose, form=form)

    @property
    def broken(self) -> bool:
        """Whether its stroke is painted along some stretches only, or ends straight: `render.dashes` paints
        it."""
        return self.dashes is not None or self.butt

    @property
    def vector(self) -> Doubles:
        """(OWN + K + F,): pose and form, all that can be refined; a copy."""
        return np.concatenate([self.pose, self.form])

    def widened(self, d: float) -> Shape:
        """The shape whose outline lies d px further out."""
        x, y, a, b = self.primitive.offset(float(self.pose[A]), float(self.pose[B]), d)
        cos, sin = np.cos(self.pose[ANGLE]), np.sin(self.pose[ANGLE])
        pose = self.pose.copy()
        pose[X], pose[Y] = pose[X] + cos * x - sin * y, pose[Y] + sin * x + cos * y
        pose[A], pose[B] = max(a, SMALLEST), max(b, SMALLEST)
        return replace(self, pose=pose)

    @property
    def numbers(self) -> Doubles:
        """(1, K + F): the primitive's own parameters, and behind them its form."""
        return np.concatenate([self.pose[OWN:], self.form, self.primitive.fixed])[None]


def overlaps(one: Window, other: Window) -> bool:
    """Whether two windows share a pixel."""
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def inside(one: Window, other: Window) -> bool:
    """Whether all of a window lies in another one."""
    return other[0] <= one[0] and one[1] <= other[1] and other[2] <= one[2] and one[3] <= other[3]


def area(window: Window) -> int:
    """Its pixels."""
    return max(window[1] - window[0], 0) * max(window[3] - window[2], 0)


def union(windows: Sequence[Window]) -> Window:
    """The window that holds all."""
    tops, bottoms, lefts, rights = zip(*windows, strict=True)
    return min(tops), max(bottoms), min(lefts), max(rights)


def grown(window: Window, margin: int, tall: int, wide: int) -> Window:
    """A window, wider by a margin on every side, on the canvas."""
    top, bottom, left, right = window
    return max(top - margin, 0), min(bottom + margin, tall), max(left - margin, 0), min(right + margin, wide)

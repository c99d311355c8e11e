"""How far objects reach in every direction, from which all distances between them are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unrender.scene.observation import Observation
from unrender.scene.pixels import is_bar, outline

Floats = NDArray[np.float64]

TINY = 1e-6  # px: what has no area is this large
_STEPS = 64
_ANGLES = np.arange(_STEPS) * (2 * np.pi / _STEPS)
NORMALS: Floats = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)  # (64, 2), clockwise from the right
RIGHT, DOWN, LEFT, UP = (quarter * _STEPS // 4 for quarter in range(4))

_BOX: Floats = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
"""Corners in a box from -1 to 1 of what is no primitive, or a straight stroke: it fills its box."""


@dataclass(frozen=True)
class Outline:
    """The reach (px) of every leaf of one object: (L, 64), how far it lies along each of NORMALS."""

    leaves: tuple[Observation, ...]
    reaches: Floats

    @classmethod
    def of(cls, node: Observation) -> Outline:
        """The outline of a tree, from the position, size and rotation of its leaves."""
        leaves = tuple(node.primitives)
        return cls(leaves, np.stack([_reach(leaf) for leaf in leaves]))

    @cached_property
    def hull(self) -> Floats:
        """(64,): the reach of the whole object."""
        reach: Floats = self.reaches.max(axis=0)
        return reach

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom (px)."""
        return -self.hull[LEFT], -self.hull[UP], self.hull[RIGHT], self.hull[DOWN]

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the box (px)."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the box (px)."""
        left, top, right, bottom = self.box
        return right - left, bottom - top

    @property
    def area(self) -> float:
        """Square pixels of the convex hull, which do not depend on how it stands, from its reach h to all
        sides: ½ Σ h · l, with the length l of each edge of the polygon that touches it there."""
        h, step = self.hull, 2 * np.pi / _STEPS
        edges = (np.roll(h, 1) + np.roll(h, -1) - 2 * h * np.cos(step)) / np.sin(step)
        return float(h @ edges) / 2

    @property
    def side(self) -> float:
        """The side (px) of the square with the area of the box."""
        width, height = self.extent
        return max(TINY, float((width * height) ** 0.5))


def gap(one: Outline, other: Outline) -> float:
    """Pixels between two objects; below 0 by as much as they reach into each other."""
    return float(leaf_gaps(one.reaches, other.reaches).min())


def gaps(one: Outline, others: Sequence[Outline]) -> Floats:
    """(N,): the gap to each of the others."""
    starts = np.cumsum([0, *(len(other.leaves) for other in others[:-1])])
    nearest = leaf_gaps(one.reaches, np.concatenate([other.reaches for other in others])).min(axis=0)
    return np.minimum.reduceat(nearest, starts)


def leaf_gaps(one: Floats, others: Floats) -> Floats:
    """(L, M): the gap between each of L and each of M leaves: the widest strip that parts them."""
    opposite = np.roll(others, _STEPS // 2, axis=1)
    between: Floats = (-one[:, None] - opposite[None]).max(axis=2)
    return between


def _reach(leaf: Observation) -> Floats:
    turn = np.radians(leaf.rotation)
    R = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    known = None if is_bar(leaf) else outline(leaf)
    unit = _BOX if known is None else known
    corners = unit * np.asarray(leaf.size) / 2 @ R.T + np.asarray(leaf.position)
    reach: Floats = (corners @ NORMALS.T).max(axis=0)
    return reach

"""γ of a semantic capsule: the pose and looks of a whole from its parts (Equations Gamma1 to Gamma3).

Written for any number D of dimensions; the observations of today have two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from unrender.scene import Observation

Floats = NDArray[np.float64]


def rotation_matrix(degrees: float) -> Floats:
    """R: turns x towards y, which is clockwise on the screen."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[cos, -sin], [sin, cos]])


def box_corners(position: Floats, size: Floats, turn: Floats) -> Floats:
    """α_pos + R · B_i: all 2^D corners of one turned box; position and size (D,), turn (D, D)."""
    corners: Floats = position + (_signs(len(position)) * size) @ turn.T
    return corners


@cache
def _signs(dimensions: int) -> Floats:
    """(2^D, D): the corners of a box of side 1 around the origin."""
    return np.stack(np.meshgrid(*[(-0.5, 0.5)] * dimensions, indexing="ij"), -1).reshape(-1, dimensions)


def box_around(corners: Floats, turn: Floats) -> tuple[Floats, Floats]:
    """Position (Equation Gamma3) and size (the one before it) of the box, turned by R = `turn`, around
    all corners (P, D) of the parts."""
    local = corners @ turn  # each row is R⁻¹ · corner
    low, high = local.min(axis=0), local.max(axis=0)
    return turn @ (high + low) / 2, high - low


def weighted_mean(values: Floats, sizes: Floats) -> Floats:
    """Equation Gamma1: the mean of each attribute (P, A) over the parts, weighted by ||size|| (P, D)."""
    weights = np.linalg.norm(sizes, axis=-1)
    mean: Floats = (weights[:, None] * values).sum(0) / weights.sum()
    return mean


def circular_mean(degrees: Floats, weights: Floats) -> float:
    """The mean of angles, which are never averaged as plain numbers."""
    turn = np.exp(1j * np.radians(degrees))
    return math.degrees(float(np.angle((weights * turn).sum())))


def corners(node: Observation, margin: float = 0.0) -> Floats:
    """The four corners (4, 2) of the turned box around `node`, `margin` px further out, one after the other
    around it."""
    size = np.asarray(node.size, float) + 2 * margin
    return box_corners(np.asarray(node.position, float), size, rotation_matrix(node.rotation))[[0, 2, 3, 1]]


def mean_attributes(parts: Sequence[Observation]) -> dict[str, float]:
    """Equation Gamma1 for every attribute, over the parts that have it."""
    having: dict[str, list[Observation]] = {}
    for part in parts:
        for name in part.attributes:
            having.setdefault(name, []).append(part)
    means = dict.fromkeys(having, 0.0)
    shared = [name for name, own in having.items() if len(own) == len(parts)]
    for names in (shared, *([name] for name in having if name not in shared)):
        if names:
            own = having[names[0]]
            values = np.array([[part.attributes[name] for name in names] for part in own])
            found = weighted_mean(values, np.array([part.size for part in own]))
            means |= zip(names, found.tolist(), strict=True)
    return means


def whole(
    symbol: str, parts: Sequence[Observation], rotation: float = 0.0, route: str | None = None
) -> Observation:
    """The object that `parts` make up, if it is turned by `rotation` degrees from its upright form."""
    points = np.concatenate([corners(part) for part in parts])
    (x, y), (width, height) = box_around(points, rotation_matrix(rotation))
    return Observation(
        symbol,
        (float(x), float(y)),
        (float(width), float(height)),
        rotation,
        mean_attributes(parts),
        route=route,
        parts=list(parts),
    )

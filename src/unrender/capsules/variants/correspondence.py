"""Which part of one example is which part of another, both told about their middles."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unrender.capsules.gamma import box_around, corners, rotation_matrix
from unrender.capsules.poses import HEIGHT, ROTATION, WIDTH, Floats, X, Y, aligned_one, pose_of
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

NEVER = 1e3  # cost of two parts of different kinds


def centred(parts: Sequence[Observation], turn: float = 0.0) -> tuple[Floats, Floats]:
    """Poses (P, 5) about the middle of the box around parts, turned back by `turn`, and its sides (2,)."""
    middle, sides = box_around(np.concatenate([corners(part) for part in parts]), rotation_matrix(turn))
    poses = np.stack([pose_of(part) for part in parts])
    poses[:, [X, Y]] = (poses[:, [X, Y]] - middle) @ rotation_matrix(turn)
    poses[:, ROTATION] -= turn
    return poses, sides


def correspondence(
    known: Sequence[Observation], poses: Floats, seen: Sequence[Observation], others: Floats
) -> list[int] | None:
    """For each known part the number of the one that it is among others; None if their kinds differ.

    Places (P, 5) are compared as shares of the sides that both fill, so that a longer one is not another one.
    """
    from scipy.optimize import linear_sum_assignment

    cost = np.full((len(known), len(seen)), NEVER)
    for i, part in enumerate(known):
        for j, other in enumerate(seen):
            if part.symbol == other.symbol:
                sides = np.log(np.sort(part.size) / np.sort(other.size))
                away = np.hypot(*(poses[i, [X, Y]] - others[j, [X, Y]]))
                cost[i, j] = float(away) + 0.3 * float(np.abs(sides).sum())
    rows, columns = linear_sum_assignment(cost)
    if cost[rows, columns].max() >= NEVER:
        return None
    return [int(j) for j in columns]


def shares(poses: Floats, sides: Floats) -> Floats:
    """Poses (P, 5) with places and sizes in units of the sides (2,)."""
    out = poses.copy()
    out[:, [X, Y]] /= sides
    out[:, [WIDTH, HEIGHT]] /= math.sqrt(float(sides[0] * sides[1]))
    return out


def read_as(poses: Floats, like: Floats, turnings: Sequence[Symmetry]) -> Floats:
    """Poses (P, 5) in the equivalent form nearest to others."""
    return np.stack([aligned_one(a, b, t) for a, b, t in zip(poses, like, turnings, strict=True)])

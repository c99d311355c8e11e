"""Fits to points: poses whose edge runs through the edge of an area, robustly, from many starts at once."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.perception.refine.solver import Field, bounded, damped_step, slope_at
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles, Primitive

EDGE, CENTRE = 0.0, 1.0
"""What a point says: an edge of what is painted runs through it, or the middle of the stroke does."""

SMALLEST = 1.0  # px: half of the shortest side


@dataclass(frozen=True, eq=False)
class Points:
    """Points (N, M) that N outlines should run through, and how much each counts."""

    x: Doubles
    y: Doubles
    weight: Doubles
    says: float = EDGE

    def of(self, rows: NDArray[np.int64]) -> Points:
        """Those of some outlines, which may be named several times."""
        return Points(self.x[rows], self.y[rows], self.weight[rows], self.says)


def fit(
    primitive: Primitive, pose: Doubles, points: Points, stroked: bool, reaches: Doubles, most: Doubles
) -> tuple[Doubles, Doubles]:
    """The poses (N, P) after one step for each of the reaches (S, N): an edge further off (px) hardly pulls.

    most: (N,) px that half a side may have. Returns the poses, and by how many px each point is off (N, M).
    """
    pose = pose.copy()
    field = Field(primitive, *points.x.shape)
    for reach in reaches:
        field.at(pose, points.x, points.y)
        measured = field.measured(pose)
        _step(
            pose, field.x, field.y, field.signed, field.nx, field.ny, measured,
            points.weight, points.says, stroked, primitive.rigid, primitive.symmetry.round, primitive.closed,
            reach, most, SMALLEST,
        )  # fmt: skip
        bounded(primitive, pose)
    field.at(pose, points.x, points.y)
    off = np.abs(field.signed)
    if stroked and points.says == EDGE:
        off = np.abs(off - pose[:, 5:6])
    return pose, off


def offsets(primitive: Primitive, pose: Doubles, points: Points, stroked: bool) -> Doubles:
    """(N, M): by how many px each point is off."""
    return fit(primitive, pose, points, stroked, np.zeros((0, len(pose))), np.ones(len(pose)))[1]


@compiled
def _step(
    poses: Doubles,
    x: Doubles,
    y: Doubles,
    signed: Doubles,
    nx: Doubles,
    ny: Doubles,
    measured: Doubles,
    trust: Doubles,
    says: float,
    stroked: bool,
    rigid: bool,
    round_: bool,
    closed: bool,
    reach: Doubles,
    most: Doubles,
    least: float,
) -> None:
    size = poses.shape[1]
    hessian, right, slope = np.zeros((size, size)), np.zeros(size), np.zeros(size)
    for n in range(len(poses)):
        pose, square = poses[n], reach[n] * reach[n]
        cos, sin = math.cos(pose[4]), math.sin(pose[4])
        hessian[:], right[:] = 0.0, 0.0
        for m in range(x.shape[1]):
            if trust[n, m] == 0:
                continue
            d = signed[n, m]
            slope_at(pose, cos, sin, x[n, m], y[n, m], d, nx[n, m], ny[n, m], rigid, slope)
            if measured.size:
                for k in range(size):
                    if measured[n, m, k] == measured[n, m, k]:
                        slope[k] = measured[n, m, k]
            if stroked and says == 0.0:
                if d < 0:
                    for k in range(size):
                        slope[k] = -slope[k]
                d = abs(d) - pose[5]
                slope[5] = -1.0
            believed = square / (square + d * d)
            weight = believed * believed * trust[n, m]
            for k in range(size):
                weighted = slope[k] * weight
                right[k] -= weighted * d
                for i in range(k + 1):
                    hessian[k, i] += weighted * slope[i]
        damped_step(pose, hessian, right, 1e-3, rigid, round_, closed, least, most[n])

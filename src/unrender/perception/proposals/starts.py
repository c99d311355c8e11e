"""Starting poses for fits: from the moments of an area, from boxes around it, and from circles through its
edge."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from unrender.perception.refine.solver import Field
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.shape import ANGLE, OWN, TAU, A, B, X, Y

Rows = NDArray[np.int64]

GRID = 48  # points a side at which a unit shape is measured
TURN = math.radians(60)  # between two starting angles for a whole area
FINE_TURN = math.radians(15)  # and for one of which a part may be hidden


@dataclass(frozen=True)
class Unit:
    """The shape in the box from -1 to 1: mean and standard deviation of its inside, and the box that it
    fills."""

    mean: tuple[float, float]
    deviation: tuple[float, float]
    box: tuple[float, float, float, float]  # least and greatest x, least and greatest y


@lru_cache(maxsize=256)
def unit(primitive: Primitive) -> Unit:
    """Measured once; own parameters are in the middle of their range. An open line is measured where it
    runs."""
    side = (np.arange(GRID) + 0.5) * (2 / GRID) - 1
    x, y = (grid.ravel()[None].copy() for grid in np.meshgrid(side, side))
    pose = _poses(primitive, 1)
    pose[0, A] = pose[0, B] = 1.0
    field = Field(primitive, *x.shape)
    field.at(pose, x, y)
    inside = field.signed[0] < (0 if primitive.closed else 1.5 / GRID)
    if not inside.any():
        return Unit((0.0, 0.0), (0.5, 0.5), (-1.0, 1.0, -1.0, 1.0))
    px, py, half = x[0][inside], y[0][inside], 1 / GRID
    return Unit(
        (float(px.mean()), float(py.mean())),
        (max(float(px.std()), 0.05), max(float(py.std()), 0.05)),
        (float(px.min()) - half, float(px.max()) + half, float(py.min()) - half, float(py.max()) + half),
    )


def _poses(primitive: Primitive, count: int) -> Doubles:
    pose = np.zeros((count, OWN + len(primitive.own)))
    pose[:, OWN:] = [
        own.default if primitive.held_at(own.name) else (own.low + own.high) / 2 for own in primitive.own
    ]
    return pose


def _angles(primitive: Primitive, turn: float) -> Doubles:
    """Angles after which a shape in any box looks different, evenly spread."""
    symmetry = primitive.symmetry
    if symmetry.swaps and symmetry.even == 0:  # an ellipse has the axes of its area
        return np.zeros(1) if turn == TURN else np.arange(0, math.pi / 2 - 1e-6, 2 * turn)
    period = math.pi / 2 if symmetry.swaps else 2 * math.pi / symmetry.turns
    return np.arange(0, period - 1e-6, min(turn, period / 2))


def by_moments(primitive: Primitive, mean: Doubles, covariance: Doubles) -> tuple[Doubles, Rows]:
    """Poses (R S, P) of the same mean (R, 2) and covariance (R, 2, 2) at several angles, and their rows in
    R."""
    shape = unit(primitive)
    vx, vxy, vy = covariance[:, 0, 0], covariance[:, 0, 1], covariance[:, 1, 1]
    principal = 0.5 * np.arctan2(2 * vxy, vx - vy)
    angles = (principal[:, None] + _angles(primitive, TURN)).ravel()
    rows = np.repeat(np.arange(len(mean), dtype=np.int64), len(angles) // max(len(mean), 1))
    pose = _poses(primitive, len(angles))
    cos, sin = np.cos(angles), np.sin(angles)
    along = cos**2 * vx[rows] + 2 * cos * sin * vxy[rows] + sin**2 * vy[rows]
    across = sin**2 * vx[rows] - 2 * cos * sin * vxy[rows] + cos**2 * vy[rows]
    a, b = np.sqrt(along.clip(0.25)) / shape.deviation[0], np.sqrt(across.clip(0.25)) / shape.deviation[1]
    if primitive.rigid:
        a = b = np.sqrt(a * b)
    pose[:, A], pose[:, B], pose[:, ANGLE] = a, b, angles
    ox, oy = shape.mean[0] * a, shape.mean[1] * b
    pose[:, X], pose[:, Y] = mean[rows, 0] - cos * ox + sin * oy, mean[rows, 1] - sin * ox - cos * oy
    return pose, rows


def by_boxes(primitive: Primitive, x: Doubles, y: Doubles, sides: Doubles) -> Doubles:
    """Poses (N, P) that fill the turned boxes around all points (M,), at several angles, and with one of
    their sides in each of the directions `sides` (K,)."""
    upside_down = np.array([0.0] if primitive.symmetry.turns % 2 == 0 else [0.0, math.pi])
    angles = np.concatenate([_angles(primitive, FINE_TURN), (sides[:, None] + upside_down).ravel()])
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    u, v = cos * x + sin * y, cos * y - sin * x
    left, right, top, bottom = unit(primitive).box
    a, b = (u.max(1) - u.min(1)) / (right - left), (v.max(1) - v.min(1)) / (bottom - top)
    mid_u, mid_v = u.min(1) - left * a, v.min(1) - top * b
    if primitive.rigid:
        a = b = np.sqrt(a * b)
    pose = _poses(primitive, len(angles))
    pose[:, X], pose[:, Y] = cos[:, 0] * mid_u - sin[:, 0] * mid_v, sin[:, 0] * mid_u + cos[:, 0] * mid_v
    pose[:, A], pose[:, B], pose[:, ANGLE] = a.clip(1.0), b.clip(1.0), angles
    return pose


def by_circles(
    primitive: Primitive, x: Doubles, y: Doubles, count: int, extent: float, rng: np.random.Generator
) -> Doubles:
    """Poses (N, P) on circles through three of the points (M,), turned at random; none is larger than the
    extent."""
    three = rng.integers(len(x), size=(count, 3))
    ax, ay = x[three[:, 0]], y[three[:, 0]]
    ux, uy = x[three[:, 1]] - ax, y[three[:, 1]] - ay
    vx, vy = x[three[:, 2]] - ax, y[three[:, 2]] - ay
    with np.errstate(divide="ignore", invalid="ignore"):
        twice = 2 * (ux * vy - uy * vx)
        u, v = ux * ux + uy * uy, vx * vx + vy * vy
        px, py = (vy * u - uy * v) / twice, (ux * v - vx * u) / twice
    radius = np.hypot(px, py)
    good = np.isfinite(radius) & (radius < extent) & (radius > 1.5)
    pose = _poses(primitive, int(good.sum()))
    pose[:, X], pose[:, Y] = (ax + px)[good], (ay + py)[good]
    pose[:, A] = pose[:, B] = radius[good]
    pose[:, ANGLE] = rng.uniform(0, 2 * math.pi, len(pose))
    return pose


def thinned(pose: Doubles, tau: Doubles) -> Doubles:
    """Strokes, τ (N,) px to either side, whose outer edges are the outlines (N, P)."""
    pose = pose.copy()
    pose[:, A], pose[:, B] = (pose[:, A] - tau).clip(1.0), (pose[:, B] - tau).clip(1.0)
    pose[:, TAU] = np.minimum(tau, 0.5 * np.minimum(pose[:, A], pose[:, B]))
    return pose

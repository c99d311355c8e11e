"""Where to look: sample points across the outline of every shape, the same number for each.

Points across the outline say where a shape lies, whatever its size, so the cost of refining a shape does
not grow with the pixels it covers.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from unrender.capsules.geometry import ANGLE, CX, CY, LOG_H, LOG_W, TAU, Floats, Shapes, distances
from unrender.graphics.compiled import Flags1, Floats2, Floats3, Ints1, compiled
from unrender.graphics.registry import Primitive

RAYS = 36  # points along the outline
_FILLED = np.arange(-5, 6, dtype=np.float32)  # px across the one edge
_BESIDE = np.array([-3, -2, -1, 0, 0, 0, 0, 0, 1, 2, 3], np.float32)  # px off the edges of a stroke
_STROKE = np.array([-1, -1, -1, -1, -0.5, 0, 0.5, 1, 1, 1, 1], np.float32)  # and half strokes from its middle
_DEEP = np.array([0.3, 0.65], np.float32)  # of the way from the centre to the outline
ACROSS = len(_FILLED)
ROWS = ACROSS + len(_DEEP)
SAMPLES = ROWS * RAYS
INNER, OUTER = ACROSS // 2 - 1, ACROSS // 2 + 1  # rows just within and just outside of the outline


@lru_cache(maxsize=64)
def unit_outline(primitive: Primitive) -> tuple[Tensor, Tensor]:
    """Points (RAYS, 2) on the boundary of the unit shape, evenly spaced, and their outward normals."""
    fine = 4096
    angle = torch.arange(fine, dtype=torch.float64) * (2 * math.pi / fine)
    cos, sin = angle.cos(), angle.sin()
    one = torch.ones((), dtype=torch.float64)
    own = [torch.full_like(one, (a.low + a.high) / 2) for a in primitive.shape]
    low, high = torch.zeros(fine, dtype=torch.float64), torch.full((fine,), 2.0, dtype=torch.float64)
    for _ in range(40):  # bisection along each ray
        middle = (low + high) / 2
        out = primitive.distance(middle * cos, middle * sin, one, one, *own) > 0
        low, high = torch.where(out, low, middle), torch.where(out, middle, high)
    points = torch.stack([low * cos, low * sin], 1)
    tangents = points.roll(-1, 0) - points
    length = tangents.norm(dim=1)
    travelled = length.cumsum(0)
    goals = (torch.arange(RAYS, dtype=torch.float64) + 0.5) * (travelled[-1] / RAYS)
    at = torch.searchsorted(travelled, goals)
    tangent = tangents[at] / length[at, None]
    normals = torch.stack([tangent[:, 1], -tangent[:, 0]], 1)
    return points[at].float(), normals.float()


@lru_cache(maxsize=16)
def _unit_outlines(kinds: tuple[Primitive, ...]) -> tuple[Floats, Floats]:
    """Points and normals (K, RAYS, 2) of several kinds."""
    units = [unit_outline(primitive) for primitive in kinds]
    return np.stack([points.numpy() for points, _ in units]), np.stack(
        [normals.numpy() for _, normals in units]
    )


def outline(shapes: Shapes) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """x, y (N, RAYS) of boundary points in the picture, and the outward normals nx, ny there."""
    places = np.empty((4, len(shapes), RAYS), np.float32)
    _place(*_unit_outlines(shapes.kinds), shapes.kind.numpy(), shapes.pose.numpy(), places)
    x, y, nx, ny = torch.from_numpy(places)
    if any(primitive.shape for primitive in shapes.kinds):  # a form that is not just stretched
        off = distances(shapes, x, y)
        x, y = x - off * nx, y - off * ny
    return x, y, nx, ny


@compiled
def _place(points: Floats3, normals: Floats3, kind: Ints1, poses: Floats2, out: Floats3) -> None:
    """x, y, nx and ny of unit outlines, stretched, turned and moved."""
    for n in range(len(poses)):
        pose = poses[n]
        a, b = np.exp(pose[LOG_W]) / 2, np.exp(pose[LOG_H]) / 2
        cos, sin = np.cos(pose[ANGLE]), np.sin(pose[ANGLE])
        for r in range(RAYS):
            x, y = points[kind[n], r, 0] * a, points[kind[n], r, 1] * b
            nx, ny = normals[kind[n], r, 0] / a, normals[kind[n], r, 1] / b
            norm = np.sqrt(nx * nx + ny * ny)
            out[0, n, r], out[1, n, r] = pose[CX] + cos * x - sin * y, pose[CY] + sin * x + cos * y
            out[2, n, r], out[3, n, r] = (cos * nx - sin * ny) / norm, (sin * nx + cos * ny) / norm


def sample_points(shapes: Shapes) -> tuple[Tensor, Tensor]:
    """x, y (N, SAMPLES): ROWS times a point on every ray. The first ACROSS rows lie across both edges of the
    stroke, a pixel apart, from within outwards; the others deep inside."""
    on = [t.numpy() for t in outline(shapes)]
    points = np.empty((2, len(shapes), SAMPLES), np.float32)
    _spread(shapes.pose.numpy(), shapes.filled.numpy(), *on, points)
    x, y = torch.from_numpy(points)
    return x, y


@compiled
def _spread(
    poses: Floats2, filled: Flags1, x: Floats2, y: Floats2, nx: Floats2, ny: Floats2, out: Floats3
) -> None:
    """The sample points (2, N, SAMPLES) of outlines (N, RAYS) with their normals."""
    for n in range(len(poses)):
        deepest = -0.4 * np.exp(min(poses[n, LOG_W], poses[n, LOG_H]))
        for a in range(ROWS):
            for r in range(RAYS):
                m = a * RAYS + r
                if a < ACROSS:
                    off = _FILLED[a] if filled[n] else _BESIDE[a] + _STROKE[a] * poses[n, TAU]
                    off = max(off, deepest)
                    out[0, n, m], out[1, n, m] = x[n, r] + off * nx[n, r], y[n, r] + off * ny[n, r]
                else:
                    deep = _DEEP[a - ACROSS]
                    out[0, n, m] = poses[n, CX] + deep * (x[n, r] - poses[n, CX])
                    out[1, n, m] = poses[n, CY] + deep * (y[n, r] - poses[n, CY])


def grid(samples: Floats) -> Floats:
    """Values at the sample points, (..., SAMPLES) -> (..., ROWS, RAYS)."""
    return samples.reshape(*samples.shape[:-1], ROWS, RAYS)

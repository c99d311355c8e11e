"""Where to look: sample points across the outline of every shape, the same number for each.

Points across the outline say where a shape lies, whatever its size, so the cost of refining a shape does
not grow with the pixels it covers.
"""

from __future__ import annotations

import math
from functools import lru_cache

import torch
from torch import Tensor

from unrender.capsules.geometry import ANGLE, CX, CY, TAU, Floats, Shapes, distances
from unrender.graphics.registry import Primitive

RAYS = 36  # points along the outline
_FILLED = torch.tensor([-5.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0])  # px across the one edge
_BESIDE = torch.tensor(
    [-3.0, -2.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]
)  # px off the edges of a stroke
_STROKE = torch.tensor(
    [-1.0, -1.0, -1.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0, 1.0, 1.0]
)  # and half strokes from its middle
_DEEP = torch.tensor([0.3, 0.65])[:, None]  # of the way from the centre to the outline
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


def outline(shapes: Shapes) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """x, y (N, RAYS) of boundary points in the picture, and the outward normals nx, ny there."""
    units = [unit_outline(primitive) for primitive in shapes.kinds]
    points = torch.stack([p for p, _ in units])[shapes.kind]
    normals = torch.stack([n for _, n in units])[shapes.kind]
    a, b = (side[:, None] for side in shapes.half)
    lx, ly = points[..., 0] * a, points[..., 1] * b
    nx, ny = normals[..., 0] / a, normals[..., 1] / b
    norm = torch.hypot(nx, ny)
    nx, ny = nx / norm, ny / norm
    cos, sin = shapes.pose[:, ANGLE, None].cos(), shapes.pose[:, ANGLE, None].sin()
    x = shapes.pose[:, CX, None] + cos * lx - sin * ly
    y = shapes.pose[:, CY, None] + sin * lx + cos * ly
    nx, ny = cos * nx - sin * ny, sin * nx + cos * ny
    if any(primitive.shape for primitive in shapes.kinds):  # a form that is not just stretched
        off = distances(shapes, x, y)
        x, y = x - off * nx, y - off * ny
    return x, y, nx, ny


def sample_points(shapes: Shapes) -> tuple[Tensor, Tensor]:
    """x, y (N, SAMPLES): ROWS times a point on every ray. The first ACROSS rows lie across both edges of the
    stroke, a pixel apart, from within outwards; the others deep inside."""
    x, y, nx, ny = (values[:, None] for values in outline(shapes))  # (N, 1, RAYS)
    tau = shapes.pose[:, TAU, None]
    off = torch.where(shapes.filled[:, None], _FILLED, _BESIDE + _STROKE * tau)
    deepest = 0.8 * torch.minimum(*shapes.half)[:, None]
    off = torch.maximum(off, -deepest)[..., None]  # (N, ACROSS, 1)
    cx, cy = shapes.pose[:, CX, None, None], shapes.pose[:, CY, None, None]
    sx = torch.cat([x + off * nx, torch.lerp(cx, x, _DEEP)], 1)
    sy = torch.cat([y + off * ny, torch.lerp(cy, y, _DEEP)], 1)
    return sx.flatten(1), sy.flatten(1)


def grid(samples: Floats) -> Floats:
    """Values at the sample points, (..., SAMPLES) -> (..., ROWS, RAYS)."""
    return samples.reshape(*samples.shape[:-1], ROWS, RAYS)

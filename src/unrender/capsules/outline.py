"""Where to look: sample points across the outline of every shape, the same number for each.

Points across the outline say where a shape lies, whatever its size, so the cost of refining a shape does
not grow with the pixels it covers.
"""

from __future__ import annotations

import math
from functools import lru_cache

import torch
from torch import Tensor

from unrender.capsules.geometry import ANGLE, CX, CY, TAU, Shapes, distances
from unrender.graphics.registry import Primitive

RAYS = 36  # points along the outline
_FILLED = (-5.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0)  # px across the one edge
_BESIDE = (-3.0, -2.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0)  # px off the edges of a stroke
_STROKE = (-1.0, -1.0, -1.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0, 1.0, 1.0)  # and half strokes from its middle
_DEEP = (0.3, 0.65)  # of the way from the centre to the outline
ACROSS = len(_FILLED)
SAMPLES = RAYS * (ACROSS + len(_DEEP))


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
    """x, y (N, SAMPLES): across both edges of the stroke, a pixel apart, then deep inside."""
    x, y, nx, ny = outline(shapes)
    tau = shapes.pose[:, TAU, None]
    stroke = torch.tensor(_BESIDE) + torch.tensor(_STROKE) * tau
    off = torch.where(shapes.filled[:, None], torch.tensor(_FILLED), stroke)
    deepest = 0.8 * torch.minimum(*shapes.half)[:, None]
    off = torch.maximum(off, -deepest)[:, None, :]  # (N, 1, ACROSS)
    sx = (x[..., None] + off * nx[..., None]).flatten(1)
    sy = (y[..., None] + off * ny[..., None]).flatten(1)
    cx, cy = shapes.pose[:, CX, None, None], shapes.pose[:, CY, None, None]
    deep = torch.tensor(_DEEP)
    dx = (cx + deep * (x[..., None] - cx)).flatten(1)
    dy = (cy + deep * (y[..., None] - cy)).flatten(1)
    return torch.cat([sx, dx], 1), torch.cat([sy, dy], 1)

"""Growing: a candidate that ends where a shape in front begins may go on behind it, and meet another."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.candidates import Sightings
from unrender.capsules.encoder import TYPICAL
from unrender.capsules.geometry import ANGLE, CX, CY, LOG_H, LOG_W, TAU, Shapes
from unrender.capsules.outline import outline, unit_outline
from unrender.graphics.registry import Primitive

FACTORS = (1.25, 1.55, 1.95)  # how much longer it may be
HOPEFUL = 0.3  # p of a candidate that is worth growing


@lru_cache(maxsize=64)
def directions(primitive: Primitive) -> tuple[Tensor, Tensor]:
    """Where a shape can go on: the normals of its sides (D, 2), and which rays belong to each (D, RAYS)."""
    sides = primitive.order if primitive.order > 2 else 4
    angle = math.pi / 2 + torch.arange(sides) * (2 * math.pi / sides)
    normals = torch.stack([angle.cos(), angle.sin()], 1)
    return normals, normals @ unit_outline(primitive)[1].t() > 0.7


def grown(seen: Sightings, occupied: NDArray[np.bool_]) -> tuple[Shapes, Tensor]:
    """Larger versions of the sightings, and the pyramid levels that suit them.

    occupied: bool (H, W), the pixels that shapes in front cover.
    """
    height, width = occupied.shape
    x, y, nx, ny = outline(seen.shapes)
    off = seen.shapes.pose[:, TAU, None] + 1.5
    column = (x + off * nx).long().clamp(0, width - 1).numpy()
    row = (y + off * ny).long().clamp(0, height - 1).numpy()
    blocked = torch.from_numpy(occupied[row, column])
    source, poses = [], []
    for i in range(len(seen)):
        primitive = seen.shapes.kinds[int(seen.shapes.kind[i])]
        normals, rays = directions(primitive)
        share = (rays & blocked[i]).sum(1) / rays.sum(1).clamp_min(1)
        for direction in normals[share > 0.4]:
            for factor in FACTORS:
                source.append(i)
                poses.append(_stretched(primitive, seen.shapes.pose[i], direction, factor))
    return _at_levels(seen.shapes, source, poses)


def _at_levels(shapes: Shapes, source: list[int], poses: list[Tensor]) -> tuple[Shapes, Tensor]:
    """Shapes like those at `source` with other poses, and the pyramid level that suits each."""
    made = shapes[torch.tensor(source, dtype=torch.long)]
    if poses:
        made = made.with_pose(torch.stack(poses))
    a, b = made.half
    level = torch.log2(2 * (a * b).sqrt() / TYPICAL).round().long().clamp(0, 8)
    return made, level


def _stretched(primitive: Primitive, pose: Tensor, direction: Tensor, factor: float) -> Tensor:
    """One pose, longer in a direction of its unit frame; what lies opposite stays where it is.

    A shape with axes is stretched along the nearer one, any other grows as a whole.
    """
    new = pose.clone()
    half = pose[[LOG_W, LOG_H]].exp() / 2
    move = (factor - 1) * half * direction
    if primitive.order % 4 == 0:
        new[LOG_W if abs(float(direction[0])) > 0.5 else LOG_H] += math.log(factor)
    else:
        new[[LOG_W, LOG_H]] += math.log(factor)
    cos, sin = pose[ANGLE].cos(), pose[ANGLE].sin()
    new[CX] += cos * move[0] - sin * move[1]
    new[CY] += sin * move[0] + cos * move[1]
    return new


def merged(seen: Sightings, noise: float) -> tuple[Shapes, Tensor]:
    """Pieces of the same kind and colour as one shape, and the pyramid levels that suit them.

    A shape in front may have cut it in two.
    """
    shapes, paint = seen.shapes, seen.paint
    alike = torch.cdist(paint, paint) < 0.08 + 4 * noise
    alike &= (shapes.kind[:, None] == shapes.kind) & (shapes.filled[:, None] == shapes.filled)
    apart = torch.cdist(shapes.pose[:, [CX, CY]], shapes.pose[:, [CX, CY]])
    alike &= apart < 1.5 * (shapes.reach[:, None] + shapes.reach)
    corners = _corners(shapes)
    source, poses = [], []
    for i, j in torch.triu(alike, 1).nonzero().tolist():
        primitive = shapes.kinds[int(shapes.kind[i])]
        points = torch.cat([corners[i], corners[j]])
        for one in (i, j):
            pose = _around(shapes.pose[one], points) if primitive.order % 4 == 0 else None
            if primitive.order == 3 and one == i:
                pose = _triangle_through(shapes.pose[i], points)
            if pose is not None:
                source.append(one)
                poses.append(pose)
    return _at_levels(shapes, source, poses)


def _corners(shapes: Shapes) -> Tensor:
    """(N, RAYS, 2): points of the outlines."""
    x, y, _, _ = outline(shapes)
    return torch.stack([x, y], -1)


def _around(pose: Tensor, points: Tensor) -> Tensor:
    """The pose with the same angle whose box holds all points (P, 2)."""
    cos, sin = pose[ANGLE].cos(), pose[ANGLE].sin()
    turn = torch.stack([torch.stack([cos, -sin]), torch.stack([sin, cos])])
    local = points @ turn
    low, high = local.amin(0), local.amax(0)
    new = pose.clone()
    new[[CX, CY]] = turn @ ((low + high) / 2)
    new[[LOG_W, LOG_H]] = (high - low).clamp_min(2.0).log()
    return new


def _triangle_through(pose: Tensor, points: Tensor) -> Tensor | None:
    """The isosceles triangle nearest to the largest one between the points (P, 2)."""
    few = points[:: max(1, len(points) // 24)]
    a, b = few[:, None] - few[None, :], few[:, None]
    area = (a[:, :, None, 0] * (b - few)[:, None, :, 1] - a[:, :, None, 1] * (b - few)[:, None, :, 0]).abs()
    best = int(area.flatten().argmax())
    count = len(few)
    corners = few[[best // count**2, best // count % count, best % count]]
    sides = [(corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]) for k in range(3)]
    uneven = [float((u.norm() / v.norm().clamp_min(1e-3)).log().abs()) for u, v in sides]
    apex = corners[min(range(3), key=uneven.__getitem__)]
    others = [c for c in corners if c is not apex and bool((c != apex).any())]
    if len(others) < 2:
        return None
    middle = (others[0] + others[1]) / 2
    axis = middle - apex
    new = pose.clone()
    new[[CX, CY]] = apex + axis * (2 / 3)
    new[LOG_H] = (axis.norm() / 0.75).clamp_min(2.0).log()
    new[LOG_W] = ((others[0] - others[1]).norm() * 2 / math.sqrt(3)).clamp_min(2.0).log()
    new[ANGLE] = torch.atan2(axis[1], axis[0]) - math.pi / 2
    return new

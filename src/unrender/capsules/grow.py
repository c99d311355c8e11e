"""Growing: a candidate that ends where a shape in front begins may go on behind it."""

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
    """Larger versions of the sightings, in pixels of the pyramid level that suits them, and the levels.

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
    index = torch.tensor(source, dtype=torch.long)
    shapes = seen.shapes[index]
    if poses:
        shapes = shapes.with_pose(torch.stack(poses))
    a, b = shapes.half
    level = torch.log2(2 * (a * b).sqrt() / TYPICAL).round().long().clamp(0, 8)
    return shapes, level


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

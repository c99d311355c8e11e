"""heart: the curve (16 sin³t, 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t), stretched to (width, height).

A primitive from another package: this file, and beside it the weights that `unrender train heart` writes.
`pyproject.toml` names it in the entry-point group `unrender.primitives`; importing it does as well.
"""

from __future__ import annotations

import math
from itertools import pairwise
from math import copysign, sqrt

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.graphics.quantile import chance, log_uniform
from unrender.graphics.registry import primitive

Floats = NDArray[np.float32]

EDGES = 15  # of the polygon that stands for one half of the curve
TOP, BOTTOM = -11.9233, 17.0  # of the curve
ZERO, ONE, FAR = np.float32(0), np.float32(1), np.float32(1e30)
TINY = np.float32(1e-9)  # px: keeps the direction of a point that lies on the outline


def _half(fine: int = 4000) -> list[tuple[float, float]]:
    """The right half from the notch to the tip, in units of half the width and half the height.

    The corners stand closest where the curve bends most, so that no edge leaves it further than another.
    """
    t = torch.linspace(0.0, math.pi, fine, dtype=torch.float64)
    y = torch.cos(4 * t) + 2 * torch.cos(3 * t) + 5 * torch.cos(2 * t) - 13 * torch.cos(t)
    curve = torch.stack([torch.sin(t) ** 3, (2 * y - TOP - BOTTOM) / (BOTTOM - TOP)], 1)
    steps = curve.diff(dim=0)
    angle = torch.atan2(steps[:, 1], steps[:, 0])
    bend = torch.remainder(angle.diff() + math.pi, 2 * math.pi) - math.pi
    way = (bend.abs() * steps[1:].norm(dim=1)).sqrt().cumsum(0)
    inner = torch.searchsorted(way, way[-1] * torch.arange(1, EDGES) / EDGES) + 1
    return [tuple(point) for point in curve[[0, *inner.tolist(), -1]].tolist()]


HALF = _half()
CORNERS = np.array(HALF, np.float32)
STEPS = np.diff(CORNERS, axis=0)


def normal(x: Floats, y: Floats, a: Floats, b: Floats, signed: Floats, nx: Floats, ny: Floats) -> None:
    """The distance and its gradient by x and y: away from the nearest point of the polygon."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            px, py = abs(x[i, j]), y[i, j]
            least, off_x, off_y, side = FAR, ZERO, ZERO, ONE
            for k in range(EDGES):
                from_x, from_y = px - CORNERS[k, 0] * a[i], py - CORNERS[k, 1] * b[i]
                ex, ey = STEPS[k, 0] * a[i], STEPS[k, 1] * b[i]
                along = (from_x * ex + from_y * ey) / (ex * ex + ey * ey)
                along = min(max(along, ZERO), ONE)
                dx, dy = from_x - along * ex, from_y - along * ey
                squared = dx * dx + dy * dy
                if squared < least:
                    least, off_x, off_y = squared, dx, dy
                    side = from_x * ey - from_y * ex
            sign = -ONE if side < ZERO else ONE
            off_x, off_y = sign * off_x + TINY, sign * off_y
            off = sqrt(off_x * off_x + off_y * off_y)
            signed[i, j] = sign * off
            nx[i, j], ny[i, j] = copysign(ONE, x[i, j]) * off_x / off, off_y / off


@primitive(
    "heart",
    order=1,  # only a whole turn leaves it as it is
    quantiles={"aspect": log_uniform(0.9, 1.35), "filled": chance(0.85)},
    normal=normal,
)
def heart(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """Signed distance to the heart with half sides a, b."""
    right = x.abs()  # the left half mirrors the right one
    with torch.no_grad():
        foot_x, foot_y, sign = _foot(right, y, a, b)
        off_x, off_y = sign * (right - a * foot_x) + float(TINY), sign * (y - b * foot_y)
        off = torch.hypot(off_x, off_y)
        nx, ny = off_x / off, off_y / off
    return (right - a * foot_x) * nx + (y - b * foot_y) * ny


def _foot(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The nearest point of the right half, in the units of HALF; and -1 for points inside, 1 outside."""
    least = torch.full_like(x, torch.inf)
    foot_x, foot_y, side = torch.zeros_like(x), torch.zeros_like(x), torch.ones_like(x)
    for (x0, y0), (x1, y1) in pairwise(HALF):
        px, py, ex, ey = x - x0 * a, y - y0 * b, (x1 - x0) * a, (y1 - y0) * b
        along = (torch.addcmul(px * ex, py, ey) / (ex * ex + ey * ey)).clamp_(0.0, 1.0)
        off_x, off_y = px - along * ex, py - along * ey
        squared = torch.addcmul(off_x * off_x, off_y, off_y)
        nearer = squared < least
        least = torch.minimum(squared, least)
        foot_x = torch.where(nearer, x0 + along * (x1 - x0), foot_x)
        foot_y = torch.where(nearer, y0 + along * (y1 - y0), foot_y)
        side = torch.where(nearer, px * ey - py * ex, side)  # of the edge, seen along it
    return foot_x, foot_y, torch.where(side < 0, -1.0, 1.0).to(x.dtype)

"""Tracing: the path of a primitive that tells nothing but its distance field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.vector import Path, polygon

Doubles = NDArray[np.float64]

GRID = 256  # points across the box
MARGIN = 1.1  # half sides that are looked at
STEPS = 512  # points of a line around an open one
SIMPLE = 0.005  # px by which a traced line may be told with fewer points


def traced(field: Callable[..., None], closed: bool, a: float, b: float, own: Sequence[float]) -> Path:
    """Where the distance of a shape with half sides a, b (px) is 0, told in the box from -1 to 1.

    field: a primitive's, compiled. Of an open line, whose distance is never negative, its centre line.
    """
    from contourpy import contour_generator

    x, y = np.linspace(-MARGIN * a, MARGIN * a, GRID), np.linspace(-MARGIN * b, MARGIN * b, GRID)
    points = np.stack(np.meshgrid(x, y), -1).reshape(-1, 2)
    signed = _measured(field, points, a, b, own)[0].reshape(GRID, GRID)
    level = 0.0 if closed else 1.5 * max(x[1] - x[0], y[1] - y[0])
    told: Path = ()
    for line in contour_generator(x, y, signed).lines(level):
        if len(line) < 4:
            continue
        feet = np.asarray(line, float)
        for _ in range(2):  # onto the outline itself, which the grid only comes near to
            off, normal = _measured(field, feet, a, b, own)
            feet = feet - off[:, None] * normal
        feet = simplified(feet[:-1] if closed else _one_way(feet), closed)
        told += polygon(feet / (a, b), closed=closed)
    return told


def _measured(
    field: Callable[..., None], points: Doubles, a: float, b: float, own: Sequence[float]
) -> tuple[Doubles, Doubles]:
    """Signed distances (M,) of points (M, 2), and the directions (M, 2) in which they grow."""
    signed, nx, ny = np.empty((3, 1, len(points)))
    x, y = np.ascontiguousarray(points.T)[:, None]
    field(x, y, np.array([a]), np.array([b]), np.array([own], float).reshape(1, -1), signed, nx, ny)
    return signed[0], np.stack([nx[0], ny[0]], -1)


def _one_way(feet: Doubles) -> Doubles:
    """An open line, from its feet on a way around it: there and back, folded where both ways meet."""
    length = np.concatenate([[0.0], np.hypot(*np.diff(feet, axis=0).T).cumsum()])
    even = np.linspace(0, length[-1], STEPS, endpoint=False)
    points = np.stack([np.interp(even, length, feet[:, k]) for k in range(2)], -1)
    start, step = np.arange(STEPS)[:, None], np.arange(STEPS // 2)[None, :]
    apart = ((points[(start + step) % STEPS] - points[(start - step) % STEPS]) ** 2).sum((1, 2))
    fold = int(apart.argmin())
    return points[(fold + np.arange(STEPS // 2 + 1)) % STEPS]


def simplified(points: Doubles, closed: bool, within: float = SIMPLE) -> Doubles:
    """As few of the points as tell the line `within` px (Ramer, Douglas and Peucker)."""
    if closed:
        far = int(((points - points[0]) ** 2).sum(1).argmax())
        ends = [0, far, len(points)]
        points = np.concatenate([points, points[:1]])
    else:
        ends = [0, len(points) - 1]
    keep = set(ends)
    todo = list(pairwise(ends))
    while todo:
        first, last = todo.pop()
        if last - first < 2:
            continue
        along = points[last] - points[first]
        rest = points[first + 1 : last] - points[first]
        share = (rest @ along / max(float(along @ along), 1e-18)).clip(0, 1)
        off = np.hypot(*(rest - share[:, None] * along).T)
        if off.max() > within:
            middle = first + 1 + int(off.argmax())
            keep.add(middle)
            todo += [(first, middle), (middle, last)]
    order = sorted(keep)
    return points[order[:-1] if closed else order]

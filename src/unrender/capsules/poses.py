"""Comparing poses: the smallest difference over all that are equivalent (R of the agreement Z).

Arrays hold one observation per row; the columns are X, Y, WIDTH, HEIGHT, ROTATION.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

Floats = NDArray[np.float64]
X, Y, WIDTH, HEIGHT, ROTATION = range(5)
POSE = 5  # columns
EQUAL = 0.06  # log of width / height: sides that differ by less may be the same


def equal_sides(pose: Floats) -> NDArray[np.bool_]:
    """Whether the sides of poses (..., 5) may be the same."""
    equal: NDArray[np.bool_] = np.abs(np.log(pose[..., WIDTH] / pose[..., HEIGHT])) < EQUAL
    return equal


def options(pose: Floats, symmetry: Symmetry) -> Iterable[tuple[Floats, Floats]]:
    """Equivalent poses of rows (..., 5), each with the period (...) of its further turns, in degrees.

    A period of 0 stands for any turn.
    """
    equal = equal_sides(pose)
    yield pose, np.where(equal, symmetry.period(True), symmetry.period(False))
    if symmetry.swaps:
        quarter = pose[..., [X, Y, HEIGHT, WIDTH, ROTATION]]
        quarter[..., ROTATION] += 90.0
        yield quarter, np.where(equal & (symmetry.even == 0), 0.0, 180.0)


def wrapped(degrees: Floats, period: Floats) -> Floats:
    """The same angles in [-period/2, period/2]; 0 where the period is 0."""
    safe = np.where(period > 0, period, 1.0)
    return np.where(period > 0, degrees - safe * np.round(degrees / safe), 0.0)


def aligned(pose: Floats, expected: Floats, turning: Symmetry) -> Floats:
    """The pose equivalent to `pose` (..., 5) that differs least from the expected one in sides and turn."""
    best, least = pose, np.full(np.broadcast_shapes(pose.shape, expected.shape)[:-1], np.inf)
    for option, period in options(pose, turning):
        off = wrapped(option[..., ROTATION] - expected[..., ROTATION], period)
        sides = np.abs(np.log(option[..., WIDTH : HEIGHT + 1] / expected[..., WIDTH : HEIGHT + 1])).sum(-1)
        worse = sides + np.abs(off) / 60.0
        put = option + 0.0
        put = np.broadcast_to(put, (*least.shape, POSE)).copy()
        put[..., ROTATION] = expected[..., ROTATION] + off
        nearer = worse < least
        best = np.where(nearer[..., None], put, best)
        least = np.where(nearer, worse, least)
    return best


def aligned_one(pose: Floats, expected: Floats, turning: Symmetry) -> Floats:
    """`aligned` for one pose (5,), many times quicker than with arrays."""
    return alignment(pose, expected, turning)[0]


def alignment(pose: Floats, expected: Floats, turning: Symmetry) -> tuple[Floats, bool]:
    """The same, and whether width and height have changed places."""
    x, y, width, height, rotation = pose.tolist()
    _, _, wide, high, turn = expected.tolist()
    equal = abs(math.log(width / height)) < EQUAL
    best, least, quarter = (width, height, rotation), math.inf, False
    for k, (w, h, r, repeat) in enumerate(turning.options(width, height, rotation, equal)):
        off = math.remainder(r - turn, repeat) if repeat else 0.0
        worse = abs(math.log(w / wide)) + abs(math.log(h / high)) + abs(off) / 60.0
        if worse < least:
            best, least, quarter = (w, h, turn + off), worse, k > 0
    return np.array([x, y, *best]), quarter


def pose_of(node: Observation) -> Floats:
    """(5,): the pose of one observation."""
    return np.array([*node.position, *node.size, node.rotation], float)

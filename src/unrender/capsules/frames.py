"""The frame of a whole from the parts that agree: one bent part must not turn the whole, nor move it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.gamma import circular_mean, rotation_matrix
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y

TIGHT = 4.0  # degrees: parts that turn alike turn with the whole
AGREE = 0.5  # of the weight that must turn alike, or else all have their say
AWAY, BENT = 2.5, 1.4  # windows of place and of rotation: a part that is further off has moved by itself


def common_turn(turns: Floats, weights: Floats) -> float:
    """The turn (degrees) of most parts (P,), by their weights; the mean of all if they do not agree."""
    apart = np.abs((turns[:, None] - turns + 180.0) % 360.0 - 180.0)
    middle = int((apart @ weights + 1e9 * (weights <= 0)).argmin())
    close = weights * (apart[middle] <= TIGHT)
    return circular_mean(turns, close if close.sum() > AGREE * weights.sum() else weights)


def brought_back(
    poses: Floats, rest: Floats, rotation: float, widths: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """The parts (P, 5) of a whole that is turned by `rotation`, those that have moved by themselves where
    they would be at rest, and which these are (P,).

    rest: (P, 5), places and sides in any one unit. widths: (P, 5), the windows, places and rotation.
    """
    weights = np.hypot(poses[:, WIDTH], poses[:, HEIGHT])
    local = poses[:, [X, Y]] @ rotation_matrix(rotation)
    moved = np.zeros(len(poses), bool)
    sides = np.log(poses[:, WIDTH : HEIGHT + 1] / rest[:, WIDTH : HEIGHT + 1]).mean(1)
    scale = math.exp(_median(sides, weights))
    shift = np.array([_median(axis, weights) for axis in (local - scale * rest[:, [X, Y]]).T])
    for _ in range(3):
        off = np.abs(local - scale * rest[:, [X, Y]] - shift) / scale
        turn = np.abs((poses[:, ROTATION] - rest[:, ROTATION] - rotation + 180.0) % 360.0 - 180.0)
        now = (off > AWAY * widths[:, [X, Y]]).any(1) | (turn > BENT * widths[:, ROTATION])
        if weights[now].sum() >= AGREE * weights.sum() or (~now).sum() < 2:
            return poses, np.zeros(len(poses), bool)
        moved = now
        scale, shift = _similarity(rest[~moved][:, [X, Y]], local[~moved], weights[~moved], scale)
    back = poses.copy()
    places = (scale * rest[:, [X, Y]] + shift) @ rotation_matrix(rotation).T
    back[moved, X], back[moved, Y] = places[moved].T
    back[moved, WIDTH : HEIGHT + 1] = scale * rest[moved, WIDTH : HEIGHT + 1]
    back[moved, ROTATION] = rest[moved, ROTATION] + rotation
    return back[:, :POSE], moved


def _similarity(known: Floats, seen: Floats, weights: Floats, scale: float) -> tuple[float, Floats]:
    """Scale and shift that carry places (P, 2) nearest to others; the scale as it was if all meet."""
    middles = [(weights[:, None] * places).sum(0) / weights.sum() for places in (known, seen)]
    a, b = known - middles[0], seen - middles[1]
    spread = float((weights[:, None] * a * a).sum())
    if spread > 1e-9:
        scale = max(float((weights[:, None] * a * b).sum()) / spread, 0.1 * scale)
    return scale, middles[1] - scale * middles[0]


def _median(values: Floats, weights: Floats) -> float:
    """The weighted median."""
    order = np.argsort(values)
    share = np.cumsum(weights[order])
    return float(values[order][int(np.searchsorted(share, share[-1] / 2))])

"""polyline: an open line of any number of corners, as another package would write it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from unrender.primitives.evidence import Evidence, Start
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.symmetry import Symmetry


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """From the nearest point of the nearest side; own: x and y of all corners in the unit box."""
    for i in range(x.shape[0]):
        corners = own.shape[1] // 2
        for j in range(x.shape[1]):
            best = 1e18
            for k in range(corners - 1):
                px, py = own[i, 2 * k] * a[i], own[i, 2 * k + 1] * b[i]
                ex, ey = own[i, 2 * k + 2] * a[i] - px, own[i, 2 * k + 3] * b[i] - py
                dx, dy = x[i, j] - px, y[i, j] - py
                t = min(max((dx * ex + dy * ey) / max(ex * ex + ey * ey, 1e-12), 0.0), 1.0)
                ox, oy = dx - t * ex, dy - t * ey
                far = ox * ox + oy * oy
                if far < best:
                    best = far
                    off = sqrt(far)
                    signed[i, j] = off
                    if off > 1e-9:
                        nx[i, j], ny[i, j] = ox / off, oy / off
                    else:
                        length = max(sqrt(ex * ex + ey * ey), 1e-9)
                        nx[i, j], ny[i, j] = -ey / length, ex / length


def slopes(
    x: Doubles,
    y: Doubles,
    a: Doubles,
    b: Doubles,
    own: Doubles,
    signed: Doubles,
    nx: Doubles,
    ny: Doubles,
    out: Doubles,
) -> None:
    """Only the two corners of the nearest side move the nearest point."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            best, side, share = 1e18, 0, 0.0
            for k in range(own.shape[1] // 2 - 1):
                px, py = own[i, 2 * k] * a[i], own[i, 2 * k + 1] * b[i]
                ex, ey = own[i, 2 * k + 2] * a[i] - px, own[i, 2 * k + 3] * b[i] - py
                dx, dy = x[i, j] - px, y[i, j] - py
                t = min(max((dx * ex + dy * ey) / max(ex * ex + ey * ey, 1e-12), 0.0), 1.0)
                far = (dx - t * ex) ** 2 + (dy - t * ey) ** 2
                if far < best:
                    best, side, share = far, k, t
            out[i, j, 2 * side] = -(1 - share) * nx[i, j] * a[i]
            out[i, j, 2 * side + 1] = -(1 - share) * ny[i, j] * b[i]
            out[i, j, 2 * side + 2] = -share * nx[i, j] * a[i]
            out[i, j, 2 * side + 3] = -share * ny[i, j] * b[i]


def canonical(pose: Doubles, form: Doubles) -> tuple[Doubles, Doubles]:
    """Not turned, in the box that it fills, read from its end on the left."""
    corners = placed(pose, form)
    if tuple(corners[0]) > tuple(corners[-1]):
        corners = corners[::-1]
    return framed(corners, pose[5])


def placed(pose: Doubles, form: Doubles) -> Doubles:
    """(K, 2): corners on the canvas."""
    cos, sin = np.cos(pose[4]), np.sin(pose[4])
    u, v = form[::2] * pose[2], form[1::2] * pose[3]
    return np.stack([pose[0] + cos * u - sin * v, pose[1] + sin * u + cos * v], 1)


def framed(corners: Doubles, tau: float) -> tuple[Doubles, Doubles]:
    """Pose and form of corners (K, 2) on the canvas."""
    low, high = corners.min(0), corners.max(0)
    centre, half = (low + high) / 2, np.maximum((high - low) / 2, 1.0)
    return np.array([*centre, *half, 0.0, tau]), ((corners - centre) / half).ravel()


def starts(evidence: Evidence) -> Sequence[Start]:
    """Every centre line of straight pieces; round ends reach less far than straight ones of their area."""
    found = []
    for line in evidence.strokes:
        if not line.closed and not line.radius.any() and len(line.corner) > 1:
            corner = line.corner.copy()
            for end, beside in ((0, 1), (-1, -2)):
                along = corner[end] - corner[beside]
                corner[end] -= along / max(np.hypot(*along), 1e-9) * evidence.width * np.pi / 8
            found.append(Start(*framed(corner, evidence.width / 2), True))
    return found


polyline = Primitive(
    "polyline",
    field,
    Symmetry(),
    closed=False,
    stretches=False,
    formed=True,
    canonical=canonical,
    starts=starts,
    slopes=slopes,
)

"""edge: a straight stroke of (length, width), its ends from butt to round."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, copysign, cos, hypot, log, log2, pi, sin, sqrt

import numpy as np

from unrender.grammar.attribute import Attribute
from unrender.primitives.evidence import Evidence, Start
from unrender.primitives.handles import Handles
from unrender.primitives.pieces import boxes, outlines
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import Path, polygon

LONGEST = 100.0  # times as long as wide
ROUND = 0.7  # of half the width: corners of a box with a smaller radius are no round ends


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """Between that of a box and that of one with a half disc at either end, as `cap` says."""
    for i in range(x.shape[0]):
        cap = own[i, 0]
        for j in range(x.shape[1]):
            right, down = abs(x[i, j]), abs(y[i, j])
            dx, dy = right - a[i], down - b[i]
            out_x, out_y = max(dx, 0.0), max(dy, 0.0)
            off = sqrt(out_x * out_x + out_y * out_y)
            if off < 1e-9:  # inside, or on a side
                off = max(dx, dy)
                ux, uy = (1.0, 0.0) if dx > dy else (0.0, 1.0)
            else:
                ux, uy = out_x / off, out_y / off
            beyond = max(right - max(a[i] - b[i], 0.0), 0.0)
            far = sqrt(beyond * beyond + down * down)
            vx, vy = (beyond / far, down / far) if far > 1e-9 else (0.0, 1.0)
            signed[i, j] = (1 - cap) * off + cap * (far - b[i])
            gx, gy = (1 - cap) * ux + cap * vx, (1 - cap) * uy + cap * vy
            length = max(sqrt(gx * gx + gy * gy), 1e-9)
            nx[i, j], ny[i, j] = copysign(gx / length, x[i, j]), copysign(gy / length, y[i, j])


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
    """By `cap` as much as both distances differ; by half the length along the stroke, by half the width to
    its sides."""
    for i in range(x.shape[0]):
        cap, reach = own[i, 0], max(a[i] - b[i], 0.0)
        for j in range(x.shape[1]):
            right, down = abs(x[i, j]), abs(y[i, j])
            dx, dy = right - a[i], down - b[i]
            out_x, out_y = max(dx, 0.0), max(dy, 0.0)
            off = sqrt(out_x * out_x + out_y * out_y)
            if off < 1e-9:
                off = max(dx, dy)
                ux, uy = (1.0, 0.0) if dx > dy else (0.0, 1.0)
            else:
                ux, uy = out_x / off, out_y / off
            beyond = max(right - reach, 0.0)
            far = sqrt(beyond * beyond + down * down)
            end = beyond / far if far > 1e-9 else 0.0
            long = a[i] > b[i]  # or else the ends are those of a disc, whatever its length
            out[i, j, 0] = far - b[i] - off
            out[i, j, 1] = -(1 - cap) * ux - (cap * end if long else 0.0)
            out[i, j, 2] = -(1 - cap) * uy + cap * ((end if long else 0.0) - 1.0)


def outline(a: float, b: float, own: Sequence[float]) -> Path:
    """The centre line; round ends reach beyond it."""
    end = max(1 - own[0] * b / a, 0.0)
    return polygon([(-end, 0), (end, 0)], closed=False)


def starts(evidence: Evidence) -> Sequence[Start]:
    """Every centre line of one straight piece; and outlines that are those of a short stroke with round
    ends."""
    found = []
    for own in outlines(evidence):
        for x, y, a, b, angle, radius in boxes(own).tolist() if not own.tau else ():
            if a < b:
                a, b, angle = b, a, angle + pi / 2
            if radius > ROUND * b and a > b:
                found.append(Start(np.array([x, y, a, b, angle, 0.0, 1.0]), np.zeros(0), False))
    for line in evidence.strokes:
        if line.closed or len(line.radius) != 1 or line.radius[0] != 0:
            continue
        half = evidence.width / 2
        for cap in (1.0, 0.0):
            told = line.rounded(half).extended(half, half) if cap else line
            (x, y), (ex, ey) = told.corner
            reach = max(hypot(ex - x, ey - y) / 2, half)
            pose = [(x + ex) / 2, (y + ey) / 2, reach, half, atan2(ey - y, ex - x), 0.0, cap]
            found.append(Start(np.array(pose), np.zeros(0), False, line, exact=True))
    return found


def likely(a: float, b: float) -> float:
    """Bits that its proportions save: all between 1 and LONGEST are as likely."""
    return -log2(log(LONGEST)) if a >= b else -20.0


def ends(pose: Doubles, form: Doubles) -> Doubles:
    """(2, 2) px: the middles of both ends."""
    reach = pose[2] * np.array([cos(pose[4]), sin(pose[4])])
    return np.array([pose[:2] - reach, pose[:2] + reach])


def between(points: Doubles, width: float) -> tuple[Doubles, Doubles]:
    """The pose of an edge with these ends (2, 2)."""
    (dx, dy), (x, y) = points[1] - points[0], points.mean(0)
    return np.array([x, y, hypot(dx, dy) / 2, width / 2, atan2(dy, dx), 0.0, 0.0]), np.zeros(0)


def drawn(shares: Doubles) -> Doubles:
    """All edges are alike."""
    return np.array([[-1.0, 0.0], [1.0, 0.0]])


edge = register(
    Primitive(
        "edge",
        field,
        Symmetry(turns=2, even=2),
        own=(Attribute("cap", low=0.0, high=1.0, default=0.0),),
        held=(("cap", (0.0, 1.0)),),
        likely=likely,
        stretches=False,
        slopes=slopes,
        outline=outline,
        starts=starts,
        strokelike=True,
        handles=Handles(2, ends, between, drawn),
    )
)

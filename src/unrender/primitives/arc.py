"""arc: a part of the outline of the ellipse with the axes (width, height), stroked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, cos, floor, hypot, pi, sin, sqrt

import numpy as np

from unrender.grammar.attribute import Attribute
from unrender.primitives.circle import ellipse_foot
from unrender.primitives.evidence import Evidence, Start
from unrender.primitives.handles import Handles
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import Path

TURN = 2 * pi
SWEEPS = (0.08, 0.95)  # shares of a turn of the arcs that γ is trained on
FEWEST = 3  # points of an outline that tell how it bends
LONGER = 1.3  # times as long as wide, by its moments: a region that may be an arc with a thick line
BENT = 0.05  # of its width by which its middle must rise above its ends
AT_END = 1e-6  # px from an end at which it is the nearest point
FLATTEST = 20.0  # times as large as its chord: the radius of an arc through points that are nearly in line


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """From the nearest point of the ellipse if it is on the arc, else from the nearer end."""
    for i in range(x.shape[0]):
        start, sweep = own[i, 0] * 2 * pi, own[i, 1] * 2 * pi
        sx, sy, ex, ey = (
            a[i] * cos(start),
            b[i] * sin(start),
            a[i] * cos(start + sweep),
            b[i] * sin(start + sweep),
        )
        for j in range(x.shape[1]):
            c, s = ellipse_foot(abs(x[i, j]), abs(y[i, j]), a[i], b[i])
            if x[i, j] < 0:
                c = -c
            if y[i, j] < 0:
                s = -s
            turn = (atan2(s, c) - start) / (2 * pi)
            turn = (turn - floor(turn)) * 2 * pi
            fx, fy = a[i] * c, b[i] * s
            if turn > sweep:
                first = (x[i, j] - sx) ** 2 + (y[i, j] - sy) ** 2
                last = (x[i, j] - ex) ** 2 + (y[i, j] - ey) ** 2
                fx, fy = (sx, sy) if first < last else (ex, ey)
            dx, dy = x[i, j] - fx, y[i, j] - fy
            off = sqrt(dx * dx + dy * dy)
            signed[i, j] = off
            if off < 1e-9:
                dx, dy = b[i] * c, a[i] * s
                off = max(sqrt(dx * dx + dy * dy), 1e-9)
            nx[i, j], ny[i, j] = dx / off, dy / off


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
    """Where an end is nearest, as far as it moves towards the point or away; nowhere else."""
    for i in range(x.shape[0]):
        start, last = own[i, 0] * 2 * pi, (own[i, 0] + own[i, 1]) * 2 * pi
        for j in range(x.shape[1]):
            out[i, j, 0], out[i, j, 1] = 0.0, 0.0
            fx, fy = x[i, j] - signed[i, j] * nx[i, j], y[i, j] - signed[i, j] * ny[i, j]
            for end in range(2):
                turn = last if end else start
                c, s = cos(turn), sin(turn)
                if abs(fx - a[i] * c) + abs(fy - b[i] * s) < AT_END:
                    slope = 2 * pi * (a[i] * s * nx[i, j] - b[i] * c * ny[i, j])
                    out[i, j, 0] = slope
                    out[i, j, 1] = slope if end else 0.0
                    break


def outline(a: float, b: float, own: Sequence[float]) -> Path:
    """From its start, clockwise on the screen."""
    start, sweep = own[0] * TURN, own[1] * TURN
    middle, end = start + sweep / 2, start + sweep
    large = float(sweep > pi)
    if sweep > 0.99 * TURN:
        return (
            ("M", (cos(start), sin(start))),
            ("A", (1.0, 1.0, 0.0, 1.0, cos(middle), sin(middle))),
            ("A", (1.0, 1.0, 0.0, 1.0, cos(end), sin(end))),
        )
    return ("M", (cos(start), sin(start))), ("A", (1.0, 1.0, large, 1.0, cos(end), sin(end)))


def starts(evidence: Evidence) -> Sequence[Start]:
    """Every centre line of one arc; and of a region that is too short to have one, the arc along which it
    bends."""
    found = [] if evidence.strokes else list(_bent(evidence))
    for line in evidence.strokes:
        if line.closed or len(line.radius) != 1 or line.radius[0] == 0:
            continue
        radius, (cx, cy), half = abs(float(line.radius[0])), line.centre[0], evidence.width / 2
        short = line.rounded(half)
        first, last = short.corner if line.radius[0] > 0 else short.corner[::-1]
        start, sweep = atan2(first[1] - cy, first[0] - cx) / TURN, short.sweep(0) / TURN
        pose = np.array([cx, cy, radius, radius, 0.0, half, start % 1, min(sweep, 1.0)])
        if hypot(*(first - last)) > 1:
            found.append(Start(pose, np.zeros(0), True, line, exact=True))
    return found


def _bent(evidence: Evidence) -> Iterator[Start]:
    """The arc along a region without holes that is longer than wide, and bends: both of its edges lie equally
    far from its middle, which is thus the parabola nearest to all points of its outline."""
    if len(evidence.outlines) != 1 or len(evidence.outlines[0].x) < FEWEST:
        return
    (short, long), axes = np.linalg.eigh(evidence.covariance)
    if long < LONGER**2 * short:
        return
    way, half = axes[:, 1], evidence.width / 2
    side = np.array([-way[1], way[0]])
    points = np.stack([evidence.outlines[0].x, evidence.outlines[0].y], 1) - evidence.mean
    u, v = points @ way, points @ side
    parabola = np.polyfit(u, v, 2)
    ends = np.array([u.min() + half, (u.min() + u.max()) / 2, u.max() - half])
    rise = abs(float(parabola[0])) * (ends[2] - ends[0]) ** 2 / 4
    if ends[2] - ends[0] > half and rise > BENT * evidence.width:
        middle = evidence.mean + ends[:, None] * way + np.polyval(parabola, ends)[:, None] * side
        yield Start(through(middle, evidence.width)[0], np.zeros(0), True)


def points_of(pose: Doubles, form: Doubles) -> Doubles:
    """(3, 2) px: both ends and the middle between them."""
    turn = (pose[6] + pose[7] * np.array([0.0, 0.5, 1.0])) * TURN
    u, v = pose[2] * np.cos(turn), pose[3] * np.sin(turn)
    c, s = cos(pose[4]), sin(pose[4])
    return np.stack([pose[0] + c * u - s * v, pose[1] + s * u + c * v], 1)


def through(points: Doubles, width: float) -> tuple[Doubles, Doubles]:
    """The pose of the circular arc with these ends whose middle is nearest to the one told (3, 2)."""
    first, top, last = points
    middle, chord = (first + last) / 2, last - first
    length = max(float(hypot(*chord)), 1e-6)
    out = np.array([chord[1], -chord[0]]) / length
    rise = float((top - middle) @ out)
    if rise < 0:  # clockwise on the screen, the middle lies to the left of the chord
        first, last, out, rise = last, first, -out, -rise
    rise = max(rise, length / (8 * FLATTEST))
    radius = (length * length / 4 + rise * rise) / (2 * rise)
    x, y = middle + out * (rise - radius)
    start = atan2(first[1] - y, first[0] - x) / TURN
    sweep = (atan2(last[1] - y, last[0] - x) / TURN - start) % 1
    return np.array([x, y, radius, radius, 0.0, width / 2, start % 1, sweep]), np.zeros(0)


def drawn(shares: Doubles) -> Doubles:
    """Arcs of the unit circle; large and small sweeps are as likely."""
    sweep = SWEEPS[0] + shares[0] * (SWEEPS[1] - SWEEPS[0])
    return points_of(np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, sweep]), np.zeros(0))


arc = register(
    Primitive(
        "arc",
        field,
        Symmetry(turns=1, even=1),
        own=(
            Attribute("start", low=-1.0, high=2.0, default=0.0),
            Attribute("sweep", low=0.0, high=1.0, default=0.5),
        ),
        closed=False,
        stretches=True,
        slopes=slopes,
        outline=outline,
        starts=starts,
        handles=Handles(3, points_of, through, drawn),
    )
)

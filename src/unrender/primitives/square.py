"""square: the rectangle of (width, height), its corners sharp or round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import copysign, log, log2, pi, sqrt

import numpy as np

from unrender.grammar.attribute import Attribute
from unrender.primitives.evidence import Evidence, Start
from unrender.primitives.pieces import boxes, outlines
from unrender.primitives.protocol import Doubles, Primitive, widened
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import Command, Path, polygon

STRETCH = 1.0  # standard deviation of the logarithm of width / height
ROUND = 1.5  # px of the radius of a corner that can be told from a sharp one
DISC = 0.9  # of half the longer side: a corner with a larger radius is a circle

CORNERS = polygon([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """Away from the nearest side or corner; round ones are those of the box that is smaller by their
    radius."""
    for i in range(x.shape[0]):
        radius = own[i, 0] * min(a[i], b[i])
        for j in range(x.shape[1]):
            dx, dy = abs(x[i, j]) - a[i] + radius, abs(y[i, j]) - b[i] + radius
            out_x, out_y = max(dx, 0.0), max(dy, 0.0)
            off = sqrt(out_x * out_x + out_y * out_y)
            inside = off < 1e-9  # or on a side
            signed[i, j] = (max(dx, dy) if inside else off) - radius
            ux, uy = (1.0, 0.0) if dx > dy else (0.0, 1.0)
            nx[i, j] = copysign(ux if inside else out_x / off, x[i, j])
            ny[i, j] = copysign(uy if inside else out_y / off, y[i, j])


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
    """A larger radius takes the corners back."""
    for i in range(x.shape[0]):
        side = min(a[i], b[i])
        for j in range(x.shape[1]):
            out[i, j, 0] = (abs(nx[i, j]) + abs(ny[i, j]) - 1.0) * side


def mitred(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """From the line of the side that is furthest off; round corners stay round."""
    for i in range(x.shape[0]):
        radius = own[i, 0] * min(a[i], b[i])
        for j in range(x.shape[1]):
            dx, dy = abs(x[i, j]) - a[i] + radius, abs(y[i, j]) - b[i] + radius
            ux, uy, off = (1.0, 0.0, dx) if dx > dy else (0.0, 1.0, dy)
            if radius > 0 and dx > 0 and dy > 0:
                off = sqrt(dx * dx + dy * dy)
                ux, uy = dx / off, dy / off
            signed[i, j] = off - radius
            nx[i, j], ny[i, j] = copysign(ux, x[i, j]), copysign(uy, y[i, j])


def outline(a: float, b: float, own: Sequence[float]) -> Path:
    """Four corners, or as many arcs between its sides."""
    radius = (own[0] if len(own) else 0.0) * min(a, b)
    if radius <= 0:
        return CORNERS
    u, v = radius / a, radius / b
    ends = [(1 - u, -1, 1, -1 + v), (1, 1 - v, 1 - u, 1), (-1 + u, 1, -1, 1 - v), (-1, -1 + v, -1 + u, -1)]
    told: list[Command] = [("M", (-1 + u, -1.0))]
    for x, y, to_x, to_y in ends:
        told += [("L", (x, y)), ("A", (u, v, 0.0, 1.0, to_x, to_y))]
    return (*told, ("Z", ()))


def starts(evidence: Evidence) -> Sequence[Start]:
    """The boxes around each outline along its straight pieces, the longest ones first, and the same with
    round corners where the outline does not reach into them. A side that is hidden is where the region
    ends."""
    found = []
    for own in outlines(evidence):
        for *pose, radius in boxes(own).tolist():
            sharp = own.start(pose, widened)
            if sharp is None:
                continue
            found.append(replace(sharp, pose=np.append(sharp.pose, 0.0)))
            side = min(sharp.pose[2], sharp.pose[3])
            if radius - own.inset > ROUND and not _is_disc(sharp.pose, radius - own.inset):
                found.append(
                    replace(sharp, pose=np.append(sharp.pose, min((radius - own.inset) / side, 1.0)))
                )
    return found


def _is_disc(pose: Doubles, radius: float) -> bool:
    """Whether a box has corners so round that nothing is left of its sides."""
    return bool(radius > DISC * max(pose[2], pose[3]))


def likely(a: float, b: float) -> float:
    """Bits that its proportions save: half a normal distribution of their logarithm."""
    off = log(max(a, b) / min(a, b)) / STRETCH
    return log2(2 / (STRETCH * sqrt(2 * pi))) - off * off / (2 * log(2.0))


square = register(
    Primitive(
        "square",
        field,
        Symmetry(turns=2, even=4, swaps=True),
        own=(Attribute("corner", low=0.0, high=1.0, default=0.0),),
        held=(("corner", (0.0,)),),
        likely=likely,
        mitred=mitred,
        slopes=slopes,
        outline=outline,
        starts=starts,
    )
)

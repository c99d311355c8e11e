"""Pieces of outlines from which closed primitives start: straight sides, and smooth runs of arcs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.evidence import Doubles, Evidence, Line, Start
from unrender.primitives.jit import compiled

SLACK = 1.0  # px by which a region may reach beyond the line of its own side: corners are known no better
SHORTEST = 2.5  # px of a straight piece that tells a direction
SIDES = 8  # straight pieces, the longest ones, that are looked at
SMOOTH = math.radians(30)  # pieces that turn less where they meet may be one curve
FEWEST = 8  # points that tell an ellipse
PARALLEL = math.radians(4)  # by which the directions of two sides of a box may differ
DIRECTIONS = 3  # of boxes that are tried for one outline
ROUND = 0.1  # of the square of its extent, what an open line encloses: one with less is no outline
HOLLOW = 0.01  # of what an outline encloses, the hole in it: a smaller one is another shape in front
CORNERS = 4  # of a box
BENT = 0.5  # of its box, what an outline encloses: one with less may go round a stroke that is cut by another

Indices = NDArray[np.int64]
Offset = Callable[[float, float, float], tuple[float, float, float, float]]


@dataclass(frozen=True, eq=False)
class Outline:
    """A closed line that may be the outline of one convex shape."""

    line: Line
    turn: float  # 1 if the inside lies to the right of the way along it, else -1
    inset: float  # px from the line inwards to the middle of the stroke
    tau: float  # px: half the width of the stroke, 0 if the shape is painted inside

    def sides(self) -> Doubles:
        """(K, 4): outward unit normal, its offset and length (px) of the straight pieces on one side of which
        all of the line lies, the longest first: no side of a convex shape can be another one. Of four arcs
        the lines that touch two of them: a box may have hardly more than round corners."""
        line = self.line
        if line.closed and len(line.radius) == CORNERS and (line.radius * self.turn > 0).all():
            return self._touching()
        found = _sides(line.x, line.y, line.corner, line.radius, self.turn, line.closed, SLACK, SHORTEST)
        return found[np.argsort(-found[:, 3], kind="stable")[:SIDES]]

    def _touching(self) -> Doubles:
        """(4, 4): the same of the lines that touch two arcs, each the one before it too; none of a disc."""
        centre, radius = self.line.centre, np.abs(self.line.radius)
        way = centre - np.roll(centre, 1, axis=0)
        length = np.hypot(*way.T)[:, None]
        if length.min() < SHORTEST / 2:
            return np.zeros((0, 4))
        normal = self.turn * np.stack([way[:, 1], -way[:, 0]], 1) / length
        reach = (normal * centre).sum(1) + radius
        before = (normal * np.roll(centre, 1, axis=0)).sum(1) + np.roll(radius, 1)
        return np.concatenate([normal, (reach[:, None] + before[:, None]) / 2, length], 1)

    def runs(self) -> list[tuple[Doubles, Doubles]]:
        """x and y of the points of smooth runs of pieces that bulge out, the longest run first, and before
        them those of all runs together if there are several."""
        number = _runs(
            self.line.corner, self.line.radius, self.line.centre, self.line.first, len(self.line.x),
            self.turn, self.line.closed, SMOOTH,
        )  # fmt: skip
        counts = np.bincount(number + 1)[1:]
        order = np.argsort(-counts, kind="stable").tolist()
        several = [number == k for k in order if counts[k] >= FEWEST]
        if len(several) > 1:
            several.insert(0, number >= 0)
        return [(self.line.x[own], self.line.y[own]) for own in several]

    def start(self, pose: Sequence[float], offset: Offset) -> Start | None:
        """The shape to try: x, y, a, b (px), angle of the line as one outline. offset: that of the
        primitive."""
        x, y, a, b, angle = pose
        if self.inset:
            dx, dy, a, b = offset(a, b, -self.inset)
            x += math.cos(angle) * dx - math.sin(angle) * dy
            y += math.sin(angle) * dx + math.cos(angle) * dy
        if min(a, b) < 0.5:
            return None
        along = self.line if self.tau and not self.inset else None
        return Start(np.array([x, y, a, b, angle, self.tau]), np.zeros(0), self.tau > 0, along)


def outlines(evidence: Evidence) -> Iterator[Outline]:
    """The lines that may each be the outline of a closed shape: the outer contour of a region, as one that is
    painted inside or, around a hole or if it is bent, as a stroke; and centre lines that are closed, or go
    round enough: where others cross it, an outline may be cut."""
    for line in evidence.outlines[:1]:
        tau, area = evidence.width / 2, enclosed(line)
        bent = len(line.x) > 0 and area < BENT * np.ptp(line.x) * np.ptp(line.y)
        if bent or any(-enclosed(hole) > HOLLOW * area for hole in evidence.outlines[1:]):
            yield Outline(line, 1.0, tau, tau)
        yield Outline(line, 1.0, 0.0, 0.0)
    for line in evidence.strokes:
        area = enclosed(line)
        if line.closed or abs(area) > ROUND * (np.ptp(line.x) ** 2 + np.ptp(line.y) ** 2):
            yield Outline(line, math.copysign(1.0, area), 0.0, evidence.width / 2)


def boxes(own: Outline) -> Doubles:
    """(N, 6): x, y, a, b (px) and angle of the boxes around an outline along its straight pieces, the longest
    ones first, and the radius of their corners that it suggests."""
    return _boxes(own.line.x, own.line.y, own.sides(), PARALLEL, DIRECTIONS)


def enclosed(line: Line) -> float:
    """px² that a closed line goes round: positive if clockwise on the screen."""
    return _enclosed(line.x, line.y)


@compiled
def _enclosed(x: Doubles, y: Doubles) -> float:
    twice, before = 0.0, len(x) - 1
    for k in range(len(x)):
        twice += x[before] * y[k] - x[k] * y[before]
        before = k
    return 0.5 * twice


@compiled
def _sides(
    x: Doubles,
    y: Doubles,
    corner: Doubles,
    radius: Doubles,
    turn: float,
    closed: bool,
    slack: float,
    shortest: float,
) -> Doubles:
    found, count = np.empty((len(radius), 4)), 0
    for k in range(len(radius)):
        if radius[k] != 0 or (closed and len(radius) < 2):
            continue
        n = (k + 1) % len(corner)
        dx, dy = corner[n, 0] - corner[k, 0], corner[n, 1] - corner[k, 1]
        length = math.sqrt(dx * dx + dy * dy)
        if length < shortest:
            continue
        nx, ny = turn * dy / length, -turn * dx / length
        offset = 0.5 * (nx * (corner[k, 0] + corner[n, 0]) + ny * (corner[k, 1] + corner[n, 1]))
        supports = True
        for m in range(len(x)):
            if nx * x[m] + ny * y[m] > offset + slack:
                supports = False
                break
        if supports:
            found[count, 0], found[count, 1], found[count, 2], found[count, 3] = nx, ny, offset, length
            count += 1
    return found[:count]


@compiled
def _runs(
    corner: Doubles,
    radius: Doubles,
    centre: Doubles,
    first: Indices,
    points: int,
    turn: float,
    closed: bool,
    smooth: float,
) -> Indices:
    """(points,): the number of the smooth run that each point belongs to, or -1."""
    pieces = len(radius)
    if pieces == 0 or points == 0:
        return np.full(points, -1)
    run, count, arcs = np.full(pieces, -1), 0, np.zeros(pieces, np.bool_)
    for k in range(pieces):
        if radius[k] * turn < 0:
            continue
        if k > 0 and run[k - 1] >= 0 and _bend(corner, radius, centre, k - 1, k) < smooth:
            run[k] = run[k - 1]
        else:
            run[k] = count
            count += 1
        arcs[run[k]] |= radius[k] != 0
    last = run[pieces - 1]
    if closed and last > 0 and run[0] >= 0 and _bend(corner, radius, centre, pieces - 1, 0) < smooth:
        for k in range(pieces):
            if run[k] == last:
                run[k] = run[0]
        arcs[run[0]] |= arcs[last]
    number = np.full(points, -1)
    for k in range(pieces):
        size = points - first[k]
        if closed or k + 1 < pieces:
            size = (first[(k + 1) % pieces] - first[k]) % points
        if pieces == 1:
            size = points
        for m in range(size):
            if run[k] >= 0 and arcs[run[k]]:
                number[(first[k] + m) % points] = run[k]
    return number


@compiled
def _bend(corner: Doubles, radius: Doubles, centre: Doubles, before: int, after: int) -> float:
    """The angle (radians) between two pieces where they meet."""
    ax, ay = _heading(corner, radius, centre, before, after)
    bx, by = _heading(corner, radius, centre, after, after)
    return abs(math.atan2(ax * by - ay * bx, ax * bx + ay * by))


@compiled
def _heading(corner: Doubles, radius: Doubles, centre: Doubles, piece: int, at: int) -> tuple[float, float]:
    """The way along a piece at one of its ends, which is a corner."""
    if radius[piece] == 0:
        end = (piece + 1) % len(corner)
        return corner[end, 0] - corner[piece, 0], corner[end, 1] - corner[piece, 1]
    side = 1.0 if radius[piece] > 0 else -1.0
    return -side * (corner[at, 1] - centre[piece, 1]), side * (corner[at, 0] - centre[piece, 0])


@compiled
def _boxes(x: Doubles, y: Doubles, sides: Doubles, same: float, most: int) -> Doubles:
    """(N, 6): x, y, a, b and angle of the boxes around points (n,), along sides (K, 4) of different
    directions, and the radius of their corners that the points suggest."""
    found, count = np.empty((most, 6)), 0
    far = np.empty(4)
    for k in range(len(sides)):
        if count == most:
            break
        first, told, turn, total = math.atan2(sides[k, 1], sides[k, 0]), False, 0.0, 0.0
        for m in range(count):
            off = first - found[m, 4]
            told |= abs(off - round(off / (math.pi / 2)) * (math.pi / 2)) < same
        if told:
            continue
        for m in range(len(sides)):  # the mean direction, the longer sides being surer
            off = math.atan2(sides[m, 1], sides[m, 0]) - first
            off -= round(off / (math.pi / 2)) * (math.pi / 2)
            if abs(off) < same:
                turn += off * sides[m, 3] ** 3
                total += sides[m, 3] ** 3
        angle = first + turn / total
        for q in range(4):
            nx, ny = math.cos(angle + q * math.pi / 2), math.sin(angle + q * math.pi / 2)
            far[q] = (nx * x + ny * y).max()
            for m in range(len(sides)):
                if nx * sides[m, 0] + ny * sides[m, 1] > math.cos(same):
                    far[q] = sides[m, 2]
                    break
        u, v = (far[0] - far[2]) / 2, (far[1] - far[3]) / 2
        c, t = math.cos(angle), math.sin(angle)
        found[count, 0], found[count, 1] = c * u - t * v, t * u + c * v
        found[count, 2], found[count, 3] = (far[0] + far[2]) / 2, (far[1] + far[3]) / 2
        found[count, 4] = angle
        reach = -1e18
        for m in range(len(x)):  # how far into a corner a point lies, along both sides
            dx, dy = x[m] - found[count, 0], y[m] - found[count, 1]
            reach = max(
                reach, abs(c * dx + t * dy) - found[count, 2] + abs(c * dy - t * dx) - found[count, 3]
            )
        found[count, 5] = -reach / (2 - math.sqrt(2.0))
        count += 1
    return found[:count]

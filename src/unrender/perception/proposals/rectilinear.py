"""Rectilinear regions: those with right angles only, told as the fewest rectangles.

Rectangles of one colour that touch or cross show no edge between them: an L, a cross or a stair is one
region. Its edges, drawn through, part it into cells; of the largest rectangles of cells that lie within it
those that cost the fewest bits are proposed, which are the same however the region is turned.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.perception.proposals.fits import of_areas
from unrender.perception.proposals.placements import Shown
from unrender.perception.proposals.polygon import Polygon
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.coverage import distances
from unrender.render.shape import ANGLE, OWN, A, B, Shape, X, Y

STEEP = math.radians(12)  # from one of two directions, within which an edge has this direction
STRAIGHT = 0.85  # of the outline must have one of them; antialiased corners and stairs have none
APART = 1.2  # px: lines that are nearer are one
LINES = 16  # of each direction: what has more is no pattern of rectangles
WRONG = 0.15  # px of a region that may lie on the wrong side of a line, for every px of its outline


@dataclass(frozen=True, eq=False)
class Cells:
    """A region as cells between lines, in a frame turned by `angle` (radians) about the picture's origin."""

    angle: float
    x: Doubles  # (C + 1,) px: the lines, in the frame
    y: Doubles  # (R + 1,)
    filled: NDArray[np.bool_]  # (R, C)


def rectangles_of(shown: Shown, kinds: Sequence[Primitive], colour: Doubles) -> list[Shape]:
    """The rectangles that a region with right angles only may be made of; none if it is no such region."""
    kind = next((kind for kind in kinds if of_areas(kind) and fills_box(kind)), None)
    cells = None if kind is None else cells_of(shown)
    if kind is None or cells is None or cells.filled.sum() < 2:
        return []
    return [Shape(kind, _with_own(pose, kind), colour, None) for pose in rectangles(cells)]


def _with_own(pose: Doubles, kind: Primitive) -> Doubles:
    return np.concatenate([pose, [own.default for own in kind.own]])


def fills_box(kind: Primitive) -> bool:
    """Whether a primitive is a rectangle: it reaches into all corners of its box, and no further."""
    pose = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, *(own.default for own in kind.own)])
    side = np.array([-1.02, -0.98, 0.98, 1.02])
    x, y = (grid.ravel() for grid in np.meshgrid(side, side))
    inside = distances(Shape(kind, pose, np.zeros(3), None), x, y)[0][0] < 0
    return kind.closed and bool((inside == ((np.abs(x) < 1) & (np.abs(y) < 1))).all())


def cells_of(shown: Shown) -> Cells | None:
    """A region as cells; None if its edges are not straight or not at right angles."""
    outline = shown.polygon
    if len(outline.at) < 4:
        return None
    heading = outline.out @ np.array([1, 1j])
    turn = (outline.after * heading**4).sum()
    if abs(turn) < STRAIGHT / 2 * outline.after.sum():
        return None
    angle = float(np.angle(turn)) / 4
    off = np.abs(np.angle((heading * np.exp(-1j * angle)) ** 4)) / 4
    straight = off < STEEP
    if (outline.after * straight).sum() < STRAIGHT * outline.after.sum():
        return None
    angle += float(np.angle((outline.after * heading**4)[straight].sum() * np.exp(-4j * angle))) / 4
    x, y = _lines(outline, angle, straight)
    if min(len(x), len(y)) < 2 or max(len(x), len(y)) > LINES:
        return None
    return _filled(shown, angle, x, y, float(outline.after.sum()))


def _lines(outline: Polygon, angle: float, straight: NDArray[np.bool_]) -> tuple[Doubles, Doubles]:
    """Where the edges lie, those upright in the frame and those lying."""
    frame = np.exp(-1j * angle)
    middle = (outline.at + outline.out * outline.after[:, None] / 2) @ np.array([1, 1j]) * frame
    along = np.abs((outline.out @ np.array([1, 1j]) * frame).real) > 0.7
    upright, lying = straight & ~along, straight & along
    return _merged(middle.real[upright], outline.after[upright]), _merged(
        middle.imag[lying], outline.after[lying]
    )


def _merged(offset: Doubles, weight: Doubles) -> Doubles:
    """Lines at these offsets; of several that are near one another the mean by length."""
    order = np.argsort(offset, kind="stable")
    offset, weight = offset[order], weight[order]
    groups = np.concatenate([[0], np.cumsum(np.diff(offset) > APART)]) if len(offset) else np.zeros(0, int)
    lines: Doubles = np.bincount(groups, offset * weight) / np.maximum(np.bincount(groups, weight), 1e-9)
    return lines


def _filled(shown: Shown, angle: float, x: Doubles, y: Doubles, length: float) -> Cells | None:
    """The cells most of which the region fills; None if it does not follow the lines."""
    row, column = np.indices(shown.alpha.shape)
    at = ((column + shown.left + 0.5) + 1j * (row + shown.top + 0.5)) * np.exp(-1j * angle)
    cell = (np.searchsorted(y, at.imag) * (len(x) + 1) + np.searchsorted(x, at.real)).ravel()
    size = (len(x) + 1) * (len(y) + 1)
    count = np.bincount(cell, minlength=size)
    inside = np.bincount(cell, shown.alpha.ravel() > 0.5, minlength=size)
    filled = (2 * inside > count).reshape(len(y) + 1, len(x) + 1)
    within = filled[1:-1, 1:-1]
    if np.minimum(inside, count - inside).sum() > WRONG * length or within.sum() < filled.sum():
        return None
    return Cells(angle, x, y, within) if within.any() else None


def rectangles(cells: Cells) -> list[Doubles]:
    """The poses (OWN,) of all rectangles within a region of which no side can be moved outwards."""
    frame = np.exp(1j * cells.angle)
    found = []
    for top, bottom, left, right in largest(cells.filled):
        centre = complex((cells.x[left] + cells.x[right]) / 2, (cells.y[top] + cells.y[bottom]) / 2) * frame
        pose = np.zeros(OWN)
        pose[X], pose[Y], pose[ANGLE] = centre.real, centre.imag, cells.angle
        pose[A], pose[B] = (cells.x[right] - cells.x[left]) / 2, (cells.y[bottom] - cells.y[top]) / 2
        found.append(pose)
    return found


def largest(filled: NDArray[np.bool_]) -> Sequence[tuple[int, int, int, int]]:
    """All rectangles (top, bottom, left, right) of filled cells (R, C) that no larger one holds."""
    rows, columns = filled.shape
    total = np.pad(filled, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    top, bottom, left, right = np.ogrid[: rows + 1, : rows + 1, : columns + 1, : columns + 1]
    inside = total[bottom, right] - total[top, right] - total[bottom, left] + total[top, left]
    full = (inside == (bottom - top) * (right - left)) & (bottom > top) & (right > left)
    grown = np.zeros_like(full)
    grown[1:] |= full[:-1]
    grown[:, :-1] |= full[:, 1:]
    grown[:, :, 1:] |= full[:, :, :-1]
    grown[..., :-1] |= full[..., 1:]
    return [(own[0], own[1], own[2], own[3]) for own in np.argwhere(full & ~grown).tolist()]

"""Blocks: a patch of one colour with right angles only, told as rectangles.

Rectangles of one colour that touch or cross show no edge between them, so no outline tells them apart: an L,
a cross or a stair is one patch. Here the straight edges of such a patch, turned in any way, are drawn through
to lines, which part it into cells; the largest rectangles of cells that lie within it, as few as fill it,
are the same however the patch is turned.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]
Mask = NDArray[np.bool_]

SQUARE = 0.4  # how surely the edges of a patch go in two directions; rounded corners make it less than 1
BLUR = 0.8  # px, over which the direction of an edge is told
STEEP = 0.9  # cosine of the angle within which an edge is parallel to a line
UPRIGHT = 0.1  # radians: the edges of a patch turned less may be those of its pixels
RAGGED = 2.0  # px: edges of a turned patch that are nearer to each other are on one line
STEPS = 3  # in which the angle is found
LINES = 20  # at the most, of each direction
ROUGH = 0.12  # px of a patch that may lie on the wrong side of a line, for every px of its edge
NARROW = 2.5  # px: no rectangle is narrower
MOST = 12  # rectangles: what needs more is no pattern of them


@dataclass(frozen=True)
class Blocks:
    """A patch as cells between lines, in a frame turned by `angle` about the origin of the picture."""

    angle: float  # degrees, in [-45, 45]
    x: Floats  # (C + 1,) px: the lines, in the frame
    y: Floats  # (R + 1,)
    filled: Mask  # (R, C)

    @cached_property
    def rectangles(self) -> list[tuple[float, float, float, float]]:
        """Centre (in the picture), width and height of the fewest largest rectangles that fill the patch."""
        turn = math.radians(self.angle)
        cos, sin = math.cos(turn), math.sin(turn)
        found = []
        for top, bottom, left, right in cover(self.filled):
            x, y = (self.x[left] + self.x[right]) / 2, (self.y[top] + self.y[bottom]) / 2
            size = float(self.x[right] - self.x[left]), float(self.y[bottom] - self.y[top])
            found.append((float(cos * x - sin * y), float(sin * x + cos * y), *size))
        return found


def blocks(mask: Mask, corner: tuple[int, int] = (0, 0)) -> Blocks | None:
    """A patch, bool (H, W), as cells; None if its edges are not straight or not at right angles.

    corner: x and y of the first pixel, if the mask is a window of the picture. Its edge is an edge of what
    touches it.
    """
    first = complex(*corner) - (1 + 1j)  # a pixel more all around
    mask = np.pad(mask, 1)
    slope = _slope(mask)
    angle = _angle(slope)
    if angle is None:
        return None
    points, side, heading = _edges(mask, slope)
    points += first
    row, column = np.indices(mask.shape) + 0.5
    place = column + 1j * row + first
    exact = _parted(mask, place, 0.0, (points, side), 0.5) if abs(angle) < UPRIGHT else None
    return exact or _parted(mask, place, angle, (points, heading), RAGGED)


def _parted(
    mask: Mask, place: Complex, angle: float, edges: tuple[Complex, Complex], apart: float
) -> Blocks | None:
    """A patch, its pixels at these places, parted by lines through the points of its edges, which are `apart`
    px from each other at least; None if that does not tell it well."""
    points, heading = edges
    for _ in range(STEPS):
        frame = np.exp(-1j * angle)
        at, steep = points * frame, heading * frame
        upright, lying = at[np.abs(steep.real) > STEEP], at[np.abs(steep.imag) > STEEP]
        x, *lean = _lines(upright.real, upright.imag, apart)
        y, *rise = _lines(lying.imag, lying.real, apart)
        angle += (rise[0] - lean[0]) / max(rise[1] + lean[1], 1.0)
    if min(len(x), len(y)) < 2 or max(len(x), len(y)) > LINES:
        return None
    place = place * frame
    cell = np.searchsorted(y, place.imag) * (len(x) + 1) + np.searchsorted(x, place.real)
    count = np.bincount(cell.ravel(), minlength=(len(x) + 1) * (len(y) + 1))
    inside = np.bincount(cell[mask], minlength=len(count))
    wrong = int(np.minimum(inside, count - inside).sum())
    filled = (2 * inside > count).reshape(len(y) + 1, len(x) + 1)
    told = Blocks(math.degrees(angle), x, y, filled[1:-1, 1:-1])
    if wrong > ROUGH * len(points) or not told.filled.any() or told.filled.sum() < filled.sum():
        return None
    sides = [min(width, height) for _, _, width, height in told.rectangles]
    return told if min(sides) > NARROW and len(sides) <= MOST else None


def _slope(mask: Mask) -> Complex:
    """dx + i dy of a patch at every pixel."""
    soft = ndimage.gaussian_filter(mask.astype(float), BLUR)
    slope: Complex = np.gradient(soft, axis=1) + 1j * np.gradient(soft, axis=0)
    return slope


def _angle(slope: Complex) -> float | None:
    """How far, in radians, the edges of a patch are turned, if they go in two directions only."""
    weight = np.abs(slope) ** 2
    if not weight.any():
        return None
    spin = (weight * np.exp(4j * np.angle(slope))).sum() / weight.sum()
    return float(np.angle(spin)) / 4 if abs(spin) > SQUARE else None


def _edges(mask: Mask, slope: Complex) -> tuple[Complex, Complex, Complex]:
    """x + i y of the points between a pixel of the patch and one that is not, where the side that the two
    pixels share faces, and where the edge does that they are a piece of."""
    row, column = np.nonzero(mask[:, 1:] != mask[:, :-1])
    low, left = np.nonzero(mask[1:] != mask[:-1])
    at = np.concatenate([column + 1 + 1j * (row + 0.5), left + 0.5 + 1j * (low + 1)])
    side = np.repeat([1.0 + 0j, 1j], [len(row), len(low)])
    beside = slope[row, column] + slope[row, column + 1], slope[low, left] + slope[low + 1, left]
    steep = np.concatenate(beside)
    return at, side, steep / np.abs(steep).clip(1e-9)


def _lines(offset: Floats, along: Floats, apart: float) -> tuple[Floats, float, float]:
    """The offsets of the lines on which points lie; and what says how far these are turned: the covariance of
    offset and place along the line, and the variance of the place, summed over all points."""
    order = np.argsort(offset, kind="stable")
    offset, along = offset[order], along[order]
    ends = np.flatnonzero(np.diff(offset) > apart) + 1
    groups = zip(np.split(offset, ends), np.split(along, ends), strict=True)
    found, turned, long = [], 0.0, 0.0
    for own, place in groups if len(offset) else ():
        found.append(own.mean())
        place = place - place.mean()
        turned += float(own @ place)
        long += float(place @ place)
    return np.array(found), turned, long


def cover(filled: Mask) -> list[tuple[int, int, int, int]]:
    """The fewest largest rectangles (top, bottom, left, right) that fill these cells: first those that alone
    fill some cell, then whichever fills most of the rest."""
    rectangles = sorted(_largest(filled), key=lambda r: -(r[1] - r[0]) * (r[3] - r[2]))
    times = np.zeros(filled.shape, int)
    for top, bottom, left, right in rectangles:
        times[top:bottom, left:right] += 1
    chosen, rest = [], filled.copy()
    for rectangle in rectangles:
        top, bottom, left, right = rectangle
        if (times[top:bottom, left:right] == 1).any():
            chosen.append(rectangle)
            rest[top:bottom, left:right] = False
    while rest.any():
        best = max(rectangles, key=lambda r: int(rest[r[0] : r[1], r[2] : r[3]].sum()))
        chosen.append(best)
        rest[best[0] : best[1], best[2] : best[3]] = False
    return chosen


def _largest(filled: Mask) -> list[tuple[int, int, int, int]]:
    """All rectangles of filled cells of which no side can be moved outwards."""
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

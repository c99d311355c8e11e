"""Known objects all of whose parts have one colour: found by the outline of the parts together.

Where parts of one colour touch, no edge between them shows, and they are read as one outline, or as other
shapes with that outline. The complex moments of the area tell which of many known outlines it may be, and how
it is turned; the few that come nearest are fitted to its edge, and bits decide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.perception.depth import Placed
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.objective import PRECISION, shape_bits
from unrender.perception.proposals.propose import colours_of, near_colour
from unrender.perception.proposals.sets import painted_of, refined_together
from unrender.perception.refine.outline import Points, fit
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.coverage import Floats
from unrender.render.shape import ANGLE, OWN, A, B, Shape, X, Y

Mask = NDArray[np.bool_]
Complexes = NDArray[np.complex128]

ORDERS = ((1, 1), (2, 0), (2, 1), (3, 0), (2, 2), (3, 1), (4, 0))  # of z and its conjugate, in each moment
DEGREES = 5.0  # between the turns that are compared
APART = 30.0  # degrees between two turns of which each may be right
ALIKE = 0.06  # distance of the moments of two areas that may have one outline
NEAREST = 4  # known outlines that are fitted
POINTS = 96  # of an edge
REACHES = (6.0, 4.0, 3.0, 2.0, 1.5, 1.0, 1.0)  # px from which points pull, step after step
CLOSE = 0.7  # px: a point of the edge this far off is not explained
FITTING = 0.8  # of the edge must be explained
RANGE = 4.0  # times the rms of what departs from its place: the range in which each number is told
ROUGH = 4.0  # bits for each px of an edge that is off by a tenth of a pixel
STRAYED = 1.5  # px: a part that refinement carries further was not held by any edge that shows
INSIDE = 0.95  # of what a part paints: if another covers more, no edge of it shows
FEWEST = 24  # px of an area: less tells nothing


@dataclass(frozen=True, eq=False)
class Moments:
    """Of an area of the plane x + i y: where it is, how large, and its shape."""

    centre: complex
    area: float
    shape: Complexes  # (K,): central moments by ORDERS, divided by the power of the area that scale has

    @classmethod
    def of(cls, mask: Mask, x: Doubles, y: Doubles) -> Moments:
        """Of the pixels of a mask (h, w) whose columns and rows are evenly spaced at x (w,) and y (h,)."""
        rows, columns = np.nonzero(mask)
        z = x[columns] + 1j * y[rows]
        pixel = abs((x[1] - x[0]) * (y[1] - y[0]))
        centre, area = complex(z.mean()), pixel * len(z)
        z = (z - centre) / math.sqrt(area)
        shape = np.array([(z**p * z.conj() ** q).mean() for p, q in ORDERS], np.complex128)
        return cls(centre, area, shape)


@dataclass(frozen=True, eq=False)
class KnownOutline:
    """The outline of parts that touch, as a rigid shape; its moments are those at scale 1."""

    primitive: Primitive
    moments: Moments
    parts: Callable[[Shape], Sequence[Shape]]  # of one of them
    bent: Callable[[Shape, Sequence[Shape]], Shape]  # the same one with these parts


def instead(state: Interpretation, several: Sequence[Placed], known: Sequence[KnownOutline]) -> list[Move]:
    """Known objects in place of shapes of one colour that touch: those that are shorter to say, the best
    first."""
    area = _filled_area(state, several) if known else None
    if area is None or area[0].sum() < FEWEST:
        return []
    mask, left, top = area
    x = np.arange(mask.shape[1], dtype=np.float64) + (left + 0.5)
    y = np.arange(mask.shape[0], dtype=np.float64) + (top + 0.5)
    moments, edge = Moments.of(mask > 0.5, x, y), _edge(mask, left, top)
    colour = colours_of(several[0].shape)[0]
    found = []
    for own, starts in _nearest(moments, known):
        same = np.zeros(len(starts), np.int64)
        points = Points(edge[0][None], edge[1][None], np.ones((1, len(edge[0]))))
        steps = np.repeat(np.array(REACHES)[:, None], len(starts), 1)
        pose, off = fit(
            own.primitive, starts, points.of(same), False, steps, np.full(len(starts), 2.0 * max(mask.shape))
        )
        explained = 1 - (np.minimum(off / CLOSE, 1.0) ** 2).mean(1)
        best = int(explained.argmax())
        if explained[best] > FITTING:
            shape = Shape(own.primitive, pose[best], colour, None)
            drawn, move = _told(state, several, own, shape)
            rigid, far = shape_bits(shape, state.model), float(np.sqrt((off[best] ** 2).mean()))
            saved = sum(placed.bits for placed in several) - rigid - _departure_bits(several, far)
            if drawn > -ROUGH * _length(mask):
                found.append((saved, move))
    found.sort(key=lambda each: -each[0])
    return [move for saved, move in found if saved > 0]


def _departure_bits(several: Sequence[Placed], far: float) -> float:
    """To say each number of some shapes if a known outline tells them but for so many px (rms)."""
    numbers = 0
    for placed in several:
        shape, kind = placed.shape, placed.shape.primitive
        numbers += kind.numbers_of(shape.pose, shape.form) if kind.formed else kind.parameters
    return numbers * math.log2(max(RANGE * far / PRECISION, 1.0))


def _length(mask: Floats) -> float:
    """About how many px of edge an area has."""
    inside = mask > 0.5
    return float((inside[1:] != inside[:-1]).sum() + (inside[:, 1:] != inside[:, :-1]).sum())


def _told(
    state: Interpretation, several: Sequence[Placed], known: KnownOutline, shape: Shape
) -> tuple[float, Move]:
    """A known object as it is, or with its parts moved by what the pixels say, and the bits of pixels that it
    saves."""
    rigid = Placed.of(state.refined(shape, several), state.model)
    expected = [Placed.of(part, state.model) for part in known.parts(rigid.shape)]
    moved = refined_together(state, [part.shape for part in expected], several)
    parts = [
        old.shape if _has_no_edge(old, expected) or _strayed(old.shape, new.shape) else new.shape
        for old, new in zip(expected, moved, strict=True)
    ]
    bent = Placed.of(known.bent(rigid.shape, parts), state.model)
    moves = [Move([own], several) for own in (rigid, bent)]
    gain, best = max(((state.gain(move), move) for move in moves), key=lambda each: each[0])
    return gain + rigid.bits - sum(placed.bits for placed in several), best


def _has_no_edge(part: Placed, parts: Sequence[Placed]) -> bool:
    """Whether another part of the same colour covers all of one, so that nothing tells where it is."""
    return any(part.covered(other) > INSIDE for other in parts if other is not part)


def _strayed(old: Shape, new: Shape) -> bool:
    """Whether refinement carried a part to where it does not belong."""
    return float(np.abs((new.pose - old.pose)[[X, Y, A, B]]).max()) > STRAYED


def _nearest(moments: Moments, known: Sequence[KnownOutline]) -> Iterator[tuple[KnownOutline, Doubles]]:
    """The known outlines with the most similar moments, each with the poses (N, P) that these tell."""
    turns = np.radians(np.arange(0.0, 360.0, DEGREES))
    order = np.array([p - q for p, q in ORDERS])
    shapes = np.stack([own.moments.shape for own in known])  # (N, K)
    turned = shapes[:, None] * np.exp(1j * turns[:, None] * order)  # (N, T, K)
    off = np.linalg.norm(turned - moments.shape, axis=2)
    least = off.min(1)
    for n in np.argsort(least, kind="stable")[:NEAREST]:
        if least[n] > ALIKE:
            break
        first = int(off[n].argmin())
        away = np.abs(np.angle(np.exp(1j * (turns - turns[first])))) > math.radians(APART)
        second = int(np.where(away, off[n], np.inf).argmin())
        angles = turns[[first, second]]
        scale = math.sqrt(moments.area / known[n].moments.area)
        centre = moments.centre - scale * np.exp(1j * angles) * known[n].moments.centre
        pose = np.zeros((len(angles), OWN + len(known[n].primitive.own)))
        pose[:, X], pose[:, Y], pose[:, ANGLE] = centre.real, centre.imag, angles
        pose[:, A] = pose[:, B] = scale
        yield known[n], pose


def _filled_area(state: Interpretation, several: Sequence[Placed]) -> tuple[Floats, int, int] | None:
    """How much of each pixel of a window several shapes paint, holes filled, and the window's left and top;
    None of what is not painted inside."""
    shown = [painted_of(state, placed) for placed in several]
    kept = [own for own in shown if own is not None]
    if len(kept) < len(shown):
        return None
    left, top = min(own.left for own in kept) - 1, min(own.top for own in kept) - 1
    right = max(own.left + own.alpha.shape[1] for own in kept) + 1
    bottom = max(own.top + own.alpha.shape[0] for own in kept) + 1
    alpha = np.zeros((bottom - top, right - left), np.float32)
    for own in kept:
        row, column = own.top - top, own.left - left
        part = alpha[row : row + own.alpha.shape[0], column : column + own.alpha.shape[1]]
        np.minimum(part + own.alpha, 1, out=part)
    hole = ndimage.binary_fill_holes(alpha > 0.5) & (alpha <= 0.5)
    alpha[hole] = 1.0
    return alpha, left, top


def _edge(alpha: Floats, left: int, top: int) -> tuple[Doubles, Doubles]:
    """x and y (POINTS,) of places where the coverage of pixels (h, w) passes a half, evenly picked."""
    found = []
    for axis in (0, 1):
        one, other = (alpha[:-1], alpha[1:]) if axis == 0 else (alpha[:, :-1], alpha[:, 1:])
        rows, columns = np.nonzero((one > 0.5) != (other > 0.5))
        low, high = one[rows, columns].astype(np.float64), other[rows, columns].astype(np.float64)
        along = (0.5 - low) / (high - low)
        found.append((columns + 0.5 + along * axis, rows + 0.5 + along * (1 - axis)))
    x, y = (np.concatenate(each) for each in zip(*found, strict=True))
    pick = (np.arange(POINTS) * len(x)) // POINTS
    return x[pick] + left, y[pick] + top


def clusters(several: Sequence[Placed], sigma: float) -> list[list[Placed]]:
    """Filled shapes of one colour that touch, directly or by others; those first that are many."""
    found: list[list[Placed]] = []
    for placed in several:
        if placed.shape.stroke is not None or placed.shape.fill is None:
            continue
        colour = placed.shape.fill
        same = [
            own
            for own in found
            if any(near_colour(colours_of(o.shape)[0], colour, sigma) and o.touches(placed) for o in own)
        ]
        found = [own for own in found if not any(own is other for other in same)]
        found.append([*(each for own in same for each in own), placed])
    return sorted(found, key=lambda own: -len(own))

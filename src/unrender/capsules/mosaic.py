"""Mosaics: known objects of one colour that touch, so that they show as one patch.

Bottom-up such a patch falls apart into whatever rectangles fill it, hardly ever into those of its objects: it
is seen as nothing known. So the objects that are made of rectangles of one colour are tried top-down: each
is laid into the patch wherever two of its sides come to lie on lines of the patch, and the fewest that fill
it say which rectangles it is made of. Where there is a choice, those that have grown alike since they were
taught are likelier; and so are those that look the same in more of their turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.blocks import Blocks
from unrender.capsules.poses import HEIGHT, ROTATION, WIDTH, X, Y

Floats = NDArray[np.float64]

PARALLEL = 3.0  # degrees by which the parts of an object may differ from right angles
WITHIN = 0.98  # of every part must lie in the patch
SMALLEST = 3.0  # px: no part is narrower
POINTS = 64  # a side, at which what is covered is compared
OFF = 0.03  # of the points may be covered twice or not at all
PIECES = 5  # objects of one patch, at the most
CHOICES = 40  # ways to fill a patch that are compared
ROOM = 1.1  # times the area of the largest objects: a patch that is larger they cannot fill
ALIKE = 0.02  # by which the logarithms of two scales may differ that are the same


@dataclass(frozen=True)
class Form:
    """The rectangles of an object, upright, as large as it was taught, px."""

    boxes: Floats  # (P, 4) left, top, right and bottom, from the corner of the box around all
    turns: int = 1  # in how many of four quarter turns it looks like this

    @cached_property
    def size(self) -> Floats:
        """(2,): width and height of the whole."""
        size: Floats = self.boxes[:, 2:].max(0)
        return size

    @cached_property
    def area(self) -> float:
        """px that it covers."""
        x, y = (np.unique(self.boxes[:, side::2]) for side in (0, 1))
        left, top, right, bottom = self.boxes.T[..., None]
        across, along = (left <= x[:-1]) & (x[1:] <= right), (top <= y[:-1]) & (y[1:] <= bottom)
        covered = (along[:, :, None] & across[:, None]).any(0)
        return float((covered * np.diff(y)[:, None] * np.diff(x)).sum())

    def turned(self) -> Form:
        """After a quarter turn clockwise."""
        left, top, right, bottom = self.boxes.T
        height = self.size[1]
        return Form(np.stack([height - bottom, left, height - top, right], 1), self.turns)


@dataclass(frozen=True)
class Placed:
    """An object laid into a patch."""

    boxes: Floats  # (P, 4) in the frame of the patch, px
    scale: float  # how much larger it is than it was taught
    turns: int  # as of its form
    points: int  # the points that it covers, one bit for each


def forms_of(objects: Iterable[Floats]) -> list[Form]:
    """All that differ of objects with these parts, poses (P, 5), in every quarter turn."""
    found: dict[bytes, Form] = {}
    for poses in objects:
        form = _form(poses)
        if form is not None:
            differing: dict[bytes, Form] = {}
            for _ in range(4):
                differing.setdefault(_key(form), form)
                form = form.turned()
            for key, one in differing.items():
                found.setdefault(key, replace(one, turns=4 // len(differing)))
    return list(found.values())


def _key(form: Form) -> bytes:
    """The same for forms that cover the same."""
    return np.round(form.boxes[np.lexsort(form.boxes.T)], 1).tobytes()


def _form(poses: Floats) -> Form | None:
    """None if the parts are not at right angles to each other."""
    turn = np.radians(poses[0, ROTATION])
    off = poses[:, ROTATION] - poses[0, ROTATION]
    if np.abs(off - 90 * np.round(off / 90)).max() > PARALLEL:
        return None
    place = (poses[:, X] + 1j * poses[:, Y]) * np.exp(-1j * turn)
    centre = np.stack([place.real, place.imag], 1)
    lying = (np.round(off / 90) % 2 == 0)[:, None]
    half = np.where(lying, poses[:, [WIDTH, HEIGHT]], poses[:, [HEIGHT, WIDTH]]) / 2
    low = (centre - half).min(0)
    return Form(np.concatenate([centre - half - low, centre + half - low], 1))


def fill(
    patch: Blocks, forms: Sequence[Form], most: int = PIECES, usual: Sequence[float] = (), limit: int = PIECES
) -> list[Placed]:
    """The fewest objects that fill a patch; none if so few of them cannot.

    Up to `limit` if all are of a `usual` scale: then it is no chance that they fit in. Else up to `most`.
    """
    grid = _Grid(patch)
    largest = max((form.area for form in forms), default=0.0) * max(usual, default=0.0) ** 2
    known = grid.lay_all(forms, usual) if grid.area < limit * largest * ROOM else []
    found = _fewest(known, grid.points, limit)
    return found or _fewest(grid.lay_all(forms if most > 1 else grid.alike(forms)), grid.points, most)


def _fewest(placed: Sequence[Placed], points: int, most: int) -> list[Placed]:
    """The likeliest choice of the fewest objects, at the most so many, that cover all points."""
    for count in range(1, most + 1):
        found = list(islice(_choices(placed, points, count), CHOICES))
        if found:
            return min(found, key=_unlikely)
    return []


def _unlikely(choice: Sequence[Placed]) -> tuple[int, float]:
    """How differently objects have grown; and how few of their turns look like this, which is by how much
    less likely it is that they do."""
    spread = float(np.std(np.log([own.scale for own in choice])))
    return round(spread / ALIKE), -float(np.log([own.turns for own in choice]).sum())


class _Grid:
    """A patch with the area of it up to every place, and the points that are in it."""

    def __init__(self, patch: Blocks) -> None:
        self.x, self.y = patch.x, patch.y
        cells = patch.filled * np.diff(self.y)[:, None] * np.diff(self.x)
        self.total = np.pad(cells, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
        self.area = float(self.total[-1, -1])
        step = max(1.0, max(np.ptp(self.x), np.ptp(self.y)) / POINTS)
        x, y = (np.arange(line[0] + step / 2, line[-1], step) for line in (self.x, self.y))
        inside = patch.filled[np.searchsorted(self.y, y)[:, None] - 1, np.searchsorted(self.x, x) - 1]
        row, column = np.nonzero(inside)
        self._at = np.stack([x[column], y[row]], 1)  # (N, 2)
        self.points = _bits(np.ones(len(self._at), bool))

    def alike(self, forms: Iterable[Form]) -> list[Form]:
        """Those with the proportions of the patch: no other one fills it alone."""
        aspect = np.ptp(self.x) / np.ptp(self.y)
        return [form for form in forms if abs(np.log(form.size[0] / form.size[1] / aspect)) < OFF]

    def lay_all(self, forms: Iterable[Form], scales: Sequence[float] | None = None) -> list[Placed]:
        """Objects wherever they fit in, at these scales or at any; of those at the same points one."""
        known = None if scales is None else np.log(np.unique(scales))
        return list({own.points: own for form in forms for own in self._lay(form, known)}.values())

    def _lay(self, form: Form, known: Floats | None) -> Iterator[Placed]:
        """Wherever the object fits in with two opposite sides on lines, and a third one."""
        scale, left, top = (np.concatenate(values) for values in zip(*self._tries(form), strict=True))
        fits = scale * float((form.boxes[:, 2:] - form.boxes[:, :2]).min()) > SMALLEST
        if known is not None:
            fits &= (np.abs(np.log(scale)[:, None] - known) < ALIKE).any(1)
        scale, corner = scale[fits], np.stack([left[fits], top[fits]], 1)
        if not len(scale):
            return
        boxes = scale[:, None, None] * form.boxes + np.tile(corner, 2)[:, None]
        area = (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
        good = (self._area(boxes) > WITHIN * area).all(1)
        for own, size in zip(boxes[good], scale[good], strict=True):
            covered = (self._at[:, None] > own[:, :2]) & (self._at[:, None] < own[:, 2:])
            yield Placed(own, float(size), form.turns, _bits(covered.all(2).any(1)))

    def _tries(self, form: Form) -> Iterator[tuple[Floats, Floats, Floats]]:
        """Scale, left and top of every try."""
        for along, across, turned in ((self.x, self.y, False), (self.y, self.x, True)):
            span, depth = form.size[::-1] if turned else form.size
            first, last = np.triu_indices(len(along), 1)
            for far in (False, True):
                scale = np.repeat((along[last] - along[first]) / span, len(across))
                start = np.repeat(along[first], len(across))
                side = np.tile(across, len(first)) - far * scale * depth
                yield (scale, side, start) if turned else (scale, start, side)

    def _area(self, boxes: Floats) -> Floats:
        """How much of the patch lies in boxes (..., 4)."""
        left, top, right, bottom = np.moveaxis(boxes, -1, 0)
        to = self._up_to
        area: Floats = to(right, bottom) - to(left, bottom) - to(right, top) + to(left, top)
        return area

    def _up_to(self, x: Floats, y: Floats) -> Floats:
        """How much of the patch lies left of x and above y: linear between the lines."""
        column, row = (
            np.interp(at, lines, np.arange(len(lines))) for at, lines in ((x, self.x), (y, self.y))
        )
        c, r = (np.minimum(at.astype(int), n - 2) for at, n in ((column, len(self.x)), (row, len(self.y))))
        u, v = column - c, row - r
        upper = self.total[r, c] * (1 - u) + self.total[r, c + 1] * u
        lower = self.total[r + 1, c] * (1 - u) + self.total[r + 1, c + 1] * u
        amount: Floats = upper * (1 - v) + lower * v
        return amount


def _choices(placed: Sequence[Placed], rest: int, count: int) -> Iterator[list[Placed]]:
    """All ways to cover the points of `rest` with so many objects, each point about once."""
    slack = OFF * rest.bit_count()

    def go(left: int, some: Sequence[Placed], count: int) -> Iterator[list[Placed]]:
        if left.bit_count() <= slack:
            yield []
            return
        fit = [own for own in some if (own.points & ~left).bit_count() <= OFF * own.points.bit_count()]
        largest = max((own.points.bit_count() for own in fit), default=0)
        if count * largest < left.bit_count() - slack:
            return
        lowest = left & -left
        for own in fit:
            if own.points & lowest:
                for others in go(left & ~own.points, fit, count - 1):
                    yield [own, *others]

    return go(rest, placed, count)


def _bits(values: NDArray[np.bool_]) -> int:
    """One bit of a number for each value."""
    return int.from_bytes(np.packbits(values).tobytes(), "big")

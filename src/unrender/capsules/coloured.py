"""Patches of one colour: which colours there are, where each shows, and points on the edge of every patch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import ndimage
from torch import Tensor

from unrender.capsules.canvas import Canvas
from unrender.capsules.patches import Floats
from unrender.graphics.compiled import Flags2, Floats1, Floats2, Floats3, compiled

COLOURS = 10  # looked at in one picture, the most frequent first
PATCHES = 16  # fitted in one picture, the largest first
LEAST = 12  # px of a colour
ASKED = 800  # unexplained pixels that say which colours there are
GAP = 0.7  # of the extent of a piece: what is nearer may be another piece of the same shape
EDGE, WITHIN, BEYOND = 64, 24, 40  # points of a patch: on its edge, in it, and on bare ground around it
SHARED = 0.6  # weight of an edge beside another shape

Mask = NDArray[np.bool_]
Window = tuple[slice, slice]


@dataclass(frozen=True)
class Contour:
    """Points of one patch: first those on its edge, then inside it, then on bare ground. Each (M,)."""

    x: Tensor
    y: Tensor
    weight: Tensor
    extent: float  # px
    tau: float  # px: half the width of a line that would be this patch
    colour: Floats  # (3,)


@dataclass(frozen=True)
class Piece:
    """What shows one colour: a window of the picture, and where in it."""

    window: Window
    mask: Mask


@dataclass(frozen=True)
class Shown:
    """The picture of a canvas by its colours."""

    canvas: Canvas
    where: Mask  # (H, W): the pixels in question
    bare: Mask  # (H, W): where the ground shows
    colours: list[Floats]  # those that are frequent at the pixels in question, each (3,)

    @classmethod
    def of(cls, canvas: Canvas, where: Mask) -> Shown:
        return cls(canvas, where, bare_ground(canvas), list(_colours(canvas.picture[where], canvas.alike)))

    def masks(self) -> Iterator[tuple[Mask, Floats]]:
        """Every colour, and where it shows: a mask that holds until the next one is asked for."""
        alike = np.empty_like(self.bare)
        for colour in self.colours:
            _near(self.canvas.picture, colour, self.canvas.alike**2, self.bare, alike)
            yield alike, colour

    def patches(self) -> list[Contour]:
        """Patches of one colour that touch the pixels in question, the largest first."""
        return [contour_of(piece, self.bare, colour) for piece, colour in self.pieces()[:PATCHES]]

    def pieces(self) -> list[tuple[Piece, Floats]]:
        """What shows one colour (3,) and touches the pixels in question, the largest first."""
        found = [(piece, colour) for alike, colour in self.masks() for piece in _pieces(alike, self.where)]
        return sorted(found, key=lambda patch: -int(patch[0].mask.sum()))


def bare_ground(canvas: Canvas) -> Mask:
    """bool (H, W): where the picture shows the ground."""
    bare = np.empty(canvas.picture.shape[:2], np.bool_)
    _near_ground(canvas.picture, canvas.ground, canvas.alike**2, bare)
    return bare


def connected(mask: Mask, where: Mask) -> Iterator[Piece]:
    """The pieces of a mask, connected by sides of pixels, that touch the given pixels."""
    labels, _ = ndimage.label(mask)
    wanted = set(np.unique(labels[where]).tolist())
    for n, window in enumerate(ndimage.find_objects(labels), 1):
        if n in wanted and (piece := labels[window] == n).sum() >= LEAST:
            yield Piece(window, piece)


@compiled
def _near_ground(picture: Floats3, ground: Floats3, limit: float, out: Flags2) -> None:
    """Where the picture (H, W, 3) is less than the root of `limit` from the ground."""
    for i in range(picture.shape[0]):
        for j in range(picture.shape[1]):
            red, green = picture[i, j, 0] - ground[i, j, 0], picture[i, j, 1] - ground[i, j, 1]
            blue = picture[i, j, 2] - ground[i, j, 2]
            out[i, j] = red * red + green * green + blue * blue < limit


@compiled
def _near(picture: Floats3, colour: Floats1, limit: float, bare: Flags2, out: Flags2) -> None:
    """Where it is that near to one colour (3,) and does not show bare ground."""
    for i in range(picture.shape[0]):
        for j in range(picture.shape[1]):
            red, green = picture[i, j, 0] - colour[0], picture[i, j, 1] - colour[1]
            blue = picture[i, j, 2] - colour[2]
            out[i, j] = red * red + green * green + blue * blue < limit and not bare[i, j]


def _colours(pixels: Floats, tolerance: float) -> Iterator[Floats]:
    """The most frequent colours among pixels (P, 3)."""
    pixels = pixels[np.linspace(0, len(pixels) - 1, min(ASKED, len(pixels))).astype(int)]
    for _ in range(COLOURS):
        if len(pixels) < 3:
            return
        colour = _most_frequent(pixels, (0.6 * tolerance) ** 2)
        yield colour
        pixels = pixels[((pixels - colour) ** 2).sum(1) > tolerance**2]


@compiled
def _most_frequent(pixels: Floats2, limit: float) -> Floats:
    """The mean (3,) of those pixels (P, 3) that are near the one which most are near to."""
    most, best = 0, 0
    for i in range(len(pixels)):
        count = 0
        for j in range(len(pixels)):
            count += _apart(pixels[i], pixels[j]) < limit
        if count > most:
            most, best = count, i
    colour = np.zeros(3, np.float32)
    for j in range(len(pixels)):
        if _apart(pixels[best], pixels[j]) < limit:
            for c in range(3):
                colour[c] += pixels[j, c] / np.float32(most)
    return colour


@compiled
def _apart(one: Floats, other: Floats) -> float:
    """The squared distance of two colours (3,)."""
    total = 0.0
    for c in range(3):
        total += (one[c] - other[c]) ** 2
    return total


def _pieces(mask: Mask, where: Mask) -> list[Piece]:
    """Connected pieces of a mask that touch `where`, and groups of them that may be one shape."""
    labels, count = ndimage.label(mask, np.ones((3, 3)))
    if not count:
        return []
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    wanted = np.bincount(labels[where], minlength=count + 1) > 2
    boxes = ndimage.find_objects(labels)
    several = [i + 1 for i in range(count) if sizes[i + 1] >= 4]
    groups: dict[frozenset[int], None] = {}
    for i in several:
        if wanted[i]:
            near = frozenset(j for j in several if _gap(boxes[i - 1], boxes[j - 1]) <= 0)
            groups |= {frozenset([i]): None, near: None}
    pieces = []
    for group in groups:
        if sizes[list(group)].sum() >= LEAST:
            window = _around([boxes[i - 1] for i in group])
            pieces.append(Piece(window, np.isin(labels[window], list(group))))
    return pieces


def _around(boxes: list[Window]) -> Window:
    """The window that holds all boxes."""
    rows, columns = zip(*boxes, strict=True)
    return (
        slice(min(r.start for r in rows), max(r.stop for r in rows)),
        slice(min(c.start for c in columns), max(c.stop for c in columns)),
    )


def _gap(one: tuple[slice, slice], other: tuple[slice, slice]) -> float:
    """How much further two boxes are apart than pieces of one shape would be."""
    apart = max(max(a.start - b.stop, b.start - a.stop) for a, b in zip(one, other, strict=True))
    extent = max(s.stop - s.start for box in (one, other) for s in box)
    return float(apart - GAP * extent)


def contour_of(piece: Piece, bare: Mask, colour: Floats) -> Contour:
    """Choose points of a patch."""
    rows, columns = piece.window
    extent = float(max(rows.stop - rows.start, columns.stop - columns.start))
    room = round(0.4 * extent) + 4
    top, left = max(0, rows.start - room), max(0, columns.start - room)
    bare = bare[top : rows.stop + room, left : columns.stop + room]
    mask = np.zeros_like(bare)
    mask[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left] = piece.mask
    depth = ndimage.distance_transform_edt(mask)
    points = [_edge(mask, bare), _inside(mask), _inside(bare)]
    chosen = [
        cloud[np.linspace(0, len(cloud) - 1, count).astype(int)] if len(cloud) else np.zeros((count, 3))
        for cloud, count in zip(points, (EDGE, WITHIN, BEYOND), strict=True)
    ]
    x, y, weight = torch.from_numpy(np.concatenate(chosen)).float().unbind(1)
    return Contour(x + left, y + top, weight, extent, float(2 * depth[mask].mean()), colour)


def _edge(mask: Mask, bare: Mask) -> NDArray[np.float64]:
    """(P, 3): x, y and weight of the points between a pixel of the mask and one that is not. Beside bare
    ground, or a mixed pixel away, the edge is the patch's own; beside another shape it may be its edge."""
    found = []
    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        beside, free = _moved(mask, dy, dx), _moved(bare, dy, dx) | _moved(bare, 2 * dy, 2 * dx)
        row, column = np.nonzero(mask & ~beside)
        weight = np.where(free[row, column], 1.0, SHARED)
        found.append(np.stack([column + 0.5 + dx / 2, row + 0.5 + dy / 2, weight], 1))
    points = np.concatenate(found)
    return points[np.lexsort((points[:, 0], points[:, 1]))]


def _moved(mask: Mask, dy: int, dx: int) -> Mask:
    """What each pixel's neighbour shows; beyond the picture, what the pixel at its edge shows."""
    height, width = mask.shape
    return np.pad(mask, 2, mode="edge")[2 + dy : 2 + dy + height, 2 + dx : 2 + dx + width]


def _inside(mask: Mask) -> NDArray[np.float64]:
    """(P, 3): x, y and weight of the pixels of a mask."""
    row, column = np.nonzero(mask)
    return np.stack([column + 0.5, row + 0.5, np.full(len(row), 0.5)], 1)

"""What is done to every pixel of a canvas, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unrender.graphics.compiled import (
    Flags1,
    Flags2,
    Floats1,
    Floats2,
    Floats3,
    Ints1,
    Ints3,
    Labels2,
    compiled,
)

VISIBLE = np.float32(0.3)  # of a pixel must be covered to count
STEPS = 8  # from one point of an outline to the next
PLAIN = np.float32(0.3)  # how wrong a pixel would be that looks otherwise

Place = tuple[int, int, int]
"""Where a window of a canvas begins: its top, its left, and from how many pixels it takes one."""

_HALF, _ONE, _ZERO = np.float32(0.5), np.float32(1), np.float32(0)


@compiled
def gains(
    picture: Floats3,
    painted: Floats3,
    owner: Labels2,
    place: Place,
    alpha: Floats2,
    paint: Floats1,
    scale: float,
) -> NDArray[np.float64]:
    """What painting a colour (3,) over a window would bring, by who is seen there now: (K, 4), the bare
    ground first. The sums of what looks righter, of what it could bring at best, of the coverage, and of the
    coverage that would look otherwise."""
    top, left, step = place
    last = -1
    for i in range(alpha.shape[0]):
        for j in range(alpha.shape[1]):
            last = max(last, owner[top + i * step, left + j * step])
    sums = np.zeros((last + 2, 4))
    limit = np.float32(scale)
    for i in range(alpha.shape[0]):
        for j in range(alpha.shape[1]):
            cover = alpha[i, j]
            if cover <= VISIBLE:
                continue
            y, x = top + i * step, left + j * step
            before, after, moved = _ZERO, _ZERO, _ZERO
            for c in range(3):
                old = painted[y, x, c]
                way = cover * (paint[c] - old)
                off = picture[y, x, c] - old
                before += off * off
                after += (off - way) * (off - way)
                moved += way * way
            change = moved / (moved + limit)
            row = sums[owner[y, x] + 1]
            row[0] += cover * (before / (before + limit) - after / (after + limit))
            row[1] += cover * change
            row[2] += cover
            row[3] += cover if change > PLAIN else _ZERO
    return sums


@compiled
def paint_over(
    painted: Floats3,
    owner: Labels2,
    place: Place,
    alpha: Floats2,
    paint: Floats1,
    index: int,
    behind: Ints1,
) -> None:
    """Paint a colour (3,) over a window, but not over what the given ones show."""
    top, left, step = place
    for i in range(alpha.shape[0]):
        for j in range(alpha.shape[1]):
            cover, y, x = alpha[i, j], top + i * step, left + j * step
            for other in behind:
                if owner[y, x] == other:
                    cover = _ZERO
            for c in range(3):
                painted[y, x, c] += cover * (paint[c] - painted[y, x, c])
            if cover > _HALF:
                owner[y, x] = index


@compiled
def plainly_off(picture: Floats3, painted: Floats3, limit: float, out: Flags2) -> None:
    """Where the two differ by more than `limit` (squared), averaged over 3 x 3 pixels; not at the border."""
    height, width = out.shape
    off = np.empty((3, width, 3), np.float32)  # of three rows
    square = np.float32(81 * limit)
    for i in range(height):
        for j in range(width):
            out[i, j] = False
            for c in range(3):
                off[i % 3, j, c] = picture[i, j, c] - painted[i, j, c]
        if i < 2:
            continue
        for j in range(1, width - 1):
            total = _ZERO
            for c in range(3):
                mean = _ZERO
                for k in range(3):
                    mean += off[k, j - 1, c] + off[k, j, c] + off[k, j + 1, c]
                total += mean * mean
            out[i - 1, j] = total > square


@compiled
def without_rims(where: Flags2, owner: Labels2, sure: Flags1, rim: int) -> None:
    """Take out of `where` (H, W) all that lies no more than `rim` pixels from the edge of a sure shape.

    owner (H, W): the shape that each pixel shows, or -1. sure: (N,), by shape.
    """
    height, width = where.shape
    for i in range(height):
        for j in range(width):
            if not where[i, j]:
                continue
            own, edge = -1, False
            for k in range(max(i - rim, 0), min(i + rim + 1, height)):
                for m in range(max(j - rim, 0), min(j + rim + 1, width)):
                    if owner[k, m] >= 0 and sure[owner[k, m]]:
                        own = owner[k, m]
                    edge = edge or owner[k, m] != owner[i, j]
            where[i, j] = own < 0 or not edge


@compiled
def wrongness(picture: Floats3, painted: Floats3, scale: float) -> float:
    """How many pixels look wrong, weighted by how surely."""
    total, limit = 0.0, np.float32(scale)
    for i in range(picture.shape[0]):
        for j in range(picture.shape[1]):
            off = _ZERO
            for c in range(3):
                off += (picture[i, j, c] - painted[i, j, c]) ** 2
            total += float(off / (off + limit))
    return total


@compiled
def trace(edges: Ints3, out: Flags2) -> None:
    """Mark the pixels along closed lines through rows and columns (E, 2, R), and those beside them."""
    height, width = out.shape
    rays = edges.shape[2]
    for edge in edges:
        for r in range(rays):
            top, left, following = edge[0, r], edge[1, r], (r + 1) % rays
            down, right = edge[0, following] - top, edge[1, following] - left
            for step in range(STEPS + 1):
                i, j = round(top + down * step / STEPS), round(left + right * step / STEPS)
                for row in range(max(i - 1, 0), min(i + 2, height)):
                    for column in range(max(j - 1, 0), min(j + 2, width)):
                        out[row, column] = True


@compiled
def told_by(
    agreement: Floats1,
    there: Floats1,
    pixels: Ints3,
    owner: Labels2,
    behind: Ints1,
    explained: Flags2,
) -> tuple[float, int]:
    """How much of the points of an outline agree that say something, and how many of them do.

    pixels: rows and columns (3, 2, R) of its outer edge, of its inner edge and within. A point says nothing
    behind the given owners, or where both edges are explained.
    """
    told, telling = 0.0, 0
    for r in range(len(there)):
        if there[r] <= _ZERO:
            continue
        hidden = explained[pixels[0, 0, r], pixels[0, 1, r]] and explained[pixels[1, 0, r], pixels[1, 1, r]]
        for other in behind:
            hidden = hidden or owner[pixels[2, 0, r], pixels[2, 1, r]] == other
        if not hidden:
            told += agreement[r]
            telling += 1
    return told, telling

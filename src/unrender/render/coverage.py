"""Coverage: which share of each pixel a shape paints. The only code that knows how edges are antialiased."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.shape import ANGLE, TAU, A, B, Shape, Window, X, Y

Floats = NDArray[np.float32]

BLOCKS = (16, 4)  # px: of large shapes only the blocks near the outline are divided further
SMALL = 1024  # px: a window up to this is not worth the blocks
NEXT = 0.1  # px from a pixel to an edge that lies next to it
NOTHING = np.zeros((0, 0), np.float32)


@dataclass(frozen=True, eq=False)
class Patch:
    """Coverage (h, w) of a shape's inside and of its stroke, in a window of the canvas."""

    window: Window
    fill: Floats | None
    stroke: Floats | None


@compiled
def pixel_area(d: float, nx: float, ny: float) -> tuple[float, float]:
    """The share of a unit pixel on the inner side of a straight edge at the signed distance d from its
    centre with
    the normal (nx, ny), and by how much it falls per px of distance."""
    p, q = abs(nx), abs(ny)
    if p < q:
        p, q = q, p
    half, flat = (p + q) / 2, (p - q) / 2
    far = abs(d)
    if far >= half:
        return (1.0 if d < 0 else 0.0), 0.0
    if far <= flat:
        return 0.5 - d / p, 1 / p
    tail = (half - far) ** 2 / (2 * p * q)
    return (tail if d > 0 else 1 - tail), (half - far) / (p * q)


def cover(shape: Shape, window: Window, sharpness: float = 1.0, doubt: float = 0.0) -> Patch:
    """The coverage of a shape in a window. sharpness: 1 for antialiased edges, less for blurred
    ones, which are as many times as wide. doubt: the share by which coverage stays away from 0 and 1 in
    pixels next to an edge, into which no renderer is sure not to run."""
    top, bottom, left, right = window
    tall, wide = bottom - top, right - left
    turn, tau = shape.pose[ANGLE], shape.pose[TAU] if shape.stroke is not None else 0.0
    inside = np.zeros((tall, wide), np.float32) if shape.fill is not None else NOTHING
    line = np.zeros((tall, wide), np.float32) if shape.stroke is not None else NOTHING
    if tall and wide:
        if tall * wide <= SMALL:
            rows, columns = _all_pixels(tall, wide)
        else:
            rows, columns = _divided(shape, window, (0.75 + NEXT) / min(sharpness, 1.0), inside, line)
        signed, nx, ny = distances(shape, columns + (left + 0.5), rows + (top + 0.5))
        _paint(
            rows, columns, signed[0], nx[0], ny[0], cos(turn), sin(turn), tau, sharpness, doubt, inside, line
        )
    if shape.broken:
        from unrender.render.dashes import paint_dashes  # which needs the area of a pixel from here

        stroke = inside if shape.primitive.strokelike else line
        stroke[:] = 0
        paint_dashes(shape, window, sharpness, stroke)
    return Patch(window, None if shape.fill is None else inside, None if shape.stroke is None else line)


def hardened(patch: Patch) -> Patch:
    """The same patch without antialiasing: a pixel is painted if its centre lies inside."""
    fill, stroke = (
        None if share is None else (share > 0.5).astype(np.float32) for share in (patch.fill, patch.stroke)
    )
    return Patch(patch.window, fill, stroke)


def pixels_near(shape: Shape, window: Window, near: float) -> tuple[Doubles, Doubles]:
    """Rows and columns in a window of the pixels no further than `near` px from an edge that the shape
    paints."""
    top, bottom, left, right = window
    tall, wide = bottom - top, right - left
    tau = shape.pose[TAU] if shape.stroke is not None else 0.0
    if tall * wide <= SMALL:
        rows, columns = _all_pixels(tall, wide)
    else:
        rows, columns = _divided(shape, window, near, NOTHING, NOTHING)
    signed = distances(shape, columns + (left + 0.5), rows + (top + 0.5))[0]
    return nearest(rows, columns, signed[0], tau, shape.fill is not None, near)


def _divided(
    shape: Shape, window: Window, near: float, inside: Floats, line: Floats
) -> tuple[Doubles, Doubles]:
    """Rows and columns in a window of all pixels that may be no further than `near` px from an edge. Blocks
    of others are painted as a whole."""
    top, bottom, left, right = window
    tall, wide = bottom - top, right - left
    tau = shape.pose[TAU] if shape.stroke is not None else 0.0
    rows, columns = _blocks(tall, wide, BLOCKS[0])
    for block, part in zip(BLOCKS, (*BLOCKS[1:], 1), strict=True):
        signed = distances(shape, columns + (left + block / 2), rows + (top + block / 2))[0]
        if inside.size or line.size:
            _paint_blocks(signed[0], rows, columns, block, tau, near, inside, line)
        rows, columns = _unfolded(signed[0], rows, columns, block, part, tau, near, tall, wide)
    return rows, columns


@compiled
def nearest(
    rows: Doubles, columns: Doubles, signed: Doubles, tau: float, filled: bool, near: float
) -> tuple[Doubles, Doubles]:
    """Those of some pixels (N,) that are no further than `near` px from an edge, by their distances to the
    outline."""
    found_rows, found_columns, count = np.empty(len(rows)), np.empty(len(rows)), 0
    for n in range(len(rows)):
        far = abs(signed[n])
        if abs(far - tau) < near or (filled and far < near):
            found_rows[count], found_columns[count] = rows[n], columns[n]
            count += 1
    return found_rows[:count].copy(), found_columns[:count].copy()


def distances(shape: Shape, x: Doubles, y: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """Signed distances (1, M) of points on the canvas, and their gradients in the frame of the shape."""
    pose = shape.pose
    own_x, own_y = _into_frame(x, y, pose[X], pose[Y], cos(pose[ANGLE]), sin(pose[ANGLE]))
    signed, nx, ny = np.empty((3, 1, len(x)))
    shape.field(own_x, own_y, pose[A : A + 1], pose[B : B + 1], shape.numbers, signed, nx, ny)
    return signed, nx, ny


@compiled
def _into_frame(
    x: Doubles, y: Doubles, cx: float, cy: float, cos: float, sin: float
) -> tuple[Doubles, Doubles]:
    own_x, own_y = np.empty((1, len(x))), np.empty((1, len(x)))
    for n in range(len(x)):
        dx, dy = x[n] - cx, y[n] - cy
        own_x[0, n], own_y[0, n] = cos * dx + sin * dy, cos * dy - sin * dx
    return own_x, own_y


@compiled
def _all_pixels(tall: int, wide: int) -> tuple[Doubles, Doubles]:
    rows, columns = np.empty(tall * wide), np.empty(tall * wide)
    for i in range(tall):
        for j in range(wide):
            rows[i * wide + j], columns[i * wide + j] = i, j
    return rows, columns


@compiled
def _blocks(tall: int, wide: int, block: int) -> tuple[Doubles, Doubles]:
    """The first row and column of every block."""
    down, across = (tall + block - 1) // block, (wide + block - 1) // block
    rows, columns = np.empty(down * across), np.empty(down * across)
    for i in range(down):
        for j in range(across):
            rows[i * across + j], columns[i * across + j] = i * block, j * block
    return rows, columns


@compiled
def _may_cross(signed: float, block: int, tau: float, near: float) -> bool:
    """Whether a block at this distance from an outline may hold a pixel no further than `near` px from an
    edge."""
    reach = near + 0.7072 * block
    return abs(abs(signed) - tau) < reach or abs(signed) < reach


@compiled
def _unfolded(
    signed: Doubles,
    rows: Doubles,
    columns: Doubles,
    block: int,
    part: int,
    tau: float,
    near: float,
    tall: int,
    wide: int,
) -> tuple[Doubles, Doubles]:
    """The first rows and columns of the parts, so many px a side, of all blocks that may hold any pixel no
    further than `near` px from an edge."""
    count = 0
    for n in range(len(rows)):
        if _may_cross(signed[n], block, tau, near):
            count += 1
    most = count * (block // part) ** 2
    found_rows, found_columns, count = np.empty(most), np.empty(most), 0
    for n in range(len(rows)):
        if _may_cross(signed[n], block, tau, near):
            first, start = int(rows[n]), int(columns[n])
            for i in range(first, min(first + block, tall), part):
                for j in range(start, min(start + block, wide), part):
                    found_rows[count], found_columns[count] = i, j
                    count += 1
    return found_rows[:count].copy(), found_columns[:count].copy()


@compiled
def _paint_blocks(
    signed: Doubles,
    rows: Doubles,
    columns: Doubles,
    block: int,
    tau: float,
    near: float,
    inside: Floats,
    line: Floats,
) -> None:
    """Paint the blocks that no edge crosses as a whole."""
    tall, wide = max(inside.shape[0], line.shape[0]), max(inside.shape[1], line.shape[1])
    for n in range(len(rows)):
        first, start = int(rows[n]), int(columns[n])
        fill, stroke = inside.size and signed[n] < 0, line.size and abs(signed[n]) < tau
        if not (fill or stroke) or _may_cross(signed[n], block, tau, near):
            continue
        for i in range(first, min(first + block, tall)):
            for j in range(start, min(start + block, wide)):
                if fill:
                    inside[i, j] = 1.0
                if stroke:
                    line[i, j] = 1.0


@compiled
def _paint(
    rows: Doubles,
    columns: Doubles,
    signed: Doubles,
    nx: Doubles,
    ny: Doubles,
    cos: float,
    sin: float,
    tau: float,
    sharpness: float,
    doubt: float,
    inside: Floats,
    line: Floats,
) -> None:
    for n in range(len(rows)):
        i, j = int(rows[n]), int(columns[n])
        gx, gy = cos * nx[n] - sin * ny[n], sin * nx[n] + cos * ny[n]
        if inside.size:
            inside[i, j] = _doubted(signed[n] * sharpness, gx, gy, doubt)
        if line.size:
            outer = _doubted((signed[n] - tau) * sharpness, gx, gy, doubt)
            line[i, j] = max(outer - _doubted((signed[n] + tau) * sharpness, gx, gy, doubt), 0.0)


@compiled
def _doubted(d: float, nx: float, ny: float, doubt: float) -> float:
    """The area of a pixel that is covered; next to the edge neither none nor all."""
    area = pixel_area(d, nx, ny)[0]
    if doubt > 0.0 and abs(d) < (abs(nx) + abs(ny)) / 2 + NEXT:
        area = min(max(area, doubt), 1 - doubt)
    return area

"""Colours of an estimated shape, from the pixels of the pyramid level at which it was seen."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats, distances, pixels_near
from unrender.render.shape import OWN, TAU, Shape, Window

GRID = 13  # points a side at which a shape is looked at
REACH = 1.35  # of the box in which they lie
MIDDLE = 0.5  # px from an outline: pixels that a stroke covers if any
PLAIN = 0.95  # of a pixel must be seen to tell a colour
STRONGEST = 0.4  # of these pixels are covered most
FEWEST = 6  # px that tell a colour
DEEP = 0.35  # of the shorter half side: further inside, an edge that is off does not matter


_SIDE = np.linspace(-REACH, REACH, GRID)
_U, _V = (grid.ravel() for grid in np.meshgrid(_SIDE, _SIDE))


def painted(shape: Shape, level: Floats) -> Shape:
    """A shape (px of a level) in the colour that the level (H, W, 3) shows where it is painted."""
    x, y, a, b, angle, tau = (float(number) for number in shape.pose[:OWN])
    cos, sin = math.cos(angle), math.sin(angle)
    xs, ys = x + (a * cos) * _U - (b * sin) * _V, y + (a * sin) * _U + (b * cos) * _V
    signed, nx, ny = distances(shape, xs, ys)
    deep = DEEP * min(a, b)
    if shape.fill is not None:
        return replace(shape, fill=_inside(level, xs, ys, signed[0], deep))
    line = _stroke(level, xs, ys, signed[0], nx[0], ny[0], cos, sin, tau, max(deep, 1.5), STRONGEST)
    return replace(shape, stroke=line)


@compiled
def _colour_at(level: Floats, x: float, y: float, out: Doubles) -> None:
    """The colour (3,) of a level at a point; beyond it that of its border."""
    row = min(max(math.floor(y), 0), level.shape[0] - 1)
    column = min(max(math.floor(x), 0), level.shape[1] - 1)
    for c in range(3):
        out[c] = level[row, column, c]


@compiled
def _inside(level: Floats, x: Doubles, y: Doubles, signed: Doubles, deep: float) -> Doubles:
    """The median colour (3,) of the points (N,) well inside, or of the innermost if none is."""
    limit = max(-deep, signed.min())
    colours, count = np.empty((3, len(x))), 0
    for n in range(len(x)):
        if signed[n] <= limit:
            _colour_at(level, x[n], y[n], colours[:, count])
            count += 1
    found = np.empty(3)
    for c in range(3):
        found[c] = np.median(colours[c, :count])
    return found


@compiled
def _stroke(
    level: Floats,
    x: Doubles,
    y: Doubles,
    signed: Doubles,
    nx: Doubles,
    ny: Doubles,
    cos: float,
    sin: float,
    tau: float,
    near: float,
    strongest: float,
) -> Doubles:
    """The colour (3,) on the outline, at the feet of points (N,) near it. Where the stroke is thinner than a
    pixel the ground beside it is taken out."""
    on, beside, count = np.empty((3, len(x))), np.empty((3, len(x))), 0
    for n in range(len(x)):
        if abs(signed[n]) < near:
            out_x, out_y = cos * nx[n] - sin * ny[n], sin * nx[n] + cos * ny[n]
            foot_x, foot_y = x[n] - signed[n] * out_x, y[n] - signed[n] * out_y
            _colour_at(level, foot_x, foot_y, on[:, count])
            _colour_at(level, foot_x + (tau + 1) * out_x, foot_y + (tau + 1) * out_y, beside[:, count])
            count += 1
    if count == 0:
        return np.full(3, 0.5)
    ground, step = np.empty(3), np.empty((count, 3))
    for c in range(3):
        ground[c] = np.median(beside[c, :count])
        step[:, c] = on[c, :count] - ground[c]
    covered = min(2 * tau, 1.0)  # share of a pixel on the outline
    found = ground + _strongest(step, strongest) / covered
    for c in range(3):
        found[c] = min(max(found[c], 0.0), 1.0)
    return found


@compiled
def _strongest(step: Doubles, part: float) -> Doubles:
    """(3,): the median of the part of the steps of colour (N, 3) that go furthest where most go."""
    towards, found, share = np.empty(3), np.empty(3), np.zeros(len(step))
    for c in range(3):
        towards[c] = np.median(step[:, c])
    for n in range(len(step)):
        for c in range(3):
            share[n] += step[n, c] * towards[c]
    far = share >= np.quantile(share, 1 - part)
    for c in range(3):
        found[c] = np.median(step[far, c])
    return found


def sharpened(shape: Shape, image: Floats, behind: Floats, shows: Floats, window: Window) -> Shape:
    """An outline in the colour of the middle of its stroke, and as much narrower as that is stronger.

    On a coarse level a wide pale stroke and a narrow strong one look the same; on a finer one they do not.
    image, behind (h, w, 3) and shows (h, w): the picture less what lies in front, what lies behind, and how
    much of the shape can be seen, in a window.
    """
    if shape.stroke is None or shape.fill is not None:
        return shape
    line = shape.posed(np.where(np.arange(len(shape.pose)) == TAU, 0.0, shape.pose))
    rows, columns = (each.astype(np.int64) for each in pixels_near(line, window, MIDDLE))
    plain = shows[rows, columns] > PLAIN
    rows, columns = rows[plain], columns[plain]
    if len(rows) < FEWEST:
        return shape
    ground = behind[rows, columns].mean(0).astype(np.float64)
    step = image[rows, columns].astype(np.float64) - behind[rows, columns]
    stroke = (ground + _strongest(step, STRONGEST)).clip(0, 1)
    before, after = np.linalg.norm(shape.stroke - ground), np.linalg.norm(stroke - ground)
    if after <= before:
        return shape
    pose = shape.pose.copy()
    pose[TAU] *= before / after
    return replace(shape, pose=pose, stroke=stroke)

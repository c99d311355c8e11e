"""Dashes, and the ends of strokes: which stretches of a line are painted.

A dashed line starts with a dash. `dash` is the painted share of each period, `period` the length of one as a
share of the whole line; of a line of several chains each begins anew. Round ends reach beyond a dash by half
the stroke's width, as in SVG.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, cos, floor, hypot, sin

import numpy as np

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.primitives.vector import closings, rings
from unrender.render.coverage import Floats, pixel_area
from unrender.render.shape import ANGLE, OWN, TAU, A, B, Shape, Window, X, Y

SHORTEST = 1e-9  # px
MOST = 4096  # dashes of one line that are told one by one


def length_of(several: Sequence[Doubles], closed: Sequence[bool]) -> float:
    """The length (px) of lines of straight pieces (N, 2)."""
    return sum(float(np.hypot(*np.diff(_whole(*line), axis=0).T).sum()) for line in _pairs(several, closed))


def dashes(
    several: Sequence[Doubles], closed: Sequence[bool], dash: float, period: float
) -> Iterator[Doubles]:
    """The lines (N, 2) that are painted of lines of straight pieces, in their order."""
    step = max(period * length_of(several, closed), SHORTEST)
    for line in _pairs(several, closed):
        points = _whole(*line)
        way = np.concatenate([[0.0], np.hypot(*np.diff(points, axis=0).T).cumsum()])
        for k in range(min(ceil(way[-1] / step - 1e-6), MOST)):
            first, last = k * step, min((k + dash) * step, way[-1])
            inner = (way > first) & (way < last)
            at = np.concatenate([[first], way[inner], [last]])
            yield np.stack([np.interp(at, way, points[:, 0]), np.interp(at, way, points[:, 1])], 1)


def paint_dashes(shape: Shape, window: Window, sharpness: float, out: Floats) -> None:
    """Write the coverage (h, w) of a stroke that is dashed, or whose ends are straight, to `out`."""
    path = shape.primitive.path(float(shape.pose[A]), float(shape.pose[B]), shape.numbers[0].tolist())
    lines, closed = rings(path, float(shape.pose[A]), float(shape.pose[B])), closings(path)
    dash, period = shape.dashes or (1.0, 1.0)
    step = max(period * length_of(lines, closed), SHORTEST) if shape.dashes else 0.0
    bar = shape.primitive.strokelike
    half = float(shape.pose[B if bar else TAU])
    rounded = bool(shape.pose[OWN] >= 0.5) if bar else not shape.butt
    turn, (top, _, left, _) = float(shape.pose[ANGLE]), window
    for line, closes in zip(lines, closed, strict=True):
        points = _whole(line, closes)
        if len(points) == 1:
            points = np.concatenate([points, points])
        x = shape.pose[X] + cos(turn) * points[:, 0] - sin(turn) * points[:, 1] - left
        y = shape.pose[Y] + sin(turn) * points[:, 0] + cos(turn) * points[:, 1] - top
        _paint(x, y, closes, dash * step, step, half, rounded, sharpness, out)


def _pairs(several: Sequence[Doubles], closed: Sequence[bool]) -> Iterator[tuple[Doubles, bool]]:
    return zip(several, closed, strict=True)


def _whole(line: Doubles, closes: bool) -> Doubles:
    """All points (N, 2), the first again behind the last of a line that closes."""
    return np.concatenate([line, line[:1]]) if closes else line


@compiled
def _paint(
    x: Doubles,
    y: Doubles,
    closes: bool,
    dash: float,
    step: float,
    half: float,
    rounded: bool,
    sharpness: float,
    out: Floats,
) -> None:
    """Paint the dashes of one line of points (N,), px of `out`; step 0 for a line that is not dashed."""
    reach = half + 1.5 / min(sharpness, 1.0)
    way = np.zeros(len(x))
    for n in range(1, len(x)):
        way[n] = way[n - 1] + hypot(x[n] - x[n - 1], y[n] - y[n - 1])
    total = way[-1]
    best = np.full(out.shape, np.inf)
    for n in range(len(x) - 1):
        length = way[n + 1] - way[n]
        ux, uy = ((x[n + 1] - x[n]) / length, (y[n + 1] - y[n]) / length) if length > 1e-12 else (1.0, 0.0)
        for i in range(
            max(floor(min(y[n], y[n + 1]) - reach), 0),
            min(ceil(max(y[n], y[n + 1]) + reach) + 1, out.shape[0]),
        ):
            for j in range(
                max(floor(min(x[n], x[n + 1]) - reach), 0),
                min(ceil(max(x[n], x[n + 1]) + reach) + 1, out.shape[1]),
            ):
                dx, dy = j + 0.5 - x[n], i + 0.5 - y[n]
                along, across = dx * ux + dy * uy, dy * ux - dx * uy
                before, after = max(-along, 0.0), max(along - length, 0.0)
                off = hypot(across, before + after)
                if off >= best[i, j] or off > reach:
                    continue
                best[i, j] = off
                at_end = not closes and ((n == 0 and before > 0) or (n == len(x) - 2 and after > 0))
                if at_end:  # where the line ends there is no corner: only the ends of dashes bound it
                    place, beside = way[n] + along, abs(across)
                    gx, gy = (-uy, ux) if across > 0 else (uy, -ux)
                else:
                    place, beside = way[n] + min(max(along, 0.0), length), off
                    foot_x, foot_y = x[n] + (place - way[n]) * ux, y[n] + (place - way[n]) * uy
                    gx, gy = j + 0.5 - foot_x, i + 0.5 - foot_y
                    if off > 1e-9:
                        gx, gy = gx / off, gy / off
                    else:
                        gx, gy = -uy, ux
                out[i, j] = _share(
                    place, beside, ux, uy, gx, gy, closes, total, dash, step, half, rounded, sharpness
                )


@compiled
def _share(
    place: float,
    beside: float,
    ux: float,
    uy: float,
    gx: float,
    gy: float,
    closes: bool,
    total: float,
    dash: float,
    step: float,
    half: float,
    rounded: bool,
    sharpness: float,
) -> float:
    """The share of a pixel that dashes paint, `place` px along a line in the direction (ux, uy) and `beside`
    px off it in the direction (gx, gy)."""
    first = floor(place / step) - 1 if step > 0 else 0
    across = pixel_area((beside - half) * sharpness, gx, gy)[0]
    across -= pixel_area((beside + half) * sharpness, gx, gy)[0]
    found, gap, way = 0.0, np.inf, 1.0
    for k in range(first, first + (3 if step > 0 else 1)):
        begin, end = k * step, k * step + dash if step > 0 else total
        if closes:
            if step <= 0:
                return across
        elif begin < 0 or begin >= total - 1e-9:
            continue
        else:
            end = min(end, total)
        if max(begin - place, place - end, 0.0) < gap:
            gap, way = max(begin - place, place - end, 0.0), 1.0 if place > end else -1.0
        found += pixel_area((place - end) * sharpness, ux, uy)[0]
        found -= pixel_area((place - begin) * sharpness, ux, uy)[0]
    if not rounded:
        return across * min(max(found, 0.0), 1.0)
    if gap == 0.0:
        return across
    off = hypot(gap, beside)
    nx, ny = (gx * beside + way * ux * gap) / off, (gy * beside + way * uy * gap) / off
    return pixel_area((off - half) * sharpness, nx, ny)[0]

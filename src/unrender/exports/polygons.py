"""A primitive as polygons and lines of straight pieces, for programs that know no curves."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.trace import simplified
from unrender.primitives.vector import PRECISION, closings, regions
from unrender.render.coverage import cover, distances
from unrender.render.dashes import dashes
from unrender.render.layer import Layer
from unrender.render.shape import Shape

Ring = NDArray[np.float64]  # (N, 2) px in the shape's own frame: x right, y down, before rotation
Region = list[Ring]  # a closed line, then the holes in what it encloses

STEP = 0.25  # px between the points at which the edge of a stroke is looked for
MOST = 1024  # of them along one side
ROUND = 0.5  # `cap` from which on the ends of a straight stroke are round


def lines(layer: Layer) -> list[tuple[Ring, bool]]:
    """The pieces of an outline or centre line, each with whether it closes: exact for what has corners, else
    as fine as a picture can show. A straight stroke with a border is told by its outline."""
    if layer.primitive.strokelike and layer.stroke > 0:
        return [(_bar(layer), True)]
    if layer.primitive.strokelike:
        reach = ends(layer)[0]
        return [(np.array([(-reach, 0.0), (reach, 0.0)]), False)]
    return list(zip(layer.rings(), closings(layer.path), strict=True))


def strokes(layer: Layer) -> list[tuple[Ring, bool]]:
    """What is painted of these lines: of a dashed stroke every dash."""
    told = lines(layer)
    if not layer.dashed:
        return told
    rings, closed = [ring for ring, _ in told], [closes for _, closes in told]
    return [(dash, False) for dash in dashes(rings, closed, layer.dash, layer.period)]


def outline(layer: Layer) -> list[Region]:
    """What the closed lines of a shape enclose."""
    return regions([ring for ring, closed in lines(layer) if closed])


def ends(layer: Layer) -> tuple[float, bool]:
    """How far from its centre (px) the centre line of a straight stroke ends, and whether its ends are round,
    which reach beyond that. One between straight and round is told as the nearer of both, as much longer or
    shorter as paints the same area."""
    a, b = layer.half
    cap = dict(zip((each.name for each in layer.primitive.own), layer.own, strict=True)).get("cap", 0.0)
    rounded = cap >= ROUND
    quarter = math.pi / 4
    return max(a - cap * (1 - quarter) * b - rounded * quarter * b, 0.0), rounded


def painted(layer: Layer) -> list[Region]:
    """All that a shape paints, its stroke too, in px of the picture."""
    if layer.dashed:
        return _painted(layer.shape)
    if layer.primitive.strokelike and layer.stroke == 0:
        found = [[_bar(layer)]]
    elif layer.stroke == 0:
        found = outline(layer) if layer.filled > 0 and layer.encloses else []
    else:
        return _traced(layer)
    turn = math.radians(layer.rotation)
    cos, sin = math.cos(turn), math.sin(turn)
    put = np.array([[cos, sin], [-sin, cos]])
    return [[ring @ put + layer.position for ring in region] for region in found]


def _bar(layer: Layer) -> Ring:
    """A straight stroke with its ends."""
    (reach, rounded), b = ends(layer), layer.half[1]
    if not rounded:
        return np.array([(-reach, -b), (reach, -b), (reach, b), (-reach, b)])
    step = 2 * math.acos(1 - min(PRECISION / b, 1.0))
    t = np.linspace(-math.pi / 2, math.pi / 2, max(3, math.ceil(math.pi / step) + 1))
    end = np.stack([reach + b * np.cos(t), b * np.sin(t)], -1)
    return np.concatenate([end, -end])


def _traced(layer: Layer) -> list[Region]:
    """Where the distance is that at which the stroke ends."""
    from contourpy import contour_generator

    shape, half = layer.shape, layer.stroke / 2
    if shape.broken:
        return _painted(shape)
    inside = shape.fill is not None  # then the inner edge of the stroke shows nothing
    a, b = layer.half
    far = math.hypot(a, b) + half + 2 * STEP
    (cx, cy), count = layer.position, min(MOST, math.ceil(2 * far / STEP) + 1)
    x, y = np.linspace(cx - far, cx + far, count), np.linspace(cy - far, cy + far, count)
    across, down = (each.ravel() for each in np.meshgrid(x, y))
    signed = distances(shape, across, down)[0][0].reshape(count, count)
    edge = (signed if inside else np.abs(signed)) - half
    rings = [np.asarray(line, float)[:-1] for line in contour_generator(x, y, edge).lines(0.0)]
    return regions([simplified(ring, True) for ring in rings if len(ring) > 3])


def _painted(shape: Shape) -> list[Region]:
    """Around the pixels of which at least half is painted, as exactly as their coverage tells."""
    from contourpy import contour_generator

    far = math.ceil(math.hypot(*shape.pose[2:4]) + shape.pose[5]) + 2
    left, top = math.floor(shape.pose[0]) - far, math.floor(shape.pose[1]) - far
    patch = cover(shape, (top, top + 2 * far, left, left + 2 * far))
    alpha = np.max([each for each in (patch.fill, patch.stroke) if each is not None], axis=0)
    x, y = np.arange(2 * far) + left + 0.5, np.arange(2 * far) + top + 0.5
    rings = [np.asarray(line, float)[:-1] for line in contour_generator(x, y, 0.5 - alpha).lines(0.0)]
    return regions([ring for ring in rings if len(ring) > 3])

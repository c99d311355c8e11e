"""What γ should say of a picture: where shapes of its kind are centred, and what their attributes are."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unrender.perception.encoder.decode import COMMON, PLACED, TYPICAL
from unrender.perception.encoder.pyramid import STRIDE
from unrender.primitives.handles import extent_of
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.shape import ANGLE, OWN, TAU, A, B, Shape, X, Y

SEEN = (
    6.0,
    18.0,
)  # px: extents that one pyramid level answers for: √(width · height), of strokes half the length
HIDDEN = (0.3, 0.45)  # visible share: below the first a shape is not asked for, between them either is right
FRINGE = 1.2  # extents this factor outside SEEN are neither asked for nor forbidden
REACH = 0.75  # strides: cells no further from a centre are asked for it
THINNEST = 0.02  # of the shorter side: strokes below are told as this


def channels(primitive: Primitive) -> int:
    """How many numbers γ of a primitive says at every place: logit, dx, dy, log extent, stretch (2), phase
    (2), filled and log thickness of every primitive; then its own parameters. Of a stroke: logit, dx, dy, log
    extent, and what tells its handles."""
    if primitive.handles is not None:
        return PLACED + primitive.handles.numbers
    return COMMON + len(primitive.own) - len(primitive.held)


def encode_targets(shape: Shape, x: Doubles, y: Doubles) -> Doubles:
    """What the network should say of a shape at places (n,): (n, channels - 1), NaN where it is not asked.

    Rotation is written so that equivalent poses have equal numbers: the stretch log(w/h) turns with 2θ,
    the phase of the unit shape with its symmetry order. Own parameters are told as shares of their range.
    """
    primitive, pose = shape.primitive, shape.pose
    centre, extent = centre_of(shape)
    if primitive.handles is not None:
        points = primitive.handles.of(pose, shape.form)
        told = [math.log(extent / TYPICAL), *primitive.handles.told(points, width_of(shape))]
        return _around(centre, told, x, y)
    angle, order = pose[ANGLE], primitive.symmetry.even
    stretch = math.log(pose[A] / pose[B])
    thickness = pose[TAU] / min(pose[A], pose[B])
    own = [
        (v - o.low) / (o.high - o.low)
        for v, o in zip(pose[OWN:], primitive.own, strict=True)
        if not primitive.held_at(o.name)
    ]
    same = [
        math.log(extent / TYPICAL),
        stretch * math.cos(2 * angle),
        stretch * math.sin(2 * angle),
        math.cos(order * angle) if order else 0.0,
        math.sin(order * angle) if order else 0.0,
        0.0 if shape.fill is None else 1.0,
        math.nan if shape.stroke is None else math.log(max(thickness, THINNEST)) + 2.0,
        *own,
    ]
    return _around(centre, same, x, y)


def centre_of(shape: Shape) -> tuple[Doubles, float]:
    """Where a shape is told (2,) and how large it counts, in px."""
    if shape.primitive.handles is None:
        return shape.pose[[X, Y]], 2 * math.sqrt(shape.pose[A] * shape.pose[B])
    points = shape.primitive.handles.of(shape.pose, shape.form)
    return points.mean(0), extent_of(points)


def width_of(shape: Shape) -> float:
    """The width (px) of a stroke."""
    return 2 * float(shape.pose[B] if shape.primitive.strokelike else shape.pose[TAU])


def _around(centre: Doubles, same: Sequence[float], x: Doubles, y: Doubles) -> Doubles:
    """What is said at places (n,): how far off the centre is, in strides, and what is the same at all."""
    found = np.empty((len(x), 2 + len(same)))
    found[:, 0], found[:, 1], found[:, 2:] = (centre[0] - x) / STRIDE, (centre[1] - y) / STRIDE, same
    return found


def assign(
    primitive: Primitive, shapes: Sequence[Shape], visible: Doubles, cells: int
) -> tuple[Doubles, Doubles, Doubles]:
    """For every cell of a square picture: is it a centre (G, G), does it count (G, G), and what is to be said
    there (G, G, channels - 1)."""
    centre = (np.arange(cells, dtype=float) + 0.5) * STRIDE
    target, weight = np.zeros((cells, cells)), np.ones((cells, cells))
    truth = np.full((cells, cells, channels(primitive) - 1), math.nan)
    nearest = np.full((cells, cells), math.inf)
    for shape, share in zip(shapes, visible, strict=True):
        if shape.primitive is not primitive:
            continue
        middle, extent = centre_of(shape)
        if share <= HIDDEN[0] or not SEEN[0] / FRINGE < extent < SEEN[1] * FRINGE:
            continue
        dx, dy = np.abs(middle[0] - centre), np.abs(middle[1] - centre)
        off = np.maximum(dx[None, :], dy[:, None]) / STRIDE
        weight[off < 1.5 * REACH] = 0
        if share > HIDDEN[1] and SEEN[0] < extent < SEEN[1]:
            at = (off < REACH) & (off < nearest)
            rows, columns = np.nonzero(at)
            nearest[at], target[at] = off[at], 1
            truth[at] = encode_targets(shape, centre[columns], centre[rows])
    weight[target > 0] = 1
    return target, weight, truth

"""What γ should say of a picture: where shapes of its kind are centred, and what their attributes are."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unrender.perception.encoder.decode import COMMON, TYPICAL
from unrender.perception.encoder.pyramid import STRIDE
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.shape import ANGLE, OWN, TAU, A, B, Shape, X, Y

SEEN = (6.0, 18.0)  # px: extents √(width · height) that one pyramid level answers for
HIDDEN = (0.3, 0.45)  # visible share: below the first a shape is not asked for, between them either is right
FRINGE = 1.2  # extents this factor outside SEEN are neither asked for nor forbidden
REACH = 0.75  # strides: cells no further from a centre are asked for it
THINNEST = 0.02  # of the shorter side: strokes below are told as this


def channels(primitive: Primitive) -> int:
    """How many numbers γ of a primitive says at every place: logit, dx, dy, log extent, stretch (2), phase
    (2), filled and log thickness of every primitive; then its own parameters."""
    return COMMON + len(primitive.own) - len(primitive.held)


def encode_targets(shape: Shape, x: Doubles, y: Doubles) -> Doubles:
    """What the network should say of a shape at places (n,): (n, channels - 1), NaN where it is not asked.

    Rotation is written so that equivalent poses have equal numbers: the stretch log(w/h) turns with 2θ,
    the phase of the unit shape with its symmetry order. Own parameters are told as shares of their range.
    """
    primitive, pose = shape.primitive, shape.pose
    angle, order = pose[ANGLE], primitive.symmetry.even
    stretch = math.log(pose[A] / pose[B])
    thickness = pose[TAU] / min(pose[A], pose[B])
    own = [
        (v - o.low) / (o.high - o.low)
        for v, o in zip(pose[OWN:], primitive.own, strict=True)
        if not primitive.held_at(o.name)
    ]
    same = [
        math.log(2 * math.sqrt(pose[A] * pose[B]) / TYPICAL),
        stretch * math.cos(2 * angle),
        stretch * math.sin(2 * angle),
        math.cos(order * angle) if order else 0.0,
        math.sin(order * angle) if order else 0.0,
        0.0 if shape.fill is None else 1.0,
        math.nan if shape.stroke is None else math.log(max(thickness, THINNEST)) + 2.0,
        *own,
    ]
    found = np.empty((len(x), 2 + len(same)))
    found[:, 0], found[:, 1], found[:, 2:] = (pose[X] - x) / STRIDE, (pose[Y] - y) / STRIDE, same
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
        extent = 2 * math.sqrt(shape.pose[A] * shape.pose[B])
        maybe = share > HIDDEN[0] and SEEN[0] / FRINGE < extent < SEEN[1] * FRINGE
        if shape.primitive is not primitive or not maybe:
            continue
        dx, dy = np.abs(shape.pose[X] - centre), np.abs(shape.pose[Y] - centre)
        off = np.maximum(dx[None, :], dy[:, None]) / STRIDE
        weight[off < 1.5 * REACH] = 0
        if share > HIDDEN[1] and SEEN[0] < extent < SEEN[1]:
            at = (off < REACH) & (off < nearest)
            rows, columns = np.nonzero(at)
            nearest[at], target[at] = off[at], 1
            truth[at] = encode_targets(shape, centre[columns], centre[rows])
    weight[target > 0] = 1
    return target, weight, truth

"""Equivalent poses R_α: attribute vectors that draw the same pixels, and the one we choose among them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from unrender.graphics.registry import Primitive


@dataclass(frozen=True)
class Pose:
    """Size in pixels and rotation in degrees; the centre is the same in all equivalent poses."""

    width: float
    height: float
    rotation: float


def equivalent(primitive: Primitive, pose: Pose, round_off: float = 1e-9) -> list[Pose]:
    """R_α for a primitive whose unit shape repeats `order` times in a full turn.

    Half a turn leaves a stretched shape of even order as it is, a quarter turn exchanges width and height
    of one whose order is a multiple of four, and only where width equals height (within `round_off`,
    relative) do all turns of the unit shape remain. The circle's turns are endless: one stands for all.
    """
    order, (width, height, rotation) = primitive.order, (pose.width, pose.height, pose.rotation)
    equal = abs(math.log(width / height)) <= round_off
    if order == 0 and equal:
        return [Pose(width, height, 0.0)]
    if equal:
        return [Pose(width, height, wrap(rotation + 360 * k / order, 360)) for k in range(order)]
    poses = [Pose(width, height, wrap(rotation, 360))]
    if order % 4 == 0:
        poses.append(Pose(height, width, wrap(rotation + 90, 360)))
    if order % 2 == 0:
        poses += [Pose(p.width, p.height, wrap(p.rotation + 180, 360)) for p in poses]
    return poses


def canonical(primitive: Primitive, pose: Pose, round_off: float = 1e-9) -> Pose:
    """The equivalent pose that is turned the least; where width equals height within `round_off`, exactly."""
    if abs(math.log(pose.width / pose.height)) <= round_off:
        side = math.sqrt(pose.width * pose.height)
        pose = Pose(side, side, pose.rotation)
    return min(equivalent(primitive, pose), key=lambda p: (round(abs(p.rotation), 6), -p.rotation))


def wrap(angle: float, period: float) -> float:
    """The same angle in (-period/2, period/2]."""
    wrapped = math.remainder(angle, period)
    return wrapped + period if wrapped <= -period / 2 else wrapped

"""Boxes of which an end is hidden: they keep their size, so the ends that show say where they are.

Where a box goes on behind what lies in front of it, its pixels say nothing about its length, which may drift
from frame to frame and take its centre with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unrender.scene import Observation, Scene

Array = NDArray[np.float64]

OFF = 0.1  # px by which a length differs from the usual one, at least
DEEP = 0.4  # px behind its end at which it is asked whether a box is covered
SIDES = np.array([-0.25, 0.0, 0.25])  # of its breadth: the points along an end


def with_usual_lengths(
    nodes: Mapping[int, Observation], turns: Array, scenes: Sequence[Scene]
) -> dict[int, Observation]:
    """The nodes of a track by frame, those of a box that has one end hidden with the length that it has in
    most frames, the other end where it is seen. turns: degrees (N,) of each, the same way round."""
    if any(node.symbol != "square" or node.parts for node in nodes.values()):
        return dict(nodes)
    swapped = [_swapped(node, turn) for node, turn in zip(nodes.values(), turns, strict=True)]
    sizes = np.array(
        [own.size[::-1] if s else own.size for own, s in zip(nodes.values(), swapped, strict=True)]
    )
    usual = np.median(sizes, axis=0)
    made = {}
    for (frame, node), swap in zip(nodes.items(), swapped, strict=True):
        wanted = usual[::-1] if swap else usual
        made[frame] = _kept(node, wanted, scenes[frame].primitives)
    return made


def _swapped(node: Observation, turn: float) -> bool:
    """Whether width and height have changed places in a node that is turned by so many degrees."""
    return abs(math.remainder(node.rotation - turn, 180.0)) > 45.0


def _kept(node: Observation, wanted: Array, others: Sequence[Observation]) -> Observation:
    """A box with the sizes that are wanted, where one of the two ends along them is hidden."""
    if np.abs(wanted - node.size).max() < OFF:
        return node
    front = [own for own in others if (own.depth or 0) > (node.depth or 0)]
    turn = math.radians(node.rotation)
    axes = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    place, size = np.array(node.position), np.array(node.size)
    for i, axis in enumerate(axes):
        if abs(wanted[i] - size[i]) < OFF:
            continue
        across = SIDES[:, None] * node.size[1 - i] * axes[1 - i]
        ends = [place + way * (size[i] / 2 - DEEP) * axis + across for way in (-1, 1)]
        before, after = (_covered(points, front) for points in ends)
        if before != after:
            shown = 1.0 if before else -1.0
            place = place + shown * (size[i] - wanted[i]) / 2 * axis
            size[i] = wanted[i]
    return replace(node, position=(float(place[0]), float(place[1])), size=(float(size[0]), float(size[1])))


def _covered(points: Array, front: Sequence[Observation]) -> bool:
    """Whether shapes in front hide all of some points (K, 2)."""
    hidden = np.zeros(len(points), bool)
    for own in front:
        hidden |= _inside(own, points)
    return bool(hidden.all())


def _inside(node: Observation, points: Array) -> NDArray[np.bool_]:
    """Which points (K, 2) lie in a rectangle or an ellipse; of other shapes, in their box."""
    turn = math.radians(node.rotation)
    back = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    local = np.abs((points - node.position) @ back) / (np.asarray(node.size) / 2)
    if node.symbol == "circle":
        return np.asarray((local**2).sum(1) <= 1)
    return np.asarray((local <= 1).all(1))

"""The true pose and looks of an object, from its parts: γ as in the Section "Training Capsules"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unrender.scene import Observation


def rotation_matrix(degrees: float) -> NDArray[np.float64]:
    """R: turns x towards y, which is clockwise on the screen."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[cos, -sin], [sin, cos]])


def corners(node: Observation, margin: float = 0.0) -> NDArray[np.float64]:
    """α_pos + R · B_i: the four corners (4, 2) of the turned box around `node`, `margin` px further out."""
    half = np.asarray(node.size) / 2 + margin
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    return np.asarray(node.position) + (signs * half) @ rotation_matrix(node.rotation).T


def whole(
    symbol: str, parts: Sequence[Observation], rotation: float = 0.0, route: str | None = None
) -> Observation:
    """The object that `parts` make up, if it is turned by `rotation` degrees from its upright form.

    Size is Equation size, position Equation Gamma3 (the box in the object's own frame around the turned
    boxes of all parts), every other attribute Equation Gamma1 (the mean weighted by ||size||).
    """
    R = rotation_matrix(rotation)
    points = np.concatenate([corners(part) for part in parts]) @ R  # each row is R⁻¹ · corner
    low, high = points.min(axis=0), points.max(axis=0)
    x, y = R @ (high + low) / 2
    width, height = high - low
    return Observation(
        symbol,
        (float(x), float(y)),
        (float(width), float(height)),
        rotation,
        mean_attributes(parts),
        route=route,
        parts=list(parts),
    )


def mean_attributes(parts: Sequence[Observation]) -> dict[str, float]:
    """Equation Gamma1: the mean of every attribute over the parts that have it, weighted by ||size||."""
    names = {name: None for part in parts for name in part.attributes}
    means = {}
    for name in names:
        having = [part for part in parts if name in part.attributes]
        weights = [math.hypot(*part.size) for part in having]
        total = sum(w * part.attributes[name] for w, part in zip(weights, having, strict=True))
        means[name] = total / sum(weights)
    return means


def placed(
    node: Observation, position: tuple[float, float], rotation: float, scale: float = 1.0
) -> Observation:
    """A copy of a tree with its top at `position` and `rotation`, all of it `scale` times as large.

    This is T of the paper: positions and rotations of the parts to each other stay as they are.
    """
    turn = rotation - node.rotation
    R = scale * rotation_matrix(turn)

    def moved(part: Observation) -> Observation:
        x, y = R @ np.subtract(part.position, node.position) + position
        return replace(
            part,
            position=(float(x), float(y)),
            size=(part.size[0] * scale, part.size[1] * scale),
            rotation=math.remainder(part.rotation + turn, 360.0),
            attributes=dict(part.attributes),
            parts=[moved(child) for child in part.parts],
            scene=None,
        )

    return moved(node)

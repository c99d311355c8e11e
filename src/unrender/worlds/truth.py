"""Moving true objects about: T of the paper, applied to a whole tree."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from unrender.capsules.wholes import rotation_matrix
from unrender.scene import Observation


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

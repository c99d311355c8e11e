"""Moving true objects about: T of the paper, applied to a whole tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unrender.learning.objects.augment import transform
from unrender.scene import Observation


def placed(
    node: Observation, position: tuple[float, float], rotation: float, scale: float = 1.0
) -> Observation:
    """A copy of a tree with its top at `position` and `rotation`, all of it `scale` times as large.

    This is T of the paper: positions and rotations of the parts to each other stay as they are.
    """
    dx, dy = np.subtract(position, node.position)

    def moved(nodes: Sequence[Observation]) -> list[Observation]:
        told = transform(nodes, (dx, dy), rotation - node.rotation, scale, node.position)
        return [replace(own, parts=moved(own.parts) if own.parts else [], scene=None) for own in told]

    return moved([node])[0]

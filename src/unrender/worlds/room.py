"""Room for objects: does one fit into the picture, and beside the others?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.gamma import corners
from unrender.scene import Observation


def margin(node: Observation) -> float:
    """Pixels by which the widest stroke of `node`, smoothed at its edge, reaches beyond its box."""
    strokes = (leaf.attributes.get("thickness", 0.0) * min(leaf.size) / 2 for leaf in node.primitives)
    return 1.0 + max(strokes)


def overlap(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    """Whether two turned boxes, given by their corners (4, 2) in order, share any point.

    They do not if a line parallel to some side has one box on either side of it (separating axes).
    """
    for box in (a, b):
        for axis in (box[1] - box[0], box[2] - box[1]):
            on_a, on_b = a @ axis, b @ axis
            if on_a.max() < on_b.min() or on_b.max() < on_a.min():
                return False
    return True


@dataclass(frozen=True)
class Room:
    """A picture of (width, height) px in which objects stand, and may or may not cover each other."""

    width: int
    height: int
    shared: bool = False  # objects may overlap

    def reach(self, node: Observation) -> tuple[float, float]:
        """How far `node` stretches to either side and up and down from its position, in pixels."""
        x, y = np.abs(corners(node, margin(node)) - np.asarray(node.position)).max(axis=0)
        return float(x), float(y)

    def holds(self, node: Observation) -> bool:
        """Whether all of `node` lies inside the picture."""
        box = corners(node, margin(node))
        return bool((box >= 0).all() and (box <= (self.width, self.height)).all())

    def fits(self, node: Observation, others: Iterable[Observation]) -> bool:
        """Whether `node` lies inside the picture and, unless they may share it, apart from `others`."""
        if not self.holds(node):
            return False
        box = corners(node, margin(node))
        return self.shared or not any(overlap(box, corners(other, margin(other))) for other in others)

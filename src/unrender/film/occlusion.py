"""Where something stands in front, frame by frame: what explains that an object was not seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unrender.scene import Scene

LEAVING = 0.2  # of its size: how near to the border the middle of an object is that comes or goes there
SHARE = 0.7  # of the places of an object that must be covered so that it is hidden


class Occlusion:
    """The boxes of all primitives in every frame, and their ranks in the painting order."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self.frames = len(scenes)
        self.size = scenes[0].width, scenes[0].height
        self._boxes = [_boxes(scene) for scene in scenes]

    def outside(self, place: NDArray[np.float64], side: float) -> bool:
        """Whether an object of this size at a place (2,) is about to leave the picture, or has left it."""
        x, y = place
        wide, tall = self.size
        return not (side / 2 < x < wide - side / 2 and side / 2 < y < tall - side / 2)

    def gone(self, place: NDArray[np.float64], side: float) -> bool:
        """Whether an object of this size at a place (2,) is mostly outside of the picture."""
        x, y = place
        wide, tall = self.size
        return not (LEAVING * side < x < wide - LEAVING * side and LEAVING * side < y < tall - LEAVING * side)

    def hides(self, frame: int, place: NDArray[np.float64], side: float) -> bool:
        """Whether most of an object of this size would be hidden at a place (2,)."""
        boxes = self._boxes[min(max(frame, 0), self.frames - 1)]
        if len(boxes) == 0:
            return False
        offsets = side * np.array([(0, 0), (0.3, 0), (-0.3, 0), (0, 0.3), (0, -0.3)])
        covered = sum(_within(point, boxes) for point in place + offsets)
        return covered >= SHARE * len(offsets)


def _boxes(scene: Scene) -> NDArray[np.float64]:
    """(N, 6): centre, half sides, cosine and sine of every primitive."""
    rows = [
        (*leaf.position, leaf.size[0] / 2, leaf.size[1] / 2, math.cos(turn), math.sin(turn))
        for leaf in scene.primitives
        for turn in (math.radians(leaf.rotation),)
    ]
    return np.array(rows, float).reshape(-1, 6)


def _within(point: NDArray[np.float64], boxes: NDArray[np.float64]) -> bool:
    """Whether a point lies in one of the boxes."""
    dx, dy = point[0] - boxes[:, 0], point[1] - boxes[:, 1]
    u = np.abs(boxes[:, 4] * dx + boxes[:, 5] * dy)
    v = np.abs(boxes[:, 4] * dy - boxes[:, 5] * dx)
    return bool(((u <= boxes[:, 2] + 1) & (v <= boxes[:, 3] + 1)).any())

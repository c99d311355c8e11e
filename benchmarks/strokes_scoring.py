"""How well lines are told: precision and recall within 0.3 px, and how like the redrawn picture is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree
from skimage.metrics import structural_similarity
from strokes_icons import Pixels
from strokes_paths import Floats, Line

NEAR = 0.3  # px: a point that lies as near to a line is on it


@dataclass(frozen=True)
class Lines:
    """Of one picture: how much of what is told is there, and how much of what is there is told."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def compare(told: Sequence[Line], true: Sequence[Line], near: float = NEAR) -> Lines:
    """Points along the lines, to the nearest of the others; where nothing is told, nothing of it is right."""
    return Lines(share(told, true, near), share(true, told, near))


def share(some: Sequence[Line], others: Sequence[Line], near: float = NEAR) -> float:
    """Of the length of some lines, that which lies near others."""
    if not some or not others:
        return 0.0
    return float((distances(some, others) <= near).mean())


def distances(some: Sequence[Line], others: Sequence[Line]) -> Floats:
    """(N,) px from points along some lines to the nearest of the others."""
    points = np.concatenate([line.along() for line in some])
    far, _ = KDTree(np.concatenate([line.dense() for line in others])).query(points)
    return np.asarray(far, dtype=np.float64)


def likeness(one: Pixels, other: Pixels) -> float:
    """SSIM of two pictures."""
    return float(structural_similarity(one, other, channel_axis=2))

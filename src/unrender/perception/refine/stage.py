"""The stage of a shape: what it is seen against."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from unrender.perception.budget import Budget
from unrender.render.coverage import Floats
from unrender.render.shape import Window


@dataclass(frozen=True, eq=False)
class Stage:
    """What a shape is seen against, in a window."""

    window: Window
    image: Floats  # (h, w, 3): the picture less what lies in front
    behind: Floats  # (h, w, 3)
    shows: Floats  # (h, w): how much of the shape would be seen
    variance: Floats = field(default_factory=lambda: np.zeros((0, 0, 2), np.float32))
    # (h, w, 2) of luma and chroma, if they are told apart
    budget: Budget | None = None  # that refining a shape here is counted in

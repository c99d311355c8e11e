"""Blur: how soft the edges of a picture are, as after enlarging it or out of focus."""

from __future__ import annotations

import numpy as np

from unrender.perception.image.compression import SOFT, STEPS, edge_steps
from unrender.render.coverage import Floats

SOFTEST = 0.15  # sharpness: edges that are softer than 7 px are no edges


def estimate_sharpness(image: Floats) -> float:
    """1 if the edges of a picture (H, W, 3) are antialiased; of softer ones, 1 by their width in px.

    Across a soft edge every two neighbours differ by the same share of its contrast; across an antialiased
    one two of them by a half or more.
    """
    steps = edge_steps(image, True)
    if len(steps) < STEPS:
        return 1.0
    share = float(np.median(steps))
    return max(share, SOFTEST) if share < SOFT else 1.0

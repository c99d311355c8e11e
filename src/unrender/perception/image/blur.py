"""Blur: how soft the edges of a picture are, as after enlarging it or out of focus."""

from __future__ import annotations

import numpy as np

from unrender.perception.image.compression import SOFT, STEPS, edge_steps
from unrender.render.coverage import Floats

APART, FLAT = 4, 6.0  # px, and noises by which most pixels that lie so far apart differ in flat graphics
EVENLY = 0.65  # of the contrast: where all edges are soft, three quarters of them are softer
SOFTEST = 0.15  # sharpness: edges that are softer than 7 px are no edges


def estimate_sharpness(image: Floats, sigma: float) -> float:
    """1 if the edges of a picture (H, W, 3) are antialiased; of softer ones, 1 by their width in px.

    Across a soft edge every two neighbours differ by the same share of its contrast; across an antialiased
    one two of them by a half or more. Of thin lines only some do. Where colours change nearly everywhere
    there are no edges. sigma: of the noise.
    """
    steps = edge_steps(image, True)
    share, most = np.percentile(steps, [50, 75]).tolist() if len(steps) >= STEPS else (1.0, 1.0)
    soft = share < SOFT and most < EVENLY and is_flat(image, sigma)
    return max(share, SOFTEST) if soft else 1.0


def is_flat(image: Floats, sigma: float) -> bool:
    """Whether most pixels (H, W, 3) differ from those beside them by no more than noise."""
    if min(image.shape[:2]) <= APART:
        return True
    across, down = image[:, APART:] - image[:, :-APART], image[APART:] - image[:-APART]
    return all(float(np.median(np.abs(off).max(2))) < FLAT * sigma for off in (across, down))

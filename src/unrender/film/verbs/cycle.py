"""Whether a motion repeats, and after how long."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SAME = 0.12  # of its variance: how much a motion that repeats may differ from itself one cycle later
SHORTEST = 4.0  # frames of a cycle
OVERLAP = 0.2  # of a cycle that must be seen again
CLOSED = 1.7  # times its usual step: how far a motion ends from where it began if that is one cycle
FINE = 0.05  # frames between the periods that are tried


def cycle_of(times: Array, values: Array) -> float | None:
    """Frames of one cycle of values (N, D) at times (N,); None of a motion that does not come back."""
    span = float(times[-1] - times[0])
    spread = float(((values - values.mean(0)) ** 2).sum(1).mean())
    if span < SHORTEST or spread <= 0:
        return None
    lags = np.arange(SHORTEST, span / (1 + OVERLAP) + FINE, FINE * 5)
    unlike = np.array([_unlike(times, values, lag) for lag in lags]) / (2 * spread)
    for k in range(1, len(lags) - 1):
        if unlike[k] < SAME and unlike[k] <= unlike[k - 1] and unlike[k] <= unlike[k + 1]:
            near = np.arange(lags[k - 1], lags[k + 1], FINE)
            return float(near[np.argmin([_unlike(times, values, lag) for lag in near])])
    steps = np.sqrt((np.diff(values, axis=0) ** 2).sum(1))
    usual = float(np.median(steps[steps > 0.2 * steps.max()])) if steps.max() > 0 else 0.0
    apart = float(np.sqrt(((values[-1] - values[0]) ** 2).sum()))
    far = float(np.sqrt(((values - values[0]) ** 2).sum(1)).max())
    if apart < CLOSED * usual and far > 3 * usual:
        return span + (apart / usual) * span / (len(times) - 1)
    return None


def _unlike(times: Array, values: Array, lag: float) -> float:
    """The mean square by which values differ from those one lag later."""
    later = times + lag
    inside = later <= times[-1] + 1e-9
    moved = np.stack([np.interp(later[inside], times, column) for column in values.T], 1)
    return float(((moved - values[inside]) ** 2).sum(1).mean())

"""Easing: how far a value has come between two keyframes, by cubic Bézier curves as in CSS and Lottie."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Handles = tuple[float, float, float, float]  # x1, y1, x2, y2

STRENGTHS = (0.1, 0.2, 0.333, 0.42, 0.5, 0.6, 0.7, 0.8, 0.9)  # how long a curve stays near its keyframe
SAMPLES = 129  # points by which a curve is drawn
GRID = 512  # steps at which all curves are looked up

# Curves that programs call by other names: u², u³, u⁴ and a quarter of a sine; CSS's "ease", half of a sine,
# and what goes in and out by u² and u³.
POWERS: tuple[Handles, ...] = (
    (1 / 3, 0.0, 2 / 3, 1 / 3),
    (1 / 3, 0.0, 2 / 3, 0.0),
    (0.5, 0.0, 0.75, 0.0),
    (0.36, 0.0, 0.67, 0.47),
)

NAMED: tuple[Handles, ...] = (
    (0.25, 0.1, 0.25, 1.0),
    (0.364, 0.0, 0.636, 1.0),
    (0.455, 0.03, 0.515, 0.955),
    (0.645, 0.045, 0.355, 1.0),
)


@dataclass(frozen=True)
class Easing:
    """One curve from (0, 0) to (1, 1) with its two handles; "hold" stays until the next keyframe."""

    name: str  # linear, ease in, ease out, ease in-out, hold
    handles: Handles = (0.0, 0.0, 1.0, 1.0)

    def __call__(self, share: Array) -> Array:
        """How far the value has come (N,) when this share (N,) of the time is over."""
        if self.name == "linear":
            return share
        if self.name == "hold":
            return np.where(share < 1, 0.0, 1.0)
        x, y = _curve(self.handles)
        found: Array = np.interp(share, x, y)
        return found


@cache
def _curve(handles: Handles) -> tuple[Array, Array]:
    x1, y1, x2, y2 = handles
    s = np.linspace(0, 1, SAMPLES)
    first, second, third = 3 * s * (1 - s) ** 2, 3 * s**2 * (1 - s), s**3
    return first * x1 + second * x2 + third, first * y1 + second * y2 + third


def _mirrored(handles: Handles) -> Handles:
    """The curve that runs backwards."""
    x1, y1, x2, y2 = handles
    return 1 - x2, 1 - y2, 1 - x1, 1 - y1


LINEAR, HOLD = Easing("linear"), Easing("hold")
EASE_IN = tuple(Easing("ease in", own) for own in (*((a, 0.0, 1.0, 1.0) for a in STRENGTHS), *POWERS))
EASE_OUT = tuple(Easing("ease out", _mirrored(each.handles)) for each in EASE_IN)
EASE_BOTH = tuple(Easing("ease in-out", own) for own in (*((a, 0.0, 1 - a, 1.0) for a in STRENGTHS), *NAMED))
EASINGS = (LINEAR, HOLD, *EASE_IN, *EASE_OUT, *EASE_BOTH)


@cache
def _table() -> Array:
    share = np.linspace(0, 1, GRID + 1)
    return np.stack([easing(share) for easing in EASINGS])


def all_eased(share: Array) -> Array:
    """(E, N): every easing of `EASINGS` at shares (N,) of the time."""
    place = share * GRID
    low = np.minimum(place.astype(int), GRID - 1)
    table, part = _table(), place - low
    found: Array = table[:, low] * (1 - part) + table[:, low + 1] * part
    found[1] = np.where(share < 1, 0.0, 1.0)
    return found

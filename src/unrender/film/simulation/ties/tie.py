"""A spring or rod as it was fitted, and what all such fits begin with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.signal import savgol_filter

from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.ties.shooting import WINDOW, Fitted

WORTH = 0.6  # share of the squares of accelerations that a guess may leave over
Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Tie:
    """A spring, or a rod where stiffness is None, from body `a` to body `b` or a point. Time in frames.

    stiffness: 1/frame², the acceleration of `a` per px; that of `b` is `ratio` times as large.
    damping: 1/frame, along the line. Errors by name: "stiffness", "length", "damping", "ratio", "gravity".
    """

    a: int
    b: int | Point
    stiffness: float | None
    length: float
    damping: float
    ratio: float  # mass of a / mass of b; 0 for a point
    gravity: Point | None  # px/frame²: as the tie alone tells it; None where it was given
    drag: float  # 1/frame
    errors: dict[str, float]
    fitted: Fitted
    extra: float = 0.0  # bits of parameters that simpler springs do not have
    saved: float = 0.0  # bits

    @property
    def cost(self) -> float:
        """Bits of what it ties."""
        return self.fitted.bits + self.extra


def smoothed(body: Trajectory) -> tuple[Array, Array, Array]:
    """Positions, velocities and accelerations (F, 2) of a body, without the frames at both ends."""
    own = [savgol_filter(body.positions, WINDOW, 4, deriv=order, axis=0) for order in (0, 1, 2)]
    half = WINDOW // 2
    place, velocity, acceleration = (values[half:-half] for values in own)
    return place, velocity, acceleration


def linear(columns: Sequence[Array], goal: Array) -> tuple[Array, float]:
    matrix = np.stack(columns, axis=1)
    solved = np.linalg.lstsq(matrix, goal, rcond=None)[0]
    return np.asarray(solved, np.float64), float(((matrix @ solved - goal) ** 2).sum())


def explains(squares: float, goal: Array) -> bool:
    """Whether a linear guess leaves so little of the accelerations over that it is worth fitting."""
    return squares < WORTH * float(((goal - goal.mean()) ** 2).sum())

"""Laws of motion: resting, uniform, accelerated, ballistic, oscillating and circling, each fitted in the
least squares, each with the bits that it takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

PARAMETER = 8.0  # bits of one number
NAMED = 3.0  # bits of the name of a law
FEWEST_TURNS = 0.8  # of an oscillation that must be seen


@dataclass(frozen=True, eq=False)
class Law:
    """A motion that goes on by a rule."""

    name: str
    bits: float  # of its numbers, and of what it leaves over
    off: float  # px: root of the mean square of that
    numbers: dict[str, tuple[float, ...]] = field(default_factory=dict)  # px, frames
    at: Callable[[Array], Array] = field(default=lambda times: times, repr=False)  # values (N, K)


def laws(times: Array, values: Array, sigma: float) -> list[Law]:
    """Every law that values (N, K) at times (N,) may follow, the shortest first."""
    found = [_polynomial(times, values, degree, sigma) for degree in range(min(3, len(times)))]
    if len(found) > 2 and values.shape[1] == 2:
        found.append(_ballistic(times, values, sigma))
    if len(times) >= 8:
        swing = _oscillation(times, values, sigma)
        if swing is not None:
            found.append(swing)
    return sorted(found, key=lambda law: law.bits)


NAMES = ("resting", "uniform", "accelerated")


def _polynomial(times: Array, values: Array, degree: int, sigma: float) -> Law:
    middle = float(times.mean())
    rows: Array = np.asarray(np.polynomial.polynomial.polyfit(times - middle, values, degree), np.float64)

    def at(when: Array) -> Array:
        return np.asarray(np.polynomial.polynomial.polyval(when - middle, rows).T, np.float64)

    numbers = {"place": tuple(rows[0].tolist())}
    if degree > 0:
        numbers["velocity"] = tuple(rows[1].tolist())
    if degree > 1:
        numbers["acceleration"] = tuple((2 * rows[2]).tolist())
    return _law(NAMES[degree], rows.size, numbers, at, times, values, sigma)


def _ballistic(times: Array, values: Array, sigma: float) -> Law:
    """Uniform across, accelerated down."""
    middle = float(times.mean())
    t = times - middle
    across = np.polynomial.polynomial.polyfit(t, values[:, 0], 1)
    down = np.polynomial.polynomial.polyfit(t, values[:, 1], 2)

    def at(when: Array) -> Array:
        s = when - middle
        return np.stack(
            [np.polynomial.polynomial.polyval(s, across), np.polynomial.polynomial.polyval(s, down)], 1
        )

    numbers: dict[str, tuple[float, ...]] = {
        "place": (float(across[0]), float(down[0])),
        "velocity": (float(across[1]), float(down[1])),
        "acceleration": (0.0, float(2 * down[2])),
    }
    return _law("ballistic", 5, numbers, at, times, values, sigma)


def _oscillation(times: Array, values: Array, sigma: float) -> Law | None:
    """c + a cos ωt + b sin ωt, with one ω for all values; circling if they go round."""
    span = float(times[-1] - times[0])
    if span <= 0 or float(np.ptp(values, axis=0).max()) < 6 * sigma:
        return None
    slowest, fastest = 2 * math.pi * FEWEST_TURNS / span, math.pi * 0.8
    grid = np.linspace(slowest, fastest, max(64, int(6 * span)))
    rest = [_swing(times, values, omega)[1] for omega in grid]
    at = int(np.argmin(rest))
    low, high = grid[max(at - 1, 0)], grid[min(at + 1, len(grid) - 1)]
    for _ in range(24):
        a, b = low + 0.382 * (high - low), low + 0.618 * (high - low)
        if _swing(times, values, a)[1] < _swing(times, values, b)[1]:
            high = b
        else:
            low = a
    omega = float(low + high) / 2
    rows, _ = _swing(times, values, omega)

    def moving(when: Array) -> Array:
        found: Array = _waves(when, omega) @ rows
        return found

    numbers = {
        "centre": tuple(rows[0].tolist()),
        "period": (2 * math.pi / omega,),
        "reach": tuple(np.hypot(rows[1], rows[2]).tolist()),
    }
    name = "oscillating"
    if values.shape[1] == 2:
        cross = rows[1, 0] * rows[2, 1] - rows[1, 1] * rows[2, 0]
        size = np.hypot(rows[1], rows[2])
        if abs(cross) > 0.9 * float(size[0] * size[1]) and min(size) > 0.5 * max(size):
            name = "circling"
            numbers["sense"] = (1.0 if cross > 0 else -1.0,)
    return _law(name, rows.size + 1, numbers, moving, times, values, sigma)


def _waves(times: Array, omega: float) -> Array:
    return np.stack([np.ones_like(times), np.cos(omega * times), np.sin(omega * times)], 1)


def _swing(times: Array, values: Array, omega: float) -> tuple[Array, float]:
    """Coefficients (3, K) at one ω, and the squares that they leave."""
    waves = _waves(times, omega)
    rows: Array = np.asarray(np.linalg.lstsq(waves, values, rcond=None)[0], np.float64)
    return rows, float(((values - waves @ rows) ** 2).sum())


def _law(
    name: str,
    count: int,
    numbers: dict[str, tuple[float, ...]],
    at: Callable[[Array], Array],
    times: Array,
    values: Array,
    sigma: float,
) -> Law:
    off = values - at(times)
    bits = NAMED + PARAMETER * count + float((off**2).sum()) / (2 * sigma**2 * math.log(2))
    return Law(name, bits, math.sqrt(float((off**2).mean())), numbers, at)

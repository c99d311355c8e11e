"""Shooting: forces are integrated from unknown states and fitted to trajectories, all parameters at once.

Every function here takes a batch: the perturbed parameters of a whole Jacobian are integrated together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.signal import savgol_filter

from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.free.stretches import LN2

SHOT = 45  # frames: longer trajectories are fitted in several shots
SUBSTEPS = 2  # of the integration, per frame
WINDOW = 7  # frames over which velocities and accelerations are measured
FAR = 1e5  # px: no path goes further
ROUNDS = 25  # of the solver, at most
TAIL = 4.0  # standard deviations from which on a miss counts less

Force = Callable[[Array, Array], Array]  # accelerations of positions and velocities (K, shots, bodies, 2)


@dataclass(frozen=True, eq=False)
class Fitted:
    """Values of parameters with their standard deviations, and the bits that the film costs given them."""

    values: Array
    errors: Array
    bits: float
    path: Array  # (F, bodies, 2) px
    speeds: Array  # (F, bodies, 2) px/frame


def integrate(force: Force, place: Array, velocity: Array, frames: int) -> tuple[Array, Array]:
    """Positions and velocities (frames, ...) from a start, by Runge-Kutta."""
    path, speeds = np.empty((frames, *place.shape)), np.empty((frames, *place.shape))
    h = 1.0 / SUBSTEPS
    for frame in range(frames):
        path[frame], speeds[frame] = place, velocity
        for _ in range(SUBSTEPS if frame + 1 < frames else 0):
            a1 = force(place, velocity)
            v2 = velocity + h / 2 * a1
            a2 = force(place + h / 2 * velocity, v2)
            v3 = velocity + h / 2 * a2
            a3 = force(place + h / 2 * v2, v3)
            v4 = velocity + h * a3
            a4 = force(place + h * v3, v4)
            place = np.clip(place + h / 6 * (velocity + 2 * v2 + 2 * v3 + v4), -FAR, FAR)
            velocity = np.clip(velocity + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), -FAR, FAR)
    return path, speeds


def solve(off: Callable[[Array], Array], start: Array, scale: Array) -> tuple[Array, Array, float]:
    """Damped Gauss-Newton with weights against outliers: values, their covariance, and the cost.

    off: misses (K, R) in standard deviations of K sets of parameters (K, P). scale (P,): the size of each.
    """
    values, damping = start.copy(), 1e-2
    steps = 1e-4 * scale
    best = _cost(off(values[None])[0])
    information = np.eye(len(start))
    for _ in range(ROUNDS):
        batch = off(np.concatenate([values[None], values + np.diag(steps)]))
        miss, slopes = batch[0], (batch[1:] - batch[0]).T / 1e-4  # per scale
        weight = 1 / (1 + (miss / TAIL) ** 2)
        information = (slopes * weight[:, None]).T @ slopes
        gradient = slopes.T @ (weight * miss)
        improved = False
        for _ in range(5):
            ridge = damping * np.diag(np.diag(information)) + 1e-9 * np.eye(len(start))
            tried = values - np.linalg.solve(information + ridge, gradient) * scale
            cost = _cost(off(tried[None])[0])
            if cost < best:
                improved = best - cost > 1e-3
                values, best, damping = tried, cost, max(damping / 5, 1e-7)
                break
            damping *= 6
        if not improved:
            break
    return values, np.linalg.pinv(information) * np.outer(scale, scale), best


def _cost(miss: Array) -> float:
    if not np.isfinite(miss).all():
        return np.inf
    return float(TAIL**2 * np.log1p((miss / TAIL) ** 2).sum())


def shoot(
    bodies: Sequence[Trajectory], force: Callable[[Array], Force], start: Array, scale: Array
) -> Fitted:
    """Fit the parameters of a force, and the states in which shots begin, to trajectories.

    Frames in which a body was not seen count for nothing, but must have a place near it. force: from
    parameters (K, 1, 1, P) to accelerations.
    """
    frames, n = bodies[0].frames, len(bodies)
    shots = max(1, round(frames / SHOT))
    begins = np.linspace(0, frames, shots + 1).astype(int)
    seen = np.stack([body.positions for body in bodies], axis=1)
    there = np.stack([body.seen for body in bodies], axis=1)[:, None, :, None]
    noise = np.array([body.noise for body in bodies])[:, None]
    speeds = np.stack([savgol_filter(own.positions, WINDOW, 3, deriv=1, axis=0) for own in bodies], axis=1)
    states = np.concatenate([seen[begins[:-1]].ravel(), speeds[begins[:-1]].ravel()])
    p, count, longest = len(start), shots * n * 2, int(np.diff(begins).max())

    def played(unknown: Array) -> tuple[Array, Array, Array]:
        k = len(unknown)
        place = unknown[:, p : p + count].reshape(k, shots, n, 2)
        velocity = unknown[:, p + count :].reshape(k, shots, n, 2)
        path, speeds = integrate(force(unknown[:, None, None, :p]), place, velocity, longest + 1)
        return path, speeds, place

    def off(unknown: Array) -> Array:
        k = len(unknown)
        path, _, place = played(unknown)
        parts = []
        for i in range(shots):
            length = begins[i + 1] - begins[i]
            miss = (path[:length, :, i] - seen[begins[i] : begins[i + 1], None]) / noise
            miss = miss * there[begins[i] : begins[i + 1]]
            parts.append(miss.transpose(1, 0, 2, 3).reshape(k, -1))
            if i + 1 < shots:  # one shot ends where the next begins
                parts.append(((path[length, :, i] - place[:, i + 1]) / (noise / 4)).reshape(k, -1))
        return np.concatenate(parts, axis=1)

    sizes = np.concatenate([scale, np.ones(count), np.full(count, 0.1)])
    values, covariance, cost = solve(off, np.concatenate([start, states]), sizes)
    errors = np.sqrt(np.maximum(np.diag(covariance)[:p], 0.0))
    path, rates, _ = played(values[None])
    lengths = np.diff(begins)
    told = (np.concatenate([own[: lengths[i], 0, i] for i in range(shots)]) for own in (path, rates))
    return Fitted(values[:p], errors, cost / 2 / LN2 + 40.0 * n, *told)

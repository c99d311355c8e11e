"""Springs between two bodies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.free.stretches import Field
from unrender.film.simulation.ties.shooting import WINDOW, Force, shoot
from unrender.film.simulation.ties.tie import Tie, explains, linear, smoothed


def spring_between(a: Trajectory, b: Trajectory, field: Field, known: bool) -> Tie | None:
    """A spring between two bodies; the ratio of their accelerations is that of their masses."""
    (xa, va, aa), (xb, vb, ab) = smoothed(a), smoothed(b)
    if len(xa) < 2 * WINDOW:
        return None
    pull, drag = (np.asarray(field.gravity), field.drag) if known else (np.zeros(2), 0.0)
    arm = xa - xb
    far = np.maximum(np.linalg.norm(arm, axis=1, keepdims=True), 1.0)
    along = arm / far
    rate = ((va - vb) * along).sum(axis=1, keepdims=True)
    goals = (aa - pull + drag * va).ravel(), (ab - pull + drag * vb).ravel()
    columns = [-arm.ravel(), along.ravel(), -(along * rate).ravel()]
    zero = np.zeros(len(goals[0]))
    both = [np.concatenate([own, zero]) for own in columns] + [
        np.concatenate([zero, -own]) for own in columns
    ]
    if not known:
        ones = np.tile(np.eye(2), (2 * len(xa), 1))
        both += [ones[:, 0], ones[:, 1]]
    solved, squares = linear(both, np.concatenate(goals))
    if solved[0] <= 1e-5 or solved[3] <= 1e-5 or not explains(squares, np.concatenate(goals)):
        return None
    start = [
        solved[0],
        max(solved[1] / solved[0], 1.0),
        max(solved[2], 0.0),
        solved[3] / solved[0],
        *solved[6:],
    ]
    scale = np.array([0.01, 10.0, 0.01, 1.0, 0.1, 0.1][: len(start)])
    fitted = shoot([a, b], _pair_force(pull, drag), np.array(start), scale)
    stiffness, length, damping, ratio, *rest = (float(value) for value in fitted.values)
    if stiffness <= 0 or ratio <= 0 or length <= 0:
        return None
    names = ("stiffness", "length", "damping", "ratio")
    errors = dict(zip(names, (float(value) for value in fitted.errors), strict=False))
    gravity = None
    if rest:
        gravity, errors["gravity"] = (rest[0], rest[1]), float(fitted.errors[4:].max())
    return Tie(a.track, b.track, stiffness, length, damping, ratio, gravity, drag, errors, fitted)


def _pair_force(pull: Array, drag: float) -> Callable[[Array], Force]:
    def force(values: Array) -> Force:
        stiffness, length, damping, ratio = (values[..., 0, i : i + 1] for i in range(4))
        gravity = values[..., 4:6] if values.shape[-1] > 4 else pull

        def acceleration(place: Array, velocity: Array) -> Array:
            between = place[..., 0, :] - place[..., 1, :]
            size = np.maximum(np.sqrt((between * between).sum(axis=-1, keepdims=True)), 1e-3)
            line = between / size
            speed = ((velocity[..., 0, :] - velocity[..., 1, :]) * line).sum(axis=-1, keepdims=True)
            push = -(stiffness * (size - length) + damping * speed) * line
            own: Array = gravity - drag * velocity + np.stack([push, -ratio * push], axis=-2)
            return own

        return acceleration

    return force

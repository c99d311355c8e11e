"""Springs and rods from a body to a point."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from scipy.signal import savgol_filter

from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.free.stretches import LN2, Field
from unrender.film.simulation.ties.shooting import WINDOW, Fitted, Force, integrate, shoot, solve
from unrender.film.simulation.ties.tie import Tie, explains, linear, smoothed

RIGID = 4.0  # standard deviations: the distance between the ends of a rod varies no more
TRIES = 3  # first guesses that are fitted


def spring_to_point(body: Trajectory, field: Field, known: bool) -> Tie | None:
    """A spring that hangs from a point. Where gravity is not known it is fitted, too."""
    place, velocity, acceleration = smoothed(body)
    if len(place) < 2 * WINDOW:
        return None
    drag = field.drag if known else 0.0
    pull = np.asarray(field.gravity) if known else np.zeros(2)
    goal = (acceleration - pull + drag * velocity).ravel()
    middle, spread = place.mean(axis=0), max(float(np.ptp(place, axis=0).max()), 20.0)
    guesses: list[tuple[float, Array]] = []
    for anchor, arm, far in _anchors(place, middle, spread):
        columns = [-arm.ravel(), (arm / far).ravel(), -velocity.ravel()]
        solved, squares = linear(columns, goal)
        stiffness, push, damping = solved
        if stiffness > 1e-5 and -0.2 < push / stiffness / float(far.mean()) < 4:
            guesses.append((squares, np.array([*anchor, stiffness, max(push / stiffness, 0), damping])))
    # A spring without length: the force is linear, and the anchor where it vanishes.
    ones = np.tile(np.eye(2), (len(place), 1))
    solved, squares = linear([-place.ravel(), ones[:, 0], ones[:, 1], -velocity.ravel()], goal)
    best: Tie | None = None
    if solved[0] > 1e-5 and explains(squares, goal):
        start = np.array([solved[1] / solved[0], solved[2] / solved[0], solved[0], max(solved[3], 0)])
        fitted = shoot([body], _linear_spring(pull, drag), start, np.array([10.0, 10.0, 0.01, 0.01]))
        x, y, stiffness, damping = fitted.values
        errors = {"stiffness": fitted.errors[2], "damping": fitted.errors[3], "length": math.inf}
        best = Tie(
            *(body.track, (float(x), float(y)), float(stiffness), 0.0, float(damping), 0.0, None, drag),
            *(errors, fitted),
        )
    if not known:
        guesses = _with_gravity(place, velocity, acceleration, middle, spread)
    guesses.sort(key=lambda guess: guess[0])
    for squares, start in guesses[:TRIES]:
        if not explains(squares, goal):
            break
        scale = np.array([10.0, 10.0, 0.01, 10.0, 0.01, 0.1, 0.1][: len(start)])
        fitted = shoot([body], _spring(pull, drag), start, scale)
        x, y, stiffness, length, damping = fitted.values[:5]
        extra = 20.0 * (len(start) - 4)
        if stiffness <= 0 or length < 0 or (best is not None and fitted.bits + extra >= best.cost):
            continue
        errors = dict(zip(("stiffness", "length", "damping"), fitted.errors[2:5], strict=True))
        gravity = None
        if not known:
            gravity = (float(fitted.values[5]), float(fitted.values[6]))
            errors["gravity"] = float(fitted.errors[5:].max())
        best = Tie(
            *(
                body.track,
                (float(x), float(y)),
                float(stiffness),
                float(length),
                float(damping),
                0.0,
                gravity,
            ),
            *(drag, errors, fitted, extra),
        )
    return best


def _with_gravity(
    place: Array, velocity: Array, acceleration: Array, middle: Array, spread: float
) -> list[tuple[float, Array]]:
    """Guesses of anchor, stiffness, length, damping and gravity, where that is not known."""
    guesses = []
    ones = np.tile(np.eye(2), (len(place), 1))
    for anchor, arm, far in _anchors(place, middle, spread):
        columns = [-arm.ravel(), (arm / far).ravel(), -velocity.ravel(), ones[:, 0], ones[:, 1]]
        (stiffness, push, damping, gx, gy), squares = linear(columns, acceleration.ravel())
        if stiffness > 1e-5 and 0 < push / stiffness / float(far.mean()) < 3:
            guesses.append((squares, np.array([*anchor, stiffness, push / stiffness, damping, gx, gy])))
    return guesses


def _anchors(place: Array, middle: Array, spread: float) -> Iterator[tuple[Array, Array, Array]]:
    """Points (2,) around a path to which a spring may be tied, with the arms (N, 2) from there and their
    lengths (N, 1); none that the path comes too near."""
    for dx in np.linspace(-4, 4, 17):
        for dy in np.linspace(-4, 4, 17):
            anchor = middle + spread * np.array([dx, dy]) / 2
            arm = place - anchor
            far = np.maximum(np.linalg.norm(arm, axis=1, keepdims=True), 1.0)
            if far.min() >= 4.0:
                yield anchor, arm, far


def _spring(pull: Array, drag: float) -> Callable[[Array], Force]:
    def force(values: Array) -> Force:
        anchor, gravity = values[..., :2], values[..., 5:7] if values.shape[-1] > 5 else pull
        stiffness, length, damping = (values[..., i : i + 1] for i in (2, 3, 4))

        def acceleration(place: Array, velocity: Array) -> Array:
            arm = place - anchor
            far = np.maximum(np.sqrt((arm * arm).sum(axis=-1, keepdims=True)), 1e-3)
            along = arm / far
            rate = (velocity * along).sum(axis=-1, keepdims=True)
            own: Array = gravity - drag * velocity - (stiffness * (far - length) + damping * rate) * along
            return own

        return acceleration

    return force


def _linear_spring(pull: Array, drag: float) -> Callable[[Array], Force]:
    def force(values: Array) -> Force:
        anchor, stiffness, damping = values[..., :2], values[..., 2:3], values[..., 3:4]

        def acceleration(place: Array, velocity: Array) -> Array:
            own: Array = pull - (drag + damping) * velocity - stiffness * (place - anchor)
            return own

        return acceleration

    return force


def rod_to_point(body: Trajectory, field: Field, known: bool) -> Tie | None:
    """A rod to a point: the body moves along a circle, as gravity and drag make it."""
    place = body.positions
    matrix = np.concatenate([2 * place, np.ones((len(place), 1))], axis=1)
    solved = np.linalg.lstsq(matrix, (place**2).sum(axis=1), rcond=None)[0]
    pivot = solved[:2]
    length = math.sqrt(max(float(solved[2] + pivot @ pivot), 0.0))
    if length < body.radius / 2 or length > 1e4:
        return None
    off = np.linalg.norm(place - pivot, axis=1) - length
    if math.sqrt(float((off**2).mean())) > RIGID * body.noise:
        return None
    pull = np.asarray(field.gravity)
    start = [*pivot, length]
    angle = np.unwrap(np.arctan2(*(place - pivot).T[::-1]))
    rate, bend = (savgol_filter(angle, WINDOW, 4, deriv=order)[3:-3] for order in (1, 2))
    across = np.stack([-np.sin(angle), np.cos(angle)], axis=1)[3:-3]
    if not known:
        (gx, gy, drag), _ = linear([across[:, 0] / length, across[:, 1] / length, -rate], bend)
        start += [gx, gy]
    else:
        (drag,), _ = linear([-rate], bend - across @ pull / length)
    start += [max(drag, 0.0)]
    fitted = _swing(body, np.array(start), angle, pull, known)
    names = ("x", "y", "length", *(() if known else ("gx", "gy")), "drag")
    told = dict(zip(names, (float(value) for value in fitted.values), strict=True))
    error = dict(zip(names, (float(value) for value in fitted.errors), strict=True))
    errors = {"length": error["length"], "drag": error["drag"]}
    gravity = None
    if not known:
        gravity = told["gx"], told["gy"]
        errors["gravity"] = max(error["gx"], error["gy"])
    return Tie(
        *(body.track, (told["x"], told["y"]), None, told["length"], 0.0, 0.0, gravity, told["drag"]),
        *(errors, fitted),
    )


def _swing(body: Trajectory, start: Array, angles: Array, pull: Array, known: bool) -> Fitted:
    """Fit pivot, length, gravity and drag of a pendulum; the angle obeys length a'' = gravity · across."""
    count = len(start)
    rate = float(savgol_filter(angles, WINDOW, 3, deriv=1)[0])

    def played(unknown: Array) -> tuple[Array, Array]:
        pivot, length, drag = unknown[:, :2], unknown[:, 2], unknown[:, count - 1]
        gx, gy = (pull[0], pull[1]) if known else (unknown[:, 3], unknown[:, 4])

        def force(angle: Array, turning: Array) -> Array:
            own: Array = (gy * np.cos(angle) - gx * np.sin(angle)) / length - drag * turning
            return own

        angle, turning = integrate(force, unknown[:, count], unknown[:, count + 1], body.frames)
        angle, turning = angle.T[..., None], turning.T[..., None]
        reach = length[:, None, None]
        place = pivot[:, None] + reach * np.concatenate([np.cos(angle), np.sin(angle)], axis=2)
        return place, reach * turning * np.concatenate([-np.sin(angle), np.cos(angle)], axis=2)

    def off(unknown: Array) -> Array:
        place, _ = played(unknown)
        miss = (place - body.positions) / body.noise * body.seen[:, None]
        return miss.reshape(len(unknown), -1)

    gravity = [] if known else [0.1, 0.1]
    scale = np.array([10.0, 10.0, 10.0, *gravity, 0.01, 0.1, 0.01])
    values, covariance, cost = solve(off, np.array([*start, angles[0], rate]), scale)
    errors = np.sqrt(np.maximum(np.diag(covariance)[:count], 0.0))
    path, speeds = (own[0][:, None] for own in played(values[None]))
    return Fitted(values[:count], errors, cost / 2 / LN2 + 40.0, path, speeds)

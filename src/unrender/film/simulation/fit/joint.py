"""All parameters at once: the world is simulated through its contacts and fitted to what was seen.

The film is cut into shots. In each the bodies start from states of their own and are simulated through
whatever they hit; materials, masses and forces are common to all shots. Damped Gauss-Newton with differences
over the simulator minimises the squares by which the simulation misses the film, robustly, beside what single
contacts have told. The result counts where it costs fewer bits; its errors are those of the curvature.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unrender.film.simulation.bodies.trajectory import Array
from unrender.film.simulation.fit.parameters import Parameters
from unrender.film.simulation.fit.shots import Shot, find_shots
from unrender.film.simulation.free.stretches import LN2
from unrender.film.simulation.run.simulator import Simulator
from unrender.film.simulation.world import World

ROUNDS = 3  # of the solver, at most, before and after shots are chosen
TAIL = 3.0  # standard deviations from which on a miss counts less
JUMP = 0.4  # px: a contact falls between two steps of an engine, after which the path is off by as much
AFTER = (0.1, 2.0)  # px, degrees: how well two engines agree after a contact, but for that
WORTH = 2.0  # bits that a round must save
ROUGH = (1.0, 1.0, 5.0)  # px, px, degrees: how exact the first rounds are, so that they do not get stuck
EXPLAINED = 1.0  # squares per residual, roughly: shots that are missed by more say nothing
STEP = 1e-2  # of the size of each parameter: larger than what one substep of the simulator makes
SPEED = 1.5  # px/s: how well the film tells a velocity, at best
UNSURE = 80.0  # px/s, where it does not


@dataclass(frozen=True, eq=False)
class Fit:
    """The world as it was fitted, with its bits before and after, and the spins of circles that it needs."""

    world: World
    before: float
    after: float
    spins: Mapping[tuple[int, int], float]  # by track and frame: degrees/s


@dataclass(frozen=True, eq=False)
class _Play:
    """A shot with the states (T, 8) in which its bodies start, how well they are known, and the noise.

    The last two of a state are px by which the path of a body is off after its contact.
    """

    shot: Shot
    start: Array
    scale: Array
    noise: Array  # (T, F, 3)

    @property
    def late(self) -> NDArray[np.bool_]:
        """The frames (F,) after the contact."""
        return np.arange(self.shot.first + 1, self.shot.last + 1) >= self.shot.touch


def refined(world: World) -> Fit:
    """The world that explains all contacts together; the same where that saves nothing."""
    shots = find_shots(world)
    parameters = Parameters.of(world, shots)
    plays = [_play(world, shot) for shot in shots]
    common = np.zeros(len(parameters.all))
    states = [np.zeros_like(play.start) for play in plays]
    # First roughly and with all shots, then exactly and with those that the simulation can explain.
    rough = [replace(play, noise=np.hypot(play.noise, ROUGH)) for play in plays]
    common, states, _ = _improved(parameters, rough, common, states, ROUNDS)
    misses = _misses(parameters, rough, common, states)
    kept = [
        k for k, own in enumerate(misses) if _squares(own) < EXPLAINED * np.isfinite(plays[k].noise).sum()
    ]
    plays, states = [plays[k] for k in kept], [states[k] for k in kept]
    if not plays:
        return Fit(world, 0.0, 0.0, {})
    nothing = np.zeros(len(common)), [np.zeros_like(play.start) for play in plays]
    before = _cost(_misses(parameters, plays, *nothing), *nothing)
    common, states, information = _improved(parameters, plays, common, states, ROUNDS)
    misses = _misses(parameters, plays, common, states)
    after = _cost(misses, common, states)
    if before - after < WORTH * 2 * LN2:
        return Fit(world, before / 2 / LN2, before / 2 / LN2, {})
    count = sum(int(np.isfinite(play.noise).sum()) for play in plays)
    excess = max(sum(_squares(own) for own in misses) / count, 1.0)
    errors = np.sqrt(np.maximum(np.diag(np.linalg.pinv(information)), 0.0) * excess)
    spins = {
        (track, play.shot.first): float(play.start[i, 5] + own[i, 5] * play.scale[i, 5])
        for play, own in zip(plays, states, strict=True)
        for i, track in enumerate(play.shot.tracks)
        if world.shapes[track].is_circle
    }
    return Fit(parameters.told(common, errors), before / 2 / LN2, after / 2 / LN2, spins)


def _play(world: World, shot: Shot) -> _Play:
    start = np.array([[*world.motions[t].states[shot.first], 0.0, 0.0] for t in shot.tracks])
    scale = np.array([_scale(world, t, shot.first) for t in shot.tracks])
    frames = np.arange(shot.first + 1, shot.last + 1)
    noise = np.empty((len(shot.tracks), len(frames), 3))
    late = frames >= shot.touch - 0.5
    for i, track in enumerate(shot.tracks):
        form = world.shapes[track]
        noise[i, :, :2] = np.where(late, np.hypot(form.noise, AFTER[0]), form.noise)[:, None]
        noise[i, :, 2] = np.where(late, np.hypot(form.turn_noise, AFTER[1]), form.turn_noise)
        if form.is_circle:
            noise[i, :, 2] = np.inf
        noise[i, ~form.seen[frames]] = np.inf
    return _Play(shot, start, scale, noise)


def _improved(
    parameters: Parameters, plays: Sequence[_Play], common: Array, states: Sequence[Array], rounds: int
) -> tuple[Array, list[Array], Array]:
    """Parameters and states after a few rounds of Gauss-Newton, and the information about the parameters."""
    states = list(states)
    miss = _misses(parameters, plays, common, states)
    best = _cost(miss, common, states)
    damping, information = 1e-2, np.eye(len(common))
    for _ in range(rounds):
        slopes, inner = _slopes(parameters, plays, common, states, miss)
        step, moves, information = _newton(miss, slopes, inner, common, states, damping)
        saved = 0.0
        for share in (1.0, 0.4, 0.1):
            tried = common + share * step
            moved = [own + share * move for own, move in zip(states, moves, strict=True)]
            found = _misses(parameters, plays, tried, moved)
            cost = _cost(found, tried, moved)
            if cost < best:
                saved, best = best - cost, cost
                common, states, miss = tried, moved, found
                break
        damping = damping / 5 if saved else damping * 10
        if saved < WORTH * 2 * LN2:
            break
    return common, states, information


def _misses(
    parameters: Parameters, plays: Sequence[_Play], common: Array, states: Sequence[Array]
) -> list[Array]:
    """By how many standard deviations (T, F, 3) each shot is missed."""
    world = parameters.world(common)
    return [_miss(world, play, own) for play, own in zip(plays, states, strict=True)]


def _miss(world: World, play: _Play, offsets: Array) -> Array:
    shot = play.shot
    simulator = Simulator(world)
    for track, motion in world.motions.items():
        if world.body(track).static is not False and motion.first <= shot.first <= motion.last:
            simulator.put(track, motion.states[shot.first])
    states = play.start + offsets * play.scale
    for track, state in zip(shot.tracks, states, strict=True):
        simulator.put(track, state)
    off = np.empty(play.noise.shape)
    for frame in range(shot.first + 1, shot.last + 1):
        simulator.step()
        for i, track in enumerate(shot.tracks):
            form, state = world.shapes[track], simulator.state(track)
            off[i, frame - shot.first - 1, :2] = state[:2] - form.positions[frame]
            off[i, frame - shot.first - 1, 2] = state[2] - form.rotations[frame]
    off[..., :2] += states[:, None, 6:8] * play.late[None, :, None]
    return np.nan_to_num(off, nan=1e3) / play.noise


def _slopes(
    parameters: Parameters,
    plays: Sequence[_Play],
    common: Array,
    states: Sequence[Array],
    miss: Sequence[Array],
) -> tuple[list[Array], list[Array]]:
    """Derivatives of each shot's residuals (R,): by common parameters (R, P), and by its states (R, S)."""
    outer = [np.zeros((own.size, len(common))) for own in miss]
    for p in range(len(common)):
        world = parameters.world(common + STEP * np.eye(len(common))[p])
        for k, (play, own) in enumerate(zip(plays, states, strict=True)):
            if parameters.concerns(p, play.shot):
                outer[k][:, p] = (_miss(world, play, own) - miss[k]).ravel() / STEP
    world = parameters.world(common)
    inner = [np.zeros((own.size, offsets.size)) for own, offsets in zip(miss, states, strict=True)]
    for k, (play, own) in enumerate(zip(plays, states, strict=True)):
        for place in np.argwhere(play.scale > 0):
            moved = own.copy()
            moved[tuple(place)] += STEP
            inner[k][:, place[0] * 8 + place[1]] = (_miss(world, play, moved) - miss[k]).ravel() / STEP
    return outer, inner


def _scale(world: World, track: int, frame: int) -> Array:
    """How well a state (8,) is known, px, degrees, px/s, degrees/s; what is not a parameter has 0."""
    form, motion = world.shapes[track], world.motions[track]
    speed = SPEED if motion.sure[frame] else UNSURE
    rim = speed if not form.is_circle else max(UNSURE, float(np.linalg.norm(motion.states[frame, 3:5])))
    turn = math.degrees(rim / form.radius)
    angle = 0.0 if form.is_circle else form.turn_noise
    return np.array([form.noise, form.noise, angle, speed, speed, turn, JUMP, JUMP])


def _squares(miss: Array) -> float:
    """Robust squares of residuals."""
    return float(TAIL**2 * np.log1p((miss / TAIL) ** 2).sum())


def _cost(misses: Sequence[Array], common: Array, states: Sequence[Array]) -> float:
    """Robust squares of the residuals, and of how far the parameters are from what was known."""
    return sum(map(_squares, misses)) + float(common @ common) + sum(float((own**2).sum()) for own in states)


def _newton(
    misses: Sequence[Array],
    slopes: Sequence[Array],
    inner: Sequence[Array],
    common: Array,
    states: Sequence[Array],
    damping: float,
) -> tuple[Array, list[Array], Array]:
    """The step of the common parameters and of the states, which are eliminated shot by shot.

    Also the information (P, P) about the common parameters that is left when the states are unknown.
    """
    information, gradient = np.eye(len(common)), common.copy()
    solved: list[tuple[Array, Array, Array]] = []
    for miss, outer, own, state in zip(misses, slopes, inner, states, strict=True):
        off = miss.ravel()
        weight = 1 / (1 + (off / TAIL) ** 2)
        block = (own * weight[:, None]).T @ own + (1 + damping) * np.eye(own.shape[1])
        cross = (own * weight[:, None]).T @ outer
        pull = own.T @ (weight * off) + state.ravel()
        inverse = np.asarray(np.linalg.inv(block), np.float64)
        information += (outer * weight[:, None]).T @ outer - cross.T @ inverse @ cross
        gradient += outer.T @ (weight * off) - cross.T @ inverse @ pull
        solved.append((inverse, cross, pull))
    step = -np.asarray(
        np.linalg.solve(information + damping * np.diag(np.diag(information)), gradient), np.float64
    )
    moves: list[Array] = [
        -(inverse @ (pull + cross @ step)).reshape(state.shape)
        for (inverse, cross, pull), state in zip(solved, states, strict=True)
    ]
    return step, moves, information

"""Cutting a trajectory where something hits the body: the stretches that cost the fewest bits.

Under gravity g and drag k the position in a stretch is a + b u(t) + g p(t), where u = (1 - exp(-k t)) / k
and p = (t - u) / k are t and t²/2 without drag. All are linear, so sums over the frames give the cost of
every possible stretch, and dynamic programming the cheapest cut.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.film.simulation.bodies.trajectory import Array, Trajectory

REST, FREE, PUSHED = "rest", "free", "pushed"
PRICE = {REST: 24.0, FREE: 40.0, PUSHED: 62.0}  # bits of a stretch: where it begins, and its parameters
CAP = 30.0  # bits: a frame in which the body was seen wrongly costs no more
LN2 = math.log(2)
CHUNK = 32  # ends of stretches that are weighed at once
Time = float | NDArray[np.floating[Any]]  # frames
Frames = NDArray[np.int64]


@dataclass(frozen=True)
class Field:
    """The forces that act everywhere: gravity px/frame² and drag 1/frame."""

    gravity: tuple[float, float] = (0.0, 0.0)
    drag: float = 0.0

    def u(self, t: Time) -> Array:
        """How far a unit velocity carries in t frames."""
        k = self.drag
        own = np.asarray(t, np.float64)
        return own if abs(k) < 1e-9 else np.asarray(-np.expm1(-k * own) / k)

    def p(self, t: Time) -> Array:
        """How far a unit acceleration carries in t frames from rest."""
        k = self.drag
        own = np.asarray(t, np.float64)
        return np.asarray(own * own / 2 if abs(k) < 1e-6 else (own - self.u(own)) / k)

    def du(self, t: Time) -> Array:
        """The derivative of u."""
        return np.exp(-self.drag * np.asarray(t, np.float64))


@dataclass(frozen=True, eq=False)
class Stretch:
    """Frames first..last (both included) of smooth motion: position(t) = a + b u(t) + acceleration p(t).

    t counts frames from `origin`. The spin is even, in degrees per frame. covariance (3, 3) is that of a, b
    and the acceleration of one coordinate in px, px/frame and px/frame²; what is not fitted has none.
    """

    kind: str
    first: int
    last: int
    field: Field
    a: Array
    b: Array
    acceleration: Array
    covariance: Array
    angle: float
    spin: float
    spin_error: float
    bits: float

    @property
    def origin(self) -> float:
        """The frame from which its time counts."""
        return (self.first + self.last) / 2

    @property
    def length(self) -> int:
        """In frames."""
        return self.last - self.first + 1

    def position(self, frame: float) -> Array:
        """Px, also outside of the stretch."""
        t = frame - self.origin
        place: Array = self.a + self.b * self.field.u(t) + self.acceleration * self.field.p(t)
        return place

    def velocity(self, frame: float) -> Array:
        """Px per frame."""
        t = frame - self.origin
        speed: Array = self.b * self.field.du(t) + self.acceleration * self.field.u(t)
        return speed

    def velocity_error(self, frame: float) -> float:
        """Standard deviation of each coordinate of the velocity, px per frame."""
        t = frame - self.origin
        row = np.array([0.0, float(self.field.du(t)), float(self.field.u(t))])
        return math.sqrt(max(float(row @ self.covariance @ row), 0.0))

    def rotation(self, frame: float) -> float:
        """Degrees."""
        return self.angle + self.spin * (frame - self.origin)


def cut(body: Trajectory, field: Field, kinds: Sequence[str] = (REST, FREE, PUSHED)) -> list[Stretch]:
    """The cheapest stretches of one trajectory under a field of forces."""
    frames = np.flatnonzero(body.seen)
    if len(frames) == 0:
        return []
    sums = _Sums(body, frames, field)
    n = len(frames)
    best = np.full(n + 1, np.inf)
    best[0] = 0.0
    origin: list[tuple[int, str]] = [(0, "")] * (n + 1)
    for begin in range(1, n + 1, CHUNK):
        ends = np.arange(begin, min(begin + CHUNK, n + 1))
        bits = sums.bits(ends, kinds)
        for row, end in enumerate(ends.tolist()):
            for kind in kinds:
                cost = best[:end] + bits[kind][row, :end] + PRICE[kind]
                i = int(cost.argmin())
                if cost[i] < best[end]:
                    best[end], origin[end] = cost[i], (i, kind)
    found: list[Stretch] = []
    end = n
    while end > 0:
        start, kind = origin[end]
        found.append(fit(body, field, kind, int(frames[start]), int(frames[end - 1])))
        end = start
    return found[::-1]


def total(stretches: Sequence[Stretch]) -> float:
    """Bits of a cut."""
    return sum(stretch.bits + PRICE[stretch.kind] for stretch in stretches)


def fit(body: Trajectory, field: Field, kind: str, first: int, last: int) -> Stretch:
    """The stretch of this kind that passes closest to where the body was seen."""
    frames = np.arange(first, last + 1)[body.seen[first : last + 1]]
    t = (frames - (first + last) / 2).astype(np.float64)
    columns = {REST: 1, FREE: 2, PUSHED: 3}[kind]
    basis = np.stack([np.ones(len(t)), field.u(t), field.p(t)], axis=1)
    fixed = np.asarray(field.gravity) if kind == FREE else np.zeros(2)
    goal = body.positions[frames] - basis[:, 2:] * fixed
    used = basis[:, :columns]
    weight = np.ones(len(t))
    for _ in range(2):  # a frame that was seen wrongly is left out in the second round
        solved = np.linalg.lstsq(used * weight[:, None], goal * weight[:, None], rcond=None)[0]
        off = np.abs(goal - used @ solved).max(axis=1) / body.noise
        weight = np.where((off > 6.0) & (off > 4 * np.median(off)), 0.05, 1.0)
    values = np.zeros((3, 2))
    values[:columns] = solved
    values[2] += fixed
    covariance = np.zeros((3, 3))
    free = max(columns, 2)  # what rests might as well have moved, as far as so few frames can tell
    information = (basis[:, :free] * (weight**2)[:, None]).T @ basis[:, :free]
    covariance[:free, :free] = np.linalg.pinv(information) * body.noise**2
    squares = ((goal - used @ solved) ** 2).sum(axis=1) / body.noise**2
    if len(t) <= free:  # nothing checks it: it may hide a blow, which then looks like a large acceleration
        push = float(np.linalg.norm(values[2] - field.gravity))
        covariance[1:, 1:] += np.eye(2) * max(1.0, push) ** 2
    angle, spin, spin_error, turn_bits = _turning(body, frames, t, kind)
    bits = float(np.minimum(squares / 2 / LN2, CAP).sum()) + turn_bits
    return Stretch(
        *(kind, first, last, field, values[0], values[1], values[2], covariance),
        *(angle, spin, spin_error, bits),
    )


def _turning(body: Trajectory, frames: Frames, t: Array, kind: str) -> tuple[float, float, float, float]:
    """Angle at the middle, spin, its error, and the bits of the rotations about them."""
    if body.is_circle:
        return 0.0, 0.0, math.inf, 0.0
    turns = body.rotations[frames]
    if kind == REST or len(t) < 2:
        angle, spin, error = float(turns.mean()), 0.0, math.inf if kind != REST else 0.0
    else:
        spin, angle = (float(value) for value in np.polyfit(t, turns, 1))
        error = body.turn_noise / math.sqrt(max(float((t * t).sum()), 1e-9))
    squares = ((turns - angle - spin * t) / body.turn_noise) ** 2
    return angle, spin, error, float(np.minimum(squares / 2 / LN2, CAP).sum())


class _Sums:
    """What least squares leave over in every stretch that ends at some frames.

    Time counts from the end of a stretch: so far from the origin of another, u and p would look alike.
    """

    def __init__(self, body: Trajectory, frames: Frames, field: Field) -> None:
        self._frames, self._field, self._body = frames, field, body
        self._places = body.positions[frames] / body.noise
        self._turns = body.rotations[frames, None] / body.turn_noise

    def bits(self, ends: Frames, kinds: Sequence[str]) -> dict[str, Array]:
        """Bits (E, N) of the frames start..end-1 for every end and every start before it, by kind."""
        last = ends - 1
        longest = int(ends[-1])
        there = np.arange(longest)[None] <= last[:, None]
        t = np.where(there, self._frames[None, :longest] - self._frames[last, None], 0).astype(np.float64)
        basis = np.stack([np.ones(t.shape), self._field.u(t), self._field.p(t)], axis=2) * there[..., None]
        places = (self._places[None, :longest] - self._places[last, None]) * there[..., None]
        fallen = places - basis[..., 2:] * np.asarray(self._field.gravity) / self._body.noise
        length = ends[:, None] - np.arange(longest)[None]
        goals = {REST: (basis[..., :1], places), FREE: (basis[..., :2], fallen), PUSHED: (basis, places)}
        cost = {kind: _left(*goals[kind], length) for kind in kinds}
        if not self._body.is_circle:
            turns = (self._turns[None, :longest] - self._turns[last, None]) * there[..., None]
            even = np.stack([basis[..., 0], t], axis=2)
            still, steady = _left(basis[..., :1], turns, length), _left(even, turns, length)
            cost = {kind: own + (still if kind == REST else steady) for kind, own in cost.items()}
        most = CAP * np.maximum(length, 0)
        return {kind: np.minimum(own / 2 / LN2, most) for kind, own in cost.items()}


def _left(basis: Array, goal: Array, length: Frames) -> Array:
    """Squares (E, N) left over when rows i.. of goal (E, N, D) are fitted by basis (E, N, K), for every i.

    length (E, N): how many rows these are. Rows past the end are zero.
    """
    size = basis.shape[2]
    squares = _from_end((goal**2).sum(axis=2))
    mixed = _from_end(basis[..., :, None] * goal[..., None, :])
    if size == 1:
        explained = (mixed[..., 0, :] ** 2).sum(axis=2) / np.maximum(length, 1)
        return np.asarray(np.maximum(squares - explained, 0.0))
    gram = _from_end(basis[..., :, None] * basis[..., None, :])
    scale = np.sqrt(np.maximum(np.diagonal(gram, axis1=2, axis2=3), 1e-12))
    gram = gram / scale[..., :, None] / scale[..., None, :] + 1e-10 * np.eye(size)
    mixed = mixed / scale[..., None]
    solved = np.linalg.solve(gram, mixed)
    left: Array = np.maximum(squares - (mixed * solved).sum(axis=(2, 3)), 0.0)
    return np.where(length <= size, 0.0, left)  # as many frames as parameters


def _from_end(values: Array) -> Array:
    return np.cumsum(values[:, ::-1], axis=1)[:, ::-1]

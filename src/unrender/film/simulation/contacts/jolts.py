"""Jolts: the instants at which the velocity of a body changes at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import minimize_scalar

from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.free.stretches import Stretch

SURE = 4.0  # standard deviations: a smaller change of velocity may be none
SLACK = 0.6  # frames: by how much a jolt may lie outside of the gap between two stretches


@dataclass(frozen=True, eq=False)
class Jolt:
    """One body is hit. Velocities px/frame, spins degrees/frame; `before` and `after` are its stretches."""

    track: int
    time: float  # frames
    before: Stretch
    after: Stretch
    position: Array  # (2,) px
    rotation: float  # degrees
    error: float  # px/frame: standard deviation of each coordinate of the change

    @property
    def change(self) -> Array:
        """(2,) px/frame by which its velocity changes."""
        return self.after.velocity(self.time) - self.before.velocity(self.time)

    @property
    def spin_change(self) -> float:
        """Degrees per frame."""
        return self.after.spin - self.before.spin

    @property
    def speed(self) -> float:
        """Px/frame: the larger of before and after."""
        then, now = self.before.velocity(self.time), self.after.velocity(self.time)
        return float(max(np.linalg.norm(then), np.linalg.norm(now)))

    def at(self, time: float) -> tuple[Array, float]:
        """Position and rotation at a time near the jolt."""
        own = self.before if time <= self.time else self.after
        return own.position(time), own.rotation(time)


def find_jolts(body: Trajectory, stretches: Sequence[Stretch]) -> list[Jolt]:
    """The jolts between the stretches of one body, in order.

    A single frame tells no velocity: it was seen badly, or lies between two blows, which then look like one.
    """
    found = []
    for before, after in pairwise(stretch for stretch in stretches if stretch.length > 1):
        time = meeting(before, after)
        error = math.hypot(before.velocity_error(time), after.velocity_error(time))
        place = (before.position(time) + after.position(time)) / 2
        turn = (before.rotation(time) + after.rotation(time)) / 2
        jolt = Jolt(body.track, time, before, after, place, turn, max(error, 1e-4))
        changes = [_change(before, after, own) for own in np.linspace(before.last, after.first, 5)]
        turned = 0.0 if body.is_circle else abs(jolt.spin_change) / max(body.turn_noise, 1e-6)
        if min(changes) > SURE * jolt.error or turned > SURE:
            found.append(jolt)
    return found


def _change(before: Stretch, after: Stretch, time: float) -> float:
    """Px/frame by which the velocity changes if it does so at this time."""
    return float(np.linalg.norm(after.velocity(time) - before.velocity(time)))


def meeting(before: Stretch, after: Stretch) -> float:
    """The frame at which two stretches come closest, between the end of one and the start of the other."""
    low, high = before.last - SLACK, after.first + SLACK

    def apart(time: float) -> float:
        return float(((before.position(time) - after.position(time)) ** 2).sum())

    found = minimize_scalar(apart, bounds=(low, high), method="bounded", options={"xatol": 1e-3})
    return float(found.x)

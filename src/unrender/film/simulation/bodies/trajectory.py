"""What a film knows of one body: its shape, and where it was in each frame."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEAST_NOISE = 0.02  # px: no position is seen better
LEAST_TURN = 0.2  # degrees
STILL = 6.0  # standard deviations: who strays no further has not moved
STEPS = 3  # a cubic has no differences of a higher order than this


@dataclass(frozen=True, eq=False)
class Trajectory:
    """One body through a film of F frames. Positions in px, rotations in degrees, unwrapped.

    Where it was not seen, `seen` is False and its position means nothing. A circle's rotation is not seen.
    """

    track: int
    outline: Array  # (V, 2) px, convex, about the position, at rotation 0; (0, 2) for a circle
    radius: float  # px: of the circle, or of the one around the outline
    positions: Array  # (F, 2)
    rotations: Array  # (F,)
    seen: NDArray[np.bool_]  # (F,)
    noise: float = LEAST_NOISE  # px: standard deviation of a coordinate
    turn_noise: float = LEAST_TURN  # degrees

    @property
    def is_circle(self) -> bool:
        """Whether it rolls: its rotation says nothing."""
        return len(self.outline) == 0

    @property
    def frames(self) -> int:
        """How long the film is."""
        return len(self.positions)

    @cached_property
    def moves(self) -> bool:
        """Whether it is ever elsewhere than at first, or turned."""
        here = self.positions[self.seen]
        if len(here) < 2:
            return False
        strayed = float(np.abs(here - np.median(here, axis=0)).max())
        turned = 0.0 if self.is_circle else float(np.ptp(self.rotations[self.seen]))
        return strayed > max(STILL * self.noise, 0.5) or turned > max(STILL * self.turn_noise, 4.0)

    @cached_property
    def gyration(self) -> float:
        """Moment of inertia per mass, px², of an even plate of this form."""
        if self.is_circle:
            return self.radius**2 / 2
        a, b = self.outline, np.roll(self.outline, -1, axis=0)
        cross = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
        dots = (a * a).sum(1) + (a * b).sum(1) + (b * b).sum(1)
        return float((cross * dots).sum() / (6 * max(cross.sum(), 1e-9)))

    def corners(self, position: Array, rotation: float) -> Array:
        """The outline (V, 2) px with the body there; its centre alone for a circle."""
        if self.is_circle:
            return position[None]
        cos, sin = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
        turned: Array = self.outline @ np.array([[cos, sin], [-sin, cos]]) + position
        return turned

    def reach(self, normal: Array, position: Array, rotation: float) -> float:
        """The least coordinate along `normal`, px, of any of its points."""
        rim = self.radius if self.is_circle else 0.0
        return float((self.corners(position, rotation) @ normal).min()) - rim

    def reaches(self, normal: Array) -> Array:
        """`reach` (F,) in every frame."""
        if self.is_circle:
            return self.positions @ normal - self.radius
        turns = np.radians(self.rotations)[:, None]
        x, y = self.outline.T
        across = normal[0] * (np.cos(turns) * x - np.sin(turns) * y)
        down = normal[1] * (np.sin(turns) * x + np.cos(turns) * y)
        lowest: Array = (across + down).min(axis=1) + self.positions @ normal
        return lowest

    def measured(self) -> Trajectory:
        """The same with its noise estimated from the film itself."""
        noise = max(_noise(self.positions, self.seen), LEAST_NOISE)
        turn = max(_noise(self.rotations[:, None], self.seen), LEAST_TURN)
        return replace(self, noise=noise, turn_noise=turn)


def circle(track: int, radius: float, positions: Array, seen: NDArray[np.bool_]) -> Trajectory:
    """The trajectory of a disc."""
    still = np.zeros(len(positions))
    return Trajectory(track, np.zeros((0, 2)), radius, positions, still, seen).measured()


def polygon(
    track: int, outline: Array, positions: Array, rotations: Array, seen: NDArray[np.bool_]
) -> Trajectory:
    """The trajectory of a convex plate."""
    radius = float(np.linalg.norm(outline, axis=1).max())
    return Trajectory(track, outline, radius, positions, rotations, seen).measured()


def still_pose(still: Trajectory) -> tuple[Array, float]:
    """Position px and rotation, in degrees, of a body that never moves."""
    here = still.seen
    return np.median(still.positions[here], axis=0), float(np.median(still.rotations[here]))


def box(width: float, height: float) -> Array:
    """The outline (4, 2) of a rectangle."""
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)


def centroid(ring: Array) -> Array:
    """The centre of mass (2,) of an even plate with this outline (V, 2)."""
    a, b = ring, np.roll(ring, -1, axis=0)
    cross = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = cross.sum()
    if abs(area) < 1e-9:
        return np.asarray(ring.mean(axis=0))
    return np.asarray(((a + b) * cross[:, None]).sum(axis=0) / (3 * area))


def _noise(values: Array, seen: NDArray[np.bool_]) -> float:
    """Standard deviation of (F, D) values about a smooth curve; jolts, being few, do not count."""
    order = STEPS + 1
    whole = np.convolve(seen, np.ones(order + 1), mode="valid") > order + 0.5
    differences = np.diff(values, order, axis=0)[whole]
    if len(differences) < order:
        return 0.0
    scale = math.sqrt(math.comb(2 * order, order))
    # Jolts spread over several differences: a low quantile of the half-normal distribution is free of them.
    return float(np.quantile(np.abs(differences), 0.35) / 0.4538 / scale)

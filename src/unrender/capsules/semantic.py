"""Semantic capsules: observations of parts in, observations of a whole out ("Routing-By-Agreement").

The five steps of the protocol: γ gives the whole (1), g the parts it should have (2), their agreement the
activation probability (3), for every route (4); the likeliest route gives the output (5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y, pose_of
from unrender.capsules.retell import read_like, retold
from unrender.capsules.route import Route
from unrender.capsules.wholes import rotation_matrix
from unrender.scene import Observation

CONFIDENCE = 0.6  # width of the window of p_i / p̄_i - 1
TAKEN = 0.15  # a part of whose pose any attribute agrees less than this is another thing


def window(difference: Floats, width: Floats | float = 1.0) -> Floats:
    """w: 1 at a difference of 0, 1/e at `width`, and flat where the difference is small."""
    w: Floats = np.exp(-((difference / width) ** 2))
    return w


def agreement(route: Route, j: int, seen: Observation, expected: Observation, whole: Observation) -> Floats:
    """Z of one part (Equation SemanticAgreement): the window of each attribute's difference, the pose
    compared in the frame of the whole and over all equivalent poses of the part. Of a part that has a form,
    the window of what is left between both forms is a factor of its sides'."""
    difference, columns, bits = differences(route, j, seen, expected, whole)
    z = window(difference, route.widths[j, columns])
    z[[WIDTH, HEIGHT]] *= 2.0**-bits
    return z


def differences(
    route: Route, j: int, seen: Observation, expected: Observation, whole: Observation
) -> tuple[Floats, list[int], float]:
    """By how much part j is off: place in mean sides of the whole, log sides, degrees, then its looks; the
    columns of the route's windows that they belong to; and the bits that are left between two forms."""
    scale = float(np.sqrt(whole.size[0] * whole.size[1]))
    wanted = pose_of(expected)
    seen, bits = retold(seen, route.memory[0].parts[j])
    nearest, looks = read_like(seen, wanted, route.turnings[j])
    off, sides = nearest - wanted, np.log(nearest[[WIDTH, HEIGHT]] / wanted[[WIDTH, HEIGHT]])
    place = off[[X, Y]] @ rotation_matrix(whole.rotation) / scale
    names = route.compared(j, seen)
    style = [
        (k, looks[name] - expected.attributes.get(name, 0.0))
        for k, name in enumerate(route.names)
        if name in names
    ]
    difference = np.array([*place, *sides, off[ROTATION], *(value for _, value in style)])
    return difference, [*range(POSE), *(POSE + k for k, _ in style)], bits


def activation(z: Sequence[Floats | None], p: Floats, past_p: Floats) -> float:
    """p_Ω of a route (Equation CapsuleInternals2). A part that was not seen has no Z and counts 0."""
    parts = [
        0.0 if own is None else float(np.abs(own).sum() / len(own) * window(p[j] / past_p[j] - 1, CONFIDENCE))
        for j, own in enumerate(z)
    ]
    return sum(parts) / len(parts)


@dataclass(frozen=True)
class Fit:
    """A whole as one route sees it, with the agreement of each part; None for a part that is not there."""

    whole: Observation
    z: tuple[Floats | None, ...]
    seen: tuple[Observation | None, ...]  # the parts in the order of the route
    expected: tuple[Observation, ...]  # where g has them


def fit(route: Route, parts: Sequence[Observation | None], guess: Observation) -> Fit:
    """Steps 1 to 3 for one route and one assignment of observations to its parts.

    guess: about where the whole is; parts that were not seen are put where g expects them.
    """
    seen: list[Observation | None] = list(parts)
    while True:
        expected = route.decode(guess)
        whole = route.encode(
            [own if own is not None else wanted for own, wanted in zip(seen, expected, strict=True)],
            guess.rotation,
        )
        expected = route.decode(whole)
        z = [
            None if own is None else agreement(route, j, own, expected[j], whole)
            for j, own in enumerate(seen)
        ]
        wrong = [j for j, own in enumerate(z) if own is not None and own[:POSE].min() < TAKEN]
        if not wrong:
            break
        worst = min(wrong, key=lambda j: _pose_agreement(z[j]))
        seen[worst], guess = None, whole
        if not any(seen):
            break
    p = np.array([0.0 if own is None else own.p for own in seen])
    there = [own for own in seen if own is not None]
    absent = [replace(expected[j], p=0.0) for j, own in enumerate(seen) if own is None]
    whole = replace(whole, p=activation(z, p, route.past_p), route=route.name, parts=there, hidden=absent)
    return Fit(whole, tuple(z), tuple(seen), tuple(expected))


def _pose_agreement(z: Floats | None) -> float:
    return 0.0 if z is None else float(z[:POSE].min())


@dataclass(frozen=True)
class SemanticCapsule:
    """A non-terminal symbol, inverted."""

    symbol: str
    routes: tuple[Route, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes besides the pose."""
        return tuple({name: None for route in self.routes for name in route.names})

    def route(self, name: str) -> Route:
        """The route called `name` ("ship/1")."""
        return next(route for route in self.routes if route.name == name)

    @staticmethod
    def final(wholes: Sequence[Observation]) -> Observation:
        """Of the same parts seen by several routes, the likeliest (Equations CapsuleInternals3 and 4)."""
        return max(wholes, key=lambda whole: whole.p)

"""Semantic capsules: observations of parts in, observations of a whole out ("Routing-By-Agreement").

The five steps of the protocol: γ gives the whole (1), g the parts it should have (2), their agreement the
activation probability (3), for every route (4); the likeliest route gives the output (5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.capsules.agreement import activation, agreement
from unrender.capsules.poses import POSE, Floats
from unrender.capsules.route import Route
from unrender.scene import Observation

TAKEN = 0.15  # a part of whose pose any attribute agrees less than this is another thing


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

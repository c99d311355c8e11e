"""Whether a life forgets: what was learned first is asked for again and again, on the same pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from lifelong_worlds import Life, Tally, drawn
from report import Line

import unrender

GOOD = 0.95  # F1 of what counts as known
Found = Sequence[float]
"""F1 of one object: after its first lesson, now and then, and at the end."""


@dataclass
class Memory:
    """What a brain knows of the first objects of its life, time after time."""

    brain: unrender.Brain
    life: Life
    seed: int
    first: int  # objects that are asked for
    shown: int  # pictures of each
    found: dict[str, list[float]] = field(default_factory=dict)  # F1, by route

    def taught(self, routes: Iterable[str]) -> None:
        """Ask for those of these true routes that are new."""
        new = [route for route in routes if route not in self.found][: self.first - len(self.found)]
        for route in new:
            self.found[route] = [self.known(route)]

    def ask_again(self) -> None:
        for route, found in self.found.items():
            found.append(self.known(route))

    def known(self, route: str) -> float:
        """F1 of one form of one object."""
        rng, tally, left = np.random.default_rng([self.seed, 2]), Tally(), self.shown
        while left:
            true = self.life.world(self.life.heavy).sample(rng).scene
            if any(node.route == route for node in true.axioms):
                tally.add(true, self.brain.see(drawn(true, rng)), route)
                left -= 1
        return tally.f1


def forgotten(found: Sequence[Found]) -> Line:
    """How much of the best that was known of each object before the end is lost at the end.

    What was never known well cannot be forgotten: that is no pass.
    """

    def mean(measure: Callable[[Found], float]) -> float:
        return float(np.mean([measure(own) for own in found])) if found else 0.0

    first, best, end = mean(lambda own: own[0]), mean(lambda own: max(own[:-1])), mean(lambda own: own[-1])
    lost = 100 * mean(lambda own: max(0.0, max(own[:-1]) - own[-1]))
    text = f"{lost:.2f} (F1 {first:.3f} after the first lesson, {best:.3f} at best, {end:.3f} at the end)"
    goal = f"F1 ≥ {GOOD} at best, then points lost ≤ 1"
    return Line(f"nothing forgotten ({len(found)} objects)", goal, text, best >= GOOD and lost <= 1)

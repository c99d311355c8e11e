"""How well the tracks of a film agree with the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from film_scenes import Shot
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from unrender.film.film import Film
from unrender.scene import Observation

REACH = 0.7  # of its radius: how far from the truth a sighting may be


@dataclass
class Score:
    """Sums over films."""

    switches: int = 0
    matched: int = 0
    true: int = 0
    false: int = 0
    velocity: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Switches of identity for each sighting."""
        return self.switches / max(self.matched, 1)


def score(film: Film, shot: Shot, into: Score) -> None:
    """Add what one film says about a shot."""
    last: dict[int, int] = {}
    for t, scene in enumerate(film.scenes):
        stand = [_nearest(scene.axioms, shot.places[t, k, :2]) for k in shot.static]
        tops = [node for node in scene.axioms if all(node is not other for other in stand)]
        true = [k for k in range(len(shot.bodies)) if k not in shot.static]
        apart = np.array(
            [[np.hypot(*(np.array(node.position) - shot.places[t, k, :2])) for node in tops] for k in true]
        ).reshape(len(true), -1)
        reach = np.array([REACH * shot.bodies[k].radius for k in true])
        cost = np.where(apart < reach[:, None], apart, 1e3)
        # a body that is matched as before stays so
        for i, k in enumerate(true):
            for j, node in enumerate(tops):
                if last.get(k) == node.track and cost[i, j] < 1e3:
                    cost[i, j] -= 2.0
        into.true += len(true)
        hits = 0
        for i, j in zip(*linear_sum_assignment(cost), strict=True) if len(tops) else ():
            if cost[i, j] < 500:
                k, node = true[i], tops[j]
                hits += 1
                assert node.track is not None
                if k in last and last[k] != node.track:
                    into.switches += 1
                last[k] = node.track
                if 2 <= t < len(film.scenes) - 2 and node.velocity is not None and _free(shot, t, k):
                    into.velocity.append(float(np.hypot(*(np.array(node.velocity) - shot.velocity(t, k)))))
        into.matched += hits
        into.false += len(tops) - hits


def _nearest(nodes: Sequence[Observation], place: NDArray[np.float64]) -> Observation:
    """The largest node at a place, which is what stands there."""
    near = [node for node in nodes if np.hypot(*(np.array(node.position) - place)) < 3]
    return max(near or nodes, key=lambda node: node.size[0] * node.size[1])


def _free(shot: Shot, t: int, k: int) -> bool:
    """Whether no bounce is near: the steps around a frame change evenly."""
    steps = np.diff(shot.places[t - 2 : t + 3, k, :2], axis=0)
    return bool(np.abs(np.diff(steps, 2, axis=0)).max() < 0.05)

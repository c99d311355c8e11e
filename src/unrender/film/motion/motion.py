"""Motion: how a track moves, turns and grows, each told by a law or by keyframes, whichever is shorter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unrender.film.film import Film
from unrender.film.motion.keyframes import Keyframes, keyframes
from unrender.film.motion.laws import Law, laws
from unrender.film.track import Track
from unrender.film.velocity import headings

Array = NDArray[np.float64]

FINEST = {"position": 0.06, "rotation": 0.4, "size": 0.15}  # px, degrees, px: no value is known better


@dataclass(frozen=True, eq=False)
class Channel:
    """One property over time: its values, and what tells them in the fewest bits."""

    name: str  # position, rotation or size
    times: Array  # (N,) in frames
    values: Array  # (N, K)

    @cached_property
    def sigma(self) -> float:
        """How exactly the values are known, from how much they shake about smooth motion."""
        if len(self.values) < 5:
            return FINEST[self.name]
        third = np.abs(np.diff(self.values, 3, axis=0)) / math.sqrt(20)
        return max(FINEST[self.name], 1.5 * float(np.median(third)))

    @cached_property
    def law(self) -> Law:
        """The law that takes the fewest bits."""
        return laws(self.times, self.values, self.sigma)[0]

    @cached_property
    def keys(self) -> Keyframes:
        """The keyframes that take the fewest bits."""
        return keyframes(self.times, self.values, self.sigma)

    @cached_property
    def kind(self) -> str:
        """resting, uniform, accelerated, ballistic, oscillating, circling or keyframes."""
        if self.law.name == "resting" and self.law.off < 2 * self.sigma:
            return "resting"
        return self.law.name if self.law.bits <= self.keys.bits else "keyframes"


@dataclass(frozen=True, eq=False)
class Motion:
    """All that changes about one object while it is in sight."""

    track: Track
    position: Channel
    rotation: Channel
    size: Channel

    @property
    def kind(self) -> str:
        """What its position does; "turning" if nothing but its rotation changes."""
        if self.position.kind == "resting" and self.rotation.kind != "resting":
            return "turning"
        return self.position.kind

    @property
    def channels(self) -> tuple[Channel, Channel, Channel]:
        return self.position, self.rotation, self.size


def motion_of(film: Film, track: Track) -> Motion:
    """How a track moves."""
    nodes = list(track.observations.values())
    times = np.array(film.times)[list(track.observations)] * film.fps
    turn = headings(nodes)[:, None]
    return Motion(
        track,
        Channel("position", times, np.array([node.position for node in nodes], float)),
        Channel("rotation", times, turn),
        Channel("size", times, np.array([node.size for node in nodes], float)),
    )

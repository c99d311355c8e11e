"""Objects that drift and spin through a room, and bounce where they would leave it or hit each other."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from unrender.scene import Observation
from unrender.worlds.room import Room
from unrender.worlds.truth import placed


@dataclass(frozen=True)
class Body:
    """An object with its velocity (px per frame) and spin (degrees per frame)."""

    node: Observation
    velocity: tuple[float, float]
    spin: float

    @classmethod
    def pushed(
        cls,
        node: Observation,
        speed: tuple[float, float],
        spin: tuple[float, float],
        rng: np.random.Generator,
    ) -> Body:
        """`node`, sent off in any direction with a speed and a spin from these ranges."""
        pace, heading, turn = rng.uniform(*speed), rng.uniform(-math.pi, math.pi), rng.uniform(*spin)
        velocity = (pace * math.cos(heading), pace * math.sin(heading))
        return cls(node, velocity, float(rng.choice([-1, 1]) * turn))

    def drifted(self) -> Body:
        """One frame later, in empty space."""
        (x, y), (vx, vy) = self.node.position, self.velocity
        return replace(self, node=placed(self.node, (x + vx, y + vy), self.node.rotation + self.spin))


def step(bodies: list[Body], room: Room) -> list[Body]:
    """All bodies one frame later.

    A body that would leave the room is reflected at the wall. One that would hit another turns back:
    it stays where it is for this frame, which is always a place it fits in.
    """
    moved = list(bodies)
    for i, body in enumerate(moved):
        others = [other.node for j, other in enumerate(moved) if j != i]
        vx, vy = body.velocity
        # Straight on, or reflected at a side wall, at the floor or ceiling, or in a corner.
        for velocity in ((vx, vy), (-vx, vy), (vx, -vy), (-vx, -vy)):
            drifted = replace(body, velocity=velocity).drifted()
            if room.holds(drifted.node):
                break
        if not room.fits(drifted.node, others):
            drifted = replace(body, velocity=(-vx, -vy), spin=-body.spin)
        moved[i] = drifted
    return moved

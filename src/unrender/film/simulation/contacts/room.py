"""Walls that nothing has hit yet: where some sides of a room are known, the others are likely to be there."""

from __future__ import annotations

import numpy as np

from unrender.film.simulation.contacts.walls import CROSSED, Wall
from unrender.film.simulation.world import World

STRAIGHT = 0.99  # cosine between a wall and the side of the picture that it runs along
DEEPEST = 0.2  # of the picture's side: walls that lie further inside are no border


def likely_walls(world: World) -> list[Wall]:
    """Walls along the sides of the picture that have none, as far inside as those that are known, or as
    bodies have come.

    Only where a wall along some side is known, and no body has left the picture there.
    """
    width, height = world.size
    left, right = ((1.0, 0.0), 0.0), ((-1.0, 0.0), -float(width))
    top, bottom = ((0.0, 1.0), 0.0), ((0.0, -1.0), -float(height))
    insets: list[float] = []
    missing: list[tuple[tuple[float, float], float]] = []
    for normal, border in (left, right, top, bottom):
        own = [wall for wall in world.walls if np.dot(wall.normal, normal) > STRAIGHT]
        deep = [wall.offset - border for wall in own]
        near = [value for value in deep if abs(value) < DEEPEST * min(width, height)]
        insets += near
        if not near:
            missing.append((normal, border))
    if not insets:
        return []
    inset = float(np.median(insets))
    found = []
    moving = [shape for shape in world.shapes.values() if shape.moves]
    for normal, border in missing:
        facing = np.asarray(normal)
        nearest = min(float(shape.reaches(facing)[shape.seen].min()) for shape in moving)
        offset = min(border + inset, nearest)
        if offset > min(border, border + inset) - CROSSED:
            along = np.array([-normal[1], normal[0]]) * max(width, height) * 2
            middle = facing * offset + np.abs([normal[1] * width / 2, normal[0] * height / 2])
            start, end = middle - along, middle + along
            ends = (float(start[0]), float(start[1])), (float(end[0]), float(end[1]))
            found.append(Wall(*ends, normal, offset, abs(inset) + 1.0))
    return found

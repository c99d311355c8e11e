"""Walls and floors that need not be drawn: lines at which bodies turn back and which none of them crosses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.contacts.jolts import Jolt

SAVED = 22.0  # bits: a blow whose direction and place are known need not be told
PRICE = (
    12.0,
    26.0,
)  # bits of a wall that is level or upright, and of any other, which one blow does not tell
CONE = math.cos(math.radians(58))  # of the directions in which a wall can push
SLIP = 0.35  # tangent of the angle by which friction usually turns a push
ALIKE = math.cos(math.radians(6))  # of two directions that need not both be tried
DIRECTIONS = 12  # that are tried at most, besides level and upright
SLOWEST = 0.1  # px/frame: what approaches more slowly does not hit
CROSSED = 1.5  # px: by how much a wall may seem to be crossed
MISSEEN = 2  # frames in which a body may seem to be further beyond: some are seen badly


@dataclass(frozen=True, eq=False)
class Wall:
    """A line from `start` to `end` px; the bodies that it stops are on the side of its normal."""

    start: tuple[float, float]
    end: tuple[float, float]
    normal: tuple[float, float]
    offset: float  # px: normal · point, for every point of the line
    error: float  # px: standard deviation of the offset

    def height(self, body: Trajectory, position: Array, rotation: float) -> float:
        """Px between a body and the line."""
        return body.reach(np.asarray(self.normal), position, rotation) - self.offset

    def beside(self, position: Array, margin: float) -> bool:
        """Whether a point lies before the wall, not past its ends."""
        along = np.subtract(self.end, self.start)
        length = float(np.linalg.norm(along))
        share = float((position - self.start) @ along) / max(length, 1e-9)
        return -margin <= share <= length + margin


def slack(jolt: Jolt) -> float:
    """Px by which a body may seem to be away from what it hits: the time of a jolt is not known exactly."""
    return 0.7 + 0.25 * jolt.speed


def find_walls(
    jolts: Sequence[Jolt],
    bodies: dict[int, Trajectory],
    size: tuple[int, int],
    beside: Sequence[Jolt] = (),
) -> tuple[list[Wall], list[tuple[Jolt, int]]]:
    """The walls that save bits, and which jolt is explained by which of them.

    beside: jolts that another body may have caused, so that they save nothing, but may be at a wall.
    """
    left, walls, explained = list(jolts), list[Wall](), list[tuple[Jolt, int]]()
    doubted = frozenset(id(jolt) for jolt in beside)
    while left:
        options = [_best_at(normal, left, bodies, size, doubted) for normal in _normals(left)]
        worth, wall, own = max(options, key=lambda option: option[0])
        if worth <= 0 or wall is None:
            break
        own += [jolt for jolt in left if _behind(jolt, wall, bodies) and all(jolt is not o for o in own)]
        explained += [(jolt, len(walls)) for jolt in own]
        walls.append(wall)
        left = [jolt for jolt in left if all(jolt is not other for other in own)]
    return walls, explained


def _normals(jolts: Sequence[Jolt]) -> list[tuple[Array, float]]:
    """Directions that a wall may face, with the price of each; no two of them alike."""
    found = [(np.array(n, float), PRICE[0]) for n in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    for jolt in sorted(jolts, key=lambda own: own.error / float(np.linalg.norm(own.change))):
        normal = jolt.change / np.linalg.norm(jolt.change)
        if all(normal @ other < ALIKE for other, _ in found) and len(found) < 4 + DIRECTIONS:
            found.append((normal, PRICE[1]))
    return found


def _best_at(
    given: tuple[Array, float],
    jolts: Sequence[Jolt],
    bodies: dict[int, Trajectory],
    size: tuple[int, int],
    doubted: frozenset[int],
) -> tuple[float, Wall | None, list[Jolt]]:
    """The wall with this normal that saves the most bits. doubted: ids of jolts that save nothing."""
    normal, price = given
    pushed = [
        j
        for j in jolts
        if j.change @ normal > CONE * np.linalg.norm(j.change) and _approaches(j, normal, bodies[j.track])
    ]
    best: tuple[float, Wall | None, list[Jolt]] = (0.0, None, [])
    heights = np.array([_reach(jolt, normal, bodies) for jolt in pushed])
    slacks = np.array([slack(jolt) for jolt in pushed])
    tried: list[float] = []
    for offset in heights:
        for _ in range(2):
            near = np.abs(heights - offset) < 2 * slacks
            offset = float(np.median(heights[near])) if near.any() else offset
        own = [jolt for jolt, here in zip(pushed, near, strict=True) if here]
        if SAVED * len(own) - price <= best[0] or any(abs(offset - other) < 0.1 for other in tried):
            continue
        tried.append(offset)
        turned, shift = _refined(normal, own, bodies) if price > PRICE[0] else (normal, offset)
        saved = {id(j): SAVED - _misfit(j, turned, shift, bodies) for j in own}
        own = [jolt for jolt in own if saved[id(jolt)] > 0]  # others: not from this wall
        worth = sum(saved[id(jolt)] for jolt in own if id(jolt) not in doubted) - price
        if worth <= best[0]:
            continue
        wall = _placed(turned, shift, own, bodies, size)
        if wall is not None:
            best = worth, wall, own
    return best


def _behind(jolt: Jolt, wall: Wall, bodies: dict[int, Trajectory]) -> bool:
    """Whether a jolt that pushes a body away from a wall seems to be behind it: nothing else is there."""
    normal, body = np.asarray(wall.normal), bodies[jolt.track]
    pushed = float(jolt.change @ normal) > CONE * float(np.linalg.norm(jolt.change))
    deep = wall.height(body, jolt.position, jolt.rotation) < 0 and wall.beside(jolt.position, 0.0)
    return pushed and deep and _approaches(jolt, normal, body)


def _approaches(jolt: Jolt, normal: Array, body: Trajectory) -> bool:
    """Whether some point of a body moves against a normal before a jolt: what does not hits no wall there."""
    rim = 0.0 if body.is_circle else math.radians(abs(jolt.before.spin)) * body.radius
    speed = rim - float(jolt.before.velocity(jolt.time) @ normal)
    return speed > max(SLOWEST, 2 * jolt.before.velocity_error(jolt.time))


def _reach(jolt: Jolt, normal: Array, bodies: dict[int, Trajectory]) -> float:
    return bodies[jolt.track].reach(normal, jolt.position, jolt.rotation)


def _misfit(jolt: Jolt, normal: Array, offset: float, bodies: dict[int, Trajectory]) -> float:
    """Bits by which a blow is unlike one from this wall."""
    away = (_reach(jolt, normal, bodies) - offset) / slack(jolt)
    push = float(jolt.change @ normal)
    across = math.sqrt(max(float(jolt.change @ jolt.change) - push**2, 0.0)) / max(push, 1e-9)
    return away**2 + (across / SLIP) ** 2


def _refined(normal: Array, jolts: Sequence[Jolt], bodies: dict[int, Trajectory]) -> tuple[Array, float]:
    """Direction and offset that fit the places of the blows, and their directions."""
    angle = math.atan2(normal[1], normal[0])
    start = [angle, float(np.median([_reach(j, normal, bodies) for j in jolts]))]

    def off(values: Array) -> list[float]:
        turned = np.array([math.cos(values[0]), math.sin(values[0])])
        places = [(_reach(j, turned, bodies) - values[1]) / (0.3 * slack(j)) for j in jolts]
        pushes = [float(j.change[1] * turned[0] - j.change[0] * turned[1]) for j in jolts]
        turns = [
            push / (SLIP * float(np.linalg.norm(j.change))) for push, j in zip(pushes, jolts, strict=True)
        ]
        return places + turns

    found = least_squares(off, start, loss="soft_l1").x  # two blows at once point anywhere
    return np.array([math.cos(found[0]), math.sin(found[0])]), float(found[1])


def _placed(
    normal: Array, offset: float, jolts: Sequence[Jolt], bodies: dict[int, Trajectory], size: tuple[int, int]
) -> Wall | None:
    """The wall that these blows tell."""
    reach = max(bodies[jolt.track].radius for jolt in jolts)
    error = float(np.std([_reach(j, normal, bodies) for j in jolts])) / math.sqrt(len(jolts)) + 0.05
    return spanning(normal, offset, [jolt.position for jolt in jolts], reach, bodies, size, error)


def spanning(
    normal: Array,
    offset: float,
    touched: Sequence[Array],
    reach: float,
    bodies: Mapping[int, Trajectory],
    size: tuple[int, int],
    error: float,
) -> Wall | None:
    """The wall across the picture or, where bodies pass beside the places (2,) at which it was touched, only
    around these and px beside them; None where something passes between them."""
    along = np.array([-normal[1], normal[0]])
    points = sorted(float(place @ along) for place in touched)
    span = points[0] - reach, points[-1] + reach
    crossings: list[float] = []
    for body in bodies.values():
        if not body.moves:
            continue
        beyond = body.seen & (body.reaches(normal) < offset - CROSSED)
        if beyond.sum() > MISSEEN:
            crossings += (body.positions[beyond] @ along).tolist()
    if any(span[0] < c < span[1] for c in crossings):
        return None
    far = math.hypot(*size)
    low = max([c + reach for c in crossings if c <= span[0]], default=-2 * far)
    high = min([c - reach for c in crossings if c >= span[1]], default=2 * far)
    low, high = min(low, span[0]), max(high, span[1])
    ends = [normal * offset + along * value for value in (low, high)]
    start, end = _clipped(ends[0], ends[1], size)
    return Wall(start, end, (float(normal[0]), float(normal[1])), offset, error)


def _clipped(a: Array, b: Array, size: tuple[int, int]) -> tuple[tuple[float, float], tuple[float, float]]:
    """The part of a line from a to b that lies within the picture, or within a px of it."""
    low, high = 0.0, 1.0
    for axis in (0, 1):
        step = b[axis] - a[axis]
        if abs(step) > 1e-9:
            first, last = sorted([(-1 - a[axis]) / step, (size[axis] + 1 - a[axis]) / step])
            low, high = max(low, first), min(high, last)
    if low >= high:
        low, high = 0.0, 1.0
    start, end = a + low * (b - a), a + high * (b - a)
    return (float(start[0]), float(start[1])), (float(end[0]), float(end[1]))

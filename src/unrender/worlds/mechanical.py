"""Settings at random: bouncing, colliding, sliding and swinging bodies, each from a generator of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from unrender.worlds.mechanics import WALL, Link, Setting, Thing

Generator = np.random.Generator
COLOURS = (
    *((0.84, 0.15, 0.16), (0.12, 0.47, 0.71), (0.17, 0.63, 0.17)),
    *((1.0, 0.5, 0.05), (0.58, 0.4, 0.74), (0.1, 0.1, 0.1)),
)
TRIES = 200  # places tried for one thing


def bouncing(rng: Generator, count: int = 3, boxes: bool = False) -> Setting:
    """Bodies in a room under gravity from any of four sides, or none; walls at the border or within it."""
    width, height = 200, 160
    inset = float(rng.choice([0.0, 6.0, 12.0]))
    pull = float(rng.choice([0.0, 250.0, 450.0, 700.0], p=[0.15, 0.25, 0.35, 0.25]))
    heading = float(rng.choice([90.0, 90.0, 90.0, 0.0, 225.0]))
    gravity = (pull * math.cos(math.radians(heading)), pull * math.sin(math.radians(heading)))
    friction = float(rng.uniform(0, 0.7))
    elasticity = float(rng.uniform(0.6, 0.98))
    room = (inset + 4, inset + 4, width - inset - 4, height - inset - 4)
    shapes = [(str(rng.choice(["circle", "square"])) if boxes else "circle") for _ in range(count)]
    things = _scattered(rng, shapes, room, (60.0, 160.0), elasticity, friction, spin=120.0 if boxes else 0.0)
    return Setting(
        *(width, height, things, gravity),
        drag=float(rng.choice([0.0, rng.uniform(0.15, 0.8)])),
        walls=_border(width, height, inset),
        wall_elasticity=math.sqrt(elasticity),
        wall_friction=math.sqrt(friction),
        fps=float(rng.choice([24.0, 30.0, 50.0])),
        frames=int(rng.integers(60, 121)),
    )


def colliding(rng: Generator, count: int = 4) -> Setting:
    """Balls of different weight on a table without gravity."""
    width, height = 220, 160
    elasticity = float(rng.uniform(0.8, 1.0))
    room = (4.0, 4.0, width - 4.0, height - 4.0)
    made = _scattered(rng, ["circle"] * count, room, (60.0, 140.0), elasticity, 0.0)
    walls = _border(width, height, 0.0) if rng.random() < 0.7 else ()
    bounce = math.sqrt(elasticity)
    frames = int(rng.integers(60, 100))
    return Setting(width, height, made, walls=walls, wall_elasticity=bounce, frames=frames)


def sliding(rng: Generator, kind: str = "square") -> Setting:
    """A box that slides down a slope that is drawn, or along a floor."""
    width, height = 220, 160
    slope = float(rng.choice([0.0, rng.uniform(12, 28)]))
    friction = float(rng.uniform(0.1, 0.8 * max(math.tan(math.radians(slope)), 0.6)))
    along = np.array([math.cos(math.radians(slope)), math.sin(math.radians(slope))])
    normal = np.array([along[1], -along[0]])
    middle = np.array([width / 2, 110.0])
    floor = Thing("square", _pair(middle), (260.0, 16.0), (0.4, 0.4, 0.45), rotation=slope, static=True)
    side = float(rng.uniform(16, 26))
    start = middle - along * float(rng.uniform(60, 85)) + normal * (8 + side / 2 + 0.02)
    speed = float(rng.uniform(90, 180)) if slope == 0 else float(rng.uniform(0, 60))
    body = Thing(
        *(kind, _pair(start), (side, side), COLOURS[0], _pair(speed * along), slope),
        friction=friction,
        elasticity=0.1,
    )
    floor = Thing(floor.kind, floor.position, floor.size, floor.colour, (0, 0), slope, 0, 1, 1.0, 1.0, True)
    side = float(rng.uniform(12, 18))  # what falls tells gravity, without which friction cannot be told
    ball = Thing("circle", (width - 30.0, 20.0), (side, side), COLOURS[1], (-20.0, 0.0), elasticity=0.6)
    return Setting(width, height, (floor, body, ball), (0.0, 400.0), frames=60)


def swinging(rng: Generator, count: int = 1) -> Setting:
    """Balls on rods that need not be drawn."""
    width, height = 220, 170
    gravity = float(rng.uniform(250, 600))
    things, links = [], []
    for i in range(count):
        pivot = (width * (i + 1) / (count + 1), float(rng.uniform(10, 25)))
        length, angle = float(rng.uniform(60, 110)), float(rng.uniform(20, 60) * rng.choice([-1, 1]))
        heading = math.radians(angle)
        place = (pivot[0] + length * math.sin(heading), pivot[1] + length * math.cos(heading))
        side = float(rng.uniform(14, 24))
        things.append(Thing("circle", place, (side, side), COLOURS[i], friction=0.0, elasticity=0.9))
        links.append(Link(i, WALL, pivot, length))
    drag = float(rng.choice([0.0, rng.uniform(0.1, 0.6)]))
    return Setting(width, height, tuple(things), (0.0, gravity), drag, links=tuple(links), frames=90)


def sprung(rng: Generator, pair: bool | None = None) -> Setting:
    """A ball on a spring that hangs from a point, or two balls on a spring between them."""
    width, height = 220, 170
    pair = bool(rng.random() < 0.5) if pair is None else pair
    mass = float(rng.uniform(0.6, 2.0))
    stiffness = mass * float(rng.uniform(15, 60))
    damping = float(rng.choice([0.0, rng.uniform(0.1, 0.6)])) * mass
    if not pair:
        gravity = float(rng.choice([0.0, rng.uniform(150, 400)]))
        length = float(rng.uniform(30, 60))
        place = (width / 2 + float(rng.uniform(-40, 40)), 40 + length + float(rng.uniform(-10, 30)))
        ball = Thing("circle", place, (20.0, 20.0), COLOURS[0], mass=mass)
        anchor = Link(0, WALL, (width / 2, 20.0), length, stiffness, damping)
        return Setting(width, height, (ball,), (0.0, gravity), links=(anchor,), frames=90)
    ratio, length = float(rng.uniform(0.5, 2.0)), float(rng.uniform(40, 70))
    reach = length * float(rng.uniform(1.2, 1.5))
    things = tuple(
        Thing(
            "circle", (width / 2 + side * reach / 2, height / 2), (18.0, 18.0), COLOURS[i], mass=own,
            velocity=_pair(rng.uniform(-20, 20, 2)),
        )
        for i, (side, own) in enumerate([(-1, mass), (1, mass * ratio)])
    )  # fmt: skip
    return Setting(width, height, things, links=(Link(0, 1, (0, 0), length, stiffness, damping),), frames=90)


def _pair(values: NDArray[np.float64]) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def _border(width: int, height: int, inset: float) -> tuple[tuple[float, float, float, float], ...]:
    left, top, right, bottom = inset, inset, width - inset, height - inset
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    return tuple((*corners[i], *corners[(i + 1) % 4]) for i in range(4))


def _scattered(
    rng: Generator,
    kinds: Sequence[str],
    room: tuple[float, float, float, float],
    speeds: tuple[float, float],
    elasticity: float,
    friction: float,
    spin: float = 0.0,
) -> tuple[Thing, ...]:
    """Things of these kinds that do not touch, in a room (left, top, right, bottom)."""
    placed: list[Thing] = []
    for kind in kinds:
        for _ in range(TRIES):
            side = float(rng.uniform(16, 28))
            reach = side / 2 if kind == "circle" else side * math.sqrt(0.5)
            x, y = rng.uniform([room[0] + reach, room[1] + reach], [room[2] - reach, room[3] - reach])
            apart = (math.dist((x, y), own.position) - reach - own.size[0] * 0.72 for own in placed)
            if min(apart, default=2.0) > 1.0:
                break
        else:
            continue
        pace, heading = rng.uniform(*speeds), rng.uniform(-math.pi, math.pi)
        velocity = (float(pace * math.cos(heading)), float(pace * math.sin(heading)))
        placed.append(
            Thing(
                *(kind, (float(x), float(y)), (side, side), COLOURS[len(placed) % len(COLOURS)], velocity),
                rotation=float(rng.uniform(0, 90)) if kind == "square" else 0.0,
                spin=float(rng.uniform(-spin, spin)) if kind == "square" else 0.0,
                mass=float(rng.uniform(0.5, 2.0)),
                elasticity=math.sqrt(elasticity),
                friction=math.sqrt(friction),
            )
        )
    return tuple(placed)


KINDS: Mapping[str, Callable[[Generator], Setting]] = {
    "bouncing": bouncing,
    "tumbling": lambda rng: bouncing(rng, boxes=True),
    "colliding": colliding,
    "sliding": sliding,
    "swinging": swinging,
    "sprung": sprung,
}
"""Every family of settings, by name."""

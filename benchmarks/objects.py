"""Objects made of primitives, for `oneshot.py`: their blueprints, and the truth about each one placed.

A blueprint shows its object upright, in pixels at the size at which it is taught. No shape of it is smaller
than 20 px, so that at half the size everything can still be seen. Where an object's box depends on a shape
that has equivalent poses, the shape is stretched, so that there is one true box only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.random import Generator
from rasterise import Floats, half_stroke, outline
from scatter import SYMBOLS, Colour, Shape

Point = tuple[float, float]
ALIKE = 0.35  # of a shape's size: how far off it may lie and still be taken for its counterpart
LIKE_SIZE = math.log(1.25)  # and how much larger or smaller it may be


@dataclass(frozen=True)
class Blueprint:
    """One form of an object."""

    name: str
    shapes: tuple[Shape, ...]

    def recoloured(self, colours: Sequence[Colour]) -> Blueprint:
        """The same form in other colours, one a shape."""
        pairs = zip(self.shapes, colours, strict=True)
        return replace(self, shapes=tuple(replace(shape, colour=colour) for shape, colour in pairs))


@dataclass(frozen=True)
class Thing:
    """The truth about one object in a picture."""

    name: str
    position: Point  # (x, y) px
    size: tuple[float, float]  # (w, h) px before rotation
    rotation: float  # degrees from the upright form
    shapes: tuple[Shape, ...]  # what is painted
    missing: tuple[Shape, ...] = ()  # what belongs to it and cannot be seen

    @property
    def reach(self) -> float:
        """sqrt(w h): the size by which distances are judged."""
        return math.sqrt(self.size[0] * self.size[1])


def rotation_matrix(degrees: float) -> Floats:
    """Turns x towards y, which is clockwise on the screen."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[cos, -sin], [sin, cos]])


def box(shapes: Sequence[Shape], rotation: float = 0.0) -> tuple[Point, tuple[float, float]]:
    """Position and size of a whole turned by `rotation`: γ of the paper, from its parts' turned boxes."""
    R = rotation_matrix(rotation)
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    corners = [
        shape.position + (signs * shape.size / 2) @ rotation_matrix(shape.rotation).T for shape in shapes
    ]
    points = np.concatenate(corners) @ R
    low, high = points.min(axis=0), points.max(axis=0)
    (x, y), (w, h) = R @ (low + high) / 2, high - low
    return (float(x), float(y)), (float(w), float(h))


def placed(blueprint: Blueprint, position: Point, rotation: float = 0.0, scale: float = 1.0) -> Thing:
    """The object with its centre at `position`, turned and scaled."""
    centre, (w, h) = box(blueprint.shapes)
    R = scale * rotation_matrix(rotation)
    shapes = []
    for shape in blueprint.shapes:
        x, y = R @ np.subtract(shape.position, centre) + position
        shapes.append(
            replace(
                shape,
                position=(float(x), float(y)),
                size=(shape.size[0] * scale, shape.size[1] * scale),
                rotation=math.remainder(shape.rotation + rotation, 360.0),
            )
        )
    return Thing(blueprint.name, position, (w * scale, h * scale), rotation, tuple(shapes))


def without(thing: Thing, index: int) -> Thing:
    """The object with one of its shapes not to be seen."""
    kept = tuple(shape for i, shape in enumerate(thing.shapes) if i != index)
    return replace(thing, shapes=kept, missing=(thing.shapes[index],))


# Objects


def _shape(
    symbol: str, x: float, y: float, w: float, h: float, turn: float, colour: Colour, stroke: float = 0.0
) -> Shape:
    """Outlined where `stroke` (its width in px) is given, else filled."""
    return Shape(symbol, (x, y), (w, h), turn, colour, stroke == 0, stroke / min(w, h))


RED, BLUE, GOLD, GREEN = (0.85, 0.2, 0.15), (0.15, 0.3, 0.9), (0.95, 0.75, 0.1), (0.1, 0.65, 0.3)

BOOSTER = Blueprint(
    "booster",
    (
        _shape("square", 0, 10, 28, 28, 0, RED),
        _shape("triangle", -24, 12, 20, 26, -90, BLUE),
        _shape("triangle", 24, 12, 20, 26, 90, BLUE),
    ),
)
SHUTTLE = Blueprint(
    "shuttle",
    (
        _shape("circle", 0, -20, 22, 22, 0, GOLD, 2.8),
        _shape("triangle", 0, -44, 20, 26, 0, GREEN, 2.4),
    ),
)
SHIP = Blueprint("ship", BOOSTER.shapes + SHUTTLE.shapes)

HOOK = Blueprint(  # not its own mirror image
    "hook",
    (
        _shape("square", 0, 0, 28, 28, 0, GREEN),
        _shape("circle", 0, -30, 22, 22, 0, RED, 2.8),
        _shape("square", -29, 10, 20, 30, 0, BLUE, 2.4),
        _shape("triangle", 26, -6, 20, 26, 90, GOLD),
        _shape("circle", 25, -36, 20, 20, 0, BLUE),
    ),
)


def _rocks(*circles: tuple[float, float, float]) -> Blueprint:
    shades: tuple[Colour, ...] = ((0.8, 0.7, 0.55), (0.6, 0.45, 0.3), (0.9, 0.85, 0.75))
    rows = zip(circles, shades, strict=True)
    return Blueprint("asteroid", tuple(_shape("circle", x, y, d, d, 0, c, 2.8) for (x, y, d), c in rows))


ASTEROIDS = (
    _rocks((-30, 0, 32), (14, -15, 24), (14, 15, 24)),
    _rocks((0, -32, 20), (0, 0, 28), (0, 34, 24)),
    _rocks((-15, 9, 26), (17, 11, 22), (2, -20, 24)),
    _rocks((-24, -12, 30), (12, -16, 22), (20, 18, 34)),
    _rocks((-28, 6, 20), (0, -8, 28), (34, 12, 38)),
)


# Other arrangements


def mirrored(blueprint: Blueprint) -> Blueprint:
    """Its mirror image; every primitive is symmetric itself, so turning it the other way is enough."""
    return replace(
        blueprint,
        shapes=tuple(
            replace(shape, position=(-shape.position[0], shape.position[1]), rotation=-shape.rotation)
            for shape in blueprint.shapes
        ),
    )


def shuffled(blueprint: Blueprint, rng: Generator) -> Blueprint:
    """The same shapes at each other's places, strayed and turned; no more than two still fit together."""
    places = np.array([shape.position for shape in blueprint.shapes])
    while True:
        order = rng.permutation(len(places))
        spots = places[order] * rng.uniform(1.0, 1.5) + rng.uniform(-6, 6, places.shape)
        turns = rng.uniform(-180, 180, len(places))
        other = replace(
            blueprint,
            shapes=tuple(
                replace(shape, position=(float(x), float(y)), rotation=float(turn))
                for shape, (x, y), turn in zip(blueprint.shapes, spots, turns, strict=True)
            ),
        )
        if apart(other.shapes) and common_parts(blueprint, other) <= 2:
            return other


def random_object(name: str, rng: Generator) -> Blueprint:
    """Three to six shapes close together; any kind, colour and turn."""
    count = int(rng.integers(3, 7))
    shapes: list[Shape] = []
    while len(shapes) < count:
        w, h = rng.uniform(20, 34, 2) if rng.random() < 0.5 else np.full(2, rng.uniform(20, 34))
        angle, reach = rng.uniform(0, 2 * math.pi), rng.uniform(24, 42)
        anchor = shapes[rng.integers(len(shapes))].position if shapes else (0.0, 0.0)
        x, y = anchor[0] + reach * math.cos(angle), anchor[1] + reach * math.sin(angle)
        stroke = rng.uniform(2.4, 4.0) if rng.random() < 0.5 else 0.0
        red, green, blue = rng.uniform(0, 1, 3)
        colour = (float(red), float(green), float(blue))
        shape = _shape(SYMBOLS[rng.integers(3)], x, y, w, h, rng.uniform(-180, 180), colour, stroke)
        trial = [*shapes, shape]
        if apart(trial) and max(box(trial)[1]) <= 110:
            shapes = trial
    return Blueprint(name, tuple(shapes))


def random_objects(count: int, rng: Generator) -> list[Blueprint]:
    """Objects of which no two have more than two shapes in common."""
    objects: list[Blueprint] = []
    while len(objects) < count:
        trial = random_object(f"object{len(objects)}", rng)
        if all(common_parts(trial, other) <= 2 for other in objects):
            objects.append(trial)
    return objects


def apart(shapes: Sequence[Shape], gap: float = 3.0) -> bool:
    """Whether every two shapes are at least `gap` px apart, outline to outline, and none lies in another."""
    rims = [_rim(shape) for shape in shapes]
    for i, j in combinations(range(len(shapes)), 2):
        if (
            math.dist(shapes[i].position, shapes[j].position)
            < (min(shapes[i].size) + min(shapes[j].size)) / 3
        ):
            return False
        if np.linalg.norm(rims[i][:, None] - rims[j][None], axis=-1).min() < gap:
            return False
    return True


def _rim(shape: Shape, points: int = 72) -> Floats:
    """(points, 2): the outer edge of a shape in even steps."""
    edge = outline(shape, half_stroke(shape))
    edge = np.concatenate([edge, edge[:1]])
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(edge, axis=0), axis=1))])
    steps = np.linspace(0, way[-1], points, endpoint=False)
    return np.stack([np.interp(steps, way, edge[:, axis]) for axis in (0, 1)], axis=1)


def common_parts(one: Blueprint, other: Blueprint) -> int:
    """How many shapes of `one` lie on like ones of `other` under the best similarity that maps two on two."""
    source, target = (np.array([complex(*s.position) for s in b.shapes]) for b in (one, other))
    sizes, others = (np.array([math.sqrt(s.size[0] * s.size[1]) for s in b.shapes]) for b in (one, other))
    same = np.array([[a.symbol == b.symbol for b in other.shapes] for a in one.shapes])
    i, a = np.nonzero(same)
    first, second = np.nonzero((i[:, None] != i) & (a[:, None] != a))
    stretch = (target[a[second]] - target[a[first]]) / (source[i[second]] - source[i[first]])
    growth = np.log(others[None, :] / sizes[:, None])  # scale and turn are one complex number, `stretch`
    best = int(same.any())
    for pair, factor in zip(first, stretch, strict=True):
        if abs(growth[i[pair], a[pair]] - math.log(abs(factor))) > LIKE_SIZE:
            continue
        moved = target[a[pair]] + factor * (source - source[i[pair]])
        near = np.abs(moved[:, None] - target[None, :]) <= ALIKE * others[None, :]
        fits = near & same & (np.abs(growth - math.log(abs(factor))) < LIKE_SIZE)
        best = max(best, int(min(fits.any(axis=0).sum(), fits.any(axis=1).sum())))
    return best

"""What is true of a picture of the asteroid world, worked out without the code that answers questions.

Things are painted here, in colours that everybody calls by the same name, also when they are a little darker.
Where things stand to each other is measured on their outlines, and only where a person could tell: what is
unclear is None, and not asked about.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from lifelong_worlds import drawn, shapes_of
from numpy.typing import NDArray
from rasterise import half_stroke, outline
from scipy.spatial import ConvexHull

from unrender import Observation, Scene

Generator = np.random.Generator
Floats = NDArray[np.float64]

PALETTE = {
    "red": (255, 0, 0),
    "orange": (255, 165, 0),
    "yellow": (255, 255, 0),
    "cyan": (0, 255, 255),
    "blue": (0, 0, 255),
    "purple": (128, 0, 128),
    "magenta": (255, 0, 255),
    "pink": (255, 192, 203),
    "green": (0, 255, 0),
}
RGB = ("red", "green", "blue")
STROKE = tuple(f"stroke_{channel}" for channel in RGB)
JITTER = 0.02  # of a channel: no two reds are the same
CLEAR = 1.05  # times as long: a difference in size that a person can see
SIDES = {"left of": (0, -1), "right of": (0, 1), "above": (1, -1), "below": (1, 1)}  # axis and sign
WITHIN = 0.75  # of the smaller one: what overlaps so much along an axis is on neither side
NEAR, NOT_NEAR = 0.5, 2.0  # gaps, in mean sides, that everybody calls near, and that nobody does


@dataclass(frozen=True, eq=False)
class Thing:
    """One thing of a picture: its node in the true graph, its colour, its outline and its box in px."""

    node: Observation
    colour: str
    points: Floats = field(repr=False)  # (N, 2), on the edges of all its shapes

    @property
    def symbol(self) -> str:
        return self.node.symbol

    @cached_property
    def box(self) -> tuple[Floats, Floats]:
        """Its least and greatest x and y."""
        return self.points.min(0), self.points.max(0)

    @property
    def centre(self) -> Floats:
        low, high = self.box
        return (low + high) / 2

    @cached_property
    def area(self) -> float:
        """Of its convex hull, in px²."""
        return hull_area(self.points)

    @cached_property
    def inner_area(self) -> float:
        """The same, to the middle of its strokes."""
        return hull_area(edge(self.node, stroked=False))


@dataclass(frozen=True, eq=False)
class Picture:
    """A true scene, and the things in it."""

    scene: Scene
    things: tuple[Thing, ...]
    noise: int  # the seed of its noise

    @classmethod
    def of(cls, scene: Scene, rng: Generator) -> Picture:
        """A scene of the world, every thing in it painted in a colour of the palette."""
        names = [str(rng.choice(list(PALETTE))) for _ in scene.axioms]
        nodes = [painted(node, name, rng) for node, name in zip(scene.axioms, names, strict=True)]
        told = Scene(scene.width, scene.height, nodes, scene.background)
        things = tuple(Thing(node, name, edge(node)) for node, name in zip(nodes, names, strict=True))
        return cls(told, things, int(rng.integers(1 << 32)))

    @cached_property
    def image(self) -> NDArray[np.float32]:
        """HxWx3 in [0, 1]: its pixels, drawn by the independent rasteriser."""
        return drawn(self.scene, np.random.default_rng(self.noise))

    def of_kind(self, symbol: str) -> list[Thing]:
        return [thing for thing in self.things if thing.symbol == symbol]


def painted(node: Observation, name: str, rng: Generator) -> Observation:
    """A copy of a tree, all of it in one colour; its parts are as bright to each other as they were."""
    rgb = (np.array(PALETTE[name]) / 255 + rng.uniform(-JITTER, JITTER, 3)).clip(0, 1)
    brightest = max(_bright(leaf) for leaf in node.primitives)

    def copy(own: Observation) -> Observation:
        shade = 1.0 if own.parts else _bright(own) / brightest
        colour = dict(zip((*RGB, *STROKE), 2 * (shade * rgb).tolist(), strict=True))
        parts = [copy(part) for part in own.parts]
        return replace(own, attributes=own.attributes | colour, parts=parts, scene=None)

    return copy(node)


def _bright(leaf: Observation) -> float:
    return max(leaf.attributes[channel] for channel in RGB)


def edge(node: Observation, stroked: bool = True) -> Floats:
    """(N, 2): points along the edges of all shapes of a thing, with their strokes, about 1 px apart."""
    shapes = shapes_of(Scene(1, 1, [replace(node, scene=None)]))
    return np.concatenate([_dense(outline(own, stroked * half_stroke(own))) for own in shapes])


def _dense(corners: Floats) -> Floats:
    steps = np.roll(corners, -1, axis=0) - corners
    counts = np.ceil(np.linalg.norm(steps, axis=1)).astype(int).clip(1)
    shares = np.concatenate([np.arange(count) / count for count in counts])
    return np.repeat(corners, counts, 0) + shares[:, None] * np.repeat(steps, counts, 0)


def beside(word: str, one: Thing, other: Thing) -> bool | None:
    """Whether one thing is left of, right of, above or below another.

    It is if all of it is on that side, and no further to any other side. It is not if its centre is not on
    that side, or if nearly all of the smaller one lies within the other's reach along that axis.
    """
    axis, sign = SIDES[word]
    away = [_apart(one, other, k) for k in (0, 1)]
    smaller = min((thing.box[1] - thing.box[0])[axis] for thing in (one, other))
    if sign * (one.centre - other.centre)[axis] <= 0 or -away[axis] >= WITHIN * smaller:
        return False
    return True if away[axis] > 0 and away[axis] >= away[1 - axis] else None


def _apart(one: Thing, other: Thing, axis: int) -> float:
    """Px between two boxes along an axis; negative where they overlap."""
    (low, high), (its_low, its_high) = one.box, other.box
    return float(max(its_low[axis] - high[axis], low[axis] - its_high[axis]))


def near(one: Thing, other: Thing) -> bool | None:
    """Whether one thing is near another, by the gap between their edges."""
    apart = np.linalg.norm(one.points[:, None] - other.points[None], axis=-1).min()
    side = math.sqrt(math.sqrt(one.area * other.area))
    return True if apart <= NEAR * side else False if apart >= NOT_NEAR * side else None


def some(told: Iterable[bool | None]) -> bool | None:
    """Whether any of these is so; None if that hangs on one that is unclear."""
    every = list(told)
    return True if True in every else None if None in every else False


def largest(things: Sequence[Thing]) -> Thing | None:
    """The largest, if it is so clearly, whether strokes count or not."""
    for thing in things:
        others = [own for own in things if own is not thing]
        if all(
            thing.area >= CLEAR**2 * own.area and thing.inner_area >= CLEAR**2 * own.inner_area
            for own in others
        ):
            return thing
    return None


def hull_area(points: Floats) -> float:
    return float(ConvexHull(points).volume)  # which in two dimensions is the area

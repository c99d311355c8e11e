"""What the agent lives through in `lifelong.py`: worlds whose vocabulary grows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from rasterise import composite

from unrender.scene import Observation, Scene
from unrender.worlds.asteroids import Asteroids

SIDE = 160  # px
NOISE = 0.01  # of the pictures
VARIANTS = ("damaged", "thrusting")


@dataclass(frozen=True)
class Life:
    """When each word comes up: the number of the first scene that may show it."""

    ships: int = 0
    asteroids: int = 0
    heavy: int = 40  # ships of the second form
    stations: int = 30
    damaged: int = 60
    thrusting: int = 90
    loose: int = 50  # primitives that float about
    often: float = 0.3  # how many ships are damaged, or thrusting

    @classmethod
    def shuffled(cls, rng: np.random.Generator, every: int = 10) -> Life:
        """Another order, everything within a few scenes."""
        heavy, stations, damaged, thrusting = (int(at) for at in every * rng.permutation(4))
        return cls(0, 0, heavy, stations, damaged, thrusting, 1 << 30, 0.6)

    def world(self, number: int) -> Asteroids:
        """The world at one time."""
        return Asteroids(
            width=SIDE,
            height=SIDE,
            ships=(1, 2) if number >= self.ships else (0, 0),
            asteroids=(1, 3) if number >= self.asteroids else (0, 0),
            stations=(0, 1) if number >= self.stations else (0, 0),
            loose=(0, 1) if number >= self.loose else (0, 0),
            ship_forms=2 if number >= self.heavy else 1,
            damaged=self.often if number >= self.damaged else 0.0,
            thrusting=self.often if number >= self.thrusting else 0.0,
        )


@dataclass(frozen=True)
class _Shape:
    """A primitive as the rasteriser takes it."""

    symbol: str
    position: tuple[float, float]
    size: tuple[float, float]
    rotation: float
    colour: tuple[float, float, float]
    filled: bool
    thickness: float


def drawn(scene: Scene, rng: np.random.Generator) -> NDArray[np.float32]:
    """float32 HxWx3 in [0, 1]: a true scene, drawn by the independent rasteriser, with a little noise."""
    shapes = [
        _Shape(
            leaf.symbol,
            leaf.position,
            leaf.size,
            leaf.rotation,
            (leaf.attributes["red"], leaf.attributes["green"], leaf.attributes["blue"]),
            leaf.attributes["filled"] >= 0.5,
            leaf.attributes["thickness"],
        )
        for leaf in scene.primitives
    ]
    ground = np.broadcast_to(scene.background / 255.0, (scene.height, scene.width, 3)).astype(np.float64)
    picture = composite(shapes, ground) + NOISE * rng.standard_normal(ground.shape)
    return picture.clip(0.0, 1.0).astype(np.float32)


def noted(scene: Scene, rng: np.random.Generator) -> Scene:
    """The primitives of a true scene as they would be seen, without drawing them: with errors like those of
    `see` on such pictures."""

    def seen(leaf: Observation, depth: int) -> Observation:
        (x, y), (w, h) = leaf.position + rng.normal(0, 0.05, 2), leaf.size * (1 + rng.normal(0, 0.003, 2))
        turn = leaf.rotation + float(rng.normal(0, 0.2))
        place, size = (float(x), float(y)), (float(w), float(h))
        return replace(leaf, position=place, size=size, rotation=turn, depth=depth, scene=None)

    leaves = [seen(leaf, depth) for depth, leaf in enumerate(scene.primitives)]
    return Scene(scene.width, scene.height, leaves, scene.background)


@dataclass
class Tally:
    """Named objects of scenes: what is there, what was found, and what was said of their attributes."""

    true: int = 0
    found: int = 0
    matched: int = 0
    off: float = 0.0  # sum of the errors of attribute values
    values: int = 0
    off_shown: float = 0.0  # of those that are shown at all
    shown: int = 0

    @property
    def f1(self) -> float:
        return 2 * self.matched / (self.true + self.found) if self.true + self.found else 1.0

    def add(self, truth: Scene, seen: Scene, only: str | None = None) -> None:
        """Count one scene; `only` the objects of one route, and what was taken for its symbol in vain."""
        symbol = None if only is None else only.split("/")[0]
        found = [node for node in seen.observations if node.parts and symbol in (None, node.symbol)]
        for node in truth.axioms:
            if not node.parts or symbol not in (None, node.symbol):
                continue
            best = _seen_as(node, found)
            found = [own for own in found if own is not best]
            if only in (None, node.route):
                self.true += 1
                if best is not None:
                    self.matched += 1
                    self.found += 1
                    self._values(node, best)
        self.found += len(found)

    def _values(self, node: Observation, seen: Observation) -> None:
        for name in VARIANTS:
            if name in node.attributes:
                error = abs(seen.attributes.get(name, 0.0) - node.attributes[name])
                self.off += error
                self.values += 1
                if node.attributes[name] > 0:
                    self.off_shown += error
                    self.shown += 1


def _seen_as(node: Observation, found: list[Observation]) -> Observation | None:
    """The nearest of what was found by the same name, if its centre is within a quarter of the size."""
    reach = 0.25 * math.sqrt(node.size[0] * node.size[1])
    near = [
        own for own in found if own.symbol == node.symbol and math.dist(own.position, node.position) < reach
    ]
    return min(near, key=lambda own: math.dist(own.position, node.position), default=None)

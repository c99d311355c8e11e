"""What the agent lives through in `lifelong.py`: worlds whose vocabulary grows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from counting import Counts, paired
from numpy.typing import NDArray
from rasterise import composite
from scatter import Shape

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


def shapes_of(scene: Scene) -> list[Shape]:
    """The primitives of a scene for the independent rasteriser, back to front."""
    return [
        Shape(
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


def drawn(scene: Scene, rng: np.random.Generator) -> NDArray[np.float32]:
    """float32 HxWx3 in [0, 1]: a true scene, drawn by the independent rasteriser, with a little noise."""
    ground = np.broadcast_to(scene.background / 255.0, (scene.height, scene.width, 3)).astype(np.float64)
    picture = composite(shapes_of(scene), ground) + NOISE * rng.standard_normal(ground.shape)
    return picture.clip(0.0, 1.0).astype(np.float32)


@dataclass
class Tally(Counts):
    """Named objects of scenes, and what was said of their attributes."""

    off: float = 0.0  # sum of the errors of attribute values
    values: int = 0
    off_shown: float = 0.0  # of those that are shown at all
    shown: int = 0

    def add(self, truth: Scene, seen: Scene, only: str | None = None) -> None:
        """Count one scene; `only` the objects of one route, and what was taken for its symbol in vain."""
        symbol = None if only is None else only.split("/")[0]
        there, found = (
            [node for node in nodes if node.parts and symbol in (None, node.symbol)]
            for nodes in (truth.axioms, seen.observations)
        )
        spots = ([(node.symbol, node.position) for node in nodes] for nodes in (there, found))
        pairs = paired(*spots, [math.sqrt(node.size[0] * node.size[1]) for node in there])
        asked = [(there[i], found[j]) for i, j in pairs if only in (None, there[i].route)]
        self.true += sum(only in (None, node.route) for node in there)
        self.matched += len(asked)
        self.found += len(found) - len(pairs) + len(asked)
        for node, guess in asked:
            self._values(node, guess)

    def _values(self, node: Observation, seen: Observation) -> None:
        for name in VARIANTS:
            if name in node.attributes:
                error = abs(seen.attributes.get(name, 0.0) - node.attributes[name])
                self.off += error
                self.values += 1
                if node.attributes[name] > 0:
                    self.off_shown += error
                    self.shown += 1

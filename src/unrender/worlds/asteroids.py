"""The asteroid world of the paper's results: ships, asteroids, stations and loose primitives, with the true
graph.

picture = Asteroids(width=256, height=256).sample(np.random.default_rng(0))
picture.image    # uint8 HxWx3
picture.scene    # the Scene it was drawn from
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.gamma import whole
from unrender.errors import UnrenderError
from unrender.scene import Observation, Scene
from unrender.worlds.blueprints import BLUEPRINTS, LOOSE, VARIANTS
from unrender.worlds.motion import Body, step
from unrender.worlds.room import Room
from unrender.worlds.truth import placed

SMALLEST, LARGEST = 48, 8192  # px: sides of a picture in which a ship can be told from a speck
SLIGHTEST = 0.2  # the least value of a variant that an object has
TRIES = 80  # places tried for one object before the picture counts as full


@dataclass(frozen=True)
class Picture:
    """One picture of a world and the truth about it."""

    scene: Scene

    @property
    def image(self) -> NDArray[np.uint8]:
        """uint8 HxWx3: the scene as drawn."""
        return self.scene.image


@dataclass(frozen=True)
class Asteroids:
    """A distribution of pictures. All ranges are (low, high) and include both ends.

    How many objects are asked for is drawn from `ships`, `stations`, `asteroids` and `loose`; one that finds
    no room any more is left out. In a world with damaged ships every ship has the attribute "damaged", which
    is 0 for what is intact; in the same way "thrusting".
    """

    width: int = 256
    height: int = 256
    ships: tuple[int, int] = (1, 2)
    asteroids: tuple[int, int] = (1, 3)
    loose: tuple[int, int] = (1, 4)
    part: tuple[float, float] = (12.0, 32.0)  # px: the side of an object's largest primitive
    overlap: bool = False  # objects may cover one another
    colourful: bool = True  # any colour, or all white as in the paper
    background: tuple[int, int, int] = (0, 0, 0)
    speed: tuple[float, float] = (0.5, 3.0)  # px per frame
    spin: tuple[float, float] = (0.0, 6.0)  # degrees per frame, either way round
    stations: tuple[int, int] = (0, 0)
    ship_forms: int = 1  # ships come in the first so many of their forms
    damaged: float = 0.0  # the probability that a ship of the first form has a bent wing
    thrusting: float = 0.0  # the probability that its engine is burning

    def __post_init__(self) -> None:
        if not all(SMALLEST <= side <= LARGEST for side in (self.width, self.height)):
            raise UnrenderError(
                f"A picture of the asteroid world must have sides of {SMALLEST} to {LARGEST} pixels, "
                f"not {self.width}x{self.height}."
            )
        for name in ("ships", "stations", "asteroids", "loose", "part", "speed", "spin"):
            low, high = getattr(self, name)
            if not 0 <= low <= high or (name == "part" and low < 1):
                raise UnrenderError(f'The range "{name}" of a world cannot go from {low} to {high}.')
        forms = len(BLUEPRINTS["ship"])
        if not 1 <= self.ship_forms <= forms:
            raise UnrenderError(f"Ships come in 1 to {forms} forms, not {self.ship_forms}.")
        for name in VARIANTS:
            if not 0 <= getattr(self, name) <= 1:
                raise UnrenderError(f'The probability "{name}" must lie in 0..1, not {getattr(self, name)}.')

    def sample(self, rng: np.random.Generator) -> Picture:
        """One picture."""
        return Picture(self._scene(self._objects(rng)))

    def sequence(self, rng: np.random.Generator, frames: int) -> list[Picture]:
        """Consecutive frames in which objects drift and spin.

        `Observation.track` is the same number in all frames for the same object, and for the same part.
        """
        if frames < 1:
            raise UnrenderError(f"A sequence must have at least one frame, not {frames}.")
        objects = self._objects(rng)
        for track, node in enumerate(node for top in objects for node in top.walk()):
            node.track = track
        bodies = [Body.pushed(node, self.speed, self.spin, rng) for node in objects]
        pictures = []
        for _ in range(frames):
            pictures.append(Picture(self._scene(body.node for body in bodies)))
            bodies = step(bodies, self._room)
        return pictures

    @property
    def _room(self) -> Room:
        return Room(self.width, self.height, shared=self.overlap)

    def _scene(self, objects: Iterable[Observation]) -> Scene:
        """Copies of `objects`, back to front, each primitive with its depth."""
        axioms = [placed(node, node.position, node.rotation) for node in objects]
        for depth, leaf in enumerate(leaf for axiom in axioms for leaf in axiom.primitives):
            leaf.depth = depth
        return Scene(self.width, self.height, axioms, self.background)

    def _objects(self, rng: np.random.Generator) -> list[Observation]:
        """Objects at their places, back to front."""
        counts = {
            "station": self.stations,
            "ship": self.ships,
            "asteroid": self.asteroids,
            "loose": self.loose,
        }
        names = [name for name, (low, high) in counts.items() for _ in range(rng.integers(low, high + 1))]
        objects: list[Observation] = []
        for name in names:  # the large ones first, while there is room
            node = self._settled(name, objects, rng)
            if node is not None:
                objects.append(node)
        if names and not objects:
            raise UnrenderError(
                f"No object with parts of {self.part[0]:g} pixels fits into a picture of "
                f"{self.width}x{self.height}."
            )
        return [objects[i] for i in rng.permutation(len(objects))]

    def _settled(self, name: str, others: list[Observation], rng: np.random.Generator) -> Observation | None:
        """A new object at a place where it fits, or None. The longer it takes, the smaller it gets."""
        low, high = self.part
        for attempt in range(TRIES):
            node, largest = self._loose(rng) if name == "loose" else self._built(name, rng)
            part = low * (high / low) ** (rng.uniform() * (1 - attempt / TRIES))
            node = placed(node, node.position, rng.uniform(-180.0, 180.0), part / largest)
            x, y = self._room.reach(node)
            if 2 * x > self.width or 2 * y > self.height:
                continue
            place = rng.uniform(x, self.width - x), rng.uniform(y, self.height - y)
            node = placed(node, place, node.rotation)
            if self._room.fits(node, others):
                return node
        return None

    def _built(self, name: str, rng: np.random.Generator) -> tuple[Observation, float]:
        """An object by one of its blueprints, upright, and the side of its largest primitive when intact."""
        forms = self.ship_forms if name == "ship" else len(BLUEPRINTS[name])
        route = int(rng.integers(forms))
        blueprint = BLUEPRINTS[name][route]
        pieces = blueprint.varied(rng)
        largest = max(max(piece.size) for piece in pieces)
        colour = self._colour(rng)
        values = self._values(rng, blueprint.variants) if name == "ship" else {}
        parts = [piece.observed(colour) for piece in blueprint.altered(pieces, values)]
        node = whole(name, parts, route=f"{name}/{route + 1}")
        node.attributes.update(values)
        return node, largest

    def _values(self, rng: np.random.Generator, variants: Collection[str]) -> dict[str, float]:
        """What is the matter with a ship that has these variants: a value of each that this world knows."""
        values = {name: 0.0 for name in VARIANTS if getattr(self, name) > 0}
        for name in values:
            if name in variants and rng.uniform() < getattr(self, name):
                values[name] = float(rng.uniform(SLIGHTEST, 1.0))
        return values

    def _loose(self, rng: np.random.Generator) -> tuple[Observation, float]:
        """A primitive of any form, filled or outlined, upright, and its longer side."""
        red, green, blue = self._colour(rng)
        aspect = 1.0 if rng.uniform() < 0.5 else 2 ** rng.uniform(-1.0, 1.0)
        filled = float(rng.uniform() < 0.5)
        style = {
            "red": red,
            "green": green,
            "blue": blue,
            "filled": filled,
            "thickness": 0.0 if filled else rng.uniform(0.08, 0.2),
        }
        size = (math.sqrt(aspect), 1 / math.sqrt(aspect))
        return Observation(str(rng.choice(LOOSE)), (0.0, 0.0), size, 0.0, style), max(size)

    def _colour(self, rng: np.random.Generator) -> tuple[float, float, float]:
        """Red, green and blue, bright enough to be seen on black."""
        if not self.colourful:
            return 1.0, 1.0, 1.0
        return colorsys.hsv_to_rgb(rng.uniform(), rng.uniform(0.0, 1.0), rng.uniform(0.65, 1.0))

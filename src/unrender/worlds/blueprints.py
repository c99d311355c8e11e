"""What the objects of the asteroid world are made of, as data: a new form is a new entry here.

Every blueprint shows its object upright, in units of its own; only proportions matter. The ship is
measured from the picture that the paper's implementation was taught with, the asteroids from its frames.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from unrender.scene import Observation

FIRE = (1.0, 0.5, 0.0)  # the colour of what glows
VARIANTS = ("damaged", "thrusting")
"""What may be the matter with an object, each with a value in [0, 1]."""


@dataclass(frozen=True)
class Piece:
    """One primitive of a blueprint."""

    symbol: str
    position: tuple[float, float]  # its centre
    size: tuple[float, float]  # (w, h) before rotation
    rotation: float = 0.0  # degrees, clockwise on the screen
    stroke: float = 2.0  # width of its outline
    shade: float = 1.0  # how bright it is beside the rest of its object
    glow: float = 0.0  # how much of its colour is that of fire, in [0, 1]

    def observed(self, colour: tuple[float, float, float]) -> Observation:
        """This piece as a node of a scene graph, outlined, in its object's colour."""
        cold, hot = self.shade * (1 - self.glow), self.glow
        red, green, blue = (channel * cold + fire * hot for channel, fire in zip(colour, FIRE, strict=True))
        return Observation(
            self.symbol,
            self.position,
            self.size,
            self.rotation,
            {
                "red": red,
                "green": green,
                "blue": blue,
                "filled": 0.0,
                "thickness": self.stroke / min(self.size),
            },
        )


@dataclass(frozen=True)
class Change:
    """What becomes of one piece of a blueprint at the value 1 of a variant: at v, a v-th part of it."""

    piece: int
    shift: tuple[float, float] = (0.0, 0.0)
    growth: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0  # degrees
    glow: float = 0.0

    def applied(self, piece: Piece, value: float) -> Piece:
        """The piece at `value` of the variant."""
        (x, y), (w, h), (dx, dy), (dw, dh) = piece.position, piece.size, self.shift, self.growth
        return replace(
            piece,
            position=(x + value * dx, y + value * dy),
            size=(w + value * dw, h + value * dh),
            rotation=piece.rotation + value * self.turn,
            glow=piece.glow + value * self.glow,
        )


@dataclass(frozen=True)
class Blueprint:
    """One form of an object. Its pieces lie back to front, as on the right-hand side of a rule.

    `variety` is how far, as a share of its size, each piece may stray and grow from object to object:
    0 for what is built, more for what has grown. `variants` are attributes of the whole, each with what it
    does to one of the pieces.
    """

    pieces: tuple[Piece, ...]
    variety: float = 0.0
    variants: Mapping[str, Change] = field(default_factory=dict)

    def varied(self, rng: np.random.Generator) -> list[Piece]:
        """The pieces of one object of this form; none alike unless `variety` is 0."""
        return [self._strayed(piece, rng) for piece in self.pieces]

    def altered(self, pieces: list[Piece], values: Mapping[str, float]) -> list[Piece]:
        """The pieces of one object with these values of its variants; one that is not named is 0."""
        made = list(pieces)
        for name, change in self.variants.items():
            made[change.piece] = change.applied(made[change.piece], values.get(name, 0.0))
        return made

    def _strayed(self, piece: Piece, rng: np.random.Generator) -> Piece:
        dx, dy, growth = rng.uniform(-self.variety, self.variety, size=3)
        (x, y), (w, h) = piece.position, piece.size
        grown = float(1 + growth)
        return replace(
            piece,
            position=(x + float(dx) * w, y + float(dy) * h),
            size=(w * grown, h * grown),
        )


def _rock(x: float, y: float, diameter: float, shade: float = 1.0) -> Piece:
    return Piece("circle", (x, y), (diameter, diameter), stroke=2.6, shade=shade)


BLUEPRINTS: dict[str, tuple[Blueprint, ...]] = {
    "ship": (
        Blueprint(
            (
                Piece("square", (0, 0), (15, 15), stroke=2.4, shade=0.95),
                Piece("circle", (0, -18), (14.8, 14.8), stroke=2.4),
                Piece("triangle", (0, -33.5), (14, 14), stroke=1.4, shade=0.8),
                Piece("triangle", (-15.2, 0), (11.5, 11.5), rotation=-90, stroke=1.4, shade=0.8),
                Piece("triangle", (15.2, 0), (11.5, 11.5), rotation=90, stroke=1.4, shade=0.8),
            ),
            variants={
                "damaged": Change(4, shift=(1.2, -6.0), turn=-40.0),  # the right wing is bent back
                "thrusting": Change(0, shift=(0.0, 3.0), growth=(0.0, 6.0), glow=0.8),
            },
        ),
        Blueprint(  # a heavy ship: a hull between two boosters
            (
                Piece("square", (0, 0), (13, 17), stroke=2.4, shade=0.95),
                Piece("circle", (0, -19), (14, 14), stroke=2.4),
                Piece("square", (-15.5, 5), (11, 15), stroke=1.8, shade=0.8),
                Piece("square", (15.5, 5), (11, 15), stroke=1.8, shade=0.8),
                Piece("triangle", (-15.5, -11), (13, 13), stroke=1.4),
                Piece("triangle", (15.5, -11), (13, 13), stroke=1.4),
            )
        ),
    ),
    "station": (
        Blueprint(  # half a turn leaves it as it is
            (
                Piece("circle", (0, 0), (17, 17), stroke=2.4),
                Piece("square", (-20.5, 0), (15, 12), stroke=2.0, shade=0.8),
                Piece("square", (20.5, 0), (15, 12), stroke=2.0, shade=0.8),
                Piece("triangle", (0, -16), (13, 13), stroke=1.6, shade=0.9),
                Piece("triangle", (0, 16), (13, 13), rotation=180, stroke=1.6, shade=0.9),
            )
        ),
    ),
    "asteroid": (
        Blueprint((_rock(-26, 0, 27, 0.8), _rock(9, -9.5, 19), _rock(8, 10.5, 19)), variety=0.1),
        Blueprint((_rock(0, -26, 18, 0.8), _rock(0, 0, 19), _rock(0, 24, 18)), variety=0.1),
        Blueprint((_rock(-11, 7, 22), _rock(12, 9, 19, 0.8), _rock(1, -15, 20, 0.9)), variety=0.1),
    ),
}
"""Objects by name. Each blueprint of an object is one of its routes: the first is "ship/1"."""

LOOSE = ("circle", "square", "triangle")
"""Primitives that float about on their own."""

"""Silhouettes: known objects of one colour, seen like primitives.

Where the parts of an object meet in one colour no edge between them can be seen, so they cannot be found one
by one. But g says where they are, and the distance to the whole is that to its nearest part. With it a known
object is a rigid primitive: proposed, refined and accepted like any other, and told as the parts that g
draws.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.capsules.gamma import box_around, corners, rotation_matrix
from unrender.capsules.routing.evidence import name_bits
from unrender.capsules.union_field import union_field
from unrender.grammar.attribute import COLOUR_NAMES, STROKE_NAMES
from unrender.primitives.protocol import Doubles, Field, Primitive
from unrender.primitives.symmetry import Symmetry
from unrender.render.layer import Layer
from unrender.render.shape import ANGLE, A, B, Shape, X, Y
from unrender.scene import Observation

if TYPE_CHECKING:
    from unrender.capsules.network import Network
    from unrender.capsules.route import Route

Masks = NDArray[np.bool_]

SAME = 0.1  # distance of colours that look the same
SCALE = 0.03  # log of the scale: nearer ones are the same
SCALE_BITS = (
    math.log2(math.log(100) / (2 * SCALE)) - 1
)  # scales differ up to 100 times; half of them are known
GRID = 96  # points a side at which it is asked whether parts meet
MOST_LEVELS = 8  # of parts of parts


@dataclass(frozen=True)
class Silhouette(Primitive):
    """A known object as a shape that keeps its proportions. Its longer side is that of its box."""

    unit: tuple[Observation, ...] = field(default=(), compare=False)  # its parts if half its side is 1 px
    taught: tuple[float, ...] = field(default=(), compare=False)  # px: half its side in each past example
    name_bits: float = field(default=0.0, compare=False)  # what it takes to say which known object it is

    @property
    def compiled_field(self) -> Field:
        """The parts' own fields are compiled; which of them is nearest is found between their calls."""
        return self.field

    def saved_bits(self, pose: Doubles) -> float:
        """A scale that memory holds is told in fewer bits, and so is the rotation of what looks the same; but
        its name must be told, too."""
        saved = math.log2(self.symmetry.turns) - self.name_bits
        off = math.log(math.sqrt(pose[A] * pose[B])) - np.log(self.taught)
        return saved + (SCALE_BITS if len(off) and np.abs(off).min() < SCALE else 0.0)

    def parts(self, pose: Doubles) -> list[Observation]:
        """g: the primitives of which it is made, at a pose."""
        scale, degrees = math.sqrt(pose[A] * pose[B]), math.degrees(pose[ANGLE])
        turn, centre = rotation_matrix(degrees), pose[[X, Y]]
        placed = []
        for part in self.unit:
            x, y = scale * (turn @ part.position) + centre
            size = (scale * part.size[0], scale * part.size[1])
            angle = math.remainder(part.rotation + degrees, 360.0)
            placed.append(replace(part, position=(float(x), float(y)), size=size, rotation=angle))
        return placed

    def shapes(self, whole: Shape) -> list[Shape]:
        """The same as shapes of the whole's colour."""
        colour = whole.fill if whole.fill is not None else whole.stroke
        assert colour is not None
        paint = dict(zip(COLOUR_NAMES + STROKE_NAMES, [*colour, *colour], strict=True))
        return [
            Layer.of(
                part.symbol, part.position, part.size, part.rotation, part.attributes | paint, part.form
            ).shape
            for part in self.parts(whole.pose)
        ]

    def bent(self, whole: Shape, parts: Sequence[Shape]) -> Shape:
        """The same object with its parts where they are told, each a little off its place."""
        scale, turn = math.sqrt(whole.pose[A] * whole.pose[B]), whole.pose[ANGLE]
        back, centre = rotation_matrix(-math.degrees(turn)), whole.pose[[X, Y]]
        unit = tuple(
            replace(
                own,
                position=tuple((back @ (part.pose[[X, Y]] - centre) / scale).tolist()),
                size=(2 * float(part.pose[A]) / scale, 2 * float(part.pose[B]) / scale),
                rotation=math.degrees(part.pose[ANGLE] - turn),
                form=tuple(part.form.tolist()) if part.primitive.formed else None,
            )
            for own, part in zip(self.unit, parts, strict=True)
        )
        return replace(whole, primitive=replace(self, field=union_field(unit), unit=unit))


def silhouettes(network: Network) -> list[Silhouette]:
    """The silhouettes of all routes whose parts of one colour meet, those that were learned last first.

    Those that only follow from others, such as another count of petals, come at the end; no scale of them was
    seen. Parts that nothing else of their object touches are primitives already, and seen as such; but an
    object of one part alone is a silhouette too, for several objects of one colour may touch.
    """
    found = []
    taught = sorted(network.routes, key=lambda route: -route.learned)
    untaught = network.all_routes[len(taught) :]
    for n, route in enumerate((*taught, *untaught)):
        if not route.loose:
            whole = replace(route.memory[0].whole, position=(0.0, 0.0), rotation=0.0)
            parts = list(leaf_parts(network, route.decode(whole)))
            for group in _touching(parts):
                if len(group) > 1 or len(parts) == 1:
                    own = silhouette(network, route, group, alone=len(group) == len(parts))
                    found.append(own if n < len(taught) else replace(own, taught=()))
    return found


def leaf_parts(network: Network, parts: Sequence[Observation], level: int = 0) -> Iterator[Observation]:
    """The primitives that parts are made of."""
    for part in parts:
        if part.symbol in network.capsules and level < MOST_LEVELS:
            yield from leaf_parts(network, network.produce(part), level + 1)
        else:
            yield part


def silhouette(network: Network, route: Route, group: Sequence[Observation], alone: bool) -> Silhouette:
    centre, size = box_around(np.concatenate([corners(part) for part in group]), np.eye(2))
    half = float(size.max()) / 2
    unit = tuple(
        replace(
            part,
            position=tuple(((np.asarray(part.position) - centre) / half).tolist()),
            size=(part.size[0] / half, part.size[1] / half),
            parts=[],
        )
        for part in group
    )
    turns = max(network.turnings[route.symbol].turns, 1) if alone else 1
    first = math.hypot(*route.memory[0].whole.size)
    taught = tuple(half * math.hypot(*entry.whole.size) / first for entry in route.memory)
    symmetry = Symmetry(turns=turns, even=turns)
    name = name_bits(len(network.routes))
    return Silhouette(
        route.symbol, union_field(unit), symmetry, rigid=True, unit=unit, taught=taught, name_bits=name
    )


def part_masks(parts: Sequence[Observation]) -> tuple[Doubles, Doubles, Masks, Masks]:
    """A grid of points around parts: x (GRID,), y (GRID,), and bool (P, GRID, GRID): which of them lie in
    each part, and which in it or within one step of it."""
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for part in parts:
        low, high = np.minimum(low, corners(part).min(0)), np.maximum(high, corners(part).max(0))
    side = (np.arange(GRID) + 0.5) / GRID
    across, down = (low[k] + side * (high[k] - low[k]) for k in range(2))
    x, y = np.meshgrid(across, down)
    margin = float((high - low).max()) / GRID
    points = (x.ravel()[None].copy(), y.ravel()[None].copy(), np.ones(1), np.ones(1), np.zeros((1, 0)))
    exact, wider = np.empty((2, len(parts), GRID, GRID), np.bool_)
    for n, part in enumerate(parts):
        signed, nx, ny = np.empty((3, 1, x.size))
        union_field((part,))(*points, signed, nx, ny)
        inside = signed.reshape(x.shape)
        exact[n], wider[n] = inside < 0, inside < margin
    return across, down, exact, wider


def _touching(parts: Sequence[Observation]) -> Iterator[list[Observation]]:
    """Parts of one colour that meet, directly or by others."""
    _, _, _, masks = part_masks(parts)  # parts that touch do not overlap
    left = list(range(len(parts)))
    while left:
        alike = [n for n in left if _same_colour(parts[n], parts[left[0]])]
        labels, count = ndimage.label(masks[alike].any(0))
        for k in range(1, count + 1):
            group = [n for n in alike if n in left and masks[n][labels == k].any()]
            if group:
                yield [parts[n] for n in group]
            left = [n for n in left if n not in group]
        left = [n for n in left if n not in alike]


def _same_colour(one: Observation, other: Observation) -> bool:
    """Whether two parts are painted alike."""
    colours = [[part.attributes.get(name, 0.0) for name in _paint(part)] for part in (one, other)]
    return math.dist(*colours) < SAME


def _paint(part: Observation) -> tuple[str, str, str]:
    """The names of the colour that a part shows most of."""
    if part.attributes.get("filled", 1.0) <= 0.5 and "stroke_red" in part.attributes:
        return "stroke_red", "stroke_green", "stroke_blue"
    return "red", "green", "blue"

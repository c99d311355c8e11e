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
from scipy import ndimage

from unrender.capsules.gamma import box_around, corners, rotation_matrix
from unrender.grammar.attribute import COLOUR_NAMES, STROKE_NAMES
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles, Field, Primitive
from unrender.primitives.registry import primitives
from unrender.primitives.symmetry import Symmetry
from unrender.render.layer import Layer
from unrender.render.shape import ANGLE, A, B, Shape, X, Y
from unrender.scene import Observation

if TYPE_CHECKING:
    from unrender.capsules.network import Network
    from unrender.capsules.route import Route

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

    @property
    def compiled_field(self) -> Field:
        """The parts' own fields are compiled; which of them is nearest is found between their calls."""
        return self.field

    def saved_bits(self, pose: Doubles) -> float:
        """A scale that memory holds is told in fewer bits, and so is the rotation of what looks the same."""
        saved = math.log2(self.symmetry.turns)
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


def silhouettes(network: Network) -> list[Silhouette]:
    """The silhouettes of all routes whose parts of one colour meet, those that were learned last first.

    Parts that nothing else of their object touches are primitives already, and seen as such; but an object of
    one part alone is a silhouette too, for several objects of one colour may touch.
    """
    found = []
    for route in sorted(network.routes, key=lambda route: -route.learned):
        if not route.loose:
            whole = replace(route.memory[0].whole, position=(0.0, 0.0), rotation=0.0)
            parts = list(_leaves(network, route.decode(whole)))
            for group in _touching(parts):
                if len(group) > 1 or len(parts) == 1:
                    found.append(_silhouette(network, route, group, alone=len(group) == len(parts)))
    return found


def _leaves(network: Network, parts: Sequence[Observation], level: int = 0) -> Iterator[Observation]:
    """The primitives that parts are made of."""
    for part in parts:
        if part.symbol in network.capsules and level < MOST_LEVELS:
            yield from _leaves(network, network.produce(part), level + 1)
        else:
            yield part


def _silhouette(network: Network, route: Route, group: Sequence[Observation], alone: bool) -> Silhouette:
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
    return Silhouette(route.symbol, union_field(unit), symmetry, rigid=True, unit=unit, taught=taught)


def _touching(parts: Sequence[Observation]) -> Iterator[list[Observation]]:
    """Parts of one colour that meet, directly or by others."""
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for part in parts:
        low, high = np.minimum(low, corners(part).min(0)), np.maximum(high, corners(part).max(0))
    side = (np.arange(GRID) + 0.5) / GRID
    x, y = np.meshgrid(*(low[k] + side * (high[k] - low[k]) for k in range(2)))
    margin = float((high - low).max()) / GRID  # parts that touch do not overlap
    points = (x.ravel()[None].copy(), y.ravel()[None].copy(), np.ones(1), np.ones(1), np.zeros((1, 0)))
    masks = []
    for part in parts:
        signed, nx, ny = np.empty((3, 1, x.size))
        union_field((part,))(*points, signed, nx, ny)
        masks.append((signed < margin).reshape(x.shape))
    left = list(range(len(parts)))
    while left:
        alike = [n for n in left if _same_colour(parts[n], parts[left[0]])]
        labels, count = ndimage.label(np.any([masks[n] for n in alike], axis=0))
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


def union_field(unit: Sequence[Observation]) -> Field:
    """The signed distance to the nearest of several parts, with its gradient, as `Primitive.field` has it.

    The parts are those of a whole of which half a side is 1 px: a part that is not filled is its stroke.
    """
    known = primitives()
    placed = []
    for part in unit:
        kind, turn = known[part.symbol], math.radians(part.rotation)
        own = [part.attributes.get(own.name, own.default) for own in kind.own]
        filled = kind.closed and part.attributes.get("filled", 1.0) > 0.5
        tau = -1.0 if filled else part.attributes.get("thickness", 0.0) * kind.stroke_side(*part.size) / 2
        fixed = np.array([[*own, *(part.form or ()), *kind.fixed]], np.float64)
        frame = (*part.position, math.cos(turn), math.sin(turn))
        placed.append((kind.compiled_field, frame, part.size[0] / 2, part.size[1] / 2, tau, fixed))

    def field(
        x: Doubles,
        y: Doubles,
        a: Doubles,
        b: Doubles,
        own: Doubles,
        signed: Doubles,
        nx: Doubles,
        ny: Doubles,
    ) -> None:
        scale = np.sqrt(a * b)
        signed[:] = np.inf
        own_x, own_y, off, ux, uy = np.empty((5, *x.shape))
        for to_part, (px, py, cos, sin), wide, high, tau, fixed in placed:
            _into_part(x, y, scale, px, py, cos, sin, own_x, own_y)
            to_part(
                own_x, own_y, wide * scale, high * scale, np.repeat(fixed, len(scale), axis=0), off, ux, uy
            )
            _nearer(off, ux, uy, cos, sin, tau, scale, signed, nx, ny)

    return field


@compiled
def _into_part(
    x: Doubles,
    y: Doubles,
    scale: Doubles,
    px: float,
    py: float,
    cos: float,
    sin: float,
    own_x: Doubles,
    own_y: Doubles,
) -> None:
    """Points (N, M) of wholes of these scales (N,), as a part at (px, py) of scale 1 sees them."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            dx, dy = x[i, j] - px * scale[i], y[i, j] - py * scale[i]
            own_x[i, j], own_y[i, j] = cos * dx + sin * dy, cos * dy - sin * dx


@compiled
def _nearer(
    off: Doubles,
    ux: Doubles,
    uy: Doubles,
    cos: float,
    sin: float,
    tau: float,
    scale: Doubles,
    least: Doubles,
    least_x: Doubles,
    least_y: Doubles,
) -> None:
    """Where a part is nearer than those before it, its distance and normal, turned back, take their place.

    tau: half the width of its stroke at scale 1; less than 0 if it is filled.
    """
    for i in range(off.shape[0]):
        for j in range(off.shape[1]):
            d, side = off[i, j], 1.0
            if tau >= 0:
                side = 1.0 if d >= 0 else -1.0
                d = side * d - tau * scale[i]
            if d < least[i, j]:
                vx, vy = side * ux[i, j], side * uy[i, j]
                least[i, j] = d
                least_x[i, j], least_y[i, j] = cos * vx - sin * vy, sin * vx + cos * vy

"""Silhouettes: wholes of one colour, seen like primitives.

Where the parts of a whole meet in one colour no edge between them can be seen, so they cannot be found one by
one, least of all where something hides half of them. But g says where they are, and the distance to the
whole is that to its nearest part. With it a whole is fitted to the pixels as any primitive is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unrender.capsules.route import Route
from unrender.capsules.wholes import rotation_matrix
from unrender.grammar.attribute import one_colour
from unrender.graphics.compiled import Floats1, Floats2, compiled
from unrender.graphics.registry import Normal, Primitive, primitives
from unrender.scene import Observation

Floats = NDArray[np.floating]

SAME = 0.1  # distance of colours that look the same
RAYS, STEPS = 64, 64  # on which a silhouette is asked whether it can be seen from its middle


@dataclass(frozen=True)
class Silhouette(Primitive):
    """A route as a shape that keeps its proportions: only the mean of its two sides counts."""

    unit: tuple[Observation, ...] = field(default=(), compare=False)  # its parts if both sides are 1 px

    @property
    def rigid(self) -> bool:
        return True

    @cached_property
    def compiled_normal(self) -> Normal | None:
        """The distance to the nearest of the parts with its gradient, if all parts can tell theirs."""
        known = primitives()
        placed = [
            (known[part.symbol].compiled_normal, *part.position, *part.size, *_direction(part.rotation))
            for part in self.unit
        ]

        def normal(x: Floats, y: Floats, a: Floats, b: Floats, *out: Floats) -> None:
            side = 2 * np.sqrt(a * b)
            out[0][:] = np.inf
            own_x, own_y, signed, nx, ny = np.empty((5, *x.shape), x.dtype)
            for to_part, px, py, width, height, cos, sin in placed:
                assert to_part is not None
                _into_part(x, y, side, px, py, cos, sin, own_x, own_y)
                half = ((length / 2 * side).astype(x.dtype) for length in (width, height))
                to_part(own_x, own_y, *half, signed, nx, ny)
                _nearer(signed, nx, ny, cos, sin, *out)

        return None if any(to_part is None for to_part, *_ in placed) else normal

    def parts(self, position: tuple[float, float], side: float, rotation: float) -> list[Observation]:
        """g: the primitives of which it is made."""
        turn = rotation_matrix(rotation)
        placed = []
        for part in self.unit:
            x, y = side * turn @ part.position + position
            size = (side * part.size[0], side * part.size[1])
            angle = math.remainder(part.rotation + rotation, 360.0)
            placed.append(replace(part, position=(float(x), float(y)), size=size, rotation=angle))
        return placed


@compiled
def _into_part(
    x: Floats2,
    y: Floats2,
    side: Floats1,
    px: float,
    py: float,
    cos: float,
    sin: float,
    own_x: Floats2,
    own_y: Floats2,
) -> None:
    """Points (N, M) of wholes with these sides (N,), as a part sees them that lies at (px, py) of a side."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            dx, dy = x[i, j] - px * side[i], y[i, j] - py * side[i]
            own_x[i, j], own_y[i, j] = cos * dx + sin * dy, cos * dy - sin * dx


@compiled
def _nearer(
    signed: Floats2,
    nx: Floats2,
    ny: Floats2,
    cos: float,
    sin: float,
    least: Floats2,
    least_x: Floats2,
    least_y: Floats2,
) -> None:
    """Where a part is nearer than those before it, its distance and normal, turned back, take their place."""
    for i in range(signed.shape[0]):
        for j in range(signed.shape[1]):
            if signed[i, j] < least[i, j]:
                ux, uy = nx[i, j], ny[i, j]
                least[i, j] = signed[i, j]
                least_x[i, j], least_y[i, j] = cos * ux - sin * uy, sin * ux + cos * uy


_SILHOUETTES: WeakKeyDictionary[Route, Silhouette | None] = WeakKeyDictionary()


def silhouette_of(route: Route, order: int) -> Silhouette | None:
    """The silhouette of a route, if its parts are primitives that make one patch of one colour.

    order: how often the whole repeats in a full turn.
    """
    if route not in _SILHOUETTES:
        _SILHOUETTES[route] = _silhouette(route, order)
    return _SILHOUETTES[route]


def _silhouette(route: Route, order: int) -> Silhouette | None:
    if len(route.parts) < 2 or route.loose or route.own or not set(route.parts) <= set(primitives()):
        return None
    whole = route.memory[0].whole
    scale = math.sqrt(2) / math.hypot(*whole.size)
    size = (scale * whole.size[0], scale * whole.size[1])
    unit = replace(whole, position=(0.0, 0.0), size=size, rotation=0.0)
    parts = route.decode(unit)
    if not _of_one_colour(parts):
        return None
    silhouette = Silhouette(route.symbol, _distance(parts), order, unit=tuple(parts))
    return silhouette if _open(silhouette) else None


def _of_one_colour(parts: list[Observation]) -> bool:
    """Whether all parts are filled and look alike."""
    first = parts[0].attributes
    return all(
        part.attributes.get("filled", 0.0) > 0.5
        and one_colour(part.attributes)
        and math.dist(*([c[name] for name in ("red", "green", "blue")] for c in (first, part.attributes)))
        < SAME
        for part in parts
    )


def _distance(parts: list[Observation]) -> Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]:
    """The distance to the nearest of the parts, which are those of a whole with sides of 1 px."""
    known = primitives()
    placed = [(known[p.symbol].distance, *p.position, *p.size, *_direction(p.rotation)) for p in parts]

    def distance(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
        side = 2 * (a * b).sqrt()
        nearest: Tensor | None = None
        for own, px, py, width, height, cos, sin in placed:
            dx, dy = x - px * side, y - py * side
            to_part = own(cos * dx + sin * dy, cos * dy - sin * dx, width / 2 * side, height / 2 * side)
            nearest = to_part if nearest is None else torch.minimum(nearest, to_part)
        assert nearest is not None
        return nearest

    return distance


def _direction(degrees: float) -> tuple[float, float]:
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def _open(silhouette: Silhouette) -> bool:
    """Whether every point of its outline can be seen from its middle: else rays do not tell its outline."""
    angle = torch.arange(RAYS) * (2 * math.pi / RAYS)
    radius = torch.arange(STEPS)[:, None] * (1.5 / STEPS)
    one = torch.ones(())
    within = silhouette.distance(radius * angle.cos(), radius * angle.sin(), one, one) < 0
    return bool(within[0].all() and (within[1:] <= within[:-1]).all())

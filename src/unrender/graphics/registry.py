"""Primitives by name: one distance function each, registered by a decorator.

    @primitive("circle", order=0)
    def circle(x, y, a, b):
        ...

The old seer's own registry. All that `unrender.primitives` knows is known here too.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from torch import Tensor

from unrender.errors import UnrenderError, nearest
from unrender.grammar.attribute import POSE_NAMES, STROKE_NAMES, STYLE, Attribute
from unrender.grammar.symbol import Symbol
from unrender.graphics.compiled import compiled
from unrender.graphics.quantile import DEFAULT_QUANTILES, Quantile

Distance = Callable[..., Tensor]
"""distance(x, y, a, b, *shape): signed Euclidean distance in pixels, negative inside.

x, y: points in the shape's own frame (px). a, b: half of its width and height (px).
shape: one tensor per further attribute of the primitive. All broadcast together.
"""

Normal = Callable[..., None]
"""normal(x, y, a, b, signed, nx, ny): the same distance with its gradient by x and y, written out by hand as
a loop over numpy arrays, which is compiled.

x, y: points (N, M). a, b: half of width and height (N,). The results are written to signed, nx and ny (N, M).
Not needed: without it the gradient comes from autograd. It makes seeing a primitive many times faster.
"""


@dataclass(frozen=True)
class Primitive:
    """A terminal symbol that can draw itself.

    `order` is how often the unit shape looks the same in one full turn: 4 for the square, 3 for the
    triangle, 1 for a shape without symmetry, 0 for the circle, which looks the same at every angle.
    """

    name: str
    distance: Distance
    order: int
    shape: tuple[Attribute, ...] = ()
    quantiles: Mapping[str, Quantile] = field(default_factory=dict, compare=False)
    normal: Normal | None = None

    @property
    def rigid(self) -> bool:
        """Whether it keeps its proportions, and only the mean of the logs of its two sides counts."""
        return False

    @cached_property
    def compiled_normal(self) -> Normal | None:
        """`normal` as machine code."""
        return None if self.normal is None else compiled(self.normal)

    @property
    def symbol(self) -> Symbol:
        """The terminal symbol of the grammar."""
        return Symbol(self.name, STYLE + self.shape, terminal=True)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns of an attribute tensor: pose, style with one colour, shape."""
        return POSE_NAMES + tuple(a.name for a in STYLE + self.shape if a.name not in STROKE_NAMES)

    def quantile(self, name: str) -> Quantile:
        """Q_j: maps a uniform number to a value of the attribute `name` (or of `extent`, `aspect`)."""
        found = self.quantiles.get(name) or DEFAULT_QUANTILES.get(name)
        if found is None:
            attribute = self.symbol.attribute(name)
            return lambda u: attribute.low + u * (attribute.high - attribute.low)
        return found


_REGISTRY: dict[str, Primitive] = {}
_DISCOVERED: list[bool] = []


def primitive(
    name: str,
    *,
    order: int,
    shape: tuple[Attribute, ...] = (),
    quantiles: Mapping[str, Quantile] | None = None,
    normal: Normal | None = None,
) -> Callable[[Distance], Distance]:
    """Register a distance function as the primitive `name`."""

    def register(distance: Distance) -> Distance:
        _discover()
        known = _REGISTRY.get(name)
        if known is not None and known.distance.__module__ != distance.__module__:
            raise UnrenderError(f"A primitive called [{name}] exists already; choose another name.")
        made = Primitive(name, distance, order, shape, dict(quantiles or {}), normal)
        made.symbol  # noqa: B018  checks the name and the attributes
        _REGISTRY[name] = made
        return distance

    return register


def _discover() -> None:
    """Register the primitives of this folder; only the first call does anything."""
    if _DISCOVERED:
        return
    _DISCOVERED.append(True)
    from unrender.graphics import primitives as package

    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"{package.__name__}.{module}")


def primitives() -> dict[str, Primitive]:
    """All registered primitives, by name: those of this registry, and those that are drawn."""
    from unrender.graphics.adapted import adapted
    from unrender.primitives.registry import primitives as drawn

    _discover()
    return {name: adapted(own) for name, own in drawn().items() if name not in _REGISTRY} | _REGISTRY


def find(name: str) -> Primitive:
    """The primitive called `name`, or an error with the nearest names."""
    known = primitives()
    if name not in known:
        raise UnrenderError(f"There is no primitive called [{name}].{nearest(name, known)}")
    return known[name]

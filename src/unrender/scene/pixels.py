"""The door from a scene graph to its pixels: imports the renderer when a picture is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unrender.scene.observation import Observation

if TYPE_CHECKING:
    from unrender.primitives.protocol import Primitive
    from unrender.primitives.symmetry import Symmetry
    from unrender.render.layer import Layer

FINE = 200.0  # px: half the side of a shape whose curves are told exactly enough for one of any size


def layer(leaf: Observation) -> Layer:
    """A primitive of a scene with all its attributes, checked."""
    from unrender.render.layer import Layer

    return Layer.of(leaf.symbol, leaf.position, leaf.size, leaf.rotation, leaf.attributes, leaf.form)


def stroke_width(leaf: Observation) -> float:
    """The width (px) of the stroke of a primitive."""
    from unrender.primitives.registry import primitives

    kind = primitives().get(leaf.symbol)
    side = min(leaf.size) if kind is None else kind.stroke_side(*leaf.size)
    return leaf.attributes.get("thickness", 0.0) * side


def is_bar(leaf: Observation) -> bool:
    """Whether a primitive is a straight stroke, as wide as its box is high."""
    from unrender.primitives.registry import primitives

    kind = primitives().get(leaf.symbol)
    return kind is not None and kind.strokelike


def outline(leaf: Observation) -> NDArray[np.float64] | None:
    """(N, 2): points along the outline or centre line of a primitive, in its box from -1 to 1; None of what
    is none."""
    from unrender.primitives.registry import primitives

    kind = primitives().get(leaf.symbol)
    if kind is None or (kind.formed and leaf.form is None) or min(leaf.size) <= 0:
        return None
    own = tuple(leaf.attributes.get(own.name, own.default) for own in kind.own) + (leaf.form or ())
    if kind.stretches and not own:  # the same for all of its shapes
        return _points(kind, FINE, FINE, own)
    return _points(kind, leaf.size[0] / 2, leaf.size[1] / 2, own)


@lru_cache(maxsize=1024)
def _points(kind: Primitive, a: float, b: float, own: tuple[float, ...]) -> NDArray[np.float64] | None:
    from unrender.primitives.vector import rings

    lines = rings(kind.path(a, b, own), a, b)
    return np.concatenate(lines) / (a, b) if lines else None


class Pixels:
    """A scene painted once, from which the picture and every mask are read."""

    def __init__(self, primitives: Sequence[Observation], background: NDArray[np.uint8]) -> None:
        from unrender.render.paint import paint

        self._index = {id(leaf): i for i, leaf in enumerate(primitives)}
        self._shape = background.shape[:2]
        self._painting = paint([layer(leaf) for leaf in primitives], background)
        self.image: NDArray[np.uint8] = self._painting.image

    def mask(self, primitives: Sequence[Observation], *, amodal: bool) -> NDArray[np.bool_]:
        """bool HxW: at least half of the pixel is painted by one of `primitives`."""
        indices = [self._index[id(leaf)] for leaf in primitives]
        return self._painting.mask(indices, amodal=amodal)


def symmetry(symbol: str) -> Symmetry:
    """Which turns leave a primitive as it is; none of what is not known."""
    from unrender.primitives.registry import primitives
    from unrender.primitives.symmetry import Symmetry

    found = primitives().get(symbol)
    return Symmetry() if found is None else found.symmetry

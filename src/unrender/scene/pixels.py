"""The door from a scene graph to its pixels: imports the renderer when a picture is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unrender.scene.observation import Observation

if TYPE_CHECKING:
    from unrender.primitives.symmetry import Symmetry
    from unrender.render.layer import Layer


def layer(leaf: Observation) -> Layer:
    """A primitive of a scene with all its attributes, checked."""
    from unrender.render.layer import Layer

    return Layer.of(leaf.symbol, leaf.position, leaf.size, leaf.rotation, leaf.attributes, leaf.form)


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

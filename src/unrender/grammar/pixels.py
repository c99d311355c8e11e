"""The door from symbols to pixels (the paper's `draw`): imports the renderer when a picture is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from unrender.grammar.symbol import Symbol


def terminals() -> dict[str, Symbol]:
    """Σ: the symbols of all registered primitives, by name."""
    from unrender.primitives.registry import primitives

    return {name: primitive.symbol for name, primitive in primitives().items()}


def draw(
    leaves: Sequence[tuple[str, Mapping[str, float]]],
    canvas: tuple[int, int] | NDArray[np.uint8],
) -> NDArray[np.uint8]:
    """Paint terminal symbols, each a name and its full attribute vector, back to front.

    `canvas` is (width, height) for black ground, or a uint8 HxWx3 picture to draw on.
    Returns uint8 HxWx3.
    """
    from unrender.render.layer import Layer
    from unrender.render.paint import blank, paint

    layers = [Layer.from_vector(name, vector) for name, vector in leaves]
    return paint(layers, blank(canvas)).image

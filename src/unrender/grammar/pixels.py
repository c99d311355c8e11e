"""The door from symbols to pixels (the paper's `draw`): imports the renderer when a picture is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.grammar.symbol import Symbol


def terminals() -> dict[str, Symbol]:
    """Σ: the symbols of all registered primitives, by name."""
    from unrender.primitives.registry import primitives

    return {name: primitive.symbol for name, primitive in primitives().items()}


def usual_height(symbol: str, side: float) -> float:
    """The height (px) of a symbol as wide as `side`, if none is told: of a straight stroke its width."""
    from unrender.primitives.protocol import STROKE
    from unrender.primitives.registry import primitives

    kind = primitives().get(symbol)
    return STROKE * side if kind is not None and kind.strokelike else side


def measured(symbol: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a caller gives; a straight stroke may be told by `length` and `width` instead of by its box."""
    from unrender.primitives.registry import primitives

    kind = primitives().get(symbol)
    if "length" not in given or kind is None or not kind.strokelike:
        return given
    box = {"length": "width", "width": "height"}
    if "height" in given:
        raise UnrenderError(f"A [{symbol}] has a length and a width, or a width and a height.")
    return {box.get(name, name): value for name, value in given.items()}


def draw(
    leaves: Sequence[tuple[str, Mapping[str, float]]],
    canvas: tuple[int, int] | NDArray[np.uint8],
    form: Sequence[float] = (),
) -> NDArray[np.uint8]:
    """Paint terminal symbols, each a name and its full attribute vector, back to front.

    `canvas` is (width, height) for black ground, or a uint8 HxWx3 picture to draw on. form: that of the
    symbols whose shape no attribute tells. Returns uint8 HxWx3.
    """
    from unrender.render.layer import Layer
    from unrender.render.paint import blank, paint

    layers = [Layer.from_vector(name, vector, form) for name, vector in leaves]
    return paint(layers, blank(canvas)).image

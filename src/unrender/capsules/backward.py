"""The backward pass: a symbol with its attributes, through every g below it, down to pixels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.network import Network
from unrender.capsules.repetition.unrolling import unrolled
from unrender.capsules.variants.variants import variants
from unrender.errors import UnrenderError, nearest
from unrender.grammar import pixels
from unrender.grammar.attribute import FAR, both_colours, one_colour
from unrender.render.paint import paint
from unrender.scene import Observation
from unrender.scene.pixels import layer

FILL = 0.8  # of the canvas, where no size is given
DEEPEST = 64
SMALLEST = 1e-3  # px of a side


def expand(network: Network, node: Observation, depth: int = 0) -> Observation:
    """The node with all its parts, down to the primitives."""
    if depth > DEEPEST:
        raise UnrenderError(f"[{node.symbol}] is made of parts that go deeper than {DEEPEST} levels.")
    return replace(node, parts=[expand(network, part, depth + 1) for part in network.produce(node)])


def draw(
    network: Network, symbol: str, given: Mapping[str, Any], canvas: tuple[int, int] | NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """uint8 HxWx3: a known object on a canvas (width, height), or on a picture."""
    ground = pixels.draw((), canvas)
    height, width = ground.shape[:2]
    tree = expand(network, described(network, symbol, given, (width, height)))
    return paint([layer(leaf) for leaf in tree.primitives], ground).image


def described(network: Network, symbol: str, given: Mapping[str, Any], frame: tuple[int, int]) -> Observation:
    """The whole that a caller describes; what is not given is as it was taught, in the middle."""
    capsule = network.capsule(symbol)
    route = capsule.routes[0]
    if "count" in given and "count" not in capsule.names:
        route = unrolled(capsule).route(given["count"])
        given = {name: value for name, value in given.items() if name != "count"}
    kin = variants(capsule)
    told = {name: value for name, value in given.items() if name in kin.names and name not in capsule.names}
    if told:
        route = kin.route(told)
        given = {name: value for name, value in given.items() if name not in told}
    usual = route.memory[0].whole
    if one_colour(usual.attributes):
        given = both_colours(given)
    known = ["position", "size", "rotation", *capsule.names]
    for name in given:
        if name not in known:
            raise UnrenderError(f'[{symbol}] has no attribute "{name}".{nearest(str(name), known)}')
    scale = FILL * min(frame[0] / usual.size[0], frame[1] / usual.size[1])
    size = _pair(symbol, "size", given.get("size", (usual.size[0] * scale, usual.size[1] * scale)))
    if min(size) < SMALLEST:
        raise UnrenderError(f"The size of [{symbol}] must be above 0, not {given['size']!r}.")
    return Observation(
        symbol,
        _pair(symbol, "position", given.get("position", (frame[0] / 2, frame[1] / 2))),
        size,
        _number(symbol, "rotation", given.get("rotation", 0.0)),
        {
            name: _share(symbol, name, given.get(name, usual.attributes.get(name, 0.0)))
            for name in capsule.names
        }
        | {name: float(value) for name, value in told.items()},
        route=route.name,
        count=network.counts.get(route.name),
    )


def _number(symbol: str, name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise UnrenderError(f'The attribute "{name}" of [{symbol}] must be a number, not {value!r}.')
    if abs(number) > FAR:
        raise UnrenderError(
            f'The attribute "{name}" of [{symbol}] must lie between {-FAR:.0f} and {FAR:.0f}, not {value!r}.'
        )
    return number


def _share(symbol: str, name: str, value: Any) -> float:
    number = _number(symbol, name, value)
    if not -1e-6 <= number <= 1 + 1e-6:
        raise UnrenderError(f'The attribute "{name}" of [{symbol}] must lie between 0 and 1, not {value!r}.')
    return min(1.0, max(0.0, number))


def _pair(symbol: str, name: str, value: Any) -> tuple[float, float]:
    try:
        first, second = value
    except (TypeError, ValueError):
        raise UnrenderError(f"The {name} of [{symbol}] must be a pair of numbers, not {value!r}.") from None
    return _number(symbol, name, first), _number(symbol, name, second)

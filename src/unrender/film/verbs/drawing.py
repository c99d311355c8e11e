"""Drawing an object that does something, at a phase."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.backward import described, expand
from unrender.capsules.network import Network
from unrender.errors import UnrenderError
from unrender.film.verbs.body import Skeleton, posed
from unrender.film.verbs.verb import Verb
from unrender.grammar import pixels
from unrender.render.paint import paint
from unrender.scene import Observation
from unrender.scene.pixels import layer


def draw_doing(
    network: Network,
    symbol: str,
    given: Mapping[str, Any],
    doing: Sequence[tuple[Verb, Any]],
    canvas: tuple[int, int] | NDArray[np.uint8],
) -> NDArray[np.uint8]:
    """uint8 HxWx3: an object with these attributes that does all of `doing`, verbs with their phases."""
    ground = pixels.draw((), canvas)
    whole = described(network, symbol, given, (ground.shape[1], ground.shape[0]))
    tree = replace(whole, parts=[expand(network, part) for part in doing_parts(network, whole, doing)])
    return paint([layer(leaf) for leaf in tree.primitives], ground).image


def doing_parts(network: Network, whole: Observation, doing: Sequence[tuple[Verb, Any]]) -> list[Observation]:
    """The parts of a whole that does something."""
    route = network.route_of(whole)
    parts = network.produce(whole)
    moves = np.zeros((len(parts), 4))
    for verb, phase in doing:
        if verb.moves.shape[1] != len(parts):
            raise UnrenderError(f'"{verb.name}" was taught of another form of [{whole.symbol}].')
        own = verb.parts
        moves[own] = verb.at(_phase(verb, phase))[own]
    turn = math.remainder(whole.rotation - route.memory[0].whole.rotation, 360.0)
    return posed(Skeleton(route), parts, turn, moves)


def _phase(verb: Verb, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not 0 <= number <= 1:
        raise UnrenderError(f'"{verb.name}" of [{verb.symbol}] is a phase between 0 and 1, not {value!r}.')
    return number

"""Drawing a symbol by its name: a primitive, an object as it is known, doing something, or varied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from unrender.capsules.network import Network
    from unrender.film.verbs.verb import Verb


def draw(
    network: Network,
    verbs: Iterable[Verb],
    symbol: str,
    attributes: Mapping[str, Any],
    canvas: tuple[int, int] | NDArray[np.uint8],
    *,
    vary: float = 0.0,
    seed: int | np.random.Generator = 0,
) -> NDArray[np.uint8]:
    """uint8 HxWx3: as `Brain.draw` says, with all that is known at hand."""
    from unrender.grammar import Grammar
    from unrender.primitives.chains import numbers

    primitives, given = Grammar.parse(""), dict(attributes)
    if symbol not in network.capsules and (symbol in primitives.symbols or not network.capsules):
        form = numbers(given.pop("form", ()))
        return primitives.draw(symbol, given, canvas, form=form)
    own = {verb.name: verb for verb in verbs if verb.symbol == symbol}
    phases = [(own[name], given.pop(name)) for name in list(given) if name in own]
    if phases:
        from unrender.film.verbs.drawing import draw_doing

        return draw_doing(network, symbol, given, phases, canvas)
    if vary == 0:
        from unrender.capsules.backward import draw as draw_as_known

        return draw_as_known(network, symbol, given, canvas)
    from unrender.matching.vary import checked, draw_varied, generator

    return draw_varied(network, symbol, given, canvas, checked(vary), generator(seed))

"""Inheritance: when a symbol gains an attribute, so do its other routes and every whole above it."""

from __future__ import annotations

from dataclasses import replace

from unrender.capsules.experience import Entry
from unrender.capsules.network import Network
from unrender.capsules.recall import PlainDecoder
from unrender.capsules.route import Route
from unrender.learning.objects.lesson import with_route
from unrender.learning.objects.names import names_of
from unrender.learning.objects.regimes import trained
from unrender.primitives.registry import primitives
from unrender.scene import Observation


def inherit(network: Network, symbol: str) -> tuple[Network, list[Route]]:
    """The network in which all that is made of `symbol` has its attributes, and the routes that changed.

    Memory keeps its old entries with the new attributes at 0, and each g is trained again.
    """
    changed: dict[str, Route] = {}
    todo = [symbol]
    while todo:
        below = todo.pop()
        for route in network.routes:
            names = tuple(dict.fromkeys([*route.names, *names_of(network, [*route.parts, route.symbol])]))
            if below not in (route.symbol, *route.parts) or names == route.names:
                continue
            if isinstance(route.given, PlainDecoder) and _is_default(set(names) - set(route.names)):
                continue  # g draws what it drew without them
            wider = replace(
                route,
                names=names,
                memory=tuple(_extended(network, entry, names) for entry in route.memory),
            )
            wider = trained(wider)
            network = with_route(network, wider)
            changed[wider.name] = wider
            todo.append(route.symbol)
    return network, list(changed.values())


def _is_default(names: set[str]) -> bool:
    """Whether all of these are own parameters of primitives, which have a value where none is told."""
    return names <= {own.name for kind in primitives().values() for own in kind.own}


def _extended(network: Network, entry: Entry, names: tuple[str, ...]) -> Entry:
    """The same entry with what its parts and its whole have gained at 0."""

    def wider(node: Observation, gained: tuple[str, ...]) -> Observation:
        return replace(node, attributes=dict.fromkeys(gained, 0.0) | node.attributes)

    parts = tuple(wider(part, names_of(network, [part.symbol])) for part in entry.parts)
    return replace(entry, parts=parts, whole=wider(entry.whole, names))

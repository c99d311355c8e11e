"""Inheritance: when a symbol gains an attribute, so do its other routes and every whole above it."""

from __future__ import annotations

from dataclasses import replace

from unrender.capsules.given import GivenRule
from unrender.capsules.network import Network
from unrender.capsules.recall import PLAIN, PlainDecoder
from unrender.capsules.route import Entry, Route
from unrender.scene import Observation
from unrender.training.lesson import FRAME, REGIMES, names_of, with_route


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
            wider = replace(
                route,
                names=names,
                memory=tuple(_extended(network, entry, names) for entry in route.memory),
            )
            wider = _trained(wider)
            network = with_route(network, wider)
            changed[wider.name] = wider
            todo.append(route.symbol)
    return network, list(changed.values())


def _extended(network: Network, entry: Entry, names: tuple[str, ...]) -> Entry:
    """The same entry with what its parts and its whole have gained at 0."""

    def wider(node: Observation, gained: tuple[str, ...]) -> Observation:
        return replace(node, attributes=dict.fromkeys(gained, 0.0) | node.attributes)

    parts = tuple(wider(part, names_of(network, [part.symbol])) for part in entry.parts)
    return Entry(parts, wider(entry.whole, names))


def _trained(route: Route) -> Route:
    """The route with its g trained again, in the regime that it had; a given g stays."""
    if isinstance(route.given, GivenRule):
        return route
    return REGIMES[PLAIN if isinstance(route.given, PlainDecoder) else FRAME](route)

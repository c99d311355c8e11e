"""What is remembered of a scene: the p of every part of every whole that was observed in it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from unrender.capsules.network import Network
from unrender.capsules.semantic import SemanticCapsule
from unrender.memory import PastRecord
from unrender.scene import Observation, Scene

Observed = dict[str, PastRecord]  # by the name of the route


def observed(scene: Scene) -> Observed:
    """Count and mean p of the parts of each route, in the observed parse-trees of a scene that a brain saw.

    A part that is hidden was not observed, and is not counted.
    """
    found: Observed = {}
    for whole in scene.observations:
        if whole.route is not None and whole.parts:
            p = _p_of_parts(whole, scene.produce(whole) if scene.produce and whole.hidden else ())
            counts = tuple(int(own is not None) for own in p)
            one = PastRecord(counts, tuple(0.0 if own is None else min(own, 1.0) for own in p))
            found = added(found, {whole.route: one})
    return found


def added(one: Observed, other: Observed) -> Observed:
    """What was observed in both. Of a route that has other parts there, what was observed first."""
    both = dict(one)
    for name, more in other.items():
        known = both.get(name)
        if known is None:
            both[name] = more
        elif len(known.counts) == len(more.counts):
            both[name] = known + more
    return both


def _p_of_parts(whole: Observation, expected: Sequence[Observation]) -> list[float | None]:
    """p of each part of the route, in its order; None for a hidden one, which lies where g expects it."""
    places = list(range(len(whole.parts) + len(whole.hidden)))
    for absent in whole.hidden if len(expected) == len(places) else ():
        alike = [j for j in places if expected[j].symbol == absent.symbol]
        if alike:
            places.remove(min(alike, key=lambda j: math.dist(expected[j].position, absent.position)))
    p: list[float | None] = [None] * (len(whole.parts) + len(whole.hidden))
    for j, part in zip(places, whole.parts, strict=False):
        p[j] = part.p
    return p


def by_rank(network: Network, seen: Observed) -> dict[int, PastRecord]:
    """The same by the rank of the routes, as a brain file keeps it, without those that are not known."""
    known = {route.name: route for route in network.routes}
    return {
        known[name].learned: past
        for name, past in seen.items()
        if name in known and len(known[name].parts) == len(past.counts)
    }


def with_past(network: Network, past: Mapping[int, PastRecord]) -> Network:
    """The network with all that is remembered, by the rank of the routes; all else in it is the same."""
    own = {rank: one for rank, one in past.items() if any(one.counts)}
    fits = {r.name: p for r in network.routes if (p := own.get(r.learned)) and len(p.counts) == len(r.parts)}
    if all(route.past == fits.get(route.name) for route in network.routes):
        return network
    return Network(
        {
            symbol: SemanticCapsule(
                symbol,
                tuple(
                    route if route.past == fits.get(route.name) else replace(route, past=fits.get(route.name))
                    for route in capsule.routes
                ),
            )
            for symbol, capsule in network.capsules.items()
        }
    )

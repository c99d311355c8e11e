"""From permanent memory to a capsule network and back. Nothing that is loaded can run code."""

from __future__ import annotations

from unrender.capsules.decoder import Decoder
from unrender.capsules.given import GivenRule
from unrender.capsules.network import Network
from unrender.capsules.poses import Turning
from unrender.capsules.route import Entry, Route
from unrender.capsules.semantic import SemanticCapsule
from unrender.errors import UnrenderError
from unrender.grammar.grammar import Grammar
from unrender.memory import RouteRecord, Snapshot
from unrender.memory.weights import pack, unpack


def record_of(route: Route) -> RouteRecord:
    """A route as it is kept."""
    given = route.given if isinstance(route.given, GivenRule) else None
    body = {
        "names": list(route.names),
        "turnings": [[turning.order, turning.stretched] for turning in route.turnings],
    }
    if given is not None:
        body["rule"] = given.grammar.rules.index(given.rule)
    return RouteRecord(
        symbol=route.symbol,
        number=route.number,
        kind=route.kind,
        label=route.label,
        parts=route.parts,
        given=None if given is None else str(given.grammar),
        body=body,
        weights=None if route.decoder is None else pack(route.decoder.tensors()),
        observations=tuple(entry.to_dict() for entry in route.memory),
    )


def route_of(record: RouteRecord, grammars: dict[str, Grammar]) -> Route:
    """A route as it was kept; `grammars` spares reading the same text again."""
    try:
        given = None
        if record.given is not None:
            if record.given not in grammars:
                grammars[record.given] = Grammar.parse(record.given)
            grammar = grammars[record.given]
            given = GivenRule(grammar, grammar.rules[int(record.body["rule"])])
        return Route(
            symbol=record.symbol,
            number=record.number,
            parts=record.parts,
            names=tuple(str(name) for name in record.body["names"]),
            turnings=tuple(Turning(int(o), stretched=bool(s)) for o, s in record.body["turnings"]),
            memory=tuple(Entry.from_dict(entry) for entry in record.observations),
            decoder=None if record.weights is None else Decoder.of(unpack(record.weights)),
            given=given,
            kind=record.kind,
            label=record.label,
        )
    except (KeyError, TypeError, ValueError, IndexError):
        raise UnrenderError(
            f"The brain's route {record.symbol}/{record.number} is damaged; restore the file from a copy."
        ) from None


def network_of(snapshot: Snapshot) -> Network:
    """All that a brain file knows about wholes."""
    grammars: dict[str, Grammar] = {}
    routes: dict[str, list[Route]] = {}
    for record in snapshot.routes:
        routes.setdefault(record.symbol, []).append(route_of(record, grammars))
    return Network({symbol: SemanticCapsule(symbol, tuple(own)) for symbol, own in routes.items()})

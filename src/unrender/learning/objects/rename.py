"""Names in a network: a symbol that is forgotten, or called otherwise wherever it occurs."""

from __future__ import annotations

from dataclasses import replace

from unrender.capsules.experience import Entry
from unrender.capsules.grammar_decoder import GivenRule
from unrender.capsules.network import Network
from unrender.capsules.recall import PlainDecoder
from unrender.capsules.route import Given
from unrender.capsules.semantic import SemanticCapsule
from unrender.errors import UnrenderError
from unrender.grammar import Grammar
from unrender.learning.objects.names import check_noun
from unrender.names import composed
from unrender.primitives.registry import primitives
from unrender.scene import Observation


def without_symbol(network: Network, name: str) -> Network:
    """The network without a symbol that is nobody's part."""
    network.capsule(name)
    users = sorted({route.symbol for route in network.routes if name in route.parts})
    if users:
        listed = ", ".join(f"[{user}]" for user in users)
        raise UnrenderError(f"[{name}] is a part of {listed}; forget that first.")
    return Network({symbol: capsule for symbol, capsule in network.capsules.items() if symbol != name})


def renamed(network: Network, old: str, new: str) -> Network:
    """The network with one symbol called otherwise, wherever it occurs."""
    network.capsule(old)
    new = composed(new)
    if new in primitives() or new in network.capsules:
        raise UnrenderError(f"[{new}] is known already; choose another name.")
    new = check_noun(network, new)

    def other(symbol: str) -> str:
        return new if symbol == old else symbol

    def node(observation: Observation) -> Observation:
        return replace(observation, symbol=other(observation.symbol))

    def entry(known: Entry) -> Entry:
        return replace(known, parts=tuple(node(part) for part in known.parts), whole=node(known.whole))

    capsules = {}
    for symbol, capsule in network.capsules.items():
        routes = tuple(
            route
            if old not in (route.symbol, *route.parts)
            else replace(
                route,
                symbol=other(route.symbol),
                parts=tuple(other(part) for part in route.parts),
                memory=tuple(entry(known) for known in route.memory),
                given=None if route.given is None else _rename_given(route.given, old, new),
            )
            for route in capsule.routes
        )
        capsules[other(symbol)] = SemanticCapsule(other(symbol), routes)
    return Network(capsules)


def _rename_given(given: Given, old: str, new: str) -> Given:
    """The same g where a symbol is called otherwise."""

    def other(symbol: str) -> str:
        return new if symbol == old else symbol

    if isinstance(given, PlainDecoder):
        return replace(given, parts=tuple(other(part) for part in given.parts))
    if not isinstance(given, GivenRule):
        return given

    rules = [
        replace(
            rule,
            symbol=other(rule.symbol),
            parts=tuple(replace(part, symbol=other(part.symbol)) for part in rule.parts),
        )
        for rule in given.grammar.rules
    ]
    symbols = [replace(symbol, name=other(symbol.name)) for symbol in given.grammar.declared]
    grammar = Grammar(symbols, rules)
    return GivenRule(grammar, grammar.rules[given.grammar.rules.index(given.rule)])

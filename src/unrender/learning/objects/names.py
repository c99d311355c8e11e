"""Words: one that names an object cannot be an attribute too, nor the other way round."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from unrender.capsules.network import Network
from unrender.errors import UnrenderError
from unrender.grammar import Grammar
from unrender.names import check_name
from unrender.primitives.registry import primitives

POSE_WORDS = ("position", "size", "rotation", "x", "y", "width", "height")


def names_of(network: Network, symbols: Sequence[str]) -> tuple[str, ...]:
    """The attributes that a whole inherits from its parts."""
    names: dict[str, None] = {}
    known = primitives()
    for symbol in symbols:
        if symbol in network.capsules:
            names |= dict.fromkeys(network.capsules[symbol].names)
        if symbol in known:
            names |= dict.fromkeys(a.name for a in known[symbol].symbol.attributes if not a.optional)
    return tuple(names)


def all_names(network: Network) -> tuple[str, ...]:
    """Every attribute that anything has."""
    return names_of(network, [*primitives(), *network.capsules])


def check_noun(network: Network, name: str, adjectives: Collection[str] = ()) -> str:
    """`name` as it is kept, if it may name an object. adjectives: attributes beside those that are known."""
    name = check_name(name, "symbol")
    if name in primitives():
        raise UnrenderError(f"[{name}] is a primitive; give the object another name.")
    if name in POSE_WORDS or name in adjectives or name in all_names(network):
        raise UnrenderError(f'"{name}" is an attribute already, so it cannot name an object; choose a noun.')
    return name


def check_adjective(network: Network, name: str) -> str:
    """`name` as it is kept, if it may be an adjective or a verb."""
    name = check_name(name, "attribute")
    if name in POSE_WORDS:
        raise UnrenderError(f'"{name}" is a word for where things stand; choose another adjective or verb.')
    if name in primitives() or name in network.capsules:
        raise UnrenderError(f'"{name}" is the name of an object already; choose an adjective or a verb.')
    return name


def check_words(network: Network, grammar: Grammar) -> None:
    """Whether all symbols and attributes of a grammar may be called as they are. A rule may refine a
    primitive."""
    adjectives = {a.name for symbol in grammar.symbols.values() for a in symbol.attributes}
    for rule in grammar.rules:
        if rule.symbol not in primitives():
            check_noun(network, rule.symbol, adjectives)
    for name in sorted(adjectives):
        check_adjective(network, name)

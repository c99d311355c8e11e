"""Lessons: what changes in the network when an object is taught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unrender.capsules.experience import Entry
from unrender.capsules.given import GivenRule
from unrender.capsules.lay import ways
from unrender.capsules.network import Network
from unrender.capsules.recall import PlainDecoder
from unrender.capsules.route import Given, Route
from unrender.capsules.semantic import SemanticCapsule
from unrender.capsules.wholes import whole
from unrender.errors import UnrenderError
from unrender.grammar import Grammar
from unrender.grammar.rule import Rule
from unrender.graphics.registry import primitives
from unrender.scene import Observation, Scene
from unrender.training.names import check_noun, check_words, names_of
from unrender.training.regimes import REGIMES, trained

REMEMBERED = 12  # examples of a route after which others no longer add to how much it varies


def check_parts(scene: Scene, parts: Sequence[Observation] | None) -> list[Observation]:
    """The parts back to front, or one sentence about what is wrong with them."""
    if parts is not None and not isinstance(parts, Sequence):
        raise UnrenderError(f"Parts are a list of observations of the scene, not {parts!r}.")
    chosen = scene.axioms if parts is None else list(parts)
    if not chosen:
        raise UnrenderError("An object needs at least one part; choose some of scene.observations.")
    known = {id(node) for node in scene.observations}
    for part in chosen:
        if not isinstance(part, Observation):
            raise UnrenderError(f"A part must be an observation of the scene, not {part!r}.")
        if id(part) not in known:
            raise UnrenderError(f"The {part.symbol} is a part of another scene; choose from this one.")
        if min(part.size) <= 0:
            raise UnrenderError(f"The {part.symbol} has no extent; choose parts that can be seen.")
    if len({id(part) for part in chosen}) < len(chosen):
        raise UnrenderError("A part is given twice; name each of them once.")
    for part in chosen:
        if any(other is not part and any(node is other for node in part.walk()) for other in chosen):
            raise UnrenderError(f"One part lies inside another one ({part.symbol}); choose only one of them.")
    return sorted(chosen, key=lambda part: max((leaf.depth or 0 for leaf in part.primitives), default=0))


def check_symbol(network: Network, name: str, parts: Sequence[str]) -> None:
    """Whether `name` may become a whole with these parts."""
    check_noun(network, name)
    for symbol in parts:
        if symbol not in primitives() and symbol not in network.capsules:
            raise UnrenderError(f"[{symbol}] is not known any more; see the picture again.")
    below: set[str] = set()
    todo = list(parts)
    while todo:
        symbol = todo.pop()
        if symbol == name:
            raise UnrenderError(f"[{name}] would be a part of itself; give the object another name.")
        if symbol not in below and symbol in network.capsules:
            below.add(symbol)
            todo += [part for route in network.capsules[symbol].routes for part in route.parts]


def new_route(network: Network, name: str, entry: Entry, number: int, regime: str | None = None) -> Route:
    """A route from one example, its g trained."""
    symbols = tuple(part.symbol for part in entry.parts)
    route = Route(
        symbol=name,
        number=number,
        parts=symbols,
        names=names_of(network, symbols),
        turnings=tuple(network.turnings[symbol] for symbol in symbols),
        memory=(entry,),
    )
    return trained(route, regime)


def with_route(network: Network, route: Route) -> Network:
    """The network with one more route, or with one replaced."""
    old = network.capsules.get(route.symbol)
    others = () if old is None else tuple(r for r in old.routes if r.number != route.number)
    routes = tuple(sorted((*others, route), key=lambda r: r.number))
    capsules = {**network.capsules, route.symbol: SemanticCapsule(route.symbol, routes)}
    return Network({symbol: capsules[symbol] for symbol in sorted(capsules)})


def learn(
    network: Network,
    scene: Scene,
    name: str,
    parts: Sequence[Observation] | None,
    route: str | None = None,
    regime: str | None = None,
) -> tuple[Network, Route]:
    """The network after one lesson, and the route that is new in it.

    An arrangement that a route of this name already expects, or a `route` that is named, becomes one more
    entry of its memory; anything else is a new route. Its g is trained by the `regime`, or as it was.
    """
    if regime is not None and regime not in list(REGIMES):
        raise UnrenderError(f'There is no regime "{regime}"; choose one of: {", ".join(REGIMES)}.')
    chosen = check_parts(scene, parts)
    check_symbol(network, name, [part.symbol for part in chosen])
    network = confirmed(network, chosen)
    capsule = network.capsules.get(name)
    if route is not None:
        known = [] if capsule is None else [r for r in capsule.routes if r.name == route]
        if not known:
            raise UnrenderError(f'[{name}] has no route "{route}".')
        return _again(network, known[0], chosen, regime)
    for old in capsule.routes if capsule else ():
        if _expects(network, old, chosen):
            return _again(network, old, chosen, regime)
    number = 1 + max((r.number for r in capsule.routes), default=0) if capsule else 1
    made = new_route(network, name, Entry(tuple(chosen), whole(name, chosen)), number, regime)
    return with_route(network, made), made


def confirmed(network: Network, parts: Sequence[Observation]) -> Network:
    """The network in which the objects among these parts, whose names the lesson confirms, are remembered as
    they were seen: so their routes learn how much they vary."""
    for part in parts:
        if part.symbol not in network.capsules or part.hidden:
            continue
        network = confirmed(network, part.parts)
        route = network.route_of(part)
        whole_ = [own.symbol for own in part.parts] == list(route.parts)
        if whole_ and not isinstance(route.given, GivenRule) and len(route.memory) < REMEMBERED:
            entry = Entry(tuple(part.parts), part)
            network = with_route(network, trained(replace(route, memory=(*route.memory, entry))))
    return network


def _expects(network: Network, route: Route, parts: Sequence[Observation]) -> bool:
    """Whether a route sees a whole in exactly these parts."""
    if sorted(route.parts) != sorted(part.symbol for part in parts):
        return False
    return bool(_seen_by(network, route, parts))


def _seen_by(network: Network, route: Route, parts: Sequence[Observation]) -> list[Observation]:
    """The wholes that one route sees in all of these parts."""
    lone = Network({**network.capsules, route.symbol: SemanticCapsule(route.symbol, (route,))})
    found = lone.activate(list(parts), (1 << 30, 1 << 30))
    return [own for own in found if own.symbol == route.symbol and len(own.parts) == len(parts)]


def _again(
    network: Network, route: Route, parts: Sequence[Observation], regime: str | None
) -> tuple[Network, Route]:
    """One more entry for the memory of a route, and g trained on all of it."""
    if sorted(route.parts) != sorted(part.symbol for part in parts):
        wanted = ", ".join(route.parts)
        raise UnrenderError(f"The route {route.name} has the parts {wanted}; choose exactly these.")
    made = trained(replace(route, memory=(*route.memory, entry_of(network, route, parts))), regime)
    return with_route(network, made), made


def entry_of(network: Network, route: Route, parts: Sequence[Observation]) -> Entry:
    """The parts in the order of the route, and the whole that it sees in them."""
    found = _seen_by(network, route, parts)
    if found:
        best = max(found, key=lambda w: w.p)
        return Entry(tuple(best.parts), best)
    way = ways(route, parts, network.turnings)[0]
    ordered = tuple(part for part in way.parts if part is not None)
    return Entry(ordered, route.encode(ordered, way.guess.rotation))


def learn_rules(network: Network, grammar: Grammar) -> tuple[Network, list[Route]]:
    """The network with every rule of a grammar as a route, its g given instead of learned."""
    check_words(network, grammar)
    made = []
    for rule in _bottom_up(grammar):
        symbols = tuple(part.symbol for part in rule.parts)
        check_symbol(network, rule.symbol, symbols)
        given = GivenRule(grammar, rule)
        top = given.example()
        capsule = network.capsules.get(rule.symbol)
        number = 1 + max((r.number for r in capsule.routes), default=0) if capsule else 1
        route = Route(
            symbol=rule.symbol,
            number=number,
            parts=symbols,
            names=given.names,
            turnings=tuple(network.turnings[symbol] for symbol in symbols),
            memory=(Entry(tuple(given(top)), top),),
            given=given,
            kind=rule.kind.value,
            label=rule.label,
        )
        network = with_route(network, route)
        made.append(route)
    if not made:
        raise UnrenderError("The grammar has no rules, so there is nothing to learn from it.")
    return network, made


def _bottom_up(grammar: Grammar) -> list[Rule]:
    """All rules, those of parts before those of wholes."""
    ordered: dict[str, None] = {}

    def visit(symbol: str) -> None:
        if symbol in ordered:
            return
        for rule in grammar.rules_of(symbol):
            for part in rule.parts:
                visit(part.symbol)
        ordered[symbol] = None

    for rule in grammar.rules:
        visit(rule.symbol)
    return [rule for symbol in ordered for rule in grammar.rules_of(symbol)]


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
    if new in primitives() or new in network.capsules:
        raise UnrenderError(f"[{new}] is known already; choose another name.")
    check_noun(network, new)

    def other(symbol: str) -> str:
        return new if symbol == old else symbol

    def node(observation: Observation) -> Observation:
        return replace(observation, symbol=other(observation.symbol))

    def entry(known: Entry) -> Entry:
        return Entry(tuple(node(part) for part in known.parts), node(known.whole))

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

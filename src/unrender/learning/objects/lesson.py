"""Lessons: what changes in the network when an object is taught."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from unrender.capsules.alignment import ways
from unrender.capsules.equivalents import turning_of
from unrender.capsules.experience import Entry
from unrender.capsules.gamma import whole
from unrender.capsules.grammar_decoder import GivenRule
from unrender.capsules.network import Network
from unrender.capsules.route import Route
from unrender.capsules.semantic import SemanticCapsule
from unrender.errors import UnrenderError
from unrender.grammar import Grammar
from unrender.grammar.rule import Rule
from unrender.learning.objects.example import check_parts, remembers, without_guesses
from unrender.learning.objects.lending import lent_spread
from unrender.learning.objects.names import check_noun, check_words, names_of
from unrender.learning.objects.regimes import REGIMES, regime_of, trained
from unrender.learning.objects.tidy import tidied
from unrender.matching.example import lines_of_example
from unrender.primitives.registry import primitives
from unrender.scene import Observation, Scene

SURE = 0.95  # p of an object that is remembered though nobody has pointed at it
REMEMBERED = 12  # examples of a route after which others no longer add to how much it varies


def check_symbol(network: Network, name: str, parts: Sequence[str]) -> None:
    """Whether `name`, a noun, may become a whole with these parts."""
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
        names=tuple(dict.fromkeys([*names_of(network, symbols), *_optional(entry)])),
        turnings=tuple(turning_of(part, network.turnings) for part in entry.parts),
        memory=(entry,),
        learned=network.next_learned,
        lent=lent_spread(network, symbols),
    )
    return trained(route, regime)


def _optional(entry: Entry) -> list[str]:
    """The attributes that only some strokes tell, like dashes, and parts of this example do."""
    known = primitives()
    return [
        attribute.name
        for part in entry.parts
        if part.symbol in known
        for attribute in known[part.symbol].symbol.attributes
        if attribute.optional and attribute.name in part.attributes
    ]


def with_route(network: Network, route: Route) -> Network:
    """The network with one more route, or with one replaced."""
    old = network.capsules.get(route.symbol)
    others = () if old is None else tuple(r for r in old.routes if r.number != route.number)
    routes = tuple(sorted((*others, route), key=lambda r: r.number))
    capsules = {**network.capsules, route.symbol: SemanticCapsule(route.symbol, routes)}
    return Network({symbol: capsules[symbol] for symbol in sorted(capsules)})


@dataclass(frozen=True)
class ObjectLesson:
    """The network after an object was taught, and what was made of it."""

    network: Network
    route: Route  # that the lesson is about
    before: Route | None  # the same route before the lesson; None if it is new
    parts: tuple[Observation, ...]  # that were taken
    guesses: tuple[str, ...] = ()  # wholes with hidden parts, of which only what was seen was taken

    @property
    def changed(self) -> bool:
        """Whether there was anything to learn."""
        return self.route is not self.before

    @property
    def told(self) -> str:
        """What has been learned, in a sentence or two."""
        return f"{self._learned}{self.without}"

    @property
    def _learned(self) -> str:
        if not self.changed:
            symbol, name = self.route.symbol, self.route.name
            return f"This {symbol} is known already, as {name}; nothing new was learned."
        if self.before is not None:
            return f"{self.route.name} is known already; learned one more example of it."
        return f"Learned {self.route.name} from {len(self.parts)} part{'s' * (len(self.parts) > 1)}."

    @property
    def without(self) -> str:
        """A sentence, after a blank, about what was not taken; empty if all was."""
        if not self.guesses:
            return ""
        guesses = " and ".join(dict.fromkeys(self.guesses))
        return f" Some parts of the {guesses} could not be seen, so only those that could were taken."


def learn(
    network: Network,
    scene: Scene,
    name: str,
    parts: Sequence[Observation] | None,
    route: str | None = None,
    regime: str | None = None,
) -> ObjectLesson:
    """The network after one lesson.

    An arrangement that a route of this name already expects, or a `route` that is named, becomes one more
    entry of its memory, unless that holds this very example; anything else is a new route. Its g is trained
    by the `regime`, or as it was. Of a whole with hidden parts only what was seen is taken.
    """
    if regime is not None and regime not in list(REGIMES):
        raise UnrenderError(f'There is no regime "{regime}"; choose one of: {", ".join(REGIMES)}.')
    name = check_noun(network, name)
    chosen, guesses = without_guesses(check_parts(scene, parts))
    capsule = network.capsules.get(name)
    if len(chosen) == 1 and chosen[0].symbol == name and chosen[0].parts:  # it was seen as what it is
        known = [own.name for own in capsule.routes] if capsule else []
        route = chosen[0].route if route is None and chosen[0].route in known else route
        chosen = check_parts(scene, chosen[0].parts)
    elif parts is None and any(part.symbol == name and part.parts for part in chosen):
        # all of it is one: a longer one, in which the shorter is seen
        inner = [own for part in chosen for own in (part.parts if part.symbol == name else [part])]
        chosen = check_parts(scene, inner)
    tidy = tidied(scene, chosen) if parts is None else chosen  # what somebody has chosen is taken as it is
    old = _old(network, name, tidy, route)
    if old is None or sorted(old.parts) != sorted(part.symbol for part in chosen):
        chosen = tidy  # of a form that is known, what was seen of it is taken as it is
    check_symbol(network, name, [part.symbol for part in chosen])
    lines = lines_of_example(scene, None if parts is None else chosen)
    if old is None:
        number = 1 + max((r.number for r in capsule.routes), default=0) if capsule else 1
        more = confirmed(network, chosen, parts is not None)
        made = new_route(more, name, Entry(tuple(chosen), whole(name, chosen), lines), number, regime)
    else:
        if guesses and sorted(old.parts) != sorted(part.symbol for part in chosen):
            raise UnrenderError(f"Some parts of the {guesses[0]} are hidden; show one with all of its parts.")
        entry = entry_of(network, old, chosen)
        if remembers(old, entry) and regime in (None, regime_of(old)):
            return ObjectLesson(network, old, old, tuple(chosen), guesses)
        more = confirmed(network, chosen, parts is not None)
        made = trained(replace(old, memory=(*old.memory, replace(entry, lines=lines))), regime)
    return ObjectLesson(with_route(more, made), made, old, tuple(chosen), guesses)


def _old(network: Network, name: str, parts: Sequence[Observation], route: str | None) -> Route | None:
    """The route that is named, or that expects these parts."""
    routes = network.capsules[name].routes if name in network.capsules else ()
    if route is None:
        return next((own for own in routes if _expects(network, own, parts)), None)
    named = next((own for own in routes if own.name == route), None)
    if named is None:
        raise UnrenderError(f'[{name}] has no route "{route}".')
    return named


def confirmed(network: Network, parts: Sequence[Observation], picked: bool) -> Network:
    """The network in which the objects among these parts, whose names the lesson confirms, are remembered as
    they were seen: so their routes learn how much they vary. Each route is trained once, with all of them.

    picked: whether somebody has chosen the parts. Who names all of a scene at once does not say that what was
    recognised in it is right: one mistake would widen the windows, and lead to the next.
    """
    gained: dict[str, Route] = {}
    for part in _objects(parts, picked):
        if part.symbol not in network.capsules:
            continue
        route = network.route_of(part)
        route = gained.get(route.name, route)
        whole_ = [own.symbol for own in part.parts] == list(route.parts)
        taught = route.taught and not isinstance(route.given, GivenRule)
        if whole_ and taught and len(route.memory) < REMEMBERED:
            gained[route.name] = replace(route, memory=(*route.memory, Entry(tuple(part.parts), part)))
    for route in gained.values():
        network = with_route(network, trained(route))
    return network


def _objects(parts: Sequence[Observation], picked: bool) -> Iterator[Observation]:
    """What can be learned from among parts and below them, what is inside first."""
    for part in parts:
        if not part.hidden and (picked or part.p >= SURE):
            yield from _objects(part.parts, picked)
            yield part


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


def entry_of(network: Network, route: Route, parts: Sequence[Observation]) -> Entry:
    """The parts in the order of the route, and the whole that it sees in them."""
    if sorted(route.parts) != sorted(part.symbol for part in parts):
        wanted = ", ".join(route.parts)
        raise UnrenderError(f"The route {route.name} has the parts {wanted}; choose exactly these.")
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
        given = GivenRule(grammar, rule)
        symbols = tuple(part.symbol for part in given.plain.parts)
        check_symbol(network, rule.symbol, symbols)
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
            learned=network.next_learned,
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

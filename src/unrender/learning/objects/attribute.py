"""Attributes that are taught: a new one (B.2), or more training data for one that is known (B.1)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.capsules.experience import UNSEEN, Entry
from unrender.capsules.grammar_decoder import GivenRule
from unrender.capsules.network import Network
from unrender.capsules.poses import POSE, Floats
from unrender.capsules.recall import PlainDecoder
from unrender.capsules.route import Route
from unrender.errors import UnrenderError
from unrender.learning.objects.example import check_parts
from unrender.learning.objects.lesson import with_route
from unrender.learning.objects.names import all_names, check_adjective, names_of
from unrender.learning.objects.regimes import trained
from unrender.primitives.registry import primitives
from unrender.scene import Observation, Scene

FARTHEST = 4.0  # an example may show an attribute this many times as much as any before
STEPS = 81  # values that are tried
OUTLIER = 3.0  # windows: a part that is off by more is off for another reason


@dataclass(frozen=True)
class AttributeLesson:
    """The network after an attribute was taught, and what was made of it."""

    network: Network
    route: Route
    new: bool  # B.2: the attribute was not known before
    value: float  # of the example
    rescaled: float = 1.0  # by what older values were multiplied


def learn_attribute(
    network: Network, scene: Scene, node: Observation, name: str, value: float | None = None
) -> AttributeLesson:
    """The network after an example of an attribute.

    node: an object of the scene, or one that was nearly seen in parts of it. value: how much of the
    attribute it shows; if it is not told, a new attribute is taken to be shown in full, and a known one as
    much as the parts say. Should they say more than in full, older values shrink.
    """
    route = _route(network, scene, node)
    name = _check(network, route, name, value)
    parts = tuple(node.parts)
    entry = Entry(parts, route.encode(parts, node.rotation))
    if any(name in part.attributes for part in parts):
        return _more_of_a_part(network, route, entry, name, value)
    new = name not in route.names
    known = route.own
    values = dict(zip(known, _best(route, entry, known).tolist(), strict=True))
    shrunk = 1.0
    if value is None and name not in known:
        value = 1.0
    elif value is None:
        value = values[name]
        shrunk = 1.0 / max(1.0, value)
        value = min(1.0, value)
    values[name] = value
    values = {own: min(1.0, told) for own, told in values.items()}
    wider = route if new else _scaled(route, name, shrunk)
    if new:
        zero = {name: 0.0}
        memory = tuple(
            replace(old, whole=replace(old.whole, attributes=old.whole.attributes | zero))
            for old in route.memory
        )
        wider = replace(route, names=(*route.names, name), memory=memory)
    example = Entry(parts, replace(entry.whole, attributes=entry.whole.attributes | values))
    made = trained(replace(wider, memory=(*wider.memory, example)))
    return AttributeLesson(with_route(network, made), made, new, value, shrunk)


def _route(network: Network, scene: Scene, node: Observation) -> Route:
    """The route by which an object of the scene was seen, or nearly seen."""
    if not isinstance(node, Observation):
        raise UnrenderError(f"An attribute belongs to an observation of the scene, not to {node!r}.")
    if node.symbol in primitives():
        raise UnrenderError(
            f"A {node.symbol} is a primitive, whose attributes are fixed; teach an object that is made of it."
        )
    route = next((own for own in network.capsule(node.symbol).routes if own.name == node.route), None)
    if route is None and not network.route_of(node).taught:
        raise UnrenderError(
            f"This {node.symbol} follows from others and was not taught itself; teach it first."
        )
    if route is None:
        raise UnrenderError(f"The route of this {node.symbol} is not known any more; see the picture again.")
    if isinstance(route.given, GivenRule):
        raise UnrenderError(f"[{node.symbol}] was written in a grammar; write the attribute there.")
    check_parts(scene, node.parts)
    if [part.symbol for part in node.parts] != list(route.parts):
        raise UnrenderError(f"A part of this {node.symbol} is hidden; show one with all of its parts.")
    return route


def _check(network: Network, route: Route, name: str, value: float | None) -> str:
    """`name` as it is kept, if it may be an attribute and `value` a value of it."""
    name = check_adjective(network, name)
    if value is not None and not (isinstance(value, int | float) and 0.0 <= value <= 1.0):
        raise UnrenderError(f"The value of an attribute lies between 0 and 1, so it cannot be {value!r}.")
    if value is not None and value <= UNSEEN and name not in route.names:
        raise UnrenderError(f'The first example of "{name}" must show it; give a value above {UNSEEN}.')
    return name


def _more_of_a_part(
    network: Network, route: Route, entry: Entry, name: str, value: float | None
) -> AttributeLesson:
    """One more example of an attribute that the parts have: its value is theirs, not a matter of opinion."""
    seen = entry.whole.attributes[name]
    if value is not None and abs(value - seen) > 0.1:
        raise UnrenderError(
            f'"{name}" of a {route.symbol} comes from its parts, here {seen:.2f}; leave the value out.'
        )
    made = trained(replace(route, memory=(*route.memory, entry)))
    return AttributeLesson(with_route(network, made), made, False, seen)


def _best(route: Route, entry: Entry, known: Sequence[str]) -> Floats:
    """The values of the whole's own attributes, 0 to FARTHEST, that come nearest to an example.

    A part that no value explains has its say limited, so that it does not distort the others.
    """
    rows = route.framed(entry, route.rows[0])
    best = np.zeros(len(known))
    for _ in range(2):  # each attribute in turn, twice over
        for k in range(len(known)):
            tried = np.repeat(best[None], STEPS, 0)
            tried[:, k] = np.linspace(0.0, FARTHEST, STEPS)
            off = ((rows - route.varied(tried)[1]) / route.widths)[..., :POSE]
            cost = np.minimum((off**2).mean(-1), OUTLIER**2).sum(-1)
            best[k] = tried[int(cost.argmin()), k]
    return best


def _scaled(route: Route, name: str, factor: float) -> Route:
    """The route with all values of one attribute in memory multiplied."""
    if math.isclose(factor, 1.0):
        return route
    memory = []
    for entry in route.memory:
        looks = entry.whole.attributes | {name: entry.whole.attributes.get(name, 0.0) * factor}
        memory.append(replace(entry, whole=replace(entry.whole, attributes=looks)))
    return replace(route, memory=tuple(memory))


def renamed_attribute(network: Network, old: str, new: str, symbol: str | None = None) -> Network:
    """The network with an attribute that was taught called otherwise, wherever it is inherited too.

    symbol: the object that it was taught of, where several have one of that name.
    """
    owner = _owner(network, old, symbol)
    new = check_adjective(network, new)
    if new in all_names(network):
        raise UnrenderError(f'"{new}" is an attribute already; choose another adjective or verb.')
    heirs = _heirs(network, owner, old)

    def node(known: Observation) -> Observation:
        looks = {new if name == old else name: value for name, value in known.attributes.items()}
        return replace(known, attributes=looks)

    def names(known: Sequence[str]) -> tuple[str, ...]:
        return tuple(new if name == old else name for name in known)

    for route in network.routes:
        if route.symbol in heirs:
            memory = tuple(
                replace(own, parts=tuple(map(node, own.parts)), whole=node(own.whole)) for own in route.memory
            )
            made = replace(route, names=names(route.names), memory=memory)
            if isinstance(route.given, PlainDecoder):
                made = replace(made, given=replace(route.given, names=made.names))
            network = with_route(network, made)
    return network


def taught_of(network: Network, name: str) -> list[str]:
    """The objects that have an attribute which none of their parts has."""
    return [
        symbol
        for symbol, capsule in sorted(network.capsules.items())
        if name in capsule.names
        and not any(name in names_of(network, route.parts) for route in capsule.routes)
    ]


def _owner(network: Network, name: str, symbol: str | None) -> str:
    """The object that an attribute was taught of."""
    owners = taught_of(network, name)
    if symbol is not None:
        network.capsule(symbol)
        if symbol not in owners:
            raise UnrenderError(f'[{symbol}] was not taught an attribute "{name}".')
        return symbol
    if name in names_of(network, list(primitives())):
        raise UnrenderError(f'"{name}" is an attribute of primitives, which cannot be renamed.')
    if not owners:
        raise UnrenderError(f'No object was taught an attribute "{name}".')
    if len(owners) > 1:
        listed = " and ".join(f"[{own}]" for own in owners)
        raise UnrenderError(
            f'{listed} each have an attribute "{name}"; say of which, as in of="{owners[0]}".'
        )
    return owners[0]


def _heirs(network: Network, owner: str, name: str) -> set[str]:
    """The owner of an attribute and all that has it from there, and from nowhere else."""
    heirs, above = {owner}, [owner]
    while above:
        below = above.pop()
        users = {route.symbol for route in network.routes if below in route.parts} - heirs
        heirs |= users
        above += users
    for route in network.routes:
        if route.symbol not in heirs:
            continue
        if isinstance(route.given, GivenRule):
            raise UnrenderError(f"[{route.symbol}] was written in a grammar; rename the attribute there.")
        other = [part for part in route.parts if part not in heirs and name in names_of(network, [part])]
        if other:
            raise UnrenderError(
                f'[{route.symbol}] has "{name}" from [{other[0]}] too; rename it there after forgetting '
                f"[{route.symbol}]."
            )
    return heirs

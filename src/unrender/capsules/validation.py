"""What is read from a brain file is believed only if it fits together: anybody may have written it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

import numpy as np

from unrender.capsules.decoder import Decoder
from unrender.capsules.experience import Entry
from unrender.capsules.grammar_decoder import GivenRule
from unrender.capsules.poses import POSE
from unrender.capsules.route import Route
from unrender.errors import UnrenderError
from unrender.grammar.attribute import FAR
from unrender.grammar.rule import RuleKind
from unrender.names import check_form
from unrender.primitives.registry import primitives
from unrender.scene import Observation

MOST_PARTS = 1000  # of one route
HIGHEST = 360  # order of a symmetry
STRONGEST = 1e3  # weight of a network
WIDEST = 360.0  # of what other objects lend: sides, log sides, degrees
LONGEST = 10_000  # numbers of a form
MOST_POINTS = 1000  # of the lines of an example
LATEST = 1 << 53  # rank in the order of learning


def check_route(route: Route) -> Route:
    """The route itself; a ValueError says what about it cannot be."""
    _ask(0 < len(route.parts) <= MOST_PARTS, "the number of its parts")
    for name in (route.symbol, *route.parts):
        _named(name, "symbol")
    for name in route.names:
        _named(name, "attribute")
    _ask(len(set(route.names)) == len(route.names), "an attribute that it has twice")
    _ask(isinstance(route.number, int) and route.number > 0, "its number")
    _ask(route.kind in list(RuleKind), "its kind")
    _ask(0 <= route.learned < LATEST, "when it was learned")
    _ask(route.label.isprintable() and '"' not in route.label, "its label")
    _ask(len(route.turnings) == len(route.parts), "the symmetries of its parts")
    orders = [order for turning in route.turnings for order in (turning.turns, turning.even)]
    _ask(all(0 <= order <= HIGHEST for order in orders), "a symmetry")
    _ask(len(route.memory) > 0, "its memory")
    if route.lent:
        rows = len(route.lent) == len(route.parts) and all(len(row) == POSE for row in route.lent)
        _ask(rows and all(0 <= value <= WIDEST for row in route.lent for value in row), "what it was lent")
    for entry in route.memory:
        _check_entry(route, entry)
    if isinstance(route.given, GivenRule):
        own = route.given.rule
        same = (
            own.symbol == route.symbol
            and tuple(part.symbol for part in route.given.plain.parts) == route.parts
        )
        _ask(same and set(route.given.names) <= set(route.names), "the rule that it was given")
    styles, parts = len(route.names), len(route.parts)
    if route.decoder is not None:
        check_decoder(route.decoder, 1 + styles, parts * (POSE + styles))
    if route.noticer is not None:
        check_decoder(route.noticer, parts * (POSE + styles), len(route.own))
    return route


def check_decoder(network: Decoder, inputs: int, outputs: int) -> Decoder:
    """The network itself; a ValueError if its weights do not lead from so many inputs to so many outputs."""
    width = inputs
    for weight, bias in zip(network.weights, network.biases, strict=True):
        _ask(weight.ndim == 2 and weight.shape[1] == width, "the shape of its weights")
        width = weight.shape[0]
        _ask(bias.shape == (width,), "the shape of its weights")
        for values in (weight, bias):
            numbers = np.issubdtype(values.dtype, np.floating)
            _ask(numbers and bool((np.abs(values) < STRONGEST).all()), "a weight")
    _ask(width == outputs, "the shape of its weights")
    return network


def check_all(routes: Mapping[str, Iterable[Route]]) -> None:
    """That every part is known, and nothing is a part of itself."""
    parts = {symbol: {part for route in own for part in route.parts} for symbol, own in routes.items()}
    known = {*parts, *primitives()}
    for part in sorted({part for own in parts.values() for part in own} - known):
        raise UnrenderError(
            f"The symbols of the brain do not fit together: nothing here is called [{part}]; install the "
            "package that brings this primitive, or restore the file from a copy."
        )
    try:
        order = list(TopologicalSorter(parts).static_order())
    except CycleError:
        order = []
    if not (set(order) <= known and set(parts) <= set(order)):
        raise UnrenderError("The symbols of the brain do not fit together; restore the file from a copy.")


def _check_entry(route: Route, entry: Entry) -> None:
    _ask(tuple(part.symbol for part in entry.parts) == route.parts, "the parts that it remembers")
    for node in (entry.whole, *entry.parts):
        _ask(_possible(node), "an observation that it remembers")
    points = [line.points for line in entry.lines]
    ends = max((end for line in entry.lines for end in line.ends), default=0)
    _ask(sum(map(len, points)) <= MOST_POINTS and ends <= 2 * len(points), "the lines that it remembers")
    _ask(all(bool((np.abs(own) <= FAR).all()) for own in points), "the lines that it remembers")
    known = primitives()
    for part in entry.parts if route.given is None else ():  # the text of a grammar tells no forms
        formed = part.symbol in known and known[part.symbol].formed
        _ask(not formed or bool(part.form), "a part without its form")


def _possible(node: Observation) -> bool:
    """Whether an observation can have been made: all numbers finite, and none out of this world."""
    values = [*node.position, node.rotation, *node.attributes.values(), *(node.form or ())]
    return (
        len(node.form or ()) <= LONGEST
        and all(math.isfinite(value) and abs(value) <= FAR for value in values)
        and all(1e-4 < side <= FAR for side in node.size)
        and 0 <= node.p <= 1 + 1e-6
    )


def _named(name: object, what: str) -> None:
    try:
        check_form(name, what)  # type: ignore[arg-type]
    except UnrenderError as error:
        raise ValueError(str(error)) from None


def _ask(right: bool, what: str) -> None:
    if not right:
        raise ValueError(f"{what} cannot be")

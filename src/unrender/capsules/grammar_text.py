"""A capsule network, written as a grammar."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unrender.capsules.grammar_decoder import GivenRule
from unrender.capsules.network import Network
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y
from unrender.capsules.repetition.copies import Law
from unrender.capsules.repetition.rule_text import repeated_rule
from unrender.capsules.repetition.unrolling import unrolled
from unrender.capsules.route import Route
from unrender.grammar import Grammar
from unrender.grammar.attribute import STROKE_NAMES, Attribute, Role
from unrender.grammar.expression import Expression, write_name
from unrender.grammar.rule import Part, Rule, RuleKind
from unrender.grammar.symbol import Symbol
from unrender.primitives.registry import primitives
from unrender.scene.language.words import is_verb


def written(network: Network, verbs: Sequence[tuple[str, str]] = ()) -> Grammar:
    """Every route as a rule; what a network has learned of g beyond the mean of memory is left out.

    verbs: symbols with what each can do, which becomes an attribute of that role.
    """
    rules = [rule for symbol in sorted(network.capsules) for rule in _rules(network, symbol)]
    plain = {name: own for name, own in primitives().items() if name not in network.capsules}
    declared = {name: primitive.symbol for name, primitive in plain.items()}
    for route in network.routes:
        if isinstance(route.given, GivenRule):
            declared |= {s.name: s for s in route.given.grammar.declared if s.name not in declared}
    told = {attribute.name: attribute for own in declared.values() for attribute in own.attributes}
    for symbol, capsule in network.capsules.items():
        inherited = {
            name
            for route in capsule.routes
            for name, has in zip(route.names, route.has.T, strict=True)
            if has.any()
        }
        own = tuple(told.get(name) or _taught(name) for name in capsule.names if name not in inherited)
        own += tuple(Attribute(verb, Role.VERB) for of, verb in verbs if of == symbol)
        declared.setdefault(symbol, Symbol(symbol, own))
    return Grammar(declared.values(), rules)


def _taught(name: str) -> Attribute:
    """An attribute that was taught by a word, which says whether it is a verb ("thrusting")."""
    return Attribute(name, Role.VERB if is_verb(name) else Role.ADJECTIVE)


def _rules(network: Network, symbol: str) -> list[Rule]:
    """The rules of a symbol; routes that differ by a number of copies alone are one of them."""
    capsule = network.capsules[symbol]
    found = unrolled(capsule).repetition
    if found is None or found.law is Law.GRID:  # a rule has one number, a grid two
        return [rule_of(route) for route in capsule.routes]
    others = [rule_of(route) for route in capsule.routes if route.name not in found.counts]
    return [repeated_rule(found), *others]


def rule_of(route: Route) -> Rule:
    """One route as a rule."""
    if isinstance(route.given, GivenRule):
        return route.given.rule
    parts = tuple(Part(symbol, _constraints(route, j)) for j, symbol in enumerate(route.parts))
    return Rule(route.symbol, parts, RuleKind(route.kind), route.label or f"route {route.number}")


def _constraints(route: Route, j: int) -> dict[str, Expression]:
    """Where and how part j stands, as formulas of the whole's attributes."""
    half = route.inputs[0, 0] / 2  # the sides of the whole that was taught are scale · exp(∓ half)
    rows = {name: _plain(route.varied(own)[1][j], half) for name, own in _steps(route)}
    row = rows.pop("")
    texts = {
        "x": f"{_line(row, rows, X)} * width",
        "y": f"{_line(row, rows, Y)} * height",
        "width": f"{_line(row, rows, WIDTH)} * width",
        "height": f"{_line(row, rows, HEIGHT)} * height",
        "rotation": _line(row, rows, ROTATION),
    }
    untold = () if route.bordered[j] else STROKE_NAMES  # a stroke that is not told has the part's colour
    for k, name in enumerate(route.names):
        if route.has[j, k] and name not in untold and abs(row[POSE + k]) > 1e-4:
            texts[name] = f"min(1, max(0, {write_name(name)} + {row[POSE + k]:.4g}))"
    return {name: Expression.parse(text) for name, text in texts.items()}


def _steps(route: Route) -> list[tuple[str, Floats]]:
    """No attribute of the whole's own (""), and each of them in full."""
    full = np.eye(len(route.own))
    named = [(name, full[k]) for k, name in enumerate(route.own)]
    return [("", np.zeros(len(route.own))), *named]


def _plain(row: Floats, half: float) -> Floats:
    """A row with its sides in units of the whole's, and its turn within half a turn either way."""
    plain = row.copy()
    plain[WIDTH], plain[HEIGHT] = math.exp(row[WIDTH] + half), math.exp(row[HEIGHT] - half)
    plain[ROTATION] = math.remainder(row[ROTATION], 360.0)
    return plain


def _line(row: Floats, rows: dict[str, Floats], column: int) -> str:
    """A value, and how it changes with each attribute."""
    text = f"{row[column]:.6g}"
    for name, full in rows.items():
        change = full[column] - row[column]
        if column == ROTATION:
            change = math.remainder(change, 360.0)
        if abs(change) > 1e-4:
            text += f" + {change:.6g} * {write_name(name)}"
    return text if " " not in text else f"({text})"

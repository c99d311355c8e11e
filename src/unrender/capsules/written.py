"""A capsule network, written as a grammar."""

from __future__ import annotations

import math

from unrender.capsules.given import GivenRule
from unrender.capsules.network import Network
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, X, Y
from unrender.capsules.route import Route
from unrender.grammar import Grammar
from unrender.grammar.expression import Expression
from unrender.grammar.rule import Part, Rule, RuleKind
from unrender.grammar.symbol import Symbol
from unrender.graphics.registry import primitives


def written(network: Network) -> Grammar:
    """Every route as a rule; what a network has learned of g beyond the mean of memory is left out."""
    rules = [rule_of(route) for route in network.routes]
    declared = {name: primitive.symbol for name, primitive in primitives().items()}
    for route in network.routes:
        if isinstance(route.given, GivenRule):
            declared |= {s.name: s for s in route.given.grammar.declared if s.name not in declared}
        declared.setdefault(route.symbol, Symbol(route.symbol))
    return Grammar(declared.values(), rules)


def rule_of(route: Route) -> Rule:
    """One route as a rule."""
    if isinstance(route.given, GivenRule):
        return route.given.rule
    parts = tuple(Part(symbol, _constraints(route, j)) for j, symbol in enumerate(route.parts))
    return Rule(route.symbol, parts, RuleKind(route.kind), route.label or f"route {route.number}")


def _constraints(route: Route, j: int) -> dict[str, Expression]:
    """Where and how part j stands, as formulas of the whole's attributes."""
    row = route.rest[j]
    half = route.inputs[0, 0] / 2  # the sides of the whole that was taught are scale · exp(∓ half)
    wide, high = math.exp(row[WIDTH] + half), math.exp(row[HEIGHT] - half)
    texts = {
        "x": f"{row[X]:.6g} * width",
        "y": f"{row[Y]:.6g} * height",
        "width": f"{wide:.6g} * width",
        "height": f"{high:.6g} * height",
        "rotation": f"{math.remainder(row[ROTATION], 360.0):.6g}",
    }
    for k, name in enumerate(route.names):
        if route.has[j, k] and abs(row[POSE + k]) > 1e-4:
            texts[name] = f"min(1, max(0, {name} + {row[POSE + k]:.4g}))"
    return {name: Expression.parse(text) for name, text in texts.items()}

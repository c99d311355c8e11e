"""Production: a symbol with its attributes, expanded by rules down to the primitives."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from unrender.errors import UnrenderError, nearest
from unrender.grammar.attribute import COLOUR_NAMES, STROKE_NAMES, STYLE, Attribute
from unrender.grammar.check import FRAME, SHORTHANDS, short
from unrender.grammar.rule import COUNT, Assignment, Rule
from unrender.grammar.symbol import Symbol

if TYPE_CHECKING:
    from unrender.grammar.grammar import Grammar

Given = float | tuple[float, float]
"""What a caller gives for an attribute: a number, or a pair for "position" and "size"."""

MAX_NODES: Final = 5_000
"""Symbols in one production. A few rules that double their parts would otherwise fill the memory."""


@dataclass(frozen=True)
class Production:
    """One node of the parse-tree that a grammar produces: a symbol and its whole attribute vector α.

    Position and rotation are those on the canvas (px, degrees). Primitives have no rule and no parts.
    """

    symbol: str
    attributes: Mapping[str, float]
    rule: Rule | None = None
    parts: tuple[Production, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "attributes", Assignment(self.attributes))

    def walk(self) -> Iterator[Production]:
        """This node and everything below it, parents before their parts."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(reversed(node.parts))

    def leaves(self) -> list[Production]:
        """The primitives in depth order: the first is drawn first, hence at the back."""
        return [node for node in self.walk() if not node.parts]


def produce(
    grammar: Grammar,
    name: str,
    given: Mapping[str, Given],
    choices: Mapping[str, str | int],
    pose: Mapping[str, float] | None = None,
) -> Production:
    """Expand the symbol `name`; `pose` replaces the defaults of attributes that are not `given`."""
    chosen = {symbol: choose(grammar, symbol, choice) for symbol, choice in choices.items()}
    top = chosen.get(name) or next(iter(grammar.rules_of(name)), None)
    copies = {}
    if COUNT in given and top is not None and top.counts is not None:
        copies[name] = top.counts.check(given[COUNT], name)
        given = {own: value for own, value in given.items() if own != COUNT}
    root = vector(grammar.symbol(name), given, pose or {})

    @cache
    def rule_of(symbol: str) -> Rule | None:
        rule = chosen.get(symbol) or next(iter(grammar.rules_of(symbol)), None)
        if rule is None or rule.counts is None:
            return rule
        return rule.unrolled(copies.get(symbol, rule.counts.usual))

    @cache
    def count(symbol: str) -> int:
        rule = rule_of(symbol)
        return 1 + sum([count(part.symbol) for part in rule.parts] if rule else [])

    def expand(symbol: str, attributes: Mapping[str, float]) -> Production:
        rule = rule_of(symbol)
        if rule is None:
            return Production(symbol, attributes)
        parts = []
        for j, part in enumerate(rule.parts):
            parts.append(expand(part.symbol, constrain(rule, j, grammar.symbol(part.symbol), attributes)))
        return Production(symbol, attributes, rule, tuple(parts))

    if count(name) > MAX_NODES:
        raise UnrenderError(f"[{name}] would produce {count(name)} symbols, more than {MAX_NODES}.")
    return expand(name, root)


def vector(symbol: Symbol, given: Mapping[str, Given], pose: Mapping[str, float]) -> dict[str, float]:
    """The whole attribute vector of a symbol from what the caller gave.

    Whoever names no colour gets white: a black object on the black ground would not be seen. Who names one,
    of the inside or of the stroke, gets both of it.
    """
    values: dict[str, Any] = {}
    known = [*SHORTHANDS, *(attribute.name for attribute in symbol.all_attributes)]
    for name, value in given.items():
        if name not in known:
            raise UnrenderError(f'[{symbol.name}] has no attribute "{name}".{nearest(str(name), known)}')
        for single, number in _single(symbol, name, value):
            if single in values:
                raise UnrenderError(f'The attribute "{single}" of [{symbol.name}] is given twice.')
            values[single] = number
    fallback = {a.name: a.default for a in symbol.all_attributes} | dict(pose)
    if not any(name in values for name in (*COLOUR_NAMES, *STROKE_NAMES)):
        fallback |= {own.name: 1.0 for own in STYLE[:3] if own in symbol.attributes}
    told = fallback | values
    by_stroke = any(name in values for name in STROKE_NAMES)
    if not by_stroke or not any(name in values for name in COLOUR_NAMES):
        one, other = (STROKE_NAMES, COLOUR_NAMES) if by_stroke else (COLOUR_NAMES, STROKE_NAMES)
        told |= {own: told[name] for name, own in zip(one, other, strict=True) if {name, own} <= told.keys()}
    return {a.name: a.check(told[a.name], symbol.name) for a in symbol.all_attributes}


def _single(symbol: Symbol, name: str, value: Any) -> list[tuple[str, Any]]:
    if name not in SHORTHANDS:
        return [(name, value)]
    try:
        first, second = value
    except (TypeError, ValueError):
        pair = ", ".join(SHORTHANDS[name])
        raise UnrenderError(f"The {name} of [{symbol.name}] must be ({pair}), not {value!r}.") from None
    return list(zip(SHORTHANDS[name], (first, second), strict=True))


def choose(grammar: Grammar, symbol: str, choice: str | int) -> Rule:
    """The rule of `symbol` with this label, or with this number, counted from 1."""
    rules = grammar.rules_of(symbol)
    if not rules:
        raise UnrenderError(f"[{symbol}] is a primitive and has no rules to choose from.")
    labels = {rule.label: rule for rule in rules if rule.label}
    if isinstance(choice, str) and choice in labels:
        return labels[choice]
    if isinstance(choice, int) and 1 <= choice <= len(rules):
        return rules[choice - 1]
    if isinstance(choice, str):
        raise UnrenderError(f'[{symbol}] has no rule labelled "{choice}".{nearest(choice, labels)}')
    raise UnrenderError(f"[{symbol}] has the rules 1 to {len(rules)}, but no rule {choice}.")


def constrain(rule: Rule, j: int, symbol: Symbol, parent: Mapping[str, float]) -> dict[str, float]:
    """α_j = g_j(α_Ω): the attributes of part `j` of a rule, from those of its parent.

    The expressions give x, y and rotation in the parent's frame; the result stands on the canvas. A part that
    is told its colour, but not that of its stroke, has no other one there.
    """
    scope = {name: value for name, value in parent.items() if name not in FRAME}
    open_values = scope | dict.fromkeys(FRAME, 0.0)
    turn, constraints = math.radians(parent["rotation"]), rule.parts[j].constraints
    values: dict[str, float] = {}
    name = ""
    try:
        for attribute in symbol.all_attributes:
            name = attribute.name
            if name in constraints:
                values[name] = constraints[name].evaluate(scope)
            else:
                values[name] = open_values.get(name, attribute.default)
        if not constraints.keys().isdisjoint(COLOUR_NAMES) and constraints.keys().isdisjoint(STROKE_NAMES):
            inside = [values[name] for name in COLOUR_NAMES if name in values]
            values |= zip(STROKE_NAMES, inside, strict=False)
        x, y = values["x"], values["y"]
        values["x"] = parent["x"] + x * math.cos(turn) - y * math.sin(turn)
        values["y"] = parent["y"] + x * math.sin(turn) + y * math.cos(turn)
        values["rotation"] += parent["rotation"]
        for attribute in symbol.all_attributes:
            name = attribute.name
            values[name] = attribute.check(_snap(attribute, values[name]), symbol.name)
    except UnrenderError as error:
        raise UnrenderError(f'"{name}" of part {j + 1} in {short(rule)}: {error}') from None
    return values


def _snap(attribute: Attribute, value: float) -> float:
    """Rounding may leave a value a hair outside its range; put it back."""
    inside = min(max(value, attribute.low), attribute.high)
    near = math.isclose(value, inside, rel_tol=1e-9, abs_tol=1e-12)
    return inside if near and attribute.period is None else value

"""What makes symbols and rules a grammar: every name known, no recursion, every symbol drawable."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from textwrap import shorten
from typing import Final

from unrender.errors import UnrenderError, nearest
from unrender.grammar.attribute import POSE_NAMES, Attribute, Role
from unrender.grammar.expression import MAX_DEPTH, Expression
from unrender.grammar.rule import COUNT, INDEX, Part, Rule
from unrender.grammar.symbol import Symbol
from unrender.names import check_form

FRAME: Final = ("x", "y", "rotation")
"""The parent's own frame; zero in every expression, which is written inside that frame."""

SHORTHANDS: Final = {"position": ("x", "y"), "size": ("width", "height")}
"""Pairs that a caller may give instead of two attributes."""


class GrammarError(UnrenderError):
    """Symbols and rules that do not fit together. `where` is the address of the one at fault.

    ("axiom",), ("symbol", name), ("attribute", name), ("rule", i), ("part", i, j) or
    ("constraint", i, j, attribute), with i counting rules and j the parts of one rule from 0.
    """

    def __init__(self, message: str, *where: str | int) -> None:
        super().__init__(message)
        self.where = where


def check(symbols: Iterable[Symbol], rules: Sequence[Rule]) -> dict[str, Symbol]:
    """The symbols by name, each non-terminal with the attributes of its parts; or a `GrammarError`."""
    known: dict[str, Symbol] = {}
    for symbol in symbols:
        if known.setdefault(symbol.name, symbol) != symbol:
            raise GrammarError(f"[{symbol.name}] is given twice, differently.", "symbol", symbol.name)
        for attribute in symbol.attributes:
            check_attribute(attribute)
    _check_rules(known, rules)
    by_symbol = group(rules)
    for name in _bottom_up(known, rules):
        known[name] = _complete(known, by_symbol.get(name, ()), known[name])
    _check_meanings(known, by_symbol)
    for i, rule in enumerate(rules):
        for j, part in enumerate(rule.parts):
            for target, expression in part.constraints.items():
                try:
                    known[part.symbol].attribute(target)
                    _check_expression(known[rule.symbol], expression, _numbers(rule, part))
                except UnrenderError as error:
                    message = f"{error} (In {short(rule)}, part {j + 1}.)"
                    raise GrammarError(message, "constraint", i, j, target) from None
    return known


def group(rules: Iterable[Rule]) -> dict[str, tuple[Rule, ...]]:
    """The rules of each symbol, in their order."""
    found: dict[str, tuple[Rule, ...]] = {}
    for rule in rules:
        found[rule.symbol] = (*found.get(rule.symbol, ()), rule)
    return found


def inherited(known: Mapping[str, Symbol], rules: Iterable[Rule]) -> dict[str, Attribute]:
    """The union of the attributes of all parts of one symbol's `rules`, in their order."""
    found: dict[str, Attribute] = {}
    for name in dict.fromkeys(part.symbol for rule in rules for part in rule.parts):
        for attribute in (own for own in known[name].attributes if not own.optional):
            found.setdefault(attribute.name, attribute)
    return found


def own(known: Mapping[str, Symbol], rules: Iterable[Rule], symbol: Symbol) -> tuple[Attribute, ...]:
    """The attributes that `symbol` declares itself: its parts have none of that name, or another one."""
    from_parts = inherited(known, rules)
    return tuple(a for a in symbol.attributes if from_parts.get(a.name) != a)


def short(rule: Rule) -> str:
    """A rule for an error message."""
    return shorten(str(rule), 100, placeholder=" ...")


def _complete(known: Mapping[str, Symbol], rules: Iterable[Rule], symbol: Symbol) -> Symbol:
    if symbol.terminal:
        return symbol
    declared = {attribute.name: attribute for attribute in symbol.attributes}
    return replace(symbol, attributes=tuple((inherited(known, rules) | declared).values()))


def check_attribute(attribute: Attribute) -> None:
    """Refuse an attribute that no value fits, or whose name means something else."""
    name = check_form(attribute.name, "attribute")
    if name in SHORTHANDS:
        pair = " and ".join(SHORTHANDS[name])
        raise GrammarError(f'"{name}" stands for {pair}; give the attribute another name.', "attribute", name)
    if attribute.role not in list(Role):
        raise GrammarError(f'There is no role "{attribute.role}".{nearest(attribute.role, Role)}')
    numbers = (attribute.low, attribute.high, attribute.default, attribute.period or 1.0)
    if not all(math.isfinite(number) for number in numbers):
        reason = "all its numbers must be finite"
    elif attribute.period is not None and attribute.period <= 0:
        reason = "its period must be positive"
    elif attribute.low > attribute.high:
        reason = f"its range {attribute.low:g}..{attribute.high:g} is empty"
    elif attribute.period is None and not attribute.low <= attribute.default <= attribute.high:
        reason = f"its default {attribute.default:g} is outside {attribute.low:g}..{attribute.high:g}"
    else:
        return
    raise GrammarError(f'The attribute "{name}" cannot be: {reason}.', "attribute", name)


def _check_rules(known: Mapping[str, Symbol], rules: Sequence[Rule]) -> None:
    seen: set[object] = set()
    for i, rule in enumerate(rules):
        if rule.symbol not in known:
            hint = nearest(rule.symbol, known)
            raise GrammarError(f"There is no symbol [{rule.symbol}].{hint}", "rule", i)
        if known[rule.symbol].terminal:
            raise GrammarError(f"[{rule.symbol}] is a primitive and cannot have a rule.", "rule", i)
        for j, part in enumerate(rule.parts):
            if part.symbol not in known:
                hint = nearest(part.symbol, known)
                raise GrammarError(f"There is no symbol [{part.symbol}].{hint}", "part", i, j)
        if rule.production in seen:
            raise GrammarError(f"The rule {short(rule)} is given twice.", "rule", i)
        if rule.label and (rule.symbol, rule.label) in seen:
            raise GrammarError(f'Two rules of [{rule.symbol}] have the label "{rule.label}".', "rule", i)
        seen |= {rule.production, (rule.symbol, rule.label)}
    produced = {rule.symbol for rule in rules}
    for symbol in known.values():
        if not symbol.terminal and symbol.name not in produced:
            message = f"[{symbol.name}] is neither a primitive nor has it a rule."
            raise GrammarError(message, "symbol", symbol.name)


def _bottom_up(known: Iterable[str], rules: Sequence[Rule]) -> list[str]:
    """All symbols, parts before wholes. The grammar of the paper is non-recursive: cycles are refused."""
    parts: dict[str, dict[str, None]] = {name: {} for name in known}
    for rule in rules:
        parts[rule.symbol].update((part.symbol, None) for part in rule.parts)
    try:
        order = list(TopologicalSorter(parts).static_order())
    except CycleError as error:
        ring = list(reversed(error.args[1]))[:-1]
        first, start = next((i, ring.index(r.symbol)) for i, r in enumerate(rules) if r.symbol in ring)
        path = " -> ".join(f"[{name}]" for name in [*ring[start:], *ring[: start + 1]])
        raise GrammarError(f"A symbol may not be a part of itself: {path}.", "rule", first) from None
    depth: dict[str, int] = {}
    for name in order:
        depth[name] = 1 + max((depth[part] for part in parts[name]), default=0)
        if depth[name] > MAX_DEPTH:
            first = next(i for i, rule in enumerate(rules) if rule.symbol == name)
            message = f"[{name}] has parts of parts more than {MAX_DEPTH} levels deep."
            raise GrammarError(message, "rule", first)
    return order


def _check_meanings(known: Mapping[str, Symbol], rules: Mapping[str, Sequence[Rule]]) -> None:
    """One name, one meaning: two non-terminals may not declare different attributes of the same name."""
    meaning: dict[str, tuple[Attribute, str]] = {}
    for symbol in known.values():
        for attribute in () if symbol.terminal else own(known, rules[symbol.name], symbol):
            name = attribute.name
            first, owner = meaning.setdefault(name, (attribute, symbol.name))
            if first != attribute:
                message = f'[{owner}] and [{symbol.name}] declare the attribute "{name}" differently.'
                raise GrammarError(message, "attribute", name)


def _numbers(rule: Rule, part: Part) -> tuple[str, ...]:
    """The words that stand for numbers in the constraints of a part."""
    if rule.counts is None:
        return ()
    return (COUNT,) if part.counts is None else (COUNT, INDEX)


def _check_expression(parent: Symbol, expression: Expression, numbers: Sequence[str]) -> None:
    for name in expression.names():
        if name in numbers:
            continue
        if name in FRAME:
            raise UnrenderError(
                f'"{name}" may not stand in an expression, which is written in the frame of the parent '
                f"[{parent.name}]: there its x, y and rotation are 0."
            )
        if name not in POSE_NAMES:
            parent.attribute(name)

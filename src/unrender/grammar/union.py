"""The union of grammars under a new axiom, as in the paper's section "Connecting Capsules"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import gcd

from unrender.errors import UnrenderError
from unrender.grammar.attribute import Attribute
from unrender.grammar.expression import Expression
from unrender.grammar.grammar import Grammar
from unrender.grammar.rule import Part, Rule
from unrender.grammar.symbol import Symbol


def union(grammars: Sequence[Grammar], axiom: str) -> Grammar:
    """Merge symbols and rules and let a new `axiom` produce the previous axioms, side by side."""
    previous = list(dict.fromkeys(top for grammar in grammars for top in _tops(grammar)))
    if not previous:
        raise UnrenderError("A union needs at least one grammar that has an axiom.")
    symbols = _merge_symbols(symbol for grammar in grammars for symbol in grammar.declared)
    if axiom in symbols:
        raise UnrenderError(f"There is a symbol [{axiom}] already; give the union another axiom.")
    rules = _merge_rules(rule for grammar in grammars for rule in grammar.rules)
    top = Rule(axiom, side_by_side(previous))
    return Grammar([*symbols.values(), Symbol(axiom)], [top, *rules], axiom)


def side_by_side(names: Sequence[str]) -> tuple[Part, ...]:
    """Parts in a row that fills the parent's width, each in a square cell, so that none is distorted."""
    count = len(names)
    if count == 1:
        return (Part(names[0]),)
    side = Expression.parse(f"min(width / {count}, height)")
    parts = []
    for i, name in enumerate(names):
        step, whole = 2 * i - (count - 1), 2 * count  # the centre of cell i is at width * step / whole
        step, whole = step // gcd(step, whole), whole // gcd(step, whole)
        times = {0: "", 1: "width", -1: "-width"}.get(step, f"{step} * width")
        place = {"x": Expression.parse(f"{times} / {whole}")} if times else {}
        parts.append(Part(name, {**place, "width": side, "height": side}))
    return tuple(parts)


def _tops(grammar: Grammar) -> tuple[str, ...]:
    return (grammar.axiom,) if grammar.axiom is not None else grammar.axioms


def _merge_symbols(symbols: Iterable[Symbol]) -> dict[str, Symbol]:
    """One symbol per name, with the union of the attributes declared for it."""
    merged: dict[str, Symbol] = {}
    for symbol in symbols:
        known = merged.setdefault(symbol.name, symbol)
        if known == symbol:
            continue
        if known.terminal or symbol.terminal:
            raise UnrenderError(
                f"The primitive [{symbol.name}] is not the same in all grammars of the union."
            )
        attributes = {attribute.name: attribute for attribute in known.attributes}
        for attribute in symbol.attributes:
            _agree(attributes.setdefault(attribute.name, attribute), attribute, symbol.name)
        merged[symbol.name] = replace(known, attributes=tuple(attributes.values()))
    return merged


def _agree(one: Attribute, other: Attribute, owner: str) -> None:
    if one != other:
        raise UnrenderError(f'Two grammars of the union declare "{one.name}" of [{owner}] differently.')


def _merge_rules(rules: Iterable[Rule]) -> list[Rule]:
    """Every rule once. A label that another rule of the symbol has already gets a number: "front 2"."""
    merged: dict[object, Rule] = {}
    labels: set[tuple[str, str]] = set()
    for rule in rules:
        if rule.production in merged:
            continue
        label, number = rule.label, 1
        while label and (rule.symbol, label) in labels:
            number += 1
            label = f"{rule.label} {number}"
        labels.add((rule.symbol, label))
        merged[rule.production] = replace(rule, label=label)
    return list(merged.values())

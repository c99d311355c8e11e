"""Whatever can be built can be written and read back; whatever can be written is read or refused."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unrender.errors import UnrenderError
from unrender.grammar import Attribute, Expression, Grammar, Part, Role, Rule, RuleKind, Symbol
from unrender.grammar.attribute import STYLE
from unrender.grammar.expression import Call, Negation, Number, Operation, Reference

TERMINALS: Mapping[str, Symbol] = {
    "circle": Symbol("circle", STYLE, terminal=True),
    "star": Symbol("star", (*STYLE, Attribute("point count", low=3, high=12, default=5)), terminal=True),
}
NOUNS = ("house", "car door", "belt-scene", "_x1", "axiom", "has", "kék hajó", "हिन्दी", "船")
ADJECTIVES = (
    "wooden",
    "very old",
    "half-open",
    "has",
    "default",
    "min",
    "e1",
    "red",
    "filled",
    "törött",
    "सुन्दर",
)

quick = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
finite = st.floats(allow_nan=False, allow_infinity=False)
number = st.integers(0, 99)  # an index into a list that is known only later, modulo its length


def expressions(names: Sequence[str], leaves: int = 8) -> st.SearchStrategy[Expression]:
    def grow(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        return (
            inner.map(Negation)
            | st.builds(Operation, st.sampled_from("+-*/^"), inner, inner)
            | st.builds(Call, st.sampled_from(["sin", "cos", "sqrt", "abs"]), st.tuples(inner))
            | st.builds(Call, st.sampled_from(["min", "max"]), st.lists(inner, min_size=1, max_size=3))
        )

    constants = finite.map(abs).map(Number)
    return st.recursive(constants | st.sampled_from(names).map(Reference), grow, max_leaves=leaves)


def rename(expression: Expression, names: Sequence[str]) -> Expression:
    """The same formula over `names` instead of n0, n1, ..."""
    match expression:
        case Reference(name):
            return Reference(names[int(name[1:]) % len(names)])
        case Negation(operand):
            return Negation(rename(operand, names))
        case Operation(operator, left, right):
            return Operation(operator, rename(left, names), rename(right, names))
        case Call(function, arguments):
            return Call(function, tuple(rename(argument, names) for argument in arguments))
    return expression


def attribute(name: str, role: Role, numbers: list[float], period: float | None, plain: bool) -> Attribute:
    low, default, high = sorted(numbers)
    return Attribute(name, role) if plain else Attribute(name, role, low, high, period, default)


formulas = expressions([f"n{i}" for i in range(12)], leaves=3)
parts = st.tuples(number, st.lists(st.tuples(number, formulas), max_size=2))
labels = st.text(max_size=8).filter(lambda text: text.isprintable() and '"' not in text)
rules = st.tuples(st.lists(parts, min_size=1, max_size=3), st.sampled_from(RuleKind), st.just("") | labels)
nouns = st.tuples(
    st.sampled_from(NOUNS), st.lists(rules, min_size=1, max_size=3), st.lists(number, max_size=3)
)
adjectives = st.builds(
    attribute,
    st.sampled_from(ADJECTIVES),
    st.sampled_from(Role),
    st.lists(finite, min_size=3, max_size=3),
    st.none() | st.floats(min_value=0.1, max_value=1e9),
    st.booleans(),
)


def build(nouns: list[Any], adjectives: list[Attribute], axiom: int, order: random.Random) -> Grammar:
    """A grammar in which every noun is made of terminals and of the nouns before it."""
    known = {name: [a.name for a in symbol.attributes] for name, symbol in TERMINALS.items()}
    symbols, found = [*TERMINALS.values()], []
    for noun, raw_rules, raw_own in nouns:
        sides = [[sorted(known)[i % len(known)] for i, _ in raw] for raw, _, _ in raw_rules]
        own = list(
            {adjectives[i % len(adjectives)].name: adjectives[i % len(adjectives)] for i in raw_own}.values()
        )
        names = list(
            dict.fromkeys([a for side in sides for part in side for a in known[part]] + [a.name for a in own])
        )
        rules: dict[Any, Rule] = {}
        for side, (raw_parts, kind, label) in zip(sides, raw_rules, strict=True):
            right = []
            for part, (_, raw_constraints) in zip(side, raw_parts, strict=True):
                targets = ["x", "y", "width", "height", "rotation", *known[part]]
                scope = ["width", "height", *names]
                right.append(
                    Part(part, {targets[i % len(targets)]: rename(e, scope) for i, e in raw_constraints})
                )
            taken = {rule.label for rule in rules.values()}
            rule = Rule(noun, tuple(right), kind, "" if label in taken else label)
            rules.setdefault(rule.production, rule)
        known[noun] = names
        symbols.append(Symbol(noun, tuple(own)))
        found += rules.values()
    order.shuffle(found)
    return Grammar(symbols, found, [None, *known][axiom % (len(known) + 1)])


grammars = st.builds(
    build,
    st.lists(nouns, min_size=1, max_size=3, unique_by=lambda noun: noun[0]),
    st.lists(adjectives, min_size=1, max_size=4, unique_by=lambda attribute: attribute.name),
    number,
    st.randoms(use_true_random=False),
)


@given(expressions(["width", "car door", "default", "e5", "min"]))
@settings(quick, max_examples=200)
def test_an_expression_is_read_back_as_it_was_written(expression: Expression) -> None:
    assert Expression.parse(str(expression)) == expression


@given(expressions(["width", "height"]), st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
@settings(quick, max_examples=100)
def test_an_expression_has_a_finite_value_or_says_why_not(
    value: Expression, width: float, height: float
) -> None:
    try:
        result = value.evaluate({"width": width, "height": height})
    except UnrenderError:
        return
    assert math.isfinite(result)


@given(grammars)
@settings(quick, max_examples=75)
def test_a_grammar_is_read_back_as_it_was_written(grammar: Grammar) -> None:
    again = Grammar.parse(str(grammar), TERMINALS)
    assert again == grammar
    assert str(again) == str(grammar)


@given(grammars, grammars)
@settings(quick, max_examples=25)
def test_the_union_of_two_grammars_is_one_or_says_why_not(one: Grammar, other: Grammar) -> None:
    try:
        union = Grammar.union(one, other)
    except UnrenderError:
        return
    assert Grammar.parse(str(union), TERMINALS) == union


WORDS = (
    *(
        "[house]",
        "[car door]",
        "[circle]",
        "[star]",
        "[",
        "]",
        "->",
        "-",
        "as",
        "viewpoint",
        '"front"',
        '"',
        "has",
    ),
    *(
        "axiom",
        "attribute",
        "wooden",
        ":",
        "adjective",
        "0..1",
        "period",
        "default",
        "x",
        "=",
        ",",
        "red",
        "width",
    ),
    *(
        "(",
        ")",
        "1",
        "2.5",
        "1e999",
        "+",
        "*",
        "/",
        "^",
        "min",
        "sin",
        "# why",
        "\n",
        "\n",
        "\n",
        "\t",
        "\r\n",
        "é",
    ),
)


@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)))
@settings(quick, max_examples=400)
def test_any_text_is_a_grammar_or_an_error(text: str) -> None:
    assert_read_or_refused(text)


@given(grammars, st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from([*WORDS, ""])), max_size=3))
@settings(quick, max_examples=75)
def test_a_grammar_with_typing_mistakes_is_a_grammar_or_an_error(
    grammar: Grammar, mistakes: list[tuple[int, str]]
) -> None:
    text = str(grammar)
    for position, word in mistakes:
        at = position % (len(text) + 1)
        text = text[:at] + word + text[at + 1 :]
    assert_read_or_refused(text)


def assert_read_or_refused(text: str) -> None:
    try:
        grammar = Grammar.parse(text, TERMINALS)
    except UnrenderError:
        return
    assert Grammar.parse(str(grammar), TERMINALS) == grammar

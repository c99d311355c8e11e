from __future__ import annotations

import pickle

import pytest

from unrender.errors import UnrenderError
from unrender.grammar import Expression, Grammar, Part, Rule, RuleKind
from unrender.grammar.rule import Assignment


def test_a_rule_writes_itself_as_in_the_paper() -> None:
    parts = (Part("triangle"), Part("square"))
    assert str(Rule("house", parts)) == "[house] -> [triangle] [square]"
    assert str(Rule("house", parts, RuleKind.STYLE)) == "[house] -> [triangle] [square] as style"
    assert str(Rule("house", parts, label="big")) == '[house] -> [triangle] [square] as configuration "big"'


def test_a_rule_without_parts_is_refused() -> None:
    with pytest.raises(UnrenderError, match="at least one part"):
        Rule("house", ())


@pytest.mark.parametrize("label", ['say "hi"', "two\nlines", "a\ttab", "\ud800"])
def test_a_label_that_cannot_be_written_is_refused(label: str) -> None:
    with pytest.raises(UnrenderError, match="must be printable"):
        Rule("house", (Part("square"),), label=label)


def test_an_unknown_kind_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnrenderError, match='Did you mean "viewpoint"'):
        Rule("house", (Part("square"),), "viewpiont")  # type: ignore[arg-type]


def test_a_constraint_must_be_an_expression() -> None:
    with pytest.raises(UnrenderError, match="must be an Expression"):
        Part("square", {"x": 3})  # type: ignore[dict-item]


def test_rules_are_values() -> None:
    constraints = {"x": Expression.parse("1"), "y": Expression.parse("2")}
    one = Rule("house", (Part("square", constraints),))
    other = Rule("house", (Part("square", dict(reversed(constraints.items()))),))
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one
    assert list(one.parts[0].constraints) == ["x", "y"]


def test_an_assignment_cannot_be_changed() -> None:
    source = {"x": 1}
    assignment = Assignment(source)
    source["x"] = 2
    assert assignment == {"x": 1}
    with pytest.raises(TypeError):
        assignment["x"] = 2  # type: ignore[index]


def test_a_repeated_part_is_unrolled_to_copies_with_their_numbers() -> None:
    text = "[row] -> [square]* 2..5 default 3 [circle]\n    [square] x = index * width / count"
    grammar = Grammar.parse(text)
    assert Grammar.parse(str(grammar)) == grammar
    (rule,) = grammar.rules
    assert [str(part.constraints.get("x")) for part in rule.unrolled(2).parts[:2]] == [
        "0 * width / 2",
        "1 * width / 2",
    ]
    assert len(grammar.produce("row", {}).parts) == 4
    assert len(grammar.produce("row", {"count": 5}).parts) == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a] -> [circle]* 3..99", "1 to 24 times"),
        ("[a] -> [circle]* 5..3", "1 to 24 times"),
        ("[a] -> [circle]* 2.5..3", "a whole number of times"),
        ("[a] -> [circle]* 2..3 default 9", "outside 2..3"),
        ("[a] -> [circle]* 2..3 [square]* 2..4", "equally often"),
        ("[a] -> [circle]\n    [circle] x = count", 'no attribute "count"'),
        ("[a] -> [circle]* [square]\n    [square] x = index", 'no attribute "index"'),
    ],
)
def test_copies_that_cannot_be_are_told_in_plain_words(text: str, message: str) -> None:
    with pytest.raises(UnrenderError, match=message):
        Grammar.parse(text)

from __future__ import annotations

import pickle

import pytest

from unrender.errors import UnrenderError
from unrender.grammar import Expression, Part, Rule, RuleKind
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

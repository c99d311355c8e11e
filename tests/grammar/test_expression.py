from __future__ import annotations

import copy
import math
import pickle

import pytest

from unrender.errors import UnrenderError
from unrender.grammar.expression import MAX_DEPTH, Call, Expression, Negation, Number, Operation, Reference


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("10 - 4 - 3", 3),
        ("24 / 4 / 2", 3),
        ("2 ^ 3 ^ 2", 512),
        ("-2 ^ 2", -4),
        ("(-2) ^ 2", 4),
        ("2 ^ -1", 0.5),
        ("3 - -2", 5),
        ("--3", 3),
        ("width / 4 + height", 40),
        ('"wheel size" * 2', 3),
        (".5 + 1e-1", 0.6),
        ("sqrt(16) + abs(-2)", 6),
        ("min(3, 1, 2) + max(width, height)", 41),
        ("min + 1", 101),
        ("2 * (width - 1) * (3)", 234),
    ],
)
def test_an_expression_follows_the_usual_rules_of_arithmetic(text: str, value: float) -> None:
    values = {"width": 40.0, "height": 30.0, "wheel size": 1.5, "min": 100.0}
    assert Expression.parse(text).evaluate(values) == pytest.approx(value)


def test_sine_and_cosine_take_degrees() -> None:
    assert Expression.parse("sin(30)").evaluate({}) == pytest.approx(0.5)
    assert Expression.parse("cos(angle)").evaluate({"angle": 360e9 + 60}) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1 / (width - width)", "divides by zero"),
        ("0 ^ -1", "divides by zero"),
        ("sqrt(-1)", "not a real number"),
        ("(-8) ^ (1 / 3)", "not a real number"),
        ("1e300 * 1e300", "not finite"),
        ("10 ^ 400", "too large"),
    ],
)
def test_what_has_no_value_is_an_error_that_shows_the_expression(text: str, reason: str) -> None:
    with pytest.raises(UnrenderError, match=reason) as caught:
        Expression.parse(f"3 + {text}").evaluate({"width": 2.0})
    assert str(Expression.parse(text)) in str(caught.value)


def test_an_unknown_name_is_an_error_with_the_nearest_one() -> None:
    with pytest.raises(UnrenderError, match='Did you mean "width"'):
        Expression.parse("widht * 2").evaluate({"width": 1.0, "height": 2.0})


def test_names_come_once_and_in_order() -> None:
    assert Expression.parse("b * a + max(b, c) - 1").names() == ("b", "a", "c")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("((width))", "width"),
        ("(a + b) + c", "a + b + c"),
        ("a + (b + c)", "a + (b + c)"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a * b) / c", "a * b / c"),
        ("a / (b * c)", "a / (b * c)"),
        ("(a ^ b) ^ c", "(a ^ b) ^ c"),
        ("a ^ (b ^ c)", "a ^ b ^ c"),
        ("-(a ^ b)", "-a ^ b"),
        ("(-a) ^ (-b)", "(-a) ^ -b"),
        ("-(a * b)", "-(a * b)"),
        ("(-a) * (-b)", "-a * -b"),
        ("1.0*x_1", "1 * x_1"),
        ('"default"+"car door"', '"default" + "car door"'),
    ],
)
def test_text_has_no_more_parentheses_than_it_needs(text: str, written: str) -> None:
    expression = Expression.parse(text)
    assert str(expression) == written
    assert Expression.parse(written) == expression


def test_a_tree_built_by_hand_equals_the_parsed_one() -> None:
    tree = Operation("+", Negation(Number(2)), Call("min", (Reference("a"), Number(0.5))))
    assert tree == Expression.parse("-2 + min(a, 0.5)")
    assert hash(tree) == hash(Expression.parse("-2 + min(a, 0.5)"))


def test_ten_thousand_parentheses_are_no_more_than_one() -> None:
    assert Expression.parse("(" * 10_000 + "width" + ")" * 10_000) == Reference("width")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000,
        "1" + " + 1" * 10_000,
        "-" * 10_000 + "1",
        "2 ^ " * 10_000 + "2",
        "abs(" * 10_000 + "1" + ")" * 10_000,
    ],
)
def test_ten_thousand_levels_are_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(UnrenderError, match="line 1, column"):
        Expression.parse(text)


def test_a_tree_of_the_greatest_depth_can_be_used_in_every_way() -> None:
    deepest = Expression.parse("1" + " + 1" * (MAX_DEPTH - 1))
    assert deepest.evaluate({}) == MAX_DEPTH
    assert Expression.parse(str(deepest)) == deepest
    assert pickle.loads(pickle.dumps(deepest)) == copy.deepcopy(deepest)
    assert repr(deepest).startswith("Operation")
    with pytest.raises(UnrenderError, match=f"at most {MAX_DEPTH}"):
        Operation("+", deepest, Number(1))


@pytest.mark.parametrize("value", [-1.0, math.inf, math.nan])
def test_a_number_is_finite_and_not_negative(value: float) -> None:
    with pytest.raises(UnrenderError, match="finite and not negative"):
        Number(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected an expression, found the end of the text"),
        ("1 +", "expected an expression"),
        ("sine(1)", "There is no function"),
        ("sin(1, 2)", 'The function "sin" takes one argument, not 2'),
        ("max()", "at least one argument"),
        ("width height", 'found "height"'),
        ('"two  blanks"', "cannot name an? attribute"),
        ("1e999", "must be finite"),
        ("٣", 'found "٣"'),
    ],
)
def test_a_mistake_is_explained_in_plain_words(text: str, message: str) -> None:
    with pytest.raises(UnrenderError, match=message):
        Expression.parse(text)


def test_unknown_operators_are_refused() -> None:
    with pytest.raises(UnrenderError, match="no operator"):
        Operation("%", Number(1), Number(2))

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest

from unrender.errors import UnrenderError
from unrender.grammar import Grammar, Symbol

Terminals = Mapping[str, Symbol]


def test_a_part_is_as_its_parent_where_the_rule_says_nothing(terminals: Terminals) -> None:
    grammar = Grammar.parse("[a] -> [circle]", terminals)
    given = {"position": (5, 6), "size": (7, 8), "rotation": 30, "red": 0.1, "thickness": 0.2}
    whole = grammar.produce("a", given)
    assert whole.parts[0].attributes == whole.attributes
    assert whole.parts[0].rule is None
    assert whole.rule == grammar.rules[0]


def test_constraints_are_evaluated_in_the_frame_of_the_parent(terminals: Terminals) -> None:
    text = "[a] -> [square]\n [square] x = width / 2, y = -height / 4, width = height, rotation = 10"
    part = Grammar.parse(text, terminals).produce("a", {"x": 100, "y": 50, "size": (20, 8)}).parts[0]
    values = part.attributes
    assert (values["x"], values["y"], values["rotation"]) == (110, 48, 10)
    assert (values["width"], values["height"]) == (8, 8)


def test_the_frame_turns_with_the_parent_clockwise_on_the_screen(terminals: Terminals) -> None:
    text = "[a] -> [b]\n [b] x = 10, rotation = 90\n[b] -> [square]\n [square] y = 3, rotation = 120"
    leaf = Grammar.parse(text, terminals).produce("a", {"position": (50, 50), "rotation": 90}).leaves()[0]
    # 10 to the right, turned by 90 degrees, points down; 3 down, turned by 180 degrees, points up.
    assert leaf.attributes["x"] == pytest.approx(50)
    assert leaf.attributes["y"] == pytest.approx(50 + 10 - 3)
    assert leaf.attributes["rotation"] == pytest.approx(90 + 90 + 120 - 360)


def test_a_turned_parent_turns_its_parts_as_a_rotation_matrix_does(terminals: Terminals) -> None:
    text = "[a] -> [square]\n [square] x = 3, y = 4"
    part = Grammar.parse(text, terminals).produce("a", {"rotation": 25}).parts[0]
    c, s = math.cos(math.radians(25)), math.sin(math.radians(25))
    assert part.attributes["x"] == pytest.approx(3 * c - 4 * s)
    assert part.attributes["y"] == pytest.approx(3 * s + 4 * c)


def test_leaves_come_in_depth_order(terminals: Terminals) -> None:
    grammar = Grammar.parse("[a] -> [star] [b] [circle]\n[b] -> [triangle] [square]", terminals)
    whole = grammar.produce("a", {})
    assert [leaf.symbol for leaf in whole.leaves()] == ["star", "triangle", "square", "circle"]
    assert [node.symbol for node in whole.walk()] == ["a", "star", "b", "triangle", "square", "circle"]


def test_a_primitive_is_its_own_leaf(terminals: Terminals) -> None:
    whole = Grammar.parse("", terminals).produce("star", {"points": 7})
    assert whole.leaves() == [whole]
    assert whole.attributes["points"] == 7


def test_whoever_names_no_colour_gets_white(terminals: Terminals) -> None:
    grammar = Grammar.parse("[a] -> [circle]", terminals)

    def colour(given: dict[str, Any]) -> list[float]:
        return [grammar.produce("a", given).leaves()[0].attributes[name] for name in ("red", "green", "blue")]

    assert colour({}) == [1, 1, 1]
    assert colour({"red": 0.5}) == [0.5, 0, 0]
    assert colour({"blue": 0}) == [0, 0, 0]


def test_a_declared_default_colour_is_kept(terminals: Terminals) -> None:
    text = "attribute red: adjective default 0.25\n[a] has red\n[a] -> [circle]"
    assert Grammar.parse(text, terminals).produce("a", {}).attributes["red"] == 0.25


def test_own_attributes_steer_the_parts(terminals: Terminals) -> None:
    text = """
        attribute "wing span": adjective 0..10 default 2
        attribute heading: preposition period 360
        [bird] has "wing span", heading
        [bird] -> [triangle]
            [triangle] width = width * "wing span", rotation = heading
    """
    grammar = Grammar.parse(text, terminals)
    assert grammar.produce("bird", {"width": 3}).leaves()[0].attributes["width"] == 6
    leaf = grammar.produce("bird", {"wing span": 0.5, "heading": 350}).leaves()[0]
    assert (leaf.attributes["width"], leaf.attributes["rotation"]) == (0.5, -10)


def test_a_rule_is_chosen_by_label_or_number(terminals: Terminals) -> None:
    text = '[b] -> [a] [a]\n[a] -> [circle]\n[a] -> [square] as viewpoint "back"\n[a] -> [star]'
    grammar = Grammar.parse(text, terminals)

    def leaves(rules: dict[str, str | int] | None) -> list[str]:
        return [leaf.symbol for leaf in grammar.produce("b", {}, rules).leaves()]

    assert leaves(None) == ["circle", "circle"]
    assert leaves({"a": "back"}) == ["square", "square"]
    assert leaves({"a": 3, "b": 1}) == ["star", "star"]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"a": "bakc"}, 'no rule labelled "bakc". Did you mean "back"?'),
        ({"a": 0}, "[a] has the rules 1 to 2, but no rule 0."),
        ({"a": 3}, "but no rule 3"),
        ({"a": 1.5}, "but no rule 1.5"),
        ({"c": 1}, "There is no symbol [c]"),
        ({"star": 1}, "[star] is a primitive"),
    ],
)
def test_a_wrong_choice_is_an_error(rules: Any, message: str, terminals: Terminals) -> None:
    grammar = Grammar.parse('[a] -> [circle]\n[a] -> [square] as viewpoint "back"', terminals)
    with pytest.raises(UnrenderError) as caught:
        grammar.produce("a", {}, rules)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"reed": 1}, '[a] has no attribute "reed". Did you mean "red"'),
        ({"positon": (1, 2)}, 'Did you mean "position"'),
        ({"red": 2}, "must lie between 0 and 1, not 2"),
        ({"red": "much"}, "must be a number"),
        ({"red": math.nan}, "must be finite"),
        ({"width": 0}, "must lie between"),
        ({"position": 3}, "The position of [a] must be (x, y), not 3."),
        ({"size": (1, 2, 3)}, "The size of [a] must be (width, height)"),
        ({"size": (1, 2), "width": 3}, '"width" of [a] is given twice'),
        ({"size": (1, None)}, "must be a number"),
    ],
)
def test_wrong_attributes_are_errors(given: Any, message: str, terminals: Terminals) -> None:
    with pytest.raises(UnrenderError) as caught:
        Grammar.parse("[a] -> [circle]", terminals).produce("a", given)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        ("red = 2 * red", "must lie between 0 and 1, not 2"),
        ("width = width - height", "must lie between"),
        ("x = 1 / (red - red)", "divides by zero"),
        ("y = 10 ^ 7", "must lie between"),
    ],
)
def test_a_constraint_that_leaves_the_range_names_rule_part_and_attribute(
    constraint: str, message: str, terminals: Terminals
) -> None:
    grammar = Grammar.parse(f"[a] -> [star] [circle]\n [circle] {constraint}", terminals)
    with pytest.raises(UnrenderError) as caught:
        grammar.produce("a", {})
    name = constraint.split()[0]
    assert str(caught.value).startswith(f'"{name}" of part 2 in [a] -> [star] [circle]: ')
    assert message in str(caught.value)


def test_rounding_does_not_leave_the_range(terminals: Terminals) -> None:
    grammar = Grammar.parse(
        "[a] -> [circle]\n [circle] red = 0.7 + 0.2 + 0.1 + 1e-16 * 3, blue = 0.3 - 0.1 * 3", terminals
    )
    attributes = grammar.produce("a", {}).leaves()[0].attributes
    assert attributes["red"] == pytest.approx(1)
    assert attributes["blue"] == 0


def test_a_few_rules_cannot_fill_the_memory(terminals: Terminals) -> None:
    text = "\n".join(f"[s{i}] -> [s{i + 1}] [s{i + 1}]" for i in range(60)) + "\n[s60] -> [circle]"
    grammar = Grammar.parse(text, terminals)
    with pytest.raises(UnrenderError, match="would produce"):
        grammar.produce("s0", {})
    assert len(grammar.produce("s50", {}).leaves()) == 1024


BORDERED = """
[sign] -> [square] [circle] [triangle]
    [circle] red = 0.5
    [triangle] stroke_red = 0, stroke_green = 0, stroke_blue = 0, thickness = 0.2
"""


def test_a_colour_that_nobody_gave_is_that_of_the_other(terminals: Terminals) -> None:
    grammar = Grammar.parse(BORDERED, terminals)
    assert grammar.produce("circle", {"red": 0.3}).attributes["stroke_red"] == 0.3
    assert grammar.produce("circle", {"stroke_red": 0.3}).attributes["red"] == 0.3
    assert grammar.produce("circle", {}).attributes["stroke_blue"] == 1.0


def test_a_part_that_is_told_its_colour_has_it_inside_and_as_its_stroke(terminals: Terminals) -> None:
    sign = Grammar.parse(BORDERED, terminals).produce("sign", {"red": 1.0, "stroke_green": 0.8})
    square, circle, triangle = (part.attributes for part in sign.parts)
    assert (square["red"], square["stroke_red"], square["stroke_green"]) == (1.0, 0.0, 0.8), "as the whole"
    assert (circle["red"], circle["stroke_red"], circle["stroke_green"]) == (0.5, 0.5, 0.0)
    assert (triangle["red"], triangle["stroke_red"], triangle["stroke_green"]) == (1.0, 0.0, 0.0)

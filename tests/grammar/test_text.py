from __future__ import annotations

from collections.abc import Mapping

import pytest

from unrender.errors import UnrenderError
from unrender.grammar import Attribute, Grammar, Role, RuleKind, Symbol

Terminals = Mapping[str, Symbol]


def test_the_text_of_the_paper_reads_as_a_grammar(terminals: Terminals) -> None:
    grammar = Grammar.parse(
        """
        # The house of the paper's first figure.
        axiom [house]
        attribute wooden: adjective 0..1            # how much of it is wood
        [house] has wooden

        [house] -> [triangle] [square] as viewpoint "front # 1"
            [triangle] y = -height / 4
            [square]   y = height / 4, height = height / 2
        """,
        terminals,
    )
    (rule,) = grammar.rules
    assert grammar.axiom == "house"
    assert (rule.kind, rule.label) == (RuleKind.VIEWPOINT, "front # 1")
    assert [part.symbol for part in rule.parts] == ["triangle", "square"]
    assert list(rule.parts[1].constraints) == ["y", "height"]
    assert grammar.symbol("house").attribute("wooden") == Attribute("wooden")


def test_printing_gives_the_text_that_one_would_write(terminals: Terminals) -> None:
    text = """\
axiom [car]
attribute "very old": adjective default 0.5
attribute heading: preposition period 360
attribute walk: verb -1..2.5
[car] has "very old", heading, walk

[car] -> [car door] [circle] [circle] as style "a sketch"
    [circle]
    [circle] x = width / 2, red = min(0.1, "very old")

[car] -> [circle]

[car door] -> [square] as viewpoint
    [square] width = 0.5 * (width - 1e-05)
"""
    assert str(Grammar.parse(text, terminals)) == text


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("wet: adjective", Attribute("wet")),
        ("walk: verb", Attribute("walk", Role.VERB)),
        ("wet: adjective -2..3.5 default -1", Attribute("wet", low=-2, high=3.5, default=-1)),
        ("heading: preposition period 360", Attribute("heading", Role.PREPOSITION, -180, 180, 360)),
        (
            "heading: preposition 0..90 period 90 default 1e1",
            Attribute("heading", Role.PREPOSITION, 0, 90, 90, 10),
        ),
        ('"car door": verb', Attribute("car door", Role.VERB)),
        ("default: verb default .5", Attribute("default", Role.VERB, default=0.5)),
    ],
)
def test_an_attribute_is_declared_in_one_line(text: str, attribute: Attribute, terminals: Terminals) -> None:
    grammar = Grammar.parse(f'attribute {text}\n[a] has "{attribute.name}"\n[a] -> [star]', terminals)
    assert grammar.symbol("a").attribute(attribute.name) == attribute


def test_lines_go_to_the_parts_in_order_and_greedily_by_name(terminals: Terminals) -> None:
    text = "[a] -> [circle] [star] [circle] [star] [circle]\n"
    text += "[circle] x = 1\n[star] x = 2\n[circle]\n[circle] x = 4"
    rule = Grammar.parse(text, terminals).rules[0]
    assert [str(part.constraints.get("x", "")) for part in rule.parts] == ["1", "2", "", "", "4"]


def test_a_list_may_go_on_after_its_comma(terminals: Terminals) -> None:
    text = "[a] -> [star]\n [star] x = 1,  # right\n\n   y = min(2,\n 3)"
    assert len(Grammar.parse(text, terminals).rules[0].parts[0].constraints) == 2


def test_a_primitive_attribute_needs_no_declaration(terminals: Terminals) -> None:
    grammar = Grammar.parse("[a] has points\n[a] -> [circle]", terminals)
    assert grammar.symbol("a").attribute("points").default == 5
    assert Grammar.parse(str(grammar), terminals) == grammar


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a] ->", "line 1, column 7: expected a part in brackets, found the end of the line."),
        (
            "\n\n[a] -> [star] star",
            'line 3, column 15: expected a part in brackets, "*", "as" or the end of the line, found "star".',
        ),
        ("[a] -> [star", 'line 1, column 8: expected a part in brackets, found a "[" without its "]".'),
        ("[a] -> [star] as", "expected viewpoint, configuration or style, found the end of the line."),
        (
            "[a] -> [star] as styl",
            'line 1, column 18: There is no kind of rule "styl". Did you mean "style"?',
        ),
        (
            '[a] -> [star] as style "x',
            "expected a label in quotes or the end of the line, found a quote that",
        ),
        ('[a] -> [star] as style "\t"', "line 1, column 24: The label '\\t' must be printable"),
        ("[a] -> [star]\n[star] x 3", 'line 2, column 10: expected "=", found "3".'),
        ("[a] -> [star]\n[star] x = * 3", 'line 2, column 12: expected an expression, found "*".'),
        ("[a] -> [star]\n[star] x = (3", 'line 2, column 14: expected an operator or ")", found the end of'),
        ("[a] -> [star]\n[star] x = 1 y = 2", "expected an operator, a comma or the end of the line, found"),
        ("[a] -> [star]\n[star] x = 1, x = 2", 'line 2, column 15: "x" of [star] is constrained twice.'),
        ("[a] -> [star]\n[circle] x = 1", "line 2, column 1: There is no part [circle] in the rule of [a]"),
        (
            "[a] -> [star] [circle]\n[circle]\n[star]",
            "line 3, column 1: There is no part [star] here; they are",
        ),
        ("[star] x = 1", "line 1, column 1: [star] belongs to no rule"),
        ("[a] or [b]", 'line 1, column 8: expected "=", found "[b]".'),
        ("house", 'line 1, column 1: expected a rule, a part or a declaration, found "house".'),
        ("[2] -> [star]", "line 1, column 1: '2' cannot name a symbol"),
        ("axiom house", 'line 1, column 7: expected a symbol in brackets, found "house".'),
        ("axiom [a]\naxiom [b]", "line 2, column 7: The axiom is [a] already."),
        ("attribute wet", "line 1, column 14: expected a colon, found the end of the line."),
        ("attribute wet: nice", 'line 1, column 16: There is no role "nice".'),
        ("attribute wet: verb 0..x", 'line 1, column 24: expected a number, found "x".'),
        (
            "attribute wet: verb 1..0",
            'line 1, column 11: The attribute "wet" cannot be: its range 1..0 is empty.',
        ),
        ("attribute wet: verb 0..1e999", 'line 1, column 11: The attribute "wet" cannot be: all its numbers'),
        (
            "attribute wet: verb\nattribute wet: verb",
            'line 2, column 11: The attribute "wet" exists already.',
        ),
        ("attribute x: verb", 'line 1, column 11: The attribute "x" exists already.'),
        ("attribute size: verb", 'line 1, column 11: "size" stands for width and height'),
        ("[a] has wet", 'line 1, column 9: The attribute "wet" is not declared.'),
        ("[a] has width", 'line 1, column 9: Every symbol has "width" already.'),
        ("[a] has red\n[a] has red", 'line 2, column 9: [a] has "red" already.'),
        ("[star] has red", "line 1, column 1: [star] is a primitive; its attributes are fixed."),
        ("[a] -> [star] \x00", "found '\\x00'."),
    ],
)
def test_a_mistake_is_told_with_its_place_in_plain_words(
    text: str, message: str, terminals: Terminals
) -> None:
    with pytest.raises(UnrenderError) as caught:
        Grammar.parse(text, terminals)
    assert message in str(caught.value)


def test_only_text_can_be_read(terminals: Terminals) -> None:
    with pytest.raises(UnrenderError, match="not from bytes"):
        Grammar.parse(b"[a] -> [star]", terminals)  # type: ignore[arg-type]

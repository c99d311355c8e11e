from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from unrender.errors import UnrenderError, one_line
from unrender.grammar import Attribute, Grammar, Part, Role, Rule, RuleKind, Symbol
from unrender.grammar.attribute import STYLE_NAMES

Terminals = Mapping[str, Symbol]


def names(symbol: Symbol) -> list[str]:
    return [attribute.name for attribute in symbol.attributes]


def test_the_only_top_is_the_axiom(terminals: Terminals) -> None:
    grammar = Grammar.parse("[street] -> [house] [house]\n[house] -> [triangle] [square]", terminals)
    assert grammar.axiom == "street"
    assert grammar.axioms == ("street",)
    assert repr(grammar) == "<Grammar [street], 6 symbols, 2 rules>"


def test_with_several_tops_there_is_no_axiom_until_one_is_named(terminals: Terminals) -> None:
    text = "[table] -> [square]\n[chair] -> [square] [circle]"
    assert Grammar.parse(text, terminals).axiom is None
    assert Grammar.parse(text, terminals).axioms == ("table", "chair")
    assert Grammar.parse("axiom [chair]\n" + text, terminals).axiom == "chair"


def test_a_grammar_may_have_no_rules_yet(terminals: Terminals) -> None:
    grammar = Grammar.parse("# nothing learned so far", terminals)
    assert grammar.rules == ()
    assert grammar.axiom is None
    assert grammar.rules_of("circle") == ()
    assert Grammar(terminals.values(), axiom="circle").axiom == "circle"


def test_a_whole_has_the_attributes_of_all_its_parts_and_its_own(terminals: Terminals) -> None:
    grammar = Grammar.parse(
        """
        attribute old: adjective
        [sky] has old
        [sky] -> [cloud]
        [cloud] -> [circle]
        [cloud] -> [star]
        """,
        terminals,
    )
    assert names(grammar.symbol("cloud")) == [*STYLE_NAMES, "points"]
    assert names(grammar.symbol("sky")) == [*STYLE_NAMES, "points", "old"]
    assert grammar.symbol("sky").attribute("points").default == 5


def test_a_whole_may_declare_an_attribute_of_its_parts_anew(terminals: Terminals) -> None:
    text = "attribute red: adjective default 0.25\n[house] has red\n[house] -> [square]"
    grammar = Grammar.parse(text, terminals)
    assert grammar.symbol("house").attribute("red").default == 0.25
    assert names(grammar.symbol("house")) == list(STYLE_NAMES)
    assert grammar.symbol("square").attribute("red").default == 0


def test_rules_of_a_symbol_keep_their_order(terminals: Terminals) -> None:
    text = (
        '[chair] -> [square] as viewpoint "front"\n[stool] -> [circle]\n[chair] -> [circle] as style "sketch"'
    )
    first, second = Grammar.parse(text, terminals).rules_of("chair")
    assert (first.kind, first.label) == (RuleKind.VIEWPOINT, "front")
    assert (second.kind, second.label) == (RuleKind.STYLE, "sketch")


def test_grammars_are_values(terminals: Terminals) -> None:
    text = "attribute old: adjective\n[a] has old\n[b] -> [a] [circle]\n[a] -> [star]"
    one, other = Grammar.parse(text, terminals), Grammar.parse(text, terminals)
    assert one == other
    assert hash(one) == hash(other)
    assert Grammar(one.symbols.values(), one.rules, one.axiom) == one
    assert Grammar(one.declared, one.rules, one.axiom) == one
    assert one != Grammar.parse(text.replace("circle", "square"), terminals)
    with pytest.raises(AttributeError):
        one.axiom = "a"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[house] -> [sqare]", 'line 1, column 12: There is no symbol [sqare]. Did you mean "square"'),
        ("\n[square] -> [square]", "line 2, column 1: A symbol may not be a part of itself: [square]"),
        ("[a] -> [a]", "line 1, column 1: A symbol may not be a part of itself: [a] -> [a]."),
        ("[b] -> [circle]\n[a] has red", "line 2, column 1: [a] is neither a primitive nor has it a rule."),
        (
            "[a] -> [star]\n[a] -> [star] as style",
            "line 2, column 1: The rule [a] -> [star] as style is given",
        ),
        ("axiom [hose]\n[house] -> [star]", "line 1, column 7: The axiom [hose] is not a symbol"),
        (
            "[a] -> [star]\n [star] pints = 6",
            'line 2, column 9: [star] has no attribute "pints". Did you mean',
        ),
        ("[a] -> [circle]\n [circle] points = 6", '[circle] has no attribute "points"'),
        ("[a] -> [star]\n [star] x = 1, y = hight", 'line 2, column 16: [a] has no attribute "hight".'),
        ("[a] -> [star]\n [star] red = x", 'line 2, column 9: "x" may not stand in an expression'),
        ("[a] -> [star]\n [star] red = 2 + sin(rotation)", '"rotation" may not stand in an expression'),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(text: str, message: str, terminals: Terminals) -> None:
    with pytest.raises(UnrenderError) as caught:
        Grammar.parse(text, terminals)
    assert message in str(caught.value)


def test_recursion_is_refused_and_the_cycle_named(terminals: Terminals) -> None:
    text = "[top] -> [a]\n[a] -> [circle] [b]\n[b] -> [c]\n[c] -> [star] [a]"
    with pytest.raises(UnrenderError, match=r"line 2, .*: \[a\] -> \[b\] -> \[c\] -> \[a\]\.$"):
        Grammar.parse(text, terminals)


def test_two_rules_of_a_symbol_may_not_have_the_same_label(terminals: Terminals) -> None:
    text = '[a] -> [star] as viewpoint "left"\n[a] -> [circle] as style "left"'
    with pytest.raises(UnrenderError, match=r'Two rules of \[a\] have the label "left"'):
        Grammar.parse(text, terminals)


def test_the_same_checks_hold_without_a_text(terminals: Terminals) -> None:
    rule = Rule("house", (Part("square"),))
    with pytest.raises(UnrenderError, match=r"There is no symbol \[house\]"):
        Grammar(terminals.values(), [rule])
    with pytest.raises(UnrenderError, match="given twice"):
        Grammar([*terminals.values(), Symbol("house"), Symbol("house", (Attribute("old"),))], [rule])
    with pytest.raises(UnrenderError, match="neither a primitive"):
        Grammar([*terminals.values(), Symbol("house"), Symbol("barn")], [rule])


@pytest.mark.parametrize(
    "attribute",
    [
        Attribute("size"),
        Attribute("two\nlines"),
        Attribute("old", low=2, high=1),
        Attribute("old", low=1, high=2),
        Attribute("old", high=float("inf")),
        Attribute("old", period=-1),
        Attribute("old", "nonsense"),  # type: ignore[arg-type]
    ],
)
def test_impossible_attributes_are_refused(attribute: Attribute, terminals: Terminals) -> None:
    with pytest.raises(UnrenderError):
        Grammar([*terminals.values(), Symbol("a", (attribute,))], [Rule("a", (Part("star"),))])


def test_one_attribute_name_has_one_meaning(terminals: Terminals) -> None:
    symbols = [Symbol("a", (Attribute("old"),)), Symbol("b", (Attribute("old", Role.VERB),))]
    rules = [Rule("a", (Part("star"),)), Rule("b", (Part("circle"),))]
    with pytest.raises(UnrenderError, match=r'\[a\] and \[b\] declare the attribute "old" differently'):
        Grammar([*terminals.values(), *symbols], rules)


def test_unknown_symbols_are_asked_for_with_a_hint(terminals: Terminals) -> None:
    grammar = Grammar.parse("[house] -> [square]", terminals)
    for ask in (grammar.symbol, grammar.rules_of):
        with pytest.raises(UnrenderError, match='Did you mean "house"'):
            ask("huose")


def test_a_very_deep_grammar_is_refused_in_a_sentence(terminals: Terminals) -> None:
    chain = "\n".join(f"[s{i}] -> [s{i + 1}]" for i in range(5000)) + "\n[s5000] -> [circle]"
    with pytest.raises(UnrenderError, match="levels deep"):
        Grammar.parse(chain, terminals)


def test_a_thousand_symbols_are_read_in_a_moment(terminals: Terminals) -> None:
    text = "\n".join(f"[s{i}] -> [circle] [square]\n [circle] x = width / {i + 1}" for i in range(1000))
    grammar = Grammar.parse(text, terminals)
    assert len(grammar.axioms) == 1000


def test_a_grammar_is_loaded_from_a_file(tmp_path: Path, terminals: Terminals) -> None:
    file = tmp_path / "a.grammar"
    file.write_bytes(b"\xef\xbb\xbf[a] -> [star]\r\n  [star] x = 1\r\n")
    assert Grammar.load(file, terminals) == Grammar.parse("[a] -> [star]\n[star] x = 1", terminals)


def test_a_file_that_cannot_be_read_is_an_error_with_its_name(tmp_path: Path, terminals: Terminals) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "wrong").write_text("[a] ->")
    for path in (tmp_path / "missing", tmp_path, tmp_path / "binary", tmp_path / "wrong", "a\0b"):
        with pytest.raises(UnrenderError) as caught:
            Grammar.load(path, terminals)
        assert one_line(str(path)) in str(caught.value)

"""The paper's section "Connecting Capsules": a higher-level grammar from several grammars."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from unrender.errors import UnrenderError
from unrender.grammar import Grammar, Symbol

Terminals = Mapping[str, Symbol]

LEG = "[table-leg] -> [square]\n [square] width = width / 5\n"
TABLE = "[table] -> [table-leg] [table-leg] [square]\n" + LEG
CHAIR = "[chair] -> [table-leg] [square]\n" + LEG


def test_table_and_chair_make_a_dining_room(terminals: Terminals) -> None:
    table, chair = Grammar.parse(TABLE, terminals), Grammar.parse(CHAIR, terminals)
    room = Grammar.union(table, chair)
    assert room.axiom == "dining-room"
    assert [part.symbol for part in room.rules_of("dining-room")[0].parts] == ["table", "chair"]
    assert len(room.rules_of("table-leg")) == 1
    assert room.rules_of("table") == table.rules_of("table")
    assert room.axioms == ("dining-room",)
    assert Grammar.parse(str(room), terminals) == room


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_the_previous_axioms_stand_side_by_side(count: int, terminals: Terminals) -> None:
    grammars = [Grammar.parse(f"[thing{i}] -> [circle]", terminals) for i in range(count)]
    whole = Grammar.union(*grammars, axiom="row").produce("row", {"position": (50, 20), "size": (120, 120)})
    cell = 120 / count
    for i, part in enumerate(whole.parts):
        assert part.attributes["x"] == pytest.approx(50 - 60 + cell * (i + 0.5))
        assert part.attributes["y"] == 20
        assert part.attributes["width"] == part.attributes["height"] == pytest.approx(cell)


def test_a_low_room_still_does_not_distort_what_stands_in_it(terminals: Terminals) -> None:
    room = Grammar.union(Grammar.parse(TABLE, terminals), Grammar.parse(CHAIR, terminals))
    for part in room.produce("dining-room", {"size": (100, 10)}).parts:
        assert (part.attributes["width"], part.attributes["height"]) == (10, 10)


def test_several_tops_of_one_grammar_are_all_produced(terminals: Terminals) -> None:
    both = Grammar.parse(TABLE + CHAIR.removesuffix(LEG), terminals)
    assert [part.symbol for part in Grammar.union(both).rules[0].parts] == ["table", "chair"]


def test_declared_attributes_are_united(terminals: Terminals) -> None:
    one = Grammar.parse("attribute old: adjective\n[a] has old\n[a] -> [star]", terminals)
    other = Grammar.parse("attribute wet: adjective\n[a] has wet\n[a] -> [circle]", terminals)
    union = Grammar.union(one, other, axiom="b")
    assert [a.name for a in union.symbol("a").attributes][-2:] == ["old", "wet"]
    assert len(union.rules_of("a")) == 2
    assert len(union.rules_of("b")[0].parts) == 1


def test_equal_labels_of_different_rules_are_numbered(terminals: Terminals) -> None:
    one = Grammar.parse('[a] -> [star] as viewpoint "front"', terminals)
    other = Grammar.parse('[a] -> [circle] as viewpoint "front"', terminals)
    assert [r.label for r in Grammar.union(one, other, one).rules_of("a")] == ["front", "front 2"]


def test_unions_can_be_united_under_another_name(terminals: Terminals) -> None:
    room = Grammar.union(Grammar.parse(TABLE, terminals), Grammar.parse(CHAIR, terminals))
    lamp = Grammar.parse("[lamp] -> [circle]", terminals)
    assert Grammar.union(room, lamp, axiom="home").axiom == "home"
    with pytest.raises(UnrenderError, match="another axiom"):
        Grammar.union(room, lamp)


def test_what_contradicts_itself_cannot_be_united(terminals: Terminals) -> None:
    def parse(text: str) -> Grammar:
        return Grammar.parse(text, terminals)

    with pytest.raises(UnrenderError, match=r"\[b\] -> \[a\] -> \[b\]|\[a\] -> \[b\] -> \[a\]"):
        Grammar.union(parse("[a] -> [b]\n[b] -> [star]"), parse("[b] -> [a]\n[a] -> [circle]"))
    with pytest.raises(UnrenderError, match="differently"):
        Grammar.union(
            parse("attribute old: adjective\n[a] has old\n[a] -> [star]"),
            parse("attribute old: verb\n[a] has old\n[a] -> [star]"),
        )
    with pytest.raises(UnrenderError, match=r"\[star\] is not the same"):
        Grammar.union(
            parse("[a] -> [star]"), Grammar.parse("[b] -> [star]", {"star": Symbol("star", terminal=True)})
        )
    with pytest.raises(UnrenderError, match="has an axiom"):
        Grammar.union(parse(""))

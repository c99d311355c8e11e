"""Section "Generative Grammar": a grammar in its text form produces attributes, and these pixels."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from unrender import Grammar, UnrenderError
from unrender.primitives import registry
from unrender.primitives.registry import find, register

HOUSE = """
attribute wooden: adjective
[house] has wooden
[house] -> [triangle] [square]
    [triangle] height = 0.5 * height, y = -0.25 * height
    [square] height = 0.5 * height, y = 0.25 * height, red = 1 - wooden
"""


@pytest.mark.paper("Generative Grammar", "G = (S, V, Σ, R, A, C)", "Generative Grammar: V", "Ω → λ")
def test_a_grammar_has_symbols_and_rules_that_produce_their_parts() -> None:
    grammar = Grammar.parse(HOUSE)
    assert not grammar.symbol("house").terminal
    assert [part.symbol for part in grammar.rules[0].parts] == ["triangle", "square"]
    assert [part.symbol for part in grammar.produce("house", {}).parts] == ["triangle", "square"]


@pytest.mark.paper("Generative Grammar: S")
def test_the_axioms_are_the_symbols_that_nothing_is_made_of() -> None:
    grammar = Grammar.parse(HOUSE + "[street] -> [house] [house]")
    assert [str(own) for own in grammar.axioms] == ["street"]


@pytest.fixture
def disc() -> Iterator[None]:
    """Whatever a test registers as [disc] is forgotten after it."""
    yield
    registry._REGISTRY.pop("disc", None)


@pytest.mark.paper("Generative Grammar: Σ")
def test_a_primitive_that_is_registered_is_a_terminal_symbol_that_can_be_drawn(disc: None) -> None:
    register(replace(find("circle"), name="disc"))
    grammar = Grammar.parse("[pair] -> [disc] [disc]")
    assert grammar.symbol("disc").terminal
    assert grammar.draw("pair", {"size": (40, 40)}, (64, 64))[32, 32].tolist() == [255, 255, 255]


@pytest.mark.paper("Generative Grammar: R")
def test_the_order_of_a_rule_is_the_depth_order() -> None:
    red, blue = "    [circle] red = 1\n", "    [square] blue = 1\n"
    black = {"size": (40, 40), "red": 0.0, "green": 0.0, "blue": 0.0}
    behind = Grammar.parse(f"[sign] -> [circle] [square]\n{red}{blue}").draw("sign", black, (64, 64))[32, 32]
    before = Grammar.parse(f"[sign] -> [square] [circle]\n{blue}{red}").draw("sign", black, (64, 64))[32, 32]
    assert (behind.tolist(), before.tolist()) == ([0, 0, 255], [255, 0, 0])


@pytest.mark.paper("Generative Grammar: A")
def test_every_symbol_has_a_pose_and_every_primitive_a_style() -> None:
    attributes = (
        Grammar.parse(HOUSE).produce("house", {"position": (10, 20), "wooden": 0.25}).leaves()[1].attributes
    )
    assert {"x", "y", "width", "height", "rotation", "red", "green", "blue", "filled"} <= set(attributes)
    assert attributes["red"] == pytest.approx(0.75)


@pytest.mark.paper("Generative Grammar: C")
def test_the_constraints_of_a_rule_say_where_its_parts_stand() -> None:
    roof, body = Grammar.parse(HOUSE).produce("house", {"position": (50, 50), "size": (40, 80)}).parts
    assert (roof.attributes["y"], body.attributes["y"]) == (30, 70)
    assert body.attributes["height"] == 40


@pytest.mark.paper("Generative Grammar: non-recursive")
def test_a_symbol_that_is_made_of_itself_is_refused_by_name() -> None:
    with pytest.raises(UnrenderError, match=r"\[a\].*\[b\]"):
        Grammar.parse("[a] -> [b] [circle]\n[b] -> [a] [circle]")


@pytest.mark.paper("Generative Grammar: viewpoints, configurations, styles")
def test_several_rules_of_one_symbol_are_its_viewpoints_configurations_or_styles() -> None:
    grammar = Grammar.parse(
        '[chair] -> [square] as viewpoint "front"\n[chair] -> [circle] as viewpoint "top"'
    )
    assert [rule.kind.value for rule in grammar.rules_of("chair")] == ["viewpoint", "viewpoint"]
    assert [part.symbol for part in grammar.produce("chair", {}, {"chair": "top"}).parts] == ["circle"]


@pytest.mark.paper("Connecting Capsules")
def test_grammars_are_connected_under_a_new_axiom() -> None:
    room = Grammar.union(Grammar.parse("[table] -> [square]"), Grammar.parse("[chair] -> [circle]"))
    assert [part.symbol for part in room.rules_of(str(room.axiom))[0].parts] == ["table", "chair"]


@pytest.mark.paper("eq:pixLayer")
def test_a_terminal_symbol_becomes_pixels() -> None:
    image = Grammar.parse("[dot] -> [circle]").draw(
        "dot", {"size": (20, 20), "red": 1.0, "green": 0.0, "blue": 0.0}, (64, 64)
    )
    assert (image[..., 0] / 255).sum() == pytest.approx(np.pi * 100, rel=1e-3)

"""Lessons make a new network and leave the old one as it was."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from unrender.capsules.network import Network
from unrender.errors import UnrenderError
from unrender.grammar import Grammar
from unrender.scene import Observation, Scene
from unrender.training.lesson import learn, learn_rules, renamed, without_symbol

HOUSE = Path(__file__).parents[2] / "examples" / "house.grammar"
LOOKS = {"red": 0.9, "green": 0.8, "blue": 0.7, "filled": 1.0, "thickness": 0.1}


def shape(symbol: str, x: float, y: float, w: float, h: float) -> Observation:
    return Observation(symbol, (x, y), (w, h), 0.0, dict(LOOKS))


def scene_of(shapes: Sequence[Observation]) -> Scene:
    return Scene(200, 200, [replace(own, depth=i) for i, own in enumerate(shapes)])


LAMP = [shape("square", 60, 100, 30, 10), shape("triangle", 66, 60, 30, 30)]
FLAG = [shape("square", 60, 100, 6, 60), shape("square", 80, 80, 34, 20)]
EMPTY = Network({})


@pytest.fixture(scope="module")
def network() -> Network:
    network, _ = learn(EMPTY, scene_of(LAMP), "lamp", None)
    scene = network.understand(scene_of([*LAMP, shape("circle", 150, 100, 40, 40)]))
    network, _ = learn(network, scene, "corner", None)
    return network


def test_a_lesson_makes_a_new_network_and_leaves_the_old_one(network: Network) -> None:
    assert EMPTY.capsules == {}
    more, route = learn(network, scene_of(FLAG), "flag", None)
    assert route.name == "flag/1"
    assert route.parts == ("square", "square")
    assert set(more.capsules) == {"lamp", "corner", "flag"}
    assert set(network.capsules) == {"lamp", "corner"}


def test_another_arrangement_of_a_known_name_is_another_route(network: Network) -> None:
    more, route = learn(network, scene_of(FLAG), "lamp", None)
    assert route.name == "lamp/2"
    assert [own.name for own in more.capsules["lamp"].routes] == ["lamp/1", "lamp/2"]


def test_parts_are_kept_back_to_front() -> None:
    scene = scene_of(LAMP)
    _, route = learn(EMPTY, scene, "lamp", scene.axioms[::-1])
    assert route.parts == ("square", "triangle")


def test_a_whole_inherits_the_attributes_of_its_parts(network: Network) -> None:
    assert set(network.capsules["lamp"].names) == set(LOOKS)
    assert set(network.capsules["corner"].names) == set(LOOKS)
    grammar = Grammar.load(HOUSE)
    houses, routes = learn_rules(EMPTY, grammar)
    assert [route.name for route in routes] == ["house/1"]
    assert set(houses.capsules["house"].names) == {*LOOKS, "wooden"}


def test_the_lone_network_knows_its_example(network: Network) -> None:
    route = network.capsules["corner"].routes[0]
    assert route.parts == ("lamp", "circle")
    assert [part.symbol for part in route.memory[0].parts] == ["lamp", "circle"]
    assert route.memory[0].whole.rotation == 0


def test_forgetting_needs_a_symbol_that_is_nobodys_part(network: Network) -> None:
    with pytest.raises(UnrenderError, match=r"\[lamp\] is a part of \[corner\]"):
        without_symbol(network, "lamp")
    assert set(without_symbol(network, "corner").capsules) == {"lamp"}
    with pytest.raises(UnrenderError, match="no symbol"):
        without_symbol(network, "door")


def test_renaming_reaches_the_parts_of_others(network: Network) -> None:
    other = renamed(network, "lamp", "light")
    assert set(other.capsules) == {"light", "corner"}
    assert other.capsules["corner"].routes[0].parts == ("light", "circle")
    assert other.capsules["corner"].routes[0].memory[0].parts[0].symbol == "light"
    assert set(network.capsules) == {"lamp", "corner"}
    scene = other.understand(scene_of([*LAMP, shape("circle", 150, 100, 40, 40)]))
    assert [axiom.symbol for axiom in scene.axioms] == ["corner"]


@pytest.mark.parametrize("name", ["lamp", "corner", "circle", ""])
def test_a_name_that_is_taken_or_empty_is_refused(network: Network, name: str) -> None:
    with pytest.raises(UnrenderError):
        renamed(network, "lamp", name)


@pytest.mark.parametrize("name", ["lamp", "corner"])
def test_nothing_becomes_a_part_of_itself(network: Network, name: str) -> None:
    scene = network.understand(
        scene_of([*LAMP, shape("circle", 150, 100, 40, 40), shape("square", 20, 20, 9, 9)])
    )
    with pytest.raises(UnrenderError, match=rf"\[{name}\] would be a part of itself"):
        learn(network, scene, name, None)


def test_a_grammar_may_build_upon_its_own_symbols() -> None:
    text = HOUSE.read_text().replace("axiom [house]\n", "") + (
        '\n[street] -> [house] [house] as configuration "two"\n'
        "    [house] width = 0.4 * width, x = -0.3 * width\n"
        "    [house] width = 0.4 * width, x = 0.3 * width\n"
    )
    network, routes = learn_rules(EMPTY, Grammar.parse(text))
    assert [route.name for route in routes] == ["house/1", "street/1"]
    assert "wooden" in network.capsules["street"].names

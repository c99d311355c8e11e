"""Lessons make a new network and leave the old one as it was."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from unrender.capsules.network import Network
from unrender.errors import UnrenderError
from unrender.grammar import Grammar
from unrender.grammar.attribute import STROKE_NAMES
from unrender.learning.objects.lesson import learn, learn_rules
from unrender.learning.objects.rename import renamed, without_symbol
from unrender.scene import Observation, Scene

HOUSE = Path(__file__).parents[3] / "examples" / "house.grammar"
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
    network = learn(EMPTY, scene_of(LAMP), "lamp", None).network
    scene = network.understand(scene_of([*LAMP, shape("circle", 150, 100, 40, 40)]))
    return learn(network, scene, "nook", None).network


def test_a_lesson_makes_a_new_network_and_leaves_the_old_one(network: Network) -> None:
    assert EMPTY.capsules == {}
    taught = learn(network, scene_of(FLAG), "flag", None)
    assert taught.route.name == "flag/1"
    assert taught.route.parts == ("square", "square")
    assert set(taught.network.capsules) == {"lamp", "nook", "flag"}
    assert set(network.capsules) == {"lamp", "nook"}


def test_another_arrangement_of_a_known_name_is_another_route(network: Network) -> None:
    taught = learn(network, scene_of(FLAG), "lamp", None)
    assert taught.route.name == "lamp/2"
    assert [own.name for own in taught.network.capsules["lamp"].routes] == ["lamp/1", "lamp/2"]


def test_parts_are_kept_back_to_front() -> None:
    scene = scene_of(LAMP)
    route = learn(EMPTY, scene, "lamp", scene.axioms[::-1]).route
    assert route.parts == ("square", "triangle")


def test_a_whole_inherits_the_attributes_of_its_parts(network: Network) -> None:
    assert set(network.capsules["lamp"].names) == {*LOOKS, *STROKE_NAMES, "corner"}
    assert set(network.capsules["nook"].names) == {*LOOKS, *STROKE_NAMES, "corner"}
    grammar = Grammar.load(HOUSE)
    houses, routes = learn_rules(EMPTY, grammar)
    assert [route.name for route in routes] == ["house/1"]
    assert set(houses.capsules["house"].names) == {*LOOKS, *STROKE_NAMES, "wooden", "corner"}


def test_the_lone_network_knows_its_example(network: Network) -> None:
    route = network.capsules["nook"].routes[0]
    assert route.parts == ("lamp", "circle")
    assert [part.symbol for part in route.memory[0].parts] == ["lamp", "circle"]
    assert route.memory[0].whole.rotation == 0


def test_forgetting_needs_a_symbol_that_is_nobodys_part(network: Network) -> None:
    with pytest.raises(UnrenderError, match=r"\[lamp\] is a part of \[nook\]"):
        without_symbol(network, "lamp")
    assert set(without_symbol(network, "nook").capsules) == {"lamp"}
    with pytest.raises(UnrenderError, match="no symbol"):
        without_symbol(network, "door")


def test_renaming_reaches_the_parts_of_others(network: Network) -> None:
    other = renamed(network, "lamp", "light")
    assert set(other.capsules) == {"light", "nook"}
    assert other.capsules["nook"].routes[0].parts == ("light", "circle")
    assert other.capsules["nook"].routes[0].memory[0].parts[0].symbol == "light"
    assert set(network.capsules) == {"lamp", "nook"}
    scene = other.understand(scene_of([*LAMP, shape("circle", 150, 100, 40, 40)]))
    assert [axiom.symbol for axiom in scene.axioms] == ["nook"]


@pytest.mark.parametrize("name", ["lamp", "nook", "circle", ""])
def test_a_name_that_is_taken_or_empty_is_refused(network: Network, name: str) -> None:
    with pytest.raises(UnrenderError):
        renamed(network, "lamp", name)


def test_nothing_becomes_a_part_of_itself(network: Network) -> None:
    scene = network.understand(
        scene_of([*LAMP, shape("circle", 150, 100, 40, 40), shape("square", 20, 20, 9, 9)])
    )
    with pytest.raises(UnrenderError, match=r"\[lamp\] would be a part of itself"):
        learn(network, scene, "lamp", None)


def test_a_longer_one_of_what_is_known_is_another_form_of_it(network: Network) -> None:
    """A train in which the shorter one is seen is taught as what it is made of."""
    shapes = [*LAMP, shape("circle", 150, 100, 40, 40), shape("square", 20, 20, 9, 9)]
    longer = learn(network, network.understand(scene_of(shapes)), "nook", None)
    assert longer.route.name == "nook/2"
    assert sorted(longer.route.parts) == ["circle", "lamp", "square"]
    (own,) = longer.network.understand(scene_of(shapes)).axioms
    assert (own.symbol, own.route) == ("nook", "nook/2")


def test_a_grammar_may_build_upon_its_own_symbols() -> None:
    text = HOUSE.read_text().replace("axiom [house]\n", "") + (
        '\n[street] -> [house] [house] as configuration "two"\n'
        "    [house] width = 0.4 * width, x = -0.3 * width\n"
        "    [house] width = 0.4 * width, x = 0.3 * width\n"
    )
    network, routes = learn_rules(EMPTY, Grammar.parse(text))
    assert [route.name for route in routes] == ["house/1", "street/1"]
    assert "wooden" in network.capsules["street"].names


# what is known already


def test_what_is_seen_as_what_it_is_called_is_known_already(network: Network) -> None:
    taught = learn(network, network.understand(scene_of(LAMP)), "lamp", None)
    assert taught.network is network
    assert taught.route is network.capsules["lamp"].routes[0]
    assert taught.told == "This lamp is known already, as lamp/1; nothing new was learned."


def test_the_same_parts_again_are_known_already(network: Network) -> None:
    scene = scene_of(LAMP)
    assert not learn(network, scene, "lamp", scene.axioms[::-1]).changed
    assert not learn(network, scene, "lamp", None, "lamp/1").changed


def test_a_known_object_elsewhere_is_one_more_example(network: Network) -> None:
    moved = scene_of([replace(own, position=(own.position[0] + 40, own.position[1])) for own in LAMP])
    for scene in (moved, network.understand(moved)):
        taught = learn(network, scene, "lamp", None)
        assert taught.told == "lamp/1 is known already; learned one more example of it."
        assert len(taught.route.memory) == 1 + len(network.capsules["lamp"].routes[0].memory)


def test_another_regime_is_learned_from_a_known_example(network: Network) -> None:
    taught = learn(network, scene_of(LAMP), "lamp", None, regime="plain")
    assert taught.changed
    assert learn(taught.network, scene_of(LAMP), "lamp", None, regime="plain").changed is False


# what was not seen


CART = [
    shape("square", 60, 60, 60, 20),
    shape("circle", 40, 80, 16, 16),
    shape("circle", 80, 80, 16, 16),
    shape("triangle", 110, 60, 14, 14),
]


def cut_off(network: Network) -> Scene:
    """A cart whose triangle lies outside of the picture, beside a small square."""
    shapes = [*CART[:3], shape("square", 20, 20, 9, 9)]
    return network.understand(Scene(95, 200, [replace(own, depth=i) for i, own in enumerate(shapes)]))


@pytest.fixture(scope="module")
def carts() -> Network:
    return learn(EMPTY, scene_of(CART), "cart", None).network


def test_a_lesson_takes_what_was_seen_of_a_whole_with_hidden_parts(carts: Network) -> None:
    scene = cut_off(carts)
    (guess,) = (axiom for axiom in scene.axioms if axiom.symbol == "cart")
    assert [part.symbol for part in guess.hidden] == ["triangle"]
    taught = learn(carts, scene, "thing", None)
    assert taught.route.parts == ("square", "circle", "circle", "square")
    assert len(carts.capsules["cart"].routes[0].memory) == 1
    assert taught.told == (
        "Learned thing/1 from 4 parts. "
        "Some parts of the cart could not be seen, so only those that could were taken."
    )


def test_a_whole_with_hidden_parts_is_not_taken_when_it_is_chosen_either(carts: Network) -> None:
    scene = cut_off(carts)
    (guess,) = (axiom for axiom in scene.axioms if axiom.symbol == "cart")
    assert learn(carts, scene, "thing", [guess]).route.parts == ("square", "circle", "circle")
    assert learn(carts, scene, "cart", [guess]).route.name == "cart/2"
    with pytest.raises(UnrenderError, match=r"parts of the cart are hidden; show one with all"):
        learn(carts, scene, "cart", [guess], "cart/1")

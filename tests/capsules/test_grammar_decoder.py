"""Capsules whose g is written in a grammar: what was drawn from attributes gives them back."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Brain, Observation, Scene
from unrender.capsules.grammar_decoder import GivenRule
from unrender.grammar import Grammar

HOUSE = (Path(__file__).parents[2] / "examples" / "house.grammar").read_text()
LOOKS = {"red": 0.9, "green": 0.8, "blue": 0.95, "filled": 1.0, "thickness": 0.1}


@pytest.fixture(scope="module")
def brain() -> Brain:
    brain = unrender.open(":memory:")
    assert brain.learn_grammar(HOUSE) == ["house/1"]
    return brain


def house(wooden: float, size: tuple[float, float], rotation: float) -> Observation:
    return Observation("house", (100.0, 90.0), size, rotation, LOOKS | {"wooden": wooden})


def parts_of(top: Observation) -> Scene:
    grammar = Grammar.parse(HOUSE)
    parts = GivenRule(grammar, grammar.rules[0])(top)
    return Scene(200, 200, [replace(part, depth=i) for i, part in enumerate(parts)])


def test_g_is_what_the_grammar_says() -> None:
    grammar = Grammar.parse(HOUSE)
    roof, body = GivenRule(grammar, grammar.rules[0])(house(0.5, (60.0, 80.0), 90.0))
    assert roof.size == pytest.approx((2 * 60 / math.sqrt(3), 48))
    assert roof.position == pytest.approx((100 + 0.2 * 80, 90))
    assert body.size == pytest.approx((48, 44))
    assert body.position == pytest.approx((100 - 0.225 * 80, 90))
    assert body.attributes["blue"] == pytest.approx(0.6 * 0.95 * (1 - 0.35))
    assert body.rotation == roof.rotation == 90


@pytest.mark.parametrize("wooden", [0.0, 0.4, 1.0])
@pytest.mark.parametrize(
    ("size", "rotation"), [((80.0, 80.0), 0.0), ((60.0, 66.0), 30.0), ((100.0, 100.0), -160.0)]
)
def test_a_house_is_understood_with_all_its_attributes(
    brain: Brain, wooden: float, size: tuple[float, float], rotation: float
) -> None:
    (own,) = brain.understand(parts_of(house(wooden, size, rotation))).axioms
    assert own.symbol == "house"
    assert own.route == "house/1"
    assert own.position == pytest.approx((100, 90), abs=0.1)
    assert own.size == pytest.approx(size, rel=0.002)
    assert abs(math.remainder(own.rotation - rotation, 360)) < 0.1
    for name, value in (LOOKS | {"wooden": wooden}).items():
        assert own.attributes[name] == pytest.approx(value, abs=0.04)


def test_a_house_that_is_drawn_is_seen_again(brain: Brain) -> None:
    image = brain.draw("house", position=(60, 62), size=(80, 84), rotation=12, wooden=0.8, canvas=(120, 120))
    (own,) = brain.see(image).axioms
    assert own.symbol == "house"
    assert own.position == pytest.approx((60, 62), abs=0.3)
    assert own.size == pytest.approx((80, 84), rel=0.02)
    assert own.rotation == pytest.approx(12, abs=0.5)
    assert own.attributes["wooden"] == pytest.approx(0.8, abs=0.05)


def test_the_brain_draws_what_the_grammar_draws(brain: Brain) -> None:
    given = {"position": (40, 45), "size": (60, 50), "rotation": 20, "wooden": 1.0, "red": 0.7}
    assert np.array_equal(brain.draw("house", **given), brain.draw("house", **given))
    looks = {"green": 1.0, "blue": 1.0}
    drawn = brain.draw("house", **given, **looks)
    assert np.array_equal(drawn, Grammar.parse(HOUSE).draw("house", given | looks, (84, 84)))


def test_more_can_be_made_of_what_a_grammar_gave(brain: Brain) -> None:
    """A street of two houses inherits `wooden` from them."""
    own = unrender.open(":memory:")
    own.learn_grammar(HOUSE)
    left, right = (
        house(0.2, (60.0, 60.0), 0.0),
        replace(house(0.6, (60.0, 60.0), 0.0), position=(170.0, 90.0)),
    )
    leaves = [*parts_of(left).axioms, *parts_of(right).axioms]
    scene = own.understand(Scene(220, 200, [replace(leaf, depth=i) for i, leaf in enumerate(leaves)]))
    assert [axiom.symbol for axiom in scene.axioms] == ["house", "house"]
    own.teach(scene, "street")
    (street,) = own.understand(scene).axioms
    assert street.symbol == "street"
    assert street.attributes["wooden"] == pytest.approx(0.4, abs=0.04)
    red_less = own.draw("street", wooden=1.0).astype(float) - own.draw("street", wooden=0.0)
    assert red_less[..., 2].sum() < -1000  # wood is less blue

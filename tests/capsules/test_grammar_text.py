"""What a brain knows, written as a grammar, draws the same objects."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Brain, Grammar, Observation, Scene
from unrender.learning.objects.augment import transform

HOUSE = (Path(__file__).parents[2] / "examples" / "house.grammar").read_text()


def shape(symbol: str, x: float, y: float, w: float, h: float, turn: float, red: float) -> Observation:
    looks = {"red": red, "green": 0.8, "blue": 0.7, "filled": 1.0, "thickness": 0.1}
    return Observation(symbol, (x, y), (w, h), turn, looks)


SHIP = [
    shape("square", 100, 100, 20, 50, 0, 0.9),
    shape("triangle", 100, 66, 20, 24, 0, 0.3),
    shape("circle", 118, 95, 10, 10, 0, 0.6),
    shape("triangle", 84, 120, 14, 18, -20, 0.9),
]


def scene_of(shapes: Sequence[Observation]) -> Scene:
    return Scene(200, 200, [replace(own, depth=i) for i, own in enumerate(shapes)])


@pytest.fixture(scope="module")
def brain() -> Brain:
    brain = unrender.open(":memory:")
    brain.teach(scene_of(SHIP), "ship")
    shapes = [*transform(SHIP, (-40.0, 0.0), 0.0, 0.7), shape("circle", 150, 60, 40, 40, 0, 0.5)]
    brain.teach(brain.understand(scene_of(shapes)), "orbit")
    brain.learn_grammar(HOUSE)
    return brain


def difference(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(one.astype(float) - other).mean())


@pytest.mark.parametrize("symbol", ["ship", "orbit", "house"])
def test_the_written_grammar_draws_the_same_object(brain: Brain, symbol: str) -> None:
    again = Grammar.parse(str(brain.grammar))
    sides = (100.0, 70.0) if symbol == "orbit" else (50.0, 80.0)
    given = {"position": (100, 100), "size": sides, "rotation": 25, "red": 0.7, "green": 0.8, "blue": 0.7}
    looks = {"filled": 1.0, "thickness": 0.1}
    drawn = brain.draw(symbol, **given, **looks, canvas=(200, 200))
    assert drawn.any()
    assert difference(drawn, again.draw(symbol, given | looks, (200, 200))) < 0.6


def test_the_text_is_the_same_when_it_is_read_and_written_again(brain: Brain) -> None:
    text = str(brain.grammar)
    assert str(Grammar.parse(text)) == text


def test_a_brain_that_reads_what_another_wrote_sees_the_same_ship(brain: Brain) -> None:
    other = unrender.open(":memory:")
    other.learn_grammar(str(brain.grammar))
    shapes = transform(SHIP, (8.0, 3.0), 70.0, 1.2, (100.0, 100.0))
    (wanted,) = brain.understand(scene_of(shapes)).axioms
    (own,) = other.understand(scene_of(shapes)).axioms
    assert own.symbol == wanted.symbol == "ship"
    assert own.position == pytest.approx(wanted.position, abs=0.5)
    assert own.size == pytest.approx(wanted.size, rel=0.01)
    assert own.rotation == pytest.approx(70, abs=0.5)


def test_every_symbol_and_its_parts_are_written(brain: Brain) -> None:
    rules = {rule.symbol: [part.symbol for part in rule.parts] for rule in brain.grammar.rules}
    assert rules["ship"] == ["square", "triangle", "circle", "triangle"]
    assert rules["orbit"] == ["ship", "circle"]
    assert rules["house"] == ["triangle", "square"]


def test_a_brain_that_knows_nothing_writes_no_rules() -> None:
    assert list(unrender.open(":memory:").grammar.rules) == []

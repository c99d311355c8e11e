"""Number: an object that repeats a part, taught with two counts, is known with all others."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Brain, Grammar, Observation, Scene, UnrenderError
from unrender.capsules.backward import expand
from unrender.learning.objects.augment import transform

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package
LOOKS = {"red": 0.9, "green": 0.3, "blue": 0.4, "filled": 1.0, "thickness": 0.0}


def shape(
    symbol: str, x: float, y: float, w: float, h: float, turn: float = 0.0, **looks: float
) -> Observation:
    return Observation(symbol, (x, y), (w, h), turn, LOOKS | looks)


def scene_of(shapes: list[Observation], side: int = 400) -> Scene:
    return Scene(side, side, [replace(own, depth=i) for i, own in enumerate(shapes)])


def flower(count: int, side: float = 60.0, stem: bool = False) -> list[Observation]:
    turns = [360.0 * k / count for k in range(count)]
    places = [(math.sin(math.radians(t)), -math.cos(math.radians(t))) for t in turns]
    petals = [
        shape("circle", 200 + 0.36 * side * x, 200 + 0.36 * side * y, 0.17 * side, 0.34 * side, turn)
        for (x, y), turn in zip(places, turns, strict=True)
    ]
    stalk = [shape("square", 200, 200 + 0.6 * side, 0.1 * side, 0.7 * side, green=0.9)]
    return [*(stalk if stem else []), *petals, shape("circle", 200, 200, 0.3 * side, 0.3 * side, red=0.1)]


def train(count: int, side: float = 60.0) -> list[Observation]:
    """An engine of three parts, and so many wagons of two."""
    x = 60.0
    made = [
        shape("square", x, 200, 0.5 * side, 0.3 * side),
        shape("square", x - 0.12 * side, 200 - 0.24 * side, 0.2 * side, 0.2 * side),
        shape("circle", x, 200 + 0.2 * side, 0.2 * side, 0.2 * side),
    ]
    for k in range(count):
        x = 60 + (0.58 + 0.56 * k) * side
        made.append(shape("square", x, 200 + 0.02 * side, 0.46 * side, 0.24 * side, green=0.9))
        made.append(shape("circle", x, 200 + 0.2 * side, 0.16 * side, 0.16 * side, blue=0.9))
    return made


def shelf(columns: int, rows: int, side: float = 60.0) -> list[Observation]:
    """A case as large as what stands in it."""
    case = shape("square", 200, 200, (0.3 * columns + 0.1) * side, (0.3 * rows + 0.1) * side)
    books = [
        shape(
            "square",
            200 + (c - (columns - 1) / 2) * 0.3 * side,
            200 + (r - (rows - 1) / 2) * 0.3 * side,
            *(0.2 * side, 0.2 * side),
            red=0.1,
        )
        for r in range(rows)
        for c in range(columns)
    ]
    return [case, *books]


@pytest.fixture(scope="module")
def brain() -> Brain:
    brain = unrender.open()
    for count, side in ((5, 60.0), (7, 48.0)):
        brain.teach(scene_of(flower(count, side)), "flower")
    for count in (2, 3):
        brain.teach(scene_of(train(count)), "train")
    brain.teach(scene_of([shape("square", 50, 50, 30, 20), shape("triangle", 50, 30, 30, 20)]), "house")
    return brain


def seen(brain: Brain, shapes: list[Observation], turn: float = 0.0) -> list[tuple[str, int | None]]:
    moved = transform(shapes, (3.0, -2.0), turn, 1.1, (200.0, 200.0))
    return [(own.symbol, own.count) for own in brain.understand(scene_of(moved)).axioms]


@pytest.mark.parametrize("count", [3, 4, 5, 6, 7, 9, 12])
def test_flowers_of_other_counts_are_flowers(brain: Brain, count: int) -> None:
    assert seen(brain, flower(count, 55.0), 37.0 * count) == [("flower", count)]


@pytest.mark.parametrize("count", [1, 2, 4, 5])
def test_trains_of_other_lengths_are_trains(brain: Brain, count: int) -> None:
    assert seen(brain, train(count, 40.0), 20.0) == [("train", count)]


def test_what_repeats_nothing_has_no_count(brain: Brain) -> None:
    house = [shape("square", 150, 150, 30, 20), shape("triangle", 150, 130, 30, 20)]
    assert seen(brain, house) == [("house", None)]


def test_a_longer_train_can_be_taught(brain: Brain) -> None:
    """It contains the shorter one, and is no part of itself."""
    own = unrender.open()
    own.teach(scene_of(train(2)), "train")
    scene = own.understand(scene_of(train(3)))
    assert "train" in [axiom.symbol for axiom in scene.axioms]
    assert own.teach(scene, "train") == "train/2"
    assert seen(own, train(4, 50.0)) == [("train", 4)]


def test_how_a_part_that_is_there_once_goes_with_the_count() -> None:
    brain = unrender.open()
    for columns, rows in ((2, 2), (3, 2)):
        brain.teach(scene_of(shelf(columns, rows)), "shelf")
    assert seen(brain, shelf(4, 2), 15.0) == [("shelf", 8)]


def test_a_stem_tells_how_a_flower_is_turned() -> None:
    brain = unrender.open()
    for count, side in ((5, 60.0), (8, 60.0)):
        brain.teach(scene_of(flower(count, side, stem=True)), "flower")
    (own,) = brain.understand(
        scene_of(transform(flower(6, 60.0, stem=True), (0, 0), 50.0, 1.0, (200.0, 200.0)))
    ).axioms
    assert own.count == 6
    assert own.rotation == pytest.approx(50.0, abs=0.5)


@pytest.mark.parametrize("count", [3, 9, 12])
def test_a_count_is_drawn_and_read_again(brain: Brain, count: int) -> None:
    """From pixels: what was drawn for a count that nobody has taught."""
    if count < 12:  # petals of twelve touch, and no edge between them can be seen
        scene = brain.see(brain.draw("flower", count=count, canvas=(110, 110)))
        assert [(own.symbol, own.count) for own in scene.axioms] == [("flower", count)]
    assert brain.draw("flower", count=count).shape == (84, 84, 3)


@pytest.mark.parametrize("count", [0, 2, 13, 5.0, True, "five", None])
def test_a_count_that_cannot_be_is_one_clear_error(brain: Brain, count: object) -> None:
    with pytest.raises(UnrenderError, match="whole number from 3 to 12"):
        brain.draw("flower", count=count)


def test_an_object_without_copies_has_no_count_to_draw(brain: Brain) -> None:
    with pytest.raises(UnrenderError, match="repeats nothing"):
        brain.draw("house", count=3)


def test_it_is_one_rule_in_the_text_of_the_grammar(brain: Brain) -> None:
    text = str(brain.grammar)
    assert "[circle]* 3..12 default 5" in text
    assert Grammar.parse(text) == brain.grammar
    other = unrender.open()
    other.learn_grammar(text)
    assert seen(other, flower(6, 55.0)) == [("flower", 6)]
    assert other.draw("flower", count=8).any()


def test_a_brain_file_and_json_keep_it(tmp_path: Path) -> None:
    with unrender.open(tmp_path / "a.brain") as brain:
        for count in (5, 7):
            brain.teach(scene_of(flower(count)), "flower")
    with unrender.open(tmp_path / "a.brain") as brain:
        scene = brain.understand(scene_of(flower(6)))
        (own,) = Scene.from_dict(scene.to_dict()).axioms
        assert own.count == 6
        brain.undo()
        assert seen(brain, flower(6)) != [("flower", 6)]


def test_it_is_described_and_asked_about() -> None:
    brain = unrender.open()
    brain.teach(scene_of(flower(5)[:1]), "petal")
    for count in (5, 7):
        brain.teach(brain.understand(scene_of(flower(count))), "flower")
    scene = brain.understand(scene_of(flower(6)))
    assert [part.symbol for part in scene.axioms[0].parts].count("petal") == 6
    assert "a flower with six petals" in scene.describe()
    assert scene.ask("how many petals has the flower?").value == 6
    assert scene.ask("how many petals does the flower have?").value == 6


def test_what_an_object_has_a_number_of_needs_no_name(brain: Brain) -> None:
    scene = brain.understand(scene_of(flower(6)))
    assert scene.ask("how many petals has the flower?").value == 6
    house = brain.understand(scene_of([shape("square", 50, 50, 30, 20), shape("triangle", 50, 30, 30, 20)]))
    with pytest.raises(UnrenderError, match="petals"):
        house.ask("how many petals has the house?")


def test_a_flower_nobody_has_taught_may_be_a_part(brain: Brain) -> None:
    """The lesson about the whole leaves the flowers that were taught as they were."""
    own = unrender.open()
    for count in (5, 7):
        own.teach(scene_of(flower(count)), "flower")
    scene = own.understand(scene_of([*flower(6), shape("square", 200, 260, 60, 40)]))
    assert sorted(axiom.symbol for axiom in scene.axioms) == ["flower", "square"]
    with pytest.raises(UnrenderError, match="teach it first"):
        own.teach_attribute(scene, next(a for a in scene.axioms if a.symbol == "flower"), "wilted")
    own.teach(scene, "pot")
    assert [len(route.parts) for route in own.symbols["flower"]] == [6, 8]
    assert len(expand(own._knowledge.network, own.understand(scene).axioms[0]).primitives) == 8
    drawn = own._knowledge.network.produce(own.understand(scene).axioms[0])
    flowers = [part for part in drawn if part.symbol == "flower"]
    assert [len(own._knowledge.network.produce(part)) for part in flowers] == [7]
    (pot,) = own.understand(scene).axioms
    assert (pot.symbol, pot.parts[0].count or pot.parts[1].count) == ("pot", 6)


def test_two_different_things_of_one_name_are_no_repetition() -> None:
    brain = unrender.open()
    brain.teach(scene_of(flower(5)), "thing")
    brain.teach(
        scene_of([*train(1), shape("circle", 90, 90, 12, 12), shape("circle", 300, 220, 40, 9)]), "thing"
    )
    with pytest.raises(UnrenderError, match="repeats nothing"):
        brain.draw("thing", count=6)


def test_pictures_of_flowers_by_others_are_counted() -> None:
    world = import_module("toys_world")
    brain = unrender.open()
    for count in (5, 7):
        brain.teach(brain.see(world.lesson(world.flower(count))), "flower")
    for count, turn in ((4, 20.0), (9, -70.0)):
        toy = world.flower(count)
        picture = world.picture([toy.placed((60, 60), 50 / toy.reach, turn)], 120, world.GROUNDS[1])
        assert [(own.symbol, own.count) for own in brain.see(picture).axioms] == [("flower", count)]


@pytest.mark.parametrize("turn", [20.0, -70.0])
def test_twelve_petals_that_touch_are_counted_by_their_outline(turn: float) -> None:
    """After five and seven, which stand apart."""
    world = import_module("toys_world")
    brain = unrender.open()
    for count in (5, 7):
        brain.teach(brain.see(world.lesson(world.flower(count))), "flower")
    toy, rng = world.flower(12), np.random.default_rng(8)
    picture = world.picture(
        [toy.placed((80, 80), 67 / toy.reach, turn)], 160, world.GROUNDS[2], rng, noise=0.015
    )
    assert [(own.symbol, own.count) for own in brain.see(picture).axioms] == [("flower", 12)]

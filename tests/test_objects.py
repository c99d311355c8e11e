"""Objects in unusual circumstances: turned, teachable again, inherited, forgotten, reopened."""

from dataclasses import replace
from pathlib import Path

import pytest

import unrender
from unrender import Observation, Scene, UnrenderError
from unrender.capsules.backward import expand
from unrender.learning.objects.augment import transform
from unrender.primitives.registry import find

HOUSE = (Path(__file__).parents[1] / "examples" / "house.grammar").read_text()
LOOKS = {"red": 0.9, "green": 0.8, "blue": 0.7, "filled": 1.0, "thickness": 0.1}


def shape(symbol, x, y, w, h, turn=0.0, **looks):
    return Observation(symbol, (x, y), (w, h), turn, LOOKS | looks)


def scene_of(shapes, side=200):
    return Scene(side, side, [replace(own, depth=i) for i, own in enumerate(shapes)])


PAIR = [shape("square", 60, 60, 20, 50), shape("triangle", 60, 26, 20, 24)]


def as_seen(part):
    """In the pose in which `see` gives it: turned the least."""
    width, height, turn = find(part.symbol).symmetry.canonical(*part.size, part.rotation)
    return replace(part, size=(width, height), rotation=turn)


@pytest.mark.parametrize("turn", [20.0, 50.0, 100.0, -160.0])
def test_the_size_does_not_depend_on_which_equivalent_poses_the_parts_are_given_in(turn):
    parts = [
        shape("square", 100, 100, 24, 40),
        shape("triangle", 100, 60, 30, 30),
        shape("circle", 125, 100, 16, 16),
    ]
    brain = unrender.open()
    brain.teach(scene_of(parts), "toy")
    (first,) = brain.understand(scene_of(parts)).axioms
    seen = [as_seen(part) for part in transform(parts, (0.0, 0.0), turn, 1.0, (100.0, 100.0))]
    (own,) = brain.understand(scene_of(seen)).axioms
    assert own.rotation == pytest.approx(turn)
    assert own.size == pytest.approx(first.size)
    assert own.position == pytest.approx(
        transform([first], (0.0, 0.0), turn, 1.0, (100.0, 100.0))[0].position
    )


def test_a_whole_of_wholes_may_be_taught_again():
    brain = unrender.open()
    brain.teach(scene_of(PAIR), "booster")
    scene = brain.understand(scene_of([*PAIR, shape("circle", 150, 60, 20, 20)]))
    assert brain.teach(scene, "ship") == "ship/1"
    assert brain.teach(scene, "ship") == "ship/1"


def test_an_attribute_that_a_part_gains_is_inherited_by_everything_above_it():
    brain = unrender.open()
    brain.teach(scene_of(PAIR), "house")
    brain.teach(brain.understand(scene_of([*PAIR, shape("circle", 150, 60, 20, 20)])), "street")
    brain.learn_grammar(HOUSE)
    brain.draw("street", wooden=1.0)
    (own,) = brain.understand(scene_of([*PAIR, shape("circle", 150, 60, 20, 20)])).axioms
    assert own.attributes["wooden"] == 0


def test_a_part_whose_symbol_was_forgotten_is_one_clear_error():
    brain = unrender.open()
    brain.teach(scene_of(PAIR), "booster")
    scene = brain.understand(scene_of([*PAIR, shape("circle", 150, 60, 20, 20)]))
    brain.forget("booster")
    with pytest.raises(UnrenderError, match="booster"):
        brain.teach(scene, "ship")


@pytest.mark.parametrize("size", [(60.0, 80.0), (80.0, 60.0), (60.0, 120.0)])
def test_a_house_of_the_grammar_is_found_at_any_proportion(size):
    brain = unrender.open()
    brain.learn_grammar(HOUSE)
    top = Observation("house", (100.0, 100.0), size, 20.0, LOOKS | {"wooden": 0.7})
    leaves = expand(brain._knowledge.network, top).primitives
    (own,) = brain.understand(scene_of(leaves)).axioms
    assert own.size == pytest.approx(size, rel=0.01)


def test_a_house_taught_by_example_keeps_the_g_and_the_attributes_of_its_grammar():
    brain = unrender.open()
    brain.learn_grammar(HOUSE)
    top = Observation("house", (100.0, 100.0), (80.0, 80.0), 20.0, LOOKS | {"wooden": 0.7})
    scene = scene_of(expand(brain._knowledge.network, top).primitives)
    brain.teach(scene, "house")
    brain.draw("house", wooden=1.0)
    (own,) = brain.understand(scene).axioms
    assert own.attributes["wooden"] == pytest.approx(0.7, abs=0.05)


def test_a_shape_without_looks_does_not_stop_a_grammar():
    brain = unrender.open()
    brain.learn_grammar(HOUSE)
    top = Observation("house", (100.0, 100.0), (80.0, 80.0), 20.0, LOOKS | {"wooden": 0.7})
    leaves = expand(brain._knowledge.network, top).primitives
    brain.understand(scene_of([replace(leaf, attributes={}) for leaf in leaves]))


def test_parts_of_no_extent_are_one_clear_error():
    with pytest.raises(UnrenderError):
        unrender.open().teach(scene_of([shape("circle", 3, 3, 0, 0), shape("square", 10, 3, 10, 5)]), "zero")


def test_an_edit_shows_in_the_dictionary_at_once():
    brain = unrender.open()
    brain.teach(scene_of(PAIR), "booster")
    scene = brain.understand(scene_of(PAIR))
    scene.axioms[0].position = (scene.axioms[0].position[0] + 30, scene.axioms[0].position[1])
    assert scene.to_dict()["axioms"][0]["parts"][0]["position"] == pytest.approx([90, 60])


def test_parts_and_depth_survive_reopening_in_any_order_of_lessons(tmp_path):
    with unrender.open(tmp_path / "a.brain") as brain:
        brain.teach(scene_of(PAIR), "z")
        brain.teach(scene_of([*PAIR[:1], shape("circle", 100, 60, 9, 9)]), "a")
        shapes = scene_of(transform(PAIR, (3.0, 1.0), 33.0, 1.1))
        before = brain.understand(shapes).to_dict()
    with unrender.open(tmp_path / "a.brain") as brain:
        assert brain.understand(shapes).to_dict() == before


def test_an_object_of_one_part_is_told_by_its_proportions() -> None:
    brain = unrender.open()
    brain.teach(brain.see(brain.draw("square", size=(60, 15))), "bar")
    seen = {}
    for size in ((60, 15), (40, 10), (45, 15), (20, 20), (15, 60)):
        seen[size] = [thing.symbol for thing in brain.see(brain.draw("square", size=size)).axioms]
    bar, square = ["bar"], ["square"]
    assert seen == {(60, 15): bar, (40, 10): bar, (45, 15): square, (20, 20): square, (15, 60): bar}


def test_a_lesson_about_a_whole_confirms_the_objects_in_it():
    brain = unrender.open()
    brain.teach(scene_of(PAIR), "house")
    street = brain.understand(scene_of([*PAIR, shape("circle", 150, 60, 20, 20)]))
    brain.teach(street, "street")
    memory = {route.name: len(route.memory) for route in brain._knowledge.network.routes}
    assert memory == {"house/1": 2, "street/1": 1}
    brain.undo()
    assert {route.name: len(route.memory) for route in brain._knowledge.network.routes} == {"house/1": 1}


@pytest.mark.parametrize(("filled", "known"), [(1.0, True), (0.0, False)])
def test_an_outline_hides_nothing(filled, known):
    brain = unrender.open()
    ship = [*PAIR, shape("circle", 100, 60, 20, 20)]
    brain.teach(scene_of(ship), "ship")
    cover = shape("square", 100, 60, 36, 36)
    cover = replace(cover, attributes=cover.attributes | {"filled": filled, "thickness": 0.1})
    seen = brain.understand(scene_of([*PAIR, cover]))
    assert ("ship" in [o.symbol for o in seen.axioms]) is known

"""Mirror images and other proportions, learned from examples and told as attributes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

import unrender
from unrender import Brain, Observation, Scene, UnrenderError
from unrender.learning.objects.augment import transform

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package
LOOKS = {"red": 0.9, "green": 0.3, "blue": 0.4, "filled": 1.0, "thickness": 0.0}


def shape(symbol: str, x: float, y: float, w: float, h: float, **looks: float) -> Observation:
    return Observation(symbol, (200 + x, 200 + y), (w, h), 0.0, LOOKS | looks)


def scene_of(shapes: Sequence[Observation]) -> Scene:
    return Scene(400, 400, [replace(own, depth=i) for i, own in enumerate(shapes)])


def car(longer: float = 1.0, side: float = 60.0) -> list[Observation]:
    return [
        shape("square", 0, -0.2 * side, 0.5 * side * longer, 0.25 * side, blue=0.9),
        shape("square", 0, 0.08 * side, 1.1 * side * longer, 0.26 * side),
        shape("circle", -0.33 * side * longer, 0.22 * side, 0.24 * side, 0.24 * side, red=0.1),
        shape("circle", 0.33 * side * longer, 0.22 * side, 0.24 * side, 0.24 * side, red=0.1),
    ]


def locomotive(over: float = 1.0, side: float = 60.0, longer: float = 1.0) -> list[Observation]:
    """over: -1 for its mirror image."""
    return [
        shape("square", -0.32 * side * over, -0.2 * side, 0.36 * side, 0.5 * side),
        shape(
            "square", 0.16 * longer * side * over, -0.06 * side, 0.62 * longer * side, 0.28 * side, green=0.8
        ),
        shape("circle", -0.32 * side * over, 0.2 * side, 0.3 * side, 0.3 * side, red=0.1),
        shape("circle", 0.2 * side * over, 0.24 * side, 0.2 * side, 0.2 * side, red=0.4),
    ]


@pytest.fixture(scope="module")
def brain() -> Brain:
    brain = unrender.open()
    for longer, side in ((1.0, 60.0), (1.3, 48.0)):
        brain.teach(scene_of(car(longer, side)), "car")
    for over in (1.0, -1.0):
        brain.teach(scene_of(locomotive(over)), "locomotive")
    return brain


def seen(brain: Brain, shapes: Sequence[Observation], turn: float) -> Observation:
    moved = transform(list(shapes), (3.0, -2.0), turn, 1.1, (200.0, 200.0))
    (own,) = brain.understand(scene_of(moved)).axioms
    return own


@pytest.mark.parametrize("longer", [0.7, 0.85, 1.0, 1.2, 1.3, 1.5])
def test_a_car_of_another_length_is_a_car(brain: Brain, longer: float) -> None:
    own = seen(brain, car(longer), 80 * longer)
    assert own.symbol == "car"
    assert own.attributes["stretch"] == pytest.approx(longer, abs=0.02)
    assert "mirrored" not in own.attributes


@pytest.mark.parametrize(("over", "told"), [(1.0, 0.0), (-1.0, 1.0)])
def test_a_mirror_image_is_told_as_such(brain: Brain, over: float, told: float) -> None:
    own = seen(brain, locomotive(over), -35.0)
    assert (own.symbol, own.attributes["mirrored"]) == ("locomotive", told)
    assert "stretch" not in own.attributes


def test_what_has_been_seen_turned_over_is_also_longer_turned_over(brain: Brain) -> None:
    """A longer one was taught; its mirror image, which nobody has shown, is known too."""
    own = unrender.open()
    for over, longer in ((1.0, 1.0), (-1.0, 1.0), (1.0, 1.3)):
        own.teach(scene_of(locomotive(over, longer=longer)), "locomotive")
    found = seen(own, locomotive(-1.0, longer=1.2), 20.0)
    assert found.symbol == "locomotive"
    assert found.attributes["mirrored"] == 1.0


def test_an_object_that_was_shown_one_way_only_has_no_variants() -> None:
    brain = unrender.open()
    brain.teach(scene_of(car()), "car")
    own = seen(brain, car(), 0.0)
    assert not {"mirrored", "stretch"} & own.attributes.keys()
    assert "car" not in [axiom.symbol for axiom in brain.understand(scene_of(car(1.4))).axioms]


def test_wheels_stay_round_in_a_longer_car_that_is_drawn(brain: Brain) -> None:
    (own,) = brain.see(brain.draw("car", stretch=1.5, canvas=(140, 140))).axioms
    assert own.attributes["stretch"] == pytest.approx(1.5, abs=0.03)
    for wheel in [part for part in own.parts if part.symbol == "circle"]:
        assert wheel.size[0] == pytest.approx(wheel.size[1], rel=0.03)


def test_words_for_them(brain: Brain) -> None:
    longer = brain.understand(scene_of(car(1.4)))
    assert "1.4 times as long as usual" in longer.describe()
    over = brain.understand(scene_of(locomotive(-1.0)))
    assert "mirrored" in over.describe()
    assert over.ask("is the locomotive mirrored?").value is True


@pytest.mark.parametrize("value", [0.1, 9, "long", None])
def test_a_stretch_that_cannot_be_is_one_clear_error(brain: Brain, value: object) -> None:
    with pytest.raises(UnrenderError, match='"stretch" of \\[car\\] must lie between'):
        brain.draw("car", stretch=value)


def test_pictures_of_longer_cars_by_others(tmp_path: Path) -> None:
    world = import_module("toys_world")
    with unrender.open(tmp_path / "a.brain") as brain:
        for longer in (1.0, 1.3):
            brain.teach(brain.see(world.lesson(world.car(longer))), "car")
    with unrender.open(tmp_path / "a.brain") as brain:
        toy = world.car(0.8)
        picture = world.picture([toy.placed((60, 60), 52 / toy.reach, 30.0)], 120, world.GROUNDS[1])
        (own,) = brain.see(picture).axioms
        assert own.symbol == "car"
        assert own.attributes["stretch"] == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("longer", [0.75, 1.0, 1.3, 1.5])
def test_what_may_be_stretched_is_found_at_other_lengths_after_one_example(longer: float) -> None:
    brain = unrender.open()
    brain.teach(scene_of(car()), "car")
    brain.allow("car", "stretch")
    own = seen(brain, car(longer), 35.0)
    assert own.symbol == "car"
    assert own.attributes["stretch"] == pytest.approx(longer, abs=0.05)


@pytest.mark.parametrize("over", [1.0, -1.0])
def test_what_may_be_mirrored_is_found_mirrored_after_one_example(over: float) -> None:
    brain = unrender.open()
    brain.teach(scene_of(locomotive()), "locomotive")
    brain.allow("locomotive", "mirrored")
    own = seen(brain, locomotive(over), -70.0)
    assert (own.symbol, own.attributes["mirrored"]) == ("locomotive", float(over < 0))


def test_what_is_allowed_is_kept_and_can_be_undone(tmp_path: Path) -> None:
    with unrender.open(tmp_path / "own.brain") as brain:
        brain.teach(scene_of(locomotive()), "locomotive")
        brain.allow("locomotive", "mirrored", "stretch")
        assert brain.lessons[-1].title == "locomotive may be mirrored and stretched"
    with unrender.open(tmp_path / "own.brain") as brain:
        assert seen(brain, locomotive(-1.0), 20.0).symbol == "locomotive"
        brain.rename("locomotive", "engine")
        assert seen(brain, locomotive(-1.0), 20.0).symbol == "engine"
        brain.undo()
        brain.undo()
        moved = brain.understand(scene_of(locomotive(-1.0)))
        assert "locomotive" not in [axiom.symbol for axiom in moved.axioms]


@pytest.mark.parametrize("names", [(), ("mirror",), ("red",)])
def test_only_variants_can_be_allowed(names: tuple[str, ...]) -> None:
    brain = unrender.open()
    brain.teach(scene_of(car()), "car")
    with pytest.raises(UnrenderError, match="mirrored"):
        brain.allow("car", *names)
    with pytest.raises(UnrenderError, match="no symbol"):
        brain.allow("cart", "mirrored")

"""What is there and what is not: pictures drawn by Pillow, toys of the benchmark, one lesson each."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import unrender
from unrender import Brain, Observation, Scene

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))  # scripts, not a package


@pytest.fixture(scope="module")
def world() -> ModuleType:
    return import_module("toys_world")


@pytest.fixture(scope="module")
def brain(world: ModuleType) -> Brain:
    """Knows a wagon, a house, a lamp and a snowman, each from one picture of it alone."""
    brain = unrender.open()
    for toy in world.toys():
        if toy.name in ("wagon", "house", "lamp", "snowman"):
            brain.teach(brain.see(world.lesson(toy)), toy.name)
    return brain


def toy(world: ModuleType, name: str):
    return next(own for own in world.toys() if own.name == name)


def named(scene: Scene) -> list[str]:
    return [axiom.symbol for axiom in scene.axioms if axiom.parts]


@pytest.mark.parametrize("body", ["disc", "box", "triangle"])
def test_two_small_circles_on_a_big_shape_are_no_wagon(world: ModuleType, brain: Brain, body: str) -> None:
    big = {
        "disc": world.disc(0, 0, 1.2, world.BROWN),
        "box": world.box(0, 0, 1.0, 1.0, world.BROWN),
        "triangle": world.poly(world.BROWN, (-0.7, 0.5), (0.7, 0.5), (0, -0.7)),
    }[body]
    wheels = [world.disc(x, 0.26, 0.26, world.DARK) for x in (-0.3, 0.3)]
    thing = world.Toy("", (big, *wheels)).placed((60, 60), 60.0)
    assert named(brain.see(world.picture([thing], 120, world.GROUNDS[0]))) == []


def test_a_shape_in_front_hides_a_part_and_one_behind_does_not(world: ModuleType, brain: Brain) -> None:
    house = toy(world, "house").placed((80, 80), 80.0)
    roof, window = house.pieces[0], house.pieces[3]
    low, high = window.points.min(0) - 3, window.points.max(0) + 3
    cover = world.box(*(low + high) / 2, *(high - low), world.PLUM)
    in_front = brain.see(world.picture([house, world.Toy("", (cover,))], 160, world.GROUNDS[0]))
    assert named(in_front) == ["house"]
    (own,) = (axiom for axiom in in_front.axioms if axiom.parts)
    assert [part.symbol for part in own.hidden] == ["square"]
    bare = world.Toy("", tuple(piece for piece in house.pieces if piece is not roof))
    behind = world.Toy("", (world.disc(80, 60, 130, world.PLUM),))
    assert named(brain.see(world.picture([behind, bare], 160, world.GROUNDS[0]))) == []


def test_a_part_is_seen_where_the_pixels_agree_whatever_they_were_told_as(
    world: ModuleType, brain: Brain
) -> None:
    """A shade that touches its pole is at times read as a square and triangles."""
    rng = np.random.default_rng(3)
    for turn in (0.0, 35.0, -110.0):
        lamp = toy(world, "lamp").placed((80, 80), 70.0, turn)
        scene = brain.see(world.picture([lamp], 160, world.GROUNDS[1], rng, 0.02))
        assert named(scene) == ["lamp"]
        assert len(scene.axioms) == 1


def test_a_lesson_takes_no_soft_edges_for_parts(world: ModuleType, brain: Brain) -> None:
    (route,) = brain.symbols["snowman"]
    assert sorted(route.parts) in (
        ["circle", "circle", "edge", "square"],
        ["circle", "circle", "square", "square"],
    )


def scattered(rng: np.random.Generator) -> Scene:
    """A ship and three rocks at any places, in any turn: shapes without pixels."""
    looks = {"red": 0.9, "green": 0.9, "blue": 0.9, "filled": 1.0, "thickness": 0.0}
    ship = [("square", 0, 0, 20, 20), ("triangle", 0, -22, 20, 24)]
    rock = [("circle", 0, 0, 30, 30), ("circle", 26, 0, 18, 18), ("circle", 8, 24, 14, 14)]
    nodes = []
    for k, parts in enumerate([ship, rock, rock, rock]):
        centre = np.array([(80, 80), (240, 80), (80, 240), (240, 240)][k]) + rng.uniform(-30, 30, 2)
        turn = rng.uniform(-180, 180)
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        for symbol, x, y, w, h in parts:
            at = centre + np.array([cos * x - sin * y, sin * x + cos * y])
            nodes.append(Observation(symbol, (at[0], at[1]), (w, h), turn, looks, depth=len(nodes)))
    return Scene(320, 320, nodes)


def test_what_stands_anywhere_in_its_examples_is_found_wherever_it_stands() -> None:
    rng, brain = np.random.default_rng(3), unrender.open()
    first = scattered(rng)
    brain.teach(first, "ship", first.axioms[:2])
    brain.teach(first, "rock", first.axioms[2:5])
    for _ in range(3):
        belt = brain.understand(scattered(rng))
        if [own.symbol for own in belt.axioms] != ["belt"]:
            route = "belt/1" if "belt" in brain.symbols else None
            brain.teach(belt, "belt", belt.axioms, route=route)
    for _ in range(4):
        assert [own.symbol for own in brain.understand(scattered(rng)).axioms] == ["belt"]

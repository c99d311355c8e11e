"""A route laid upon parts that it did not see."""

from dataclasses import replace

import numpy as np
import pytest

import unrender
from unrender import Observation, Scene
from unrender.capsules.alignment import strangeness, ways
from unrender.learning.objects.augment import transform
from unrender.learning.objects.lesson import entry_of
from unrender.worlds.blueprints import BLUEPRINTS


def rock(turn: float = 0.0) -> list[Observation]:
    """The three circles of an asteroid."""
    pieces = BLUEPRINTS["asteroid"][0].pieces
    return transform([piece.observed((1.0, 1.0, 1.0)) for piece in pieces], (100.0, 100.0), turn, 2.0)


@pytest.fixture(scope="module")
def brain() -> unrender.Brain:
    brain = unrender.open()
    brain.teach(Scene(200, 200, rock()), "asteroid")
    return brain


def strayed(shapes: list[Observation]) -> list[Observation]:
    """With one part too far from its place to be taken by routing."""
    x, y = shapes[1].position
    return [shapes[0], replace(shapes[1], position=(x + 8.0, y + 5.0)), shapes[2]]


@pytest.mark.parametrize("turn", [0.0, 70.0, 180.0, -110.0])
def test_parts_keep_their_order_however_the_whole_is_turned(brain: unrender.Brain, turn: float) -> None:
    network, shapes = brain._knowledge.network, strayed(rock(turn))
    (route,) = brain.symbols["asteroid"]
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        mixed = [shapes[i] for i in order]
        best = ways(route, mixed, network.turnings)[0]
        assert [shapes.index(part) for part in best.parts if part] == [0, 1, 2]
        entry = entry_of(network, route, mixed)
        assert [part.position for part in entry.parts] == [shape.position for shape in shapes]
        assert abs((entry.whole.rotation - turn + 180.0) % 360.0 - 180.0) < 25.0


def test_what_most_parts_agree_on_is_less_strange_than_a_compromise() -> None:
    one_elsewhere, compromise = np.array([0.0, 0.0, 0.0, 0.1, 3.0]), np.full(5, 0.5)
    assert strangeness(one_elsewhere) < strangeness(compromise)


def test_two_parts_that_agree_are_no_majority() -> None:
    assert strangeness(np.array([0.5, 0.5, 0.5])) < strangeness(np.array([0.0, 0.0, 3.0]))

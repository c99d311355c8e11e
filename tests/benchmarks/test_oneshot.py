"""The truth and the scoring of `benchmarks/oneshot.py`, on which its table rests."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from unrender import Observation
from unrender.capsules.gamma import whole

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package


@pytest.fixture
def objects() -> ModuleType:
    return import_module("objects")


@pytest.fixture
def scenes(objects: ModuleType) -> ModuleType:
    return import_module("oneshot_scenes")


@pytest.fixture
def scoring(objects: ModuleType) -> ModuleType:
    return import_module("oneshot_scoring")


def test_the_true_pose_of_an_object_is_that_of_the_papers_equations(objects: ModuleType) -> None:
    thing = objects.placed(objects.SHIP, (90.0, 70.0), 33.0, 1.4)
    parts = [Observation(s.symbol, s.position, s.size, s.rotation) for s in thing.shapes]
    expected = whole("ship", parts, 33.0)
    assert thing.position == pytest.approx(expected.position)
    assert thing.size == pytest.approx(expected.size)


def test_every_part_can_still_be_seen_at_half_the_taught_size(objects: ModuleType) -> None:
    blueprints = (objects.SHIP, objects.HOOK, *objects.ASTEROIDS)
    assert min(min(shape.size) for b in blueprints for shape in b.shapes) / 2 >= 9


def test_a_look_alike_shares_too_few_parts_with_the_object_to_be_one(objects: ModuleType) -> None:
    other = objects.shuffled(objects.SHIP, np.random.default_rng(0))
    assert objects.common_parts(objects.SHIP, objects.SHIP) == 5
    assert objects.common_parts(objects.SHIP, other) <= 2
    assert objects.common_parts(objects.HOOK, objects.mirrored(objects.HOOK)) <= 3


def test_a_ship_that_lacks_a_part_has_four_to_be_seen(scenes: ModuleType) -> None:
    for picture in scenes.pictures("hidden", 3, 2):
        assert picture.things
        assert all(len(thing.shapes) == 4 and len(thing.missing) == 1 for thing in picture.things)


def test_a_match_has_the_name_and_lies_within_a_quarter_of_the_size(
    objects: ModuleType, scenes: ModuleType, scoring: ModuleType
) -> None:
    thing = objects.placed(objects.SHIP, (90.0, 70.0))
    picture = scenes.Picture("one", np.zeros((8, 8, 3), np.uint8), (thing,))

    def f1(name: str, offset: float) -> float:
        guess = scoring.Finding(name, (90.0 + offset * thing.reach, 70.0), thing.size, 0.0)
        value: float = scoring.score(picture, [guess], 0.0).f1
        return value

    assert f1("ship", 0.24) == 1.0
    assert f1("ship", 0.26) == 0.0
    assert f1("hook", 0.0) == 0.0


def test_the_table_says_whether_we_are_ahead_and_faster(scoring: ModuleType) -> None:
    table = import_module("oneshot_table")

    def verdicts(true: int, ours: tuple[int, float], theirs: tuple[int, float]) -> list[bool]:
        scores = {
            name: scoring.Score(
                true, found, min(found, true), seconds=[seconds], alarmed=found > 0, pictures=1
            )
            for name, (found, seconds) in {"unrender": ours, "template": theirs}.items()
        }
        return [line.passed for line in table.compared(scores["unrender"], scores)]

    assert verdicts(2, (2, 0.1), (1, 0.2)) == [True, True]
    assert verdicts(2, (1, 0.2), (1, 0.1)) == [False, False]
    assert verdicts(0, (0, 0.1), (1, 0.2)) == [True, True]
    assert verdicts(0, (1, 0.1), (0, 0.2)) == [False, True]

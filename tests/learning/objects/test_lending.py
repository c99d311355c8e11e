"""How much parts vary is learned once and lent to new objects: a later one is known from one example."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender.capsules.poses import ROTATION, WIDTH

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))  # scripts, not a package


def test_a_later_object_of_a_world_is_known_from_its_first_example(tmp_path: Path) -> None:
    world, rng = import_module("lending"), np.random.default_rng(12)
    with unrender.open(tmp_path / "a.brain") as brain:
        for k in range(5):
            own = world.thing(rng, f"thing{chr(97 + k)}")
            for _ in range(3):
                world.taught_once(brain, own, rng)
        late = world.thing(rng, "late")
        world.taught_once(brain, late, rng)
        (route,) = brain.symbols["late"]
        lent = dict(zip(route.parts, route.lent, strict=True))
        if "circle" in lent:
            assert lent["circle"][WIDTH] == pytest.approx(world.SIZES, rel=0.5)
        if "square" in lent:
            assert lent["square"][ROTATION] == pytest.approx(world.TURNS, rel=0.5)
    alone = unrender.open()
    world.taught_once(alone, late, rng)
    with unrender.open(tmp_path / "a.brain") as brain:  # what was lent is kept
        assert brain.symbols["late"][0].lent == route.lent
        with_help, without = (world.recall(own, late, np.random.default_rng(1), 10) for own in (brain, alone))
    assert with_help >= 0.7
    assert without <= with_help - 0.3


def test_a_first_object_is_lent_nothing() -> None:
    world, rng = import_module("lending"), np.random.default_rng(3)
    brain = unrender.open()
    world.taught_once(brain, world.thing(rng, "first"), rng)
    assert brain.symbols["first"][0].lent == ()

"""Joints: an arm that is raised about its shoulder, taught from three pictures and read on others."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import unrender
from unrender import Brain, Observation

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))  # scripts, not a package
EXAMPLES = {45.0: 0.3, 90.0: 0.6, 150.0: 1.0}  # degrees, and what they are told to be


@pytest.fixture(scope="module")
def world() -> ModuleType:
    return import_module("toys_world")


def seen(brain: Brain, world: ModuleType, arm: float, turn: float = 0.0) -> list[Observation]:
    toy = world.robot(arm)
    picture = world.picture([toy.placed((60, 60), 48 / toy.reach, turn)], 120, world.GROUNDS[0])
    return [own for own in brain.see(picture).axioms if own.symbol == "robot"]


@pytest.fixture(scope="module")
def brain(world: ModuleType) -> Brain:
    brain = unrender.open()
    brain.teach(brain.see(world.lesson(world.robot())), "robot")
    for arm, value in EXAMPLES.items():
        scene = brain.see(world.lesson(world.robot(arm)))
        (robot,) = scene.axioms  # an arm that has moved away is still its arm
        assert len(robot.parts) == 8
        brain.teach_attribute(scene, robot, "waving", value)
    return brain


def test_a_raised_arm_does_not_turn_the_robot(brain: Brain) -> None:
    (route,) = brain.symbols["robot"]
    assert [entry.whole.rotation for entry in route.memory] == pytest.approx([0.0] * 4, abs=0.5)
    ratios = [entry.whole.size[1] / entry.whole.size[0] for entry in route.memory]
    assert ratios == pytest.approx([ratios[0]] * 4, rel=0.02)


def test_the_joint_has_its_pivot_at_the_shoulder_and_its_range(brain: Brain, world: ModuleType) -> None:
    (route,) = brain.symbols["robot"]
    (joint,) = route.joints
    assert joint.angles == pytest.approx([0, -45, -90, -150], abs=1.0)
    whole = route.memory[0].whole
    scale = float(np.sqrt(whole.size[0] * whole.size[1]))
    shoulder = np.add(joint.pivot * scale, whole.position)
    toy = world.robot()
    wanted = (np.array([0.34, -0.22]) - toy.centre) * 48 / toy.reach + 60
    assert shoulder == pytest.approx(wanted, abs=1.0)


@pytest.mark.parametrize(
    ("arm", "turn"), [(0.0, 0.0), (28.0, 170.0), (70.0, -40.0), (120.0, 95.0), (150.0, 10.0)]
)
def test_how_far_it_is_raised_is_read(brain: Brain, world: ModuleType, arm: float, turn: float) -> None:
    (robot,) = seen(brain, world, arm, turn)
    assert robot.attributes["waving"] == pytest.approx(arm / 150, abs=0.05)
    assert abs((robot.rotation - turn + 180) % 360 - 180) < 2.0


def test_it_is_drawn_along_the_arc(brain: Brain) -> None:
    """What is drawn half way is read half way, and its arm is as far from the shoulder as ever."""
    drawn = brain.draw("robot", waving=0.5, canvas=np.full((120, 120, 3), 250, np.uint8))
    (robot,) = brain.see(drawn).axioms
    assert robot.attributes["waving"] == pytest.approx(0.5, abs=0.05)

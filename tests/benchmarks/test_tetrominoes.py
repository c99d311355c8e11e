"""The scenes of `benchmarks/tetrominoes.py`, and that what was taught once is found in them."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import unrender

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package


@pytest.fixture
def world() -> ModuleType:
    return import_module("tetro_world")


def test_the_seven_kinds_have_nineteen_forms_of_four_tiles(world: ModuleType) -> None:
    forms = [(kind, world.form(kind, turns)) for kind in world.KINDS for turns in range(4)]
    assert len({(kind, form.shape, form.tobytes()) for kind, form in forms}) == 19
    assert {int(form.sum()) for _, form in forms} == {4}


@pytest.mark.parametrize("grid", [False, True])
def test_three_pieces_never_overlap_and_make_the_picture(world: ModuleType, grid: bool) -> None:
    random = np.random.default_rng(4)
    for _ in range(20):
        scene = world.random_scene(random, grid)
        masks = [piece.mask for piece in scene.pieces]
        assert [int(mask.sum()) for mask in masks] == [100] * 3
        assert np.sum(masks, axis=0).max() == 1
        for piece, mask in zip(scene.pieces, masks, strict=True):
            assert (scene.image[mask] == world.COLOURS[piece.colour]).all()
            assert not grid or (piece.x % 5, piece.y % 5) == (0, 0)
        assert not scene.image[~np.any(masks, axis=0)].any()


def test_kinds_that_were_taught_once_are_found(world: ModuleType) -> None:
    benchmark = import_module("tetrominoes")
    brain = unrender.open()
    assert benchmark.teach(brain) < 5
    seen = benchmark.look(brain, seed=5, count=4, grid=False)
    assert [one.right for one in seen] == [True] * 4


def test_a_patch_that_can_be_filled_in_several_ways_has_several_readings(world: ModuleType) -> None:
    readings = import_module("tetro_readings")
    boxes = [world.Piece("O", 0, 0, y, "red") for y in (0, 10)]
    apart = world.Piece("T", 1, 20, 5, "red")
    for_sure = world.TetroScene.of([boxes[0], apart])
    assert [(set(reading), p) for reading, p in readings.readings(for_sure)] == [({boxes[0], apart}, 1.0)]
    every = readings.readings(world.TetroScene.of([*boxes, apart]))
    names = sorted("".join(sorted(piece.kind for piece in reading)) for reading, _ in every)
    assert names == ["IIT", "JJT", "LLT", "OOT"]
    likeliest, p = max(every, key=lambda one: one[1])
    assert set(likeliest) == {*boxes, apart}
    assert p == pytest.approx(16 / 22)  # a bar looks the same in two turns, a hook in one


def test_nobody_can_expect_to_be_right_about_what_cannot_be_seen(world: ModuleType) -> None:
    readings = import_module("tetro_readings")
    pieces = [world.Piece("O", 0, 0, 0, "red"), world.Piece("O", 0, 0, 10, "red")]
    sure = readings.expected([world.TetroScene.of([pieces[0], world.Piece("O", 0, 0, 10, "blue")])])
    unsure = readings.expected([world.TetroScene.of(pieces)])
    assert (sure.ari, sure.mean_iou, sure.ambiguous) == (1, 1, 0)
    assert unsure.ambiguous == 1
    assert unsure.ari < 0.9
    assert unsure.mean_iou < 0.9

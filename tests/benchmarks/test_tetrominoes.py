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

"""The pictures of `benchmarks/dsprites.py` are those that were published, as far as that is known."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package


@pytest.fixture(scope="module")
def scenes() -> ModuleType:
    return import_module("dsprites_scenes")


def test_as_many_pixels_are_painted_as_in_dsprites(scenes: ModuleType) -> None:
    shares = [
        scenes.silhouette(kind, (31.0, 33.0), scale, turn).mean()
        for kind in scenes.CLASSES
        for scale in scenes.SCALES
        for turn in scenes.TURNS[::4]
    ]
    assert np.mean(shares) == pytest.approx(0.0425, abs=0.0005)


def test_a_pixel_is_painted_if_its_centre_lies_inside(scenes: ModuleType) -> None:
    mask = scenes.inside(np.array([(2.4, 1.0), (5.6, 1.0), (5.6, 3.4), (2.4, 3.4)]), 8)
    rows, columns = np.nonzero(mask)
    assert (set(rows), set(columns)) == ({1, 2}, {2, 3, 4, 5})  # row 3 has its centre at 3.5


def test_the_heart_stands_upright_and_has_a_notch(scenes: ModuleType) -> None:
    heart = scenes.lesson()[..., 0] > 0
    assert (heart == heart[:, ::-1]).all()
    top, bottom = np.nonzero(heart.any(axis=1))[0][[0, -1]]
    assert not heart[top, 31]
    assert heart[bottom].sum() <= 2


def test_every_pixel_shows_the_foremost_sprite_or_the_ground(scenes: ModuleType) -> None:
    for picture in scenes.pictures(5, 6):
        assert 2 <= len(picture.sprites) <= 5
        count = np.sum([sprite.mask for sprite in picture.sprites], axis=0)
        assert count.max() == 1
        for sprite in picture.sprites:
            assert (picture.image[sprite.mask] == sprite.colour).all()
        assert len(np.unique(picture.image[count == 0])) == 1


def test_a_picture_does_not_depend_on_how_many_there_are(scenes: ModuleType) -> None:
    assert (scenes.pictures(8, 3)[1].image == scenes.pictures(8, 2)[1].image).all()

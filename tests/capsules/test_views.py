"""Areas of a picture show every network what it would see of the whole."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from unrender.capsules.encoder import STRIDE
from unrender.capsules.library import shipped
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.views import BORDER, NEAR, View, bordered, views

FINE = [0]


def _pyramid(height: int, width: int) -> Pyramid:
    """A picture of soft noise, which has something to see everywhere."""
    generator = torch.Generator().manual_seed(5)
    coarse = torch.rand(1, 3, height // 6, width // 6, generator=generator)
    return Pyramid.of(torch.nn.functional.interpolate(coarse, (height, width), mode="bilinear")[0])


def _marked(height: int, width: int, *places: tuple[int, int]) -> NDArray[np.bool_]:
    where = np.zeros((height, width), bool)
    for row, column in places:
        where[row : row + 4, column : column + 4] = True
    return where


def _said(several: list[View]) -> dict[tuple[int, int], torch.Tensor]:
    """What the first capsule says at every place that counts, by row and column of the level."""
    encoder, said = shipped()[0].encoder, {}
    with torch.no_grad():
        for view in several:
            output = encoder(view.pixels)[0]
            for i in range(view.rows.start, view.rows.stop):
                for j in range(view.columns.start, view.columns.stop):
                    said[view.top + i * STRIDE, view.left + j * STRIDE] = output[:, i, j]
    return said


@pytest.mark.parametrize("place", [(100, 140), (0, 0), (236, 296)])
def test_an_area_tells_what_the_whole_tells(place: tuple[int, int]) -> None:
    pyramid, where = _pyramid(240, 300), _marked(240, 300, place)
    (area,) = views(pyramid, where, FINE)
    assert area.pixels[0, 0].numel() < 0.5 * 240 * 300
    whole, part = _said(list(views(pyramid, None, FINE))), _said([area])
    assert part
    for at, values in part.items():
        assert torch.allclose(values, whole[at], atol=1e-3)


def test_all_centres_near_what_is_looked_for_are_among_the_areas() -> None:
    places = [(30, 40), (50, 60), (200, 260), (20, 400)]
    several = list(views(_pyramid(320, 480), _marked(320, 480, *places), FINE))
    assert 1 < len(several) < len(places)  # the two that are close are one
    told = set(_said(several))
    for row, column in places:
        for far in (-NEAR, NEAR):
            y, x = max(row + far, 0), max(column + far, 0)
            assert (
                (y + BORDER) // STRIDE * STRIDE - BORDER,
                (x + BORDER) // STRIDE * STRIDE - BORDER,
            ) in told


def test_where_nearly_everything_is_to_be_looked_at_the_level_is_one_view() -> None:
    everywhere = np.ones((240, 300), bool)
    assert len(list(views(_pyramid(240, 300), everywhere, FINE))) == 1
    scattered = _marked(240, 300, *[(row, column) for row in (20, 120, 220) for column in range(20, 280, 60)])
    assert len(list(views(_pyramid(240, 300), scattered, FINE))) == 1


def test_many_small_spots_of_a_large_picture_are_a_few_areas() -> None:
    rng = np.random.default_rng(2)
    where = _marked(1200, 1600, *[tuple(rng.integers(0, 1200, 2).tolist()) for _ in range(300)])
    several = list(views(_pyramid(1200, 1600), where, FINE))
    assert len(several) < 64
    assert all(view.pixels.shape[2] <= 512 + 2 * 36 for view in several)


def test_the_border_goes_on_with_the_outermost_pixels() -> None:
    pyramid = _pyramid(61, 90)
    level = pyramid.levels[1]
    padded = bordered(pyramid, 1)[0]
    assert padded.shape[1] % STRIDE == 0
    assert padded.shape[2] % STRIDE == 0
    inner = padded[:, BORDER : BORDER + level.shape[1], BORDER : BORDER + level.shape[2]]
    assert torch.equal(inner, level)
    top = pyramid.levels[0][:, 0].reshape(3, -1, 2).mean(2)
    assert torch.allclose(padded[:, 0, BORDER : BORDER + level.shape[2]], top, atol=1e-6)

"""The image pyramid: halves of halves, read at any place of any level in one go."""

from itertools import pairwise

import pytest
import torch

from unrender.capsules.pyramid import SMALLEST, Pyramid


def picture(height: int, width: int) -> torch.Tensor:
    return torch.rand(3, height, width, generator=torch.Generator().manual_seed(2))


@pytest.mark.parametrize(("height", "width"), [(16, 16), (24, 24), (97, 61), (128, 200), (400, 30)])
def test_every_level_is_half_as_large_until_there_is_nothing_to_see(height: int, width: int) -> None:
    pyramid = Pyramid.of(picture(height, width))
    sides = [level.shape[1:] for level in pyramid.levels]
    assert sides[0] == (height, width)
    for (h, w), (half_h, half_w) in pairwise(sides):
        assert (half_h, half_w) == ((h + 1) // 2, (w + 1) // 2)
    assert min(sides[-1]) // 2 < SMALLEST
    assert all(min(side) >= SMALLEST for side in sides)
    assert pyramid.height.tolist() == [h for h, _ in sides]
    assert pyramid.width.tolist() == [w for _, w in sides]


def test_every_pixel_is_the_mean_of_the_four_below_it() -> None:
    pyramid = Pyramid.of(picture(96, 64))
    for below, above in pairwise(pyramid.levels):
        four = below.unflatten(1, (-1, 2)).unflatten(3, (-1, 2))
        assert torch.allclose(above, four.mean((2, 4)), atol=1e-6)


def test_an_odd_side_repeats_its_last_pixel() -> None:
    level = Pyramid.of(picture(49, 50)).levels[1]
    source = picture(49, 50)
    assert torch.allclose(level[:, -1, 0], source[:, 48, :2].mean(1), atol=1e-6)
    flat = Pyramid.of(torch.full((3, 77, 51), 0.3))
    assert all(torch.allclose(level, torch.tensor(0.3)) for level in flat.levels)


def test_pixels_of_any_level_are_read_in_one_go() -> None:
    pyramid = Pyramid.of(picture(80, 100))
    levels = torch.tensor([0, 2, 1])
    rng = torch.Generator().manual_seed(3)
    x, y = torch.rand(2, 3, 40, generator=rng) * torch.tensor([100.0, 80.0])[:, None, None]
    scale = torch.exp2(levels)[:, None]
    values, at_x, at_y, there = pyramid.read(levels, x / scale, y / scale)
    assert values.shape == (3, 3, 40)
    assert there.all()
    for i, level in enumerate(levels.tolist()):
        column, row = (x[i] / scale[i]).floor().long(), (y[i] / scale[i]).floor().long()
        assert torch.equal(values[i], pyramid.levels[level][:, row, column])
        assert torch.equal(at_x[i], column + 0.5)
        assert torch.equal(at_y[i], row + 0.5)


def test_points_outside_read_the_nearest_border_and_say_so() -> None:
    pyramid = Pyramid.of(picture(20, 30))
    x = torch.tensor([[-5.0, 30.0, 29.9, 10.0, 0.0]])
    y = torch.tensor([[3.0, 3.0, 3.0, 25.0, -0.1]])
    values, at_x, at_y, there = pyramid.read(torch.tensor([0]), x, y)
    assert there.tolist() == [[False, False, True, False, False]]
    assert at_x.tolist() == [[-4.5, 30.5, 29.5, 10.5, 0.5]]
    assert at_y.tolist() == [[3.5, 3.5, 3.5, 25.5, -0.5]]
    assert torch.equal(values[0, :, 0], pyramid.levels[0][:, 3, 0])

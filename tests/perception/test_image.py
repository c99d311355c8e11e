"""The image model: noise, background, texture and regions are what was drawn."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from unrender.perception.image.background import estimate_background, unlike_background
from unrender.perception.image.model import ImageModel
from unrender.perception.image.noise import estimate_noise
from unrender.perception.image.regions import WALK, divide, edge_points
from unrender.perception.image.residual import unexplained
from unrender.perception.image.texture import estimate_texture

sys.path.insert(0, str(Path(__file__).parent))
from drawing import picture

GREY, RED, BLUE = (0.7, 0.7, 0.7), (0.9, 0.2, 0.1), (0.2, 0.3, 0.9)


@pytest.mark.parametrize("ground", [(0.5, 0.4, 0.6), (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)])
@pytest.mark.parametrize("noise", [0.01, 0.04])
def test_noise_is_measured_even_where_it_is_cut_off(ground: tuple, noise: float) -> None:
    image = picture((96, 96), ground, [("circle", 40, 40, 30, 30, 0, RED, None, 0)], noise)
    assert estimate_noise(image) == pytest.approx(noise, rel=0.35)


def test_the_background_is_the_most_frequent_colour() -> None:
    image = picture((96, 96), GREY, [("square", 40, 40, 50, 60, 0, RED, None, 0)], 0.01)
    background = estimate_background(image, 0.01)
    assert np.abs(background - np.array(GREY)).max() < 0.01


def test_a_radial_gradient_is_a_background() -> None:
    y, x = np.mgrid[0:96, 0:128]
    far = np.hypot(x - 30, y - 60)[:, :, None] / 150
    image = (np.array(RED) + far * (np.array(BLUE) - np.array(RED))).astype(np.float32)
    assert np.abs(estimate_background(image, 0.003) - image).max() < 0.03


def test_a_pale_shape_in_noise_is_no_gradient_of_the_background() -> None:
    pale, paler = (0.95, 0.9, 0.75), (0.97, 0.94, 0.88)
    image = picture((160, 160), paler, [("square", 80, 80, 86, 74, 0.4, pale, None, 0)], 0.02)
    background = estimate_background(image, 0.02)
    assert np.abs(background - np.array(paler)).max() < 0.01


def test_pixels_beyond_the_noise_are_unlike_the_background() -> None:
    image = picture((64, 64), GREY, [("square", 30, 34, 20, 12, 0, RED, None, 0)])
    found = unlike_background(image, estimate_background(image, 0.002), np.full((64, 64), 16 * 0.002**2))
    assert found[29:39, 21:39].all()
    assert found.sum() < 22 * 14 + 1


def test_texture_is_predicted_from_pixel_to_pixel_and_noise_is_not() -> None:
    rng = np.random.default_rng(0)
    flat = np.full((96, 96, 3), 0.5, np.float32)
    noise = (flat + rng.normal(0, 0.05, flat.shape)).astype(np.float32)
    texture, fresh = estimate_texture(noise, flat, 0.05)
    assert len(texture) == 0
    assert fresh == 0.05
    clouds = gaussian_filter(rng.standard_normal((96, 96)), 3)
    cloudy = (noise + (0.1 * clouds / clouds.std())[:, :, None]).astype(np.float32)
    texture, fresh = estimate_texture(cloudy, flat, 0.05)
    assert len(texture) > 0
    assert 0.05 <= fresh < 0.09  # the clouds themselves are taken off


def test_regions_are_the_colours_and_their_edges_are_known_to_a_part_of_a_pixel() -> None:
    shapes = [("square", 30.3, 32.6, 24.2, 18, 0, RED, None, 0), ("circle", 46, 36, 20, 20, 0, BLUE, None, 0)]
    model = ImageModel.of(picture((72, 64), GREY, shapes, 0.005))
    image, ground = model.image, model.background
    foreground = unlike_background(image, ground, 16 * model.channel_variance)
    regions = divide(image, foreground, ground, model.channel_variance)
    solid = np.nonzero(regions.solid)[0]
    assert len(solid) == 2
    red = min(solid, key=lambda k: np.abs(regions.colour[k] - RED).sum())
    assert regions.colour[red] == pytest.approx(RED, abs=0.01)
    x, y, beside = edge_points(
        image, ground, regions.labels, regions.colour, regions.solid, red, regions.window(int(red)), WALK
    )
    left = (beside == 0) & (x < 20) & (np.abs(y - 32) < 6)
    assert np.abs(x[left] - (30.3 - 12.1)).max() < 0.1
    other = int(next(k for k in solid if k != red))
    assert other in beside


def test_what_looks_wrong_is_divided_by_colour_though_it_is_connected() -> None:
    shapes = [("circle", 26, 30, 30, 30, 0, None, RED, 1.2), ("circle", 44, 34, 30, 30, 0, None, BLUE, 1.2)]
    image = picture((72, 64), GREY, shapes)
    canvas = np.broadcast_to(np.array(GREY, np.float32), image.shape).copy()
    rest = unexplained(image, canvas, np.abs(image - canvas).max(2) > 0.05, 0.002)
    large = [k for k in range(1, len(rest.area)) if rest.area[k] > 60]
    assert len(large) == 2
    colours = sorted(rest.colour[k].tolist() for k in large)
    assert np.allclose(colours, sorted([list(RED), list(BLUE)]), atol=0.2)


def test_faint_waves_under_noise_are_texture() -> None:
    rng = np.random.default_rng(3)
    y, x = np.mgrid[0:128, 0:128]
    waves = 0.5 + 0.03 * np.sin(2 * np.pi * (0.6 * x + 0.8 * y) / 30)
    image = np.repeat(waves[..., None], 3, 2) + rng.normal(0, 0.08, (128, 128, 3))
    assert len(ImageModel.of(image.astype(np.float32)).texture)
    assert not len(ImageModel.of((image - waves[..., None] + 0.5).astype(np.float32)).texture)


def test_the_colour_of_a_large_noisy_background_is_that_of_all_its_pixels() -> None:
    """A sample of some thousand pixels is off by so much that a shape of nearly its colour would pay."""
    image = 0.4 + np.random.default_rng(8).normal(0, 0.03, (400, 400, 3))
    background = estimate_background(image.astype(np.float32), 0.03)
    assert np.abs(background[0, 0] - image.mean((0, 1))).max() < 5e-5


def test_a_white_ground_with_many_thin_lines_has_no_noise() -> None:
    image = np.ones((96, 96, 3), np.float32)
    rows, columns = np.indices((96, 96))
    for slope in (0.3, 0.7, -0.4):
        for offset in range(-60, 160, 24):
            off = np.abs(rows - slope * columns - offset) / np.hypot(1, slope)
            image *= 1 - 0.7 * np.clip(1.2 - off, 0, 1)[..., None].astype(np.float32)
    assert estimate_noise(image) == 0.0


@pytest.mark.parametrize("sigma", [2 / 255, 0.03])
def test_noise_on_black_is_told_though_half_of_it_is_cut_off(sigma: float) -> None:
    noise = np.random.default_rng(3).normal(0, sigma, (96, 96, 3))
    image = (np.round(noise.clip(0, 1) * 255) / 255).astype(np.float32)
    assert estimate_noise(image) == pytest.approx(sigma, rel=0.3)


@pytest.mark.parametrize("turn", [0.0, 0.9])
def test_waves_that_neighbours_tell_exactly_are_texture_of_which_nothing_is_new(turn: float) -> None:
    rows, columns = np.indices((64, 64))
    wave = 0.5 + 0.04 * np.sin((math.cos(turn) * columns + math.sin(turn) * rows) / 5)
    image = np.repeat(wave[..., None], 3, 2).astype(np.float32)
    _, fresh = estimate_texture(image, np.full_like(image, 0.5), 0.5 / 255)
    assert fresh == pytest.approx(0.5 / 255)


def test_stripes_that_hide_most_of_the_background_are_no_texture() -> None:
    flag = np.full((60, 96, 3), (0.9, 0.95, 0.65), np.float32)
    for n, colour in enumerate(((0.35, 0.6, 0.2), (1.0, 0.9, 0.2), (0.4, 0.7, 0.9))):
        flag[6 + 16 * n : 22 + 16 * n, 6:90] = colour
    assert not len(ImageModel.of(flag).texture)

"""The function f: every background and effect repeats with its seed and does what it says."""

import numpy as np
import pytest
import torch
from numpy.random import Generator
from torch.nn.functional import interpolate

from unrender.learning.primitives.effects import (
    AnyBackground,
    Background,
    Blur,
    Brightness,
    Chain,
    Effect,
    Flat,
    Gradient,
    Noise,
    Texture,
    between,
)
from unrender.render.coverage import Floats

BACKGROUNDS: list[Background] = [Flat(), Flat(plain=1.0), Gradient(), Texture(), AnyBackground()]
EFFECTS: list[Effect] = [Brightness(), Blur(), Blur(share=1.0), Noise(), Chain()]


def seeded(seed: int = 3) -> Generator:
    return np.random.default_rng(seed)


def edges(count: int = 32, side: int = 24) -> Floats:
    """Pictures (N, H, W, 3), dark on the left and light on the right."""
    pictures = np.full((count, side, side, 3), 0.25, np.float32)
    pictures[:, :, side // 2 :] = 0.75
    return pictures


def in_range(pictures: Floats) -> None:
    assert pictures.dtype == np.float32
    assert pictures.min() >= 0
    assert pictures.max() <= 1


@pytest.mark.parametrize("background", BACKGROUNDS, ids=repr)
def test_a_background_has_the_size_and_range_asked_for_and_repeats_with_its_seed(
    background: Background,
) -> None:
    pictures = background.sample(seeded(), 9, 20, 28)
    assert pictures.shape == (9, 20, 28, 3)
    in_range(pictures)
    assert np.array_equal(pictures, background.sample(seeded(), 9, 20, 28))
    assert not np.array_equal(pictures, background.sample(seeded(4), 9, 20, 28))
    assert len(np.unique(pictures.mean((1, 2, 3)))) > 1, "each picture has its own"


@pytest.mark.parametrize("effect", EFFECTS, ids=repr)
def test_an_effect_keeps_size_and_range_repeats_with_its_seed_and_leaves_its_input_alone(
    effect: Effect,
) -> None:
    pictures = seeded(1).random((9, 20, 28, 3), np.float32)
    before = pictures.copy()
    changed = effect.sample(seeded(), pictures)
    assert changed.shape == pictures.shape
    in_range(changed)
    assert np.array_equal(pictures, before)
    assert not np.array_equal(changed, before)
    assert np.array_equal(changed, effect.sample(seeded(), pictures))
    assert not np.array_equal(changed, effect.sample(seeded(4), pictures))


def test_clouds_are_interpolated_as_torch_does_it() -> None:
    grid = seeded().random((2, 3, 4, 4))
    expected = interpolate(torch.from_numpy(grid), (16, 23), mode="bicubic", align_corners=False)
    assert between(4, 16) @ grid @ between(4, 23).T == pytest.approx(expected.numpy(), abs=1e-9)


def test_a_flat_background_has_one_colour_grey_for_the_plain_share() -> None:
    pictures = Flat(plain=0.4).sample(seeded(), 500, 6, 5)
    assert np.array_equal(pictures, np.broadcast_to(pictures[:, :1, :1], pictures.shape))
    colours = pictures[:, 0, 0]
    grey = (colours == colours[:, :1]).all(1)
    assert grey.mean() == pytest.approx(0.4, abs=0.07)
    assert (colours[grey] == 0).any(), "black is among them"
    assert (colours[grey] == 1).any(), "and white"


def test_a_gradient_changes_steadily_from_one_side_to_the_other() -> None:
    pictures = Gradient().sample(seeded(), 40, 24, 24)
    for along in (1, 2):
        slope = np.diff(pictures, axis=along)
        rises, falls = (slope > -1e-6).all(along), (slope < 1e-6).all(along)
        assert (rises | falls).all()
    assert np.ptp(pictures, (1, 2)).mean() > 0.2


def test_a_texture_is_smooth_but_not_flat() -> None:
    pictures = Texture().sample(seeded(), 40, 64, 64)
    beside = np.abs(np.diff(pictures, axis=2)).mean()
    across = np.abs(pictures[:, :, 32:] - pictures[:, :, :32]).mean()
    assert across > 0.05
    assert beside < 0.2 * across


def test_a_stronger_texture_varies_more_and_one_of_no_strength_is_flat() -> None:
    weak, strong = (Texture(s).sample(seeded(), 40, 32, 32).std((1, 2)).mean() for s in (0.1, 0.5))
    assert 0 < weak < 0.5 * strong
    assert Texture(0.0).sample(seeded(), 5, 32, 32).std((1, 2)).max() < 1e-6


def test_any_background_mixes_its_choices_by_their_weights() -> None:
    mixed = AnyBackground(((Flat(), 0.25), (Gradient(), 0.75))).sample(seeded(), 600, 12, 12)
    flat = np.ptp(mixed, (1, 2)).max(1) == 0
    assert flat.mean() == pytest.approx(0.25, abs=0.06)
    only = AnyBackground(((Flat(), 1.0), (Texture(), 0.0))).sample(seeded(), 50, 12, 12)
    assert (np.ptp(only, (1, 2)) == 0).all()


def test_brightness_changes_the_mean_and_never_raises_the_contrast() -> None:
    pictures = edges()
    changed = Brightness(0.3).sample(seeded(), pictures)
    assert (np.abs((changed - pictures).mean((1, 2, 3))) > 0.01).mean() > 0.6
    contrast = (changed[:, :, -1] - changed[:, :, 0]).mean((1, 2)) / 0.5
    assert contrast.min() >= 0.7 - 1e-5
    assert contrast.max() <= 1 + 1e-5
    assert contrast.std() > 0.03
    assert np.array_equal(Brightness(0.0).sample(seeded(), pictures), pictures)


def test_blur_lowers_the_steepest_edge_and_keeps_the_mean() -> None:
    pictures = edges(64)
    blurred = Blur(widest=1.5, share=1.0).sample(seeded(), pictures)
    steepest = np.diff(blurred, axis=2).max((1, 2, 3))
    assert (steepest <= 0.5 + 1e-6).all()
    assert (steepest < 0.4).mean() > 0.5
    assert np.allclose(blurred.mean((1, 2)), pictures.mean((1, 2)), atol=1e-5)
    constant = np.full((4, 16, 16, 3), 0.3, np.float32)
    assert np.allclose(Blur(share=1.0).sample(seeded(), constant), constant, atol=1e-6)


def test_blur_touches_only_its_share_of_the_pictures() -> None:
    pictures = edges(400, 8)
    off = np.abs(Blur(1.5, share=0.3).sample(seeded(), pictures) - pictures).max((1, 2, 3))
    assert 0.65 < (off < 1e-3).mean() < 0.85
    assert np.allclose(Blur(share=0.0).sample(seeded(), pictures), pictures)


def test_noise_raises_the_variance_up_to_its_strongest_and_weak_noise_is_the_most_common() -> None:
    pictures = np.full((400, 16, 16, 3), 0.5, np.float32)
    sigma = Noise(0.1).sample(seeded(), pictures).std((1, 2, 3))
    assert (sigma > 0).all()
    assert 0.085 < sigma.max() < 0.11
    assert (sigma < 0.05).mean() > 0.6
    assert np.array_equal(Noise(0.0).sample(seeded(), pictures), pictures)


def test_a_chain_is_its_effects_one_after_the_other() -> None:
    pictures = edges(8)
    rng = seeded()
    by_hand = Noise(0.05).sample(rng, Blur(1.0, 1.0).sample(rng, pictures))
    assert np.array_equal(Chain((Blur(1.0, 1.0), Noise(0.05))).sample(seeded(), pictures), by_hand)
    assert np.array_equal(Chain(()).sample(seeded(), pictures), pictures)

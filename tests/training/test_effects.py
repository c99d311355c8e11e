"""The function f: every background and effect repeats with its seed and does what it says."""

import pytest
import torch
from torch import Generator, Tensor

from unrender.training.effects import (
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
    uniform,
)

BACKGROUNDS: list[Background] = [Flat(), Flat(plain=1.0), Gradient(), Texture(), AnyBackground()]
EFFECTS: list[Effect] = [Brightness(), Blur(), Blur(share=1.0), Noise(), Chain()]


def seeded(seed: int = 3) -> Generator:
    return torch.Generator().manual_seed(seed)


def edges(count: int = 32, side: int = 24) -> Tensor:
    """Pictures (N, 3, H, W), dark on the left and light on the right."""
    pictures = torch.full((count, 3, side, side), 0.25)
    pictures[..., side // 2 :] = 0.75
    return pictures


def in_range(pictures: Tensor) -> None:
    assert pictures.dtype == torch.float32
    assert pictures.min() >= 0
    assert pictures.max() <= 1


@pytest.mark.parametrize("background", BACKGROUNDS, ids=repr)
def test_a_background_has_the_size_and_range_asked_for_and_repeats_with_its_seed(
    background: Background,
) -> None:
    pictures = background.sample(seeded(), 9, 20, 28)
    assert pictures.shape == (9, 3, 20, 28)
    in_range(pictures)
    assert torch.equal(pictures, background.sample(seeded(), 9, 20, 28))
    assert not torch.equal(pictures, background.sample(seeded(4), 9, 20, 28))
    assert len(pictures.mean((1, 2, 3)).unique()) > 1, "each picture has its own"


@pytest.mark.parametrize("effect", EFFECTS, ids=repr)
def test_an_effect_keeps_size_and_range_repeats_with_its_seed_and_leaves_its_input_alone(
    effect: Effect,
) -> None:
    pictures = uniform(seeded(1), (9, 3, 20, 28))
    before = pictures.clone()
    changed = effect.sample(seeded(), pictures)
    assert changed.shape == pictures.shape
    in_range(changed)
    assert torch.equal(pictures, before)
    assert not torch.equal(changed, before)
    assert torch.equal(changed, effect.sample(seeded(), pictures))
    assert not torch.equal(changed, effect.sample(seeded(4), pictures))


def test_uniform_numbers_fill_the_range_asked_for() -> None:
    numbers = uniform(seeded(), (4000,), -2.0, 5.0)
    assert -2 <= numbers.min() < -1.95
    assert 4.95 < numbers.max() <= 5
    assert numbers.mean() == pytest.approx(1.5, abs=0.15)


def test_a_flat_background_has_one_colour_grey_for_the_plain_share() -> None:
    pictures = Flat(plain=0.4).sample(seeded(), 500, 6, 5)
    assert torch.equal(pictures, pictures[:, :, :1, :1].expand_as(pictures))
    colours = pictures[:, :, 0, 0]
    grey = (colours == colours[:, :1]).all(1)
    assert grey.float().mean() == pytest.approx(0.4, abs=0.07)
    assert (colours[grey] == 0).any(), "black is among them"
    assert (colours[grey] == 1).any(), "and white"


def test_a_gradient_changes_steadily_from_one_side_to_the_other() -> None:
    pictures = Gradient().sample(seeded(), 40, 24, 24)
    for along in (2, 3):
        slope = pictures.diff(dim=along)
        rises, falls = (slope > -1e-6).all(along), (slope < 1e-6).all(along)
        assert (rises | falls).all()
    assert (pictures.amax((2, 3)) - pictures.amin((2, 3))).mean() > 0.2


def test_a_texture_is_smooth_but_not_flat() -> None:
    pictures = Texture().sample(seeded(), 40, 64, 64)
    beside = (pictures[..., 1:] - pictures[..., :-1]).abs().mean()
    across = (pictures[..., 32:] - pictures[..., :32]).abs().mean()
    assert across > 0.05
    assert beside < 0.2 * across


def test_a_stronger_texture_varies_more_and_one_of_no_strength_is_flat() -> None:
    weak, strong = (Texture(s).sample(seeded(), 40, 32, 32).std((2, 3)).mean() for s in (0.1, 0.5))
    assert 0 < weak < 0.5 * strong
    assert Texture(0.0).sample(seeded(), 5, 32, 32).std((2, 3)).max() < 1e-6


def test_any_background_mixes_its_choices_by_their_weights() -> None:
    mixed = AnyBackground(((Flat(), 0.25), (Gradient(), 0.75))).sample(seeded(), 600, 12, 12)
    flat = mixed.std((2, 3)).amax(1) < 1e-6
    assert flat.float().mean() == pytest.approx(0.25, abs=0.06)
    only = AnyBackground(((Flat(), 1.0), (Texture(), 0.0))).sample(seeded(), 50, 12, 12)
    assert (only.std((2, 3)) < 1e-6).all()


def test_brightness_changes_the_mean_and_never_raises_the_contrast() -> None:
    pictures = edges()
    changed = Brightness(0.3).sample(seeded(), pictures)
    assert ((changed - pictures).mean((1, 2, 3)).abs() > 0.01).float().mean() > 0.6
    contrast = (changed[..., -1] - changed[..., 0]).mean((1, 2)) / 0.5
    assert contrast.min() >= 0.7 - 1e-5
    assert contrast.max() <= 1 + 1e-5
    assert contrast.std() > 0.03
    assert torch.equal(Brightness(0.0).sample(seeded(), pictures), pictures)


def test_blur_lowers_the_steepest_edge_and_keeps_the_mean() -> None:
    pictures = edges(64)
    blurred = Blur(widest=1.5, share=1.0).sample(seeded(), pictures)
    steepest = blurred.diff(dim=3).amax((1, 2, 3))
    assert (steepest <= 0.5 + 1e-6).all()
    assert (steepest < 0.4).float().mean() > 0.5
    assert torch.allclose(blurred.mean((2, 3)), pictures.mean((2, 3)), atol=1e-5)
    constant = torch.full((4, 3, 16, 16), 0.3)
    assert torch.allclose(Blur(share=1.0).sample(seeded(), constant), constant, atol=1e-6)


def test_blur_touches_only_its_share_of_the_pictures() -> None:
    pictures = edges(400, 8)
    untouched = (Blur(1.5, share=0.3).sample(seeded(), pictures) - pictures).abs().amax((1, 2, 3)) < 1e-3
    assert 0.65 < untouched.float().mean() < 0.85
    assert torch.allclose(Blur(share=0.0).sample(seeded(), pictures), pictures)


def test_noise_raises_the_variance_up_to_its_strongest_and_weak_noise_is_the_most_common() -> None:
    pictures = torch.full((400, 3, 16, 16), 0.5)
    sigma = Noise(0.1).sample(seeded(), pictures).std((1, 2, 3))
    assert (sigma > 0).all()
    assert 0.085 < sigma.max() < 0.11
    assert (sigma < 0.05).float().mean() > 0.6
    assert torch.equal(Noise(0.0).sample(seeded(), pictures), pictures)


def test_a_chain_is_its_effects_one_after_the_other() -> None:
    pictures = edges(8)
    rng = seeded()
    by_hand = Noise(0.05).sample(rng, Blur(1.0, 1.0).sample(rng, pictures))
    assert torch.equal(Chain((Blur(1.0, 1.0), Noise(0.05))).sample(seeded(), pictures), by_hand)
    assert torch.equal(Chain(()).sample(seeded(), pictures), pictures)

"""γ in training: one estimate for every stride, the same wherever it looks."""

import math

import numpy as np
import pytest
import torch

from unrender.learning.primitives.network import Encoder, normalised
from unrender.perception.encoder.normalise import normalise
from unrender.perception.encoder.pyramid import STRIDE

CHANNELS = 12


@pytest.fixture(scope="module")
def network() -> Encoder:
    torch.manual_seed(5)
    return Encoder(CHANNELS, width=16).eval()


@torch.no_grad()
def test_one_estimate_comes_out_for_every_stride_of_any_picture(network: Encoder) -> None:
    for height, width in ((16, 16), (48, 64), (20, 100)):
        assert network(torch.zeros(2, 3, height, width)).shape == (2, CHANNELS, height // 4, width // 4)


@torch.no_grad()
@pytest.mark.parametrize(("down", "right"), [(1, 0), (0, 1), (3, 2)])
def test_a_picture_shifted_by_the_stride_shifts_the_output(network: Encoder, down: int, right: int) -> None:
    wide = torch.randn(1, 3, 160, 160, generator=torch.Generator().manual_seed(6))
    first = network(wide[:, :, :144, :144])
    top, left = down * STRIDE, right * STRIDE
    second = network(wide[:, :, top : top + 144, left : left + 144])
    border = 10  # cells that see beyond the edge of the picture
    inner = slice(border, 36 - border)
    shifted = first[:, :, border + down : 36 - border + down, border + right : 36 - border + right]
    assert torch.allclose(shifted, second[:, :, inner, inner], atol=1e-4)
    assert second[:, :, inner, inner].std() > 1e-3


@torch.no_grad()
def test_an_untrained_network_sees_nothing(network: Encoder) -> None:
    noise = torch.randn(2, 3, 48, 48, generator=torch.Generator().manual_seed(7))
    assert network(noise)[:, 0].sigmoid().max() < 1 / (1 + math.exp(2))


def scenes() -> np.ndarray:
    """Pictures (8, 64, 64, 3) of strong contrast."""
    coarse = np.random.default_rng(4).random((8, 8, 8, 3), np.float32)
    return coarse.repeat(8, 1).repeat(8, 2)


def test_training_pictures_are_normalised_as_those_that_are_seen() -> None:
    pictures = scenes()
    prepared = normalised(pictures)
    assert prepared.shape == (8, 3, 64, 64)
    assert np.array_equal(prepared[3].numpy(), normalise(pictures[3]))


@pytest.mark.parametrize(("gain", "offset"), [(1.0, -0.4), (0.5, 0.2), (0.3, 0.7)])
def test_normalising_takes_out_brightness_and_contrast(gain: float, offset: float) -> None:
    plain, changed = normalised(scenes()), normalised(np.float32(gain) * scenes() + np.float32(offset))
    assert (plain - changed).abs().max() < 0.05 * plain.abs().max()
    assert (plain - changed).abs().mean() < 0.03
    assert plain.std() == pytest.approx(1, abs=0.3)


def test_a_blank_picture_stays_blank_and_its_noise_stays_small() -> None:
    blank = np.full((1, 48, 48, 3), 0.7, np.float32)
    assert normalised(blank).abs().max() < 1e-3
    faint = blank + np.float32(0.002) * np.random.default_rng(1).standard_normal(blank.shape, np.float32)
    assert normalised(faint).std() < 0.2

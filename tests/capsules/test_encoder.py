"""γ: what the network is asked to say can be read back, and it says the same at every place."""

import math

import pytest
import torch
from torch import Tensor

from unrender.capsules.encoder import CHANNELS, STRIDE, Encoder, decode_estimates, encode_targets, normalise
from unrender.graphics.draw import FILLED, HEIGHT, ROTATION, WIDTH, X, Y, draw
from unrender.graphics.registry import find
from unrender.primitives.registry import primitives
from unrender.training.synthesize import quantiles

NAMES = ("circle", "square", "triangle")


def shapes(name: str, count: int = 60, seed: int = 2) -> Tensor:
    """Attributes (N, A) of random shapes in the middle of 48 x 48 pixels."""
    values = quantiles(find(name), torch.Generator().manual_seed(seed), count, 48).double()
    values[:, X : Y + 1] = 24 + (values[:, X : Y + 1] - 24) / 8
    return values


def said(name: str, attributes: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """What a perfect network would say about each shape at its place: (N, CHANNELS)."""
    output = attributes.new_zeros(len(attributes), CHANNELS)
    output[:, 1:] = encode_targets(find(name), attributes, x, y)
    return output


@pytest.mark.parametrize("name", NAMES)
def test_decoding_the_targets_draws_the_same_shape(name: str) -> None:
    attributes = shapes(name)
    x, y = attributes[:, X] + 1.7, attributes[:, Y] - 2.9
    decoded = decode_estimates(find(name), said(name, attributes, x, y), x, y)
    assert decoded.shape == attributes.shape
    assert torch.equal(decoded[:, FILLED], attributes[:, FILLED])
    again, expected = draw(find(name), decoded, 48, 48), draw(find(name), attributes, 48, 48)
    assert (again - expected).abs().max() < 1e-4


@pytest.mark.parametrize("name", NAMES)
def test_equivalent_poses_have_the_same_targets(name: str) -> None:
    attributes = shapes(name, 20)
    attributes[::2, HEIGHT] = attributes[::2, WIDTH]
    x, y = torch.full((20,), 24.0), torch.full((20,), 22.0)
    for row, (at_x, at_y) in zip(attributes, zip(x, y, strict=True), strict=True):
        expected = encode_targets(find(name), row, at_x, at_y)
        width, height, rotation = (float(row[c]) for c in (WIDTH, HEIGHT, ROTATION))
        for pose in primitives()[name].symmetry.equivalent(width, height, rotation):
            other = row.clone()
            other[WIDTH], other[HEIGHT], other[ROTATION] = pose
            assert torch.allclose(encode_targets(find(name), other, at_x, at_y), expected, atol=1e-6)


def test_positions_are_told_in_strides_from_the_place_that_tells_them() -> None:
    attributes = shapes("square", 1)
    x, y = attributes[:, X] - STRIDE, attributes[:, Y] + 2 * STRIDE
    dx, dy = encode_targets(find("square"), attributes, x, y)[0, :2].tolist()
    assert (dx, dy) == pytest.approx((1.0, -2.0))


def test_an_estimate_can_be_decoded_whatever_the_network_says() -> None:
    wild = 30 * torch.randn(200, CHANNELS, generator=torch.Generator().manual_seed(0))
    for name in NAMES:
        decoded = decode_estimates(find(name), wild, torch.zeros(200), torch.zeros(200))
        assert torch.isfinite(decoded).all()
        assert (decoded[:, WIDTH : HEIGHT + 1] > 0).all()
        assert (decoded[:, FILLED:] <= 1).all()
        assert (decoded[:, FILLED:] >= 0).all()


def scenes() -> Tensor:
    """Pictures (8, 3, 64, 64) of strong contrast."""
    coarse = torch.rand(8, 3, 8, 8, generator=torch.Generator().manual_seed(4))
    return coarse.repeat_interleave(8, 2).repeat_interleave(8, 3)


@pytest.mark.parametrize(("gain", "offset"), [(1.0, -0.4), (0.5, 0.2), (0.3, 0.7)])
def test_normalising_takes_out_brightness_and_contrast(gain: float, offset: float) -> None:
    plain, changed = normalise(scenes()), normalise(gain * scenes() + offset)
    assert plain.shape == scenes().shape
    assert (plain - changed).abs().max() < 0.1
    assert (plain - changed).abs().mean() < 0.03
    assert plain.std() == pytest.approx(1, abs=0.3)


def test_a_blank_picture_stays_blank_and_its_noise_stays_small() -> None:
    blank = torch.full((1, 3, 48, 48), 0.7)
    assert normalise(blank).abs().max() < 1e-3
    faint = blank + 0.002 * torch.randn(blank.shape, generator=torch.Generator().manual_seed(1))
    assert normalise(faint).std() < 0.2


@pytest.fixture(scope="module")
def network() -> Encoder:
    torch.manual_seed(5)
    return Encoder(width=16).eval()


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

"""Several networks side by side say what each of them says alone."""

from __future__ import annotations

import pytest
import torch

from unrender.capsules.encoder import Encoder
from unrender.capsules.library import fused, shipped
from unrender.capsules.together import outputs


def _pixels(side: int) -> torch.Tensor:
    pixels = torch.randn(1, 3, side, side + 4, generator=torch.Generator().manual_seed(3))
    return pixels.contiguous(memory_format=torch.channels_last)


@pytest.mark.parametrize("side", [16, 52, 92])
@torch.no_grad()
def test_the_shipped_networks_say_the_same_together(side: int) -> None:
    encoders = [capsule.encoder for capsule in shipped()]
    pixels = _pixels(side)
    together = outputs(encoders, pixels)
    assert len(together) == len(encoders) > 1
    for said, encoder in zip(together, encoders, strict=True):
        assert torch.allclose(said, encoder(pixels), atol=1e-4)


@torch.no_grad()
def test_networks_of_another_width_speak_one_after_the_other() -> None:
    encoders, pixels = [fused(Encoder(width).eval()) for width in (16, 32)], _pixels(24)
    for said, encoder in zip(outputs(encoders, pixels), encoders, strict=True):
        assert torch.equal(said, encoder(pixels))


@torch.no_grad()
def test_a_network_that_still_learns_is_asked_itself() -> None:
    learning, pixels = Encoder(16).eval(), _pixels(16)
    before = outputs([learning, learning], pixels)[0].clone()
    for weight in learning.parameters():
        weight.add_(0.1)
    after = outputs([learning, learning], pixels)[0]
    assert torch.equal(after, learning(pixels))
    assert not torch.allclose(before, after)

"""γ of a primitive capsule, to be trained: a fully convolutional network, one estimate for every place.

Its output speaks of shapes whose extent lies in `targets.SEEN` at the pyramid level at hand; larger ones are
seen at a coarser level by the same weights. `export` writes it for `perception/encoder`, which runs it.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from unrender.perception.encoder.normalise import normalise
from unrender.render.coverage import Floats

SLOPE = 0.1  # of the leaky rectifiers
NOTHING = -4.0  # the first logit of every place: most of them hold nothing


class Encoder(nn.Module):
    """Normalised (N, 3, H, W) -> (N, channels, H/4, W/4); H and W must be multiples of 4."""

    def __init__(self, channels: int, width: int = 48) -> None:
        super().__init__()
        stem = width // 2

        def block(inputs: int, outputs: int, dilation: int = 1, stride: int = 1) -> list[nn.Module]:
            return [
                nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False),
                nn.BatchNorm2d(outputs),
                nn.LeakyReLU(SLOPE, inplace=True),
            ]

        last = nn.Conv2d(2 * width, channels, 1)
        self.layers = nn.Sequential(
            nn.Conv2d(3, stem, 5, 2, 2, bias=False),
            nn.BatchNorm2d(stem),
            nn.LeakyReLU(SLOPE, inplace=True),
            *block(stem, stem),
            *block(stem, width, stride=2),
            *block(width, width),
            *block(width, width, dilation=2),
            *block(width, width),
            *block(width, width, dilation=2),
            *block(width, width),
            nn.Conv2d(width, 2 * width, 1),
            nn.LeakyReLU(SLOPE, inplace=True),
            last,
        )
        assert last.bias is not None
        nn.init.constant_(last.bias[:1], NOTHING)

    def forward(self, normalised: Tensor) -> Tensor:
        """Layer after layer."""
        said: Tensor = self.layers(normalised)
        return said


def normalised(pictures: Floats) -> Tensor:
    """Pictures (N, H, W, 3) as the network sees them (N, 3, H, W), prepared exactly as when seeing."""
    prepared = np.stack([normalise(np.ascontiguousarray(picture)) for picture in pictures])
    return torch.from_numpy(prepared).contiguous(memory_format=torch.channels_last)

"""γ of a primitive capsule: a fully convolutional regression network, one estimate for every place.

Its output speaks of shapes whose extent lies in SEEN at the pyramid level at hand; larger ones are seen
at a coarser level by the same weights.
"""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from numpy.typing import NDArray
from torch import Tensor, nn

from unrender.graphics.compiled import Floats1, Floats2, compiled
from unrender.graphics.draw import FILLED, HEIGHT, ROTATION, THICKNESS, WIDTH, X, Y
from unrender.graphics.registry import Primitive

STRIDE = 4  # px between two estimates
SEEN = (6.0, 18.0)  # px: extents sqrt(width * height) that one pyramid level answers for
CHANNELS = 10  # logit, dx, dy, log extent, stretch (2), phase (2), filled, log thickness
TYPICAL = 10.0  # px: the extent that the network's zero stands for
Floats = NDArray[np.floating]
_FLOOR = 0.02  # contrast below which a neighbourhood counts as blank


def normalise(pictures: Tensor) -> Tensor:
    """Take out local brightness and contrast: (N, 3, H, W), sides multiples of 4, each pixel against the
    about 36 x 36 pixels around it. Channels last, as the convolutions like it."""
    size = pictures.shape[-2:]

    def blur(values: Tensor) -> Tensor:
        coarse = F.avg_pool2d(values, 4)
        coarse = F.avg_pool2d(coarse, 5, 1, 2, count_include_pad=False)
        coarse = F.avg_pool2d(coarse, 5, 1, 2, count_include_pad=False)
        return F.interpolate(coarse, size, mode="bilinear", align_corners=False)

    centred = pictures - blur(pictures)
    spread = blur(centred.square().mean(1, keepdim=True))
    return (centred / (spread + _FLOOR**2).sqrt()).contiguous(memory_format=torch.channels_last)


class Encoder(nn.Module):
    """Normalised (N, 3, H, W) -> (N, CHANNELS, H/4, W/4); H and W must be multiples of 4."""

    def __init__(self, width: int = 48) -> None:
        super().__init__()
        stem = width // 2

        def block(inputs: int, outputs: int, dilation: int = 1, stride: int = 1) -> list[nn.Module]:
            return [
                nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False),
                nn.BatchNorm2d(outputs),
                nn.LeakyReLU(0.1, inplace=True),
            ]

        self.layers = nn.Sequential(
            nn.Conv2d(3, stem, 5, 2, 2, bias=False),
            nn.BatchNorm2d(stem),
            nn.LeakyReLU(0.1, inplace=True),
            *block(stem, stem),
            *block(stem, width, stride=2),
            *block(width, width),
            *block(width, width, dilation=2),
            *block(width, width),
            *block(width, width, dilation=2),
            *block(width, width),
            nn.Conv2d(width, 2 * width, 1),
            nn.LeakyReLU(0.1, inplace=True),
            nn.Conv2d(2 * width, CHANNELS, 1),
        )
        last = self.layers[-1]
        assert isinstance(last, nn.Conv2d)
        assert last.bias is not None
        nn.init.constant_(last.bias[:1], -4.0)  # most places hold nothing

    def forward(self, normalised: Tensor) -> Tensor:
        """Layer after layer, without the ceremony of modules: most of them are over in a tenth of a
        millisecond."""
        for layer in self.layers:
            if isinstance(layer, nn.Conv2d):
                normalised = torch.conv2d(
                    normalised, layer.weight, layer.bias, layer.stride, layer.padding, layer.dilation
                )
            else:
                normalised = layer.forward(normalised)
        return normalised


def encode_targets(primitive: Primitive, attributes: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """What the network should say at (x, y) about shapes (..., A): (..., CHANNELS - 1).

    Rotation is written so that equivalent poses have equal numbers: the stretch log(w/h) turns with 2θ,
    the phase of the unit shape with its symmetry order.
    """
    width, height = attributes[..., WIDTH], attributes[..., HEIGHT]
    angle = attributes[..., ROTATION] * (math.pi / 180)
    stretch = torch.log(width / height)
    phase = primitive.order * angle
    return torch.stack(
        [
            (attributes[..., X] - x) / STRIDE,
            (attributes[..., Y] - y) / STRIDE,
            0.5 * torch.log(width * height) - math.log(TYPICAL),
            stretch * torch.cos(2 * angle),
            stretch * torch.sin(2 * angle),
            torch.cos(phase) if primitive.order else torch.zeros_like(phase),
            torch.sin(phase) if primitive.order else torch.zeros_like(phase),
            attributes[..., FILLED],
            torch.log(attributes[..., THICKNESS].clamp_min(0.02)) + 2.0,
        ],
        dim=-1,
    )


def decode_estimates(primitive: Primitive, output: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """The inverse: network outputs (N, CHANNELS) at places (N,) -> attributes (N, A), colours left at 0."""
    attributes = output.new_zeros(len(output), len(primitive.columns))
    _decode(primitive.order, output.numpy(), x.numpy(), y.numpy(), attributes.numpy())
    return attributes


@compiled
def _decode(order: int, output: Floats2, x: Floats1, y: Floats1, attributes: Floats2) -> None:
    """One estimate after the other. Among the equivalent angles of the unit shape, the one is taken along
    which the stretch lies."""
    for n in range(len(output)):
        said = output[n]
        dx, dy, extent, ex, ey, px, py = said[1], said[2], said[3], said[4], said[5], said[6], said[7]
        filled, thickness = said[8], said[9]
        angle, stretch = math.atan2(ey, ex) / 2, math.hypot(ex, ey)
        if order:
            least = math.inf
            for turn in range(order):
                other = (math.atan2(py, px) + 2 * math.pi * turn) / order
                across = abs(ex * math.sin(2 * other) - ey * math.cos(2 * other))
                if across < least:
                    least, angle = across, other
            stretch = ex * math.cos(2 * angle) + ey * math.sin(2 * angle)
        size = math.exp(min(max(extent, -1.5), 1.5)) * TYPICAL
        half = math.exp(min(max(stretch, -2.0), 2.0) / 2)
        is_filled = filled > 0.5
        row = attributes[n]
        row[X], row[Y] = x[n] + dx * STRIDE, y[n] + dy * STRIDE
        row[WIDTH], row[HEIGHT] = size * half, size / half
        row[ROTATION] = angle * (180 / math.pi)
        row[FILLED] = is_filled
        row[THICKNESS] = 0.0 if is_filled else min(max(math.exp(min(thickness, 9.0) - 2.0), 0.03), 0.4)

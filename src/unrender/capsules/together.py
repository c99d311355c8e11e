"""Several γ at once: on a small view a network has less to compute than its calls cost, and several side by
side need no more calls than one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from unrender.capsules.encoder import Encoder

Layer = tuple[Tensor, Tensor, tuple[int, ...], tuple[int, ...], tuple[int, ...], int]
"""Weight, bias, stride, padding, dilation, and the groups that share no channel."""


def outputs(encoders: Sequence[Encoder], normalised: Tensor) -> list[Tensor]:
    """What each network says of the same pixels (1, 3, H, W)."""
    layers = _side_by_side(tuple(encoders)) if all(map(_plain, encoders)) else None
    if layers is None:
        return [encoder(normalised) for encoder in encoders]
    last = len(layers) - 1
    for n, (weight, bias, stride, padding, dilation, groups) in enumerate(layers):
        normalised = torch.conv2d(normalised, weight, bias, stride, padding, dilation, groups)
        if n < last:
            normalised = F.leaky_relu_(normalised, 0.1)
    return list(normalised.chunk(len(encoders), 1))


def _plain(encoder: Encoder) -> bool:
    """Whether it has learned all it will: its normalisations are folded into the convolutions."""
    return not any(isinstance(layer, nn.BatchNorm2d) for layer in encoder.layers)


@lru_cache(maxsize=4)
def _side_by_side(encoders: tuple[Encoder, ...]) -> list[Layer] | None:
    """The convolutions of all networks as one network, which are the first to see the same pixels and then
    go on without one another; None if they differ in more than their weights."""
    rows = [[layer for layer in encoder.layers if isinstance(layer, nn.Conv2d)] for encoder in encoders]
    if len({tuple(layer.weight.shape for layer in row) for row in rows}) != 1:
        return None
    layers: list[Layer] = []
    for same in zip(*rows, strict=True):
        weight = torch.cat([layer.weight for layer in same]).contiguous(memory_format=torch.channels_last)
        bias = torch.cat([layer.bias for layer in same if layer.bias is not None])
        first = same[0]
        groups = len(same) if layers else 1
        layers.append((weight, bias, first.stride, first.padding, first.dilation, groups))
    return layers

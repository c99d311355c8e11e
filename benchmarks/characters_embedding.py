"""The embedding of drawings, learned from alphabets: which of many drawings shows the same character?

Each step takes characters of an alphabet, drawn by one person, and the same by another; every drawing must be
nearest to its partner. Alphabets are turned and mirrored, and characters put together in pairs, so that there
are more of them than were drawn; each drawing is bent at random, by about as much as people do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, dropout, normalize

from unrender.matching.embedding import CELL, DIRECTIONS, END, POOLED, SIDE, Embedding

CHANNELS = (24, 48, 64, 64)
SIZE = 64  # of the vector
CLASSES = 64  # characters a step, at least
GROUP = 32  # of one alphabet by the same two people, at most
LINEAR, SCALES, AMPLITUDES = 0.1, (1.0, 0.5), (0.11, 0.05)  # of random deformations, in radii
WAVES = 16  # of which a random smooth field is made
TURNED, PAIRED = 0.7, 0.35  # of all groups: turned or mirrored; put together in pairs
RATE, DECAY, DROPPED = 2e-3, 1e-2, 0.2

Lines = tuple[Tensor, Tensor, Tensor, Tensor]  # points, tangents (..., N, 2), ends (..., N), length (..., 1)
Alphabet = Mapping[str, Lines]  # (characters, people, ...) of each


class Network(nn.Module):
    """Convolutions, the first three pooled, and a linear head."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for number, (before, after) in enumerate(zip((DIRECTIONS + 1, *CHANNELS), CHANNELS, strict=False)):
            layers += [nn.Conv2d(before, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
            layers += [nn.MaxPool2d(2)] if number < POOLED else []
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(CHANNELS[-1] * (SIDE >> POOLED) ** 2, SIZE)
        self.scale = nn.Parameter(torch.tensor(2.3))

    def forward(self, cells: Tensor) -> Tensor:
        seen = dropout(self.body(cells).flatten(1), DROPPED, self.training)
        return normalize(self.head(seen), dim=-1)


def learn_embedding(
    drawn: Alphabet, names: Sequence[str], rng: Generator, steps: int, start: Network | None = None
) -> Network:
    """A network for these alphabets, from the beginning or from another one."""
    torch.manual_seed(int(rng.integers(2**31)))
    network = Network()
    if start is not None:
        network.load_state_dict(start.state_dict())
    network.train()
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=max(steps, 2), pct_start=0.1)
    for _ in range(steps):
        one, other = partners(drawn, names, rng)
        both = tuple(torch.cat(two) for two in zip(one, other, strict=True))
        points, tangents = bent(both[0], both[1])
        first, second = network(raster(points, tangents, both[2], both[3])).chunk(2)
        alike = network.scale.exp() * first @ second.T
        own = torch.arange(len(alike))
        loss = cross_entropy(alike, own) + cross_entropy(alike.T, own)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return network.eval()


def partners(drawn: Alphabet, names: Sequence[str], rng: Generator) -> tuple[Lines, Lines]:
    """Drawings of many characters, and of the same by others."""
    shares = np.sqrt([len(drawn[name][0]) for name in names])
    sides: tuple[list[Lines], list[Lines]] = [], []
    count = 0
    while count < CLASSES:
        own = drawn[names[int(rng.choice(len(names), p=shares / shares.sum()))]]
        total, people = own[0].shape[:2]
        chosen = torch.tensor(rng.permutation(total)[:GROUP])
        turn = torch.tensor(_turned(rng) if rng.random() < TURNED else np.eye(2), dtype=torch.float32)
        more = torch.tensor(rng.integers(total, size=len(chosen)))
        off = torch.tensor(rng.normal(0, 1, (len(chosen), 1, 2)), dtype=torch.float32)
        paired = rng.random() < PAIRED
        for side, person in zip(sides, rng.permutation(people)[:2].tolist(), strict=True):
            points, tangents, ends, length = (field[chosen, person] for field in own)
            if paired:  # every other point of either, one of them moved
                beside = [field[more, person] for field in own]
                points = torch.cat([points[:, ::2], beside[0][:, 1::2] + off], 1)
                tangents = torch.cat([tangents[:, ::2], beside[1][:, 1::2]], 1)
                ends = torch.cat([_thinned(ends), _thinned(beside[2])], 1)
                length = length + beside[3]
            side.append((points @ turn.T, tangents @ turn.T, ends, length))
        count += len(chosen)
    one, other = (tuple(torch.cat(field) for field in zip(*side, strict=True)) for side in sides)
    return one, other  # type: ignore[return-value]


def _thinned(ends: Tensor) -> Tensor:
    return torch.maximum(ends[:, ::2], ends[:, 1::2])


def _turned(rng: Generator) -> NDArray[np.float64]:
    """A quarter turn or none, mirrored or not."""
    quarter = np.linalg.matrix_power(np.array([[0.0, -1.0], [1.0, 0.0]]), int(rng.integers(4)))
    mirrored: NDArray[np.float64] = quarter @ np.diag([rng.choice([-1, 1]), 1])
    return mirrored


def bent(points: Tensor, tangents: Tensor) -> tuple[Tensor, Tensor]:
    """Points (B, N, 2) with tangents, moved by a random affine map and smooth fields of waves."""
    linear = LINEAR * torch.randn(len(points), 2, 2)
    off, turn = points @ linear, tangents @ linear
    for scale, amplitude in zip(SCALES, AMPLITUDES, strict=True):
        waves = torch.randn(len(points), 2, WAVES) / scale
        phase = points @ waves + 2 * math.pi * torch.rand(len(points), 1, WAVES)
        height = amplitude * math.sqrt(2 / WAVES) * torch.randn(len(points), WAVES, 2)
        off = off + torch.cos(phase) @ height
        turn = turn - (torch.sin(phase) * (tangents @ waves)) @ height
    return points + off, tangents + turn


def raster(points: Tensor, tangents: Tensor, ends: Tensor, length: Tensor) -> Tensor:
    """(B, DIRECTIONS + 1, SIDE, SIDE): as `unrender.matching.embedding.raster`, at their mean and radius."""
    points = points - points.mean(1, keepdim=True)
    radius = (points**2).sum(2).mean(1).sqrt().clamp_min(1e-3)[:, None]
    angles = math.pi * torch.arange(DIRECTIONS) / DIRECTIONS
    turned = (normalize(tangents, dim=2) @ torch.stack([angles.cos(), angles.sin()])) ** 4
    share = (
        turned / (turned.sum(2, keepdim=True) + 1e-9) * (length / radius / points.shape[1] / CELL)[:, :, None]
    )
    values = torch.cat([share, END * ends[:, :, None]], 2)
    place = points / radius[:, :, None] / CELL + (SIDE / 2 - 0.5)
    low = place.floor()
    part = place - low
    cells = torch.zeros(len(points), SIDE * SIDE, DIRECTIONS + 1)
    for dx in (0, 1):
        for dy in (0, 1):
            x, y = low[..., 0] + dx, low[..., 1] + dy
            weight = (1 - dx - part[..., 0]).abs() * (1 - dy - part[..., 1]).abs()
            weight = weight * ((x >= 0) & (x < SIDE) & (y >= 0) & (y < SIDE))
            at = (y.clamp(0, SIDE - 1) * SIDE + x.clamp(0, SIDE - 1)).long()
            cells.scatter_add_(1, at[..., None].expand_as(values), values * weight[..., None])
    return cells.transpose(1, 2).reshape(len(points), DIRECTIONS + 1, SIDE, SIDE)


def tensors(network: Network, drawn: Alphabet, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """As the package reads it: the network, normalisation folded in, and a drawing of every character."""
    found: dict[str, Tensor] = {}
    layers = list(network.body)
    convolutions = [k for k, layer in enumerate(layers) if isinstance(layer, nn.Conv2d)]
    for number, at in enumerate(convolutions):
        norm = layers[at + 1]
        grown = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        found[f"kernel{number}"] = layers[at].weight * grown[:, None, None, None]
        found[f"bias{number}"] = norm.bias - norm.running_mean * grown
    found |= {"head": network.head.weight, "shift": network.head.bias}
    with torch.no_grad():
        found["others"] = torch.cat(
            [network(raster(*(field[:, 0] for field in drawn[name]))) for name in names]
        )
    return {name: tensor.detach().numpy().astype(np.float16) for name, tensor in found.items()}


def embedding(network: Network, drawn: Alphabet, names: Sequence[str]) -> Embedding:
    """As the package computes it."""
    return Embedding.from_tensors(tensors(network, drawn, names))

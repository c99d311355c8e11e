"""The function f of the paper: random backgrounds, occlusions and special effects.

Each is an object with `sample(rng, ...)`; all randomness comes from the given torch generator, so that a
seed repeats every picture. Pictures are float (N, 3, H, W) in [0, 1].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Generator, Tensor


def uniform(rng: Generator, shape: tuple[int, ...], low: float = 0.0, high: float = 1.0) -> Tensor:
    """Uniform numbers χ of the given shape."""
    return low + (high - low) * torch.rand(shape, generator=rng)


class Background(Protocol):
    """Something to draw on."""

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Tensor:
        """`count` backgrounds (N, 3, H, W)."""


class Effect(Protocol):
    """Something that happens to a finished picture."""

    def sample(self, rng: Generator, pictures: Tensor) -> Tensor:
        """The same pictures (N, 3, H, W), each changed in its own way."""


@dataclass(frozen=True)
class Flat:
    """One colour; black, white or grey for a `plain` share of the pictures."""

    plain: float = 0.4

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Tensor:
        colour = uniform(rng, (count, 3, 1, 1))
        grey = uniform(rng, (count, 1, 1, 1), -0.5, 1.5).clamp(0, 1).expand_as(colour)
        plain = uniform(rng, (count, 1, 1, 1)) < self.plain
        return torch.where(plain, grey, colour).expand(count, 3, height, width).clone()


@dataclass(frozen=True)
class Gradient:
    """Two colours that blend along a random direction."""

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Tensor:
        start, end = uniform(rng, (2, count, 3, 1, 1)).unbind(0)
        angle = uniform(rng, (count, 1, 1), 0, 2 * torch.pi)
        x = torch.linspace(-0.5, 0.5, width)[None, None, :]
        y = torch.linspace(-0.5, 0.5, height)[None, :, None]
        along = (angle.cos() * x + angle.sin() * y + 0.5).clamp(0, 1)[:, None]
        return start + (end - start) * along


@dataclass(frozen=True)
class Texture:
    """Smooth random clouds: coloured noise of several coarse grids, added up."""

    strength: float = 0.35

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Tensor:
        picture = uniform(rng, (count, 3, 1, 1), 0.2, 0.8)
        for cells in (2, 4, 8, 16):
            grid = uniform(rng, (count, 3, cells, cells), -0.5, 0.5)
            weight = uniform(rng, (count, 1, 1, 1), 0.0, self.strength)
            picture = picture + weight * F.interpolate(
                grid, (height, width), mode="bicubic", align_corners=False
            )
        return picture.clamp(0, 1)


@dataclass(frozen=True)
class AnyBackground:
    """Each picture gets one of several backgrounds, chosen with the given weights."""

    choices: tuple[tuple[Background, float], ...] = ((Flat(), 0.5), (Gradient(), 0.2), (Texture(), 0.3))

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Tensor:
        weights = torch.tensor([weight for _, weight in self.choices])
        which = torch.multinomial(weights, count, replacement=True, generator=rng)
        out = torch.empty(count, 3, height, width)
        for i, (background, _) in enumerate(self.choices):
            chosen = (which == i).nonzero()[:, 0]
            if len(chosen):
                out[chosen] = background.sample(rng, len(chosen), height, width)
        return out


@dataclass(frozen=True)
class Brightness:
    """The whole picture lighter or darker, with more or less contrast."""

    amount: float = 0.3

    def sample(self, rng: Generator, pictures: Tensor) -> Tensor:
        gain = uniform(rng, (len(pictures), 1, 1, 1), 1 - self.amount, 1.0)
        offset = uniform(rng, (len(pictures), 1, 1, 1)) * (1 - gain)
        return pictures * gain + offset


@dataclass(frozen=True)
class Blur:
    """Gaussian blur with a random width up to `widest` pixels, for a `share` of the pictures."""

    widest: float = 0.8
    share: float = 0.5

    def sample(self, rng: Generator, pictures: Tensor) -> Tensor:
        count, channels, height, width = pictures.shape
        sigma = uniform(rng, (count, 1), 0.05, self.widest)
        offsets = torch.arange(-2, 3)[None, :]
        kernel = torch.exp(-0.5 * (offsets / sigma) ** 2)
        sharp = (offsets == 0).to(kernel.dtype)
        kernel = torch.where(uniform(rng, (count, 1)) < self.share, kernel, sharp)
        kernel = (kernel / kernel.sum(1, keepdim=True)).repeat_interleave(channels, 0)[:, None, None, :]
        flat = F.pad(pictures.reshape(1, -1, height, width), (2, 2, 2, 2), mode="replicate")
        flat = F.conv2d(flat, kernel, groups=count * channels)
        flat = F.conv2d(flat, kernel.transpose(2, 3), groups=count * channels)
        return flat.reshape(count, channels, height, width)


@dataclass(frozen=True)
class Noise:
    """Gaussian noise of a random strength up to `strongest`; weak noise is the most common."""

    strongest: float = 0.1

    def sample(self, rng: Generator, pictures: Tensor) -> Tensor:
        sigma = self.strongest * uniform(rng, (len(pictures), 1, 1, 1)) ** 2
        noise = torch.randn(pictures.shape, generator=rng)
        return (pictures + sigma * noise).clamp(0, 1)


@dataclass(frozen=True)
class Chain:
    """Several effects, one after the other."""

    effects: tuple[Effect, ...] = (Brightness(), Blur(), Noise())

    def sample(self, rng: Generator, pictures: Tensor) -> Tensor:
        for effect in self.effects:
            pictures = effect.sample(rng, pictures)
        return pictures

"""The function f of the paper: random backgrounds, occlusions and special effects.

Each is an object with `sample(rng, ...)`; all randomness comes from the given generator, so that a seed
repeats every picture. Pictures are float32 (N, H, W, 3) in [0, 1].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.random import Generator

from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

CUBIC = -0.75  # the free parameter of cubic interpolation
TAPS = 2  # px to either side that a blur reaches


class Background(Protocol):
    """Something to draw on."""

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Floats:
        """`count` backgrounds (N, H, W, 3)."""


class Effect(Protocol):
    """Something that happens to a finished picture."""

    def sample(self, rng: Generator, pictures: Floats) -> Floats:
        """The same pictures (N, H, W, 3), each changed in its own way."""


def _one_each(rng: Generator, count: int, low: float = 0.0, high: float = 1.0) -> Doubles:
    """A number for each picture: (N, 1, 1, 1)."""
    return rng.uniform(low, high, (count, 1, 1, 1))


@dataclass(frozen=True)
class Flat:
    """One colour; black, white or grey for a `plain` share of the pictures."""

    plain: float = 0.4

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Floats:
        colour = rng.uniform(0, 1, (count, 1, 1, 3))
        grey = _one_each(rng, count, -0.5, 1.5).clip(0, 1)
        chosen = np.where(_one_each(rng, count) < self.plain, grey, colour)
        return np.broadcast_to(chosen, (count, height, width, 3)).astype(np.float32)


@dataclass(frozen=True)
class Gradient:
    """Two colours that blend along a random direction."""

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Floats:
        start, end = rng.uniform(0, 1, (2, count, 1, 1, 3))
        angle = _one_each(rng, count, 0, 2 * np.pi)
        x = np.linspace(-0.5, 0.5, width)[None, None, :, None]
        y = np.linspace(-0.5, 0.5, height)[None, :, None, None]
        along = (np.cos(angle) * x + np.sin(angle) * y + 0.5).clip(0, 1)
        blended: Floats = (start + (end - start) * along).astype(np.float32)
        return blended


@dataclass(frozen=True)
class Texture:
    """Smooth random clouds: coloured noise of several coarse grids, added up."""

    strength: float = 0.35

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Floats:
        picture = np.broadcast_to(rng.uniform(0.2, 0.8, (count, 1, 1, 3)), (count, height, width, 3))
        for cells in (2, 4, 8, 16):
            grid = rng.uniform(-0.5, 0.5, (count, cells, cells, 3))
            rows, columns = between(cells, height), between(cells, width)
            cloud = np.einsum("ik,nklc,jl->nijc", rows, grid, columns, optimize=True)
            picture = picture + _one_each(rng, count, 0.0, self.strength) * cloud
        return picture.clip(0, 1).astype(np.float32)


def between(cells: int, side: int) -> Doubles:
    """Cubic interpolation as a matrix (side, cells): pixels from the centres of cells, of which the outermost
    go on beyond the edge."""
    at = (np.arange(side) + 0.5) * cells / side - 0.5
    first = np.floor(at).astype(int)
    found = np.zeros((side, cells))
    for step in range(-1, 3):
        t = np.abs(at - first - step)
        near = (CUBIC + 2) * t**3 - (CUBIC + 3) * t**2 + 1
        far = CUBIC * (t**3 - 5 * t**2 + 8 * t - 4)
        index = (first + step).clip(0, cells - 1)
        np.add.at(found, (np.arange(side), index), np.where(t <= 1, near, far))
    return found


@dataclass(frozen=True)
class AnyBackground:
    """Each picture gets one of several backgrounds, chosen with the given weights."""

    choices: tuple[tuple[Background, float], ...] = ((Flat(), 0.5), (Gradient(), 0.2), (Texture(), 0.3))

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Floats:
        weights = np.array([weight for _, weight in self.choices])
        which = rng.choice(len(weights), count, p=weights / weights.sum())
        out = np.empty((count, height, width, 3), np.float32)
        for i, (background, _) in enumerate(self.choices):
            chosen = np.nonzero(which == i)[0]
            if len(chosen):
                out[chosen] = background.sample(rng, len(chosen), height, width)
        return out


@dataclass(frozen=True)
class Brightness:
    """The whole picture lighter or darker, with more or less contrast."""

    amount: float = 0.3

    def sample(self, rng: Generator, pictures: Floats) -> Floats:
        gain = _one_each(rng, len(pictures), 1 - self.amount, 1.0)
        offset = _one_each(rng, len(pictures)) * (1 - gain)
        return (pictures * gain + offset).astype(np.float32)


@dataclass(frozen=True)
class Blur:
    """Gaussian blur with a random width up to `widest` px, for a `share` of the pictures."""

    widest: float = 0.8
    share: float = 0.5

    def sample(self, rng: Generator, pictures: Floats) -> Floats:
        sigma = rng.uniform(0.05, self.widest, (len(pictures), 1))
        offsets = np.arange(-TAPS, TAPS + 1)[None]
        blurred = rng.random((len(pictures), 1)) < self.share
        kernel = np.where(blurred, np.exp(-0.5 * (offsets / sigma) ** 2), offsets == 0)
        kernel = (kernel / kernel.sum(1, keepdims=True)).astype(np.float32)
        for axis in (1, 2):
            side, margin = pictures.shape[axis], [(0, 0)] * 4
            margin[axis] = (TAPS, TAPS)
            wide = np.pad(pictures, margin, "edge")
            shifted = [wide.take(range(k, k + side), axis) for k in range(2 * TAPS + 1)]
            pictures = sum(kernel[:, k, None, None, None] * own for k, own in enumerate(shifted))
        return pictures


@dataclass(frozen=True)
class Noise:
    """Gaussian noise of a random strength up to `strongest`; weak noise is the most common."""

    strongest: float = 0.1

    def sample(self, rng: Generator, pictures: Floats) -> Floats:
        sigma = (self.strongest * _one_each(rng, len(pictures)) ** 2).astype(np.float32)
        noise = rng.standard_normal(pictures.shape, np.float32)
        return (pictures + sigma * noise).clip(0, 1)


@dataclass(frozen=True)
class Chain:
    """Several effects, one after the other."""

    effects: tuple[Effect, ...] = (Brightness(), Blur(), Noise())

    def sample(self, rng: Generator, pictures: Floats) -> Floats:
        for effect in self.effects:
            pictures = effect.sample(rng, pictures)
        return pictures

"""Scenes with known truth, one generator per row of the table in `primitives.py`, drawn by `rasterise.py`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image
from rasterise import Floats, composite
from scatter import Shape, Spec, overlapping_pairs, scatter
from scipy.ndimage import gaussian_filter


@dataclass(frozen=True)
class Case:
    """One picture with its truth."""

    name: str
    image: NDArray[np.uint8]  # HxWx3, what the detectors see
    clean: NDArray[np.uint8]  # the same before noise
    shapes: tuple[Shape, ...]  # back to front
    pairs: tuple[tuple[int, int], ...] = ()  # (behind, in front) for every pair that visibly overlaps


SEPARATE = Spec(sizes=(12, 44))
OVERLAP = Spec(sizes=(20, 56), gap=None, crowd=0.7)
BACKGROUND = Spec(sizes=(12, 44), contrast=0.3)
SMALL = Spec(sizes=(8, 12))
LARGE = Spec(sizes=(200, 400), thickness=(0.03, 0.2), gap=None, hidden=0.15)
CROWDED = Spec(sizes=(16, 60), gap=-2.0)


def separate(rng: Generator, index: int) -> Case:
    """128x128, 1 to 8 shapes apart from each other on a flat ground, noise up to 0.03."""
    return _scene(rng, "separate", SEPARATE, flat(rng, 128, 128), int(rng.integers(1, 9)))


def overlap(rng: Generator, index: int) -> Case:
    """128x128, 2 to 6 shapes of distinct colours; at least two overlap, none is hidden by more than 40 %."""
    while True:
        case = _scene(rng, "overlap", OVERLAP, flat(rng, 128, 128), int(rng.integers(2, 7)))
        if case.pairs:
            return case


def background(rng: Generator, index: int) -> Case:
    """128x128, on a texture or a gradient in turn, contrast to the local ground 0.3 and noise 0.08."""
    while True:
        ground = (texture if index % 2 else gradient)(rng, 128, 128)
        case = _scene(rng, "background", BACKGROUND, ground, int(rng.integers(1, 9)), sigma=0.08)
        if case.shapes:
            return case


def small(rng: Generator, index: int) -> Case:
    """128x128, shapes of 8 to 12 px."""
    return _scene(rng, "small", SMALL, flat(rng, 128, 128), int(rng.integers(1, 9)))


def large(rng: Generator, index: int) -> Case:
    """512x512, one to three shapes of 200 to 400 px, of which at most 15 % are hidden."""
    return _scene(rng, "large", LARGE, flat(rng, 512, 512), int(rng.integers(1, 4)), tries=300)


def crowded(rng: Generator, index: int) -> Case:
    """512x512, 60 shapes of 16 to 60 px, which may touch, or overlap by 2 px."""
    while True:
        case = _scene(rng, "crowded", CROWDED, flat(rng, 512, 512), 60)
        if len(case.shapes) == 60:
            return case


def blank(rng: Generator, index: int) -> Case:
    """128x128 with nothing in it: flat, pure noise up to 0.1, gradient, texture in turn."""
    kind = index % 4
    ground = (flat, flat, gradient, texture)[kind](rng, 128, 128)
    low, high = ((0.0, 0.01), (0.03, 0.1), (0.0, 0.08), (0.0, 0.08))[kind]
    return picture("blank", rng, [], ground, rng.uniform(low, high) if index % 8 else 0.0)


ROWS: dict[str, Callable[[Generator, int], Case]] = {
    row.__name__: row for row in (separate, overlap, background, small, large, crowded, blank)
}


def cases(row: str, seed: int, count: int) -> Iterator[Case]:
    """The first `count` scenes of a row; each depends on the seed and its own number only."""
    for index in range(count):
        yield ROWS[row](np.random.default_rng([seed, list(ROWS).index(row), index]), index)


def speed_scene(seed: int, side: int, count: int, sizes: tuple[float, float] = (12, 28)) -> Case:
    """side x side with `count` separate shapes, for the clock."""
    rng = np.random.default_rng([seed, side, count])
    return _scene(rng, "speed", Spec(sizes=sizes), flat(rng, side, side), count, tries=100_000)


SHARED = {  # read off the enlarged pictures: symbol -> (x, y, size), good to about half a pixel
    "Ascene0": "square 33 53.5 15.6, triangle 21 45.5 11.6, triangle 45 62.5 11.6, triangle 57 27.2 14.3, "
    "circle 46 38.5 15.3",
    "Ascene1": "square 42 56.5 15.6, triangle 26.8 56.5 11.6, triangle 56.2 56.5 11.6, "
    "triangle 45 22.5 14.3, circle 43 38.5 15.3",
    "Ascene2": "square 28 46.5 15.6, triangle 23 32.7 11.6, triangle 32 60.3 11.6, triangle 63 37.6 14.3, "
    "circle 47 40.5 15.3",
    "Bframe0.0": "circle 18 40.5 25.5, circle 52.9 34.3 18.3, circle 52 53.7 18.3",
    "Bframe0.1": "circle 20 39.5 25.5, circle 52.9 34.3 18.3, circle 52 53.7 18.3",
    "Bframe1.0": "circle 23 23.5 18, circle 41 42.5 18, circle 58 58.5 18",
    "Bframe1.1": "circle 25 25.5 18, circle 41 42.5 18, circle 58 58.5 18",
    "Dframe0.0": "circle 23 23.5 18, circle 41 42.5 18, circle 58 58.5 18",
}


def shared_cases(folder: Path) -> Iterator[Case]:
    """The example pictures of the paper's first implementation; only symbols and places are known."""
    for name, text in SHARED.items():
        with Image.open(folder / f"{name}.png") as file:
            image = np.asarray(file.convert("RGB"))
        words = [line.split() for line in text.split(", ")]
        shapes = [
            Shape(symbol, (float(x), float(y)), (float(size), float(size)), 0.0, (1.0, 1.0, 1.0), False, 0.1)
            for symbol, x, y, size in words
        ]
        yield Case(name, image, image, tuple(shapes))


def _scene(
    rng: Generator,
    name: str,
    spec: Spec,
    ground: Floats,
    count: int,
    sigma: float | None = None,
    tries: int = 4000,
) -> Case:
    sigma = rng.uniform(0, 0.03) if sigma is None else sigma
    return picture(name, rng, scatter(rng, spec, ground, count, tries), ground, sigma)


def picture(name: str, rng: Generator, shapes: list[Shape], ground: Floats, sigma: float) -> Case:
    """Paint, add noise, and note who covers whom."""
    clean = composite(shapes, ground)
    noisy = clean + rng.normal(0, sigma, clean.shape) if sigma else clean
    pairs = overlapping_pairs(shapes, *ground.shape[:2]) if any(s.hidden for s in shapes) else ()
    return Case(name, _bytes(noisy), _bytes(clean), tuple(shapes), pairs)


def _bytes(values: Floats) -> NDArray[np.uint8]:
    return np.round(values.clip(0, 1) * 255).astype(np.uint8)


# Grounds: float HxWx3


def flat(rng: Generator, height: int, width: int) -> Floats:
    """One colour, now and then plain black or white."""
    colour = rng.uniform(0, 1, 3) if rng.random() < 0.8 else np.full(3, rng.integers(2), float)
    return np.broadcast_to(colour, (height, width, 3)).copy()


def gradient(rng: Generator, height: int, width: int) -> Floats:
    """From one colour to another, along a line or out from a point."""
    first, second = rng.uniform(0, 1, (2, 3))
    y, x = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    if rng.random() < 0.7:
        angle = rng.uniform(0, 2 * math.pi)
        t = math.cos(angle) * (x - 0.5) + math.sin(angle) * (y - 0.5)
    else:
        t = np.hypot(x - rng.uniform(0, 1), y - rng.uniform(0, 1))
    t = (t - t.min()) / (t.max() - t.min())
    return first + t[..., None] * (second - first)


def texture(rng: Generator, height: int, width: int) -> Floats:
    """Clouds, grain like wood, or waves over one colour; smooth, and without any shape of ours in it."""
    kind = rng.integers(3)
    if kind == 0:
        pattern = sum(_smooth(rng, height, width, (s, s)) * s for s in rng.uniform(1.5, 10, 3))
    elif kind == 1:
        across, along = rng.uniform(0.8, 2.5), rng.uniform(8, 25)
        pattern = _smooth(rng, height, width, (across, along) if rng.random() < 0.5 else (along, across))
    else:
        y, x = np.mgrid[0:height, 0:width]
        angle, length = rng.uniform(0, math.pi), rng.uniform(6, 40)
        bend = 4 * _smooth(rng, height, width, (12, 12))
        pattern = np.sin(2 * math.pi * (x * math.cos(angle) + y * math.sin(angle) + bend) / length)
    pattern = np.asarray(pattern - np.mean(pattern)) / np.std(pattern)
    tint = rng.uniform(0.3, 1, 3) * rng.uniform(0.04, 0.1)
    return (rng.uniform(0.1, 0.9, 3) + pattern[..., None] * tint).clip(0, 1)


def _smooth(rng: Generator, height: int, width: int, sigma: tuple[float, float]) -> Floats:
    noise: Floats = gaussian_filter(rng.standard_normal((height, width)), sigma, mode="reflect")
    return noise / noise.std()

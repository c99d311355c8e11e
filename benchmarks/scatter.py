"""Random shapes that obey the rules of a row: how large, how far apart, how hidden, in which contrast."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from rasterise import Floats, alpha, half_stroke, outline, silhouette

SYMBOLS = ("circle", "square", "triangle")
VISIBLE_OVERLAP = 4.0  # px² of one shape seen lying over another: less says nothing about their order
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Shape:
    """The truth about one primitive."""

    symbol: str
    position: tuple[float, float]  # (x, y) px, the centre
    size: tuple[float, float]  # (w, h) px before rotation
    rotation: float  # degrees, clockwise on the screen
    colour: Colour  # 0..1
    filled: bool = True
    thickness: float = 0.0  # stroke width / min(w, h); 0 for a filled shape
    hidden: float = 0.0  # share of what it paints that others cover


@dataclass(frozen=True)
class Spec:
    """Which shapes a row has and how they may stand to each other."""

    sizes: tuple[float, float]  # px, of both w and h
    thickness: tuple[float, float] = (0.06, 0.2)
    contrast: float = 0.2  # to the ground and to shapes it may touch, in the channel that differs most
    gap: float | None = 2.0  # px between shapes at least; negative: they may touch; None: they may overlap
    hidden: float = 0.4  # at most, of every shape
    crowd: float = 0.0  # share of shapes placed close to another one


def random_shape(rng: Generator, spec: Spec, height: int, width: int, others: list[Shape]) -> Shape:
    """A shape of any kind, anywhere or close to another one; its colour is settled later."""
    low, high = spec.sizes
    w = h = rng.uniform(low, high)
    if rng.random() < 0.6:
        while not low <= (h := w / math.exp(rng.uniform(-math.log(2), math.log(2)))) <= high:
            pass
    x, y = rng.uniform(0, width), rng.uniform(0, height)
    if others and rng.random() < spec.crowd:
        other = others[rng.integers(len(others))]
        angle, reach = rng.uniform(0, 2 * math.pi), rng.uniform(0.1, 0.6) * (max(w, h) + max(other.size))
        x, y = other.position[0] + reach * math.cos(angle), other.position[1] + reach * math.sin(angle)
    filled = bool(rng.random() < 0.5)
    least = max(spec.thickness[0], 1 / min(w, h))  # a stroke is a pixel wide at least
    thickness = 0.0 if filled else rng.uniform(least, max(least, spec.thickness[1]))
    symbol = SYMBOLS[rng.integers(3)]
    return Shape(symbol, (x, y), (w, h), rng.uniform(-180, 180), (0, 0, 0), filled, thickness)


def scatter(rng: Generator, spec: Spec, ground: Floats, count: int, tries: int = 4000) -> list[Shape]:
    """Up to `count` shapes that obey `spec`, whole inside the picture, back to front."""
    height, width = ground.shape[:2]
    shapes: list[Shape] = []
    alphas: list[Floats] = []
    taken = np.zeros((height, width), bool)
    for _ in range(tries):
        if len(shapes) == count:
            break
        shape = random_shape(rng, spec, height, width, shapes)
        edge = outline(shape, half_stroke(shape))
        if edge.min() < 1 or (edge.max(axis=0) > (width - 1, height - 1)).any():
            continue
        area, solid = silhouette(shape, height, width, spec.gap or 0.0)
        if spec.gap is not None and (taken[area] & solid).any():
            continue
        rivals = [other.colour for other in shapes if spec.gap is None or _touching(shape, other, spec.gap)]
        colour = _colour(rng, ground[area][solid], rivals, spec.contrast)
        if colour is None:
            continue
        shape = replace(shape, colour=colour)
        if spec.gap is None:
            trial = [*alphas, alpha(shape, height, width)]
            if max(hidden_shares(trial)) > spec.hidden:
                continue
            alphas = trial
        area, solid = silhouette(shape, height, width)
        taken[area] |= solid
        shapes.append(shape)
    if spec.gap is None:
        shapes = [replace(s, hidden=h) for s, h in zip(shapes, hidden_shares(alphas), strict=True)]
    return shapes


def _touching(shape: Shape, other: Shape, gap: float) -> bool:
    """Whether two shapes that may touch might do so."""
    distance = math.dist(shape.position, other.position)
    return gap < 0 and distance < (math.hypot(*shape.size) + math.hypot(*other.size)) * 0.6


def _colour(rng: Generator, under: Floats, rivals: list[Colour], contrast: float) -> Colour | None:
    """A colour that stands out from (nearly) all of the ground under a shape and from its rivals."""
    for _ in range(20):
        colour = rng.uniform(0, 1, 3)
        if any(np.abs(colour - rival).max() < contrast for rival in rivals):
            continue
        if np.percentile(np.abs(under - colour).max(axis=-1), 10) >= contrast:
            return (float(colour[0]), float(colour[1]), float(colour[2]))
    return None


def hidden_shares(alphas: list[Floats]) -> list[float]:
    """Of each shape, back to front, the share of its paint that lies under others."""
    clear, shares = np.ones_like(alphas[0]), []
    for own in reversed(alphas):
        shares.append(1 - float((own * clear).sum() / own.sum()))
        clear = clear * (1 - own)
    return shares[::-1]


def overlapping_pairs(shapes: list[Shape], height: int, width: int) -> tuple[tuple[int, int], ...]:
    """(behind, in front) of every two shapes of which one can be seen to lie over the other."""
    alphas = [alpha(shape, height, width) for shape in shapes]
    clear, pairs = np.ones((height, width)), []
    for front in reversed(range(len(shapes))):
        seen = alphas[front] * clear
        pairs += [(back, front) for back in range(front) if (seen * alphas[back]).sum() >= VISIBLE_OVERLAP]
        clear *= 1 - alphas[front]
    return tuple(sorted(pairs))

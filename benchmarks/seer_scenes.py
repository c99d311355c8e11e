"""Scenes of `seer.py`: bordered shapes, thin outlines, piles of discs, a roof on its body; with their truth.

Renderers, colours and arrangements come in turn: twelve pictures have met them all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from rasterise import Floats, outline, silhouette
from scatter import SYMBOLS, Colour, Shape, hidden_shares
from seer_drawing import RENDERERS, Painted, Pixels

BLACK, WHITE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
GREYS = tuple((g / 255,) * 3 for g in (224, 196, 168, 140, 112, 84, 56))  # the insides in RAVEN's panels
WHOLE, MOSTLY, PARTLY, HIDDEN = "whole", "50 to 90 % visible", "15 to 50 % visible", "hidden"
BORDERED, PLAIN, OUTLINE = "bordered", "plain", "outline"


@dataclass(frozen=True)
class Case:
    """A picture and what is in it."""

    tags: tuple[str, ...]  # how it was made: renderer, colours, arrangement
    image: Pixels
    shapes: tuple[Painted, ...]  # back to front
    groups: tuple[str, ...]  # of each shape, what it counts as


def bordered(rng: Generator, index: int) -> Case:
    """160x160, border and inside of different colours: black and grey as in RAVEN's panels, or any; 1 to 5
    apart from each other, or 3 to 6 of which some overlap and some have no border."""
    grey, apart = (index // 3) % 2 == 0, (index // 6) % 2 == 0
    count = int(rng.integers(1, 6) if apart else rng.integers(3, 7))
    colours = palette(rng, 2 * count + 1, 0.15)
    ground = WHITE if grey else colours[-1]
    insides = [GREYS[i] for i in rng.permutation(len(GREYS))[:count]] if grey else colours[:count]

    def one(n: int) -> Painted:
        plain = not apart and n % 3 == 2
        shape = _posed(rng, str(rng.choice(SYMBOLS)), (24, 60), 160)
        border = None if plain else BLACK if grey else colours[count + n]
        return replace(
            shape, fill=insides[n], stroke=border, width=0 if plain else float(rng.uniform(1.5, 4))
        )

    shapes = _arranged(one, count, 160, apart, hidden=0.4)
    groups = tuple(BORDERED if shape.stroke else PLAIN for shape in shapes)
    tags = "grey" if grey else "colour", "apart" if apart else "overlapping"
    return _case(index, tags, shapes, groups, ground, 160)


def outlines(rng: Generator, index: int) -> Case:
    """256x256, eight outlines of rectangles and ellipses, 0.75 to 1.25 px wide, on white or on a colour; all
    of one colour or each of its own; apart from each other, or some crossing."""
    white, apart, one_pen = (index // 3) % 2 == 0, (index // 6) % 2 == 0, bool(rng.random() < 0.5)
    ground = WHITE if white else palette(rng, 1, 0)[0]
    pen = _unlike(rng, ground, 0.4)

    def one(_: int) -> Painted:
        shape = _posed(rng, str(rng.choice(["square", "circle"])), (20, 64 if apart else 100), 256)
        if rng.random() < 0.5:
            shape = replace(shape, rotation=0.0)
            if rng.random() < 0.5:  # as programs for diagrams do: the line lies on whole pixels
                (x, y), (w, h) = (np.floor(shape.position) + 0.5, np.round(np.divide(shape.size, 2)) * 2)
                shape = replace(shape, position=(float(x), float(y)), size=(float(w), float(h)))
        colour = pen if one_pen else _unlike(rng, ground, 0.4)
        return replace(shape, stroke=colour, width=float(rng.uniform(0.75, 1.25)))

    shapes = _arranged(one, 8, 256, apart)
    tags = "white" if white else "coloured ground", "apart" if apart else "crossing"
    return _case(index, tags, shapes, (OUTLINE,) * 8, ground, 256)


def piles(rng: Generator, index: int) -> Case:
    """Discs of different colours, one over the other: 6 to 12 in 160x160 or 40 to 60 in 256x256."""
    heap = (index // 3) % 2 == 0
    side, spread = (256, 0.2) if heap else (160, 0.15)
    count = int(rng.integers(40, 61) if heap else rng.integers(6, 13))
    colours = palette(rng, count + 1, 0.08 if heap else 0.2)
    while True:
        shapes = []
        for colour in colours[:count]:
            size = float(rng.uniform(20, 60))
            x, y = np.clip(rng.normal(side / 2, spread * side, 2), 1 + size / 2, side - 1 - size / 2)
            shapes.append(Painted("circle", (float(x), float(y)), (size, size), 0.0, colour))
        groups = visibility([shape.silhouette(side, side) for shape in shapes])
        if MOSTLY in groups and PARTLY in groups:
            return _case(index, ("heap" if heap else "small pile",), shapes, groups, colours[-1], side)


def visibility(masks: list[Floats]) -> tuple[str, ...]:
    """In which band each of several shapes, back to front, can be seen."""
    bands = ((0.9, WHOLE), (0.5, MOSTLY), (0.15, PARTLY), (-1.0, HIDDEN))
    shares = [1 - hidden for hidden in hidden_shares(masks)]
    return tuple(next(name for least, name in bands if share > least) for share in shares)


def touching(rng: Generator, index: int) -> Case:
    """160x160, a triangle whose base lies on the upper edge of a rectangle, as wide or wider; in two colours
    or in one; upright or turned."""
    two, turned = (index // 3) % 2 == 0, (index // 6) % 2 == 1
    first, second, ground = palette(rng, 3, 0.25)
    w, h, tall = rng.uniform(36, 64), rng.uniform(28, 56), rng.uniform(20, 40)
    eaves = 1.0 if rng.random() < 0.5 else rng.uniform(1.1, 1.4)
    angle = math.radians(rng.uniform(-180, 180)) if turned else 0.0
    x, y = rng.uniform(70, 90, 2)
    # the box of a triangle is that of the circle around it: its base lies a quarter of that below the centre
    up = h / 2 + tall / 3
    roof_at = (float(x + up * math.sin(angle)), float(y - up * math.cos(angle)))
    roof_size = (float(eaves * w * 2 / math.sqrt(3)), float(tall * 4 / 3))
    body = Painted("square", (float(x), float(y)), (float(w), float(h)), math.degrees(angle), first)
    roof = Painted("triangle", roof_at, roof_size, math.degrees(angle), second if two else first)
    tags = "two colours" if two else "one colour", "turned" if turned else "upright"
    eave = "with eaves" if eaves > 1 else "flush"
    return _case(index, (*tags, eave), [body, roof], ("body", "roof"), ground, 160)


ROWS: dict[str, Callable[[Generator, int], Case]] = {
    row.__name__: row for row in (bordered, outlines, piles, touching)
}


def cases(row: str, seed: int, count: int) -> Iterator[Case]:
    """The first `count` scenes of a row; each depends on the seed and its own number only."""
    for index in range(count):
        yield ROWS[row](np.random.default_rng([seed, 17, list(ROWS).index(row), index]), index)


def palette(rng: Generator, count: int, contrast: float) -> list[Colour]:
    """Colours of 8 bits of which every two differ by `contrast` in some channel."""
    found: list[Colour] = []
    while len(found) < count:
        red, green, blue = (float(value) / 255 for value in rng.integers(0, 256, 3))
        if all(np.abs(np.subtract(other, (red, green, blue))).max() >= contrast for other in found):
            found.append((red, green, blue))
    return found


def _unlike(rng: Generator, other: Colour, contrast: float) -> Colour:
    while True:
        (colour,) = palette(rng, 1, 0)
        if np.abs(np.subtract(colour, other)).max() >= contrast:
            return colour


def _posed(rng: Generator, symbol: str, sizes: tuple[float, float], side: int) -> Painted:
    """A shape anywhere and any way turned, at most twice as long as wide; without looks."""
    w = h = rng.uniform(*sizes)
    if rng.random() < 0.6:
        h = rng.uniform(max(sizes[0], w / 2), min(sizes[1], 2 * w))
    x, y = rng.uniform(0, side, 2)
    return Painted(symbol, (float(x), float(y)), (float(w), float(h)), float(rng.uniform(-180, 180)), None)


def _arranged(
    one: Callable[[int], Painted], count: int, side: int, apart: bool, hidden: float = 1.0
) -> list[Painted]:
    """`count` shapes inside the picture, apart by 3 px, or some overlapping; no centres within 12 px, and at
    most the share `hidden` of any under others."""
    while True:
        shapes: list[Painted] = []
        for _ in range(2000):
            shape = one(len(shapes))
            edge = outline(shape, shape.reach + 1)
            if edge.min() < 1 or edge.max() > side - 1:
                continue
            if any(math.dist(shape.position, other.position) < 12 for other in shapes):
                continue
            if apart and any(overlap(shape, other, side, 3.0) for other in shapes):
                continue
            trial = [*shapes, shape]
            if hidden < 1 and max(hidden_shares([s.silhouette(side, side) for s in trial])) > hidden:
                continue
            shapes = trial
            if len(shapes) == count:
                break
        crossing = any(overlap(a, b, side, 0.0) for i, a in enumerate(shapes) for b in shapes[:i])
        if len(shapes) == count and crossing != apart:
            return shapes


def overlap(one: Painted, other: Painted, side: int, gap: float) -> bool:
    """Whether two shapes, insides counted, come closer than `gap` px."""
    taken = np.zeros((2, side, side), bool)
    for mask, shape, grow in ((taken[0], one, gap), (taken[1], other, 0.0)):
        solid = Shape(shape.symbol, shape.position, shape.size, shape.rotation, BLACK)
        area, inside = silhouette(solid, side, side, shape.reach + grow)
        mask[area] = inside
    return bool((taken[0] & taken[1]).any())


def _case(
    index: int,
    tags: tuple[str, ...],
    shapes: Sequence[Painted],
    groups: tuple[str, ...],
    ground: Colour,
    side: int,
) -> Case:
    renderer = list(RENDERERS)[index % len(RENDERERS)]
    return Case((renderer, *tags), RENDERERS[renderer](shapes, ground, side, side), tuple(shapes), groups)

"""Filled pentagons, hexagons, stars and crosses: sprites that cover one another, and panels with borders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from counting import Counts
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from report import Goal
from report import Line as Row
from strokes_icons import Case, Pixels
from strokes_measuring import Measured, ours_alone
from strokes_painting import coverage
from strokes_paths import Floats, Line, laid, subpaths
from strokes_sight import scene_lines
from strokes_svg import Mark

SIDE = 128  # px
SAMPLES = 8  # a pixel and axis, where Pillow draws
OVERLAP = 0.93  # intersection over union of what is told with what is there, where nothing covers it
VISIBLE = 0.6  # of a shape at least
KINDS = ("path",)  # what such a shape may be told as
PALE = 0.35  # by which a colour differs at least from the ground


@dataclass(frozen=True)
class Sprite:
    """A filled shape; corners (N, 2) in px."""

    kind: str
    corners: Floats
    colour: tuple[float, float, float]

    def area(self) -> Floats:
        return coverage([Mark((_ring(self.corners),))], SIDE, SIDE)


@dataclass(frozen=True)
class Panel:
    """A picture and the shapes in it, back to front."""

    image: Pixels
    sprites: tuple[Sprite, ...]
    border: float  # px, of a dark line astride the outlines; 0: none


def unit(kind: str) -> Floats:
    """Corners (N, 2) in a circle of radius 1."""
    if kind == "cross":
        arm = 1 / 3
        corner = np.array([(1.0, arm), (arm, arm), (arm, 1.0)]) / math.hypot(1, arm)
        quarter = np.array([[0, -1], [1, 0]])
        return np.concatenate([corner @ np.linalg.matrix_power(quarter, k).T for k in range(4)])
    count = {"pentagon": 5, "hexagon": 6}.get(kind, 10)
    turns = np.arange(count) * math.tau / count - math.pi / 2
    away = np.where(np.arange(count) % 2 == 1, 0.45, 1.0) if kind == "star" else np.ones(count)
    return np.stack([away * np.cos(turns), away * np.sin(turns)], 1)


SHAPES = ("pentagon", "hexagon", "star", "cross")


def panel(rng: Generator, index: int) -> Panel:
    """In turn sprites at random places, turned, and shapes of a matrix in a row, grey with a dark border."""
    bordered = bool(index % 2)
    ground = np.ones(3) if bordered else np.array(rng.choice([np.zeros(3), rng.uniform(0, 1, 3)]))
    sprites: list[Sprite] = []
    for _ in range(1000):
        if len(sprites) == 4:
            break
        kind = SHAPES[int(rng.integers(len(SHAPES)))]
        reach = rng.uniform(12, 24) if bordered else rng.uniform(12, 26)
        turn = math.radians(rng.choice([0, 45, 90, 180]) if bordered else rng.uniform(0, 360))
        frame = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        middle = rng.uniform(reach + 3, SIDE - reach - 3, 2)
        if bordered:
            place = len(sprites)
            middle = SIDE / 4 * np.array([1 + 2 * (place % 2), 1 + 2 * (place // 2)])
        shade = rng.uniform(0.1, 0.8) * np.ones(3) if bordered else rng.uniform(0, 1, 3)
        others = (ground, *(one.colour for one in sprites))
        if not bordered and min(np.abs(shade - other).max() for other in others) < PALE:
            continue
        new = Sprite(kind, reach * unit(kind) @ frame.T + middle, (shade[0], shade[1], shade[2]))
        if all(share >= VISIBLE for share in visible([*sprites, new])):
            sprites.append(new)
    border = 1.5 if bordered else 0.0
    return Panel(_drawn(sprites, ground, border), tuple(sprites), border)


def visible(sprites: Sequence[Sprite]) -> list[float]:
    """The share of each that nothing in front covers."""
    areas = [sprite.area() for sprite in sprites]
    shares = []
    for k, area in enumerate(areas):
        left = area * np.prod([1 - other for other in areas[k + 1 :]] or [np.ones_like(area)], axis=0)
        shares.append(float(left.sum() / area.sum()))
    return shares


def _drawn(sprites: Sequence[Sprite], ground: Floats, border: float) -> Pixels:
    """By Pillow, with many samples a pixel."""
    size = SIDE * SAMPLES
    picture = Image.new("RGB", (size, size), _code(ground))
    pen = ImageDraw.Draw(picture)
    for sprite in sprites:
        points = [tuple(point) for point in sprite.corners * SAMPLES - 0.5]
        pen.polygon(points, fill=_code(sprite.colour))
        if border:
            half = border * SAMPLES / 2
            pen.line([*points, *points[:2]], fill=(0, 0, 0), width=round(2 * half), joint="curve")
            for x, y in points:
                pen.ellipse([x - half, y - half, x + half, y + half], fill=(0, 0, 0))
    return np.asarray(picture.resize((SIDE, SIDE), Image.Resampling.BOX))


def _code(colour: Sequence[float] | Floats) -> tuple[int, int, int]:
    red, green, blue = (round(255 * float(value)) for value in colour)
    return red, green, blue


def _ring(corners: Floats) -> Line:
    data = "M " + " L ".join(f"{x:.3f} {y:.3f}" for x, y in corners) + " Z"
    return laid(subpaths(data)[0])


def score(made: Panel, told: Sequence[tuple[str, str]]) -> Counts:
    """A shape is found if one that is told as a path has its outline, as far as nothing covers it.

    told: symbol and path data of every primitive.
    """
    areas = [sprite.area() for sprite in made.sprites]
    filled = [coverage([_inside(data)], SIDE, SIDE) for _, data in told]
    right = [symbol in KINDS for symbol, _ in told]
    found, used = 0, set()
    for k, area in enumerate(areas):
        shown = np.prod([1 - other for other in areas[k + 1 :]] or [np.ones_like(area)], axis=0)
        fits = [right[j] * _overlap(area, other, shown) for j, other in enumerate(filled)]
        best = max((j for j in range(len(fits)) if j not in used), key=lambda j: fits[j], default=None)
        if best is not None and fits[best] >= OVERLAP:
            used.add(best)
            found += 1
    return Counts(len(areas), len(told), found)


def _inside(data: str) -> Mark:
    """All that path data encloses."""
    return Mark(tuple(laid(one) for one in subpaths(data)), 0.0, True)


def _overlap(one: Floats, other: Floats, where: NDArray[np.float64]) -> float:
    """Intersection over union."""
    return float((np.minimum(one, other) * where).sum() / max((np.maximum(one, other) * where).sum(), 1e-9))


def polygon_row(brain: Any, rng: Generator, count: int) -> tuple[list[Row], list[Measured]]:
    """How many of the shapes in many panels were found; every panel too."""
    total, many = Counts(), []
    for index in range(count):
        made = panel(rng, index)
        scene = brain.see(made.image)
        total += score(made, [(leaf.symbol, leaf.path) for leaf in scene.primitives])
        case = Case(f"panel {index}", made.image, (), 0)
        many.append(ours_alone(case, scene, scene_lines(scene), [_ring(one.corners) for one in made.sprites]))
    goal = Goal[Counts](
        f"shapes told to an overlap of {OVERLAP:g}",
        0.99,
        lambda c: c.recall,
        note=lambda c: f"{c.matched} of {c.true}, {c.found} things told",
    )
    return [goal.line(f"pentagons, hexagons, stars, crosses ({count})", total)], many

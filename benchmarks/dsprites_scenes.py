"""Multi-dSprites "coloured on grey", drawn again from what was published of it.

64x64 px, 2 to 5 sprites one over the other (multi_object_datasets): squares, ellipses and hearts at six
scales in [0.5, 1], 40 turns and 32 x 32 places a pixel apart (dSprites), each of one HSV colour, on one grey.
LÖVE painted them without antialiasing: a pixel belongs to a sprite if its centre lies inside. Nothing here
is drawn by `unrender.render`, which is under test.

What was not published is chosen so: all three sprites are a third of the picture wide at scale 1, which
gives the mean share of painted pixels of dSprites, 0.0425; the ellipse is twice as long as wide; the heart is
the curve (16 sin³t, 13 cos t - 5 cos 2t - 2 cos 3t - cos 4t); saturation and value lie in [0.5, 1].
"""

from __future__ import annotations

import colorsys
import math
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

SIDE = 64  # px
WIDTH = SIDE / 3  # px of a sprite at scale 1
CLASSES = ("square", "ellipse", "heart")
SCALES = np.linspace(0.5, 1.0, 6)
TURNS = np.linspace(0.0, 360.0, 40)  # as in dSprites, 0 and 360 are both there
PLACES = np.linspace(16.0, 47.0, 32)  # px of the centre
FEWEST, MOST = 2, 5
VIVID = 0.5  # least saturation and value
T = np.linspace(0.0, 2 * math.pi, 180, endpoint=False)

Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


def _heart() -> Floats:
    """(N, 2): a heart of width 1 around the middle of its box, its point at the bottom."""
    x = 16 * np.sin(T) ** 3
    y = -(13 * np.cos(T) - 5 * np.cos(2 * T) - 2 * np.cos(3 * T) - np.cos(4 * T))
    return np.stack([x, y - (y.max() + y.min()) / 2], 1) / 32


OUTLINES: dict[str, Floats] = {  # of width 1
    "square": np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]),
    "ellipse": np.stack([0.5 * np.cos(T), 0.25 * np.sin(T)], 1),
    "heart": _heart(),
}


@dataclass(frozen=True)
class Sprite:
    """One sprite as it was drawn, and the pixels that it shows."""

    kind: str
    position: tuple[float, float]
    scale: float
    rotation: float
    colour: tuple[int, int, int]
    mask: Mask


@dataclass(frozen=True)
class Picture:
    """One picture with its truth, back to front."""

    image: Image
    sprites: tuple[Sprite, ...]


def pictures(seed: int, count: int) -> list[Picture]:
    """The same for the same seed; a picture does not depend on how many there are."""
    return [picture(np.random.default_rng([seed, i])) for i in range(count)]


def picture(rng: Generator) -> Picture:
    """Two to five sprites on a grey ground."""
    image = np.full((SIDE, SIDE, 3), rng.integers(256), np.uint8)
    sprites: list[Sprite] = []
    for _ in range(rng.integers(FEWEST, MOST + 1)):
        kind = CLASSES[rng.integers(len(CLASSES))]
        position = (float(rng.choice(PLACES)), float(rng.choice(PLACES)))
        scale, rotation = float(rng.choice(SCALES)), float(rng.choice(TURNS))
        hue, saturation, value = rng.random(), rng.uniform(VIVID, 1.0), rng.uniform(VIVID, 1.0)
        red, green, blue = (round(255 * c) for c in colorsys.hsv_to_rgb(hue, saturation, value))
        mask = silhouette(kind, position, scale, rotation)
        image[mask] = (red, green, blue)
        sprites.append(Sprite(kind, position, scale, rotation, (red, green, blue), mask))
    return Picture(image, tuple(_shown(sprites)))


def _shown(sprites: list[Sprite]) -> list[Sprite]:
    """Every sprite with the pixels that those in front of it leave."""
    hidden = np.zeros((SIDE, SIDE), bool)
    shown = []
    for sprite in reversed(sprites):
        left = sprite.mask & ~hidden
        hidden |= sprite.mask
        shown.append(Sprite(sprite.kind, sprite.position, sprite.scale, sprite.rotation, sprite.colour, left))
    return shown[::-1]


def lesson(kind: str = "heart", side: int = SIDE) -> Image:
    """One sprite alone, upright in the middle, painted by the same rule: white on black, as in dSprites."""
    image = np.zeros((side, side, 3), np.uint8)
    image[silhouette(kind, (side / 2, side / 2), side / SIDE, 0.0, side)] = 255
    return image


def silhouette(
    kind: str, position: tuple[float, float], scale: float, rotation: float, side: int = SIDE
) -> Mask:
    """bool (side, side): the pixels whose centre lies inside the outline, turned clockwise by degrees."""
    angle = math.radians(rotation)
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return inside(OUTLINES[kind] * (WIDTH * scale) @ turn + position, side)


def inside(outline: Floats, side: int) -> Mask:
    """bool (side, side): pixels from whose centre a ray to the right crosses the polygon an odd number of
    times."""
    centre = np.arange(side) + 0.5
    (x0, y0), (x1, y1) = outline.T, np.roll(outline, -1, axis=0).T
    row = centre[:, None]
    spans = (y0 <= row) != (y1 <= row)  # (side, edges)
    with np.errstate(divide="ignore", invalid="ignore"):
        meets = x0 + (row - y0) * (x1 - x0) / (y1 - y0)
    crossings = (spans[:, None, :] & (meets[:, None, :] > centre[None, :, None])).sum(2)
    mask: Mask = crossings % 2 == 1
    return mask

"""Pictures for a page: the parts of a scene in colours of their own, and any picture as text."""

from __future__ import annotations

import base64
import colorsys
import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from unrender.scene import Observation, Scene

GOLDEN = 0.618034  # of a turn: neighbours on the colour wheel are far apart in the tree
FIRST = 0.09  # the hue of the first object
GROUND = (22, 25, 44)
DIM, BRIGHT = (74, 80, 104), (255, 176, 66)  # what a question is not about, and what it is about

Pixels = NDArray[np.uint8]


def embedded(image: Pixels) -> str:
    """A picture as a data URI."""
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


def colours(scene: Scene) -> dict[int, tuple[int, int, int]]:
    """A colour for every node, by its id: one hue for each object, its parts lighter and darker."""
    found: dict[int, tuple[int, int, int]] = {}
    hue = FIRST
    for node in scene.observations:
        if id(node) in found:
            continue
        found[id(node)] = _rgb(hue, 0.95)
        if node.parts and all(not part.parts for part in node.parts):
            for i, part in enumerate(node.parts):
                found[id(part)] = _rgb(hue, 1.0 - 0.5 * i / len(node.parts))
        hue += GOLDEN
    return found


def masks(scene: Scene) -> Pixels:
    """uint8 HxWx3: the pixels of every primitive in its colour."""
    image, chosen = np.full((scene.height, scene.width, 3), GROUND, np.uint8), colours(scene)
    for leaf in scene.primitives:
        image[leaf.mask] = chosen[id(leaf)]
    return image


def pointed_at(scene: Scene, parts: Sequence[Observation]) -> Pixels:
    """uint8 HxWx3: the parts that a question is about, bright among the rest."""
    image = np.full((scene.height, scene.width, 3), GROUND, np.uint8)
    meant = {id(leaf) for part in parts for leaf in part.primitives}
    for leaf in scene.primitives:
        image[leaf.mask] = BRIGHT if id(leaf) in meant else DIM
    return image


def difference(one: Pixels, other: Pixels) -> Pixels:
    """uint8 HxWx3: how far two pictures of one size are apart."""
    apart: Pixels = np.abs(one.astype(np.int16) - other).astype(np.uint8)
    return apart


def _rgb(hue: float, value: float) -> tuple[int, int, int]:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1.0, 0.5, value)
    return round(255 * red), round(255 * green), round(255 * blue)

"""Pictures of what is drawn and seen without any lesson: a grammar, the primitives, a world."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NIGHT = (12, 14, 30)  # the ground of all pictures


def seen(image: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], int]:
    """A picture, what is seen in it drawn again and their difference, side by side; and how much was seen."""
    import numpy as np

    import unrender

    scene = unrender.open().see(image)
    off = np.abs(image.astype(np.int16) - scene.image).astype(np.uint8)
    return np.concatenate([image, scene.image, off], axis=1), len(scene.axioms)


def grammar_text() -> str:
    """The grammar of the paper's first figure."""
    return files("unrender.cli").joinpath("house.grammar").read_text(encoding="utf-8")


def house(width: int = 384, height: int = 192) -> NDArray[np.uint8]:
    """A street of [house] symbols, each produced by the grammar and drawn: uint8 HxWx3."""
    from unrender.grammar import Grammar

    grammar, picture = Grammar.parse(grammar_text()), ground(width, height)
    street: tuple[dict[str, float], ...] = (
        {"x": 0.22, "width": 0.6, "height": 0.7, "rotation": 0, "red": 0.93, "green": 0.42, "blue": 0.3},
        {"x": 0.54, "width": 0.42, "height": 0.56, "rotation": -8, "red": 0.95, "green": 0.8, "wooden": 1},
        {"x": 0.82, "width": 0.5, "height": 0.78, "rotation": 10, "red": 0.36, "green": 0.62, "blue": 1.0},
    )
    for place in street:
        values = place | {
            "x": place["x"] * width,
            "y": 0.5 * height,
            "width": place["width"] * height,
            "height": place["height"] * height,
        }
        picture = grammar.draw("house", values, picture)
    return picture


def ground(width: int, height: int) -> NDArray[np.uint8]:
    """An empty night sky."""
    import numpy as np

    return np.full((height, width, 3), NIGHT, np.uint8)


def primitives(side: int = 96) -> NDArray[np.uint8]:
    """A strip with every registered primitive in four styles, each on side x side pixels."""
    from unrender.primitives.registry import primitives as registered
    from unrender.render.layer import Layer
    from unrender.render.paint import paint

    styles: tuple[dict[str, float], ...] = (
        {"width": 0.62, "height": 0.62, "filled": 1.0},
        {"width": 0.62, "height": 0.62, "filled": 0.0, "thickness": 0.12},
        {"width": 0.86, "height": 0.44, "filled": 0.0, "thickness": 0.2, "rotation": -30.0},
        {"width": 0.36, "height": 0.8, "filled": 0.35, "thickness": 0.1, "rotation": 20.0},
    )
    hues = ((0.96, 0.62, 0.26), (0.45, 0.83, 0.62), (0.45, 0.65, 1.0), (0.93, 0.52, 0.72))
    names = list(registered())
    layers = []
    for row, name in enumerate(names):
        for column, (style, hue) in enumerate(zip(styles, hues, strict=True)):
            pose = {"x": (column + 0.5) * side, "y": (row + 0.5) * side}
            lengths = {key: style[key] * side for key in ("width", "height")}
            colour = dict(zip(("red", "green", "blue"), hue, strict=True))
            layers.append(Layer.from_vector(name, style | pose | lengths | colour))
    return paint(layers, ground(len(styles) * side, len(names) * side)).image


def world(side: int = 256, seed: int = 15) -> tuple[NDArray[np.uint8], str]:
    """A picture of the asteroid world, and its true scene graph as JSON."""
    import json

    import numpy as np

    from unrender.worlds import Asteroids

    picture = Asteroids(side, side, background=NIGHT).sample(np.random.default_rng(seed))
    return picture.image, json.dumps(picture.scene.to_dict(), indent=1)

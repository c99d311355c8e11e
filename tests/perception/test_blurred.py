"""Pictures that were enlarged or are out of focus: soft edges are no shapes of their own."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFilter

from unrender.perception.image.blur import estimate_sharpness
from unrender.perception.pipeline import see_primitives
from unrender.primitives.protocol import Primitive

sys.path.insert(0, str(Path(__file__).parent))
from drawing import picture

GREY, RED, BLUE = (0.8, 0.8, 0.8), (0.9, 0.2, 0.1), (0.2, 0.3, 0.9)
NOISE = 0.5 / 255
SHAPES = [
    ("circle", 24.3, 26.8, 30, 22, 25, BLUE, None, 0),
    ("square", 60.2, 58.7, 20, 26, 10, RED, None, 0),
]


def enlarged(image: np.ndarray, factor: int) -> np.ndarray:
    """By bicubic interpolation."""
    pixels = Image.fromarray(np.round(image * 255).astype(np.uint8))
    size = (image.shape[1] * factor, image.shape[0] * factor)
    return np.asarray(pixels.resize(size, Image.Resampling.BICUBIC), np.float32) / 255


def test_edges_of_an_enlarged_picture_are_softer_the_more_it_was_enlarged() -> None:
    image = picture((88, 88), GREY, SHAPES)
    assert estimate_sharpness(image, NOISE) == 1
    assert estimate_sharpness(picture((88, 88), GREY, SHAPES, 0.03), 0.03) == 1
    twice, thrice = (estimate_sharpness(enlarged(image, factor), NOISE) for factor in (2, 3))
    assert 0.15 < thrice < twice < 0.5


@pytest.mark.parametrize("factor", [2, 3])
def test_shapes_in_an_enlarged_picture_are_found_and_nothing_else(
    kinds: Sequence[Primitive], factor: int
) -> None:
    state = see_primitives(enlarged(picture((88, 88), GREY, SHAPES), factor), kinds)
    found = {placed.shape.primitive.name: placed.shape.pose for placed in state.shapes}
    assert sorted(placed.shape.primitive.name for placed in state.shapes) == ["circle", "square"]
    for kind, x, y, *_ in SHAPES:
        assert np.hypot(found[kind][0] - factor * x, found[kind][1] - factor * y) < 0.2 * factor


def test_soft_waves_are_no_soft_edges() -> None:
    y = np.arange(128)[:, None, None]
    waves = 0.5 + 0.2 * np.sign(np.sin(y / 7)) * np.abs(np.sin(y / 7)) ** 0.3 + np.zeros((1, 128, 3))
    soft = Image.fromarray(np.round(255 * waves).astype(np.uint8)).filter(ImageFilter.GaussianBlur(4))
    assert estimate_sharpness(np.asarray(soft, np.float32) / 255, NOISE) == 1

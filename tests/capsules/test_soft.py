"""Pictures whose colours are smeared, as in most JPEG files, are seen as well as others."""

from __future__ import annotations

import io

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import unrender
from unrender.capsules.soft import soft
from unrender.scene import Observation, Scene

Pixels = NDArray[np.uint8]
SIDE = 181


def _shape(
    symbol: str, x: float, y: float, side: float, red: float, green: float, blue: float
) -> Observation:
    return Observation(symbol, (x, y), (side, side), 20.0, {"red": red, "green": green, "blue": blue})


SHAPES = [
    _shape("square", 60, 60, 60, 0.9, 0.1, 0.1),
    _shape("circle", 130, 70, 44, 0.1, 0.2, 0.9),
    _shape("triangle", 80, 135, 50, 0.8, 0.7, 0.1),
]
PICTURE: Pixels = Scene(SIDE, SIDE - 20, SHAPES, np.array([90, 160, 120], np.uint8)).image


def jpeg(pixels: Pixels, subsampling: int) -> Pixels:
    """As a JPEG file gives it back; subsampling: 0 for none, 2 for half of both sides."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=80, subsampling=subsampling)
    with Image.open(file) as image:
        return np.asarray(image.convert("RGB"))


def is_soft(pixels: Pixels) -> bool:
    return soft(pixels.astype(np.float32) / np.float32(255))


def test_colours_at_half_the_resolution_are_noticed() -> None:
    assert is_soft(jpeg(PICTURE, 2))
    assert not is_soft(jpeg(PICTURE, 0))
    assert not is_soft(PICTURE)


def test_what_is_grey_or_small_or_empty_is_never_soft() -> None:
    grey = np.repeat(PICTURE.mean(2, keepdims=True), 3, 2).astype(np.uint8)
    assert not is_soft(jpeg(grey, 2))
    assert not is_soft(jpeg(PICTURE[30:80, 30:80], 2))
    assert not is_soft(np.full((100, 100, 3), 77, np.uint8))


def test_a_smooth_change_of_colours_is_no_smeared_edge() -> None:
    ramp = np.linspace(0, 1, 200, dtype=np.float32)
    picture = np.stack([np.broadcast_to(c, (100, 200)) for c in (ramp, 1 - ramp, 0.5 + 0 * ramp)], -1)
    assert not soft(np.ascontiguousarray(picture))


def test_every_shape_of_a_jpeg_is_seen_where_it_is() -> None:
    scene = unrender.open().see(jpeg(PICTURE, 2))
    assert (scene.width, scene.height) == (SIDE, SIDE - 20)
    found = {shape.symbol: shape for shape in scene.primitives}
    assert len(scene.primitives) == 3
    for true in SHAPES:
        seen = found[true.symbol]
        assert seen.position == pytest.approx(true.position, abs=0.5)
        assert seen.size == pytest.approx(true.size, abs=1.0)
        assert [seen.attributes[c] for c in ("red", "green", "blue")] == pytest.approx(
            [true.attributes[c] for c in ("red", "green", "blue")], abs=0.04
        )
    assert np.abs(scene.image.astype(int) - PICTURE).mean() < 2


def test_small_shapes_that_half_the_size_hides_are_still_looked_for() -> None:
    small = [_shape("square", 30 + 40 * k, 40, 11, 0.9, 0.1, 0.1) for k in range(3)]
    picture = Scene(160, 80, small, np.array([30, 60, 160], np.uint8)).image
    seen = unrender.open().see(jpeg(picture, 2)).primitives
    assert sorted(round(shape.position[0]) for shape in seen) == [30, 70, 110]

"""What is too large is scaled down, what takes too long is left unread, and the scene says so."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest
from PIL import Image, ImageDraw

import unrender
from unrender import Scene, UnrenderError


@pytest.fixture(scope="module")
def brain() -> unrender.Brain:
    return unrender.open()


def large() -> Image.Image:
    """4200x400 pixels with one circle far to the right."""
    image = Image.new("RGB", (4200, 400), (20, 30, 60))
    ImageDraw.Draw(image).ellipse((3800, 100, 4000, 300), fill=(230, 200, 40))
    return image


def crowded() -> Image.Image:
    """320x240 pixels full of crooked shapes, which take their time."""
    rng = np.random.default_rng(0)
    image = Image.new("RGB", (320, 240), (20, 30, 40))
    for _ in range(150):
        corners = rng.integers(-30, 30, (5, 2)) + rng.integers((0, 0), (300, 220))
        ImageDraw.Draw(image).polygon(list(corners.ravel()), fill=tuple(rng.integers(0, 255, 3)))
    return image


def test_a_picture_that_is_too_large_is_seen_at_half_its_size_and_the_scene_says_so(
    brain: unrender.Brain,
) -> None:
    scene = brain.see(large())
    assert (scene.width, scene.height, scene.scale) == (2100, 200, 0.5)
    (circle,) = scene.axioms
    assert circle.position == pytest.approx((3900 * scene.scale, 200 * scene.scale), abs=0.5)
    assert circle.size == pytest.approx((100, 100), abs=1)
    assert scene.image.shape == (200, 2100, 3)
    assert "The picture was seen at 1/2 of its size, 2100x200 pixels." in scene.describe()
    again = Scene.from_dict(json.loads(json.dumps(scene.to_dict())))
    assert (again.scale, again.complete) == (0.5, True)
    assert brain.see_again(scene).scale == 0.5


def test_what_was_read_within_the_time_is_returned_and_the_scene_says_so(brain: unrender.Brain) -> None:
    picture = crowded()
    start = time.perf_counter()
    whole = brain.see(picture)
    unlimited = time.perf_counter() - start
    assert whole.complete
    assert "Time was up" not in whole.describe()
    start = time.perf_counter()
    part = brain.see(picture, max_seconds=0.001)
    assert time.perf_counter() - start < 0.7 * unlimited
    assert not part.complete
    assert part.image.shape == (240, 320, 3)
    assert part.describe().endswith("Time was up before all of it was read.")
    assert not Scene.from_dict(part.to_dict()).complete
    assert not brain.see_again(part).complete


def test_with_time_enough_all_is_read(brain: unrender.Brain) -> None:
    picture = brain.draw("circle", size=(40, 24))
    scene = brain.see(picture, max_seconds=600)
    assert scene.complete
    assert scene.to_dict() == brain.see(picture).to_dict()


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_no_time_at_all_is_refused(brain: unrender.Brain, seconds: float) -> None:
    with pytest.raises(UnrenderError, match="must be more than 0"):
        brain.see(np.zeros((32, 32), np.uint8), max_seconds=seconds)


@pytest.mark.parametrize("scale", [0, -1, 2, "half"])
def test_a_scene_file_with_a_scale_that_cannot_be_is_refused(scale: object) -> None:
    with pytest.raises(UnrenderError, match="This is not a scene graph"):
        Scene.from_dict(Scene(20, 20, []).to_dict() | {"scale": scale})

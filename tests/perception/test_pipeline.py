"""Shapes are seen where they were drawn, whatever lies over them and behind them."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.interpretation import Interpretation
from unrender.perception.pipeline import see_primitives
from unrender.primitives.protocol import Primitive
from unrender.render.shape import A, B, Shape, X, Y

sys.path.insert(0, str(Path(__file__).parent))
from drawing import picture

GREY, RED, GREEN, BLUE = (0.8, 0.8, 0.8), (0.9, 0.2, 0.1), (0.1, 0.7, 0.3), (0.2, 0.3, 0.9)
Kinds = Sequence[Primitive]


def told(state: Interpretation) -> list[str]:
    return [placed.shape.primitive.name for placed in state.shapes]


def check(shape: Shape, x: float, y: float, sides: tuple[float, float], within: float = 0.1) -> None:
    """Whether a shape stands there and has these sides, px."""
    assert np.hypot(shape.pose[X] - x, shape.pose[Y] - y) < within
    assert sorted(2 * shape.pose[[A, B]]) == pytest.approx(sorted(sides), abs=2 * within)


@pytest.mark.parametrize("kind", ["circle", "square", "triangle"])
@pytest.mark.parametrize("noise", [0.0, 0.03])
def test_one_shape_is_found_to_a_tenth_of_a_pixel(kinds: Kinds, kind: str, noise: float) -> None:
    image = picture((72, 64), GREY, [(kind, 33.3, 30.8, 30, 22, 25, BLUE, None, 0)], noise)
    state = see_primitives(image, kinds)
    assert told(state) == [kind]
    check(state.shapes[0].shape, 33.3, 30.8, (30, 22))
    assert state.shapes[0].shape.fill == pytest.approx(BLUE, abs=0.02)


@pytest.mark.parametrize("kind", ["circle", "square"])
@pytest.mark.parametrize("width", [1.0, 3.0])
def test_an_outline_is_one_stroke_of_its_width(kinds: Kinds, kind: str, width: float) -> None:
    image = picture((72, 64), GREY, [(kind, 34.1, 31.6, 34, 26, 12, None, RED, width)])
    state = see_primitives(image, kinds)
    assert told(state) == [kind]
    shape = state.shapes[0].shape
    check(shape, 34.1, 31.6, (34, 26))
    assert shape.fill is None
    assert 2 * shape.pose[5] == pytest.approx(width, abs=0.15)


def test_what_lies_in_front_is_last(kinds: Kinds) -> None:
    shapes = [
        ("circle", 40, 36, 36, 36, 0, RED, None, 0),
        ("square", 56, 44, 28, 22, 20, BLUE, None, 0),
        ("triangle", 34, 56, 34, 34, 0, GREEN, None, 0),
    ]
    state = see_primitives(picture((96, 84), GREY, shapes, 0.01), kinds)
    assert told(state) == ["circle", "square", "triangle"]
    for placed, (_, x, y, w, h, *_) in zip(state.shapes, shapes, strict=True):
        check(placed.shape, x, y, (w, h))


def test_a_shape_that_another_cuts_in_two_is_one(kinds: Kinds) -> None:
    shapes = [
        ("square", 48, 42, 64, 30, 0, RED, None, 0),
        ("square", 48, 42, 14, 70, 0, BLUE, None, 0),
    ]
    state = see_primitives(picture((96, 84), GREY, shapes, 0.01), kinds)
    assert told(state) == ["square", "square"]
    check(state.shapes[0].shape, 48, 42, (64, 30))


def test_a_background_may_change_slowly(kinds: Kinds) -> None:
    y, x = np.mgrid[0:84, 0:96]
    ground = np.array(GREY) - np.stack([x / 400, y / 300, (x + y) / 800], 2)
    disc = picture((96, 84), (0, 0, 0), [("circle", 50, 40, 30, 30, 0, (1, 1, 1), None, 0)])
    image = (ground * (1 - disc) + disc * np.array(BLUE)).astype(np.float32)
    state = see_primitives(image, kinds)
    assert told(state) == ["circle"]
    check(state.shapes[0].shape, 50, 40, (30, 30), 0.3)


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_a_picture_of_nothing_holds_nothing(kinds: Kinds, noise: float) -> None:
    assert told(see_primitives(picture((64, 64), GREEN, [], noise), kinds)) == []


def test_texture_is_no_shape_but_a_shape_on_it_is(kinds: Kinds) -> None:
    rng = np.random.default_rng(3)
    from scipy.ndimage import gaussian_filter

    clouds = gaussian_filter(rng.standard_normal((96, 96)), 3)
    ground = 0.5 + 0.08 * (clouds / clouds.std())[:, :, None] * np.array([1.0, 0.8, 0.6])
    noise = rng.normal(0, 0.03, (96, 96, 3))
    assert told(see_primitives((ground + noise).clip(0, 1).astype(np.float32), kinds)) == []
    disc = picture((96, 96), (0, 0, 0), [("circle", 44, 50, 36, 36, 0, (1, 1, 1), None, 0)])
    image = ground * (1 - disc) + disc * np.array(BLUE) + noise
    state = see_primitives(image.clip(0, 1).astype(np.float32), kinds)
    assert told(state) == ["circle"]
    check(state.shapes[0].shape, 44, 50, (36, 36), 0.3)


def test_what_is_seen_repeats_exactly(kinds: Kinds) -> None:
    shapes = [("circle", 30, 30, 30, 22, 15, RED, None, 0), ("square", 44, 36, 20, 30, 40, None, BLUE, 3)]
    image = picture((72, 64), GREY, shapes, 0.02)
    one, other = see_primitives(image, kinds), see_primitives(image.copy(), kinds)
    assert told(one) == told(other)
    for a, b in zip(one.shapes, other.shapes, strict=True):
        assert np.array_equal(a.shape.pose, b.shape.pose)

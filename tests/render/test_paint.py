"""Painting: depth order, masks, windows, and what happens to bad input."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unrender.errors import UnrenderError
from unrender.render.coverage import cover
from unrender.render.layer import Layer
from unrender.render.paint import blank, paint

RED = {"red": 1.0}
GREEN = {"green": 1.0}


def box(x: float, y: float, side: float, **style: float) -> Layer:
    return Layer.from_vector("square", {"x": x, "y": y, "width": side, "height": side} | style)


def test_what_is_painted_later_lies_in_front() -> None:
    back, front = box(8, 8, 8, **RED), box(12, 12, 8, **GREEN)
    image = paint([back, front], blank((20, 20))).image
    assert image[6, 6].tolist() == [255, 0, 0]
    assert image[10, 10].tolist() == [0, 255, 0]
    assert paint([front, back], blank((20, 20))).image[10, 10].tolist() == [255, 0, 0]


def test_the_visible_mask_ends_where_something_stands_in_front_and_the_full_mask_does_not() -> None:
    painting = paint([box(8, 8, 8, **RED), box(12, 12, 8, **GREEN)], blank((20, 20)))
    whole = np.zeros((20, 20), bool)
    whole[4:12, 4:12] = True
    seen = whole.copy()
    seen[8:12, 8:12] = False
    assert np.array_equal(painting.mask([0], amodal=True), whole)
    assert np.array_equal(painting.mask([0], amodal=False), seen)
    assert painting.mask([1], amodal=False).sum() == 64


def test_the_masks_of_several_layers_are_their_union() -> None:
    painting = paint([box(5, 5, 4, **RED), box(15, 15, 4, **GREEN)], blank((20, 20)))
    both = painting.mask([0, 1], amodal=False)
    assert np.array_equal(both, painting.mask([0], amodal=False) | painting.mask([1], amodal=False))
    assert both.sum() == 32


@pytest.mark.parametrize("amodal", [False, True])
def test_the_mask_of_touching_parts_has_no_crack(amodal: bool) -> None:
    """Two parts that meet, but for a tenth of a pixel: neither paints the seam by half, together they do."""
    left = Layer.from_vector("square", {"x": 7.225, "y": 10, "width": 6.45, "height": 12} | RED)
    right = Layer.from_vector("square", {"x": 13.775, "y": 10, "width": 6.45, "height": 12} | RED)
    painting = paint([left, right], blank((21, 20)))
    assert not any(painting.mask([i], amodal=amodal)[:, 10].any() for i in (0, 1))
    whole = np.zeros((20, 21), bool)
    whole[4:16, 4:17] = True
    assert np.array_equal(painting.mask([0, 1], amodal=amodal), whole)


def test_the_mask_of_turned_parts_that_touch_has_no_crack() -> None:
    """A turned square, cut into strips thinner than a pixel that lie side by side."""
    turn, side, strips = math.radians(27), 24.0, 60
    width = side / strips
    parts = []
    for i in range(strips):
        along = (i + 0.5) * width - side / 2
        x, y = 24 + along * math.cos(turn), 24 + along * math.sin(turn)
        pose = {"x": x, "y": y, "width": width, "height": side, "rotation": 27}
        parts.append(Layer.from_vector("square", pose | RED))
    inner = Layer.from_vector("square", {"x": 24, "y": 24, "width": 22, "height": 22, "rotation": 27})
    inside = paint([inner], blank((48, 48))).mask([0], amodal=True)
    together = paint(parts, blank((48, 48))).mask(range(strips), amodal=True)
    assert inside.sum() > 400
    assert together[inside].all()


def test_an_outline_shows_what_is_behind_it() -> None:
    ring = Layer.from_vector(
        "circle", {"x": 10, "y": 10, "width": 14, "height": 14, "filled": 0, "thickness": 0.2} | GREEN
    )
    image = paint([box(10, 10, 4, **RED), ring], blank((20, 20))).image
    assert image[10, 10].tolist() == [255, 0, 0]
    assert image[10, 3].tolist() == [0, 255, 0]


def test_half_filled_means_half_transparent() -> None:
    layer = Layer.from_vector(
        "square", {"x": 10, "y": 10, "width": 12, "height": 12, "filled": 0.5, "red": 1, "thickness": 0.1}
    )
    canvas = np.full((20, 20, 3), 100, np.uint8)
    pixel = paint([layer], canvas).image[10, 10]
    assert np.abs(pixel.astype(int) - [178, 50, 50]).max() <= 1


def test_painting_leaves_the_canvas_it_was_given_alone() -> None:
    canvas = np.full((9, 9, 3), 7, np.uint8)
    paint([box(4, 4, 4, **RED)], blank(canvas))
    assert (canvas == 7).all()


def test_a_layer_outside_the_canvas_changes_nothing() -> None:
    painting = paint([box(-50, 5, 8, **RED), box(5, 400, 8, **RED)], blank((16, 16)))
    assert not painting.image.any()
    assert not painting.mask([0, 1], amodal=True).any()


shapes = st.tuples(
    st.sampled_from(["circle", "square", "triangle"]),
    st.tuples(
        st.floats(-10, 40), st.floats(-10, 40), st.floats(2, 40), st.floats(2, 40), st.floats(-180, 180)
    ),
    st.tuples(*[st.floats(0, 1)] * 5),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(shapes, min_size=1, max_size=4))
def test_painting_by_windows_equals_composing_whole_canvases(
    drawn: list[tuple[str, tuple[float, ...], tuple[float, ...]]],
) -> None:
    names = ("x", "y", "width", "height", "rotation", "red", "green", "blue", "filled", "thickness")
    layers = [
        Layer.from_vector(name, dict(zip(names, pose + style, strict=True))) for name, pose, style in drawn
    ]
    painting = paint(layers, blank((30, 24)))
    picture = np.zeros((24, 30, 3))
    for layer in layers:
        patch = cover(layer.shape, (0, 24, 0, 30))
        for alpha, colour in ((patch.fill, layer.colour), (patch.stroke, layer.stroke_colour)):
            if alpha is not None:
                share = alpha * (layer.filled if alpha is patch.fill else 1.0)
                picture += share[..., None] * (np.array(colour) - picture)
    assert np.abs(painting.image - picture * 255).max() <= 0.52


def test_the_stroke_has_a_colour_of_its_own() -> None:
    looks = {"red": 1.0, "stroke_blue": 1.0, "thickness": 0.25, "filled": 1.0}
    image = paint([box(10, 10, 12, **looks)], blank((20, 20))).image
    assert image[10, 10].tolist() == [255, 0, 0]
    assert image[10, 4].tolist() == [0, 0, 255]
    assert image[10, 3].tolist() == [0, 0, 255], "it is centred on the outline"


def test_what_is_not_told_takes_the_colour_of_the_other() -> None:
    ring = {"filled": 0.0, "thickness": 0.25}
    inside, stroke = box(10, 10, 12, red=1.0, **ring), box(10, 10, 12, stroke_red=1.0, **ring)
    assert np.array_equal(paint([inside], blank((20, 20))).image, paint([stroke], blank((20, 20))).image)


@pytest.mark.parametrize("canvas", [(0, 5), (5, -1), (2.5, 4), (5,), "ab", None, (10**9, 4), (math.nan, 4)])
def test_a_bad_canvas_is_an_error_of_one_sentence(canvas: object) -> None:
    with pytest.raises(UnrenderError, match=r"^A canvas must .*\.$"):
        blank(canvas)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 3)),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((0, 4, 3), np.uint8),
    ],
)
def test_a_picture_of_another_kind_is_no_canvas(picture: np.ndarray) -> None:
    with pytest.raises(UnrenderError, match="height x width x 3"):
        blank(picture)


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"red": 1.5}, '"red" of .square. must lie between 0 and 1, not 1.5'),
        ({"red": math.nan}, '"red" of .square. must be finite'),
        ({"red": "bright"}, '"red" of .square. must be a number'),
        ({"width": 0}, '"width" of .square. must lie between'),
        ({"height": -3}, '"height" of .square. must lie between'),
        ({"x": math.inf}, '"x" of .square. must be finite'),
        ({"thickness": 2}, '"thickness" of .square. must lie between'),
        ({"colour": 1}, 'no attribute "colour"'),
        ({"reed": 1}, 'Did you mean "red"'),
    ],
)
def test_a_bad_attribute_is_an_error_of_one_sentence(values: dict[str, float], complaint: str) -> None:
    with pytest.raises(UnrenderError, match=complaint):
        Layer.from_vector("square", values)


def test_angles_wrap_around() -> None:
    turned = Layer.from_vector("square", {"rotation": 370})
    assert turned.rotation == pytest.approx(10)

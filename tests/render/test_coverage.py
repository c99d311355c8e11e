"""Coverage is the area of a pixel that a shape paints."""

import math

import numpy as np
import pytest

from unrender.primitives.registry import find
from unrender.render.composite import composite, layers
from unrender.render.coverage import SMALL, cover, pixel_area, pixels_near
from unrender.render.shape import Shape

RED, BLUE = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def shape(name: str, a: float, b: float, tau: float = 0.0, **colours: np.ndarray) -> Shape:
    pose = np.array([70.3, 64.8, a, b, 0.4, tau])
    return Shape(find(name), pose, colours.get("fill"), colours.get("stroke"))


@pytest.mark.parametrize(
    ("name", "unit"), [("circle", math.pi), ("square", 4.0), ("triangle", 0.75 * 3**0.5)]
)
@pytest.mark.parametrize("size", [(9.0, 6.0), (50.0, 31.0)])
def test_what_a_shape_paints_adds_up_to_its_area(name: str, unit: float, size: tuple[float, float]) -> None:
    filled = shape(name, *size, fill=RED)
    patch = cover(filled, filled.window(128, 144))
    assert patch.fill is not None
    assert patch.fill.sum() == pytest.approx(
        unit * size[0] * size[1], rel=0.012
    )  # the corners of a small triangle are rounded off


def test_a_stroke_is_as_wide_as_twice_tau() -> None:
    ring = shape("circle", 40.0, 40.0, 2.5, stroke=RED)
    patch = cover(ring, ring.window(128, 144))
    assert patch.stroke is not None
    assert patch.stroke.sum() == pytest.approx(2 * math.pi * 40 * 5, rel=1e-3)


@pytest.mark.parametrize("angle", np.linspace(0, 2 * math.pi, 9))
@pytest.mark.parametrize("d", [-0.6, -0.2, 0.0, 0.3, 0.65])
def test_a_pixel_that_a_straight_edge_crosses_is_covered_by_its_share(angle: float, d: float) -> None:
    nx, ny = math.cos(angle), math.sin(angle)
    side = (np.arange(400) + 0.5) / 400 - 0.5
    inside = (nx * side[None] + ny * side[:, None] < -d).mean()
    area, slope = pixel_area(d, nx, ny)
    assert area == pytest.approx(inside, abs=3e-3)
    assert slope == pytest.approx(
        (pixel_area(d - 1e-4, nx, ny)[0] - pixel_area(d + 1e-4, nx, ny)[0]) / 2e-4, abs=1e-3
    )


def test_large_shapes_are_painted_block_by_block_as_small_ones_pixel_by_pixel() -> None:
    both = shape("triangle", 60.0, 45.0, 4.0, fill=BLUE, stroke=RED)
    window = both.window(128, 144)
    whole = cover(both, window)
    assert (window[1] - window[0]) * (window[3] - window[2]) > SMALL
    for top in range(window[0], window[1], 16):
        part = cover(both, (top, min(top + 16, window[1]), window[2], window[2] + 30))
        for name in ("fill", "stroke"):
            rows = slice(top - window[0], min(top + 16, window[1]) - window[0])
            assert np.allclose(getattr(part, name), getattr(whole, name)[rows, :30])


def test_pixels_near_an_edge_are_all_that_an_edge_can_change() -> None:
    ring = shape("circle", 40.0, 28.0, 3.0, stroke=RED)
    window = ring.window(128, 144)
    patch = cover(ring, window)
    assert patch.stroke is not None
    near = np.zeros(patch.stroke.shape, bool)
    rows, columns = pixels_near(ring, window, 1.0)
    near[rows.astype(int), columns.astype(int)] = True
    mixed = (patch.stroke > 0) & (patch.stroke < 1)
    assert near[mixed].all()
    assert near.mean() < 0.5


def test_a_stroke_is_painted_over_the_inside() -> None:
    both = shape("square", 30.0, 20.0, 3.0, fill=BLUE, stroke=RED)
    canvas, roughness = np.ones((128, 144, 3), np.float32), np.zeros((128, 144), np.float32)
    composite(canvas, roughness, (0, 0), layers(both, cover(both, both.window(128, 144))))
    assert canvas[64, 70].tolist() == [0, 0, 1]
    edge = (round(64.8 + 20 * math.cos(0.4)), round(70.3 - 20 * math.sin(0.4)))
    assert canvas[edge].tolist() == [1, 0, 0]
    assert canvas[5, 5].tolist() == [1, 1, 1]
    assert roughness[64, 70] == 0
    assert roughness.max() > 0.5  # at edges other renderers may differ

"""What `brain.see` finds, on pictures drawn by Pillow, which knows nothing of our own drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

import unrender
from unrender.grammar.attribute import STYLE_NAMES, one_colour

FINE = 8  # times finer than the picture
Colour = tuple[int, int, int]
UNITS = {
    "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    "triangle": [(0, -1), (math.sqrt(3) / 2, 0.5), (-math.sqrt(3) / 2, 0.5)],
    "circle": [(math.cos(t), math.sin(t)) for t in np.linspace(0, 2 * math.pi, 180, endpoint=False)],
}


class Picture:
    """A canvas on which Pillow draws shapes at eight times the resolution."""

    def __init__(self, side: int, ground: Colour) -> None:
        self.side = side
        self.large = Image.new("RGB", (side * FINE, side * FINE), ground)

    def add(
        self,
        symbol: str,
        position: tuple[float, float],
        size: tuple[float, float],
        rotation: float,
        colour: Colour,
        stroke: float = 0.0,
    ) -> Picture:
        """Filled, or with a stroke of so many pixels."""
        turn, draw = math.radians(rotation), ImageDraw.Draw(self.large)
        points = []
        for u, v in UNITS[symbol]:
            x, y = u * size[0] / 2, v * size[1] / 2
            right = position[0] + x * math.cos(turn) - y * math.sin(turn)
            down = position[1] + x * math.sin(turn) + y * math.cos(turn)
            points.append((right * FINE - 0.5, down * FINE - 0.5))
        if not stroke:
            draw.polygon(points, fill=colour)
            return self
        draw.line([*points, points[0]], fill=colour, width=round(stroke * FINE))
        for x, y in points:
            r = stroke * FINE / 2
            draw.ellipse((x - r, y - r, x + r, y + r), fill=colour)
        return self

    def array(self, noise: float = 0.0) -> NDArray[np.uint8]:
        small = np.asarray(self.large.resize((self.side, self.side), Image.Resampling.BOX), float)
        small = small + np.random.default_rng(0).normal(0, 255 * noise, small.shape)
        return np.round(small.clip(0, 255)).astype(np.uint8)


@pytest.fixture(scope="module")
def brain() -> unrender.Brain:
    return unrender.open(":memory:")


def names(found: Sequence[unrender.Observation]) -> list[str]:
    return sorted(o.symbol for o in found)


def nearest(scene: unrender.Scene, x: float, y: float) -> unrender.Observation:
    return min(scene.axioms, key=lambda o: math.dist(o.position, (x, y)))


@pytest.fixture(scope="module")
def three(brain: unrender.Brain) -> unrender.Scene:
    picture = (
        Picture(96, (20, 30, 60))
        .add("circle", (25.3, 24.6), (26, 18), 30, (240, 200, 40))
        .add("square", (68.2, 27.7), (24, 30), 12, (230, 60, 60), stroke=3)
        .add("triangle", (44.6, 68.1), (34, 34), -25, (90, 220, 120))
    )
    return brain.see(picture.array(noise=0.02))


def test_every_shape_is_found_and_nothing_else(three: unrender.Scene) -> None:
    assert names(three.axioms) == ["circle", "square", "triangle"]
    assert all(o.p > 0.8 for o in three.axioms)


def test_centre_size_and_rotation_are_exact_to_a_fraction_of_a_pixel(three: unrender.Scene) -> None:
    circle, square = nearest(three, 25, 25), nearest(three, 68, 28)
    assert math.dist(circle.position, (25.3, 24.6)) < 0.1
    assert circle.size == pytest.approx((26, 18), abs=0.3)
    assert circle.rotation == pytest.approx(30, abs=1.0)
    assert math.dist(square.position, (68.2, 27.7)) < 0.1
    assert square.size == pytest.approx((24, 30), abs=0.3)
    assert square.rotation == pytest.approx(12, abs=0.6)


def test_an_equilateral_triangle_comes_in_its_canonical_pose(three: unrender.Scene) -> None:
    triangle = nearest(three, 44, 68)
    assert triangle.size[0] == pytest.approx(triangle.size[1])
    assert triangle.size[0] == pytest.approx(34, abs=0.4)
    assert triangle.rotation == pytest.approx(-25, abs=0.6)


def test_all_attributes_are_told(three: unrender.Scene) -> None:
    square = nearest(three, 68, 28)
    assert set(square.attributes) == {*STYLE_NAMES, "corner"}
    assert one_colour(square.attributes), "a stroke that is not painted has the colour of the inside"
    assert square.attributes["filled"] == 0
    assert square.attributes["thickness"] == pytest.approx(3 / 24, abs=0.02)
    assert square.attributes["red"] == pytest.approx(230 / 255, abs=0.03)
    assert nearest(three, 25, 25).attributes["filled"] == 1


def test_the_scene_drawn_again_looks_like_the_picture(three: unrender.Scene) -> None:
    picture = (
        Picture(96, (20, 30, 60))
        .add("circle", (25.3, 24.6), (26, 18), 30, (240, 200, 40))
        .add("square", (68.2, 27.7), (24, 30), 12, (230, 60, 60), stroke=3)
        .add("triangle", (44.6, 68.1), (34, 34), -25, (90, 220, 120))
    )
    off = np.abs(three.image.astype(int) - picture.array().astype(int))
    assert off.mean() < 1.5


def test_the_hidden_part_is_inferred_and_the_order_told(brain: unrender.Brain) -> None:
    picture = (
        Picture(96, (245, 245, 235))
        .add("square", (42, 50), (44, 36), 10, (60, 90, 200))
        .add("circle", (62, 44), (28, 28), 0, (220, 80, 60))
    )
    scene = brain.see(picture.array(noise=0.01))
    square, circle = nearest(scene, 42, 50), nearest(scene, 62, 44)
    assert names(scene.axioms) == ["circle", "square"]
    assert math.dist(square.position, (42, 50)) < 0.3
    assert sorted(square.size) == pytest.approx([36, 44], abs=0.8)
    assert square.depth is not None
    assert circle.depth is not None
    assert square.depth < circle.depth
    assert circle.mask.sum() == circle.full_mask.sum()
    assert square.mask.sum() < 0.95 * square.full_mask.sum()


def test_a_shape_that_lies_across_lines_is_seen_with_them(brain: unrender.Brain) -> None:
    picture = (
        Picture(96, (240, 125, 10))
        .add("triangle", (42, 44), (52, 52), 20, (40, 80, 150), stroke=6)
        .add("circle", (60, 52), (38, 38), 0, (230, 220, 190), stroke=3)
        .add("triangle", (46, 56), (40, 30), -6, (110, 20, 80))
    )
    scene = brain.see(picture.array(noise=0.01))
    assert names(scene.axioms) == ["circle", "triangle", "triangle"]
    top = nearest(scene, 46, 56)
    assert math.dist(top.position, (46, 56)) < 0.3
    assert top.attributes["filled"] == 1.0
    assert top.depth == 2


def test_a_shape_that_another_one_cuts_in_two_is_one_shape(brain: unrender.Brain) -> None:
    picture = (
        Picture(96, (250, 250, 250))
        .add("circle", (52, 48), (30, 52), 5, (110, 240, 150), stroke=4)
        .add("square", (40, 44), (30, 26), 25, (175, 30, 15))
    )
    scene = brain.see(picture.array(noise=0.01))
    assert names(scene.axioms) == ["circle", "square"]
    ring = nearest(scene, 52, 48)
    assert math.dist(ring.position, (52, 48)) < 0.5
    assert sorted(ring.size) == pytest.approx([30, 52], abs=1.0)


@pytest.mark.parametrize("ground", [(0, 0, 0), (255, 255, 255), (120, 60, 30)])
def test_nothing_is_found_in_an_empty_picture(brain: unrender.Brain, ground: Colour) -> None:
    assert brain.see(Picture(64, ground).array()).axioms == []
    assert brain.see(Picture(64, ground).array(noise=0.05)).axioms == []


def test_grey_pictures_and_odd_sizes_are_seen(brain: unrender.Brain) -> None:
    picture = Picture(53, (0, 0, 0)).add("circle", (26, 27), (22, 22), 0, (255, 255, 255), stroke=2.5)
    scene = brain.see(picture.array()[:, :, 0])
    assert names(scene.axioms) == ["circle"]
    assert scene.axioms[0].size == pytest.approx((22, 22), abs=0.4)


def test_a_small_and_a_large_shape_in_one_picture(brain: unrender.Brain) -> None:
    picture = (
        Picture(256, (30, 60, 40))
        .add("square", (150, 150), (150, 120), 20, (200, 200, 90))
        .add("circle", (20, 22), (10, 10), 0, (250, 120, 120))
    )
    scene = brain.see(picture.array(noise=0.01))
    assert names(scene.axioms) == ["circle", "square"]
    assert nearest(scene, 20, 22).size[0] == pytest.approx(10, abs=0.3)
    assert sorted(nearest(scene, 150, 150).size) == pytest.approx([120, 150], abs=0.5)


def test_seeing_twice_gives_the_same_scene(brain: unrender.Brain) -> None:
    image = Picture(64, (9, 9, 9)).add("triangle", (30, 34), (30, 24), 40, (200, 90, 30)).array(noise=0.03)
    assert brain.see(image).to_dict() == brain.see(image).to_dict()


def test_a_shape_where_two_strips_of_a_large_picture_meet_is_seen_once(brain: unrender.Brain) -> None:
    picture = Picture(64, (10, 20, 30)).add("circle", (30, 30), (20, 14), 20, (240, 220, 60)).array()
    tall = np.full((700, 64, 3), (10, 20, 30), np.uint8)
    tall[474:538] = (
        picture  # the shape is centred on row 504, eight rows of border before the first strip ends
    )
    scene = brain.see(tall)
    assert names(scene.axioms) == ["circle"]
    assert scene.axioms[0].position == pytest.approx((30, 504), abs=0.1)


def test_a_shape_that_nearly_fills_the_picture_is_seen(brain: unrender.Brain) -> None:
    for side in (40, 100):
        picture = Picture(side, (30, 40, 60)).add(
            "circle", (side / 2, side / 2), (side - 8, side - 8), 0, (220, 180, 90)
        )
        scene = brain.see(picture.array())
        assert names(scene.axioms) == ["circle"], side
        assert scene.axioms[0].size == pytest.approx((side - 8, side - 8), abs=0.3)

"""A patch of one colour with right angles only is told as rectangles, the same in every turn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

import unrender
from unrender.capsules.blocks import blocks, cover

Mask = NDArray[np.bool_]


def _cells(*rows: str) -> Mask:
    return np.array([[cell == "#" for cell in row] for row in rows])


def _drawn(corners: list[tuple[float, float]], side: int = 84) -> Mask:
    image = Image.new("1", (side, side))
    ImageDraw.Draw(image).polygon(corners, fill=1)
    return np.array(image)


def _cross(degrees: float) -> Mask:
    """Two bars of 50x14 px across each other."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    mask = np.zeros((84, 84), bool)
    for w, h in ((25, 7), (7, 25)):
        box = [(-w, -h), (w, -h), (w, h), (-w, h)]
        mask |= _drawn([(42 + x * cos - y * sin, 40 + x * sin + y * cos) for x, y in box])
    return mask


@pytest.mark.parametrize("turns", range(4))
def test_an_l_is_two_bars_however_it_is_turned(turns: int) -> None:
    told = cover(np.rot90(_cells("#..", "###"), turns))
    sides = sorted(sorted((bottom - top, right - left)) for top, bottom, left, right in told)
    assert sides == [[1, 2], [1, 3]]


def test_a_stair_needs_no_rectangle_in_its_middle() -> None:
    assert sorted(cover(_cells("##.", ".##"))) == [(0, 1, 0, 2), (1, 2, 1, 3)]


def test_a_ring_is_four_bars() -> None:
    assert len(cover(_cells("###", "#.#", "###"))) == 4


@pytest.mark.parametrize("degrees", [0, 5, 12, 30, 45, 77])
def test_a_cross_is_two_bars_in_any_turn(degrees: float) -> None:
    told = blocks(_cross(degrees))
    assert told is not None
    assert math.remainder(told.angle - degrees, 90) == pytest.approx(0, abs=1.5)
    assert len(told.rectangles) == 2
    for x, y, width, height in told.rectangles:
        assert (x, y) == pytest.approx((42, 40), abs=0.7)
        assert sorted((width, height)) == pytest.approx([14, 50], abs=1.5)


def test_lines_a_pixel_apart_are_kept_apart() -> None:
    mask = np.zeros((30, 30), bool)
    mask[5:15, 5:15] = True
    mask[15:25, 6:16] = True
    told = blocks(mask)
    assert told is not None
    assert told.x.tolist() == [5, 6, 15, 16]
    assert sorted(told.rectangles) == [(10, 10, 10, 10), (10.5, 15, 9, 20), (11, 20, 10, 10)][::2]


def test_a_patch_may_reach_the_edge_of_the_picture() -> None:
    mask = np.zeros((20, 20), bool)
    mask[:5, :] = mask[:, 15:] = True
    told = blocks(mask)
    assert told is not None
    assert sorted(told.rectangles) == [(10, 2.5, 20, 5), (17.5, 10, 5, 20)]


@pytest.mark.parametrize("corners", [3, 5, 6, 40])
@pytest.mark.parametrize("radius", [4, 8, 30])
def test_other_forms_are_no_blocks(corners: int, radius: float) -> None:
    angles = [2 * math.pi * k / corners + 0.2 for k in range(corners)]
    assert blocks(_drawn([(42 + radius * math.cos(a), 42 + radius * math.sin(a)) for a in angles])) is None


@pytest.mark.parametrize("turns", range(4))
def test_a_small_l_is_seen_as_its_two_bars(turns: int) -> None:
    picture = np.zeros((35, 35, 3), np.uint8)
    picture[10:20, 10:25] = np.kron(_cells("#..", "###"), np.ones((5, 5), bool))[..., None] * [255, 0, 0]
    scene = unrender.open().see(np.rot90(picture, turns).copy())
    assert [thing.symbol for thing in scene.axioms] == ["square", "square"]
    sides = sorted(sorted(thing.size) for thing in scene.axioms)
    assert np.abs(np.array(sides) - [[5, 10], [5, 15]]).max() < 0.1
    assert (scene.image == np.rot90(picture, turns)).all()

"""Corners of an area are found to a small part of a pixel, whatever its rotation."""

import math

import numpy as np
import pytest

from unrender.perception.proposals.polygon import polygon

ELL = [(0, 0), (20, 0), (20, 8), (8, 8), (8, 24), (0, 24)]  # clockwise on the screen


def coverage(corners: list, turn: float, at: tuple[float, float], side: int = 64) -> np.ndarray:
    """float32 (side, side): a polygon, drawn by Pillow with 16 x 16 samples a pixel."""
    from PIL import Image, ImageDraw

    cos, sin = math.cos(turn), math.sin(turn)
    points = [
        (16 * (at[0] + cos * x - sin * y) - 0.5, 16 * (at[1] + sin * x + cos * y) - 0.5) for x, y in corners
    ]
    canvas = Image.new("L", (16 * side, 16 * side))
    ImageDraw.Draw(canvas).polygon(points, fill=255)
    return np.asarray(canvas.reduce(16), np.float32) / 255


@pytest.mark.parametrize("degrees", [0, 17, 45, 80])
def test_the_corners_of_an_ell_are_where_they_were_drawn(degrees: float) -> None:
    turn, at = math.radians(degrees), (30.3, 16.2)
    found = polygon(coverage(ELL, turn, at))
    turned = (
        np.array(ELL) @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]) + at
    )
    assert len(found.at) == len(ELL)
    apart = np.linalg.norm(found.at[:, None] - turned[None], axis=2)
    assert apart.min(1).max() < 0.15
    assert sorted(np.degrees(found.angle).round(-1)) == [-90, 90, 90, 90, 90, 90]


def test_a_hole_has_corners_of_its_own() -> None:
    alpha = np.zeros((40, 40), np.float32)
    alpha[5:35, 5:35] = 1
    alpha[15:25, 15:25] = 0
    found = polygon(alpha)
    assert len(found.at) == 8
    assert (found.angle < 0).sum() == 4


def test_nothing_has_no_corners() -> None:
    assert len(polygon(np.zeros((8, 8), np.float32)).at) == 0

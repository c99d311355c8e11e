"""Second thoughts: a shape that was first taken for others is told as what it is."""

import numpy as np
import pytest

import unrender
from unrender import Observation, Scene


def shape(
    symbol: str, place: tuple[float, float], size: tuple[float, float], turn: float, colour: str, line: float
) -> Observation:
    """colour: as in CSS. line: the thickness, 0 for a painted shape."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    looks = dict(zip(("red", "green", "blue"), channels, strict=True))
    return Observation(symbol, place, size, turn, looks | {"filled": float(line == 0), "thickness": line})


CROSSED = [
    [
        shape("circle", (51, 100), (42, 42), 0, "#b8eb6d", 0),
        shape("square", (43, 94), (20, 20), -32, "#1d3872", 0.175),
        shape("triangle", (74, 101), (49, 25.5), -15, "#d14386", 0.08),
        shape("square", (47, 81), (40, 40), 11, "#a2c7e6", 0.066),
    ],
    [
        shape("circle", (32, 86), (54, 54), 0, "#0ee36c", 0),
        shape("triangle", (27, 106), (51, 29), 135, "#086bdd", 0.067),
        shape("circle", (59, 87), (27.5, 50), 31, "#437f04", 0.19),
        shape("circle", (43, 101), (25, 25), 0, "#40d214", 0),
    ],
]


@pytest.mark.parametrize("shapes", CROSSED)
def test_a_thin_outline_that_others_cross_is_told_in_place_of_wrong_guesses_at_its_pieces(
    shapes: list[Observation],
) -> None:
    rng = np.random.default_rng(0)
    picture = Scene(128, 128, shapes, (17, 207, 190)).image / 255 + rng.normal(0, 0.03, (128, 128, 3))
    found = unrender.open().see(picture.clip(0, 1)).primitives
    assert len(found) == len(shapes)
    (triangle,) = (node for node in found if node.symbol == "triangle")
    (true,) = (node for node in shapes if node.symbol == "triangle")
    assert triangle.position == pytest.approx(true.position, abs=0.5)
    assert sorted(triangle.size) == pytest.approx(sorted(true.size), rel=0.03)

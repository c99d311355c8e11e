"""Whether the pixels of a picture show a part, whatever they were told as."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

import unrender
from unrender import Observation
from unrender.capsules.routing.verification import Verifier
from unrender.learning.objects.augment import transform

FINE = 6  # samples per pixel side
FIN = [(40.0, 20.0), (70.0, 65.0), (40.0, 65.0)]  # a right angle: its box's middle lies on its longest side


def drawn(points: Sequence[tuple[float, float]], side: int = 90) -> NDArray[np.uint8]:
    """A red polygon on a light ground, by Pillow."""
    canvas = Image.new("RGB", (side * FINE, side * FINE), (245, 240, 225))
    ImageDraw.Draw(canvas).polygon([(x * FINE, y * FINE) for x, y in points], fill=(200, 40, 40))
    return np.asarray(canvas.reduce(FINE))


def scaled(points: Sequence[tuple[float, float]], by: float) -> list[tuple[float, float]]:
    return [(55 + by * (x - 55), 42.5 + by * (y - 42.5)) for x, y in points]


@pytest.fixture(scope="module")
def fin() -> Observation:
    """The right-angled triangle as it is told."""
    (seen,) = unrender.open().see(drawn(FIN)).axioms
    return seen


def sees(picture: NDArray[np.uint8], part: Observation) -> Observation | bool | None:
    image = picture / 255
    return Verifier(image, np.broadcast_to(image[0, 0], image.shape), []).sees(part, [], 0)


@pytest.mark.parametrize("scale", [1.0, 0.5, 0.3])
def test_a_slanting_side_through_the_middle_of_its_box_does_not_hide_a_part(
    fin: Observation, scale: float
) -> None:
    (part,) = transform([fin], (55 - fin.position[0], 42.5 - fin.position[1]), 0.0, scale, fin.position)
    seen = sees(drawn(scaled(FIN, scale)), part)
    assert isinstance(seen, Observation)
    assert seen.p > 0.9


def test_a_part_is_not_where_another_shape_fills_its_box(fin: Observation) -> None:
    box = [(40.0, 20.0), (70.0, 20.0), (70.0, 65.0), (40.0, 65.0)]
    assert sees(drawn(box), fin) is False
    assert sees(drawn([(40.0, 20.0), (70.0, 20.0), (40.0, 65.0)]), fin) is False

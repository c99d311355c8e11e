"""Whether a renderer's edges run into the next pixel."""

import numpy as np

from unrender.perception.image.spill import FEWEST, spills

NOISE = 0.5 / 255


def boxes(beside: float, count: int = 4) -> np.ndarray:
    """(64, 64, 3): white boxes of 10x10 px on black; beside: what shows in the next pixel to the left."""
    image = np.zeros((64, 64, 3), np.float32)
    for n in range(count):
        row, column = 8 + 30 * (n // 2), 8 + 30 * (n % 2)
        image[row : row + 10, column : column + 10] = 1
        image[row : row + 10, column - 1] = beside
    return image


def test_edges_that_end_exactly_between_two_pixels_do_not_spill() -> None:
    assert not spills(boxes(0.0), NOISE)


def test_edges_that_show_in_the_next_pixel_spill() -> None:
    assert spills(boxes(2 / 255), NOISE)


def test_a_picture_with_few_edges_may_come_from_any_renderer() -> None:
    image = np.zeros((64, 64, 3), np.float32)
    image[10 : 10 + FEWEST // 5, 10:14] = 1
    assert spills(image, NOISE)

"""Boxes of which an end is hidden keep their size."""

from __future__ import annotations

import numpy as np
import pytest

from unrender import Observation, Scene
from unrender.film.simulation.bodies.ends import with_usual_lengths

TURN = np.radians(20.0)
DOWN = np.array([-np.sin(TURN), np.cos(TURN)])  # into the slope
ALONG = np.array([np.cos(TURN), np.sin(TURN)])
TOP = np.array([100.0, 100.0]) - 8 * DOWN  # a point of the slope's upper side
TOO_LONG = [0.0, 0.0, 0.0, 2.0, 4.0, 5.0, 0.0, 0.0]  # px that a box seems to go on behind the slope


def film(front: bool) -> tuple[dict[int, Observation], list[Scene], list[np.ndarray]]:
    """A box of 18 px that slides down a slope, the scenes, and where it truly is."""
    boxes, scenes, places = {}, [], []
    for frame, extra in enumerate(TOO_LONG):
        place = TOP + (4.0 * frame - 30) * ALONG - 9 * DOWN
        seen = place + extra / 2 * DOWN
        box = Observation("square", (float(seen[0]), float(seen[1])), (18.0, 18.0 + extra), 20.0, depth=1)
        slope = Observation("square", (100.0, 100.0), (200.0, 16.0), 20.0, depth=2 if front else 0)
        boxes[frame] = box
        scenes.append(Scene(200, 200, [slope, box]))
        places.append(place)
    return boxes, scenes, places


@pytest.mark.parametrize("quarter", [False, True])
def test_the_end_that_shows_says_where_a_box_is(quarter: bool) -> None:
    boxes, scenes, places = film(front=True)
    turns = np.full(len(boxes), 20.0 + 90.0 * quarter)  # a square may be counted from any of its sides
    found = with_usual_lengths(boxes, turns, scenes)
    for frame, place in enumerate(places):
        assert found[frame].position == pytest.approx(place, abs=1e-6)
        assert found[frame].size == pytest.approx((18.0, 18.0))


def test_a_box_that_nothing_hides_is_as_it_is_seen() -> None:
    boxes, scenes, _ = film(front=False)
    found = with_usual_lengths(boxes, np.full(len(boxes), 20.0), scenes)
    assert [own.position for own in found.values()] == [own.position for own in boxes.values()]
    assert [own.size for own in found.values()] == [own.size for own in boxes.values()]

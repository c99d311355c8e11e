"""What moves as one is told apart together, without a name for it."""

from itertools import pairwise

import pytest

from unrender import Observation, Scene
from unrender.scene.tracking.follow import follow

LOOKS = {"red": 1.0, "green": 1.0, "blue": 1.0, "filled": 0.0, "thickness": 0.1}
ROW = (0.0, 17.0, 36.0)  # three alike, not quite evenly spaced


def frame(x: float, *hidden: int) -> Scene:
    """A row of circles that begins at x, without some of them."""
    places = [x + step for k, step in enumerate(ROW) if k not in hidden]
    return Scene(160, 60, [Observation("circle", (x, 30.0), (13.0, 13.0), 0.0, dict(LOOKS)) for x in places])


def followed(film: list[Scene]) -> list[list[int | None]]:
    for before, now in pairwise(film):
        follow(now, before)
    return [[node.track for node in scene.axioms] for scene in film]


@pytest.mark.parametrize("hidden", [1, 2])
def test_a_row_that_bounces_while_one_of_it_is_hidden_keeps_its_numbers(hidden: int) -> None:
    """Thrown back, the outer ones come to where the hidden one was expected."""
    there = [frame(x) for x in (40, 46, 52, 58)]
    tracks = followed([*there, frame(52, hidden), frame(46), frame(40)])
    assert tracks[-1] == tracks[-2] == tracks[0]
    assert tracks[-3] == [track for k, track in enumerate(tracks[0]) if k != hidden]


def test_one_of_several_that_moves_off_alone_keeps_its_number() -> None:
    still = [frame(40) for _ in range(4)]
    moved = frame(40)
    x, y = moved.axioms[2].position
    moved.axioms[2].position = (x + 5, y)
    tracks = followed([*still, moved])
    assert tracks[-1] == tracks[0]

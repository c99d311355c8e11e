"""What a prompt shows of scenes, observations and brains fits on one short line."""

from pathlib import Path

import pytest

import unrender
from unrender import Observation, Scene

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
LOOKS = {"red": 1.0, "green": 0.5, "blue": 0.0, "filled": 1.0, "thickness": 0.0}


def test_an_observation_says_what_it_is_and_where() -> None:
    circle = Observation("circle", (20.123456789, 15.0), (10.0, 9.99), 30.04, dict(LOOKS), p=0.987654321)
    assert repr(circle) == "<circle at 20.1, 15.0, 10.0 x 10.0 px, 30.0°, #ff8000, p 0.99>"
    ship = Observation("ship", (1, 2), (3, 4), parts=[circle], hidden=[circle, circle])
    assert str(ship) == "<ship at 1.0, 2.0, 3.0 x 4.0 px, p 1.00, 1 part, 2 hidden>"


def test_a_scene_says_how_large_it_is_and_what_is_in_it() -> None:
    names = ["circle", "circle", "ship", "square", "star", "ship", "circle"]
    things = [Observation(name, (1, 2), (3, 4)) for name in names]
    assert repr(Scene(40, 30, things)) == "<Scene 40x30 px, 7 objects: 3 circle, 2 ship, 1 square, ...>"
    assert repr(Scene(40, 30, [])) == "<Scene 40x30 px, 0 objects>"


def test_a_brain_says_which_it_is_and_how_much_it_knows(tmp_path: Path) -> None:
    brain = unrender.open(tmp_path / "my.brain")
    assert repr(brain) == "<Brain my.brain, 0 symbols, 0 lessons>"
    brain.teach(Scene(40, 30, [Observation("circle", (20, 15), (9, 9), 0.0, dict(LOOKS))]), "dot")
    assert repr(brain) == "<Brain my.brain, 1 symbol, 1 lesson>"
    (tmp_path / "my.brain").write_bytes((tmp_path / "my.brain").read_bytes().replace(b"circle", b"cirkle"))
    assert repr(unrender.open(tmp_path / "my.brain")) == "<Brain my.brain, which cannot be read>"
    brain.close()
    assert repr(brain) == "<Brain my.brain, closed>"


@pytest.mark.parametrize("picture", ["ship.png", "asteroids.png"])
def test_what_is_really_seen_fits_on_lines_of_100_characters(picture: str) -> None:
    scene = unrender.open().see(PICTURES / picture)
    for shown in (scene, *scene.observations):
        assert len(repr(shown)) <= 100
        assert "\n" not in repr(shown)


def test_nothing_that_was_put_there_makes_it_long_or_fail() -> None:
    strange = [
        Observation("船" * 100_000 + "\n", (1e300, -1e300), (float("nan"), float("inf")), 1e300),
        Observation("circle", ("left", 2), None, None),  # type: ignore[arg-type]
        Observation("circle", (1, 2), (3, 4), 0.0, {"red": 7.0, "green": -1.0, "blue": float("nan")}),
    ]
    for thing in strange:
        assert len(repr(thing)) <= 120
        assert repr(thing).isprintable()
    assert len(repr(Scene(9, 9, strange))) <= 120

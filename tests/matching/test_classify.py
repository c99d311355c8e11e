"""brain.classify: which known object a picture shows, however it is drawn."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

import unrender
from unrender import Brain, UnrenderError

Points = list[tuple[float, float]]

LETTERS: dict[str, list[Points]] = {  # strokes by hand, in a box from 0 to 1
    "tee": [[(0.05, 0.1), (0.95, 0.06)], [(0.5, 0.08), (0.52, 0.95)]],
    "ell": [[(0.2, 0.05), (0.22, 0.9), (0.85, 0.93)]],
    "cross": [[(0.1, 0.1), (0.9, 0.9)], [(0.9, 0.12), (0.1, 0.88)]],
    "ring": [[(0.5 + 0.42 * np.sin(a), 0.5 - 0.45 * np.cos(a)) for a in np.linspace(0, 6.28, 24)]],
}


def written(name: str, hand: int = 0, side: int = 105, width: int = 3) -> NDArray[np.uint8]:
    """A letter, black on white and aliased, by a hand that bends, slants and stretches it."""
    rng = np.random.default_rng(hand)
    linear = np.eye(2) + (0.1 * rng.standard_normal((2, 2)) if hand else 0)
    wave = 0.04 * rng.standard_normal((2, 2)) if hand else np.zeros((2, 2))
    image = Image.new("L", (side, side), 255)
    for stroke in LETTERS[name]:
        line = np.concatenate([np.linspace(a, b, 12) for a, b in pairwise(stroke)]) - 0.5
        line = line @ linear + np.sin(3 * line) @ wave
        ImageDraw.Draw(image).line([tuple(p) for p in (0.6 * line + 0.5) * side], 0, width, "curve")
    return np.asarray(image)


@pytest.fixture(scope="module")
def reader() -> Brain:
    """A brain that was shown every letter once."""
    brain = unrender.open()
    for name in LETTERS:
        brain.teach(brain.see(written(name)), name)
    return brain


@pytest.mark.parametrize("name", LETTERS)
def test_a_letter_by_another_hand_is_named(reader: Brain, name: str) -> None:
    for hand in (1, 2, 3):
        known = reader.classify(written(name, hand))
        assert known[0].symbol == name
        assert known[0].agreement > 0.5


def test_all_known_objects_are_given_best_first(reader: Brain) -> None:
    known = reader.classify(written("ell", 4))
    assert sorted(one.symbol for one in known) == sorted(LETTERS)
    agreements = [one.agreement for one in known]
    assert agreements == sorted(agreements, reverse=True)
    assert all(0 <= agreement <= 1 for agreement in agreements)
    assert agreements[1] < 0.5


def test_size_place_and_colours_do_not_matter(reader: Brain) -> None:
    small = np.full((160, 200, 3), (20, 30, 60), np.uint8)
    small[90:150, 10:70][written("tee", 2, 60, 2) == 0] = (250, 220, 90)
    assert reader.classify(small)[0].symbol == "tee"


def test_objects_of_solid_shapes_are_told_apart() -> None:
    brain = unrender.open()
    body = brain.draw("square", position=(60, 60), size=(80, 24), red=0.9, canvas=(120, 120))
    car = body
    for x in (36, 84):
        car = brain.draw("circle", position=(x, 78), size=(22, 22), blue=0.6, canvas=car)
    tree = brain.draw("triangle", position=(60, 45), size=(50, 60), green=0.7, canvas=(120, 120))
    tree = brain.draw("square", position=(60, 90), size=(12, 40), red=0.5, green=0.3, canvas=tree)
    for name, picture in (("car", car), ("tree", tree)):
        brain.teach(brain.see(picture), name)
    assert [one.symbol for one in brain.classify(tree)] == ["tree", "car"]
    assert [one.symbol for one in brain.classify(np.ascontiguousarray(car[::-1, ::-1][::-1]))] == [
        "car",
        "tree",
    ]


def test_a_lesson_later_changes_what_is_known() -> None:
    brain = unrender.open()
    brain.teach(brain.see(written("tee")), "tee")
    assert [one.symbol for one in brain.classify(written("cross", 1))] == ["tee"]
    brain.teach(brain.see(written("cross")), "cross")
    assert [one.symbol for one in brain.classify(written("cross", 1))] == ["cross", "tee"]


def test_the_width_of_the_pen_does_not_matter() -> None:
    brain = unrender.open()
    for name in ("ring", "ell"):
        brain.teach(brain.see(written(name, side=64, width=6)), name)
    for name in ("ring", "ell"):
        known = brain.classify(written(name, 1, width=2))
        assert known[0].symbol == name
        assert known[0].agreement > 0.5


def test_nothing_is_known_at_first() -> None:
    assert unrender.open().classify(written("tee")) == []


def test_an_empty_picture_shows_no_object(reader: Brain) -> None:
    with pytest.raises(UnrenderError, match="Nothing is drawn"):
        reader.classify(np.full((50, 50), 255, np.uint8))

"""Known objects of one colour that touch are found in the one patch that they make."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import unrender
from unrender.capsules.blocks import Blocks, blocks
from unrender.capsules.mosaic import Form, fill, forms_of
from unrender.capsules.poses import pose_of
from unrender.scene import Observation

LONG, SHORT = (3.0, 1.0), (1.0, 2.0)


def _l_form() -> list[Form]:
    """An L of two bars, turned by 30 degrees as it was taught: forms do not depend on that."""
    turn = np.exp(1j * np.radians(30))
    bars = [(1.5 + 1.5j, LONG), (2.5 + 1j, SHORT)]
    at = [(place * turn, size) for place, size in bars]
    return forms_of(
        [np.stack([pose_of(Observation("square", (p.real, p.imag), size, 30.0)) for p, size in at])]
    )


def _patch(*rows: str) -> Blocks:
    told = blocks(np.kron([[cell != "." for cell in row] for row in rows], np.ones((6, 6), bool)))
    assert told is not None
    return told


def _places(patch: Blocks) -> list[list[list[float]]]:
    return sorted(np.round(piece.boxes).tolist() for piece in fill(patch, _l_form()))


def test_an_object_has_a_form_for_every_turn_that_differs() -> None:
    square = np.stack([pose_of(Observation("square", (0, 0), (4, 4)))])
    bar = np.stack([pose_of(Observation("square", (0, 0), (4, 1)))])
    assert [len(forms_of([one])) for one in (square, bar)] == [1, 2]
    assert len(_l_form()) == 4


def test_one_object_fills_its_patch_at_any_scale() -> None:
    assert _places(_patch("..a", "aaa")) == [[[0, 6, 18, 12], [12, 0, 18, 12]]]


def test_two_objects_that_touch_are_told_apart() -> None:
    one, other = _places(_patch("..abbb", "aaab.."))
    assert one == [[0, 6, 18, 12], [12, 0, 18, 12]]
    assert other == [[18, 0, 36, 6], [18, 0, 24, 12]]


def test_what_objects_cannot_fill_is_left() -> None:
    assert fill(_patch("a.a", "aaa"), _l_form()) == []


def _picture(*rows: str, tile: int = 5) -> NDArray[np.uint8]:
    paint = {".": (0, 0, 0), "r": (255, 0, 0), "b": (0, 0, 255)}
    small = np.array([[paint[cell] for cell in row] for row in rows], np.uint8)
    return np.pad(np.kron(small, np.ones((tile, tile, 1), np.uint8)), ((8, 8), (8, 8), (0, 0)))


@pytest.fixture(scope="module")
def brain() -> unrender.Brain:
    """It has seen one L and one bar of 4:1, each alone."""
    brain = unrender.open()
    brain.teach(brain.see(_picture("..r", "rrr")), "ell")
    brain.teach(brain.see(_picture("rrrr")), "bar")
    return brain


def test_objects_of_one_colour_that_touch_are_seen_as_two(brain: unrender.Brain) -> None:
    picture = _picture("..r....", "rrrrrrr")
    scene = brain.see(picture)
    assert sorted(thing.symbol for thing in scene.axioms) == ["bar", "ell"]
    assert sorted(int(thing.mask.sum()) for thing in scene.axioms) == [100, 100]
    assert (scene.image == picture).all()


def test_a_bar_at_the_edge_of_the_picture_is_a_bar(brain: unrender.Brain) -> None:
    scene = brain.see(_picture("..bbbb", "......")[8:])
    assert [thing.symbol for thing in scene.axioms] == ["bar"]


def test_an_object_beside_another_one_does_not_lie_behind_it(brain: unrender.Brain) -> None:
    picture = _picture("..r...", "rrr...", "bbbb..")
    scene = brain.see(picture)
    assert sorted(thing.symbol for thing in scene.axioms) == ["bar", "ell"]
    assert (scene.image == picture).all()


def test_rectangles_that_no_known_object_fills_stay_as_they_are(brain: unrender.Brain) -> None:
    scene = brain.see(_picture("rr..", "rr..", "rr.."))
    assert [thing.symbol for thing in scene.axioms] == ["square"]


def test_objects_that_do_not_overlap_are_likelier_than_more_that_do() -> None:
    brain = unrender.open()
    for name, form in {"box": ("rr", "rr"), "bar": ("rrrr",), "zed": (".r", "rr", "r.")}.items():
        brain.teach(brain.see(_picture(*form)), name)
    picture = _picture("rr.", "rrr", ".rr", ".r.")  # a bar and two boxes fill it as well, over one another
    scene = brain.see(picture)
    assert sorted(thing.symbol for thing in scene.axioms) == ["box", "zed"]
    assert (scene.image == picture).all()

"""Known objects of one colour that touch are found in the one patch that they make."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import unrender
from unrender.capsules.blocks import Blocks, blocks
from unrender.capsules.mosaic import Form, fill, forms_of
from unrender.capsules.poses import pose_of
from unrender.scene import Observation

LONG, SHORT = (3.0, 1.0), (1.0, 2.0)


def _forms(parts: Sequence[tuple[complex, tuple[float, float]]], turned: float = 0.0) -> list[Form]:
    """The forms of one object of rectangles, each with its centre x + i y and its size."""
    turn = np.exp(1j * np.radians(turned))
    at = [(place * turn, size) for place, size in parts]
    return forms_of(
        [np.stack([pose_of(Observation("square", (p.real, p.imag), size, turned)) for p, size in at])]
    )


def _l_form() -> list[Form]:
    """An L of two bars, turned by 30 degrees as it was taught: forms do not depend on that."""
    return _forms([(1.5 + 1.5j, LONG), (2.5 + 1j, SHORT)], turned=30.0)


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


def test_of_two_ways_to_fill_a_patch_the_more_symmetric_objects_are_likelier() -> None:
    box, bar = [(1 + 1j, (2, 2))], [(0.5 + 2j, (1, 4))]
    hook = [(0.5 + 1.5j, (1, 3)), (1 + 2.5j, (2, 1))]
    kinds = {name: _forms(parts) for name, parts in {"box": box, "bar": bar, "hook": hook}.items()}
    patch = _patch("aa", "aa", "aa", "aa")
    assert [form.turns for form in (*kinds["box"], *kinds["bar"], *kinds["hook"])] == [4, 2, 2, 1, 1, 1, 1]
    every = [*kinds["hook"], *kinds["bar"], *kinds["box"]]
    for forms, turns in ((every, 4), ([*kinds["hook"], *kinds["bar"]], 2), (kinds["hook"], 1)):
        assert [piece.turns for piece in fill(patch, forms)] == [turns, turns]


def test_more_objects_than_rectangles_must_be_as_large_as_known_ones() -> None:
    box = forms_of([np.stack([pose_of(Observation("square", (0, 0), (6, 6)))])])
    patch = _patch("aa")
    assert fill(patch, box, most=1) == []
    assert fill(patch, box, most=1, usual=[2.0]) == []
    assert len(fill(patch, box, most=1, usual=[1.0])) == 2
    assert fill(patch, box, most=1, usual=[1.0], limit=1) == []


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


@pytest.fixture(scope="module")
def boxes() -> unrender.Brain:
    """It has seen one square, one L and one bent bar, each alone."""
    brain = unrender.open()
    for name, form in {"box": ("rr", "rr"), "ell": ("..r", "rrr"), "zed": ("rr.", ".rr")}.items():
        brain.teach(brain.see(_picture(*form)), name)
    return brain


def _seen(brain: unrender.Brain, picture: NDArray[np.uint8]) -> list[str]:
    """The objects in a picture, which drawn again is the same."""
    scene = brain.see(picture)
    assert (scene.image == picture).all()
    return sorted(thing.symbol for thing in scene.axioms)


def test_two_objects_that_make_one_rectangle_are_two(boxes: unrender.Brain) -> None:
    assert _seen(boxes, _picture("rr", "rr", "rr", "rr")) == ["box", "box"]


def test_a_rectangle_of_another_size_stays_one(boxes: unrender.Brain) -> None:
    assert _seen(boxes, _picture("rr", "rr", "rr", "rr", tile=6)) == ["square"]


def test_a_rectangle_of_two_objects_as_large_as_others_are_is_two(boxes: unrender.Brain) -> None:
    picture = _picture("rr....", "rr...b", "rr.bbb", "rr....", tile=6)
    assert _seen(boxes, picture) == ["box", "box", "ell"]


def test_two_objects_that_make_a_ring_are_two(boxes: unrender.Brain) -> None:
    assert _seen(boxes, _picture("rrr", "r.r", "rrr")) == ["ell", "ell"]


@pytest.mark.parametrize("off", [1, 2, 9])
def test_two_objects_that_are_a_few_pixels_off_one_line_are_two(boxes: unrender.Brain, off: int) -> None:
    picture = np.zeros((40, 40, 3), np.uint8)
    picture[8:18, 10:20] = picture[18:28, 10 + off : 20 + off] = (255, 0, 0)
    assert _seen(boxes, picture) == ["box", "box"]


def test_a_gap_of_one_pixel_parts_two_objects(boxes: unrender.Brain) -> None:
    picture = np.zeros((40, 40, 3), np.uint8)
    picture[8:18, 10:20] = picture[19:29, 10:20] = (255, 0, 0)
    assert _seen(boxes, picture) == ["box", "box"]


def test_what_was_moved_by_hand_is_told_where_it_is_now(boxes: unrender.Brain) -> None:
    scene = unrender.open().see(_picture("rr", "rr", "rr", "rr", tile=5))
    (square,) = scene.axioms
    x, y = square.position
    square.position = (x - 6.0, y + 6.0)
    found = boxes.see_again(scene).axioms
    assert [thing.symbol for thing in found] == ["box", "box"]
    assert np.mean([thing.position for thing in found], axis=0) == pytest.approx((x - 6, y + 6), abs=0.01)

"""Pictures without antialiasing: shapes told by which pixels they show, even if others hide half of them."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import unrender
from unrender.capsules.geometry import CX, CY, LOG_H, LOG_W
from unrender.capsules.hard import hard_edges
from unrender.capsules.sides import Sides
from unrender.graphics.registry import find

Mask = NDArray[np.bool_]
Image = NDArray[np.uint8]
RED, BLUE, GREEN = (200, 60, 30), (30, 90, 220), (40, 170, 60)


def box(x: float, y: float, width: float, height: float, degrees: float = 0.0) -> Mask:
    """bool (64, 64): the pixels whose centre lies in a turned rectangle."""
    across, along = own_frame(x, y, degrees)
    inside: Mask = (np.abs(across) < width / 2) & (np.abs(along) < height / 2)
    return inside


def disc(x: float, y: float, width: float, height: float, degrees: float = 0.0) -> Mask:
    """The same for an ellipse."""
    across, along = own_frame(x, y, degrees)
    inside: Mask = (2 * across / width) ** 2 + (2 * along / height) ** 2 < 1
    return inside


def own_frame(x: float, y: float, degrees: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    row, column = np.mgrid[:64, :64] + 0.5
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return cos * (column - x) + sin * (row - y), cos * (row - y) - sin * (column - x)


def painted(*shapes: tuple[Mask, tuple[int, int, int]]) -> Image:
    picture = np.full((64, 64, 3), 120, np.uint8)
    for mask, colour in shapes:
        picture[mask] = colour
    return picture


def floats(picture: Image) -> NDArray[np.float32]:
    """In 0..1."""
    return picture.astype(np.float32) / np.float32(255)


def bolt(x: float, y: float, degrees: float) -> Mask:
    """A disc that a box runs into."""
    turn = np.radians(degrees)
    return disc(x, y, 20, 20) | box(x + 10 * np.cos(turn), y + 10 * np.sin(turn), 16, 9, degrees)


def test_edges_are_hard_if_no_pixel_is_a_mixture() -> None:
    brain = unrender.open()
    hard = painted((box(30, 30, 20, 14, 25), RED))
    smooth = brain.draw("circle", position=(31.3, 30.2), size=(17, 12), red=0.9, canvas=(64, 64))
    assert hard_edges(floats(hard))
    assert not hard_edges(floats(smooth))


def test_one_smooth_shape_among_upright_boxes_is_enough_to_make_edges_smooth() -> None:
    picture = painted(*((box(8 + 12 * k, 52, 8, 16), RED) for k in range(5)))
    picture = unrender.open().draw("circle", position=(31.3, 22.2), size=(17, 12), blue=0.9, canvas=picture)
    assert not hard_edges(floats(picture))


def test_an_upright_edge_between_two_pixels_is_not_hard() -> None:
    picture = unrender.open().draw("square", position=(32, 32), size=(40, 15), canvas=(64, 64))
    assert not hard_edges(floats(picture))


def test_of_a_shape_that_goes_on_behind_another_only_what_shows_is_asked() -> None:
    whole, hidden = box(30, 32, 22, 16, 20), disc(42, 34, 20, 14)
    kinds = [find("circle"), find("square"), find("triangle")]
    with torch.no_grad():
        sides = Sides.of(whole & ~hidden, hidden)
        shapes = sides.fitted(kinds)
        wrong = sides.wrong(shapes)
    best = int(wrong.argmin())
    pose = shapes.pose[best]
    assert kinds[int(shapes.kind[best])].name == "square"
    assert int(wrong.min()) == 0
    assert pose[[CX, CY]].tolist() == pytest.approx([30, 32], abs=0.5)
    assert sorted(pose[[LOG_W, LOG_H]].exp().tolist()) == pytest.approx([16, 22], abs=1.0)


def test_a_box_that_is_turned_a_little_is_one_box() -> None:
    for degrees in (2.0, 3.5):
        (found,) = unrender.open().see(painted((box(31, 30, 20, 20, degrees), RED))).axioms
        assert found.symbol == "square"
        assert found.size == pytest.approx((20, 20), abs=0.7)


def test_what_two_others_hide_is_told_by_what_they_leave_of_it() -> None:
    behind = box(32, 32, 26, 26, 12)
    over, across = disc(24, 26, 22, 16, 30), disc(44, 40, 18, 22)
    scene = unrender.open().see(painted((behind, GREEN), (over, RED), (across, BLUE)))
    assert sorted(o.symbol for o in scene.axioms) == ["circle", "circle", "square"]
    (square,) = (o for o in scene.axioms if o.symbol == "square")
    assert square.size == pytest.approx((26, 26), abs=1.0)
    assert np.count_nonzero(square.mask != (behind & ~over & ~across)) <= 3


def test_a_whole_that_is_half_hidden_is_named() -> None:
    brain = unrender.open()
    brain.teach(brain.see(painted((bolt(28, 32, 0), RED))), "bolt")
    for degrees in (40.0, 200.0):
        shown, hidden = bolt(30, 30, degrees), box(24, 40, 24, 12, 70)
        scene = brain.see(painted((shown, GREEN), (hidden, BLUE)))
        assert sorted(o.symbol for o in scene.axioms) == ["bolt", "square"]


def test_bars_that_make_a_corner_stay_two() -> None:
    scene = unrender.open().see(painted((box(24, 30, 8, 32) | box(32, 42, 24, 8), RED)))
    assert [o.symbol for o in scene.axioms] == ["square", "square"]


def test_two_shapes_of_one_colour_are_told_apart() -> None:
    masks = [disc(16, 20, 20, 12, 30), box(46, 44, 18, 12, 55)]
    masks.append(box(22, 24, 24, 7, -20))
    scene = unrender.open().see(painted((masks[0], RED), (masks[1], RED), (masks[2], BLUE)))
    assert sorted(o.symbol for o in scene.axioms) == ["circle", "square", "square"]


def test_bent_shapes_a_pixel_apart_are_told_as_their_rectangles() -> None:
    hook = box(20, 22, 6, 20) | box(29, 29, 24, 6)
    stair = box(32, 14, 18, 6) | box(38.5, 20.5, 18, 6)
    picture = painted((hook, GREEN), (stair, BLUE))
    scene = unrender.open().see(picture)
    assert [thing.symbol for thing in scene.axioms] == ["square"] * 4
    assert (scene.image == picture).all()

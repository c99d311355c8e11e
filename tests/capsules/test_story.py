"""Stories: who lies in front, what is doubted, and what another turn would win."""

import math

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from unrender.capsules.candidates import Sightings
from unrender.capsules.canvas import Canvas
from unrender.capsules.geometry import Shapes
from unrender.capsules.outline import RAYS
from unrender.capsules.patches import patches
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.revise import revise
from unrender.capsules.story import Story, Turn
from unrender.graphics.registry import find

KINDS = (find("circle"), find("square"), find("triangle"))
RED, BLUE = (0.9, 0.2, 0.1), (0.2, 0.4, 0.9)
Y, X = np.mgrid[0:80, 0:80] + 0.5


def painted(*masks: tuple[NDArray[np.bool_], tuple[float, float, float]]) -> Canvas:
    """A bare canvas of a dark picture on which the masks are painted one over the other."""
    ground = np.full((80, 80, 3), 0.1, np.float32)
    picture = ground.copy()
    for mask, colour in masks:
        picture[mask] = colour
    return Canvas(picture, ground, 0.0)


def boxes(*rows: tuple[float, float, float, float, tuple[float, float, float]], p: float = 1.0) -> Sightings:
    """Filled squares (x, y, width, height, colour)."""
    count = len(rows)
    pose = torch.tensor([[x, y, math.log(w), math.log(h), 0, 0] for x, y, w, h, _ in rows]).reshape(-1, 6)
    shapes = Shapes(KINDS, torch.ones(count).long(), pose, torch.ones(count).bool())
    paint = torch.tensor([colour for *_, colour in rows]).reshape(-1, 3)
    rays = torch.ones(count, RAYS)
    return Sightings(shapes, paint, torch.zeros(count, 3, 3), rays, rays, torch.full((count,), p))


LEFT, TOP = (X > 10) & (X < 50) & (Y > 30) & (Y < 60), (X > 30) & (X < 60) & (Y > 10) & (Y < 50)
LEFT_BOX, TOP_BOX = (30.0, 45.0, 40.0, 30.0, RED), (45.0, 30.0, 30.0, 40.0, BLUE)


@pytest.mark.parametrize("red_in_front", [False, True])
def test_what_is_seen_at_the_overlap_lies_in_front(red_in_front: bool) -> None:
    masks = [(LEFT, RED), (TOP, BLUE)]
    bare = painted(*(reversed(masks) if red_in_front else masks))
    story = Story.of(boxes(LEFT_BOX, TOP_BOX), bare)
    assert story.order == ([1, 0] if red_in_front else [0, 1])
    assert story.canvas.left < 1
    assert not story.doubted().any()


def test_what_looks_wrong_is_doubted_and_so_are_two_of_one_colour() -> None:
    bare = painted((LEFT, RED), (TOP, BLUE))
    missing = Story.of(boxes(LEFT_BOX), bare).doubted()
    assert missing[12:28, 32:58].all()
    assert not missing[52:, :28].any()
    halves = boxes((20.0, 45.0, 20.0, 30.0, RED), (40.0, 45.0, 20.0, 30.0, RED), TOP_BOX)
    assert Story.of(halves, bare).doubted()[52:58, 12:48].all()


def test_a_thin_line_beside_the_edge_is_worth_a_look_only_where_the_shape_is_in_doubt() -> None:
    rough = LEFT | ((X > 10) & (X < 50) & (Y > 60) & (Y < 61))
    bare = painted((rough, RED))
    assert bare.bare().unexplained()[60].any()
    sure, unsure = (Story.of(boxes(LEFT_BOX, p=p), bare) for p in (0.95, 0.7))
    assert sure.done
    assert not sure.doubted().any()
    assert not unsure.done
    assert unsure.unexplained()[60, 12:48].all()


def test_what_lies_beside_a_sure_shape_is_not_its_edge() -> None:
    more = (X > 10) & (X < 50) & (Y > 60) & (Y < 68)
    story = Story.of(boxes(LEFT_BOX), painted((LEFT, RED), (more, BLUE)))
    assert not story.done
    assert story.unexplained()[63:66, 12:48].all()


def test_a_whole_wins_over_its_pieces() -> None:
    bare = painted((LEFT, RED), (TOP, BLUE))
    story = Story.of(boxes((20.0, 45.0, 20.0, 30.0, RED), (40.0, 55.0, 20.0, 10.0, RED), TOP_BOX), bare)
    whole = boxes(LEFT_BOX)
    [patch] = patches(whole.shapes, 80, 80)
    gone = story.pieces(patch, whole.paint[0].numpy())
    assert gone == {0, 1}
    turn = Turn(whole, [patch], gone)
    after, gain = story.after(turn), story.gain(turn)
    assert gain > 0
    assert after.seen.paint[after.order].numpy() == pytest.approx(np.array([RED, BLUE]))
    assert len(after.cast) == 2


def test_what_is_needed_is_not_left_out() -> None:
    story = Story.of(boxes(LEFT_BOX, TOP_BOX), painted((LEFT, RED), (TOP, BLUE)))
    none = story.seen[:0]
    assert all(story.gain(Turn(none, [], frozenset([i]))) < 0 for i in story.order)


def test_second_thoughts_find_what_is_hidden_in_part_and_replace_the_pieces() -> None:
    bare = painted((LEFT, RED), (TOP, BLUE))
    pyramid = Pyramid.of(torch.from_numpy(bare.picture).permute(2, 0, 1).contiguous())
    pieces = boxes((20.0, 45.0, 20.0, 30.0, RED), (40.0, 55.0, 20.0, 10.0, RED), TOP_BOX, p=0.7)
    for seen in (boxes(TOP_BOX), pieces):
        story = revise(pyramid, Story.of(seen, bare))
        sides = story.cast.shapes.pose[:, 2:4].exp().sort(1).values
        assert sides.numpy() == pytest.approx(np.array([[30, 40], [30, 40]]), abs=0.5)
        assert story.canvas.done


def test_a_story_without_doubt_stays_as_it_is() -> None:
    bare = painted((LEFT, RED), (TOP, BLUE))
    pyramid = Pyramid.of(torch.from_numpy(bare.picture).permute(2, 0, 1).contiguous())
    story = Story.of(boxes(LEFT_BOX, TOP_BOX), bare)
    assert revise(pyramid, story) is story

"""Polishing: a shape that does not agree well yet is refined further, as it is and with another apex."""

import math

import numpy as np
import pytest
import torch

import unrender
from unrender.capsules.candidates import Sightings
from unrender.capsules.canvas import Canvas
from unrender.capsules.geometry import ANGLE, LOG_H, LOG_W, Shapes
from unrender.capsules.outline import RAYS
from unrender.capsules.polish import polish
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.story import Story
from unrender.graphics.registry import find

KINDS = (find("circle"), find("square"), find("triangle"))
PLACE, SIZE, TURN = (25.8, 24.4), (10.2, 13.3), -36.0
BLUE = (0.15, 0.3, 0.9)


def roughly(size: tuple[float, float], degrees: float) -> Sightings:
    """The triangle, estimated."""
    pose = torch.tensor([[26.1, 24.8, math.log(size[0]), math.log(size[1]), math.radians(degrees), 0.0]])
    shapes = Shapes(KINDS, torch.tensor([2]), pose, torch.tensor([True]))
    rays = torch.ones(1, RAYS)
    return Sightings(shapes, torch.tensor([BLUE]), torch.zeros(1, 3, 3), rays, rays, torch.ones(1))


@pytest.mark.parametrize(
    ("size", "turn"), [((13.4, 15.0), TURN + 8), ((8.0, 9.0), TURN - 12), ((12.0, 12.0), TURN + 120)]
)
def test_a_rough_estimate_of_a_small_triangle_ends_where_it_belongs(
    size: tuple[float, float], turn: float
) -> None:
    looks = dict(zip(("red", "green", "blue"), BLUE, strict=True))
    ground = np.full((52, 52, 3), (128, 102, 204), np.uint8)
    brain = unrender.open()
    drawn = brain.draw("triangle", position=PLACE, size=SIZE, rotation=TURN, canvas=ground, **looks)
    noise = np.random.default_rng(3).normal(0, 0.02, drawn.shape)
    picture = (drawn / 255 + noise).clip(0, 1).astype(np.float32)
    bare = Canvas(picture, (ground / 255).astype(np.float32), 0.02)
    story = Story.of(roughly(size, turn), bare)
    pyramid = Pyramid.of(torch.from_numpy(picture).permute(2, 0, 1).contiguous())
    polished = polish(pyramid, story)
    assert float(polished.p[0]) > 0.9
    pose = polished.shapes.pose[0]
    assert pose[[LOG_W, LOG_H]].exp().tolist() == pytest.approx(SIZE, abs=0.4)
    assert math.degrees(float(pose[ANGLE])) % 360 == pytest.approx(TURN % 360, abs=3)

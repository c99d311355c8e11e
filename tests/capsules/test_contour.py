"""Outlines fitted to patches of unexplained colour."""

import math

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from unrender.capsules.canvas import Canvas
from unrender.capsules.coloured import Shown
from unrender.capsules.contour import contours
from unrender.capsules.geometry import CX, CY, LOG_H, LOG_W, Shapes
from unrender.graphics.registry import find

KINDS = [find("circle"), find("square"), find("triangle")]
Y, X = np.mgrid[0:80, 0:80] + 0.5


def scene(*masks: tuple[NDArray[np.bool_], tuple[float, float, float]]) -> Canvas:
    """A bare canvas of a dark picture on which the masks are painted one over the other."""
    ground = np.full((80, 80, 3), 0.1, np.float32)
    picture = ground.copy()
    for mask, colour in masks:
        picture[mask] = colour
    return Canvas(picture, ground, 0.0)


def fitted(canvas: Canvas) -> Shapes:
    """What is fitted to all that the canvas does not explain."""
    return contours(Shown.of(canvas, canvas.unexplained()), KINDS)[0]


def best(shapes: Shapes, kind: str, x: float, y: float, filled: bool = True) -> torch.Tensor:
    """The pose of the fit of this kind whose centre is the nearest."""
    which = (shapes.kind == [k.name for k in KINDS].index(kind)) & (shapes.filled == filled)
    poses = shapes.pose[which]
    return poses[torch.hypot(poses[:, CX] - x, poses[:, CY] - y).argmin()]


def test_a_disc_of_which_a_third_is_hidden_is_fitted_whole() -> None:
    disc = np.hypot(X - 36, Y - 42) < 16
    pose = best(fitted(scene((disc, (0.9, 0.2, 0.1)), (X > 41, (0.2, 0.4, 0.9)))), "circle", 36, 42)
    assert math.dist(pose[[CX, CY]].tolist(), (36, 42)) < 0.8
    assert pose[[LOG_W, LOG_H]].exp().tolist() == pytest.approx([32, 32], abs=1.5)


def test_a_triangle_is_fitted_through_a_hidden_corner() -> None:
    top, side = 20.0, 24 * math.sqrt(3)
    triangle = (Y < 56) & (np.abs(X - 40) < (Y - top) / math.sqrt(3))
    hidden = np.hypot(X - 40, Y - top) < 12
    pose = best(fitted(scene((triangle, (0.9, 0.8, 0.1)), (hidden, (0.2, 0.4, 0.9)))), "triangle", 40, 44)
    assert math.dist(pose[[CX, CY]].tolist(), (40, 44)) < 1.0
    assert float(pose[LOG_W].exp() * math.sqrt(3) / 2) == pytest.approx(side, abs=2.0)


def test_a_ring_in_two_pieces_is_one_outline() -> None:
    off = np.abs(np.hypot(X - 40, Y - 40) - 20)
    cut = np.abs(Y - 40) < 7
    shapes = fitted(scene((off < 2, (0.9, 0.9, 0.9)), (cut, (0.2, 0.4, 0.9))))
    pose = best(shapes, "circle", 40, 40, filled=False)
    assert math.dist(pose[[CX, CY]].tolist(), (40, 40)) < 0.8
    assert pose[[LOG_W, LOG_H]].exp().tolist() == pytest.approx([40, 40], abs=1.5)


def test_a_fit_comes_with_the_colour_of_its_patch() -> None:
    canvas = scene((np.hypot(X - 36, Y - 42) < 16, (0.9, 0.2, 0.1)))
    shapes, colours = contours(Shown.of(canvas, canvas.unexplained()), KINDS)
    assert len(shapes) == len(colours) > 0
    assert colours == pytest.approx(np.broadcast_to((0.9, 0.2, 0.1), colours.shape), abs=0.01)


def test_a_large_ring_is_fitted_as_well_as_a_small_one() -> None:
    y, x = np.mgrid[0:400, 0:400] + 0.5
    ground = np.full((400, 400, 3), 0.1, np.float32)
    picture = ground.copy()
    picture[np.abs(np.hypot(x - 210, y - 190) - 150) < 4] = 0.9
    picture[np.abs(x - 210) < 25] = (0.2, 0.4, 0.9)
    pose = best(fitted(Canvas(picture, ground, 0.0)), "circle", 210, 190, filled=False)
    assert math.dist(pose[[CX, CY]].tolist(), (210, 190)) < 1.0
    assert pose[[LOG_W, LOG_H]].exp().tolist() == pytest.approx([300, 300], abs=2.0)


def test_nothing_is_fitted_where_all_is_explained() -> None:
    assert len(fitted(scene())) == 0

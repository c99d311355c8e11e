"""Refinement: from a rough pose to the one that was drawn, for shapes of all kinds in one batch."""

import math

import pytest
import torch
from torch import Tensor

from unrender.capsules.candidates import settle, sight
from unrender.capsules.geometry import ANGLE, CX, CY, LOG_H, LOG_W, TAU, Shapes
from unrender.capsules.patches import patches
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.refine import refine
from unrender.graphics.draw import draw
from unrender.graphics.registry import find

KINDS = tuple(find(name) for name in ("circle", "square", "triangle"))
SIDE = 96
GROUND, PAINT = torch.tensor([0.9, 0.8, 0.7]), torch.tensor([0.1, 0.3, 0.6])


def shapes(filled: bool) -> tuple[Shapes, Tensor]:
    """One shape of each kind side by side, and the picture that shows them."""
    rows, alphas = [], []
    for i, kind in enumerate(KINDS):
        row = torch.zeros(1, len(kind.columns))
        row[0, :5] = torch.tensor([18.3 + 30 * i, 40.6, 20.0, 15.0, 25.0])
        row[0, 8:10] = torch.tensor([1.0, 0.0]) if filled else torch.tensor([0.0, 0.2])
        rows.append(row)
        alphas.append(draw(kind, row, SIDE, SIDE)[0])
    alpha = torch.stack(alphas).amax(0)
    picture = GROUND[:, None, None] + alpha * (PAINT - GROUND)[:, None, None]
    return Shapes.of(KINDS, torch.arange(3), rows), picture


def disturbed(true: Shapes) -> Shapes:
    pose = true.pose.clone()
    pose[:, CX] += 1.3
    pose[:, CY] -= 0.9
    pose[:, LOG_W] += 0.12
    pose[:, ANGLE] += 0.1
    return true.with_pose(pose)


@pytest.mark.parametrize("filled", [True, False])
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_a_rough_pose_is_drawn_to_the_shape_whatever_stands_beside_it(filled: bool, order: list[int]) -> None:
    true, picture = shapes(filled)
    true = true[torch.tensor(order)]
    level = torch.zeros(3, dtype=torch.long)
    found, fitted = refine(Pyramid.of(picture), disturbed(true), level, (3.0, 2.0, 1.0, 1.0, 1.0), 0.0)
    off = (found.pose - true.pose).abs()
    assert off[:, [CX, CY, TAU]].max() < 0.03
    assert off[:, [LOG_W, LOG_H, ANGLE]].max() < 0.005
    assert torch.allclose(torch.from_numpy(fitted.paint), PAINT.expand(3, 3), atol=0.02)
    assert (sight(found, fitted, 0.0).p > 0.95).all()


def test_no_shapes_are_refined_to_no_shapes() -> None:
    true, picture = shapes(True)
    none = true[torch.zeros(0, dtype=torch.long)]
    found, fitted = refine(Pyramid.of(picture), none, torch.zeros(0, dtype=torch.long), (1.0,), 0.0)
    assert len(found) == len(sight(found, fitted, 0.0)) == 0


def test_where_there_is_only_noise_nothing_is_settled() -> None:
    true, _ = shapes(True)
    blank = 0.5 + 0.02 * torch.randn(3, SIDE, SIDE, generator=torch.Generator().manual_seed(0))
    assert not len(settle(Pyramid.of(blank), true, torch.zeros(3, dtype=torch.long), 0.02))


def test_a_rectangle_turned_by_a_quarter_is_the_same_candidate() -> None:
    true, picture = shapes(True)
    turned = true.pose.clone()
    turned[:, [LOG_W, LOG_H]] = true.pose[:, [LOG_H, LOG_W]]
    turned[:, ANGLE] += math.pi / 2
    twice = Shapes.join([true, true.with_pose(turned)])[torch.tensor([1, 4])]
    assert len(settle(Pyramid.of(picture), twice, torch.zeros(2, dtype=torch.long), 0.0)) == 1


@pytest.mark.parametrize("filled", [True, False])
def test_patches_are_what_draw_paints(filled: bool) -> None:
    true, picture = shapes(filled)
    painted = torch.zeros(SIDE, SIDE)
    for patch in patches(true, SIDE, SIDE):
        painted[patch.window] += torch.from_numpy(patch.alpha)
    expected = (picture - GROUND[:, None, None])[0] / (PAINT - GROUND)[0]
    assert torch.allclose(painted, expected, atol=1e-4)

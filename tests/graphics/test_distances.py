"""The distance functions are Euclidean, so a stroke is equally wide all around a stretched shape."""

import math

import numpy as np
import pytest
import torch

from unrender.graphics.draw import coverage, distance
from unrender.graphics.registry import find

SIZES = [(20.0, 20.0), (24.0, 12.0), (9.0, 27.0), (40.0, 6.0)]


def boundary(name: str, w: float, h: float, count: int = 6000) -> torch.Tensor:
    """Points (n, 2) all along the boundary of the shape at the origin."""
    if name == "circle":
        t = torch.linspace(0, 2 * math.pi, count + 1, dtype=torch.float64)[:-1]
        return torch.stack([w / 2 * t.cos(), h / 2 * t.sin()], 1)
    unit = {
        "square": [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)],
        "triangle": [(0.0, -1.0), (math.sqrt(3) / 2, 0.5), (-math.sqrt(3) / 2, 0.5)],
    }[name]
    corners = torch.tensor(unit, dtype=torch.float64) * torch.tensor([w / 2, h / 2])
    t = torch.linspace(0, 1, count // len(unit), dtype=torch.float64)[:, None]
    return torch.cat([a + t * (b - a) for a, b in zip(corners, corners.roll(-1, 0), strict=True)])


def signed(name: str, w: float, h: float, points: torch.Tensor) -> torch.Tensor:
    attributes = torch.tensor([0, 0, w, h, 0, 1, 1, 1, 1, 0], dtype=torch.float64)
    return distance(find(name), attributes, points[:, 0], points[:, 1])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["circle", "square", "triangle"])
def test_distances_equal_the_nearest_point_of_the_boundary(name: str, size: tuple[float, float]) -> None:
    """By brute force, for points within the reach of any stroke: half of the smaller side."""
    generator = torch.Generator().manual_seed(5)
    spread = torch.tensor(size, dtype=torch.float64) + min(size)
    points = (torch.rand(800, 2, generator=generator, dtype=torch.float64) - 0.5) * spread
    nearest = torch.cdist(points, boundary(name, *size)).min(dim=1).values
    near = nearest <= min(size) / 2
    ours = signed(name, *size, points)
    assert torch.allclose(ours[near].abs(), nearest[near], atol=0.02)
    assert (ours[~near].abs() > 0.4 * min(size)).all(), "what is far away may be rough, but is far away"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["circle", "square", "triangle"])
def test_distances_are_negative_inside_and_zero_on_the_boundary(name: str, size: tuple[float, float]) -> None:
    edge = boundary(name, *size)
    assert signed(name, *size, edge).abs().max() < 1e-3
    assert (signed(name, *size, edge * 0.97) < 0).all()
    assert (signed(name, *size, edge * 1.03) > 0).all()


@pytest.mark.parametrize("size", [(64.0, 20.0), (24.0, 60.0)])
@pytest.mark.parametrize("name", ["circle", "square", "triangle"])
def test_a_stroke_is_equally_wide_all_around(name: str, size: tuple[float, float]) -> None:
    """Walking across the stroke at right angles, the painted length is thickness * min(w, h) everywhere."""
    thickness = 0.15
    width = thickness * min(size)
    edge = boundary(name, *size, count=240)
    along = edge.roll(-1, 0) - edge.roll(1, 0)
    far = _distance_to_corners(name, size, edge) > 5 * width
    edge, along = edge[far], along[far]
    assert len(edge) > 30
    normal = torch.stack([along[:, 1], -along[:, 0]], 1) / along.norm(dim=1, keepdim=True)
    step = 0.01
    steps = torch.arange(-0.75 * width, 0.75 * width, step, dtype=torch.float64)
    points = edge[:, None, :] + steps[:, None] * normal[:, None, :]
    attributes = torch.tensor([0, 0, *size, 0, 1, 1, 1, 0, thickness], dtype=torch.float64)
    painted = coverage(find(name), attributes, points[..., 0], points[..., 1]).sum(dim=1) * step
    assert np.allclose(painted.numpy(), width, atol=0.03)


def _distance_to_corners(name: str, size: tuple[float, float], points: torch.Tensor) -> torch.Tensor:
    if name == "circle":
        return torch.full((len(points),), torch.inf)
    count = {"square": 4, "triangle": 3}[name]
    corners = boundary(name, *size, count=2 * count)
    return torch.cdist(points, corners).min(dim=1).values

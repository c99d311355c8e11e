"""Where refinement looks: points on the outline of every shape, and across it."""

from dataclasses import replace

import pytest
import torch

from unrender.capsules.geometry import OWN, TAU, Shapes, distances
from unrender.capsules.outline import RAYS, SAMPLES, outline, sample_points, unit_outline
from unrender.graphics.registry import Primitive, find

NAMES = ("circle", "square", "triangle")


def random_shapes(kinds: list[Primitive], count: int = 10, seed: int = 8) -> Shapes:
    """Stretched and turned shapes of 10 to 60 px, `count` of each kind."""
    rng = torch.Generator().manual_seed(seed)
    rows = []
    for kind in kinds:
        values = torch.rand(count, len(kind.columns), generator=rng)
        values[:, :2] = 40 * values[:, :2]
        values[:, 2:4] = 10 + 50 * values[:, 2:4]
        values[:, 4] = 360 * values[:, 4] - 180
        values[:, 9] *= 0.2
        rows.append(values)
    return Shapes.of(kinds, torch.arange(len(kinds)).repeat_interleave(count), rows)


PAPER = [find(name) for name in NAMES]


def test_outline_points_lie_on_the_boundary() -> None:
    shapes = random_shapes(PAPER)
    x, y, nx, ny = outline(shapes)
    assert x.shape == y.shape == nx.shape == ny.shape == (30, RAYS)
    assert distances(shapes, x, y).abs().max() < 0.01


def test_normals_have_length_one_and_point_outward() -> None:
    shapes = random_shapes(PAPER)
    x, y, nx, ny = outline(shapes)
    assert torch.allclose(torch.hypot(nx, ny), torch.ones_like(nx), atol=1e-5)
    outward = distances(shapes, x + 0.5 * nx, y + 0.5 * ny)
    inward = distances(shapes, x - 0.5 * nx, y - 0.5 * ny)
    assert (outward > 0.45).all(), "a step along the normal leads away by its length"
    assert (outward < 0.51).all()
    assert (inward < 0).all()
    assert ((inward + 0.5).abs() < 0.05).float().mean() > 0.9, "and inward, but beside a corner"


def test_a_shape_with_attributes_of_its_own_is_met_closely(cushion: Primitive) -> None:
    shapes = random_shapes([*PAPER, cushion])
    shapes.pose[30:, OWN] = torch.linspace(0.3, 0.7, 10)  # unlike the form that the unit outline was made for
    x, y, nx, ny = outline(shapes)
    off = distances(shapes, x, y).abs()
    assert off[:30].max() < 0.01
    assert off[30:].max() < 0.25
    assert (distances(shapes, x + nx, y + ny) > 0.5).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_points_of_the_unit_shape_are_evenly_spaced_along_it(name: str) -> None:
    points, normals = unit_outline(find(name))
    assert points.shape == normals.shape == (RAYS, 2)
    gaps = (points.roll(-1, 0) - points).norm(dim=1)
    assert gaps.max() / gaps.median() < 1.05
    assert (gaps / gaps.median() > 0.9).sum() >= RAYS - 4, "only around a corner is the straight way shorter"


@pytest.mark.parametrize("filled", [True, False])
def test_samples_run_across_every_edge_and_deep_inside(filled: bool) -> None:
    shapes = random_shapes([find("circle")], 6)
    shapes.pose[:, TAU] = 0.0 if filled else 2.0
    shapes = replace(shapes, filled=torch.full((6,), filled))
    x, y = sample_points(shapes)
    assert x.shape == y.shape == (6, SAMPLES)
    signed, tau = distances(shapes, x, y), shapes.pose[:, TAU, None]
    for edge in (-tau, tau):
        for beside in (-0.5, 0.5):
            assert ((signed - edge - beside).abs() <= 0.51).sum(1).min() >= RAYS, "on both sides of the edge"
    assert signed.max() < tau.max() + 8, "a few pixels of the ground are enough"
    a, b = shapes.half
    assert (signed.amin(1) < -0.25 * torch.minimum(a, b)).all()

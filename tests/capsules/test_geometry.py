"""Shapes of many kinds in one tensor: distances as draw has them, and how they change with the pose."""

import pytest
import torch
from torch import Tensor

from unrender.capsules.geometry import (
    ANGLE,
    CX,
    CY,
    LOG_H,
    LOG_W,
    OWN,
    TAU,
    Shapes,
    distances,
    distances_and_slopes,
)
from unrender.graphics.draw import ROTATION, SHAPE, THICKNESS, WIDTH, X, Y, distance, draw
from unrender.graphics.registry import Primitive, find

NAMES = ("circle", "square", "triangle", "cushion")
COUNT, POINTS = 12, 80


def attributes_of(primitive: Primitive, seed: int, count: int = COUNT) -> Tensor:
    """(N, A) in double precision: sides of 10 to 24 px, up to twice as long as wide."""
    rng = torch.Generator().manual_seed(seed)
    values = torch.rand(count, len(primitive.columns), generator=rng, dtype=torch.float64)
    values[:, X : Y + 1] = 28 + 8 * values[:, X : Y + 1]
    values[:, WIDTH : WIDTH + 2] = 12 + 12 * values[:, WIDTH : WIDTH + 2]
    values[:, ROTATION] = 360 * values[:, ROTATION] - 180
    values[:, THICKNESS] *= 0.3
    values[:, SHAPE:] = 0.2 + 0.6 * values[:, SHAPE:]
    return values


def shapes_of(primitive: Primitive, seed: int = 3) -> Shapes:
    kind = torch.zeros(COUNT, dtype=torch.long)
    return Shapes.of([primitive], kind, [attributes_of(primitive, seed)])


def points_near(shapes: Shapes, seed: int = 4, within: float = 3.0) -> tuple[Tensor, Tensor]:
    """x, y (N, POINTS): random points not further than `within` pixels from the outline."""
    rng = torch.Generator().manual_seed(seed)
    x, y = 64 * torch.rand(2, len(shapes), 6000, generator=rng, dtype=torch.float64)
    near = distances(shapes, x, y).abs() < within
    assert (near.sum(1) >= POINTS).all()
    chosen = near.double().topk(POINTS, 1).indices
    return x.gather(1, chosen), y.gather(1, chosen)


@pytest.fixture
def kind(request: pytest.FixtureRequest, kinds: list[Primitive]) -> Primitive:
    return next(k for k in kinds if k.name == request.param)


every_kind = pytest.mark.parametrize("kind", NAMES, indirect=True)


@every_kind
def test_distances_are_those_of_draw(kind: Primitive) -> None:
    shapes = shapes_of(kind)
    x, y = points_near(shapes, within=20.0)
    expected = distance(kind, attributes_of(kind, 3)[:, None, :], x, y)
    assert torch.allclose(distances(shapes, x, y), expected, atol=1e-6)


@every_kind
def test_slopes_are_the_finite_differences_of_the_distances(kind: Primitive) -> None:
    shapes = shapes_of(kind)
    x, y = points_near(shapes)
    signed, slopes = distances_and_slopes(shapes, x, y)
    assert torch.allclose(signed, distances(shapes, x, y), atol=1e-6)
    assert slopes.shape == (COUNT, OWN + len(kind.shape), POINTS)
    step = 1e-5
    for column in range(slopes.shape[1]):
        if column == TAU:
            continue
        ahead, behind = shapes.pose.clone(), shapes.pose.clone()
        ahead[:, column] += step
        behind[:, column] -= step
        measured = distances(shapes.with_pose(ahead), x, y) - distances(shapes.with_pose(behind), x, y)
        off = (measured / (2 * step) - slopes[:, column]).abs()
        assert off.max() < 2e-2 * max(1.0, float(slopes[:, column].abs().max())), column
        assert off.mean() < 1e-3 * max(1.0, float(slopes[:, column].abs().mean())), column


@every_kind
def test_the_stroke_moves_no_outline(kind: Primitive) -> None:
    shapes = shapes_of(kind)
    _, slopes = distances_and_slopes(shapes, *points_near(shapes))
    assert (slopes[:, TAU] == 0).all()


@pytest.mark.parametrize("name", ["circle", "square", "triangle"])
def test_the_normal_written_by_hand_agrees_with_autograd(name: str) -> None:
    primitive = find(name)
    assert primitive.compiled_normal is not None
    rng = torch.Generator().manual_seed(9)
    x, y = (40 * torch.rand(2, 4000, generator=rng, dtype=torch.float64) - 20).requires_grad_().unbind(0)
    a, b = torch.tensor([12.0, 9.0], dtype=torch.float64).unbind(0)
    d = primitive.distance(x, y, a, b)
    gx, gy = torch.autograd.grad(d.sum(), [x, y])
    signed, nx, ny = torch.empty(3, 1, 4000, dtype=torch.float64).unbind(0)
    points = (x.detach()[None], y.detach()[None], a[None], b[None], signed, nx, ny)
    primitive.compiled_normal(*(values.numpy() for values in points))
    signed, nx, ny = signed[0], nx[0], ny[0]
    near = d.detach().abs() < 4
    assert near.sum() > 500
    assert torch.allclose(signed[near], d.detach()[near], atol=1e-6)
    assert torch.allclose(nx[near], gx[near], atol=1e-3)
    assert torch.allclose(ny[near], gy[near], atol=1e-3)
    assert torch.allclose(torch.hypot(nx, ny)[near], torch.ones(()).double(), atol=1e-6)


def test_shapes_of_all_kinds_stand_in_one_tensor_and_keep_their_own_distances(
    kinds: list[Primitive],
) -> None:
    rows = [attributes_of(kind, seed, 3) for seed, kind in enumerate(kinds)]
    index = torch.arange(len(kinds)).repeat_interleave(3)
    mixed = Shapes.of(kinds, index, rows)
    assert len(mixed) == 12
    shuffled = torch.randperm(12, generator=torch.Generator().manual_seed(1))
    mixed = mixed[shuffled]
    x, y = 64 * torch.rand(2, 12, 50, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    together, (signed, slopes) = distances(mixed, x, y), distances_and_slopes(mixed, x, y)
    for i, source in enumerate(shuffled.tolist()):
        kind, row = kinds[source // 3], rows[source // 3][source % 3]
        alone = Shapes.of([kind], torch.zeros(1, dtype=torch.long), [row[None]])
        expected, expected_slopes = distances_and_slopes(alone, x[i : i + 1], y[i : i + 1])
        assert torch.allclose(together[i], distances(alone, x[i : i + 1], y[i : i + 1])[0], atol=1e-9)
        assert torch.allclose(signed[i], expected[0], atol=1e-9)
        assert torch.allclose(slopes[i, : expected_slopes.shape[1]], expected_slopes[0], atol=1e-9)
        assert (slopes[i, expected_slopes.shape[1] :] == 0).all()


@every_kind
def test_a_pose_says_what_the_attributes_say(kind: Primitive) -> None:
    rows = attributes_of(kind, 5)
    shapes = Shapes.of([kind], torch.zeros(COUNT, dtype=torch.long), [rows])
    pose = shapes.pose
    assert torch.equal(pose[:, [CX, CY]], rows[:, [X, Y]])
    assert torch.allclose(pose[:, [LOG_W, LOG_H]].exp(), rows[:, WIDTH : WIDTH + 2])
    assert torch.allclose(pose[:, ANGLE].rad2deg(), rows[:, ROTATION])
    thinner = rows[:, WIDTH : WIDTH + 2].amin(1)
    assert torch.allclose(2 * pose[:, TAU] / thinner, rows[:, THICKNESS])
    assert torch.equal(pose[:, OWN:], rows[:, SHAPE:])
    a, b = shapes.half
    assert torch.allclose(torch.stack([a, b], 1), rows[:, WIDTH : WIDTH + 2] / 2)


@every_kind
def test_a_scaled_shape_has_scaled_distances(kind: Primitive) -> None:
    shapes = shapes_of(kind)
    factor = torch.linspace(0.25, 4.0, COUNT, dtype=torch.float64)
    x, y = points_near(shapes)
    scaled = distances(shapes.scaled(factor), x * factor[:, None], y * factor[:, None])
    assert torch.allclose(scaled, distances(shapes, x, y) * factor[:, None], atol=1e-6)
    assert torch.allclose(shapes.scaled(factor).pose[:, TAU], shapes.pose[:, TAU] * factor)


@every_kind
def test_nothing_of_a_shape_lies_beyond_its_reach(kind: Primitive) -> None:
    rows = attributes_of(kind, 6)
    reach = Shapes.of([kind], torch.zeros(COUNT, dtype=torch.long), [rows]).reach
    alpha = draw(kind, rows, 64, 64)
    row, column = torch.meshgrid(torch.arange(64) + 0.5, torch.arange(64) + 0.5, indexing="ij")
    away = torch.hypot(column - rows[:, X, None, None], row - rows[:, Y, None, None])
    assert (alpha[away > reach[:, None, None] + 1] == 0).all()
    assert (alpha > 0).any()

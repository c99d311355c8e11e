"""Equivalent poses draw the same pixels, and one of them is chosen, always the same."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from unrender.capsules.symmetry import Pose, canonical, equivalent, wrap
from unrender.graphics.draw import draw
from unrender.graphics.registry import Primitive, find

SIDE = 40


def hexagon(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """A hexagon that stretches with its box, and is no more than nearly a distance."""
    u, v = (x / a).abs(), (y / b).abs()
    return (torch.maximum(u, 0.5 * u + math.sqrt(0.75) * v) - 0.9) * torch.minimum(a, b)


def arrow(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """A shape that looks different at every angle."""
    return torch.maximum((x / a).abs() + y / b, 0.3 * x / a - y / b) * torch.minimum(a, b) - 2


def lens(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
    """A shape that half a turn leaves as it is."""
    return ((x / a) ** 2 + (y / b).abs() - 0.8) * torch.minimum(a, b)


PRIMITIVES = [find(name) for name in ("circle", "square", "triangle")]
PRIMITIVES += [Primitive("hexagon", hexagon, 6), Primitive("arrow", arrow, 1), Primitive("lens", lens, 2)]
NAMES = [primitive.name for primitive in PRIMITIVES]


def poses(seed: int, count: int = 12) -> list[Pose]:
    """Random poses, every other one with equal sides."""
    rng = np.random.default_rng(seed)
    out = []
    for i in range(count):
        width, height = rng.uniform(8, 30, 2).tolist()
        out.append(Pose(width, width if i % 2 else height, float(rng.uniform(-180, 180))))
    return out


def pixels(primitive: Primitive, pose: Pose, filled: float) -> Tensor:
    style = (1.0, 1.0, 1.0, filled, 0.12)
    attributes = torch.tensor(
        [[20.3, 19.8, pose.width, pose.height, pose.rotation, *style]], dtype=torch.float64
    )
    return draw(primitive, attributes, SIDE, SIDE)[0]


@pytest.mark.parametrize("filled", [1.0, 0.0], ids=["filled", "outlined"])
@pytest.mark.parametrize("primitive", PRIMITIVES, ids=NAMES)
def test_equivalent_poses_draw_the_same_pixels(primitive: Primitive, filled: float) -> None:
    for pose in poses(1):
        expected = pixels(primitive, pose, filled)
        assert 0 < expected.sum() < SIDE * SIDE
        for other in equivalent(primitive, pose):
            assert (pixels(primitive, other, filled) - expected).abs().max() < 1e-4, (pose, other)
        best = canonical(primitive, pose)
        assert (pixels(primitive, best, filled) - expected).abs().max() < 1e-4, (pose, best)


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=NAMES)
def test_a_turn_that_is_not_among_the_equivalent_poses_shows(primitive: Primitive) -> None:
    """Apart from the circle: turned by half of the smallest equivalent turn, a shape looks different."""
    for pose in poses(2):
        same = equivalent(primitive, pose)
        if primitive.order == 0 and pose.width == pose.height:
            continue
        turn = 180 / len(same) if pose.width == pose.height else 45
        other = Pose(pose.width, pose.height, pose.rotation + turn)
        assert (pixels(primitive, other, 1.0) - pixels(primitive, pose, 1.0)).abs().max() > 0.05, pose


@pytest.mark.parametrize(
    ("name", "equal", "stretched"),
    [
        ("circle", 1, 4),
        ("square", 4, 4),
        ("triangle", 3, 1),
        ("hexagon", 6, 2),
        ("arrow", 1, 1),
        ("lens", 2, 2),
    ],
)
def test_the_number_of_equivalent_poses(name: str, equal: int, stretched: int) -> None:
    primitive = PRIMITIVES[NAMES.index(name)]
    assert len(equivalent(primitive, Pose(20, 20, 33))) == equal
    found = equivalent(primitive, Pose(20, 12, 33))
    assert len(found) == len(set(found)) == stretched


def test_a_stretched_triangle_has_no_other_pose() -> None:
    assert equivalent(find("triangle"), Pose(20, 12, 33)) == [Pose(20, 12, 33)]
    assert canonical(find("triangle"), Pose(20, 12, 170)) == Pose(20, 12, 170)


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=NAMES)
def test_the_canonical_pose_is_the_same_for_all_equivalent_poses_and_its_own(primitive: Primitive) -> None:
    for pose in poses(3, 40):
        best = canonical(primitive, pose)
        for other in (*equivalent(primitive, pose), best):
            again = canonical(primitive, other)
            assert again.width == pytest.approx(best.width, rel=1e-9)
            assert again.height == pytest.approx(best.height, rel=1e-9)
            assert again.rotation == pytest.approx(best.rotation, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "equal", "stretched"), [("circle", 0, 45), ("square", 45, 45), ("triangle", 60, 180)]
)
def test_the_canonical_pose_is_turned_the_least(name: str, equal: float, stretched: float) -> None:
    for pose in poses(4, 60):
        most = equal if pose.width == pose.height else stretched
        assert abs(canonical(find(name), pose).rotation) <= most + 1e-6


@pytest.mark.parametrize("rotation", [45.0, -45.0, 135.0, -135.0, 45 + 1e-9, -45 - 1e-9])
def test_of_two_least_turns_the_clockwise_one_is_taken(rotation: float) -> None:
    best = canonical(find("square"), Pose(12, 12, rotation))
    assert best.rotation == pytest.approx(45)
    upright = canonical(find("square"), Pose(20, 12, rotation))
    assert upright.rotation == pytest.approx(45)


def test_sides_within_the_round_off_become_equal_and_keep_the_area() -> None:
    best = canonical(find("circle"), Pose(20.0, 20.1, 71.0), round_off=0.01)
    assert best.width == best.height
    assert best.width * best.height == pytest.approx(20.0 * 20.1)
    assert best.rotation == 0
    assert canonical(find("circle"), Pose(20.0, 20.1, 71.0)).width == 20.1


@pytest.mark.parametrize(
    ("angle", "period", "expected"),
    [(190, 360, -170), (-180, 360, 180), (180, 360, 180), (540, 360, 180), (50, 90, -40), (-45, 90, 45)],
)
def test_angles_are_wrapped_into_half_a_period_on_either_side(
    angle: float, period: float, expected: float
) -> None:
    assert wrap(angle, period) == pytest.approx(expected)

"""Primitives of another package, found by their files alone, are drawn and seen like those of this one."""

import importlib.util
import math
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from unrender.perception.image.model import ImageModel
from unrender.perception.objective import shape_bits
from unrender.perception.pipeline import see_primitives
from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import find
from unrender.render.coverage import cover
from unrender.render.shape import ANGLE, OWN, TAU, A, B, Shape, X, Y

sys.path.insert(0, str(Path(__file__).parents[2] / "perception"))
from cairo_pictures import drawn, polygon, stroke

HERE = Path(__file__).parent
INKS = ((0.1, 0.2, 0.8), (0.8, 0.1, 0.1), (0.1, 0.5, 0.1), (0.1, 0.1, 0.1))


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where compiled loops look for their file
    spec.loader.exec_module(module)
    return module


plus, polyline = load("plus"), load("polyline")


def kinds() -> list[Primitive]:
    return [*(find(name) for name in ("circle", "square", "triangle")), plus.plus, polyline.polyline]


def outline(x: float, y: float, a: float, b: float, turn: float, upright: float, level: float) -> list:
    """Corners of a plus."""
    p, q = upright * a, level * b
    quadrant = [(p, -b), (p, -q), (a, -q), (a, q), (p, q), (p, b)]
    corners = quadrant + [(-u, -v) for u, v in quadrant]
    cos, sin = math.cos(turn), math.sin(turn)
    return [(x + cos * u - sin * v, y + sin * u + cos * v) for u, v in corners]


def parameters(shape: Shape) -> np.ndarray:
    """a, b, upright and level of a plus, its longer side first."""
    a, b, upright, level = shape.pose[A], shape.pose[B], shape.pose[OWN], shape.pose[OWN + 1]
    return np.array([a, b, upright, level] if a > b else [b, a, level, upright])


@pytest.mark.parametrize("seed", range(4))
def test_pluses_of_two_own_parameters_are_seen_within_five_percent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = [
        (cx, cy, a, a * rng.uniform(0.6, 0.85), rng.uniform(0, 3), *rng.uniform(0.25, 0.5, 2))
        for cx, cy, a in ((36.4, 35.1, 26), (105.2, 38.7, 20), (38.8, 105.3, 17), (104.1, 104.6, 30))
    ]
    image = drawn((145, 145), *(polygon(outline(*each), ink) for each, ink in zip(truth, INKS, strict=True)))
    found = see_primitives(image, kinds()).shapes
    assert [placed.shape.primitive.name for placed in found] == ["plus"] * 4
    for x, y, *numbers in truth:
        shape = min(
            (placed.shape for placed in found), key=lambda s: math.hypot(s.pose[X] - x, s.pose[Y] - y)
        )
        assert shape.pose[[X, Y]] == pytest.approx([x, y], abs=0.1)
        a, b, _, upright, level = numbers
        assert parameters(shape) == pytest.approx([a, b, upright, level], rel=0.05)


LINES = [
    [
        [(12.4, 20.1), (55.3, 33.8), (60.2, 50.6)],
        [(80.2, 14.7), (128.4, 30.1), (96.5, 61.3)],
        [(15.1, 90.4), (40.2, 128.3), (62.7, 84.1), (50.3, 70.2)],
    ],
    [
        [(20.5, 15.5), (20.5, 60.5), (60.5, 60.5)],
        [(80.3, 60.2), (95.7, 15.8), (110.9, 59.4), (130.2, 20.6), (134.1, 62.8)],
        [(14.2, 130.1), (60.4, 92.3), (130.8, 84.4)],
    ],
    [
        [(70.4, 10.2), (64.9, 54.7), (20.3, 62.2)],
        [(98.8, 20.4), (131.1, 52.7), (104.3, 88.8), (131.9, 121.5)],
        [(14.6, 80.3), (58.1, 88.9), (30.4, 122.6), (74.8, 130.2)],
    ],
]


@pytest.mark.parametrize("number", range(len(LINES)))
@pytest.mark.parametrize("width", [1.0, 2.5, 4.0])
def test_polylines_of_any_number_of_corners_are_seen(number: int, width: float) -> None:
    lines = LINES[number]
    image = drawn(
        (145, 140), *(stroke(line, width, ink, round_=True) for line, ink in zip(lines, INKS, strict=False))
    )
    found = [placed.shape for placed in see_primitives(image, kinds()).shapes]
    assert [shape.primitive.name for shape in found] == ["polyline"] * len(lines)
    for line in lines:
        want = np.array(line if line[0] < line[-1] else line[::-1])
        same = [polyline.placed(shape.pose, shape.form) for shape in found if len(shape.form) == want.size]
        off = min(np.hypot(*(corners - want).T).max() for corners in same)
        assert off < 0.5
    assert [2 * shape.pose[TAU] for shape in found] == pytest.approx([width] * len(lines), rel=0.03)


def test_a_polyline_read_from_its_other_end_is_the_same() -> None:
    corners = np.array([(50.0, 20.0), (30.0, 44.0), (12.0, 20.0)])
    pose, form = polyline.framed(corners, 1.5)
    turned = pose + np.where(np.arange(6) == ANGLE, math.pi, 0.0)
    one = polyline.polyline.canonical(pose, form)
    other = polyline.polyline.canonical(turned, -form.reshape(-1, 2)[::-1].ravel())
    assert one[0] == pytest.approx(other[0])
    assert one[1] == pytest.approx(other[1])
    shape = Shape(polyline.polyline, pose, None, np.zeros(3), form=form)
    told = shape.posed(shape.vector)
    before, after = (cover(each, (0, 60, 0, 60)).stroke for each in (shape, told))
    assert np.abs(before - after).max() < 1e-5


def test_every_corner_costs_bits() -> None:
    model = ImageModel.of(np.full((64, 64, 3), 0.5, np.float32))
    costs = []
    for count in (2, 3, 4):
        pose, form = polyline.framed(np.random.default_rng(0).uniform(5, 60, (count, 2)), 1.0)
        costs.append(shape_bits(Shape(polyline.polyline, pose, None, np.zeros(3), form=form), model))
    assert costs[1] - costs[0] > 15
    assert costs[2] - costs[1] > 15


@pytest.mark.parametrize("name", ["plus", "polyline"])
def test_the_slopes_of_own_parameters_and_forms_are_those_of_the_distance(name: str) -> None:
    kind = getattr({"plus": plus, "polyline": polyline}[name], name)
    rng = np.random.default_rng(0)
    own = np.array([[0.4, 0.5]]) if name == "plus" else rng.uniform(-1, 1, (1, 8))
    x, y, a, b = *rng.uniform(-30, 30, (2, 1, 200)), np.array([25.0]), np.array([18.0])

    def distance(numbers: np.ndarray) -> np.ndarray:
        out = np.empty((3, 1, 200))
        kind.compiled_field(x, y, a, b, numbers, *out)
        return out

    signed, nx, ny = distance(own)
    on = distance(own)[0]
    assert np.abs(np.hypot(nx, ny) - 1).max() < 1e-9
    if kind.slopes is not None:
        slopes = np.zeros((1, 200, own.shape[1]))
        kind.compiled_slopes(x, y, a, b, own, signed, nx, ny, slopes)
        for k in range(own.shape[1]):
            nudged = own.copy()
            nudged[0, k] += 1e-6
            measured = (distance(nudged)[0] - on)[0] / 1e-6
            assert np.median(np.abs(measured - slopes[0, :, k])) < 1e-4

"""What γ is asked to say can be read back, and is the same for all poses that draw the same."""

import math
from dataclasses import replace

import numpy as np
import pytest

from unrender.grammar.attribute import Attribute
from unrender.learning.primitives.synthesize import quantiles
from unrender.learning.primitives.targets import HIDDEN, assign, channels, encode_targets
from unrender.perception.encoder.decode import Poses, decode
from unrender.perception.encoder.pyramid import STRIDE
from unrender.perception.encoder.views import View
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import find
from unrender.render.coverage import cover
from unrender.render.shape import ANGLE, OWN, TAU, A, B, Shape, X, Y

NAMES = ("circle", "square", "triangle")
CELLS, SIDE = 12, 48


def read_back(primitive: Primitive, said: Doubles, row: int, column: int) -> Poses:
    """What seeing makes of a network that says this (channels - 1,) at one place and nothing elsewhere."""
    output = np.zeros((channels(primitive), CELLS, CELLS), np.float32)
    output[0] = -9
    output[0, row, column], output[1:, row, column] = 5, np.nan_to_num(said)
    view = View(0, np.zeros((3, SIDE, SIDE), np.float32), 0, 0, (0, CELLS), (0, CELLS))
    return decode(primitive, output, view)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_of_a_shape_draws_it_again(name: str) -> None:
    for shape in quantiles(find(name), np.random.default_rng(2), 60, SIDE):
        place = np.array([24.0, 24.0])
        shape.pose[[X, Y]] = place + np.random.default_rng(1).uniform(-2, 2, 2)
        shape.pose[TAU] = max(shape.pose[TAU], 0.03 * min(shape.pose[A], shape.pose[B]))
        row = column = 5
        at = np.array([(5 + 0.5) * STRIDE])
        found = read_back(shape.primitive, encode_targets(shape, at, at)[0], row, column)
        (pose,) = found.pose
        assert found.filled[0] == (shape.fill is not None)
        if shape.stroke is None:
            pose[TAU] = shape.pose[TAU]
        window = (0, SIDE, 0, SIDE)
        one, other = cover(shape, window), cover(replace(shape, pose=pose), window)
        for was, now in ((one.fill, other.fill), (one.stroke, other.stroke)):
            assert was is None or np.abs(was - now).max() < 1e-3


@pytest.mark.parametrize("name", NAMES)
def test_equivalent_poses_have_the_same_targets(name: str) -> None:
    primitive, at = find(name), np.array([22.0])
    for n, shape in enumerate(quantiles(primitive, np.random.default_rng(2), 20, SIDE)):
        if n % 2:
            shape.pose[B] = shape.pose[A]
        expected = encode_targets(shape, at, at)
        a, b, angle = shape.pose[[A, B, ANGLE]].tolist()
        for width, height, degrees in primitive.symmetry.equivalent(a, b, math.degrees(angle)):
            other = shape.pose.copy()
            other[[A, B, ANGLE]] = width, height, math.radians(degrees)
            found = encode_targets(replace(shape, pose=other), at, at)
            assert found == pytest.approx(expected, abs=1e-6, nan_ok=True)


def test_positions_are_told_in_strides_from_the_place_that_tells_them() -> None:
    (shape,) = quantiles(find("square"), np.random.default_rng(0), 1, SIDE)
    x, y = shape.pose[[X]] - STRIDE, shape.pose[[Y]] + 2 * STRIDE
    assert encode_targets(shape, x, y)[0, :2] == pytest.approx([1.0, -2.0])


def test_own_parameters_are_told_and_read_back() -> None:
    kind = replace(find("circle"), own=(Attribute("bent", low=2.0, high=6.0, default=3.0),))
    (shape,) = quantiles(kind, np.random.default_rng(0), 1, SIDE)
    at = np.array([22.0])
    said = encode_targets(shape, at, at)[0]
    assert len(said) == channels(kind) - 1
    assert read_back(kind, said, 5, 5).pose[0, OWN] == pytest.approx(shape.pose[OWN], abs=1e-5)
    said[-1] = 7.0
    assert read_back(kind, said, 5, 5).pose[0, OWN] == 6.0


def one_shape(extent: float = 10.0) -> Shape:
    """A single triangle centred between cells."""
    pose = np.array([17.0, 23.0, extent / 2, extent / 2, 0.0, 0.0])
    return Shape(find("triangle"), pose, np.ones(3), None)


def test_the_cells_around_a_centre_are_asked_for_its_attributes() -> None:
    shape = one_shape()
    target, weight, truth = assign(shape.primitive, [shape], np.ones(1), CELLS)
    rows, columns = np.nonzero(target)
    assert len(rows) >= 1
    assert (np.abs((columns + 0.5) * STRIDE - 17) < 3).all()
    assert (np.abs((rows + 0.5) * STRIDE - 23) < 3).all()
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        (pose,) = read_back(shape.primitive, truth[row, column], row, column).pose
        assert pose[:ANGLE] == pytest.approx(shape.pose[:ANGLE], abs=1e-3)
    assert (weight[rows, columns] == 1).all()
    assert weight.mean() > 0.9, "all other places are asked to say no"
    assert np.isnan(truth[target == 0]).all()


def test_a_filled_shape_is_not_asked_for_its_stroke_but_one_with_a_border_is() -> None:
    at = np.array([22.0])
    assert np.isnan(encode_targets(one_shape(), at, at)[0, 8])
    bordered = replace(one_shape(), stroke=np.zeros(3))
    bordered.pose[TAU] = 0.5
    assert encode_targets(bordered, at, at)[0, 7:9] == pytest.approx([1.0, math.log(0.1) + 2])


def test_a_shape_that_is_nearly_hidden_or_of_another_level_is_neither_asked_for_nor_forbidden() -> None:
    for shape, visible in ((one_shape(), sum(HIDDEN) / 2), (one_shape(19.5), 1.0)):
        target, weight, _ = assign(shape.primitive, [shape], np.array([visible]), CELLS)
        assert target.sum() == 0
        assert 0 < (weight == 0).sum() < 16


def test_what_is_hidden_far_too_large_or_of_another_kind_must_not_be_seen() -> None:
    circle = replace(one_shape(), primitive=find("circle"))
    for shape, visible in ((one_shape(), 0.05), (one_shape(40.0), 1.0), (circle, 1.0)):
        target, weight, _ = assign(find("triangle"), [shape], np.array([visible]), CELLS)
        assert target.sum() == 0
        assert (weight == 1).all()


def test_of_two_centres_a_cell_tells_the_nearer_one() -> None:
    near, far = one_shape(), one_shape()
    near.pose[[X, Y]], far.pose[[X, Y]] = (18.2, 22.3), (20.5, 22.0)
    for shapes in ([near, far], [far, near]):
        target, _, truth = assign(near.primitive, shapes, np.ones(2), CELLS)
        assert target[5, 4] == 1
        assert truth[5, 4, :2] * STRIDE == pytest.approx([0.2, 0.3], abs=1e-6)

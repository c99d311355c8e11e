"""Strokes are told by points of their line, the same from whichever end they are read."""

import numpy as np
import pytest

from unrender.learning.primitives.synthesize import quantiles
from unrender.learning.primitives.targets import SEEN, assign, centre_of, channels, encode_targets, width_of
from unrender.perception.encoder.decode import decode
from unrender.perception.encoder.pyramid import STRIDE
from unrender.perception.encoder.session import weights_of
from unrender.perception.encoder.views import View
from unrender.primitives.handles import Handles, extent_of
from unrender.primitives.registry import find, primitives
from unrender.render.coverage import cover
from unrender.render.shape import Shape

NAMES = ("edge", "arc", "curve")
CELLS, SIDE = 12, 48


def handles(name: str) -> Handles:
    found = find(name).handles
    assert found is not None
    return found


def some(name: str, count: int = 40) -> list[Shape]:
    return quantiles(find(name), np.random.default_rng(4), count, SIDE)


@pytest.mark.parametrize("name", NAMES)
def test_a_stroke_goes_through_its_handles(name: str) -> None:
    own = handles(name)
    for shape in some(name):
        points = own.of(shape.pose, shape.form)
        again = own.of(*own.through(points, width_of(shape)))
        assert min(np.abs(again - points).max(), np.abs(again[::-1] - points).max()) < 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_what_is_told_is_the_same_from_either_end_and_tells_the_handles(name: str) -> None:
    own = handles(name)
    for shape in some(name):
        points, width = own.of(shape.pose, shape.form), width_of(shape)
        told = own.told(points, width)
        assert len(told) == own.numbers
        assert told == pytest.approx(own.told(points[::-1], width))
        read, wide = own.read(told, points.mean(0), extent_of(points))
        assert min(np.abs(read - points).max(), np.abs(read[::-1] - points).max()) < 1e-6
        assert wide == pytest.approx(width)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_network_should_say_draws_the_stroke_again(name: str) -> None:
    kind = find(name)
    for shape in some(name, 12):
        (x, y), _ = centre_of(shape)
        row, column = int(np.clip(y // STRIDE, 0, 11)), int(np.clip(x // STRIDE, 0, 11))
        at = [np.array([(cell + 0.5) * STRIDE]) for cell in (column, row)]
        output = np.full((channels(kind), CELLS, CELLS), -9.0, np.float32)
        output[0, row, column], output[1:, row, column] = 5, encode_targets(shape, *at)[0]
        view = View(0, np.zeros((3, SIDE, SIDE), np.float32), 0, 0, (0, CELLS), (0, CELLS))
        found = decode(kind, output, view)
        pose = found.pose[0].copy()
        if kind.held:  # its ends, which are not told
            pose[-1] = shape.pose[-1]
        again = Shape(kind, pose, shape.fill, shape.stroke, found.form[0])
        window = (0, SIDE, 0, SIDE)
        for was, now in zip(
            (cover(shape, window).fill, cover(shape, window).stroke),
            (cover(again, window).fill, cover(again, window).stroke),
            strict=True,
        ):
            assert (was is None) == (now is None)
            assert was is None or np.abs(was - now).max() < 0.01


@pytest.mark.parametrize("name", NAMES)
def test_strokes_to_train_on_have_the_lengths_of_one_level_and_are_asked_for(name: str) -> None:
    shapes = some(name)
    extents = [centre_of(shape)[1] for shape in shapes]
    assert SEEN[0] < min(extents)
    assert max(extents) < SEEN[1]
    inside = next(shape for shape in shapes if np.abs(centre_of(shape)[0] - 24).max() < 16)
    target, _, truth = assign(find(name), [inside], np.ones(1), CELLS)
    assert target.sum() >= 1
    assert np.isfinite(truth[target > 0]).all()


def test_every_primitive_has_a_network_but_the_one_that_has_no_fixed_number_of_outputs() -> None:
    without = [name for name, kind in primitives().items() if weights_of(kind) is None]
    assert without == ["path"]

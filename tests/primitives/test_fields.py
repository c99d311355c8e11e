"""Every primitive tells how far points lie from its outline, and which way."""

import math

import numpy as np
import pytest

from unrender.errors import UnrenderError
from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import find, primitives, register
from unrender.primitives.symmetry import Symmetry

NAMES = ("circle", "square", "triangle")


def measured(name: str, x: np.ndarray, y: np.ndarray, a: float = 9.0, b: float = 5.0) -> np.ndarray:
    """(3, M): distance and gradient at points (M,) of one shape."""
    out = np.empty((3, 1, len(x)))
    own = np.zeros((1, 0))
    find(name).compiled_field(x[None], y[None], np.array([a]), np.array([b]), own, *out)
    return out[:, 0]


def points(seed: int = 0, count: int = 400) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.uniform(-14, 14, count), rng.uniform(-9, 9, count)


@pytest.mark.parametrize("name", NAMES)
def test_the_gradient_is_the_slope_of_the_distance(name: str) -> None:
    x, y = points()
    step = 1e-5
    _, nx, ny = measured(name, x, y)
    along = (measured(name, x + step, y)[0] - measured(name, x - step, y)[0]) / (2 * step)
    down = (measured(name, x, y + step)[0] - measured(name, x, y - step)[0]) / (2 * step)
    smooth = np.hypot(along, down) > 0.999  # not where two sides are equally near
    assert smooth.mean() > 0.9
    assert np.abs(nx - along)[smooth].max() < 0.02
    assert np.abs(ny - down)[smooth].max() < 0.02


@pytest.mark.parametrize("name", NAMES)
def test_the_nearest_point_of_the_outline_lies_where_distance_and_gradient_say(name: str) -> None:
    x, y = points(1)
    signed, nx, ny = measured(name, x, y)
    far = np.abs(signed) < 3
    on = measured(name, (x - signed * nx)[far], (y - signed * ny)[far])[0]
    assert np.abs(on).max() < 0.02


def test_distances_are_negative_inside_and_those_of_the_formulas_outside() -> None:
    x, y = np.array([0.0, 12.0, 0.0, 11.0]), np.array([0.0, 0.0, -7.0, 9.0])
    assert measured("square", x, y)[0] == pytest.approx([-5, 3, 2, math.hypot(2, 4)])
    assert measured("circle", x[:3], y[:3])[0] == pytest.approx([-5, 3, 2], abs=1e-3)
    assert measured("triangle", x[[0, 2]], y[[0, 2]])[0] == pytest.approx([-2.5, 2], abs=1e-9)


def test_two_packages_cannot_claim_one_name() -> None:
    def field(*arrays: np.ndarray) -> None: ...

    assert set(NAMES) <= set(primitives())
    with pytest.raises(UnrenderError, match="exists already"):
        register(Primitive("circle", field, Symmetry()))
    with pytest.raises(UnrenderError, match="There is no primitive called \\[circel\\]"):
        find("circel")

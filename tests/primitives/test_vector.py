"""Vector forms: exact where a primitive tells its own, traced from its field where it does not."""

import math
from dataclasses import replace

import numpy as np
import pytest

from unrender import Observation
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import find
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import ELLIPSE, corners, path_data, polygon, regions, rings


def area(ring: Doubles) -> float:
    x, y = ring.T
    return 0.5 * abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()))


def test_the_three_primitives_tell_their_outlines_exactly() -> None:
    at = {"position": (50.0, 40.0), "half": (20.0, 10.0), "degrees": 0.0}
    assert path_data(find("circle").path(20, 10), **at) == "M 70 40 A 20 10 0 0 1 30 40 A 20 10 0 0 1 70 40 Z"
    assert path_data(find("square").path(20, 10), **at) == "M 30 30 L 70 30 L 70 50 L 30 50 Z"
    assert path_data(find("triangle").path(20, 10), **at) == "M 50 30 L 67.3205 45 L 32.6795 45 Z"


def test_a_turned_path_is_told_in_pixels_of_the_picture() -> None:
    assert Observation("square", (10, 10), (4, 2), 90.0).path == "M 11 8 L 11 12 L 9 12 L 9 8 Z"
    wheels = [Observation("circle", (x, 5), (2, 2)) for x in (3, 9)]
    assert Observation("cart", (6, 5), (8, 2), parts=wheels).path.count("Z") == 2


@pytest.mark.parametrize("name", ["circle", "square", "triangle"])
def test_a_traced_outline_is_that_of_the_field(name: str) -> None:
    exact = find(name)
    (told,), (traced,) = (rings(own.path(20, 9), 20, 9) for own in (exact, replace(exact, outline=None)))
    assert area(traced) == pytest.approx(area(told), rel=2e-3)
    assert len(traced) < 200


def bent(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """An open line through points (x, y) of its form."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            signed[i, j] = 1e30
            for k in range(own.shape[1] // 2 - 1):
                x0, y0 = own[i, 2 * k] * a[i], own[i, 2 * k + 1] * b[i]
                ex, ey = own[i, 2 * k + 2] * a[i] - x0, own[i, 2 * k + 3] * b[i] - y0
                along = ((x[i, j] - x0) * ex + (y[i, j] - y0) * ey) / (ex * ex + ey * ey)
                along = min(max(along, 0.0), 1.0)
                dx, dy = x[i, j] - x0 - along * ex, y[i, j] - y0 - along * ey
                off = math.sqrt(dx * dx + dy * dy)
                if off < signed[i, j]:
                    signed[i, j] = off
                    nx[i, j], ny[i, j] = dx / max(off, 1e-12), dy / max(off, 1e-12)


def test_of_an_open_line_the_centre_line_is_traced() -> None:
    line = Primitive("bent", bent, Symmetry(), closed=False)
    path = line.path(20, 10, (-1.0, -1.0, 0.0, 1.0, 1.0, -0.5))
    assert path[-1][0] == "L", "it does not close"
    (points,) = rings(path, 20, 10)
    ends = sorted(map(tuple, points[[0, -1]].tolist()))
    assert np.allclose(ends, [(-20, -10), (20, -5)], atol=0.2)
    assert np.abs(points - (0, 10)).sum(1).min() < 0.5, "it goes through the bend"


def test_holes_belong_to_what_is_around_them() -> None:
    squares = [polygon(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side) for side in (4, 3, 2, 1)]
    nested = [rings(path, 1, 1)[0] for path in squares]
    assert [[len(ring) for ring in region] for region in regions(nested)] == [[4, 4], [4, 4]]


def test_what_has_corners_only_says_so() -> None:
    assert corners(ELLIPSE) is None
    assert corners(polygon([(0, 0), (1, 0), (1, 1)])) == [(0, 0), (1, 0), (1, 1)]
    curve = (("M", (0.0, 0.0)), ("C", (0.0, 1.0, 1.0, 1.0, 1.0, 0.0)))
    assert corners(curve) is None
    (points,) = rings(curve, 10, 10)
    assert points[:, 1].max() == pytest.approx(7.5, abs=0.05)

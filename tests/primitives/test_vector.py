"""Vector forms: exact where a primitive tells its own, traced from its field where it does not."""

import math
from dataclasses import replace

import numpy as np
import pytest

from unrender import Observation, Scene
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
    assert path_data(find("triangle").path(20, 10), **at) == "M 50 30 L 67.32 45 L 32.68 45 Z"


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


def test_every_kind_says_where_it_runs_in_pixels() -> None:
    line = {"filled": 0.0, "thickness": 0.1}
    corner = (0.0, -1.0, -1.0, 0.0, 1.0, -1.0, 8.0, 1.0, 1.0)
    told = {
        "edge": Observation("edge", (6.5, 4.0), (7.0, 2.0), 0.0, {"cap": 0.0}),
        "round edge": Observation("edge", (6.5, 4.0), (7.0, 2.0), 0.0, {"cap": 1.0}),
        "arc": Observation("arc", (10.0, 10.0), (12.0, 12.0), 90.0, line | {"start": 0.0, "sweep": 0.25}),
        "open": Observation("path", (10.0, 10.0), (4.0, 6.0), 0.0, line, form=corner),
        "closed": Observation(
            "path", (10.0, 10.0), (4.0, 6.0), 0.0, line, form=(*corner[:6], 4.0, *corner[7:])
        ),
        "round": Observation("square", (10.0, 10.0), (8.0, 4.0), 0.0, {"corner": 0.5}),
    }
    assert {name: node.path for name, node in told.items()} == {
        "edge": "M 3 4 L 10 4",
        "round edge": "M 4 4 L 9 4",
        "arc": "M 10 16 A 6 6 0 0 1 4 10",
        "open": "M 8 7 L 12 7 L 12 13",
        "closed": "M 8 7 L 12 7 L 12 13 Z",
        "round": "M 7 8 L 13 8 A 1 1 0 0 1 14 9 L 14 11 A 1 1 0 0 1 13 12 L 7 12 A 1 1 0 0 1 6 11 L 6 9 "
        "A 1 1 0 0 1 7 8 Z",
    }


def test_an_open_line_is_never_painted_inside() -> None:
    looks = {"red": 1.0, "green": 1.0, "blue": 1.0, "filled": 1.0, "thickness": 0.1}
    corner = (0.0, -1.0, -1.0, 0.0, 1.0, -1.0, 8.0, 1.0, 1.0)
    bent = Observation("path", (20.0, 20.0), (30.0, 30.0), 0.0, looks, form=corner)
    closed = Observation("path", (20.0, 20.0), (30.0, 30.0), 0.0, looks, form=(*corner[:6], 4.0, *corner[7:]))
    assert Scene(40, 40, [bent]).image[15, 25].tolist() == [0, 0, 0]
    assert Scene(40, 40, [closed]).image[15, 25].tolist() == [255, 255, 255]


def test_an_open_corner_and_a_triangle_are_not_the_same_form() -> None:
    corner = (0.0, -1.0, -1.0, 0.0, 1.0, -1.0, 8.0, 1.0, 1.0)
    _, bits = find("path").align(corner, (*corner[:6], 4.0, *corner[7:]), (30.0, 30.0), (30.0, 30.0))
    assert bits > 4

"""The embedding: drawings of one thing point the same way, wherever and however large they are drawn."""

from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from unrender.matching.drawing import Drawing
from unrender.matching.embedding import DIRECTIONS, FILE, SIDE, learned_embedding, raster
from unrender.matching.lines import Line
from unrender.matching.people import learned

CORNERS = {"ell": [(0, 0), (0, 2), (1, 2)], "zed": [(0, 0), (1, 0), (0, 2), (1, 2)], "bar": [(0, 0), (0, 2)]}


def drawn(name: str, bend: float = 0.0, scale: float = 20.0) -> Drawing:
    """A zigzag with some points on each side, sheared and curved by as much as `bend` says."""
    corners = np.array(CORNERS[name], float)
    points = np.concatenate([np.linspace(a, b, 12) for a, b in pairwise(corners)])
    points = points @ np.array([[1, bend], [bend / 2, 1]]) + bend * np.sin(2 * points[:, ::-1])
    return Drawing.of([Line(scale * points + 7)], learned(), learned_embedding())


def alike(one: Drawing, other: Drawing) -> float:
    return float(one.vector @ other.vector)


def test_the_same_by_another_hand_is_nearer_than_all_others() -> None:
    for name in CORNERS:
        same = alike(drawn(name), drawn(name, 0.15))
        assert same > 0.7
        assert all(same > alike(drawn(other), drawn(name, 0.15)) + 0.1 for other in CORNERS if other != name)


def test_place_and_size_do_not_count() -> None:
    assert alike(drawn("zed"), drawn("zed", scale=55.0)) > 0.95  # corners are cut by a few pixels
    assert np.linalg.norm(drawn("zed").vector) == pytest.approx(1, abs=1e-3)


def test_the_raster_holds_all_lines_by_their_directions() -> None:
    points: NDArray[np.float32] = np.stack([np.linspace(-1, 1, 80), np.zeros(80)]).astype(np.float32)
    level = np.stack([np.ones(80), np.zeros(80)]).astype(np.float32)
    cells = raster(points, level, np.zeros(80, np.float32), 2.0)
    assert cells.shape == (DIRECTIONS + 1, SIDE, SIDE)
    assert cells[0].sum() > 0.6 * cells.sum()  # level lines have the first channel, their neighbours a little
    assert cells[2].sum() == pytest.approx(0, abs=1e-6)
    turned = raster(points[::-1], level[::-1], np.zeros(80, np.float32), 2.0)
    assert np.allclose(turned[2], cells[0].T, atol=1e-5)


def test_the_network_is_small() -> None:
    assert len(files("unrender.matching").joinpath(FILE).read_bytes()) < 300_000

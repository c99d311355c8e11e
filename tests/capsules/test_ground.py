"""The background: one colour, a slow change of colours, or whatever is there."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from unrender.capsules.ground import _medians, estimate_ground
from unrender.capsules.patches import Patch

Floats = NDArray[np.float32]
ROWS, COLUMNS = np.mgrid[0:80, 0:100].astype(np.float32)
COVER = Patch(20, 30, 1, np.ones((30, 40), np.float32))
ZERO = np.zeros(3, np.float32)


def covered(ground: Floats, noise: float = 0.0) -> Floats:
    """The ground with noise, and a blue shape before it."""
    rng = np.random.default_rng(1)
    picture = (ground + noise * rng.normal(size=ground.shape)).clip(0, 1).astype(np.float32)
    picture[COVER.window] = (0.1, 0.2, 0.9)
    return picture


@pytest.mark.parametrize("noise", [0.0, 0.05])
@pytest.mark.parametrize("colour", [(0.4, 0.7, 0.2), (0.0, 0.0, 0.0)])
def test_one_colour_is_found_behind_what_stands_before_it(
    colour: tuple[float, float, float], noise: float
) -> None:
    ground = np.broadcast_to(np.array(colour, np.float32), (80, 100, 3))
    found = estimate_ground(covered(ground, noise), [COVER], noise)
    assert found.dtype == np.float32
    assert found == pytest.approx(ground, abs=0.001 + 0.1 * noise)


def test_a_slow_change_goes_on_behind_what_stands_before_it() -> None:
    ground = np.stack([0.2 + ROWS / 200, 0.9 - COLUMNS / 150, 0.5 + (COLUMNS / 200) ** 2], -1)
    found = estimate_ground(covered(ground), [COVER], 0.0)
    assert found == pytest.approx(ground, abs=0.01)


def test_a_texture_stays_as_it_is_where_it_shows() -> None:
    ground = np.stack([0.5 + 0.4 * np.sin(ROWS / 5) * np.cos(COLUMNS / 7)] * 3, -1)
    found = estimate_ground(covered(ground), [COVER], 0.0)
    assert np.abs(found - ground)[:10].mean() < 0.02
    assert np.abs(found[COVER.window] - (0.1, 0.2, 0.9)).mean() > 0.2


@pytest.mark.parametrize("count", [1, 2, 5, 100, 999])
@pytest.mark.parametrize("digits", [1, 3, 7])
def test_medians_are_those_of_all_that_is_near(count: int, digits: int) -> None:
    rng = np.random.default_rng(count)
    values = rng.random((count, 3)).round(digits).astype(np.float32)
    assert _medians(values, ZERO, np.inf) == pytest.approx(np.median(values, 0))
    dark = values[np.linalg.norm(values, axis=1) < 0.8]
    if len(dark):
        assert _medians(values, ZERO, 0.8) == pytest.approx(np.median(dark, 0))


def test_where_nothing_is_near_the_mean_stays_and_odd_values_harm_nothing() -> None:
    far = np.ones((4, 3), np.float32)
    assert _medians(far, ZERO, 0.1) == pytest.approx(ZERO)
    odd = np.array([[-3, 0.5, 7], [-2, 0.5, 8], [-1, 0.5, 9]], np.float32)
    assert _medians(odd, ZERO, np.inf) == pytest.approx([-2, 0.5, 8])

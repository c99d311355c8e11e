"""What is done to every pixel of a canvas, against the same written with whole arrays."""

import numpy as np
import pytest
from scipy.ndimage import uniform_filter

from unrender.capsules.brush import gains, paint_over, plainly_off, wrongness

SCALE = 0.01


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(4)


def wrong(off: np.ndarray) -> np.ndarray:
    squared = (off**2).sum(-1)
    return squared / (squared + SCALE)


def test_gains_are_summed_by_who_is_seen(rng: np.random.Generator) -> None:
    whole, canvas = rng.random((2, 20, 30, 3), dtype=np.float32)
    alpha, paint = rng.random((9, 13), dtype=np.float32), rng.random(3, dtype=np.float32)
    owners = rng.integers(-1, 3, (20, 30)).astype(np.int32)
    sums = gains(whole, canvas, owners, (1, 3, 2), alpha, paint, SCALE)
    picture, painted, owner = (a[1:19:2, 3:29:2] for a in (whole, canvas, owners))
    drawn = painted + alpha[..., None] * (paint - painted)
    better = alpha * (wrong(picture - painted) - wrong(picture - drawn))
    change = wrong(drawn - painted)
    for who in range(-1, 3):
        here = (owner == who) & (alpha > 0.3)
        expected = [
            better[here].sum(),
            (alpha * change)[here].sum(),
            alpha[here].sum(),
            alpha[here & (change > 0.3)].sum(),
        ]
        assert sums[who + 1] == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_what_lies_in_front_is_not_painted_over(rng: np.random.Generator) -> None:
    canvas, alpha = rng.random((9, 9, 3), dtype=np.float32), rng.random((6, 5), dtype=np.float32)
    paint = rng.random(3, dtype=np.float32)
    owners = rng.integers(-1, 3, (9, 9)).astype(np.int32)
    painted, owner = canvas[2:8, 3:8], owners[2:8, 3:8]
    before, whose = painted.copy(), owner.copy()
    paint_over(canvas, owners, (2, 3, 1), alpha, paint, 7, np.array([0, 2]))
    front = np.isin(whose, [0, 2])
    assert (painted[front] == before[front]).all()
    assert (owner[front] == whose[front]).all()
    over = before + alpha[..., None] * (paint - before)
    assert painted[~front] == pytest.approx(over[~front], abs=1e-6)
    assert ((owner == 7) == ((alpha > 0.5) & ~front)).all()


def test_off_is_what_differs_over_nine_pixels(rng: np.random.Generator) -> None:
    picture, painted = rng.random((2, 20, 17, 3), dtype=np.float32)
    out = np.empty((20, 17), np.bool_)
    plainly_off(picture, painted, 0.02, out)
    mean = uniform_filter((picture - painted).astype(np.float64), (3, 3, 0))
    expected = (mean**2).sum(-1) > 0.02
    expected[[0, -1]] = expected[:, [0, -1]] = False
    assert (out == expected).all()
    assert 0.1 < out.mean() < 0.9


def test_wrongness_counts_pixels(rng: np.random.Generator) -> None:
    picture, painted = rng.random((2, 8, 9, 3), dtype=np.float32)
    assert wrongness(picture, painted, SCALE) == pytest.approx(wrong(picture - painted).sum(), rel=1e-5)
    assert wrongness(picture, picture, SCALE) == 0

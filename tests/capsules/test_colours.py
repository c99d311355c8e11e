"""Colours of ground, stroke and inside, and the small systems behind them."""

import numpy as np
import pytest

from unrender.capsules.cholesky import cholesky
from unrender.capsules.colours import COLOURS, depart, solve_colours
from unrender.capsules.outline import ACROSS, RAYS, SAMPLES


def test_a_system_is_solved_from_its_lower_half() -> None:
    rng = np.random.default_rng(0)
    root = rng.normal(size=(6, 6))
    matrix, right = root @ root.T + np.eye(6), rng.normal(size=(6, 2))
    expected, solved = np.linalg.solve(matrix, right), right.copy()
    cholesky(np.tril(matrix), solved)
    assert solved == pytest.approx(expected)


def drawn() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Samples of three coats on a ground, their colours, and what they look like."""
    rng = np.random.default_rng(1)
    share = rng.dirichlet([1, 1, 1], SAMPLES).astype(np.float32)
    across = rng.uniform(-1, 1, (2, SAMPLES)).astype(np.float32)
    basis = np.stack(
        [share[:, 0], share[:, 0] * across[0], share[:, 0] * across[1], share[:, 1], share[:, 2]]
    )
    colours = np.array([[0.4, 0.5, 0.6], [0.1, 0, 0], [0, -0.1, 0], [0.9, 0.1, 0.2], [0.1, 0.8, 0.3]])
    return basis, colours.astype(np.float32), (colours.T @ basis).astype(np.float32)


def test_colours_are_found_again_among_samples_that_lie() -> None:
    basis, colours, values = drawn()
    values[:, ::9] = 1 - values[:, ::9]
    residual, found = values.copy(), np.empty((COLOURS, 3), np.float32)
    there, weight = np.ones(SAMPLES, np.float32), np.ones(SAMPLES, np.float32)
    solve_colours(basis, residual, there, weight, found, np.float32(0), 0)
    assert found == pytest.approx(colours, abs=0.05)
    assert residual == pytest.approx(values - found.T @ basis, abs=1e-5)
    assert weight[::9].mean() < 0.6 < weight[1::9].mean()


@pytest.mark.parametrize(("towards_the_shape", "departs"), [(False, True), (True, False)])
def test_a_ray_departs_where_something_else_lies_beside_the_shape(
    towards_the_shape: bool, departs: bool
) -> None:
    toward = np.array([0.6, 0, 0], np.float32)
    strange = np.array([0.4, 0, 0] if towards_the_shape else [0, 0, 0.4], np.float32)
    signed = np.full(SAMPLES, -9, np.float32)
    signed[: ACROSS * RAYS] = np.repeat(np.arange(-5, 6), RAYS)
    residual, ground = np.zeros((3, SAMPLES), np.float32), (signed > 0).astype(np.float32)
    residual[:, 3::RAYS] = strange[:, None] * ground[3::RAYS]
    edge = np.zeros((3, RAYS), np.float32)
    there = np.ones(SAMPLES, np.float32)
    depart(there, signed, np.float32(2.4), ground, toward, np.float32(0.01), residual, edge)
    assert edge[:, 3] == pytest.approx(strange if departs else 0, abs=1e-6)
    assert not np.delete(edge, 3, 1).any()
    assert (np.abs(residual).max() < 1e-6) == departs

"""Systems of normal equations inside compiled loops."""

import subprocess
import sys

import numpy as np
import pytest

from unrender.primitives.normal_equations import solve_normal


@pytest.mark.parametrize("size", [1, 3, 7])
def test_normal_equations_are_solved_as_numpy_solves_them(size: int) -> None:
    rng = np.random.default_rng(size)
    points = rng.normal(size=(40, size))
    normal, right = points.T @ points, rng.normal(size=(size, 3))
    np.testing.assert_allclose(solve_normal(normal, right), np.linalg.solve(normal, right), rtol=1e-9)


def test_seeing_does_not_wait_for_scipy_linalg() -> None:
    program = (
        "import sys, numpy as np, unrender\n"
        "image = np.full((48, 48, 3), 255, np.uint8)\n"
        "image[10:30, 12:40] = 40, 90, 200\n"
        "assert len(unrender.open().see(image).axioms) == 1\n"
        "print('scipy.linalg' in sys.modules)\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "False"

"""Small systems of linear equations, compiled."""

from __future__ import annotations

from math import sqrt

from unrender.capsules.geometry import Floats
from unrender.graphics.compiled import compiled


@compiled
def cholesky(matrix: Floats, right: Floats) -> None:
    """Solve in place for a positive definite matrix, of which only the lower half is given."""
    size = len(matrix)
    for i in range(size):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = total / matrix[j, j] if j < i else sqrt(max(total, 1e-12))
    for c in range(right.shape[1]):
        for i in range(size):
            for k in range(i):
                right[i, c] -= matrix[i, k] * right[k, c]
            right[i, c] /= matrix[i, i]
        for i in range(size - 1, -1, -1):
            for k in range(i + 1, size):
                right[i, c] -= matrix[k, i] * right[k, c]
            right[i, c] /= matrix[i, i]

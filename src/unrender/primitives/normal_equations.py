"""Small systems of normal equations, solved inside compiled loops.

Compiled `np.linalg.solve` would make every process that sees a picture import scipy.linalg for LAPACK, which
takes longer than a small picture.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled

Doubles = NDArray[np.float64]


@compiled
def solve_normal(normal: Doubles, right: Doubles) -> Doubles:
    """x (n, m) with normal x = right, by elimination without pivots: normal (n, n) is symmetric and positive
    definite, which its caller sees to by adding a little to its diagonal. right: (n, m)."""
    n, m = right.shape
    a, x = normal.copy(), right.copy()
    for k in range(n):
        for i in range(k + 1, n):
            share = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= share * a[k, j]
            for c in range(m):
                x[i, c] -= share * x[k, c]
    for k in range(n - 1, -1, -1):
        for c in range(m):
            value = x[k, c]
            for j in range(k + 1, n):
                value -= a[k, j] * x[j, c]
            x[k, c] = value / a[k, k]
    return x

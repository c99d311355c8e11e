"""How the parts of a whole change with its own attributes, as far as a few examples tell.

An attribute of its own is one that a whole does not have from its parts: how damaged a ship is. What lies
between two examples is taken to lie on the line between them, what lies past the last one on the line
beyond it, and the effects of two attributes to add up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unrender.capsules.poses import Floats

APART = 0.15  # examples of one attribute whose values differ by less do not bend the line
STIFF = 0.02  # how much a bend costs


@dataclass(frozen=True)
class Variation:
    """Lines with bends: values (..., K) for own attributes (..., N)."""

    bends: tuple[Floats, ...]  # per attribute, the values at which its line bends
    coefficients: Floats  # (C, K)

    @classmethod
    def of(cls, own: Floats, values: Floats) -> Variation:
        """The lines nearest to examples (E, N) and (E, K); without attributes, the mean."""
        bends = tuple(_bends(column) for column in own.T)
        basis = _basis(own, bends)
        plain = 1 + own.shape[1]
        cost = np.diag([0.0] * plain + [STIFF] * (basis.shape[1] - plain))
        square = basis.T @ basis + cost
        return cls(bends, np.linalg.pinv(square, hermitian=True) @ (basis.T @ values))

    def __call__(self, own: Floats) -> Floats:
        out: Floats = _basis(own, self.bends) @ self.coefficients
        return out


def _bends(values: Floats) -> Floats:
    """The known values between 0 and the largest, those that are close to another one left out."""
    kept = [0.0]
    for value in np.unique(values):
        if value - kept[-1] >= APART:
            kept.append(float(value))
    return np.array(kept[1:-1])


def _basis(own: Floats, bends: tuple[Floats, ...]) -> Floats:
    """(..., C): 1, each attribute, and by how much each has passed each of its bends."""
    columns = [np.ones_like(own[..., :1]) if own.shape[-1] else np.ones((*own.shape[:-1], 1)), own]
    for k, at in enumerate(bends):
        columns.append(np.maximum(own[..., k : k + 1] - at, 0.0))
    return np.concatenate(columns, axis=-1)

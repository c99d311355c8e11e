"""Counting, for every benchmark: which find is which of the things that are there, and how many fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

NEAR = 0.25  # of its size: how far a find may be from what is there to be it
Spot = tuple[str, tuple[float, float]]
"""What it is called, and its centre in px."""


@dataclass
class Counts:
    """What is there, what was found, and how much of it fits; `+=` adds up, in whatever builds on it too."""

    true: int = 0
    found: int = 0
    matched: int = 0

    def __iadd__(self, other: Self) -> Self:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    @property
    def precision(self) -> float:
        return self.matched / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.matched / self.true if self.true else 1.0

    @property
    def f1(self) -> float:
        return 2 * self.matched / (self.true + self.found) if self.true + self.found else 1.0


def paired(truth: Sequence[Spot], found: Sequence[Spot], sizes: Sequence[float]) -> list[tuple[int, int]]:
    """(index in truth, index in found): one to one, as many as possible, then as close as possible.

    A pair has the same name, and its centres are at most NEAR of the true one's size (px) apart.
    """
    from scipy.optimize import linear_sum_assignment

    far = 1e6
    cost = np.full((len(truth), len(found)), far)
    for i, ((name, place), size) in enumerate(zip(truth, sizes, strict=True)):
        for j, (other, there) in enumerate(found):
            share = math.dist(place, there) / size
            if name == other and share <= NEAR:
                cost[i, j] = share
    rows, columns = linear_sum_assignment(cost)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if cost[i, j] < far]


def median(values: Sequence[float]) -> float:
    """NaN for no values."""
    return float(np.median(values)) if len(values) else math.nan


def mean(values: Sequence[float]) -> float:
    """NaN for no values."""
    return float(np.mean(values)) if len(values) else math.nan

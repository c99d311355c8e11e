"""People: how the drawings of one thing by several people differ, learned from alphabets drawn by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

TERMS = (
    "coverage", "warp", "scale", "rotation", "stretch", "shear",
    "distance", "direction", "context", "misfit", "tears", "ends", "length", "look", "common",
)  # fmt: skip
"""What a match costs, term by term; `match.py` says how each is measured."""


@dataclass(frozen=True)
class People:
    """The deformations that people make, and what the terms of a match are worth.

    Lengths are in units of a drawing's radius, the root mean square distance of its points from their mean.
    """

    shift: float  # standard deviation of the position
    linear: float  # of each entry of the linear part
    scales: tuple[float, ...]  # correlation lengths of the smooth fields
    amplitudes: tuple[float, ...]  # their standard deviations
    weights: Mapping[str, float]  # log odds for each unit of a term
    bias: float  # log odds that two drawings show the same if all terms are 0

    def log_odds(self, terms: NDArray[np.float64]) -> NDArray[np.float64]:
        """(...): that two drawings show the same, given the terms (..., T) of their match."""
        weights = np.array([self.weights.get(name, 0.0) for name in TERMS])
        found: NDArray[np.float64] = self.bias - terms @ weights
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "shift": self.shift,
            "linear": self.linear,
            "scales": list(self.scales),
            "amplitudes": list(self.amplitudes),
            "weights": dict(self.weights),
            "bias": self.bias,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> People:
        def several(values: Sequence[float]) -> tuple[float, ...]:
            return tuple(float(value) for value in values)

        weights = {str(name): float(value) for name, value in data["weights"].items()}
        scales, amplitudes = several(data["scales"]), several(data["amplitudes"])
        shift, linear, bias = (float(data[name]) for name in ("shift", "linear", "bias"))
        return cls(shift, linear, scales, amplitudes, weights, bias)


@cache
def learned() -> People:
    """As it was learned from Omniglot; `people.json` is its card too."""
    text = files("unrender.matching").joinpath("people.json").read_text("utf-8")
    return People.from_dict(json.loads(text)["people"])

"""People: how the drawings of one thing by several people differ, learned from alphabets drawn by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class People:
    """The deformations that people make.

    Lengths are in units of a drawing's radius, the root mean square distance of its points from their mean.
    """

    shift: float  # standard deviation of the position
    linear: float  # of each entry of the linear part
    scales: tuple[float, ...]  # correlation lengths of the smooth fields
    amplitudes: tuple[float, ...]  # their standard deviations

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "shift": self.shift,
            "linear": self.linear,
            "scales": list(self.scales),
            "amplitudes": list(self.amplitudes),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> People:
        def several(values: Sequence[float]) -> tuple[float, ...]:
            return tuple(float(value) for value in values)

        scales, amplitudes = several(data["scales"]), several(data["amplitudes"])
        shift, linear = (float(data[name]) for name in ("shift", "linear"))
        return cls(shift, linear, scales, amplitudes)


@cache
def learned() -> People:
    """As it was learned from Omniglot; `people.json` is its card too."""
    text = files("unrender.matching").joinpath("people.json").read_text("utf-8")
    return People.from_dict(json.loads(text)["people"])

"""The residual: what of a picture no shape explains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.scene import reading

TOLD = 0.1  # a residual of a larger share is worth a sentence
_SHARES = {
    0.1: "a tenth",
    0.2: "a fifth",
    0.25: "a quarter",
    0.33: "a third",
    0.4: "two fifths",
    0.5: "half",
    0.6: "three fifths",
    0.67: "two thirds",
    0.75: "three quarters",
    0.9: "nearly all",
    1.0: "all",
}


@dataclass(frozen=True, eq=False)
class Residual:
    """Pixels unlike the background that no shape explains. Set by whoever sees."""

    mask: NDArray[np.bool_]  # HxW
    share: float = 0.0  # of all pixels unlike the background; 0 if there are none

    @classmethod
    def none(cls, width: int, height: int) -> Residual:
        """Of a picture that is explained."""
        return cls(np.zeros((height, width), bool))

    def describe(self) -> str:
        """One sentence where the share is above a tenth; else ""."""
        if self.share <= TOLD:
            return ""
        nearest = min(_SHARES, key=lambda known: abs(known - self.share))
        return f"{_SHARES[nearest].capitalize()} of the picture is not understood."

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: the share, and the mask as a PNG in base64 if there is anything in it."""
        mask = reading.png(self.mask.astype(np.uint8) * 255) if self.mask.any() else None
        return {"share": self.share, "mask": mask}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any] | None, width: int, height: int) -> Residual:
        """What `to_dict` wrote; of files that have none, nothing."""
        if data is None:
            return cls.none(width, height)
        share, mask = reading.number(data["share"]), data.get("mask")
        if not 0 <= share <= 1:
            raise ValueError(f"the share of the residual is {share:g}, not between 0 and 1")
        if mask is None:
            return cls(np.zeros((height, width), bool), share)
        return cls(reading.picture(mask, width, height, "residual")[..., 0] > 127, share)

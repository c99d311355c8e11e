"""Quantile functions Q_j: a uniform number in [0, 1] becomes the value of one attribute.

They say which pictures a primitive capsule is trained on ("Training Primitive Capsules").
Two of them speak of the whole box: `extent` is √(width · height) in px, `aspect` width / height. `bordered`
says whether a filled shape has a stroke too, `mitred` whether the corners of a stroke are mitred.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from unrender.primitives.protocol import Doubles, Primitive

Quantile = Callable[[Doubles], Doubles]


def uniform(low: float, high: float) -> Quantile:
    """Evenly between `low` and `high`."""
    return lambda u: low + u * (high - low)


def log_uniform(low: float, high: float) -> Quantile:
    """Evenly in the logarithm: as many between 1 and 2 as between 2 and 4."""
    return lambda u: low * np.exp(u * math.log(high / low))


def mostly(value: float, share: float, otherwise: Quantile) -> Quantile:
    """`value` for a `share` of the samples, `otherwise` for the rest."""
    return lambda u: np.where(u < share, value, otherwise((u - share) / (1 - share)))


def chance(share: float) -> Quantile:
    """1 for a `share` of the samples, 0 for the rest."""
    return lambda u: (u < share).astype(float)


DEFAULT_QUANTILES: dict[str, Quantile] = {
    "extent": log_uniform(6.5, 17.0),  # at the pyramid level that sees it
    "aspect": mostly(1.0, 0.25, log_uniform(0.4, 2.5)),
    "rotation": uniform(-180.0, 180.0),
    "red": uniform(0.0, 1.0),
    "green": uniform(0.0, 1.0),
    "blue": uniform(0.0, 1.0),
    "filled": chance(0.5),
    "bordered": chance(0.25),
    "mitred": chance(0.5),
    "thickness": log_uniform(0.035, 0.28),
}


def quantile(primitive: Primitive, name: str) -> Quantile:
    """Q_j of one attribute: `name`, or an own parameter, which may have any of its values."""
    if name == "aspect" and primitive.rigid:
        return uniform(1.0, 1.0)
    if name == "aspect" and primitive.aspects is not None:
        return log_uniform(*primitive.aspects)
    if name == "filled" and not primitive.closed:
        return chance(0.0)
    found = DEFAULT_QUANTILES.get(name)
    if found is None:
        attribute = primitive.symbol.attribute(name)
        return uniform(attribute.low, attribute.high)
    return found

"""Attributes: the set A of the grammar G = (S, V, Σ, R, A, C)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from unrender.errors import UnrenderError
from unrender.names import composed


class Role(StrEnum):
    """How an attribute is read in a sentence (the paper's lexical interpretation)."""

    PREPOSITION = "preposition"  # position, size, rotation: "left of", "on", "near"
    ADJECTIVE = "adjective"  # "red", "wooden"; the value is the adverb
    VERB = "verb"  # changes over time: "walk"; the value is the phase of the animation


@dataclass(frozen=True)
class Attribute:
    """One named number of a symbol.

    `low` and `high` bound the value; `period` is set for angles, whose values wrap around instead.
    `default` is what a part gets when neither its rule nor its parent says anything.
    """

    name: str
    role: Role = Role.ADJECTIVE
    low: float = 0.0
    high: float = 1.0
    period: float | None = None
    default: float = 0.0
    optional: bool = False  # told only where it is not the default; wholes have it if a part tells it

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", composed(self.name))

    def check(self, value: float, owner: str) -> float:
        """Return `value` as a float (angles wrapped), or say in one sentence what is wrong with it."""
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise UnrenderError(
                f'The attribute "{self.name}" of [{owner}] must be a number, not {value!r}.'
            ) from None
        if not math.isfinite(number):
            raise UnrenderError(f'The attribute "{self.name}" of [{owner}] must be finite, not {number}.')
        if self.period is not None:
            return math.remainder(number, self.period)
        if not self.low <= number <= self.high:
            raise UnrenderError(
                f'The attribute "{self.name}" of [{owner}] must lie between '
                f"{self.low:g} and {self.high:g}, not {number:g}."
            )
        return number


FAR = 1e6
"""Pixels. No position or size reaches further: larger values are a mistake and lose all precision."""

POSE = (
    Attribute("x", Role.PREPOSITION, -FAR, FAR),
    Attribute("y", Role.PREPOSITION, -FAR, FAR),
    Attribute("width", Role.PREPOSITION, 1e-3, FAR, default=1.0),
    Attribute("height", Role.PREPOSITION, 1e-3, FAR, default=1.0),
    Attribute("rotation", Role.PREPOSITION, -180.0, 180.0, period=360.0),
)
"""Where a symbol stands: centre (px), box before rotation (px), degrees clockwise on the screen."""

STYLE = (
    Attribute("red"),
    Attribute("green"),
    Attribute("blue"),
    Attribute("stroke_red"),
    Attribute("stroke_green"),
    Attribute("stroke_blue"),
    Attribute("filled", default=1.0),
    Attribute("thickness"),
)
"""What every primitive looks like: the colour of its inside, as far as that is `filled`, and of its stroke,
which is centred on the outline. `thickness` is the stroke's width divided by min(width, height)."""

DASHES = (Attribute("dash", default=1.0, optional=True), Attribute("period", default=1.0, optional=True))
"""Of every stroke: the painted share of each period (1 is solid), and a period's share of its length."""

POSE_NAMES = tuple(a.name for a in POSE)
DASH_NAMES = tuple(a.name for a in DASHES)
STYLE_NAMES = tuple(a.name for a in STYLE)
COLOUR_NAMES = STYLE_NAMES[:3]
STROKE_NAMES = STYLE_NAMES[3:6]


SAME_COLOUR = 0.02  # of a channel: colours that differ by less are one


def one_colour(values: Mapping[str, float]) -> bool:
    """Whether inside and stroke have the same colour, as far as both are told."""
    pairs = zip(COLOUR_NAMES, STROKE_NAMES, strict=True)
    return all(
        abs(values[name] - values[own]) <= SAME_COLOUR
        for name, own in pairs
        if name in values and own in values
    )


def both_colours(values: Mapping[str, float]) -> dict[str, float]:
    """The same values; of two colours, inside and stroke, one that nobody gave is that of the other."""
    found = dict(values)
    for given, other in ((COLOUR_NAMES, STROKE_NAMES), (STROKE_NAMES, COLOUR_NAMES)):
        if any(name in values for name in given) and not any(name in values for name in other):
            found |= {own: found[name] for name, own in zip(given, other, strict=True) if name in found}
    return found

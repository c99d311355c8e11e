"""What differs from what was expected, and how much, in words."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from unrender.grammar.attribute import STROKE_NAMES
from unrender.scene.language.colours import colour
from unrender.scene.language.words import RGB, SAID, adjective, adverb, doing, is_verb, noun, participle

NOTHING = 1e-6  # as telling as this is no difference
SLIGHT, MUCH = 0.15, 0.4  # how telling a difference must be to be more than slight, and to be much

_LENGTHS = {"size": ("larger", "smaller"), "width": ("wider", "narrower"), "height": ("taller", "shorter")}
_SIDES = {"x": ("right", "left"), "y": ("down", "up")}
POSE = ("position", "rotation", *_LENGTHS, *_SIDES)
"""Attributes of a pose; all others are styles."""


@dataclass(frozen=True)
class Difference:
    """One attribute of an object, or of one of its parts, that is not as expected.

    Styles are in [0, 1], "rotation" is in degrees, "size" (also "width", "height") in any unit of length,
    "position" (also "x", "y") in shares of the object's size; of "position" only the distance counts.
    """

    attribute: str
    seen: float
    expected: float
    part: str | None = None  # "second circle"; None for the object as a whole

    @property
    def telling(self) -> float:
        """How much it matters: 1 is as different as styles can be."""
        if self.attribute in _LENGTHS:
            return abs(math.log(max(self.seen, 1e-9) / max(self.expected, 1e-9)))
        return abs(self.change) / (90 if self.attribute == "rotation" else 1)

    @property
    def change(self) -> float:
        """From the expected value to the seen one; angles the shorter way round."""
        change = self.seen - self.expected
        return math.remainder(change, 360) if self.attribute == "rotation" else change


@dataclass(frozen=True)
class Change:
    """A difference in words, to be said after "is" or "sits"."""

    part: str | None
    telling: float
    verb: str  # "is", "sits"
    text: str
    instead: bool = False  # whether it takes the place of something else


def changes(differences: Sequence[Difference], verbs: Collection[str] = ()) -> list[Change]:
    """All that truly differs, the most telling first; red, green and blue of one thing are one colour."""
    found = []
    for part in dict.fromkeys(difference.part for difference in differences):
        mine = {one.attribute: one for one in differences if one.part == part}
        channels = [mine.pop(name) for name in RGB if name in mine]
        if any(one.telling > NOTHING for one in channels):
            found.append(_recoloured(part, channels))
        stroke = [mine.pop(name) for name in STROKE_NAMES if name in mine]
        if any(one.telling > NOTHING for one in stroke) and not _alike(stroke, channels):
            found.append(_recoloured(part, stroke, "bordered in "))
        found += _worded([one for one in mine.values() if one.telling > NOTHING], verbs)
    return sorted(found, key=lambda change: -change.telling)


def _alike(some: Sequence[Difference], others: Sequence[Difference]) -> bool:
    """Whether two colours have changed in the same way."""
    return [(one.seen, one.expected) for one in some] == [(one.seen, one.expected) for one in others]


def _recoloured(part: str | None, channels: Sequence[Difference], border: str = "") -> Change:
    text = "bordered in another colour" if border else "of another colour"
    if len(channels) == len(RGB):
        seen, expected = colour(*(one.seen for one in channels)), colour(*(one.expected for one in channels))
        other = f"bordered in another {seen}" if border else f"of another {seen}"
        text = f"{border}{seen} instead of {expected}" if seen != expected else other
    return Change(part, max(one.telling for one in channels), "is", text)


def _worded(differences: Collection[Difference], verbs: Collection[str]) -> Iterator[Change]:
    for one in differences:
        verb, (text, instead) = "is", ("", False)
        if one.attribute == "position":
            verb, text = "sits", _degree(one, "a little way off", "elsewhere", "far off")
        elif one.attribute in _SIDES:
            side = f"further {_SIDES[one.attribute][one.change < 0]}"
            verb, text = "sits", _degree(one, f"slightly {side}", side, f"much {side}")
        elif one.attribute == "rotation":
            text = _turned(one.change)
        elif one.attribute in _LENGTHS:
            word = _LENGTHS[one.attribute][one.change < 0]
            text = _degree(one, f"slightly {word}", word, f"much {word}")
        else:
            text, instead = _styled(one, is_verb(one.attribute, verbs))
        yield Change(one.part, one.telling, verb, text, instead)


def _degree(one: Difference, slight: str, plain: str, much: str) -> str:
    return slight if one.telling < SLIGHT else much if one.telling > MUCH else plain


def _turned(change: float) -> str:
    """ "turned clockwise by about 30 degrees"."""
    way = "clockwise" if change > 0 else "anticlockwise"
    if abs(change) < 10:
        return f"turned slightly {way}"
    degrees = 5 * round(abs(change) / 5)
    return "upside down" if degrees == 180 else f"turned {way} by about {degrees} degrees"


def _styled(one: Difference, verb: bool) -> tuple[str, bool]:
    """The words for a style, and whether they name a new one: "very wooden", "much less metallic"."""
    if one.attribute == "filled" and (one.seen >= 0.5) != (one.expected >= 0.5):
        return adjective("filled", one.seen), True
    if one.attribute == "thickness":
        return ("more thickly outlined" if one.change > 0 else "more thinly outlined"), False
    word = participle(one.attribute) if verb else noun(one.attribute)
    if one.seen < SAID:
        return f"not {word}", False
    if one.change > 0 and adverb(one.seen) != adverb(one.expected):
        return (doing if verb else adjective)(one.attribute, one.seen), not verb
    more = "more" if one.change > 0 else "less"
    how = _degree(one, f"slightly {more}", more, f"much {more}")
    return (f"{word} {how}" if verb else f"{how} {word}"), False

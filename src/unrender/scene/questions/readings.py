"""Ways in which a sentence may be meant: an answer counts only where all of them give it.

People who ask what is near, left of or larger mean different things by it, and so do those who count circles
with or without the wheels of a car. Each `Reading` takes all such words in one way; what it changes from the
first one is something that a person may mean as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from unrender.scene.language.relations import SIDES, UPRIGHT, directly, holds, loosely
from unrender.scene.observation import Observation
from unrender.scene.outline import Outline, gap
from unrender.scene.questions.measures import ALIKE, Measure, measure, within

Holds = Callable[..., bool]  # of a word, an object and one or two others
_AXES = {
    "widest": 0,
    "wider": 0,
    "narrowest": 0,
    "narrower": 0,
    "tallest": 1,
    "taller": 1,
    "shortest": 1,
    "shorter": 1,
}
_EDGES = {"topmost": 1, "higher": 1, "lowest": 3, "lower": 3}  # the side of a box, as in `Outline.box`
_CONTACT = ("touching", "overlapping")
FAR = 5.0  # times the mean side: a gap this wide is far


@dataclass(frozen=True)
class Reading:
    """How the words are taken that have no sharp meaning."""

    sides: Holds = loosely  # what "left of" and its like want
    close: float = 1.0  # times the mean side of two objects: the gap between what is near
    touch: float | None = None  # px between what touches; None: a share of the smaller one
    parts: bool = False  # whether parts count like the objects that they belong to
    centres: bool = False  # whether distances lie between middles, not between edges
    boxes: bool = False  # whether the box of a shape counts for its size, too, not only its area
    alike: float = ALIKE  # times as large: what still has the same size
    half: float = 0.0  # of the picture: by how much the line between two halves lies aside
    mainly: bool = False  # whether a look needs most of an object: no second colour, no slight damage
    shades: bool = False  # whether the same colour means the same colours throughout
    exact: bool = False  # whether a square must be as wide as tall, and a rectangle not
    upright: bool = False  # whether width and height are those of the box, however it is turned
    dot: float = 0.1  # of the picture: how large a dot may be
    wide: bool = False  # whether "between" and "in" are taken as widely as can be
    rests: bool = False  # whether all that lies over a thing or close above it is on it
    edges: bool = False  # whether the lowest reaches furthest down, not its middle
    core: bool = False  # whether the middle of the picture is only what covers its very centre
    least: bool = False  # whether "two" means at least two, not just two
    partly: bool = False  # whether it is enough that some of an object looks like that
    resting: bool = False  # whether only parts that rest in or on others are in or on their whole
    joint: bool = False  # whether red and white ships are each both
    beyond: bool = False  # whether all that begins beyond a side of another lies on that side of it
    covered: bool = False  # whether what is covered by another is under it
    ground: bool | None = (
        None  # whether things are near to, and touch, what they lie in; None: only the latter
    )
    longer: bool = False  # whether what is near goes by the longer side of objects
    rough: float = 0.02  # share by which what is twice as long may miss it
    holding: bool = False  # whether wholes have what lies in or on them, too
    so: str = ""  # when it is taken like this, in words

    def true(self, word: str, subject: Observation, *others: Observation, loose: bool = False) -> bool:
        """Whether a relation holds; loose: whether all that lies on a side counts."""
        if self.covered and word == "under" and holds("behind", subject, *others):
            return True
        if self.beyond and loose and word in (*SIDES, *UPRIGHT) and _beyond(word, subject, *others):
            return True
        apart_only = (word == "near" and not self.ground) or (word in _CONTACT and self.ground is False)
        if apart_only and any(holds(own, subject, *others) for own in ("in", "around")):
            return False
        if word in ("near", "far from", "touching", "overlapping"):
            one, other = (Outline.of(node) for node in (subject, *others))
            mean, apart = math.sqrt(one.side * other.side), gap(one, other)
            if self.longer:
                mean = math.sqrt(max(one.extent) * max(other.extent))
            if word in ("near", "far from"):
                return apart <= self.close * mean if word == "near" else apart > self.close * FAR * mean
            if self.touch is not None:
                return apart <= self.touch if word == "touching" else apart < -self.touch
        if self.wide and word in ("between", "in", "around"):
            return _widely(word, subject, *others)
        if word in ("on", "on top of") and self.rests:
            over = any(holds(own, subject, *others) for own in (word, "in", "in front of"))
            return over or all(holds(own, subject, *others) for own in ("near", "over"))
        return (self.sides if loose else holds)(word, subject, *others)

    def within(self, count: int, sign: str, wanted: int) -> bool:
        """Whether a number is as many as is said: "exactly", "so many", "at least", ... another one."""
        return within(count, ("at least" if self.least else "exactly") if sign == "so many" else sign, wanted)

    def distance(self, one: Observation, other: Observation) -> float:
        """Pixels between two objects."""
        here, there = Outline.of(one), Outline.of(other)
        return math.dist(here.centre, there.centre) if self.centres else gap(here, there)

    def measure(self, word: str) -> tuple[Measure, int]:
        """What a superlative or comparative goes by, and whether more (1) or less (-1) of it is meant."""
        by, sign = measure(word)
        if self.boxes and word in ("largest", "smallest", "larger", "smaller"):
            return (lambda node: by(node) if node.parts else math.sqrt(by(node) * math.prod(node.size))), sign
        if self.upright and word in _AXES:
            axis = _AXES[word]
            return (lambda node: Outline.of(node).extent[axis]), sign
        if self.edges and word in _EDGES:
            side = _EDGES[word]
            return (lambda node: Outline.of(node).box[side]), sign
        return by, sign


def _beyond(word: str, subject: Observation, other: Observation) -> bool:
    """Whether an object begins where another one ends, to a side of it."""
    (left, top, right, bottom), (its_left, its_top, its_right, its_bottom) = (
        Outline.of(node).box for node in (subject, other)
    )
    return {
        "left of": right <= its_left,
        "right of": left >= its_right,
        "above": bottom <= its_top,
        "below": top >= its_bottom,
    }[UPRIGHT.get(word, word)]


def _widely(word: str, subject: Observation, *others: Observation) -> bool:
    """ "Between", "in" or "around" as widely as a person may mean it: beside the line that joins two, or with
    the middle inside."""
    if word == "between":
        a, b, c = (Outline.of(node) for node in (subject, *others))
        if all(a.side > end.side and gap(a, end) < 0 for end in (b, c)):
            return False  # the ground that both of them stand on
        here, start, end = (np.asarray(own.centre) for own in (a, b, c))
        line = end - start
        long = float(np.hypot(*line))
        if not long:
            return False
        along = float((here - start) @ line) / long**2
        across = float(np.hypot(*(here - start - along * line)))
        return loosely(word, subject, *others) or (0.2 <= along <= 0.8 and across <= long / 2)
    inner, outer = (subject, *others) if word == "in" else (*others, subject)
    (x, y), (left, top, right, bottom) = Outline.of(inner).centre, Outline.of(outer).box
    smaller = Outline.of(inner).side < Outline.of(outer).side
    return holds(word, subject, *others) or (smaller and left <= x <= right and top <= y <= bottom)


STRAIGHT = Reading(directly)
ASLANT = Reading(so="if what lies aslant counts, too")
OTHERS = (
    Reading(parts=True, so="if parts of objects count, too"),
    Reading(least=True, so="if more than that many are enough"),
    Reading(close=0.5, so="if near is only what is closer than half its size"),
    Reading(close=1.4, so="if near is also what is somewhat further away than its size"),
    Reading(touch=1.0, so="if not even a pixel may lie between what touches"),
    Reading(centres=True, so="if distances are taken from middle to middle"),
    Reading(boxes=True, so="if width and height count, too"),
    Reading(alike=1.02, so="if the same size means exactly the same"),
    Reading(mainly=True, so="if only what is mainly like that counts"),
    Reading(shades=True, so="if all their colours must be the same"),
    Reading(exact=True, so="if squares and circles must be as wide as tall, and rectangles not"),
    Reading(upright=True, so="if width and height are taken as it stands"),
    Reading(dot=0.06, so="if a dot must be very small"),
    Reading(dot=0.17, so="if a dot may be larger"),
    Reading(wide=True, so="if it is enough to lie roughly there"),
    Reading(rests=True, so="if all that lies over it or close above it is on it"),
    Reading(partly=True, so="if it is enough that some of it is like that"),
    Reading(resting=True, so="if only what rests in or on another part counts"),
    Reading(joint=True, so="if each must have all of these colours"),
    Reading(beyond=True, so="if all that begins beyond that side counts"),
    Reading(covered=True, so="if what is covered is under what covers it"),
    Reading(ground=True, so="if what something lies in is near to it"),
    Reading(ground=False, so="if what something lies in is not meant"),
    Reading(longer=True, so="if near goes by the longer sides"),
    Reading(rough=0.1, so="if it need not be exact"),
    Reading(holding=True, so="if what lies in or on something is had by it, too"),
    Reading(edges=True, so="if it counts how far up or down things reach"),
    Reading(core=True, so="if the middle is only the very centre"),
    Reading(half=0.05, so="if what lies close to the middle counts for the other side"),
    Reading(half=-0.05, so="if what lies close to the middle counts for the other side"),
)
"""The readings beside the first one in which people may mean a sentence, apart from sides."""

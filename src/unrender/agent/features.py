"""Features of a situation that tell something about its cause.

    @feature("pose only", "only position, rotation or size differ")
    def pose_only(situation): ...

Other packages add theirs by naming a module in the entry-point group `unrender.features`.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points

import numpy as np

from unrender.agent.resemblance import POSE_COLUMNS, Resemblance
from unrender.capsules.poses import POSE
from unrender.capsules.route import Entry
from unrender.errors import UnrenderError
from unrender.scene import Observation, Scene

CLEAR = 0.35  # p below which nothing is resembled
FAR = 0.3  # of the whole's mean side: what is this far from its place is elsewhere
CHANGED = 0.7  # a part of whose pose any attribute agrees less is not as it should be
FURTHEST = 4.0  # a known attribute may be taken this far


@dataclass(frozen=True)
class Situation:
    """Parts of a scene that may belong together, and what they come nearest to."""

    scene: Scene
    parts: Sequence[Observation]
    near: Resemblance | None

    @property
    def alike(self) -> Resemblance | None:
        """What they clearly resemble, part for part."""
        return self.near if self.near is not None and self.near.complete else None


Test = Callable[[Situation], bool]


@dataclass(frozen=True)
class Feature:
    """One row of the decision matrix."""

    name: str
    meaning: str  # a clause: "they have the parts of a known object"
    test: Test


_FEATURES: dict[str, Feature] = {}


def feature(name: str, meaning: str) -> Callable[[Test], Test]:
    """Register a feature."""

    def register(test: Test) -> Test:
        if name in _FEATURES:
            raise UnrenderError(f'There is a feature "{name}" already; choose another name.')
        _FEATURES[name] = Feature(name, meaning, test)
        return test

    return register


def features() -> Mapping[str, Feature]:
    """All features by name."""
    _load_others()
    return _FEATURES


@cache
def _load_others() -> None:
    for entry in entry_points(group="unrender.features"):
        importlib.import_module(entry.module)


def true_features(situation: Situation) -> list[str]:
    """The names of the features that hold."""
    return [name for name, own in features().items() if own.test(situation)]


# the features of the paper's table


@feature("same parent", "a known object has exactly these parts")
def same_parent(situation: Situation) -> bool:
    return situation.alike is not None


@feature("not the same parent", "no known object has exactly these parts")
def not_same_parent(situation: Situation) -> bool:
    return situation.alike is None


@feature("parts tracked", "they have moved together since earlier scenes")
def parts_tracked(situation: Situation) -> bool:
    tracks = situation.scene.tracks
    if tracks is None:
        return False
    return all(part.track is not None and tracks.frames(part.track) > 0 for part in situation.parts)


@feature("one attribute never seen", "one attribute differs that memory has never seen")
def one_attribute_never_seen(situation: Situation) -> bool:
    near = situation.alike
    if near is None:
        return False
    names = {own.attribute for own in near.mismatches}
    return len(names) == 1 and not names & set(POSE_COLUMNS) and near.never_seen(names.pop())


@feature("pose only", "only position, rotation or size differ")
def pose_only(situation: Situation) -> bool:
    near = situation.alike
    names = {own.attribute for own in near.mismatches} if near else set()
    return bool(names) and names <= set(POSE_COLUMNS)


@feature("more than half", "more than half of all attributes differ")
def more_than_half(situation: Situation) -> bool:
    near = situation.near
    return near is not None and len(near.mismatches) > near.attributes / 2


# ours


@feature("nothing alike", "nothing that is known comes near")
def nothing_alike(situation: Situation) -> bool:
    return situation.near is None or situation.near.p < CLEAR


@feature("a part far off", "a part stands far from where it should")
def a_part_far_off(situation: Situation) -> bool:
    near = situation.alike
    return near is not None and max(_strayed(near)) > FAR


@feature("one part changed", "one part is not as it should be, and all the others are")
def one_part_changed(situation: Situation) -> bool:
    near = situation.alike
    return near is not None and max(_strayed(near)) <= FAR and sum(_changed(near)) == 1


@feature("many parts changed", "several parts are a little off")
def many_parts_changed(situation: Situation) -> bool:
    near = situation.alike
    return near is not None and max(_strayed(near)) <= FAR and sum(_changed(near)) != 1


@feature("most parts elsewhere", "most of the parts stand elsewhere")
def most_parts_elsewhere(situation: Situation) -> bool:
    near = situation.near
    return near is not None and not near.complete and _off(near) > len(near.parts) / 2


@feature("parts too many", "a known object is there, with other parts beside it")
def parts_too_many(situation: Situation) -> bool:
    near = situation.near
    return near is not None and bool(near.extra)


@feature("a known attribute further", "a known attribute, shown more than ever, would explain it")
def known_attribute_further(situation: Situation) -> bool:
    near = situation.alike
    if near is None or not near.route.own or _off(near) == 0:
        return False
    seen = near.route.framed(Entry(tuple(near.whole.parts), near.whole), near.route.rows[0])
    for k in range(len(near.route.own)):
        own = np.zeros((41, len(near.route.own)))
        own[:, k] = np.linspace(0.0, FURTHEST, len(own))
        off = ((seen - near.route.varied(own)[1]) / near.route.widths)[..., :POSE]
        if (np.abs(off).max((1, 2)) < 1.0).any():
            return True
    return False


def _off(near: Resemblance) -> int:
    """How many parts stand elsewhere."""
    return len({id(own.part) for own in near.mismatches if own.attribute in POSE_COLUMNS})


def _strayed(near: Resemblance) -> list[float]:
    """How far each part is from its place, in units of the whole's mean side."""
    scale = math.sqrt(near.whole.size[0] * near.whole.size[1])
    pairs = zip(near.parts, near.expected, strict=True)
    return [0.0 if own is None else math.dist(own.position, place.position) / scale for own, place in pairs]


def _changed(near: Resemblance) -> list[bool]:
    """Which parts are clearly in another pose."""
    return [z is not None and float(z[:POSE].min()) < CHANGED for z in near.z]

"""Features of a situation that tell something about its cause.

    @feature("pose only", "only position, rotation or size differ")
    def pose_only(situation): ...

Other packages add theirs by naming a module in the entry-point group `unrender.features`.
"""

from __future__ import annotations

import importlib
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points

import numpy as np

from unrender.agent.resemblance import POSE_COLUMNS, Resemblance
from unrender.capsules.experience import Entry
from unrender.capsules.poses import POSE
from unrender.errors import UnrenderError
from unrender.scene import Observation, Scene

CLEAR = 0.35  # p below which nothing is resembled
CHANGED = 0.6  # a part of whose pose any attribute agrees less is not as it should be
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


@feature("parts tracked", "all of them have been tracked from earlier scenes")
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


@feature("all parts close", "every part is close to its place")
def all_parts_close(situation: Situation) -> bool:
    near = situation.alike
    return near is not None and not _one_changed(near, 0.7) and max(_strayed(near)) <= 0.1


@feature("little off", "the parts are off by little")
def little_off(situation: Situation) -> bool:
    near = situation.alike
    return near is not None and not _one_changed(near, 0.7) and near.off <= 1.0


@feature("more parts", "it has more parts than the known object")
def more_parts(situation: Situation) -> bool:
    near = situation.near
    return near is not None and len(situation.parts) > len(near.route.parts)


@feature("two parts too many", "two of its parts have no place in the known object")
def two_parts_too_many(situation: Situation) -> bool:
    near = situation.near
    return near is not None and len(near.extra) >= 2


@feature("two alike too many", "it has two more of a kind than the known object")
def two_alike_too_many(situation: Situation) -> bool:
    near = situation.near
    return near is not None and max(Counter(part.symbol for part in near.extra).values(), default=0) >= 2


@feature("a fifth more parts", "it has at least a fifth more parts than the known object")
def a_fifth_more_parts(situation: Situation) -> bool:
    near = situation.near
    return near is not None and len(situation.parts) >= 1.2 * len(near.route.parts)


@feature("another number of parts", "it has more or fewer parts than the known object")
def another_number_of_parts(situation: Situation) -> bool:
    near = situation.near
    return near is not None and len(situation.parts) != len(near.route.parts)


@feature("three parts differ", "three parts are missing or have no place in the known object")
def three_parts_differ(situation: Situation) -> bool:
    near = situation.near
    return near is not None and len(near.extra) + sum(part is None for part in near.parts) >= 3


@feature("a third does not fit", "a third of the known object is missing or elsewhere")
def a_third_does_not_fit(situation: Situation) -> bool:
    near = situation.near
    return near is not None and not near.complete and near.p < 0.65


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


# by degrees: each step is a feature of its own, so that more of a thing tells more


def _fits_less(limit: float) -> Test:
    return lambda situation: (
        (near := situation.alike) is not None and not _one_changed(near, 0.7) and near.p < limit
    )


def _strays_more(limit: float) -> Test:
    return lambda situation: (near := situation.alike) is not None and max(_strayed(near)) > limit


def _off_more(limit: float) -> Test:
    return lambda situation: (
        (near := situation.alike) is not None and not _one_changed(near, 0.7) and near.off > limit
    )


def _but_for_one(limit: float) -> Test:
    return lambda situation: (near := situation.alike) is not None and _one_changed(near, limit)


def _unexplained(limit: float) -> Test:
    return lambda situation: (
        (near := situation.alike) is not None
        and _one_changed(near, limit)
        and not known_attribute_further(situation)
    )


for _limit in (0.5, 0.7, 0.8, 0.9):
    feature(
        f"unexplained but for one, {_limit:g}",
        f"one part has changed as no known attribute would change it, and the others agree by {_limit:g}",
    )(_unexplained(_limit))
for _limit in (0.9, 0.85, 0.82, 0.79, 0.76, 0.73, 0.7):
    feature(f"fits less than {_limit:g}", f"it fits with less than {_limit:g}")(_fits_less(_limit))
for _limit in (0.1, 0.15, 0.2, 0.3):
    feature(f"strays more than {_limit:g}", f"a part is further than {_limit:g} of the size from its place")(
        _strays_more(_limit)
    )
for _limit in (1.2, 1.6, 2.0, 2.5):
    feature(f"off more than {_limit:g}", f"the parts are off by more than {_limit:g} windows")(
        _off_more(_limit)
    )
for _limit in (0.7, 0.75, 0.8, 0.85, 0.9, 0.95):
    feature(f"but for one, {_limit:g}", f"all parts but one agree by more than {_limit:g}")(
        _but_for_one(_limit)
    )


def _off(near: Resemblance) -> int:
    """How many parts stand elsewhere."""
    return len({id(own.part) for own in near.mismatches if own.attribute in POSE_COLUMNS})


def _strayed(near: Resemblance) -> list[float]:
    """How far each part is from its place, in units of the whole's mean side."""
    scale = math.sqrt(near.whole.size[0] * near.whole.size[1])
    pairs = zip(near.parts, near.expected, strict=True)
    return [0.0 if own is None else math.dist(own.position, place.position) / scale for own, place in pairs]


def _one_changed(near: Resemblance, others: float) -> bool:
    """Whether one part of several is in another pose, and all the others agree by more than `others`."""
    worst = sorted(float(z[:POSE].min()) for z in near.z if z is not None)
    return len(worst) > 3 and worst[0] < CHANGED and worst[1] > others

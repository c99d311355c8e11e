"""Evidence: how many bits a whole saves. It is there if saying it is shorter than saying its parts.

To say a part by itself takes its kind and its pose, anywhere near the others. To say it as a part of a known
whole takes only by how much it departs from what memory has seen. How exactly either is told cancels out: of
each attribute what is saved is log2 of how much likelier the whole makes it. The whole itself costs its name
and its pose, which is as much as the place, size and turn of one part; a hidden part costs that it is hidden.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unrender.capsules.experience import DEFAULT_WIDTH
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, Floats, X, Y, equal_sides, pose_of
from unrender.capsules.route import Route
from unrender.grammar.attribute import COLOUR_NAMES
from unrender.scene import Observation

KIND = 2.0  # bits that the kind of a primitive takes
NAMED = 6.0  # and the name of a part that is an object itself
RARE = 5.0  # bits: one cluster of shapes in thirty is an object that is known
HIDDEN = 5.0  # one part in thirty lies under something
GONE = 12.0  # a part that is not where it should be seen, but elsewhere or nowhere
UNREAD = 5.0  # a part that should show but was not read, where there are no pixels to tell
DRAWN = 3.0  # bits that a part saves at most which only its pixels show
ROUND = 1.0  # bits that equal sides save: every other circle is round anyway
COLOUR, ALIKE = 0.12, 12.0  # window of a colour, and how much likelier it can make a part at most
RANGE = np.array([1.5, 1.5, 1.2, 1.2, 90.0])  # of a part by itself: in sides of the whole, log sides, degrees
EXACT = np.array([0.012, 0.012, 0.03, 0.03, 2.0])  # how closely what is drawn again departs from its example
PIXEL = 0.4  # px by which places and sides may be off in any case
SPREAD = math.sqrt(math.pi * math.e)  # widths of a bell: the even range that takes as many bits to say
OFTEN = 0.5  # of the parts that are as in their example; the others depart within their windows


def name_bits(routes: int) -> float:
    """What it takes to say which of so many known arrangements is there."""
    return RARE + math.log2(max(routes, 1))


def part_bits(route: Route, j: int, off: Floats, seen: Observation, scale: float) -> float:
    """Bits that a whole with the mean side `scale` (px) saves on part j, which is off by (5,): place in mean
    sides, log sides, degrees."""
    width, exact = route.widths[j, :POSE], _expected(route, j, seen, scale)
    range_ = np.maximum(RANGE, SPREAD * width)  # what varies as freely as by itself tells nothing
    if not route.turnings[j].shows(bool(equal_sides(pose_of(seen)))):
        off = off.copy()
        off[ROTATION] = 0.0
        range_[ROTATION] = width[ROTATION] * math.sqrt(math.pi)  # a turn that cannot be seen tells nothing
        exact[ROTATION] = width[ROTATION]
    density = OFTEN * _bell(off, exact) + (1 - OFTEN) * _bell(off, width)
    saved = np.log2(range_ * density).clip(-12.0)
    turning = route.turnings[j]
    if turning.even != turning.turns and bool(equal_sides(pose_of(seen))):
        saved[HEIGHT] = min(saved[HEIGHT], ROUND)
    return (NAMED if seen.parts else KIND) + float(saved.sum())


def colour_bits(seen: Observation, expected: Observation) -> float:
    """Bits that the colour of a part adds: things are often, but not always, coloured as their example."""
    off = np.array([seen.attributes.get(n, 0.0) - expected.attributes.get(n, 0.0) for n in COLOUR_NAMES])
    return math.log2(1 - OFTEN + OFTEN * min(float(_bell(off, np.full(3, COLOUR)).prod()), ALIKE))


def pose_bits(route: Route, seen: Sequence[Observation | None], scale: float) -> float:
    """What the pose of a whole costs: place, size and turn of its best-known part."""
    costs = []
    for j, part in enumerate(seen):
        if part is not None:
            range_ = np.maximum(RANGE, SPREAD * route.widths[j, :POSE])
            ratio = np.log2(range_ / _expected(route, j, part, scale) / math.sqrt(math.pi))
            costs.append(float(ratio[[X, Y, 2, ROTATION]].clip(0.0).sum()) + math.log2(OFTEN) * 4)
    return max(min(costs, default=0.0), 0.0)


def _expected(route: Route, j: int, seen: Observation, scale: float) -> Floats:
    """(5,): how closely part j can be expected in its place: less so if memory has seen it vary."""
    width = route.widths[j, :POSE]
    expected: Floats = np.minimum(np.maximum(_exact(seen, scale), width - DEFAULT_WIDTH), width)
    return expected


def _exact(seen: Observation, scale: float) -> Floats:
    """(5,): how closely a part of this size can be expected where it should be."""
    side = math.sqrt(seen.size[0] * seen.size[1])
    pixel = np.array([PIXEL / scale, PIXEL / scale, PIXEL / seen.size[0], PIXEL / seen.size[1], 0.0])
    pixel[ROTATION] = math.degrees(PIXEL / max(side, 1.0))
    exact: Floats = EXACT + pixel
    return exact


def _bell(off: Floats, width: Floats) -> Floats:
    """The density of what departs by `off` in windows of this width."""
    bell: Floats = np.exp(-((off / width) ** 2)) / (width * math.sqrt(math.pi))
    return bell

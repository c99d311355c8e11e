"""Proportions: an object that has been seen longer or higher, its parts going along as two examples say.

Of a longer car the body grows and the wheels move apart, but stay as they are. In the unit of length in which
the most stays the same, every other number goes along a line with how much longer the whole is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.capsules.experience import Entry
from unrender.capsules.gamma import whole
from unrender.capsules.poses import HEIGHT, ROTATION, WIDTH, Floats, X, Y, equal_sides
from unrender.capsules.route import Route
from unrender.capsules.variants.correspondence import centred, correspondence, read_as, shares
from unrender.scene import Observation

LEAST, MOST = 0.65, 1.6  # times as long: what departs more from its example is another thing
STEP = 0.1  # in which it is looked for; what lies between is within the windows of its neighbours
LONGER = 0.08  # log of the ratio of the sides by which two examples must differ
SAME = 0.05  # mean sides of the whole, or log sides: what changes by less stays as it is
TURNED = 8.0  # degrees that a part may be turned from one example to the other


@dataclass(frozen=True, eq=False)
class Proportion:
    """How the parts of an object go with its length, or its height."""

    route: Route  # the first example
    axis: int  # 0: it grows along its width; 1: along its height
    start: Floats  # (P, 5): poses about the middle, px of the first example
    slope: Floats  # (P, 5): by how much they change if it becomes twice as long
    stretches: dict[str, float]  # how long each example is, by its route; 1 for the first

    def parts(self, stretch: float) -> list[Observation]:
        """The parts of one so many times as long."""
        poses = self.start + (stretch - 1.0) * self.slope
        middle = np.asarray(self.route.memory[0].whole.position)
        return [
            replace(
                part,
                position=(float(middle[0] + pose[X]), float(middle[1] + pose[Y])),
                size=(float(pose[WIDTH]), float(pose[HEIGHT])),
                rotation=math.remainder(float(pose[ROTATION]), 360.0),
            )
            for part, pose in zip(self.route.memory[0].parts, poses, strict=True)
        ]

    def possible(self, stretch: float) -> bool:
        """Whether every part is still there."""
        poses = self.start + (stretch - 1.0) * self.slope
        return bool((poses[:, [WIDTH, HEIGHT]] > 0.2 * self.start[:, [WIDTH, HEIGHT]]).all())

    def example(self, stretch: float) -> Route:
        """A route as if one of this length had been taught."""
        parts = self.parts(stretch)
        entry = Entry(tuple(parts), whole(self.route.symbol, parts))
        own = self.route
        return replace(own, memory=(entry,), decoder=None, noticer=None, past=None, variant=f"~{stretch:.3g}")

    def routes(self) -> list[Route]:
        """Those that are looked for besides the examples."""
        known = list(self.stretches.values())
        grid = np.arange(LEAST, MOST + STEP / 2, STEP)
        return [
            self.example(float(s))
            for s in grid
            if self.possible(float(s)) and min(abs(s - own) for own in known) > STEP / 2
        ]

    def read(self, size: tuple[float, float]) -> float:
        """How many times as long a whole with these sides is."""
        first = self.route.memory[0].whole.size
        ratio = (size[0] / size[1]) / (first[0] / first[1])
        return ratio if self.axis == 0 else 1.0 / ratio


def find_proportion(routes: Sequence[Route]) -> Proportion | None:
    """How an object grows, from two of its routes; None if none of them are the same at another length."""
    own = [route for route in routes if route.given is None and len(route.parts) > 1]
    for i, one in enumerate(own):
        found = [made for other in own[i + 1 :] if (made := _between(one, other)) is not None]
        if found:
            first = found[0]
            alike = [more for more in found if more.axis == first.axis]
            stretches = {name: s for more in alike for name, s in more.stretches.items()}
            return replace(first, stretches=stretches)
    return None


def usual_proportion(route: Route) -> Proportion:
    """How one example would grow along its longer side, as most things do: everything moves along, what lies
    along or across that side is stretched, and what is round or stands askew keeps its form."""
    parts = route.memory[0].parts
    poses, sides = centred(parts)
    axis = int(sides[1] > sides[0])
    slope = np.zeros_like(poses)
    slope[:, (X, Y)[axis]] = poses[:, (X, Y)[axis]]
    for j, (pose, turning) in enumerate(zip(poses, route.turnings, strict=True)):
        quarter = round(pose[ROTATION] / 90.0)
        if not (turning.even == 0 and equal_sides(pose)) and abs(pose[ROTATION] - 90.0 * quarter) < TURNED:
            along = (WIDTH, HEIGHT)[(axis + quarter) % 2]
            slope[j, along] = pose[along]
    return Proportion(route, axis, poses, slope, {route.name: 1.0})


def _between(one: Route, other: Route) -> Proportion | None:
    if Counter(one.parts) != Counter(other.parts):
        return None
    known, seen = one.memory[0].parts, other.memory[0].parts
    (poses, sides), (others, extents) = centred(known), centred(seen)
    pairs = correspondence(known, shares(poses, sides), seen, shares(others, extents))
    if pairs is None or abs(math.log(float(sides[0] / sides[1] * extents[1] / extents[0]))) < LONGER:
        return None
    best: tuple[int, float, Proportion] | None = None
    for scale in _scales(poses, others[pairs]):
        grown = others[pairs].copy()
        grown[:, :ROTATION] *= scale
        grown = read_as(grown, poses, one.turnings)
        made = _line(one, other, poses, grown, sides, extents * scale)
        if made is not None:
            found, left = made
            changed = int((found.slope != 0).sum())
            if best is None or (changed, left) < best[:2]:
                best = changed, left, found
    return None if best is None else best[2]


def _scales(poses: Floats, others: Floats) -> list[float]:
    """By how much the second example may be scaled: so that some side of some part is as in the first."""
    ratios = poses[:, [WIDTH, HEIGHT]] / others[:, [WIDTH, HEIGHT]]
    return sorted({round(float(r), 3) for r in ratios.ravel()})


def _line(
    one: Route, other: Route, poses: Floats, grown: Floats, sides: Floats, extents: Floats
) -> tuple[Proportion, float] | None:
    """The line between two examples in one unit of length, and by how much the rest departs; None if more
    than one direction grows."""
    unit = math.sqrt(float(sides[0] * sides[1]))
    off = grown - poses
    log = np.log(grown[:, [WIDTH, HEIGHT]] / poses[:, [WIDTH, HEIGHT]])
    changed = np.abs(off) > SAME * unit
    changed[:, [WIDTH, HEIGHT]] = np.abs(log) > 2 * SAME
    changed[:, ROTATION] = np.abs(off[:, ROTATION]) > TURNED
    if changed[:, ROTATION].any():
        return None
    stretch = extents / sides
    axis = int(np.abs(np.log(stretch)).argmax())
    along, across = ([X, WIDTH], [Y, HEIGHT]) if axis == 0 else ([Y, HEIGHT], [X, WIDTH])
    if changed[:, across].any() or not LEAST < stretch[axis] < MOST:
        return None
    left = float(np.abs(off[:, across]).sum()) / unit
    slope = np.zeros_like(poses)
    slope[:, along] = (off / (float(stretch[axis]) - 1.0))[:, along]
    slope[~changed] = 0.0
    stretches = {one.name: 1.0, other.name: float(stretch[axis])}
    return Proportion(one, axis, poses, slope, stretches), left

"""Contacts: which two bodies, or body and wall, touch, when, where and in which direction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from unrender.film.simulation.bodies.geometry import Gap, gap
from unrender.film.simulation.bodies.trajectory import Array, Trajectory, still_pose
from unrender.film.simulation.contacts.jolts import Jolt, find_jolts
from unrender.film.simulation.contacts.supports import Support, find_supports, pose_at
from unrender.film.simulation.contacts.walls import CONE, Wall, find_walls, slack
from unrender.film.simulation.free.forces import Forces

TOGETHER = 1.2  # frames: two bodies that hit each other are jolted within this time
OPPOSED = -0.4  # cosine between the changes of two bodies that hit each other, at most


@dataclass(frozen=True, eq=False)
class Hit:
    """Two bodies collide, or one with a wall. The normal points to `a`."""

    a: Jolt
    b: Jolt | int | Wall  # the other's jolt; the track of one that does not move; or a wall
    normal: Array
    point: Array  # px

    @property
    def time(self) -> float:
        """Frames; that of both."""
        return (self.a.time + self.b.time) / 2 if isinstance(self.b, Jolt) else self.a.time

    @property
    def tracks(self) -> tuple[int, int | None]:
        """Of both bodies; None for a wall."""
        other = self.b.track if isinstance(self.b, Jolt) else self.b
        return self.a.track, other if isinstance(other, int) else None


@dataclass(frozen=True, eq=False)
class Contacts:
    """All contacts of a film, its walls, and the jolts that nothing explains."""

    hits: list[Hit]
    supports: list[Support]
    walls: list[Wall]
    unexplained: list[Jolt]


def find_contacts(
    bodies: Sequence[Trajectory],
    forces: Forces,
    size: tuple[int, int],
    tied: frozenset[int] = frozenset(),
    apart: frozenset[frozenset[int]] = frozenset(),
) -> Contacts:
    """Every contact of the bodies; those in `tied` hang on springs, so their stretches say nothing.

    apart: pairs that never touch because one is behind the other.
    """
    known = {body.track: body for body in bodies}
    jolts = [
        jolt
        for body in bodies
        if body.moves and body.track not in tied
        for jolt in find_jolts(body, forces.stretches[body.track])
    ]
    hits, left = _between(jolts, known, apart)
    still = {body.track: body for body in bodies if not body.moves}
    on_still, left = _against(left, known, still, apart)
    beside = [jolt for jolt in left if _beside(jolt, bodies, forces, apart)]
    walls, explained = find_walls(left, known, size, beside)
    for jolt, i in explained:
        normal = np.asarray(walls[i].normal)
        hits.append(Hit(jolt, walls[i], normal, _touching(known[jolt.track], jolt, normal)))
    reached = {id(jolt) for jolt, _ in explained}
    unexplained = [jolt for jolt in left if id(jolt) not in reached]
    supports, walls = find_supports(known, forces, walls, tied, apart, size)
    hits = sorted(hits + on_still, key=lambda hit: hit.time)
    return Contacts(hits, supports, walls, unexplained)


def _touching(body: Trajectory, jolt: Jolt, normal: Array) -> Array:
    """The point of a body that is deepest against a normal."""
    corners = body.corners(jolt.position, jolt.rotation)
    heights = corners @ normal
    if body.is_circle:
        return jolt.position - normal * body.radius
    near: Array = corners[heights < heights.min() + 0.5].mean(axis=0)
    return near


def _beside(
    jolt: Jolt, bodies: Sequence[Trajectory], forces: Forces, apart: frozenset[frozenset[int]]
) -> bool:
    """Whether another moving body touches a jolted one where it is pushed.

    It need not be jolted the opposite way: a wall, or a third body, may push it at the same time. Where a
    frame lies between its stretches, two blows may look like one, which then points between theirs.
    """
    own = next(body for body in bodies if body.track == jolt.track)
    several = jolt.after.first - jolt.before.last > 1
    times = np.linspace(jolt.before.last, jolt.after.first, 5) if several else [jolt.time]
    for other in bodies:
        if other is own or not other.moves or frozenset((own.track, other.track)) in apart:
            continue
        for time in times:
            there = pose_at(forces.stretches[other.track], float(time))
            if there is None:
                continue
            found = gap(own, jolt.at(float(time)), other, there)
            cosine = float(jolt.change @ found.normal) / max(float(np.linalg.norm(jolt.change)), 1e-9)
            if found.distance < 2 * slack(jolt) and cosine > (0.0 if several else CONE):
                return True
    return False


def _between(
    jolts: Sequence[Jolt], known: Mapping[int, Trajectory], apart: frozenset[frozenset[int]]
) -> tuple[list[Hit], list[Jolt]]:
    """Pairs of jolts that are one collision, the likeliest first; and the jolts that are left."""
    options: list[tuple[float, Jolt, Jolt, Gap]] = []
    for i, a in enumerate(jolts):
        for b in jolts[i + 1 :]:
            pair = frozenset((a.track, b.track))
            if len(pair) < 2 or pair in apart or abs(a.time - b.time) > TOGETHER:
                continue
            time = (a.time + b.time) / 2
            found = gap(known[a.track], a.at(time), known[b.track], b.at(time))
            away = found.distance / (slack(a) + slack(b))
            ours, theirs = a.change, b.change
            sizes = float(np.linalg.norm(ours) * np.linalg.norm(theirs))
            cosine = float(ours @ theirs) / max(sizes, 1e-9)
            pushes = float(ours @ found.normal) > 0 > float(theirs @ found.normal)
            if abs(away) < 2 and cosine < OPPOSED and pushes:
                options.append((away**2 + (a.time - b.time) ** 2 + 3 * (1 + cosine), a, b, found))
    options.sort(key=lambda option: option[0])
    used: set[int] = set()
    hits = []
    for _, a, b, found in options:
        if id(a) not in used and id(b) not in used:
            used |= {id(a), id(b)}
            hits.append(Hit(a, b, found.normal, found.point))
    return hits, [jolt for jolt in jolts if id(jolt) not in used]


def _against(
    jolts: Sequence[Jolt],
    known: Mapping[int, Trajectory],
    still: Mapping[int, Trajectory],
    apart: frozenset[frozenset[int]],
) -> tuple[list[Hit], list[Jolt]]:
    """Jolts from bodies that never move, and those that are left."""
    hits, left = [], []
    for jolt in jolts:
        best: tuple[float, Hit] | None = None
        for track, other in still.items():
            if frozenset((jolt.track, track)) in apart:
                continue
            found = gap(known[jolt.track], (jolt.position, jolt.rotation), other, still_pose(other))
            cosine = float(jolt.change @ found.normal) / max(float(np.linalg.norm(jolt.change)), 1e-9)
            away = abs(found.distance) / slack(jolt)
            if away < 2 and cosine > CONE and (best is None or away < best[0]):
                best = away, Hit(jolt, track, found.normal, found.point)
        if best is None:
            left.append(jolt)
        else:
            hits.append(best[1])
    return hits, left

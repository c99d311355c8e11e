"""Contacts: which two bodies, or body and wall, touch, when, where and in which direction."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from unrender.film.simulation.bodies.geometry import Gap, gap
from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.contacts.jolts import Jolt, find_jolts
from unrender.film.simulation.contacts.walls import CONE, Wall, find_walls, slack, spanning
from unrender.film.simulation.free.forces import TOUCH, Forces
from unrender.film.simulation.free.stretches import FREE, Stretch

TOGETHER = 1.2  # frames: two bodies that hit each other are jolted within this time
OPPOSED = -0.4  # cosine between the changes of two bodies that hit each other, at most
HELD = 5.0  # standard deviations of the force that holds or brakes a body
DEEP, DEEPER = 3.0, 0.25  # px, and share of the smaller radius: no two bodies are so far inside each other
SAME = 0.97  # cosine between the normals of one contact
BRIEF = 3  # frames: shorter stretches are no lasting contact
LONG = 8  # frames for which something must be held by a floor that nothing else shows
TRAVELLED = 3.0  # px: what slides further tells by its way how its floor lies


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
class Support:
    """A body lies, slides or rolls on something through a stretch. The normal points to the body."""

    track: int
    stretch: Stretch
    on: int | Wall  # a track or a wall
    normal: Array
    point: Array  # px, at the middle of the stretch
    alone: bool  # whether it touches nothing else


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
    walls, explained = find_walls(left, known, size)
    for jolt, i in explained:
        normal = np.asarray(walls[i].normal)
        hits.append(Hit(jolt, walls[i], normal, _touching(known[jolt.track], jolt, normal)))
    reached = {id(jolt) for jolt, _ in explained}
    unexplained = [jolt for jolt in left if id(jolt) not in reached]
    supports, walls = _supports(known, forces, walls, tied, apart, size)
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


def passing(bodies: Sequence[Trajectory]) -> frozenset[frozenset[int]]:
    """Pairs that are seen well inside one another, so that one must be in front: they never collide."""
    found = set()
    for a, b in combinations(bodies, 2):
        if not (a.moves or b.moves):
            continue
        deep = max(DEEP, DEEPER * min(a.radius, b.radius))
        near = np.linalg.norm(a.positions - b.positions, axis=1) < a.radius + b.radius - deep
        count = 0
        for frame in np.flatnonzero(near & a.seen & b.seen):
            ours, theirs = ((own.positions[frame], float(own.rotations[frame])) for own in (a, b))
            count += gap(a, ours, b, theirs).distance < -deep
            if count >= BRIEF:
                found.add(frozenset((a.track, b.track)))
                break
    return frozenset(found)


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
            found = gap(known[jolt.track], (jolt.position, jolt.rotation), other, pose(other))
            cosine = float(jolt.change @ found.normal) / max(float(np.linalg.norm(jolt.change)), 1e-9)
            away = abs(found.distance) / slack(jolt)
            if away < 2 and cosine > CONE and (best is None or away < best[0]):
                best = away, Hit(jolt, track, found.normal, found.point)
        if best is None:
            left.append(jolt)
        else:
            hits.append(best[1])
    return hits, left


def pose(still: Trajectory) -> tuple[Array, float]:
    """Where a body that never moves is."""
    here = still.seen
    return np.median(still.positions[here], axis=0), float(np.median(still.rotations[here]))


def _supports(
    known: Mapping[int, Trajectory],
    forces: Forces,
    walls: Sequence[Wall],
    tied: frozenset[int],
    apart: frozenset[frozenset[int]],
    size: tuple[int, int],
) -> tuple[list[Support], list[Wall]]:
    """Lasting contacts; floors that nothing has bounced off are added to the walls."""
    gravity = np.asarray(forces.field.gravity)
    found, walls = [], list(walls)
    for body in known.values():
        if not body.moves or body.track in tied:
            continue
        for stretch in forces.stretches[body.track]:
            if stretch.kind == FREE or stretch.length < BRIEF:
                continue
            force = stretch.acceleration - gravity
            error = math.sqrt(stretch.covariance[2, 2])
            if math.isfinite(forces.gravity_error) and float(np.linalg.norm(force)) > HELD * error:
                pairs = {t: frozenset((body.track, t)) for t in known if t != body.track}
                others = [known[t] for t, pair in pairs.items() if pair not in apart]
                support = _support(body, stretch, force, others, forces, walls)
                floor = _floor(body, stretch, force, known, size) if support is None else None
                if floor is not None:
                    walls.append(floor)
                    support = _support(body, stretch, force, others, forces, walls)
                if support is not None:
                    found.append(support)
    return found, walls


def _support(
    body: Trajectory,
    stretch: Stretch,
    force: Array,
    others: Sequence[Trajectory],
    forces: Forces,
    walls: Sequence[Wall],
) -> Support | None:
    """What a body lies on through a stretch, given the force per mass that it feels from it."""
    times = np.linspace(stretch.first, stretch.last, 5)
    options: list[tuple[float, Support]] = []
    pushes: list[Array] = []  # normals of all that it touches at any of these times
    for wall in walls:
        heights = [wall.height(body, stretch.position(t), stretch.rotation(t)) for t in times]
        normal = np.asarray(wall.normal)
        pushes += [normal] if min(heights) < TOUCH + wall.error else []
        if max(map(abs, heights)) < TOUCH + wall.error and force @ normal > 0:
            point = stretch.position(times[2]) - normal * body.radius
            options.append((max(map(abs, heights)), Support(body.track, stretch, wall, normal, point, True)))
    for other in others:
        gaps = []
        for t in times:
            there = pose(other) if not other.moves else _pose_at(forces.stretches[other.track], t)
            if there is not None:
                gaps.append(gap(body, (stretch.position(t), stretch.rotation(t)), other, there))
        pushes += [own.normal for own in gaps if own.distance < TOUCH]
        if len(gaps) == len(times):
            worst = max(abs(own.distance) for own in gaps)
            middle = gaps[2]
            if worst < TOUCH and force @ middle.normal > 0:
                place = middle.normal, middle.point
                options.append((worst, Support(body.track, stretch, other.track, *place, True)))
    if not options:
        return None
    best = min(options, key=lambda option: option[0])[1]
    return replace(best, alone=all(float(push @ best.normal) > SAME for push in pushes))


def _floor(
    body: Trajectory,
    stretch: Stretch,
    force: Array,
    known: Mapping[int, Trajectory],
    size: tuple[int, int],
) -> Wall | None:
    """The floor, which is not drawn, that must hold a body through a long stretch in which nothing else does.

    It is straight along the motion or, under what rests, across the force that holds it.
    """
    if stretch.length < LONG:
        return None
    ends = [stretch.position(t) for t in (stretch.first, stretch.last)]
    way = ends[1] - ends[0]
    normal = force / np.linalg.norm(force)
    if float(np.linalg.norm(way)) > TRAVELLED:
        along = way / np.linalg.norm(way)
        across = np.array([-along[1], along[0]])
        normal = across if float(across @ force) > 0 else -across
    if float(normal @ force) < CONE * float(np.linalg.norm(force)):
        return None
    times = np.linspace(stretch.first, stretch.last, 5)
    reaches = [body.reach(normal, stretch.position(t), stretch.rotation(t)) for t in times]
    if float(np.ptp(reaches)) > TOUCH:
        return None
    return spanning(normal, float(np.median(reaches)), ends, body.radius, known, size, TOUCH / 2)


def _pose_at(stretches: Sequence[Stretch], time: float) -> tuple[Array, float] | None:
    for stretch in stretches:
        if stretch.first - 1 <= time <= stretch.last + 1:
            return stretch.position(time), stretch.rotation(time)
    return None

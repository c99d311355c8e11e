"""Lasting contacts: what a body lies, slides or rolls on, and floors that nothing else shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.film.simulation.bodies.geometry import gap
from unrender.film.simulation.bodies.trajectory import Array, Trajectory, still_pose
from unrender.film.simulation.contacts.walls import CONE, Wall, spanning
from unrender.film.simulation.free.forces import TOUCH, Forces
from unrender.film.simulation.free.stretches import FREE, Stretch

HELD = 5.0  # standard deviations of the force that holds or brakes a body
SAME = 0.97  # cosine between the normals of one contact
BRIEF = 3  # frames: shorter stretches are no lasting contact
LONG = 8  # frames for which something must be held by a floor that nothing else shows
TRAVELLED = 3.0  # px: what slides further tells by its way how its floor lies


@dataclass(frozen=True, eq=False)
class Support:
    """A body lies, slides or rolls on something through a stretch. The normal points to the body."""

    track: int
    stretch: Stretch
    on: int | Wall  # a track or a wall
    normal: Array
    point: Array  # px, at the middle of the stretch
    alone: bool  # whether it touches nothing else


def find_supports(
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
                floor = _floor(body, stretch, force, gravity, known, size) if support is None else None
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
            there = still_pose(other) if not other.moves else pose_at(forces.stretches[other.track], t)
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
    gravity: Array,
    known: Mapping[int, Trajectory],
    size: tuple[int, int],
) -> Wall | None:
    """The floor, which is not drawn, that must hold a body through a long stretch in which nothing else does.

    It is straight along the motion or, under what rests, across the force that holds it. Along a straight
    floor nothing but gravity presses a body, so where that does not there is none.
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
    pushed = float(normal @ force)
    if pushed < CONE * float(np.linalg.norm(force)) or -float(normal @ gravity) < pushed / 2:
        return None
    times = np.linspace(stretch.first, stretch.last, 5)
    reaches = [body.reach(normal, stretch.position(t), stretch.rotation(t)) for t in times]
    if float(np.ptp(reaches)) > TOUCH:
        return None
    return spanning(normal, float(np.median(reaches)), ends, body.radius, known, size, TOUCH / 2)


def pose_at(stretches: Sequence[Stretch], time: float) -> tuple[Array, float] | None:
    """Position px and rotation, in degrees, of a body at a time; None where no stretch is near."""
    for stretch in stretches:
        if stretch.first - 1 <= time <= stretch.last + 1:
            return stretch.position(time), stretch.rotation(time)
    return None

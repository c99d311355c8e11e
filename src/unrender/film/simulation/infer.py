"""From trajectories to a world: forces first, then springs and rods, contacts, then all together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from unrender.film.simulation.bodies.geometry import gap
from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.contacts.friction import frictions
from unrender.film.simulation.contacts.jolts import Jolt
from unrender.film.simulation.contacts.laws import Blow, blows, masses, weighed
from unrender.film.simulation.contacts.planes import in_another_plane, passing
from unrender.film.simulation.contacts.touches import Contacts, find_contacts
from unrender.film.simulation.contacts.walls import Wall
from unrender.film.simulation.fit.joint import refined
from unrender.film.simulation.free.forces import Forces, find_forces
from unrender.film.simulation.free.stretches import Field, Stretch, total
from unrender.film.simulation.run.replay import replayed
from unrender.film.simulation.ties.springs import find_ties
from unrender.film.simulation.ties.tie import Tie
from unrender.film.simulation.world import ANY, Body, Contact, Motion, Point, Spring, World

GRAVITY_KNOWN = 0.1  # px/frame²: a wider error says nothing
DRAG_KNOWN = 0.012  # 1/frame
SHORTEST = 2  # frames of a stretch that tells a velocity
NEAR = 3.0  # px: what is no further away may have caused a jolt that nothing else explains


def infer(bodies: Sequence[Trajectory], fps: float, size: tuple[int, int]) -> World:
    """The world that explains how these bodies move in a film of so many frames per second."""
    forces = find_forces(bodies, size)
    forces, ties = _tied(bodies, forces, size)
    tied = frozenset(track for tie in ties for track in _ends(tie))
    apart = passing(bodies)
    contacts = find_contacts(bodies, forces, size, tied, apart)
    apart |= in_another_plane(bodies, apart, contacts)
    known = {body.track: body for body in bodies}
    gravity = np.asarray(forces.field.gravity)
    found = blows(contacts, known, gravity)
    weights = masses(
        found, [body.track for body in bodies if body.moves], [_mass_ratio(t) for t in ties if t.ratio]
    )
    scales = {track: value for track, (value, _) in weights.items()}
    rubbing, likely = frictions(found, contacts.supports, known, scales, gravity, contacts.unexplained)
    motions = {body.track: _motion(body, forces.stretches[body.track], ties, fps) for body in bodies}
    told = tuple(
        _body(body, motions[body.track], found, weights, rubbing, contacts, forces, fps) for body in bodies
    )
    by_track = {body.track: body for body in told}
    world = World(
        gravity=_scaled(forces.field.gravity, fps**2) if forces.gravity_error < GRAVITY_KNOWN else None,
        drag=max(forces.field.drag, 0.0) * fps if forces.drag_error < DRAG_KNOWN else None,
        walls=tuple(contacts.walls),
        bodies=told,
        springs=tuple(_spring(tie, by_track, scales, fps) for tie in ties),
        contacts=tuple(_contacts(contacts, found, known, fps)),
        errors={"gravity": forces.gravity_error * fps**2, "drag": forces.drag_error * fps},
        fps=fps,
        size=size,
        shapes=known,
        motions=motions,
        apart=apart,
        likely={(ANY, "friction"): likely},
    )
    fit = refined(replayed(world))
    return replayed(fit.world, fit.spins) if fit.spins or fit.after < fit.before else fit.world


def _ends(tie: Tie) -> list[int]:
    return [tie.a, *([tie.b] if isinstance(tie.b, int) else [])]


def _scaled(pair: Sequence[float], by: float) -> Point:
    return float(pair[0]) * by, float(pair[1]) * by


def _tied(bodies: Sequence[Trajectory], forces: Forces, size: tuple[int, int]) -> tuple[Forces, list[Tie]]:
    """Springs and rods, and the field as the other bodies tell it, or else the springs themselves."""
    usual = {track: total(own) for track, own in forces.stretches.items()}
    ties = find_ties(bodies, forces.field, False, usual)
    if not ties:
        return forces, []
    tied = {track for tie in ties for track in _ends(tie)}
    others = [body for body in bodies if body.track not in tied]
    rest = find_forces(others, size) if any(body.moves for body in others) else None
    if rest is not None and rest.gravity_error < GRAVITY_KNOWN:
        again = find_ties([body for body in bodies if body.track in tied], rest.field, True, usual)
        if {t for tie in again for t in _ends(tie)} == tied:
            ties = again
        return Forces(
            rest.field, rest.gravity_error, rest.drag_error, forces.stretches | rest.stretches
        ), ties
    pulls = [tie for tie in ties if tie.gravity is not None]
    if not pulls:
        return Forces(Field(), math.inf, math.inf, forces.stretches), ties
    best = min(pulls, key=lambda tie: tie.errors["gravity"])
    pull, error = np.asarray(best.gravity), best.errors["gravity"]
    if float(np.linalg.norm(pull)) < 4 * error:
        pull = np.zeros(2)
    drag_error = best.errors.get("drag", math.inf)
    field = Field((float(pull[0]), float(pull[1])), best.drag if math.isfinite(drag_error) else 0.0)
    return Forces(field, error, drag_error, forces.stretches), ties


def _mass_ratio(tie: Tie) -> tuple[int, int, float, float]:
    """Between the ends of a spring, as `masses` wants it: log of mass b by mass a."""
    if not isinstance(tie.b, int):
        raise ValueError("a point has no mass")
    return tie.a, tie.b, -math.log(tie.ratio), max(tie.errors["ratio"] / tie.ratio, 0.005)


def _motion(body: Trajectory, stretches: Sequence[Stretch], ties: Sequence[Tie], fps: float) -> Motion:
    """The explained states of a body in every frame."""
    frames = np.flatnonzero(body.seen)
    states = np.zeros((body.frames, 6))
    if not len(frames):
        return Motion(states, 0, -1, np.zeros(body.frames, bool))
    sure = np.ones(body.frames, bool)
    told = [own for own in stretches if own.length >= SHORTEST] or stretches
    for frame in range(body.frames):
        own = _at(stretches if frames[0] <= frame <= frames[-1] else told, frame)
        velocity = own.velocity(frame) * fps
        sure[frame] = own.length >= SHORTEST
        states[frame] = (*own.position(frame), own.rotation(frame), *velocity, own.spin * fps)
    for tie in ties:
        if body.track in _ends(tie):
            column = _ends(tie).index(body.track)
            states[:, :2] = tie.fitted.path[:, column]
            states[:, 3:5] = tie.fitted.speeds[:, column] * fps
            sure[:] = True
    return Motion(states, int(frames[0]), int(frames[-1]), sure)


def _at(stretches: Sequence[Stretch], frame: float) -> Stretch:
    """The stretch of a frame; between two of them the nearer one."""
    return min(stretches, key=lambda own: max(own.first - frame, frame - own.last, 0.0))


def _body(
    body: Trajectory,
    motion: Motion,
    found: Sequence[Blow],
    weights: Mapping[int, tuple[float, float]],
    rubbing: Mapping[int, tuple[float, float]],
    contacts: Contacts,
    forces: Forces,
    fps: float,
) -> Body:
    """All that is known of one body."""
    own = [blow for blow in found if body.track in blow.hit.tracks]
    alone = [blow for blow in own if blow.alone] or own
    bounce = weighed((blow.restitution, blow.restitution_error) for blow in alone)
    errors: dict[str, float] = {}
    told: dict[str, float | None] = {"mass": None, "restitution": None, "friction": None}
    for name, pair in (
        ("mass", weights.get(body.track)),
        ("restitution", bounce),
        ("friction", rubbing.get(body.track)),
    ):
        if pair is not None:
            told[name], errors[name] = pair
    first = motion.states[max(motion.first, 0)] if len(motion.states) else np.zeros(6)
    if body.moves and forces.stretches[body.track]:
        start = forces.stretches[body.track][0]
        errors["velocity"] = start.velocity_error(start.first) * fps
    static = False if body.moves else _stands(body, contacts, forces)
    if static:
        told["mass"] = None
    return Body(
        track=body.track,
        position=(float(first[0]), float(first[1])),
        velocity=(float(first[3]), float(first[4])),
        mass=told["mass"],
        restitution=told["restitution"],
        friction=told["friction"],
        static=static,
        errors=errors,
        rotation=float(first[2]),
        spin=None if body.is_circle else float(first[5]),
    )


def _stands(body: Trajectory, contacts: Contacts, forces: Forces) -> bool | None:
    """Whether a body that never moves cannot: it is hit or carries another, or gravity does not move it."""
    hit = any(body.track in hit.tracks for hit in contacts.hits)
    carries = any(support.on == body.track for support in contacts.supports)
    pulled = any(forces.field.gravity) and math.isfinite(forces.gravity_error)
    return True if hit or carries or pulled else None


def _spring(tie: Tie, bodies: Mapping[int, Body], weights: Mapping[int, float], fps: float) -> Spring:
    """In seconds, and per unit of mass."""
    mass = weights.get(tie.a, 1.0)
    stiffness = None if tie.stiffness is None else tie.stiffness * fps**2 * mass
    length = tie.length if math.isfinite(tie.errors.get("length", 0.0)) else None
    errors = {"length": tie.errors.get("length", math.inf)}
    if tie.stiffness is not None:
        errors["stiffness"] = tie.errors["stiffness"] * fps**2 * mass
        errors["damping"] = tie.errors["damping"] * fps * mass
    other: Body | Point = bodies[tie.b] if isinstance(tie.b, int) else tie.b
    return Spring(bodies[tie.a], other, stiffness, length, max(tie.damping, 0.0) * fps * mass, errors)


def _contacts(
    contacts: Contacts, found: Sequence[Blow], known: Mapping[int, Trajectory], fps: float
) -> list[Contact]:
    """Every contact in the order of time; jolts that nothing explains are put down to what is nearest."""
    sure = [blow for blow in found if blow.alone and blow.restitution_error < 0.2]
    bounces = {id(blow.hit): blow.restitution for blow in sure}
    told = []
    for hit in contacts.hits:
        a, b = hit.tracks
        wall = hit.b if isinstance(hit.b, Wall) else None
        place = (_point(hit.point), _point(hit.normal))
        size = float(np.linalg.norm(hit.a.change)) * fps
        told.append(Contact(hit.time, hit.time, a, b, *place, bounces.get(id(hit)), wall, size))
    for support in contacts.supports:
        on = support.on if isinstance(support.on, int) else None
        wall = support.on if isinstance(support.on, Wall) else None
        place = (_point(support.point), _point(support.normal))
        told.append(
            Contact(support.stretch.first, support.stretch.last, support.track, on, *place, None, wall)
        )
    for jolt in contacts.unexplained:
        near = _nearest(jolt, known, fps)
        if near is not None:
            told.append(near)
    return sorted(told, key=lambda contact: contact.frame)


def _point(values: Array) -> Point:
    return float(values[0]), float(values[1])


def _nearest(jolt: Jolt, known: Mapping[int, Trajectory], fps: float) -> Contact | None:
    """The contact of a body that was jolted with the body that was nearest then."""
    frame = round(jolt.time)
    options = []
    for track, other in known.items():
        if track != jolt.track and 0 <= frame < other.frames and other.seen[frame]:
            there = other.positions[frame], float(other.rotations[frame])
            found = gap(known[jolt.track], (jolt.position, jolt.rotation), other, there)
            if found.distance < NEAR + jolt.speed / 2:
                options.append((found.distance, track, found))
    if not options:
        return None
    _, track, found = min(options, key=lambda option: option[0])
    size = float(np.linalg.norm(jolt.change)) * fps
    return Contact(
        *(jolt.time, jolt.time, jolt.track, track, _point(found.point), _point(found.normal)), impulse=size
    )

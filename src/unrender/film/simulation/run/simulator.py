"""Running a world forward with pymunk: restitution and friction are those of each contact."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
import pymunk

from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.contacts.room import likely_walls
from unrender.film.simulation.world import ANY, Body, Spring, World

SUBSTEPS = 12  # of the simulator, per frame
THICK = 40.0  # px: radius of a wall, which lies behind its line
LIKELY = {"restitution": 0.6, "friction": 0.3}  # of what the film does not tell
LEAST = 0.01  # error of a restitution or friction, at least
WALL = -1


class Simulator:
    """A world that goes on frame by frame. What the film cannot tell is set to what is likely."""

    def __init__(self, world: World, substeps: int = SUBSTEPS) -> None:
        self.world = world
        self._space = pymunk.Space()
        self._space.gravity = world.gravity or (0.0, 0.0)
        self._space.damping = math.exp(-(world.drag or 0.0))
        self._space.iterations = 20
        self._space.collision_slop = 0.02
        self._substeps = substeps
        # Each step moves a body by the velocity that it had before gravity acted: half a step's fall behind.
        self._late = np.asarray(self._space.gravity) / world.fps / substeps / 2
        self._bodies: dict[int, pymunk.Body] = {}
        self._numbers: dict[int, int] = {}
        self._pairs = _pairs(world)
        self._materials: dict[frozenset[int], tuple[float, float]] = {}  # of pairs that have touched
        self._usual = {name: usual(world, name) for name in LIKELY}
        self.touched: set[frozenset[int]] = set()  # pairs of tracks in the last frame; WALL for a wall
        for wall in (*world.walls, *likely_walls(world)):
            out = -np.asarray(wall.normal) * THICK
            ends = [(float(x + out[0]), float(y + out[1])) for x, y in (wall.start, wall.end)]
            shape = pymunk.Segment(self._space.static_body, ends[0], ends[1], THICK)
            self._space.add(shape)
        self._space.on_collision(pre_solve=self._touch)

    def put(self, track: int, state: Array) -> None:
        """Add a body, or put it back, with x, y px, degrees, px/s and degrees/s."""
        if track not in self._bodies:
            self._add(track)
        body = self._bodies[track]
        body.position, body.angle = (float(state[0]), float(state[1])), math.radians(state[2])
        if body.body_type == pymunk.Body.DYNAMIC:
            vx, vy = state[3:5] + self._late
            body.velocity, body.angular_velocity = (float(vx), float(vy)), math.radians(state[5])
        else:
            self._space.reindex_shapes_for_body(body)

    def link(self, springs: Iterable[Spring]) -> None:
        """Add springs and rods between bodies that are there."""
        for spring in springs:
            ends = [self._end(end) for end in (spring.a, spring.b)]
            if None in ends:
                continue
            (a, at_a), (b, at_b) = (end for end in ends if end is not None)
            if spring.stiffness is None:
                rod = pymunk.PinJoint(a, b, at_a, at_b)
                rod.distance = spring.length or 0.0
                self._space.add(rod)
            else:
                length = spring.length or 0.0
                self._space.add(
                    pymunk.DampedSpring(a, b, at_a, at_b, length, spring.stiffness, spring.damping)
                )

    def state(self, track: int) -> Array:
        """x, y px, degrees, px/s and degrees/s."""
        body = self._bodies[track]
        late = self._late if body.body_type == pymunk.Body.DYNAMIC else np.zeros(2)
        turn, spin = math.degrees(body.angle), math.degrees(body.angular_velocity)
        return np.array([*body.position, turn, *(np.asarray(body.velocity) - late), spin])

    def step(self) -> None:
        """One frame on."""
        self.touched = set()
        for _ in range(self._substeps):
            self._space.step(1 / self.world.fps / self._substeps)

    def _end(self, end: Body | tuple[float, float]) -> tuple[pymunk.Body, tuple[float, float]] | None:
        if isinstance(end, Body):
            body = self._bodies.get(end.track)
            return None if body is None else (body, (0.0, 0.0))
        return self._space.static_body, end

    def _add(self, track: int) -> None:
        own, form = self.world.body(track), self.world.shapes[track]
        if own.static or (own.static is None and not form.moves):
            body = pymunk.Body(body_type=pymunk.Body.STATIC)
        else:
            mass = own.mass or self.world.likely.get((track, "mass")) or weight(self.world, form)
            body = pymunk.Body(mass, mass * form.gyration)
        shape: pymunk.Shape
        if form.is_circle:
            shape = pymunk.Circle(body, form.radius)
        else:
            shape = pymunk.Poly(body, [(float(x), float(y)) for x, y in form.outline])
        self._space.add(body, shape)
        self._bodies[track], self._numbers[id(shape)] = body, track
        shape.collision_type = track + 1  # walls have 0

    def _touch(self, arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: object) -> None:
        a, b = (shape.collision_type - 1 for shape in arbiter.shapes)
        pair = frozenset((a, b))
        if pair in self.world.apart:
            arbiter.process_collision = False
            return
        self.touched.add(pair)
        if pair not in self._materials:
            known = self._pairs.get(pair)
            bounce = known if known is not None else self._between("restitution", a, b)
            self._materials[pair] = bounce, self._between("friction", a, b)
        arbiter.restitution, arbiter.friction = self._materials[pair]

    def _between(self, name: str, a: int, b: int) -> float:
        """Of a contact between two bodies: what is known of either, the surer the more.

        Walls and static bodies adapt to the other: what is known of them is a mean of all that touch them.
        """
        bodies = [self.world.body(track) for track in (a, b) if track != WALL]
        known = [body for body in bodies if getattr(body, name) is not None]
        known = [body for body in known if not body.static] or known
        if not known:
            guesses = [
                self.world.likely[body.track, name]
                for body in bodies
                if (body.track, name) in self.world.likely
            ]
            return float(np.mean(guesses)) if guesses else self._usual[name]
        weights = [1 / max(body.errors.get(name, 1.0), LEAST) ** 2 for body in known]
        return float(np.average([getattr(body, name) for body in known], weights=weights))


def usual(world: World, name: str) -> float:
    """The restitution or friction of a contact of which nothing is known."""
    known = [getattr(body, name) for body in world.bodies if getattr(body, name) is not None]
    return float(np.median(known)) if known else world.likely.get((ANY, name), LIKELY[name])


def _pairs(world: World) -> Mapping[frozenset[int], float]:
    """Restitution between two that were seen to collide, by their tracks; WALL for all walls."""
    seen: dict[frozenset[int], list[float]] = {}
    for contact in world.contacts:
        if contact.restitution is not None and contact.b is not None:
            seen.setdefault(frozenset((contact.a, contact.b)), []).append(contact.restitution)
    return {pair: float(np.median(values)) for pair, values in seen.items()}


def weight(world: World, form: Trajectory) -> float:
    """The mass of a body of which none is known: by its area, measured by those of which it is."""
    known = [body for body in world.bodies if body.mass is not None]
    areas = [_area(world.shapes[body.track]) for body in known] or [
        _area(shape) for shape in world.shapes.values() if shape.moves
    ]
    masses = [body.mass for body in known if body.mass is not None] or [1.0] * len(areas)
    return _area(form) * float(np.sum(masses)) / max(float(np.sum(areas)), 1e-9)


def _area(form: Trajectory) -> float:
    if form.is_circle:
        return math.pi * form.radius**2
    a, b = form.outline, np.roll(form.outline, -1, axis=0)
    return abs(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum())) / 2

"""Bodies that fall, bounce, slide and swing, simulated by pymunk, with everything that a film of them hides.

setting = bouncing(np.random.default_rng(0))
run = setting.run()
run.states    # frames x things x (x, y, rotation in degrees, vx, vy, spin in degrees per second)
run.contacts  # which things touched, and when
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
import pymunk
from numpy.typing import NDArray

SUBSTEPS = 16  # of the simulator in one frame
WALL = -1  # the index of what is no thing: walls, and points to which springs are fixed


@dataclass(frozen=True)
class Thing:
    """One body. Rotation in degrees, spin in degrees per second, positive clockwise on the screen."""

    kind: str  # "circle" or "square"
    position: tuple[float, float]  # px
    size: tuple[float, float]  # px
    colour: tuple[float, float, float] = (0.8, 0.2, 0.2)
    velocity: tuple[float, float] = (0.0, 0.0)  # px/s
    rotation: float = 0.0
    spin: float = 0.0
    mass: float = 1.0
    elasticity: float = 0.8  # of a contact: the product of both
    friction: float = 0.3  # of a contact: the product of both
    static: bool = False


@dataclass(frozen=True)
class Link:
    """A spring between two things, or a thing and a point; a rod where stiffness is None."""

    a: int
    b: int  # WALL for a point
    point: tuple[float, float] = (0.0, 0.0)  # px: where it is fixed, if b is WALL
    length: float = 0.0  # px
    stiffness: float | None = None  # mass px/s² per px
    damping: float = 0.0


@dataclass(frozen=True)
class Contact:
    """Two things begin to touch, or one of them and a wall."""

    time: float  # s
    a: int
    b: int  # WALL for a wall


@dataclass(frozen=True)
class Run:
    """What happened: states (frames, things, 6) as x, y, rotation, vx, vy, spin; contacts in order."""

    states: NDArray[np.float64]
    contacts: tuple[Contact, ...]


@dataclass(frozen=True)
class Setting:
    """A world before anything has happened, and how it is filmed. Walls are lines (x1, y1, x2, y2) px."""

    width: int
    height: int
    things: tuple[Thing, ...]
    gravity: tuple[float, float] = (0.0, 0.0)  # px/s²
    drag: float = 0.0  # 1/s: speed decays with exp(-drag t)
    walls: tuple[tuple[float, float, float, float], ...] = ()
    wall_elasticity: float = 1.0
    wall_friction: float = 1.0
    links: tuple[Link, ...] = ()
    fps: float = 30.0
    frames: int = 60
    ground: tuple[float, float, float] = field(default=(0.95, 0.95, 0.92))

    def without(self, thing: int) -> Setting:
        """The same with one thing far away from all others, so that the others keep their numbers."""
        gone = replace(self.things[thing], position=(1e6, 1e6), velocity=(0.0, 0.0), static=True)
        things = tuple(gone if i == thing else own for i, own in enumerate(self.things))
        links = tuple(link for link in self.links if thing not in (link.a, link.b))
        return replace(self, things=things, links=links)

    def run(self) -> Run:
        """Simulate and film it."""
        space = pymunk.Space()
        space.gravity = self.gravity
        space.damping = math.exp(-self.drag)
        space.iterations = 20
        space.collision_slop = 0.02
        bodies = [self._body(space, i, thing) for i, thing in enumerate(self.things)]
        for x1, y1, x2, y2 in self.walls:
            wall = pymunk.Segment(space.static_body, *_thick((x1, y1), (x2, y2), self.width, self.height), 20)
            wall.elasticity, wall.friction = self.wall_elasticity, self.wall_friction
            wall.collision_type = len(self.things)
            space.add(wall)
        for link in self.links:
            space.add(_joint(link, bodies, space))
        contacts: list[Contact] = []
        clock = [0.0]

        def begin(arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: object) -> None:
            a, b = (shape.collision_type for shape in arbiter.shapes)
            a, b = (WALL if index == len(self.things) else index for index in (a, b))
            contacts.append(Contact(clock[0], max(a, b), min(a, b)))

        space.on_collision(begin=begin)
        states = np.zeros((self.frames, len(bodies), 6))
        for frame in range(self.frames):
            for i, body in enumerate(bodies):
                turn = (math.degrees(body.angle), *body.velocity, math.degrees(body.angular_velocity))
                states[frame, i] = (*body.position, *turn)
            for _ in range(SUBSTEPS):
                space.step(1 / self.fps / SUBSTEPS)
                clock[0] += 1 / self.fps / SUBSTEPS
        return Run(states, tuple(contacts))

    def _body(self, space: pymunk.Space, index: int, thing: Thing) -> pymunk.Body:
        width, height = thing.size
        if thing.static:
            body = pymunk.Body(body_type=pymunk.Body.STATIC)
        elif thing.kind == "circle":
            body = pymunk.Body(thing.mass, pymunk.moment_for_circle(thing.mass, 0, width / 2))
        else:
            body = pymunk.Body(thing.mass, pymunk.moment_for_box(thing.mass, thing.size))
        body.position, body.angle = thing.position, math.radians(thing.rotation)
        if not thing.static:
            body.velocity, body.angular_velocity = thing.velocity, math.radians(thing.spin)
        shape: pymunk.Shape
        if thing.kind == "circle":
            shape = pymunk.Circle(body, width / 2)
        else:
            shape = pymunk.Poly.create_box(body, (width, height))
        shape.elasticity, shape.friction, shape.collision_type = thing.elasticity, thing.friction, index
        space.add(body, shape)
        return body


def _thick(
    a: tuple[float, float], b: tuple[float, float], width: int, height: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """A wall of 20 px radius whose surface, on the side of the picture's middle, is the line from a to b."""
    along = np.subtract(b, a) / math.dist(a, b)
    normal = np.array([-along[1], along[0]])
    if normal @ (np.array([width / 2, height / 2]) - a) > 0:
        normal = -normal
    first, last = np.add(a, 20 * normal), np.add(b, 20 * normal)
    return (float(first[0]), float(first[1])), (float(last[0]), float(last[1]))


def _joint(link: Link, bodies: list[pymunk.Body], space: pymunk.Space) -> pymunk.Constraint:
    a = bodies[link.a]
    b, anchor = (space.static_body, link.point) if link.b == WALL else (bodies[link.b], (0.0, 0.0))
    if link.stiffness is None:
        rod = pymunk.PinJoint(a, b, (0, 0), anchor)
        rod.distance = link.length
        return rod
    return pymunk.DampedSpring(a, b, (0, 0), anchor, link.length, link.stiffness, link.damping)

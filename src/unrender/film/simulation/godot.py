"""A world as a scene of Godot 4 that goes on by itself: rigid and static bodies, materials, joints, gravity.

Units as in Godot's documentation of RigidBody2D, Area2D, PhysicsMaterial and the joints: px, px/s, px/s² and
radians. Godot adds the bounces of two bodies and takes the smaller friction; so half of a contact's
restitution goes to each side, and what never moves is rough.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from unrender.exports.godot import colour, number, points, text, vector
from unrender.exports.names import numbered
from unrender.exports.polygons import painted
from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.contacts.walls import Wall
from unrender.film.simulation.run.simulator import usual, weight
from unrender.film.simulation.world import Body, Point, Spring, World
from unrender.scene import Observation
from unrender.scene.pixels import layer

REPLACE = "3"  # Area2D.SPACE_OVERRIDE_REPLACE
DAMP_REPLACE = "1"  # RigidBody2D.DAMP_MODE_REPLACE
CAST_SHAPE = "2"  # RigidBody2D.CCD_MODE_CAST_SHAPE
ROUGH = 1.0
SWING = 1e-3  # of mass times length²: the inertia of a body on a rod, which does not turn with it in the film
NEAR = 3.0  # px: a wall that ends so near to the border of the picture goes on


def tscn(world: World) -> str:
    """The world at the first frame, as text that Godot 4 opens and plays."""
    return "\n".join(_Writer(world).blocks())


class _Writer:
    """The sections of one file; resources come before the nodes that use them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.resources: list[str] = []
        self.nodes: list[str] = []
        symbols = [_symbol(world, body) for body in world.bodies]
        self.names = dict(zip((body.track for body in world.bodies), numbered(symbols), strict=True))
        self.bounce = usual(world, "restitution")

    def blocks(self) -> Iterator[str]:
        """All of the file."""
        self._gravity()
        for body in self.world.bodies:
            self._body(body)
        for k, wall in enumerate(self.world.walls, start=1):
            self._wall(wall, f"wall{k}")
        for k, spring in enumerate(self.world.springs, start=1):
            self._spring(spring, k)
        yield _section("gd_scene", {"load_steps": str(len(self.resources) + 1), "format": "3"})
        yield from self.resources
        yield _section("node", {"name": text("world"), "type": text("Node2D")})
        yield from self.nodes

    def _resource(self, kind: str, properties: Mapping[str, str]) -> str:
        name = f"{kind}_{len(self.resources) + 1}"
        self.resources.append(_section("sub_resource", {"type": text(kind), "id": text(name)}, properties))
        return f"SubResource({text(name)})"

    def _node(self, name: str, kind: str, parent: str, properties: Mapping[str, str]) -> None:
        heading = {"name": text(name), "type": text(kind), "parent": text(parent)}
        self.nodes.append(_section("node", heading, properties))

    def _gravity(self) -> None:
        """An area around everything, in which gravity is that of the film."""
        pull = self.world.gravity or (0.0, 0.0)
        size = math.hypot(*pull)
        width, height = self.world.size
        way = (pull[0] / size, pull[1] / size) if size else (0.0, 1.0)
        told = {"gravity_space_override": REPLACE, "gravity": number(size), "gravity_direction": vector(*way)}
        self._node("gravity", "Area2D", ".", told | {"position": vector(width / 2, height / 2)})
        shape = self._resource("RectangleShape2D", {"size": vector(20.0 * width, 20.0 * height)})
        self._node("shape", "CollisionShape2D", "gravity", {"shape": shape})

    def _material(self, bounce: float, friction: float) -> str:
        return self._resource("PhysicsMaterial", {"friction": number(friction), "bounce": number(bounce)})

    def _body(self, body: Body) -> None:
        form, name = self.world.shapes[body.track], self.names[body.track]
        still = body.static or (body.static is None and not form.moves)
        bounce = (self.bounce if body.restitution is None else body.restitution) / 2
        friction = usual(self.world, "friction") if body.friction is None else body.friction
        told = {"position": vector(*body.position), "rotation": number(math.radians(body.rotation))}
        told["physics_material_override"] = self._material(bounce, ROUGH if still else friction)
        if not still:
            told |= self._moving(body, form)
        self._node(name, "StaticBody2D" if still else "RigidBody2D", ".", told)
        if form.is_circle:
            shape = self._resource("CircleShape2D", {"radius": number(form.radius)})
        else:
            shape = self._resource("ConvexPolygonShape2D", {"points": points(form.outline)})
        self._node("shape", "CollisionShape2D", name, {"shape": shape})
        self._drawing(body, name)

    def _moving(self, body: Body, form: Trajectory) -> dict[str, str]:
        mass = body.mass or weight(self.world, form)
        told = {
            "mass": number(mass),
            "linear_velocity": vector(*body.velocity),
            "angular_velocity": number(math.radians(body.spin or 0.0)),
            "linear_damp_mode": DAMP_REPLACE,
            "linear_damp": number(self.world.drag or 0.0),
            "angular_damp_mode": DAMP_REPLACE,
            "angular_damp": number(self.world.drag or 0.0),
            "continuous_cd": CAST_SHAPE,
        }
        rods = [s for s in self.world.springs if s.stiffness is None and s.a is body]
        if rods:
            told["inertia"] = number(SWING * mass * (rods[0].length or 1.0) ** 2)
        return told

    def _drawing(self, body: Body, name: str) -> None:
        node = self.world.looks.get(body.track)
        if node is None:
            return
        motion = self.world.motions[body.track].states
        form = self.world.shapes[body.track]
        frame = _frame_of(form, node)
        place, turn = motion[frame, :2], 0.0 if form.is_circle else math.radians(motion[frame, 2])
        back = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        for k, (ring, shade) in enumerate(_painted(node), start=1):
            local: Array = (ring - place) @ back
            self._node(
                f"paint{k}",
                "Polygon2D",
                name,
                {"polygon": points(local), "color": shade, "antialiased": "true"},
            )

    def _wall(self, wall: Wall, name: str) -> None:
        material = self._material(self.bounce / 2, ROUGH)
        self._node(name, "StaticBody2D", ".", {"physics_material_override": material})
        if _endless(wall, self.world.size):
            told = {"normal": vector(*wall.normal), "distance": number(wall.offset)}
            shape = self._resource("WorldBoundaryShape2D", told)
        else:
            shape = self._resource("SegmentShape2D", {"a": vector(*wall.start), "b": vector(*wall.end)})
        self._node("shape", "CollisionShape2D", name, {"shape": shape})

    def _spring(self, spring: Spring, k: int) -> None:
        ends, places = [], []
        for which, end in enumerate((spring.a, spring.b)):
            if isinstance(end, Body):
                ends.append(self.names[end.track])
                places.append(end.position)
            else:
                ends.append(f"anchor{k}_{which}")
                places.append(end)
                self._node(ends[-1], "StaticBody2D", ".", {"position": vector(*end)})
        told = {"node_a": f'NodePath("../{ends[0]}")', "node_b": f'NodePath("../{ends[1]}")'}
        if spring.stiffness is None:
            self._node(f"rod{k}", "PinJoint2D", ".", {"position": vector(*places[1])} | told)
            return
        far = math.dist(*places)
        told |= {"position": vector(*places[0]), "rotation": number(_downwards(*places))}
        told |= {"length": number(far), "rest_length": number(max(spring.length or 0.0, 0.01))}
        told |= {"stiffness": number(spring.stiffness), "damping": number(spring.damping)}
        self._node(f"spring{k}", "DampedSpringJoint2D", ".", told)


def _symbol(world: World, body: Body) -> str:
    node = world.looks.get(body.track)
    return node.symbol if node is not None else "body"


def _frame_of(form: Trajectory, node: Observation) -> int:
    """The frame in which a node was seen: the one whose place is nearest to its own."""
    apart = np.linalg.norm(form.positions - np.asarray(node.position), axis=1)
    return int(np.where(form.seen, apart, np.inf).argmin())


def _painted(node: Observation) -> Iterator[tuple[Array, str]]:
    for leaf in node.primitives:
        own = layer(leaf)
        for region in painted(own):
            yield np.asarray(region[0], np.float64), colour(*own.colour)


def _downwards(a: Point, b: Point) -> float:
    """Radians by which a joint is turned so that its own y axis points from a to b."""
    return math.atan2(b[1] - a[1], b[0] - a[0]) - math.pi / 2


def _endless(wall: Wall, size: tuple[int, int]) -> bool:
    def outside(point: Point) -> bool:
        x, y = point
        return min(x, y, size[0] - x, size[1] - y) < NEAR

    return outside(wall.start) and outside(wall.end)


def _section(tag: str, heading: Mapping[str, str], properties: Mapping[str, str] | None = None) -> str:
    fields = " ".join(f"{key}={value}" for key, value in heading.items())
    return f"[{tag} {fields}]\n" + "".join(f"{key} = {value}\n" for key, value in (properties or {}).items())

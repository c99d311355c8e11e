"""The simulation that explains a film. Pixels, seconds, degrees; None is what the film cannot tell."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.film.simulation.bodies.trajectory import Array, Trajectory
from unrender.film.simulation.contacts.walls import Wall
from unrender.scene import Observation

Point = tuple[float, float]
ANY = -1  # in place of a track


@dataclass(frozen=True, eq=False)
class Body:
    """One body. `errors` are standard deviations by name: of mass, restitution, friction and velocity."""

    track: int
    position: Point  # px, in the first frame in which it was seen
    velocity: Point  # px/s, there
    mass: float | None  # relative, of mean 1
    restitution: float | None  # of its contacts
    friction: float | None  # of its contacts
    static: bool | None
    errors: Mapping[str, float] = field(default_factory=dict)
    rotation: float = 0.0  # degrees, in that frame
    spin: float | None = None  # degrees/s; None for a circle, whose turning is not seen

    def __repr__(self) -> str:
        told = [f"body of track {self.track} at {self.position[0]:.1f}, {self.position[1]:.1f}"]
        told += ["static"] if self.static else [f"{self.velocity[0]:.1f}, {self.velocity[1]:.1f} px/s"]
        for name in ("mass", "restitution", "friction"):
            value = getattr(self, name)
            told += [f"{name} {value:.2f}"] if value is not None else []
        return f"<{', '.join(told)}>"


@dataclass(frozen=True, eq=False)
class Spring:
    """A spring from `a` to `b`, each a body or a point; a rod where stiffness is None."""

    a: Body | Point
    b: Body | Point
    stiffness: float | None  # per unit mass, 1/s²
    length: float | None  # px
    damping: float  # per unit mass, 1/s
    errors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Contact:
    """Two bodies touch, or a body and a wall (b is None): at an instant, or from `frame` to `last`."""

    frame: float
    last: float
    a: int  # track
    b: int | None
    point: Point  # px
    normal: Point  # towards a
    restitution: float | None = None
    wall: Wall | None = None
    impulse: float = 0.0  # px/s by which the velocity of a changes

    @property
    def lasting(self) -> bool:
        """Whether one lies on the other, slides or rolls."""
        return self.last > self.frame


@dataclass(frozen=True, eq=False)
class Motion:
    """Where a body was in every frame, as the explanation has it: x, y px, degrees, px/s and degrees/s.

    states (F, 6); outside of first..last the body was not in the film.
    """

    states: Array
    first: int
    last: int
    sure: NDArray[np.bool_]  # (F,): whether the film tells the velocity


@dataclass(frozen=True, eq=False)
class World:
    """Everything that makes the things of a film move as they do."""

    gravity: Point | None  # px/s²
    drag: float | None  # 1/s
    walls: tuple[Wall, ...]
    bodies: tuple[Body, ...]
    springs: tuple[Spring, ...]
    contacts: tuple[Contact, ...]
    errors: Mapping[str, float]  # of gravity and drag
    fps: float
    size: tuple[int, int]
    shapes: Mapping[int, Trajectory]  # by track: what was seen
    motions: Mapping[int, Motion]  # by track: how it is explained
    apart: frozenset[frozenset[int]] = frozenset()  # pairs that pass through each other: one is behind
    likely: Mapping[tuple[int, str], float] = field(default_factory=dict)
    # by track (ANY for all others) and name: mass, restitution or friction that the film suggests, not tells
    looks: Mapping[int, Observation] = field(default_factory=dict)  # by track: how it is drawn

    def body(self, track: int) -> Body:
        """The body of a track."""
        return next(body for body in self.bodies if body.track == track)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a scene of Godot 4 (.tscn) with bodies, materials, joints and gravity, which goes
        on by itself."""
        from unrender.exports.save import check, write
        from unrender.film.simulation.godot import tscn

        goal = Path(os.fsdecode(path))
        if goal.suffix.lower() != ".tscn":
            raise UnrenderError(f'A world is saved as .tscn, not as "{goal.name}".')
        check(goal)
        write(goal, tscn(self).encode("utf-8"))

    @property
    def frames(self) -> int:
        """How long the film is."""
        return max((shape.frames for shape in self.shapes.values()), default=0)

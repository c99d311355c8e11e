"""Routes: rules, inverted. γ from parts to a whole, and g from a whole to its parts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from unrender.capsules.decoder import Decoder
from unrender.capsules.equivalents import retold
from unrender.capsules.experience import Entry, Experience
from unrender.capsules.frames import brought_back, common_turn
from unrender.capsules.gamma import (
    box_around,
    box_corners,
    circular_mean,
    corners,
    mean_attributes,
    rotation_matrix,
)
from unrender.capsules.joints import read_value
from unrender.capsules.poses import (
    HEIGHT,
    POSE,
    ROTATION,
    WIDTH,
    Floats,
    X,
    Y,
    alignment,
    equal_sides,
    pose_of,
)
from unrender.memory import PastRecord
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation


class Given(Protocol):
    """A g that was given instead of learned."""

    def __call__(self, whole: Observation) -> list[Observation]:
        """The parts of a whole, on the canvas."""

    def invert(
        self, whole: Observation, parts: Sequence[Observation], turnings: Sequence[Symmetry]
    ) -> Observation:
        """The whole whose parts come nearest to these, from a first estimate."""


@dataclass(frozen=True, eq=False)
class Route(Experience):
    """One way in which the parts λ make up the symbol Ω."""

    decoder: Decoder | None = None  # what g knows beyond the mean of memory
    noticer: Decoder | None = None  # γ_new: attributes that are the whole's own, from its parts
    given: Given | None = field(default=None, compare=False)
    kind: str = "configuration"
    label: str = ""
    learned: int = 0  # rank in the order in which the routes of a network were learned
    past: PastRecord | None = None  # what is remembered beyond the examples in memory
    variant: str = ""  # of one that no example but those of its kin tell: "~mirrored", "~1.2" times as long
    allows: tuple[
        str, ...
    ] = ()  # variants that a person has allowed without an example: "mirrored", "stretch"
    shape: tuple[int, ...] = ()  # of one that no example but a repetition tells: how many copies it has

    @property
    def name(self) -> str:
        """ "flower/1"; for another count than those that were taught "flower/*9", of a grid "shelf/*3x4"."""
        number = f"*{'x'.join(map(str, self.shape))}" if self.shape else str(self.number)
        return f"{self.symbol}/{number}{self.variant}"

    @property
    def taught(self) -> bool:
        """Whether examples tell it; else it follows from other routes, and is not kept."""
        return not self.shape and not self.variant

    @cached_property
    def past_p(self) -> Floats:
        """(P,): p̄, the mean probability of each input over all examples and all that is remembered."""
        p = np.array([[part.p for part in entry.parts] for entry in self.memory])
        counts, sums = np.full(len(self.parts), float(len(p))), p.sum(0)
        if self.past is not None:
            counts, sums = counts + self.past.counts, sums + np.multiply(self.past.counts, self.past.means)
        mean: Floats = (sums / counts).clip(1e-3)
        return mean

    def encode(self, parts: Sequence[Observation], turn: float) -> Observation:
        """γ: the whole that these parts make up (Equation CapsuleInternals0).

        turn: about how far the whole is turned; each part is put into the equivalent pose that comes
        nearest to what the route expects of it then.
        """
        told = [retold(part, known)[0] for part, known in zip(parts, self.memory[0].parts, strict=True)]
        seen = np.stack([pose_of(part) for part in told])
        read, turn = self._turned(seen, turn)
        read, rotation = self._turned(seen, turn)
        poses = np.stack([pose for pose, _ in read])
        if self.hinged and self.given is None and len(parts) > 2:
            poses, _ = brought_back(poses, self._still, rotation, self.widths[:, :POSE])
        points = np.concatenate(
            [
                box_corners(pose[[X, Y]], pose[[WIDTH, HEIGHT]], rotation_matrix(pose[ROTATION]))
                for pose in poses
            ]
        )
        position, size = box_around(points, rotation_matrix(rotation))
        position, size = self._from_box(position, size, rotation)
        if len(parts) == 1:  # it says how large the whole is, not how a whole may be stretched
            size = math.sqrt(size[0] * size[1]) * np.exp(self.aspect / 2 * np.array([-1.0, 1.0]))
        for j, (_, quarter) in enumerate(read):
            if quarter and self.turnings[j].exchanges:
                told[j] = replace(told[j], attributes=self.turnings[j].exchanged(told[j].attributes))
        means = mean_attributes(told)
        whole = Observation(
            self.symbol,
            (float(position[0]), float(position[1])),
            (float(size[0]), float(size[1])),
            math.remainder(rotation, 360.0),
            {name: means.get(name, 0.0) for name in self.names},
            route=self.name,
            parts=list(parts),
        )
        if self.noticer is not None:
            whole.attributes |= self.noticed(Entry(tuple(parts), whole))
        return whole if self.given is None else self.given.invert(whole, parts, self.turnings)

    def noticed(self, entry: Entry) -> dict[str, float]:
        """γ_new: the whole's own attributes, from its parts in the frame that γ_old gives."""
        if self.noticer is None:
            return {}
        values = self.noticer(self.offsets(entry)).clip(0.0, 1.0)
        for k in {joint.own for joint in self.joints}:
            own = [joint for joint in self.joints if joint.own == k]
            others = self.unbent(values)[1] - self.unbent(np.zeros_like(values))[1]  # what else moves them
            rows = self.metric(self.framed(entry, self.rows[0]) - others, self.told(entry.whole))
            values[k] = read_value(own, rows, self.widths[:, :POSE], self.periods)
        return {name: float(value) for name, value in zip(self.own, values, strict=True)}

    def _turned(self, seen: Floats, turn: float) -> tuple[list[tuple[Floats, bool]], float]:
        """The parts (P, 5) in the poses that a whole turned by about `turn` expects, each with whether its
        sides have changed places, and the turn of the whole by them.

        A part that looks the same however it is turned says nothing; if all do, their places say it.
        """
        expected = self.rows[0, :, :POSE].copy()
        expected[:, ROTATION] += turn
        expected[:, [WIDTH, HEIGHT]] = np.exp(expected[:, [WIDTH, HEIGHT]])
        sides = np.log(seen[:, [WIDTH, HEIGHT]]).sum(1) - np.log(expected[:, [WIDTH, HEIGHT]]).sum(1)
        expected[:, [WIDTH, HEIGHT]] *= math.exp(float(sides.mean()) / 2)  # compared at the same scale
        read = [
            alignment(pose, wanted, turning)
            for pose, wanted, turning in zip(seen, expected, self.turnings, strict=True)
        ]
        turns = np.array([pose[ROTATION] for pose, _ in read]) - expected[:, ROTATION]
        weights = np.hypot(seen[:, WIDTH], seen[:, HEIGHT]) * [
            float(turning.shows(bool(equal_sides(pose))))
            for turning, pose in zip(self.turnings, seen, strict=True)
        ]
        if weights.sum() > 0:
            return read, turn + (common_turn if self.hinged else circular_mean)(turns, weights)
        return read, self._turn_by_places(seen, turn)

    def _turn_by_places(self, seen: Floats, turn: float) -> float:
        """The turn that carries the parts of the first example nearest to these; `turn` if all meet."""
        sides = np.exp(self.inputs[0, 0] / 2 * np.array([-1.0, 1.0]))
        known = self.rows[0][:, [X, Y]] * sides
        now = seen[:, [X, Y]] - seen[:, [X, Y]].mean(0)
        product = ((now[:, 0] + 1j * now[:, 1]) * np.conj((known - known.mean(0)) @ [1, 1j])).sum()
        return math.degrees(float(np.angle(product))) if abs(product) > 1e-9 else turn

    @cached_property
    def _still(self) -> Floats:
        """(P, 5): the parts of the first example in its frame, in its mean sides."""
        still = self.metric(self.rows[0], self.inputs[0])
        still[:, [WIDTH, HEIGHT]] = np.exp(still[:, [WIDTH, HEIGHT]])
        return still

    @cached_property
    def _box(self) -> tuple[Floats, Floats]:
        """Centre and size of the box around the parts, in units of the whole's sides: 0 and 1, unless a
        grammar has put the frame elsewhere."""
        top, parts = self.memory[0].whole, self.memory[0].parts
        turn = rotation_matrix(top.rotation)
        centre, size = box_around(np.concatenate([corners(part) for part in parts]), turn)
        sides = np.asarray(top.size)
        return (centre - top.position) @ turn / sides, size / sides

    def _from_box(self, centre: Floats, size: Floats, rotation: float) -> tuple[Floats, Floats]:
        """Position and size of the whole from those of the box around its parts."""
        offset, share = self._box
        sides = size / share
        return centre - rotation_matrix(rotation) @ (offset * sides), sides

    def decode(self, whole: Observation) -> list[Observation]:
        """g: the parts that this whole should have (Equation CapsuleInternals1)."""
        if self.given is not None:
            return self.given(whole)
        told = self.told(whole)
        rows = self.base(told).copy()
        if self.decoder is not None and self.foreseen:
            rows += self.decoder(told - self.inputs.mean(0)).reshape(rows.shape)
        return [self._part(j, rows[j], whole, told[1:]) for j in range(len(self.parts))]

    def base(self, told: Floats) -> Floats:
        """(P, 5 + S): what g departs from: the whole at rest; if it has joints, with these turned."""
        return self.bent(self.rest, told[self.owned], told[0]) if self.joints else self.rest

    def typical(self, whole: Observation) -> list[Observation]:
        """The parts of a whole as memory has them, by its own attributes alone."""
        told = self.told(whole)
        rows = self.varied(told[self.owned])[1]
        return [self._part(j, rows[j], whole, told[1:]) for j in range(len(self.parts))]

    def _part(self, j: int, row: Floats, whole: Observation, style: Floats) -> Observation:
        """One part on the canvas, from its row in the frame of the whole."""
        sides = np.asarray(whole.size)
        scale = math.sqrt(sides[0] * sides[1])
        x, y = rotation_matrix(whole.rotation) @ (row[[X, Y]] * sides) + whole.position
        wide, high = scale * np.exp(row[[WIDTH, HEIGHT]]) * self.stretch(row[ROTATION], whole.size)
        attributes = {
            name: float(min(self.bounds[j][k][1], max(self.bounds[j][k][0], style[k] + row[POSE + k])))
            for k, name in enumerate(self.names)
            if self.has[j, k]
        }
        return Observation(
            self.parts[j],
            (float(x), float(y)),
            (float(wide), float(high)),
            math.remainder(float(row[ROTATION]) + whole.rotation, 360.0),
            attributes,
            form=self.memory[0].parts[j].form,
            count=self.memory[0].parts[j].count,
        )

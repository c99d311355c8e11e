"""Experience: what permanent memory holds for a route, and how closely it expects it again.

Everything about the parts is kept in the parent's frame: the origin at its centre, the axes turned with
it, positions in units of its sides, sizes in units of their geometric mean. Position, rotation and scale
are then exact by construction (T needs no samples).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.equivalents import read_like, retold
from unrender.capsules.gamma import rotation_matrix
from unrender.capsules.joints import Joint, find_joints
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y, equal_sides, pose_of
from unrender.capsules.variation import Variation
from unrender.grammar.attribute import STROKE_NAMES, one_colour
from unrender.primitives.registry import primitives
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation
from unrender.scene.line import Line

DEFAULT_WIDTH = np.array([0.06, 0.06, 0.15, 0.15, 12.0])  # of the windows: sides, log sides, degrees
LONE_WIDTH = 0.05  # of the sides of an only part, whose proportions are all that tells the whole
STYLE_WIDTH = 0.6  # of the window of any other attribute
UNSEEN = 0.05  # ε: an attribute that memory never holds above this has never been seen
SURE = 0.9  # of what a route will show next, which its windows must reach
BORROWED = 3  # examples that a part which is an object itself borrows from how all such parts vary


@dataclass(frozen=True)
class Entry:
    """One line of permanent memory: ((p_λ), (α_λ), (α_Ω)) of a route (Equation memoryTrainingSet)."""

    parts: tuple[Observation, ...]
    whole: Observation
    lines: tuple[Line, ...] = field(default=(), compare=False)  # of the picture, where they could be told

    def __post_init__(self) -> None:
        """Keep copies that nobody can edit and that keep no scene alive; the parts' own parts are told by
        their own routes."""
        object.__setattr__(self, "parts", tuple(_bare(part) for part in self.parts))
        object.__setattr__(self, "whole", _bare(self.whole))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        told = {"whole": self.whole.to_dict(), "parts": [part.to_dict() for part in self.parts]}
        return told | ({"lines": [line.to_list() for line in self.lines]} if self.lines else {})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Entry:
        parts = tuple(Observation.from_dict(part) for part in data["parts"])
        lines = tuple(Line.from_list(line) for line in data.get("lines", ()))
        return cls(parts, Observation.from_dict(data["whole"]), lines)


def _bare(node: Observation) -> Observation:
    """A node by itself: its pose and looks."""
    return replace(node, attributes=dict(node.attributes), parts=[], hidden=[], rivals=[], scene=None)


@dataclass(frozen=True, eq=False)
class Experience:
    """All examples of one arrangement of parts λ, seen from the whole Ω that they make up."""

    symbol: str
    number: int  # counted from 1
    parts: tuple[str, ...]  # symbols, back to front
    names: tuple[str, ...]  # attributes of Ω besides its pose
    turnings: tuple[Symmetry, ...]  # of each part
    memory: tuple[Entry, ...]
    lent: tuple[tuple[float, ...], ...] = ()  # (P, 5): how much parts like these vary elsewhere, see `widths`
    hinged: bool = False  # whether its g was trained with joints; brains of the first version know none

    @cached_property
    def own(self) -> tuple[str, ...]:
        """The attributes that no part has but memory has seen: those that were taught of the whole itself."""
        return tuple(
            name
            for k, name in enumerate(self.names)
            if not self.has[:, k].any() and (self.inputs[:, 1 + k] > UNSEEN).any()
        )

    @cached_property
    def owned(self) -> NDArray[np.int64]:
        """The columns of `inputs` that are the whole's own."""
        return np.array([1 + self.names.index(name) for name in self.own], np.int64)

    @cached_property
    def rows(self) -> Floats:
        """(E, P, 5 + S): the parts of every entry; styles as differences from the whole's, sides as if the
        whole had the proportions of the first one."""
        first = self.framed(self.memory[0])
        return np.stack([first, *(self.framed(entry, first) for entry in self.memory[1:])])

    @cached_property
    def sides(self) -> Floats:
        """(E, P, 2): width and height of the parts of every entry, in units of the whole's mean side."""
        grown = [
            [self.stretch(row[ROTATION], entry.whole.size) for row in rows]
            for rows, entry in zip(self.rows, self.memory, strict=True)
        ]
        sides: Floats = np.exp(self.rows[..., [WIDTH, HEIGHT]]) * np.array(grown)
        return sides

    @cached_property
    def inputs(self) -> Floats:
        """(E, 1 + S): what g is told of every entry."""
        return np.stack([self.told(entry.whole) for entry in self.memory])

    @cached_property
    def variation(self) -> Variation:
        """What memory says of `inputs` and `rows`, side by side, by the whole's own attributes."""
        rows = self.rows
        if self.joints:  # what these do is told by them
            own = self.inputs[:, self.owned]
            rows = rows - (self.bent(rows, own, self.inputs[:, 0]) - rows)
        rows = rows[0] + self.unturned(rows - rows[0])
        return Variation.of(
            self.inputs[:, self.owned],
            np.concatenate([self.inputs, rows.reshape(len(rows), -1)], axis=1),
        )

    def varied(self, own: Floats) -> tuple[Floats, Floats]:
        """Inputs (..., 1 + S) and rows (..., P, 5 + S) of a whole with these values of its own (..., N)."""
        inputs, rows = self.unbent(own)
        return inputs, self.bent(rows, own, inputs[..., 0])

    def unbent(self, own: Floats) -> tuple[Floats, Floats]:
        """The same with its joints at rest."""
        values, split = self.variation(own), self.inputs.shape[1]
        return values[..., :split], values[..., split:].reshape(*own.shape[:-1], *self.rows.shape[1:])

    def bent(self, rows: Floats, own: Floats, aspect: Floats) -> Floats:
        """Rows (..., P, 5 + S) with the joints of a whole with these values of its own (..., N) turned."""
        out = np.broadcast_to(rows, (*own.shape[:-1], *rows.shape[-2:])).copy()
        for joint in self.joints:
            x, y, turn = joint.pose(own[..., joint.own])
            half = aspect / 2
            out[..., joint.part, X] += (x - joint.start[0]) * np.exp(half)
            out[..., joint.part, Y] += (y - joint.start[1]) * np.exp(-half)
            out[..., joint.part, ROTATION] += turn - joint.start[2]
        return out

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The parts that turn about a point as the whole's own attributes grow."""
        if not self.hinged or not self.own or len(self.memory) < 2:
            return ()
        own = self.inputs[:, self.owned]
        return find_joints(own, self.metric(self.rows, self.inputs), self.periods)

    @staticmethod
    def metric(rows: Floats, inputs: Floats) -> Floats:
        """Poses (..., P, 5) with places in mean sides, from rows (..., P, 5 + S) of wholes (..., 1 + S)."""
        poses: Floats = rows[..., :POSE].copy()
        half = inputs[..., :1] / 2
        poses[..., X] *= np.exp(-half)
        poses[..., Y] *= np.exp(half)
        return poses

    @cached_property
    def periods(self) -> Floats:
        """(P,): degrees after which each part looks the same; 0 for any turn."""
        parts = zip(self.turnings, self.memory[0].parts, strict=True)
        return np.array([turning.period(bool(equal_sides(pose_of(part)))) for turning, part in parts])

    def unturned(self, off: Floats) -> Floats:
        """Differences of rows (..., P, 5 + S), turned by as little as looks the same."""
        out = off.copy()
        repeat = np.where(self.periods > 0, self.periods, 360.0) if self.joints else 360.0
        out[..., ROTATION] -= repeat * np.round(out[..., ROTATION] / repeat)
        return out

    @cached_property
    def rest(self) -> Floats:
        """(P, 5 + S): the mean of memory; with attributes of its own, the whole that has none of them."""
        rows: Floats = self.varied(np.zeros(len(self.own)))[1]
        return rows

    @cached_property
    def aspect(self) -> float:
        """log(height / width) at rest."""
        return float(self.varied(np.zeros(len(self.own)))[0][0])

    @cached_property
    def widths(self) -> Floats:
        """(P, 5 + S): the windows, a default widened by the spread of memory that nothing explains. While
        there are few examples, what other objects lend counts as BORROWED of them."""
        default = np.concatenate([DEFAULT_WIDTH, np.full(len(self.names), STYLE_WIDTH)])
        if len(self.parts) == 1:
            default[[WIDTH, HEIGHT]] = LONE_WIDTH
        off = self.unturned(self.rows - self.varied(self.inputs[:, self.owned])[1])
        spread: Floats = _reach(len(off), SURE) * np.sqrt((off**2).mean(0))
        if self.lent:
            spread[:, :POSE] = np.maximum(spread[:, :POSE], self._borrowed(off[..., :POSE]))
        wholes = np.array([part.route is not None for part in self.memory[0].parts])
        if wholes.any() and len(off) > 1:
            spread[wholes] = _reached_together(off[:, wholes])
        return default + spread

    def _borrowed(self, off: Floats) -> Floats:
        """(P, 5): the spread of parts that are off by (E, P, 5) in memory and vary elsewhere as was lent."""
        from scipy.special import stdtrit

        own = len(off) - 1
        freedom = own + BORROWED
        squares = own * off.var(0, ddof=1) if own else np.zeros(off.shape[1:])
        together = (squares + BORROWED * np.square(self.lent)) / freedom
        reached: Floats = float(stdtrit(freedom, SURE)) * math.sqrt(1 + 1 / len(off)) * np.sqrt(together)
        return reached

    @cached_property
    def loose(self) -> bool:
        """Whether memory holds clearly different arrangements, or objects of such parts do."""
        return bool((self.widths[:, :POSE] > 1.5 * DEFAULT_WIDTH).any())

    @cached_property
    def foreseen(self) -> bool:
        """Whether the looks of a whole tell where its parts are, or these vary freely: of three examples and
        more, whether the others foretell each one better than their mean does."""
        if len(self.memory) < 3 or not self.loose:
            return True
        rows = self.unturned(self.rows - self.varied(self.inputs[:, self.owned])[1])[..., :POSE]
        rows = (rows / self.widths[:, :POSE]).reshape(len(rows), -1)
        looks = np.concatenate([np.ones((len(rows), 1)), self.inputs - self.inputs.mean(0)], axis=1)
        foretold = by_mean = 0.0
        for left in range(len(rows)):
            others = np.arange(len(rows)) != left
            square = looks[others].T @ looks[others] + 1e-2 * np.eye(looks.shape[1])
            guess = looks[left] @ np.linalg.solve(square, looks[others].T @ rows[others])
            foretold += float(((guess - rows[left]) ** 2).sum())
            by_mean += float(((rows[others].mean(0) - rows[left]) ** 2).sum())
        return foretold < by_mean

    @cached_property
    def has(self) -> Floats:
        """(P, S): 1 where a part has the attribute, else 0."""
        return np.array(
            [[float(name in part.attributes) for name in self.names] for part in self.memory[0].parts]
        ).reshape(len(self.parts), len(self.names))

    @cached_property
    def bounds(self) -> list[list[tuple[float, float]]]:
        """(P, S, 2): between which values each attribute of a part lies: those of a primitive's own
        parameters, else 0 and 1."""
        kinds = [primitives().get(symbol) for symbol in self.parts]
        own = [{} if kind is None else {a.name: (a.low, a.high) for a in kind.own} for kind in kinds]
        return [[known.get(name, (0.0, 1.0)) for name in self.names] for known in own]

    @cached_property
    def bordered(self) -> NDArray[np.bool_]:
        """(P,): the parts that memory has seen with a stroke of another colour than the inside."""
        seen = zip(*(entry.parts for entry in self.memory), strict=True)
        return np.array([any(not one_colour(part.attributes) for part in own) for own in seen], bool)

    def compared(self, j: int, seen: Observation) -> list[str]:
        """The attributes in which what is seen is compared with part j; of one that is and was of one colour,
        that colour once."""
        twice = () if self.bordered[j] or not one_colour(seen.attributes) else STROKE_NAMES
        return [name for name in self.names if name in seen.attributes and name not in twice]

    def told(self, whole: Observation) -> Floats:
        """(1 + S,): what g is told of a whole: its form and its style, but not its pose."""
        style = [whole.attributes.get(name, 0.0) for name in self.names]
        return np.array([math.log(whole.size[1] / whole.size[0]), *style])

    def offsets(self, entry: Entry) -> Floats:
        """(P · (5 + S),): how the parts of an entry depart from rest, in units of the windows."""
        off = self.framed(entry, self.rows[0]) - self.rest
        off[:, ROTATION] -= 360 * np.round(off[:, ROTATION] / 360)
        flat: Floats = (off / self.widths).reshape(-1)
        return flat

    def framed(self, entry: Entry, like: Floats | None = None) -> Floats:
        """(P, 5 + S): the parts of an entry in the frame of its whole, turned to the poses of `like`."""
        top, turn = entry.whole, rotation_matrix(entry.whole.rotation)
        sides = np.asarray(top.size)
        scale = math.sqrt(sides[0] * sides[1])
        out = np.zeros((len(entry.parts), POSE + len(self.names)))
        for j, part in enumerate(entry.parts):
            part = retold(part, self.memory[0].parts[j])[0]
            row, looks = pose_of(part), dict(part.attributes)
            if like is not None:
                wanted = like[j, :POSE].copy()
                wanted[[WIDTH, HEIGHT]] = scale * np.exp(wanted[[WIDTH, HEIGHT]])
                wanted[ROTATION] += top.rotation
                row, looks = read_like(part, wanted, self.turnings[j])
            row[[X, Y]] = (row[[X, Y]] - top.position) @ turn / sides
            row[ROTATION] -= top.rotation
            row[[WIDTH, HEIGHT]] /= scale
            row[[WIDTH, HEIGHT]] = np.log(row[[WIDTH, HEIGHT]] / self.stretch(row[ROTATION], top.size))
            out[j, :POSE] = row
            for k, name in enumerate(self.names):
                if name in looks:
                    out[j, POSE + k] = looks[name] - top.attributes.get(name, 0.0)
        return out

    def stretch(self, rotation: float, sides: tuple[float, float]) -> Floats:
        """(2,): by how much a part so turned in the frame grows when a whole that was taught in other
        proportions is stretched to these sides."""
        first = self.memory[0].whole.size
        half = math.log(sides[1] * first[0] / (sides[0] * first[1])) / 2
        cos, sin = math.cos(math.radians(rotation)), math.sin(math.radians(rotation))
        across, along = math.exp(-half), math.exp(half)
        return np.array([math.hypot(cos * across, sin * along), math.hypot(sin * across, cos * along)])


@cache
def _reach(count: int, sure: float) -> float:
    """By how many standard deviations of so few examples a window is widened: the prediction interval of
    Student's t, wide while little is known."""
    if count < 2:
        return 0.0
    from scipy.special import stdtrit

    spread = math.sqrt(count / (count - 1))  # of the sample rather than of the examples alone
    return max(2.0, float(stdtrit(count - 1, sure)) * spread * math.sqrt(1 + 1 / count))


def _reached_together(off: Floats) -> Floats:
    """(W, 5 + S): by how much the windows of parts that are objects themselves, which are not mistaken so
    easily, are widened if memory has them off by (E, W, 5 + S): so that one more example is reached in all of
    its poses at once. Where some of these parts vary, the others may: each borrows from all."""
    from scipy.special import stdtrit

    squares, count = (off**2).sum(0), len(off)
    together = squares.mean(0) / (count - 1)
    for kind in ([X, Y], [WIDTH, HEIGHT]):
        together[kind] = together[kind].mean()
    freedom = count - 1 + BORROWED
    sure = 1 - (1 - SURE) / (2 * POSE * off.shape[1])
    reach = float(stdtrit(freedom, sure)) * math.sqrt(1 + 1 / count)
    reached: Floats = reach * np.sqrt((squares + BORROWED * together) / freedom)
    return reached

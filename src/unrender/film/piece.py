"""A piece of a track, and how surprising it is that one piece goes on as another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from unrender.scene import Observation, Scene

Array = NDArray[np.float64]

TAIL = 6  # frames from which the motion at the end of a piece is told
PLACE = 0.4  # px: standard deviation of a place that is seen
SWAY = 0.12  # of its speed, per frame out of sight: how far from its course it may have come
TURNED = 16.0  # bits of a motion that has changed, as at a bounce
JUMPED = 22.0  # bits of an object that is elsewhere in the next frame, as where a keyframe is held
REACH = 1.6  # times its speed, how far an object may have come
LOOKS, SIDES, SYMBOL = 0.08, 0.15, 10.0  # standard deviations of an attribute and the log of a side; bits
MOST_LOOKS = 24.0  # bits of looks that differ, at most


@dataclass(frozen=True)
class Course:
    """A motion at the end of a piece: place + velocity dt + acceleration dt² / 2."""

    frame: int
    place: Array
    velocity: Array
    bend: Array

    def at(self, frame: float) -> Array:
        """(2,) px."""
        dt = frame - self.frame
        found: Array = self.place + self.velocity * dt + self.bend * dt**2 / 2
        return found

    def going(self, frame: float) -> Array:
        """(2,) px per frame."""
        found: Array = self.velocity + self.bend * (frame - self.frame)
        return found


@dataclass(frozen=True, eq=False)
class Piece:
    """One object over some frames."""

    frames: NDArray[np.int64]  # (N,), growing
    nodes: Sequence[Observation]  # (N,)
    part: bool = False  # whether it was a part of something

    @classmethod
    def of(cls, frames: Sequence[int], nodes: Sequence[Observation], part: bool = False) -> Piece:
        return cls(np.asarray(frames, np.int64), list(nodes), part)

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def first(self) -> int:
        return int(self.frames[0])

    @property
    def last(self) -> int:
        return int(self.frames[-1])

    @cached_property
    def places(self) -> Array:
        """(N, 2) px."""
        return np.array([node.position for node in self.nodes], float)

    @cached_property
    def side(self) -> float:
        """px: of a square as large as it usually is."""
        return float(np.median([math.sqrt(max(math.prod(node.size), 1.0)) for node in self.nodes]))

    @property
    def usual(self) -> Observation:
        """How it looks midway."""
        return self.nodes[len(self) // 2]

    def cut_at_gaps(self) -> list[Piece]:
        """The pieces in which it was always in sight."""
        cuts = np.flatnonzero(np.diff(self.frames) > 1) + 1
        bounds = [0, *cuts.tolist(), len(self)]
        return [self._between(a, b) for a, b in pairwise(bounds)]

    def split(self, frame: int) -> tuple[Piece, Piece]:
        """What was before a frame, and what is from it on."""
        at = int(np.searchsorted(self.frames, frame))
        return self._between(0, at), self._between(at, len(self))

    @cached_property
    def without_end(self) -> Piece:
        """Without its last TAIL frames, if as many are left."""
        return self._between(0, len(self) - TAIL) if len(self) >= 2 * TAIL else self

    @cached_property
    def without_start(self) -> Piece:
        """Without its first TAIL frames, if as many are left."""
        return self._between(TAIL, len(self)) if len(self) >= 2 * TAIL else self

    def _between(self, a: int, b: int) -> Piece:
        return replace(self, frames=self.frames[a:b], nodes=self.nodes[a:b])

    def joined(self, later: Piece) -> Piece:
        """Both as one."""
        if len(self) == 0 or len(later) == 0:
            return later if len(self) == 0 else self
        return replace(
            self, frames=np.concatenate([self.frames, later.frames]), nodes=[*self.nodes, *later.nodes]
        )

    def with_glimpse(self, other: Piece) -> Piece:
        """With what was seen in other frames."""
        both = sorted(
            [
                *zip(self.frames.tolist(), self.nodes, strict=True),
                *zip(other.frames.tolist(), other.nodes, strict=True),
            ],
            key=lambda pair: pair[0],
        )
        return Piece.of([frame for frame, _ in both], [node for _, node in both], self.part)

    def like(self, other: Piece) -> bool:
        """Whether two pieces look so alike that they may be taken for one another."""
        return looks_apart(self.nodes[0], other.nodes[0]) < SYMBOL

    @cached_property
    def ending(self) -> Course:
        """Its motion at its end."""
        return course(self.frames[-TAIL:], self.places[-TAIL:], -1)

    @cached_property
    def beginning(self) -> Course:
        """Its motion at its beginning."""
        return course(self.frames[:TAIL], self.places[:TAIL], 0)


def course(frames: NDArray[np.int64], places: Array, at: int) -> Course:
    """The simplest motion through places (N, 2): resting, straight or bent, by what each leaves over."""
    t, here = (frames - frames[at]).astype(float), places[at]
    zero = np.zeros(2)
    if len(t) < 2:
        return Course(int(frames[at]), here, zero, zero)
    best, least = Course(int(frames[at]), here, zero, zero), math.inf
    for degree in range(min(3, len(t) - 1 if len(t) > 2 else 2)):
        found = np.polynomial.polynomial.polyfit(t, places, degree)
        off = places - np.polynomial.polynomial.polyval(t, found).T
        bits = float((off**2).sum()) / (2 * (PLACE / 4) ** 2 * math.log(2)) + 4.0 * degree
        if bits < least:
            rows = np.zeros((3, 2))
            rows[: degree + 1] = found
            best, least = Course(int(frames[at]), rows[0], rows[1], 2 * rows[2]), bits
    return best


def surprise(one: Piece, later: Piece, slack: float = 0.0) -> float:
    """Bits of the later piece being the same object: where it is, how it moves and what it looks like, by
    what the earlier one leads to expect. A motion that has changed costs no more than saying so, as long as
    it can have come there.

    slack: px by which places at the ends may be off besides, as where something hides a part of it.
    """
    if len(one) == 0 or len(later) == 0:
        return 0.0
    if later.first - one.last > 1:  # near what hides it, little of it shows, and where it is is less sure
        surer = one.without_end, later.without_start
        return min(_surprise(one, later, slack), _surprise(*surer, slack))
    return _surprise(one, later, slack)


def _surprise(one: Piece, later: Piece, slack: float) -> float:
    # at its ends it may be cut off or beside something alike: how it looks in between counts as well
    pairs = (one.nodes[-1], later.nodes[0]), (one.usual, later.usual)
    looks = min(looks_apart(a, b) for a, b in pairs)
    ahead, back = one.ending, later.beginning
    gap, middle = later.first - one.last, (one.last + later.first) / 2
    speed = max(math.hypot(*ahead.velocity), math.hypot(*back.velocity))
    sigma = PLACE + slack + SWAY * speed * (gap - 1) + 0.05 * (gap - 1)
    off = float(((ahead.at(middle) - back.at(middle)) ** 2).sum()) / sigma**2
    pace = PLACE / 2 + SWAY * speed + slack / TAIL
    if min(len(one), len(later)) > 1:
        off += float(((ahead.going(middle) - back.going(middle)) ** 2).sum()) / pace**2
    bits = off / (2 * math.log(2))
    stepped = math.dist(one.places[-1], later.places[0])
    reach = REACH * speed * gap + 2 * (PLACE + slack) + 0.1 * one.side
    if stepped <= reach:
        bits = min(bits, TURNED)
    elif gap == 1:
        bits = min(bits, JUMPED)
    return bits + looks + 2 * math.log2(sigma / PLACE)  # of a density that is as much wider in the plane


def looks_apart(a: Observation, b: Observation) -> float:
    """Bits of two sightings being the same object, by symbol, size and attributes."""
    shared = a.attributes.keys() & b.attributes.keys()
    looks = sum(min(abs(a.attributes[name] - b.attributes[name]), 1.0) ** 2 for name in shared) / LOOKS**2
    sides = zip(sorted(a.size), sorted(b.size), strict=True)
    grown = sum(math.log(max(x, 1e-6) / max(y, 1e-6)) ** 2 for x, y in sides) / SIDES**2
    bits = (min(looks, MOST_LOOKS) + min(grown, MOST_LOOKS)) / (2 * math.log(2))
    return bits + SYMBOL * (a.symbol != b.symbol)


def pieces_of(scenes: Sequence[Scene]) -> list[Piece]:
    """The tracks of scenes as they were followed from frame to frame."""
    found: dict[tuple[int, bool], tuple[list[int], list[Observation]]] = {}
    for frame, scene in enumerate(scenes):
        for axiom in scene.axioms:
            for node in axiom.walk():
                if node.track is not None:
                    frames, nodes = found.setdefault((node.track, node is not axiom), ([], []))
                    frames.append(frame)
                    nodes.append(node)
    return [Piece.of(*seen, part) for (_, part), seen in found.items()]


def as_whole(part: Observation, whole: Observation) -> Observation:
    """A part in the frame of its whole, in units of the whole's size."""
    scale = math.sqrt(max(math.prod(whole.size), 1e-6))
    dx, dy = (a - b for a, b in zip(part.position, whole.position, strict=True))
    turn = math.radians(whole.rotation)
    cos, sin = math.cos(turn), math.sin(turn)
    place = ((cos * dx + sin * dy) / scale, (cos * dy - sin * dx) / scale)
    size = (part.size[0] / scale, part.size[1] / scale)
    return replace(
        part, position=place, size=size, rotation=part.rotation - whole.rotation, parts=[], scene=None
    )

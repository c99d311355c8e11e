"""The frame of a body: where an object stands, by those of its parts that keep their places.

A raised arm must not turn the robot. Every part, and every two of them, propose a pose of the whole; that
with which most of the object agrees is taken, and refined by those parts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.network import in_order
from unrender.capsules.poses import alignment, equal_sides, pose_of
from unrender.capsules.route import Route
from unrender.film.track import Track
from unrender.scene import Observation

Array = NDArray[np.float64]
X, Y, WIDTH, HEIGHT, ROTATION = range(5)

PLACE, PIXEL = 0.03, 0.6  # of the object's size, and px: how far a part that keeps its place may be off
SIDE, TURN = 0.1, 7.0  # log of a side, degrees: the same
AGAIN = 3  # times that a frame is refined


@dataclass(frozen=True)
class BodyFrame:
    """A similarity: scale, rotation in degrees, and where the origin goes."""

    scale: float
    rotation: float
    shift: tuple[float, float]

    def forward(self, points: Array) -> Array:
        """Points (N, 2) of the object as it was taught, on the canvas."""
        cos, sin = math.cos(math.radians(self.rotation)), math.sin(math.radians(self.rotation))
        found: Array = self.scale * points @ np.array([[cos, sin], [-sin, cos]]) + self.shift
        return found

    def backward(self, points: Array) -> Array:
        """The inverse."""
        cos, sin = math.cos(math.radians(self.rotation)), math.sin(math.radians(self.rotation))
        found: Array = (points - self.shift) @ np.array([[cos, -sin], [sin, cos]]) / self.scale
        return found


@dataclass(frozen=True, eq=False)
class Skeleton:
    """The parts of an object as it was first taught."""

    route: Route

    @cached_property
    def rest(self) -> Array:
        """(P, 5): x, y, width, height and rotation of every part."""
        return np.stack([pose_of(part) for part in self.route.memory[0].parts])

    @cached_property
    def side(self) -> float:
        """px: of a square as large as the object was."""
        return math.sqrt(math.prod(self.route.memory[0].whole.size))

    @cached_property
    def levers(self) -> Array:
        """(P,): half of the longer side of every part, as a share of the object's."""
        found: Array = self.rest[:, [WIDTH, HEIGHT]].max(1) / 2 / self.side
        return found

    @cached_property
    def periods(self) -> Array:
        """(P,): after which turn each part looks the same again, in units of `Limbs.moves`."""
        degrees = [
            turning.period(bool(equal_sides(pose))) or 360.0
            for turning, pose in zip(self.route.turnings, self.rest, strict=True)
        ]
        found: Array = np.radians(degrees) * self.levers
        return found

    def read(self, j: int, pose: Array, turn: float) -> Array:
        """A part in the equivalent pose that is nearest to its place in an object that is turned so far."""
        wanted = self.rest[j].copy()
        grown = math.sqrt(pose[WIDTH] * pose[HEIGHT] / (wanted[WIDTH] * wanted[HEIGHT]))
        wanted[[WIDTH, HEIGHT]] *= grown
        wanted[ROTATION] += turn
        return alignment(pose, wanted, self.route.turnings[j])[0]

    def shows_turn(self, j: int) -> bool:
        """Whether one can see how far a part is turned."""
        return bool(self.route.turnings[j].shows(bool(equal_sides(self.rest[j]))))

    def frame(self, parts: Sequence[Array | None], turn: float) -> BodyFrame:
        """Where the object stands that has these parts (5,), of which some may be hidden; turn: about how far
        it is turned."""
        known = [j for j, part in enumerate(parts) if part is not None]
        now = {j: part for j, part in enumerate(parts) if part is not None}
        best, most = BodyFrame(1.0, turn, (0.0, 0.0)), -math.inf
        for guess in self._guesses(now, turn):
            votes = float(self.votes(now, guess).sum()) - 1e-4 * abs(guess.rotation - turn)
            if votes > most:
                best, most = guess, votes
        for _ in range(AGAIN):
            best = self._refined(now, best, known)
        return best

    def _guesses(self, now: dict[int, Array], turn: float) -> Iterator[BodyFrame]:
        rest = self.rest
        for j, pose in now.items():
            read = self.read(j, pose, turn)
            own = math.remainder(read[ROTATION] - rest[j, ROTATION], 360.0) if self.shows_turn(j) else turn
            scale = math.sqrt(pose[WIDTH] * pose[HEIGHT] / (rest[j, WIDTH] * rest[j, HEIGHT]))
            yield through(scale, own, rest[j, :2], pose[:2])
        indices = list(now)
        for n, i in enumerate(indices):
            for j in indices[n + 1 :]:
                then, here = rest[j, :2] - rest[i, :2], now[j][:2] - now[i][:2]
                if math.hypot(*then) > 0.1 * self.side and math.hypot(*here) > 0:
                    angle = math.degrees(math.atan2(here[1], here[0]) - math.atan2(then[1], then[0]))
                    angle = turn + math.remainder(angle - turn, 360.0)
                    middle = (rest[i, :2] + rest[j, :2]) / 2
                    yield through(
                        math.hypot(*here) / math.hypot(*then), angle, middle, (now[i][:2] + now[j][:2]) / 2
                    )

    def votes(self, now: dict[int, Array], guess: BodyFrame) -> Array:
        """(P,): how large each part is if it agrees with a frame, else near 0."""
        rest, found = self.rest, np.zeros(len(self.rest))
        places = guess.forward(rest[:, :2])
        reach = PLACE * self.side * guess.scale + PIXEL
        for j, pose in now.items():
            off = float(((pose[:2] - places[j]) ** 2).sum()) / reach**2
            grown = math.log(pose[WIDTH] * pose[HEIGHT] / (rest[j, WIDTH] * rest[j, HEIGHT])) / 2
            off += ((grown - math.log(guess.scale)) / SIDE) ** 2
            if self.shows_turn(j):
                read = self.read(j, pose, guess.rotation)
                off += (
                    math.remainder(read[ROTATION] - rest[j, ROTATION] - guess.rotation, 360.0) / TURN
                ) ** 2
            found[j] = math.sqrt(rest[j, WIDTH] * rest[j, HEIGHT]) * math.exp(-off / 2)
        return found

    def _refined(self, now: dict[int, Array], guess: BodyFrame, known: Sequence[int]) -> BodyFrame:
        """The frame that carries the parts that agree nearest to where they are."""
        weights = self.votes(now, guess)[list(known)]
        if (weights > 0.1 * weights.max()).sum() < 2:
            return guess
        weights = weights / weights.sum()
        then = self.rest[list(known), :2]
        here = np.stack([now[j][:2] for j in known])
        a, b = weights @ then, weights @ here
        p, q = (then - a) @ [1, 1j], (here - b) @ [1, 1j]
        norm = float((weights * np.abs(p) ** 2).sum())
        if norm < (0.05 * self.side) ** 2:
            return guess
        ratio = complex((weights * np.conj(p) * q).sum() / norm)
        turn = math.degrees(math.atan2(ratio.imag, ratio.real))
        turn = guess.rotation + math.remainder(turn - guess.rotation, 360.0)
        return through(abs(ratio), turn, a, b)


def through(scale: float, rotation: float, then: Array, here: Array) -> BodyFrame:
    """The similarity that carries one point to another."""
    at = BodyFrame(scale, rotation, (0.0, 0.0)).forward(then[None])[0]
    return BodyFrame(scale, rotation, (float(here[0] - at[0]), float(here[1] - at[1])))


@dataclass(frozen=True, eq=False)
class Limbs:
    """How the parts of one object move against its body."""

    frames: NDArray[np.int64]  # (N,)
    bodies: list[BodyFrame]  # (N,)
    moves: Array  # (N, P, 4): how far each part is from its place (x, y), turned and grown, in units of the
    # object's size; what is turned or grown counts by how far its end has gone. NaN where it is hidden
    grain: float  # of the same: about how exactly that is seen
    periods: Array  # (P,): of the same: turns of a part that differ by so much look the same


def limbs(skeleton: Skeleton, track: Track) -> Limbs:
    """How the parts of a track, whose symbol the skeleton is of, move against its body."""
    order = _order(skeleton, track)
    rest, levers = skeleton.rest, skeleton.levers
    frames: list[int] = []
    bodies: list[BodyFrame] = []
    rows: list[Array] = []
    turn = 0.0
    angles = np.zeros(len(rest))
    for frame, node in track.observations.items():
        parts: list[Array | None] = [None] * len(rest)
        for part in node.parts:
            j = order.get(part.track)
            if j is not None and part.symbol == skeleton.route.parts[j]:
                parts[j] = pose_of(part)
        if sum(part is not None for part in parts) < min(2, len(rest)):
            continue
        if not frames:
            turn = node.rotation - skeleton.route.memory[0].whole.rotation
        body = skeleton.frame(parts, turn)
        turn = body.rotation
        row = np.full((len(rest), 4), np.nan)
        for j, pose in enumerate(parts):
            if pose is not None:
                place = (body.backward(pose[None, :2])[0] - rest[j, :2]) / skeleton.side
                read = skeleton.read(j, pose, turn + angles[j])
                angle = 0.0
                if skeleton.shows_turn(j):
                    angle = read[ROTATION] - turn - rest[j, ROTATION]
                    angle = angles[j] + math.remainder(angle - angles[j], 360.0)
                    angles[j] = angle
                grown = math.log(pose[WIDTH] * pose[HEIGHT] / (rest[j, WIDTH] * rest[j, HEIGHT])) / 2
                row[j] = *place, math.radians(angle) * levers[j], (grown - math.log(body.scale)) * levers[j]
        frames.append(frame)
        bodies.append(body)
        rows.append(row)
    scale = float(np.median([body.scale for body in bodies])) if bodies else 1.0
    moves = np.array(rows).reshape(-1, len(rest), 4)
    grain = PIXEL / 2 / (skeleton.side * scale)
    return Limbs(np.array(frames, np.int64), bodies, moves, grain, skeleton.periods)


def _order(skeleton: Skeleton, track: Track) -> dict[int | None, int]:
    """Which part of the object each part that was followed is: what it was most often."""
    votes: dict[int, list[int]] = {}
    for node in track.observations.values():
        if len(node.parts) + len(node.hidden) == len(skeleton.route.parts):
            parts = node.parts
            if node.hidden:
                parts = in_order(skeleton.route.decode(node), [*node.parts, *node.hidden])
            for j, part in enumerate(parts):
                if part.track is not None:
                    votes.setdefault(part.track, []).append(j)
    found: dict[int | None, int] = {}
    for number, places in sorted(votes.items(), key=lambda item: -len(item[1])):
        free = [j for j in places if j not in found.values()]
        if free:
            found[number] = max(set(free), key=free.count)
    return found


def posed(skeleton: Skeleton, parts: Sequence[Observation], turn: float, moves: Array) -> list[Observation]:
    """Parts in their places, moved against the body by `moves` (P, 4).

    turn: about how far the object is turned from how it was taught.
    """
    from dataclasses import replace

    body = skeleton.frame([pose_of(part) for part in parts], turn)
    rest, levers = skeleton.rest, skeleton.levers
    made = []
    for j, part in enumerate(parts):
        here = body.forward(rest[j, None, :2] + moves[j, None, :2] * skeleton.side)[0]
        there = body.forward(rest[j, None, :2])[0]
        shift = here - there
        grown = math.exp(float(moves[j, 3] / levers[j]))
        made.append(
            replace(
                part,
                position=(part.position[0] + float(shift[0]), part.position[1] + float(shift[1])),
                rotation=math.remainder(part.rotation + math.degrees(float(moves[j, 2] / levers[j])), 360.0),
                size=(part.size[0] * grown, part.size[1] * grown),
            )
        )
    return made

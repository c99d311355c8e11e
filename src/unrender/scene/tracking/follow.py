"""Following objects from one frame of a video to the next: an assignment on what was expected of each.

Wholes come first, then what they are made of: the motion of a whole says where its parts must be. What moves
as one without a name is told apart together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from unrender.errors import UnrenderError
from unrender.scene.graph import Scene
from unrender.scene.observation import Observation
from unrender.scene.tracking.ties import Ties
from unrender.scene.tracking.tracks import REMEMBERED, Sighting, Track, Tracks
from unrender.scene.tracking.turning import aligned, turned, turned_with

REACH = 3.0  # standard deviations: who is further from where it was expected is somebody else
LIMIT = 12.0  # the cost from which on an object is rather a new one
KIN = 6.0  # what a part of the same whole saves, and one of another whole costs
RARER = 2.0  # what an object costs that was out of sight, times the log of the frames since it was seen
MEASURED = 0.5  # px: how well a place is seen
UNKNOWN = (3.0, 0.2)  # px, and share of the size, per frame: how far an object may go whose motion is unknown
SWAY = (1.0, 0.1, 0.5)  # px, shares of the size and of its pace, per frame: how far from the straight line
RIGID = (1.0, 0.1, 0.03)  # px, shares of its size and of the whole's: how far a part strays in its whole
LOOKS, GROWTH, TURN = 0.1, 0.05, 15.0  # standard deviations: an attribute, the log of a side, degrees
TAIL = 3.0  # the square from which on a difference in looks or size counts less and less
MOST = {"looks": 10.0, "growth": 10.0, "turn": 4.0}  # what one kind of difference costs at most


def follow(scene: Scene, after: Scene) -> None:
    """Give every node of `scene` the track, velocity and spin of the same object in the frames before.

    after: the scene of the frame before. Its own nodes are numbered if they were not. What is not found in
    it gets a new number; an object that comes back after at most two frames out of sight has its old one.
    """
    if (scene.width, scene.height) != (after.width, after.height):
        raise UnrenderError(
            f"A frame of {scene.width}x{scene.height} pixels cannot follow one of "
            f"{after.width}x{after.height}; all frames of a video must have the same size."
        )
    after.tracks = numbered(after)
    _Frame(scene, after.tracks).number()


def numbered(scene: Scene) -> Tracks:
    """The tracks of a scene, in which every node has a number: those without one get one."""
    tracks = scene.tracks or Tracks()
    numbers = [node.track for node in scene.observations if node.track is not None]
    free = max([tracks.free, *(number + 1 for number in numbers)])
    known, taken = dict(tracks.known), set[int]()
    for node, whole in _with_wholes(scene):
        if node.track is None or node.track in taken:
            node.track, free = free, free + 1
        taken.add(node.track)
        track = known.get(node.track) or _first(node, node.track, tracks.frame)
        known[node.track] = _inside(track, node, whole, known)
    return Tracks(tracks.frame, free, known)


@dataclass(frozen=True)
class _Guess:
    """Where an object is expected: place and standard deviation in px, and how far it has turned."""

    x: float
    y: float
    sigma: float
    turn: float


class _Frame:
    """One frame that is being followed."""

    def __init__(self, scene: Scene, before: Tracks) -> None:
        self.scene = scene
        self.before = before
        self.now = before.frame + 1
        self.found: dict[int, Track] = {}  # by id(node): the track as it was before this frame
        self.along: dict[int, _Guess] = {}  # by number: where the neighbours of a track have gone
        self.alone = {number: _alone(track, self.now) for number, track in before.known.items()}

    def number(self) -> None:
        """Find the track of every node, and write it down."""
        nodes = list(_with_wholes(self.scene))
        for symbol in _tops_first([node for node, _ in nodes]):
            self._assign([pair for pair in nodes if pair[0].symbol == symbol], symbol)
        free, seen = self.before.free, dict[int, Track]()
        for node, whole in nodes:
            old = self.found.get(id(node))
            if old is None:
                track, free = _first(node, free, self.now), free + 1
            else:
                track = _again(old, node, self._turn(node, old), self.now)
            node.track, node.velocity, node.spin = track.number, track.velocity, track.spin
            seen[track.number] = _inside(track, node, whole, seen)
        self.scene.tracks = self.before.next(seen.values(), free)

    def _assign(self, nodes: list[tuple[Observation, Observation | None]], symbol: str) -> None:
        from scipy.optimize import linear_sum_assignment

        tracks = [track for track in self.before.known.values() if track.symbol == symbol]
        if not tracks:
            return
        ties = Ties.between(tracks)
        self._carry(ties)
        cost = np.array([[self._cost(node, whole, track) for track in tracks] for node, whole in nodes])
        cost = ties.settle(cost, [node.position for node, _ in nodes], LIMIT)
        for i, j in zip(*linear_sum_assignment(cost), strict=True):
            if cost[i, j] < LIMIT:
                self.found[id(nodes[i][0])] = tracks[j]

    def _carry(self, ties: Ties) -> None:
        """Expect those that are out of sight where their neighbours have gone, too."""
        for k, track in enumerate(ties.tracks):
            gap = self.now - track.last.frame
            move = None if gap < 2 else ties.carried(k, self.now - 1)
            if move is not None:
                x, y = (
                    a + b * gap / (gap - 1) for a, b in zip((track.last.x, track.last.y), move, strict=True)
                )
                self.along[track.number] = replace(self.alone[track.number], x=x, y=y)

    def _cost(self, node: Observation, whole: Observation | None, track: Track) -> float:
        """How unlikely it is that `node` is the object of `track`; LIMIT if it cannot be."""
        parent = None if whole is None else self.found.get(id(whole))
        kin = parent is not None and track.whole is not None and track.whole[0] == parent.number
        guesses = [self.alone[track.number]]
        if track.number in self.along:
            guesses.append(self.along[track.number])
        if whole is not None and parent is not None and kin:
            guesses.append(self._carried(track, whole, parent))
        off, guess = min(((_off(node, guess), guess) for guess in guesses), key=lambda pair: pair[0])
        if off > REACH:
            return LIMIT
        cost = off**2 + _unlike(node, track) + RARER * math.log(self.now - track.last.frame)
        turn = (turned(node, track, guess.turn) - guess.turn) / TURN
        cost += min(turn**2, MOST["turn"])
        if parent is not None and track.whole is not None:
            cost += -KIN if kin else KIN
        return min(cost, LIMIT)

    def _carried(self, track: Track, whole: Observation, parent: Track) -> _Guess:
        """Where a part must be if it has moved with its whole."""
        turn = turned(whole, parent, self.alone[parent.number].turn)
        heading = math.radians(parent.last.heading + turn)
        cos, sin, scale = math.cos(heading), math.sin(heading), _side(whole.size)
        dx, dy = track.place or (0.0, 0.0)
        px, own, shared = RIGID
        return _Guess(
            whole.position[0] + scale * (cos * dx - sin * dy),
            whole.position[1] + scale * (sin * dx + cos * dy),
            px + own * _side(track.size) + shared * scale,
            turn if track.last.frame == parent.last.frame else self.alone[track.number].turn,
        )

    def _turn(self, node: Observation, track: Track) -> float:
        """Degrees since the last sighting; those of a whole from the places of its parts."""
        expected = self.alone[track.number].turn
        pairs = []
        for part in node.parts:
            old = self.found.get(id(part))
            then = None if old is None else old.at(track.last.frame)
            if then is not None:
                pairs.append((then, part))
        turn = turned_with(pairs, expected)
        return turned(node, track, expected) if turn is None else turn


def _alone(track: Track, frame: int) -> _Guess:
    """Where an object is expected by its own velocity; the longer it was out of sight, the less surely."""
    gap, last, side = frame - track.last.frame, track.last, _side(track.size)
    if track.motion is None:
        px, share = UNKNOWN
        return _Guess(last.x, last.y, MEASURED + gap * (px + share * side), 0.0)
    (vx, vy, spin), (px, share, pace) = track.motion, SWAY
    sigma = MEASURED + gap * (px + share * side + pace * track.pace)
    return _Guess(last.x + gap * vx, last.y + gap * vy, sigma, gap * spin)


def _off(node: Observation, guess: _Guess) -> float:
    """How many standard deviations a node is from where it was expected."""
    return math.hypot(node.position[0] - guess.x, node.position[1] - guess.y) / guess.sigma


def _unlike(node: Observation, track: Track) -> float:
    """The cost of all that differs in size, form and looks. Width and height may have been exchanged."""
    same = aligned(node, track)
    now, then = (sorted(node.size), sorted(track.size)) if same is None else (same.size, track.size)
    sides, bits = zip(now, then, strict=True), 0.0 if same is None else same.bits
    growth = sum(math.log(max(a, 1e-6) / max(b, 1e-6)) ** 2 for a, b in sides) / 2 / GROWTH**2 + bits
    shared = node.attributes.keys() & track.attributes.keys()
    off = (min(1.0, abs(node.attributes[name] - track.attributes[name])) for name in shared)
    looks = sum(difference**2 for difference in off) / LOOKS**2
    return _tailed(growth, "growth") + _tailed(looks, "looks")


def _tailed(squares: float, kind: str) -> float:
    """The cost of a squared difference: small ones count in full, large ones are mistakes now and then."""
    return min(TAIL * math.log1p(squares / TAIL), MOST[kind])


def _first(node: Observation, number: int, frame: int) -> Track:
    """A track that begins."""
    sighting = Sighting(frame, *node.position, node.rotation)
    looks = dict(node.attributes)
    return Track(number, node.symbol, 1, node.size, node.rotation, looks, (sighting,), form=node.form)


def _again(track: Track, node: Observation, turn: float, frame: int) -> Track:
    """The track with one more sighting. After a bounce, what was before it says nothing about the motion."""
    guess = _alone(track, frame)
    sighting = Sighting(frame, *node.position, track.last.heading + turn)
    speed = math.hypot(*(track.velocity or (0.0, 0.0)))
    bounced = math.dist(node.position, (guess.x, guess.y)) > 2 * MEASURED + speed / 2
    return replace(
        track,
        seen=track.seen + 1,
        size=node.size,
        rotation=node.rotation,
        attributes=dict(node.attributes),
        form=node.form,
        sightings=(*track.sightings[1 - REMEMBERED :], sighting),
        since=track.last.frame if bounced else track.since,
    )


def _inside(track: Track, node: Observation, whole: Observation | None, known: dict[int, Track]) -> Track:
    """The track with its place in its whole, if it is a part of one."""
    if whole is None or whole.track is None:
        return track
    heading = math.radians(known[whole.track].last.heading)
    dx, dy = (a - b for a, b in zip(node.position, whole.position, strict=True))
    cos, sin, scale = math.cos(heading), math.sin(heading), _side(whole.size)
    place = ((cos * dx + sin * dy) / scale, (cos * dy - sin * dx) / scale)
    return replace(track, whole=(whole.track, whole.symbol), place=place)


def _side(size: tuple[float, float]) -> float:
    """The side of a square that covers as much."""
    return math.sqrt(max(size[0] * size[1], 1e-6))


def _with_wholes(scene: Scene) -> Iterator[tuple[Observation, Observation | None]]:
    """Every node with the whole it is a part of, wholes before their parts."""
    wholes = {id(part): node for node in scene.observations for part in node.parts}
    return ((node, wholes.get(id(node))) for node in scene.observations)


def _tops_first(nodes: list[Observation]) -> list[str]:
    """All symbols, those of the highest trees first."""
    height: dict[str, int] = {}
    for node in nodes:
        height[node.symbol] = max(height.get(node.symbol, 0), _height(node))
    return sorted(height, key=lambda symbol: -height[symbol])


def _height(node: Observation) -> int:
    return 1 + max((_height(part) for part in node.parts), default=0)

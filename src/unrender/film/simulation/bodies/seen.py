"""From a film to trajectories: which tracks are bodies, what form they have, and how they are drawn again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from unrender.exports.polygons import painted
from unrender.film.simulation.bodies.ends import with_usual_lengths
from unrender.film.simulation.bodies.trajectory import Array, Trajectory, centroid, circle, polygon
from unrender.film.track import Track
from unrender.film.velocity import headings
from unrender.learning.objects.augment import transform
from unrender.scene import Observation, Scene
from unrender.scene.pixels import layer

if TYPE_CHECKING:
    from unrender.film.film import Film

ROUND = 0.12  # |log(w / h)| up to which an ellipse rolls
CHANGED = 0.25  # share of its size by which a body may vary; what varies more is no rigid body
INSIDE = 0.8  # share of the frames in which the end of a line is at a body that it is tied to
CUT = 1.5  # px: what ends so close to the border, or beyond it, may go on


@dataclass(frozen=True, eq=False)
class Seen:
    """A body about its centre of mass, from which `offset` (2,) px leads to the position of its node."""

    trajectory: Trajectory
    offset: Array  # at rotation 0
    heading: float  # degrees: trajectory's rotation of `node`
    node: Observation  # as it was best seen

    def drawn(self, node: Observation, state: Array) -> Observation:
        """A copy of its node with the body in a state (x, y px, degrees, ...)."""
        turn = float(state[2]) - self.heading if not self.trajectory.is_circle else 0.0
        rotation = self.node.rotation + turn if not self.trajectory.is_circle else node.rotation
        base = self.node if not self.trajectory.is_circle else node
        cos, sin = math.cos(math.radians(state[2])), math.sin(math.radians(state[2]))
        dx = cos * self.offset[0] - sin * self.offset[1]
        dy = sin * self.offset[0] + cos * self.offset[1]
        return placed(base, (float(state[0] + dx), float(state[1] + dy)), rotation)


@dataclass(frozen=True, eq=False)
class Tied:
    """A line that is drawn between bodies, or a body and a point: what each of its ends follows."""

    track: int
    ends: tuple[tuple[int | None, tuple[float, float]], tuple[int | None, tuple[float, float]]]
    # a track and px from its position, or None and a point

    def drawn(self, node: Observation, places: Mapping[int, Array]) -> Observation:
        """A copy of its node with the bodies at places (2,) px."""
        points = [
            np.asarray(point) + (places[track] if track is not None and track in places else 0.0)
            for track, point in self.ends
        ]
        along = points[1] - points[0]
        middle = (points[0] + points[1]) / 2
        rotation = math.degrees(math.atan2(along[1], along[0]))
        size = (float(np.linalg.norm(along)), node.size[1])
        return replace(
            node, position=(float(middle[0]), float(middle[1])), rotation=rotation, size=size, scene=None
        )


def placed(node: Observation, position: tuple[float, float], rotation: float) -> Observation:
    """A copy of a tree, moved and turned as one piece."""
    move = position[0] - node.position[0], position[1] - node.position[1]

    def moved(nodes: Sequence[Observation]) -> list[Observation]:
        told = transform(nodes, move, rotation - node.rotation, 1.0, node.position)
        return [replace(own, parts=moved(own.parts) if own.parts else [], scene=None) for own in told]

    return moved([node])[0]


def bodies_of(film: Film) -> tuple[dict[int, Seen], dict[int, Tied]]:
    """The rigid bodies of a film, and the lines that are only drawn between them, by track."""
    rigid = {track.number: track for track in film.tracks if _rigid(track)}
    found: dict[int, Seen] = {}
    for number, track in rigid.items():
        seen = _seen(track, film.scenes, (film.width, film.height))
        if seen is not None:
            found[number] = seen
    tied: dict[int, Tied] = {}
    for track in film.tracks:
        line = _tie(track, found)
        if line is not None:
            tied[track.number] = line
            found.pop(track.number, None)
    return found, tied


def _rigid(track: Track) -> bool:
    """Whether it keeps its size, but for a few frames in which much of it was hidden."""
    sizes = np.array([sorted(node.size) for node in track.observations.values()])
    low, middle, high = np.quantile(sizes, [0.25, 0.5, 0.75], axis=0)
    return bool(((high - low) <= CHANGED * np.maximum(middle, 2.0)).all())


def _seen(track: Track, scenes: Sequence[Scene], picture: tuple[int, int]) -> Seen | None:
    frames = len(scenes)
    nodes = {f: node for f, node in track.observations.items() if not _outside(node, picture)}
    nodes = {f: node for f, node in nodes.items() if _centred(node, picture)} or nodes
    if not nodes:
        return None
    order = list(nodes)
    turns = headings(list(nodes.values()))
    nodes = with_usual_lengths(nodes, turns, scenes)
    areas = np.array([node.size[0] * node.size[1] for node in nodes.values()])
    best = int(np.abs(areas - np.median(areas)).argmin())
    node = nodes[order[best]]
    places, seen = np.zeros((frames, 2)), np.zeros(frames, bool)
    for frame, own in nodes.items():
        places[frame], seen[frame] = own.position, True
    wide, high = np.median([own.size for own in nodes.values()], axis=0)
    if node.symbol == "circle" and not node.parts and abs(math.log(wide / high)) < ROUND:
        width = sum(_stroke(own) for own in nodes.values()) / len(nodes)
        radius = (wide + high) / 4 + width / 2
        return Seen(circle(track.number, float(radius), places, seen), np.zeros(2), 0.0, node)
    outline = _hull(node)
    if outline is None:
        return None
    angle = math.radians(turns[best])
    cos, sin = math.cos(angle), math.sin(angle)
    outline = (outline - node.position) @ np.array([[cos, -sin], [sin, cos]])
    centre = centroid(outline)
    rotations = np.zeros(frames)
    rotations[order] = turns
    rotations = np.interp(np.arange(frames), order, turns)
    cos_all, sin_all = np.cos(np.radians(rotations)), np.sin(np.radians(rotations))
    shift = np.stack(
        [cos_all * centre[0] - sin_all * centre[1], sin_all * centre[0] + cos_all * centre[1]], axis=1
    )
    places = _steady(places + shift, seen, outline - centre, float(np.median(turns)), picture)
    body = polygon(track.number, outline - centre, places, rotations, seen)
    return Seen(body, -centre, float(turns[best]), node)


def _outside(node: Observation, picture: tuple[int, int]) -> bool:
    """Whether less than a px of it is in the picture, so that it only seems to stay at the border."""
    reach = min(node.size) / 2 if node.symbol == "circle" else math.hypot(*node.size) / 2
    return any(p + reach < 1 or p - reach > s - 1 for p, s in zip(node.position, picture, strict=True))


def _centred(node: Observation, picture: tuple[int, int]) -> bool:
    """Whether its centre is in the picture: what shows less than half of itself is placed ten times worse."""
    return all(0 <= p <= s for p, s in zip(node.position, picture, strict=True))


def _steady(
    places: Array, seen: NDArray[np.bool_], outline: Array, turn: float, picture: tuple[int, int]
) -> Array:
    """Positions (F, 2) of a long body without its motion along itself, if both of its ends are never seen."""
    sides = np.roll(outline, -1, axis=0) - outline
    longest = sides[np.linalg.norm(sides, axis=1).argmax()]
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    turned = np.array([[cos, -sin], [sin, cos]])
    along = turned @ longest / np.linalg.norm(longest)
    middle = np.median(places[seen], axis=0)
    corners = outline @ turned.T + middle
    far = (corners - middle) @ along
    beyond = ((corners < CUT) | (corners > np.array(picture) - CUT)).any(axis=1)
    if not (beyond[far > 0.8 * far.max()].all() and beyond[far < 0.8 * far.min()].all()):
        return places
    return np.asarray(places - ((places - middle) @ along)[:, None] * along)


def _stroke(node: Observation) -> float:
    """Px that a stroke adds to the size of a shape."""
    return node.attributes.get("thickness", 0.0) * min(node.size)


def _hull(node: Observation) -> Array | None:
    """The convex outline (V, 2) px, in the picture, of all that a node paints."""
    rings = [ring for leaf in node.primitives for region in painted(layer(leaf)) for ring in region]
    if not rings:
        return None
    points = np.concatenate(rings)
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return None
    return _simple(np.asarray(points[hull.vertices], np.float64))


def _simple(ring: Array) -> Array:
    """Without corners that lie almost on the line between their neighbours; at most 24."""
    while len(ring) > 4:
        before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
        a, b = ring - before, after - before
        height = np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / np.maximum(np.linalg.norm(b, axis=1), 1e-9)
        least = int(height.argmin())
        if height[least] > 0.15 and len(ring) <= 24:
            break
        ring = np.delete(ring, least, axis=0)
    return ring


def _tie(track: Track, bodies: Mapping[int, Seen]) -> Tied | None:
    """What the ends of a straight line follow, if one of them is always at a moving body."""
    if track.symbol != "edge":
        return None
    frames = np.array(list(track.observations))
    both = np.array([_ends(node) for node in track.observations.values()])  # (N, 2, 2)
    both = _ordered(both)
    ends: list[tuple[int | None, tuple[float, float]]] = []
    for end in (0, 1):
        held: tuple[int | None, tuple[float, float]] = None, _pair(np.median(both[:, end], axis=0))
        for number, body in bodies.items():
            own = body.trajectory
            if number == track.number or not own.moves:
                continue
            there: NDArray[np.bool_] = own.seen[frames]
            apart = both[there, end] - own.positions[frames[there]]
            if there.sum() >= 5 and (np.linalg.norm(apart, axis=1) < own.radius + 2).mean() > INSIDE:
                held = number, _pair(np.median(apart, axis=0))
        ends.append(held)
    if ends[0][0] is None and ends[1][0] is None:
        return None
    return Tied(track.number, (ends[0], ends[1]))


def _ends(node: Observation) -> list[tuple[float, float]]:
    turn = math.radians(node.rotation)
    dx, dy = node.size[0] / 2 * math.cos(turn), node.size[0] / 2 * math.sin(turn)
    (x, y) = node.position
    return [(x - dx, y - dy), (x + dx, y + dy)]


def _ordered(both: Array) -> Array:
    """Ends (N, 2, 2), each frame's in the order of the frame before."""
    made = both.copy()
    for k in range(1, len(made)):
        straight = np.linalg.norm(made[k] - made[k - 1], axis=1).sum()
        crossed = np.linalg.norm(made[k][::-1] - made[k - 1], axis=1).sum()
        if crossed < straight:
            made[k] = made[k][::-1]
    return made


def _pair(values: Array) -> tuple[float, float]:
    return float(values[0]), float(values[1])

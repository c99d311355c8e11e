"""Occlusion: what may hide a part. The edge of the picture, and every shape that lies in front of the whole
and truly covers the place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.gamma import rotation_matrix
from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y, pose_of
from unrender.scene import Observation
from unrender.scene.nearby import Nearby
from unrender.scene.pixels import is_bar, outline

HIDDEN = 0.7  # of a part's place; what is left of it need not be seen
BATCH = 200_000  # pairs of a part and a shape that are compared at once
GRID = np.stack(np.meshgrid(*[np.linspace(-0.9, 0.9, 9)] * 2), -1).reshape(-1, 2)
CROSS = np.array([0, -1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j]) / 4  # the middle, and half way to each corner
MAY = 0.6  # of these points


class Occlusion:
    """The shapes of a picture of which those near a part are found quickly, however many there are.

    nodes: primitives, with their depths. frame: width and height of the picture.
    """

    def __init__(self, nodes: Sequence[Observation], frame: tuple[int, int]) -> None:
        self._nodes = [node for node in nodes if node.attributes.get("filled", 1.0) > 0.5]
        self._frame = frame
        self._poses = np.array([pose_of(node) for node in self._nodes]).reshape(-1, POSE)
        self._reach = float(np.hypot(self._poses[:, WIDTH], self._poses[:, HEIGHT]).max(initial=0.0)) / 2
        self._nearby = Nearby(self._poses[:, [X, Y]])

    def hides(self, part: Observation, seen: Sequence[Observation]) -> bool:
        """Whether most of a part's place lies outside the picture, or under shapes in front of what was
        `seen` of its whole."""
        points = places(part)
        hidden = (points < 0).any(1) | (points > self._frame).any(1)
        for cover in self._near(part, seen):
            if hidden.mean() < HIDDEN and in_front(cover, seen):
                hidden |= within(cover, points)
        return bool(hidden.mean() >= HIDDEN)

    def _near(self, part: Observation, seen: Sequence[Observation]) -> list[Observation]:
        if not self._nodes:
            return []
        own = {id(leaf) for other in seen for leaf in other.primitives}
        reach = self._reach + float(np.hypot(*part.size)) / 2
        _, near = self._nearby.within(np.array([part.position]), reach)
        return [self._nodes[i] for i in near if id(self._nodes[i]) not in own]

    def may_hide(self, poses: Floats) -> NDArray[np.bool_]:
        """bool (N,): whether `hides` could be true of parts with these poses (N, 5), whatever is seen: by
        boxes, quickly."""
        turn = np.exp(1j * np.radians(poses[:, ROTATION]))[:, None]
        corner = (poses[:, [WIDTH]] * CROSS.real + 1j * poses[:, [HEIGHT]] * CROSS.imag) * turn
        at = poses[:, [X]] + 1j * poses[:, [Y]] + corner
        points = np.stack([at.real, at.imag], -1)  # (N, 5, 2)
        hidden = np.zeros(points.shape[:2], bool)
        hidden |= (points < 0).any(-1) | (points > self._frame).any(-1)
        some = max(1, BATCH // max(len(self._nodes), 1))
        for n in range(0, len(points) if self._nodes else 0, some):
            batch = points[n : n + some]
            hidden[n : n + some] |= self._boxed(batch.reshape(-1, 2)).reshape(len(batch), -1)
        may: NDArray[np.bool_] = hidden.mean(1) >= MAY
        return may

    def _boxed(self, points: Floats) -> NDArray[np.bool_]:
        """bool (K,): which points (K, 2) lie in the box of any shape."""
        pose = self._poses[:, None]  # (N, 1, 5)
        off = points - pose[..., [X, Y]]
        cos, sin = np.cos(np.radians(pose[..., ROTATION])), np.sin(np.radians(pose[..., ROTATION]))
        across = np.abs(cos * off[..., 0] + sin * off[..., 1]) <= pose[..., WIDTH] / 2
        along = np.abs(cos * off[..., 1] - sin * off[..., 0]) <= pose[..., HEIGHT] / 2
        inside: NDArray[np.bool_] = (across & along).any(0)
        return inside


BOX = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


def rim_of(node: Observation) -> Floats | None:
    """(N, 2): the outline of a shape in its box from -1 to 1; that of a straight stroke is its box. None of
    what is no primitive, or encloses nothing."""
    if is_bar(node):
        return BOX
    return outline(node) if node.attributes.get("filled", 1.0) > 0.5 else None


def places(node: Observation) -> Floats:
    """(K, 2): points evenly over the inside of a shape, in px; over the ellipse in the box of a whole."""
    rim = rim_of(node)
    kept = GRID[np.hypot(*GRID.T) < 1] if rim is None else GRID[_even_odd(GRID, rim)]
    if not len(kept):
        kept = GRID[np.hypot(*GRID.T) < 1] if rim is None else rim
    moved: Floats = (kept * np.asarray(node.size) / 2) @ rotation_matrix(node.rotation).T + node.position
    return moved


def even_steps(line: Floats, count: int = 48) -> Floats:
    """(count, 2): points in even steps along a closed line (N, 2)."""
    closed = np.concatenate([line, line[:1]])
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(closed, axis=0).T))])
    steps = np.linspace(0.0, way[-1], count, endpoint=False)
    return np.stack([np.interp(steps, way, axis) for axis in closed.T], 1)


def border(node: Observation, margin: float = 0.0) -> Floats:
    """(32, 2): points in even steps along the outline of a shape, in px; about `margin` px further out."""
    rim = rim_of(node)
    half = np.asarray(node.size) / 2
    line = even_steps((BOX if rim is None else rim) * half, 32) * (half + margin) / half
    moved: Floats = line @ rotation_matrix(node.rotation).T + node.position
    return moved


def within(node: Observation, points: Floats) -> NDArray[np.bool_]:
    """bool (K,): which points (K, 2) lie inside a shape; in the box of what is none."""
    local = (points - node.position) @ rotation_matrix(node.rotation) / (np.asarray(node.size) / 2)
    boxed = np.asarray((np.abs(local) <= 1).all(1), bool)
    rim = rim_of(node)
    if rim is not None and boxed.any():
        boxed[boxed] = _even_odd(local[boxed], rim)
    return boxed


def in_front(cover: Observation, seen: Sequence[Observation]) -> bool:
    """Whether a shape is behind nothing that was seen of a whole: what lies in front of one part and behind
    another would have to be stuck between them."""
    rank = cover.depth or 0
    behind = [leaf for other in seen for leaf in other.primitives if (leaf.depth or 0) > rank]
    return not any(overlap(cover, leaf) for leaf in behind)


def overlap(one: Observation, other: Observation) -> bool:
    """Whether two shapes have a common place."""
    return bool(within(one, places(other)).any() or within(other, places(one)).any())


def _even_odd(points: Floats, rim: Floats) -> NDArray[np.bool_]:
    """bool (K,): which points (K, 2) the closed line through (N, 2) goes around."""
    x, y = points[:, :1], points[:, 1:]
    ax, ay = rim.T
    bx, by = np.roll(rim, -1, 0).T
    crosses = (ay <= y) != (by <= y)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = ax + (y - ay) * (bx - ax) / (by - ay)
    inside: NDArray[np.bool_] = (crosses & (x < at)).sum(1) % 2 == 1
    return inside

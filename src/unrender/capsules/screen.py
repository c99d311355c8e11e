"""What may hide a part: the edge of the picture, and every other shape in it that is painted inside."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y, pose_of
from unrender.capsules.wholes import corners
from unrender.scene import Observation

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

HIDDEN = 0.6  # of a part's place
_BATCH = 200_000  # pairs of a part and a shape that are compared at once
_CORNERS = np.array([0, -1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j]) / 4  # the middle, and half way to each corner


class Screen:
    """The shapes of a picture with a tree over their places: asking costs little however many there are."""

    def __init__(self, nodes: Sequence[Observation], frame: tuple[int, int]) -> None:
        self._nodes = [node for node in nodes if node.attributes.get("filled", 1.0) > 0.5]
        self._frame = frame  # width and height of the picture
        self._poses = np.array([pose_of(node) for node in self._nodes]).reshape(-1, POSE)
        self._reach = float(np.hypot(self._poses[:, WIDTH], self._poses[:, HEIGHT]).max(initial=0.0)) / 2

    @cached_property
    def _tree(self) -> cKDTree:
        from scipy.spatial import cKDTree

        return cKDTree(self._poses[:, [X, Y]])

    def hides(self, part: Observation, seen: Sequence[Observation]) -> bool:
        """Whether most of a part's place lies outside the picture or under shapes that are not in `seen`."""
        points = np.concatenate([[part.position], 0.5 * (corners(part) + part.position)])
        hidden = (points < 0).any(1) | (points > self._frame).any(1)
        if self._nodes:
            own = {id(leaf) for other in seen for leaf in other.primitives}
            near = self._tree.query_ball_point(part.position, self._reach + np.hypot(*part.size) / 2)
            hidden |= self._inside(points, [i for i in near if id(self._nodes[i]) not in own])
        return bool(hidden.mean() >= HIDDEN)

    def may_hide(self, poses: Floats) -> NDArray[np.bool_]:
        """bool (N,): whether `hides` could be true of parts with these poses (N, 5), whatever is seen."""
        turn = np.exp(1j * np.radians(poses[:, ROTATION]))[:, None]
        corner = (poses[:, [WIDTH]] * _CORNERS.real + 1j * poses[:, [HEIGHT]] * _CORNERS.imag) * turn
        at = poses[:, [X]] + 1j * poses[:, [Y]] + corner
        points = np.stack([at.real, at.imag], -1)  # (N, 5, 2)
        hidden = np.zeros(points.shape[:2], bool)
        hidden |= (points < 0).any(-1) | (points > self._frame).any(-1)
        some = max(1, _BATCH // max(len(self._nodes), 1))
        for n in range(0, len(points) if self._nodes else 0, some):
            batch = points[n : n + some]
            inside = self._inside(batch.reshape(-1, 2), list(range(len(self._nodes))))
            hidden[n : n + some] |= inside.reshape(len(batch), -1)
        may: NDArray[np.bool_] = hidden.mean(1) >= HIDDEN
        return may

    def _inside(self, points: Floats, which: list[int]) -> NDArray[np.bool_]:
        """bool (K,): which points (K, 2) lie in the box of any of these shapes."""
        pose = self._poses[which][:, None]  # (N, 1, 5)
        off = points - pose[..., [X, Y]]
        cos, sin = np.cos(np.radians(pose[..., ROTATION])), np.sin(np.radians(pose[..., ROTATION]))
        across = np.abs(cos * off[..., 0] + sin * off[..., 1]) <= pose[..., WIDTH] / 2
        along = np.abs(cos * off[..., 1] - sin * off[..., 0]) <= pose[..., HEIGHT] / 2
        inside: NDArray[np.bool_] = (across & along).any(0)
        return inside

"""Where objects lie in the picture, in a row or a column, and which way they point."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unrender.errors import UnrenderError
from unrender.primitives import find
from unrender.scene.graph import Scene
from unrender.scene.language.kinds import called
from unrender.scene.observation import Observation
from unrender.scene.outline import TINY, Outline
from unrender.scene.questions.readings import Reading

MIDDLE = 1 / 3  # of the picture: what counts as its middle, and of each side as its corner
ROW = 1.5  # times as far apart along a row as across it, so that objects are counted along it
SLANT = 20.0  # degrees by which an apex may miss the way that it points
WAYS = {"up": 0.0, "right": 90.0, "down": 180.0, "left": 270.0}  # degrees clockwise


def _shares(node: Observation, scene: Scene) -> tuple[float, float]:
    """Where its centre lies in the picture, in [0, 1] from the left and from the top."""
    x, y = Outline.of(node).centre
    return x / scene.width, y / scene.height


def shares_of(node: Observation, left: float, top: float, right: float, bottom: float) -> tuple[float, float]:
    """Where its centre lies in a box, in [0, 1] from the left and from the top."""
    x, y = Outline.of(node).centre
    return (x - left) / max(TINY, right - left), (y - top) / max(TINY, bottom - top)


def lies(
    node: Observation,
    sides: Sequence[str],
    scene: Scene,
    corner: bool = False,
    reading: Reading | None = None,
) -> bool:
    """Whether it lies in that half, quarter or corner of the picture, or about in its middle."""
    x, y = (share + (reading.half if reading else 0.0) for share in _shares(node, scene))
    low, high = (MIDDLE, 1 - MIDDLE) if corner else (0.5, 0.5)
    halves = {"left": x < low, "right": x > high, "top": y < low, "bottom": y > high}
    centred = max(abs(x - 0.5), abs(y - 0.5)) < MIDDLE / 2
    if reading is not None and reading.core:
        left, top, right, bottom = Outline.of(node).box
        centred = left < scene.width / 2 < right and top < scene.height / 2 < bottom
    return all(halves.get(side, centred) for side in sides)


def off(node: Observation, sides: Sequence[str], scene: Scene) -> float:
    """How far (in shares of the picture) it lies from a side, a corner or the middle of the picture."""
    x, y = _shares(node, scene)
    ends = {"left": x, "right": 1 - x, "top": y, "bottom": 1 - y}
    return math.hypot(*(ends.get(side, math.hypot(x - 0.5, y - 0.5)) for side in sides))


def middle(nodes: Sequence[Observation]) -> list[Observation]:
    """The one in the middle of an odd number of objects in a row or a column; none where there is no such."""
    if len(nodes) < 3 or len(nodes) % 2 == 0:
        return []
    centres = np.array([Outline.of(node).centre for node in nodes])
    along = int(np.argmax(np.ptp(centres, axis=0)))
    return [nodes[int(np.argsort(centres[:, along])[len(nodes) // 2])]]


def in_order(nodes: Sequence[Observation]) -> list[Observation]:
    """Objects from left to right, or from top to bottom where they stand in a column."""
    if len(nodes) < 2:
        return list(nodes)
    centres = np.array([Outline.of(node).centre for node in nodes])
    across, down = np.ptp(centres, axis=0).tolist()
    if max(across, down) < ROW * min(across, down):
        raise UnrenderError("They do not stand in a row; say from which side to count, as from the left.")
    return [nodes[i] for i in np.argsort(centres[:, int(down > across)], kind="stable")]


def with_apex(nodes: Sequence[Observation]) -> list[Observation]:
    """Those that can point somewhere: triangles."""
    found = [node for node in nodes if node.symbol == "triangle"]
    if nodes and not found:
        raise UnrenderError(f"I do not know which way a {called(nodes[0])} points; I know it of triangles.")
    return found


def points(triangle: Observation, way: str) -> bool:
    """Whether one of the equal corners of a triangle lies that way of its middle."""
    width, height = triangle.size
    symmetry = getattr(find(triangle.symbol), "symmetry", None)
    even = abs(width - height) <= 0.01 * max(width, height)
    period = symmetry.period(even) if symmetry is not None else 360.0
    return abs(math.remainder(triangle.rotation - WAYS[way], period or 360.0)) <= SLANT

"""The lines of an example as it was drawn, to be kept with what is learned from it.

Strokes told by shapes are not all that a drawing shows: some are told otherwise by the next hand, and others
not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import ndimage

from unrender.matching.lines import lines_of
from unrender.perception.image.skeleton import Mask
from unrender.scene import Observation, Scene
from unrender.scene.line import Line, rounded

BESIDE = np.ones((3, 3), bool)  # a pixel and those that it may share an edge with
AROUND = 0.5  # of the longer side of an example: as far from it a stroke may lie that no shape tells


def lines_of_example(scene: Scene, parts: Sequence[Observation] | None) -> tuple[Line, ...]:
    """The lines of some parts of a picture, or of all that it shows; none where they cannot be told: the
    picture is not there or shows something else by now, or other things lie in front of them or behind."""
    if scene.picture is None or scene.edited:
        return ()
    image = scene.picture.astype(np.float32) / np.float32(255)
    if parts is None:
        return rounded(lines_of(image))
    chosen = {id(leaf) for part in parts for leaf in part.primitives}
    rest = [leaf for leaf in scene.primitives if id(leaf) not in chosen]
    own, others = (ndimage.binary_dilation(scene.full_mask(*nodes), BESIDE) for nodes in (parts, rest))
    if (own & others).any() or not own.any():
        return ()
    image[others] = scene.background[others] / np.float32(255)
    rows, columns = _window(own)
    found = lines_of(image[rows, columns])
    corner = np.array([columns.start, rows.start])
    return rounded(
        replace(line, points=line.points + corner) for line in found if _touches(line, own[rows, columns])
    )


def _window(mask: Mask) -> tuple[slice, slice]:
    """The rows and columns around a mask, with some room."""
    spans = [np.nonzero(mask.any(axis))[0][[0, -1]] for axis in (1, 0)]
    room = round(AROUND * max(int(last - first) + 1 for first, last in spans))
    first, second = (slice(max(0, int(low) - room), int(high) + 1 + room) for low, high in spans)
    return first, second


def _touches(line: Line, mask: Mask) -> bool:
    """Whether a line passes through a mask (H, W)."""
    columns, rows = np.floor(line.points).astype(int).T
    inside: bool = bool(mask[rows.clip(0, mask.shape[0] - 1), columns.clip(0, mask.shape[1] - 1)].any())
    return inside

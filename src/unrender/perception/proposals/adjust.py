"""Proposals that keep a shape and place it otherwise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation
from unrender.perception.proposals.propose import Choice, Sight, bits_at, in_place, of_colour, wrong_beside
from unrender.render.composite import layers
from unrender.render.coverage import distances
from unrender.render.shape import ANGLE, A, B, Shape, X, Y

DOUBTED = 60.0  # bits of pixels beside the edge of a shape that may lie otherwise
SEAM = 1.0  # px around a shape that may be the seam to another
COVERED = 1.5  # px of a side that others must cover, so that it may as well end where they do


def realigned(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """A shape beside whose edge something looks wrong, refined from afar: others may have come since it
    was."""
    for placed in state.shapes:
        beside = bits_at(state, *wrong_beside(placed, wrong))
        if beside > DOUBTED and sight.unasked(("realigned", placed.key), beside):
            yield [in_place(state, placed.shape, (placed,))]


def withdrawn(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """A shape that ends where others of its colour begin: whether one side touches them or lies under them is
    told by the few pixels of a seam."""
    for placed in state.shapes:
        shape, window = placed.shape, placed.patch.window
        if shape.fill is None or shape.primitive.formed or shape.primitive.strokelike:
            continue  # a stroke that ends at another reaches to its middle
        same = [other for other in of_colour(state, window, shape.fill) if other is not placed]
        if same and sight.fresh(state, ("withdrawn", placed.key), window):
            yield [in_place(state, each, (placed,)) for each in _cut_short(placed, same)]


def _cut_short(placed: Placed, others: Sequence[Placed]) -> Iterator[Shape]:
    """A shape that ends where nothing but others shows on one of its sides."""
    top, bottom, left, right = placed.patch.window
    painted = np.zeros((bottom - top, right - left), np.bool_)
    for _, alpha, _ in layers(placed.shape, placed.patch):
        painted |= alpha > 0
    rows, columns = (each[painted] for each in np.mgrid[top:bottom, left:right] + 0.5)
    alone = np.ones(len(rows), np.bool_)
    for other in others:
        alone &= distances(other.shape, columns, rows)[0][0] > SEAM
    if alone.all() or not alone.any():
        return
    pose = placed.shape.pose
    along = np.array([math.cos(pose[ANGLE]), math.sin(pose[ANGLE])])
    x, y = columns - pose[X], rows - pose[Y]
    for size, axis in ((A, along), (B, np.array([-along[1], along[0]]))):
        at = x * axis[0] + y * axis[1]
        for side in (1.0, -1.0):
            end = float((side * at[alone]).max())
            if (side * at).max() - end > COVERED and pose[size] + end > COVERED:
                short = pose.copy()
                short[:2] += side * axis * (end - pose[size]) / 2
                short[size] = (pose[size] + end) / 2
                yield replace(placed.shape, pose=short)

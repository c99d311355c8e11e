"""Straight ends of open lines: such a stroke is refined as one with round ends that paints as much."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from unrender.primitives.path import framed, path, placed
from unrender.primitives.polycurve_edits import ends, is_open
from unrender.render.shape import OWN, TAU, A, B, Shape

ROUND = math.pi / 4  # of half a width: by how much a round end is as good as a straight one further out
SHORTEST = 0.5  # px that must be left


def straight_ended(shape: Shape) -> Shape | None:
    """An arc or an open path with straight ends in place of round ones; None of what has none to change."""
    if shape.broken or shape.stroke is None or shape.fill is not None:
        return None
    longer = _lengthened(shape, ROUND * float(shape.pose[TAU]))
    return None if longer is None else replace(longer, butt=True)


def round_ended(shape: Shape) -> Shape:
    """The other way round."""
    shorter = _lengthened(shape, -ROUND * float(shape.pose[TAU]))
    return replace(shape if shorter is None else shorter, butt=False)


def _lengthened(shape: Shape, by: float) -> Shape | None:
    """A stroke that goes on by so many px at either end, straight on or along its arc."""
    pose = shape.pose.copy()
    if shape.primitive.name == "arc":
        share = by / max(math.sqrt(pose[A] * pose[B]), 1e-6) / math.tau
        pose[OWN], pose[OWN + 1] = pose[OWN] - share, pose[OWN + 1] + 2 * share
        return replace(shape, pose=pose) if SHORTEST * abs(share / by) < pose[OWN + 1] < 1 else None
    if shape.primitive is not path:
        return None
    form = placed(shape.pose, shape.form)
    if not is_open(form):
        return None
    place, way = ends(form)
    if float(np.hypot(*(place[1] - place[0]))) + 2 * by < SHORTEST:
        return None
    form[1:3] += by * way[0]
    form[-2:] += by * way[1]
    told, own = framed(form, float(pose[TAU]))
    return replace(shape, pose=told, form=own)

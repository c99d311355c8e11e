"""Proposals for rings and arcs: a ring whose gap shows what is behind it is an arc, and an arc whose gap
other strokes fill is a ring."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.propose import Choice, Sight, bare
from unrender.primitives.arc import arc
from unrender.primitives.circle import circle
from unrender.primitives.protocol import Doubles
from unrender.render.shape import ANGLE, OWN, TAU, A, B, X, Y

ROUGHLY = 1000.0  # bits by which one may be worse than the other before it is refined
MET = 40.0  # bits by which an arc whose round ends meet may seem better than the ring: it is chance
STEP = 1.0  # px along a ring from one point that is looked at to the next
WIDE = 1.0  # times as long as the ring is wide: a shorter gap may be noise
SHOWN = 0.9  # of what is left: so much must show the ring's colour rather than what is behind it


def closed_arcs(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """All of its ellipse in place of every arc: in its gap a stroke of its colour that crosses it may show,
    or one in front of it."""
    for placed in list(state.shapes):
        if circle not in sight.kinds or placed.shape.primitive is not arc or placed.shape.dashes is not None:
            continue
        if sight.fresh(state, ("closed", placed.key), placed.patch.window):
            yield _closed(state, placed)


def _closed(state: Interpretation, placed: Placed) -> Iterator[Move]:
    shape = replace(placed.shape, primitive=circle, pose=placed.shape.pose[:OWN])
    gap = (1 - float(placed.shape.pose[OWN + 1])) * _around(shape.pose)
    bonus = MET if gap < 2 * shape.pose[TAU] else 0.0
    told = Move([Placed.of(shape, state.model)], [placed], bonus)
    gain = state.gain(told)
    yield told
    if -ROUGHLY < gain < 0:
        yield Move([Placed.of(state.refined(shape, [placed]), state.model)], [placed], bonus)


def opened_rings(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """An arc in place of every ring with a gap, and of what seemed to hide it there but looks like what is
    behind it."""
    for placed in list(state.shapes):
        shape = placed.shape
        is_ring = shape.primitive is circle and shape.fill is None and shape.dashes is None
        if arc in sight.kinds and is_ring and sight.fresh(state, ("opened", placed.key), placed.patch.window):
            gap = _gap(state, placed)
            if gap is not None:
                yield _opened(state, placed, *gap)


def _gap(state: Interpretation, placed: Placed) -> tuple[float, float] | None:
    """Where the longest gap of a ring begins and how long it is, in turns, if there is one."""
    shape, (top, bottom, left, right) = placed.shape, placed.patch.window
    assert shape.stroke is not None
    assert placed.patch.stroke is not None
    around = _around(shape.pose)
    turns = np.arange(max(int(around / STEP), 8)) / max(int(around / STEP), 8)
    x, y = _at(shape.pose, turns)
    inside = (x >= left) & (y >= top) & (x < right) & (y < bottom)
    row, column = y[inside].astype(int), x[inside].astype(int)
    shows, behind = state.model.image[row, column], state.model.background[row, column]
    drawn = behind + placed.patch.stroke[row - top, column - left, None] * (shape.stroke - behind)
    nearer = ((shows - behind) ** 2).sum(1) < ((shows - drawn) ** 2).sum(1)
    missing = np.zeros(len(turns), np.int64)
    missing[inside] = nearer
    ends = _longest(missing + np.roll(missing, 1) + np.roll(missing, -1) > 1)  # noise may hide one of them
    if ends is None or ends[1] * around / len(turns) < WIDE * 2 * shape.pose[TAU]:
        return None
    first, count = ends
    if np.roll(missing, -first)[count:].mean() > 1 - SHOWN:
        return None
    return first / len(turns), count / len(turns)


def _around(pose: Doubles) -> float:
    """The length of an ellipse, px."""
    return math.tau * math.sqrt(float(pose[A] ** 2 + pose[B] ** 2) / 2)


def _at(pose: Doubles, turns: Doubles) -> tuple[Doubles, Doubles]:
    """Points of an ellipse, by turns from its first axis."""
    along, across = pose[A] * np.cos(2 * math.pi * turns), pose[B] * np.sin(2 * math.pi * turns)
    cos, sin = math.cos(pose[ANGLE]), math.sin(pose[ANGLE])
    return pose[X] + cos * along - sin * across, pose[Y] + sin * along + cos * across


def _longest(which: Mask) -> tuple[int, int] | None:
    """Where the longest run of a circle of values (N,) begins, and its length; None if there are none or no
    others."""
    if which.all() or not which.any():
        return None
    first = int(np.flatnonzero(which & ~np.roll(which, 1))[0])
    runs = np.flatnonzero(np.diff(np.roll(which, -first).astype(int), prepend=0, append=0))
    begins, lengths = runs[::2], runs[1::2] - runs[::2]
    most = int(lengths.argmax())
    return (first + int(begins[most])) % len(which), int(lengths[most])


def _opened(state: Interpretation, placed: Placed, begin: float, gap: float) -> Iterator[Move]:
    """What is left of a ring: instead of it alone, and instead of it and what hides it with no colour of its
    own."""
    own = np.array([(begin + gap) % 1, 1 - gap])
    shape = replace(placed.shape, primitive=arc, pose=np.concatenate([placed.shape.pose[:OWN], own]))
    hiding = tuple(
        each for each in state.shapes if each is not placed and each.touches(placed) and bare(state, each)
    )
    for gone in dict.fromkeys([(placed,), (placed, *hiding)]):
        if state.gain(Move([Placed.of(shape, state.model)], gone)) > -ROUGHLY:
            yield Move([Placed.of(state.refined(shape, gone), state.model)], gone)

"""Bodies that seem to reach behind what they lie on: where they end is hidden, so they end where they touch.

A box on a drawn floor looks the same whether it ends there or goes on behind the floor. One that is always as
far behind it, however it moves, is not behind it: it lies on it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from unrender.film.simulation.bodies.geometry import gap
from unrender.film.simulation.bodies.seen import Seen
from unrender.film.simulation.bodies.trajectory import Array, Trajectory, centroid, polygon

FEWEST = 8  # frames in which both must be seen
SAMPLES = 24  # frames that are looked at, at most
DEEP = 1.0  # px by which it is behind, at least
EVEN = 0.6  # px: interquartile range of that
SAME = 0.99  # length of the mean of the normals, in the frame of the body
MOST = 0.45  # share of its extent that may be hidden


def uncovered(bodies: Mapping[int, Seen]) -> dict[int, Seen]:
    """The same bodies without what they only seem to have behind others."""
    found = dict(bodies)
    for number, seen in bodies.items():
        own = seen.trajectory
        if own.is_circle or not own.moves:
            continue
        for other in bodies.values():
            cut = None if other is seen else _hidden(own, other.trajectory)
            if cut is not None:
                found[number] = _without(seen, *cut)
                break
    return found


def _hidden(a: Trajectory, b: Trajectory) -> tuple[Array, float] | None:
    """The direction (2,), in the frame of `a`, against which it is hidden by `b`, and px by which it is."""
    both = np.flatnonzero(a.seen & b.seen)
    if len(both) < FEWEST:
        return None
    depths, normals = [], []
    for frame in both[np.linspace(0, len(both) - 1, min(len(both), SAMPLES)).astype(int)]:
        ours, theirs = ((own.positions[frame], float(own.rotations[frame])) for own in (a, b))
        found = gap(a, ours, b, theirs)
        turn = math.radians(-ours[1])
        cos, sin = math.cos(turn), math.sin(turn)
        x, y = found.normal
        depths.append(-found.distance)
        normals.append((cos * x - sin * y, sin * x + cos * y))
    low, depth, high = np.quantile(depths, [0.25, 0.5, 0.75])
    normal = np.mean(normals, axis=0)
    length = float(np.linalg.norm(normal))
    if depth < DEEP or high - low > EVEN or length < SAME:
        return None
    normal = normal / length
    return (normal, float(depth)) if depth < MOST * float(np.ptp(a.outline @ normal)) else None


def _without(seen: Seen, normal: Array, depth: float) -> Seen:
    """A body without the part that lies deepest against a normal."""
    own = seen.trajectory
    ring = _clipped(own.outline, normal, float((own.outline @ normal).min()) + depth)
    centre = centroid(ring)
    turns = np.radians(own.rotations)
    shift = np.stack(
        [
            np.cos(turns) * centre[0] - np.sin(turns) * centre[1],
            np.sin(turns) * centre[0] + np.cos(turns) * centre[1],
        ],
        axis=1,
    )
    body = polygon(own.track, ring - centre, own.positions + shift, own.rotations, own.seen)
    return replace(seen, trajectory=body, offset=seen.offset - centre)


def _clipped(ring: Array, normal: Array, least: float) -> Array:
    """The part of a convex ring (V, 2) whose points are at least so far along a normal."""
    made = []
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        a, b = float(start @ normal) - least, float(end @ normal) - least
        if a >= 0:
            made.append(start)
        if (a < 0) != (b < 0):
            made.append(start + (end - start) * a / (a - b))
    return np.array(made)

"""Still bodies that the border of the picture cuts go on behind it: a floor ends no sooner than the film."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from unrender.film.simulation.bodies.seen import CUT, Seen
from unrender.film.simulation.bodies.trajectory import Array, Trajectory

Sides = NDArray[np.bool_]
SHORTEST = 4.0  # px of a side: a shorter one does not tell its direction


def extended(bodies: Mapping[int, Seen], size: tuple[int, int]) -> dict[int, Seen]:
    """The same bodies; those that never move go on, as far as the picture is large, where its border cuts.

    size: (width, height) of the picture, px.
    """
    return {
        number: replace(seen, trajectory=_extended(seen.trajectory, size)) for number, seen in bodies.items()
    }


def _extended(body: Trajectory, size: tuple[int, int]) -> Trajectory:
    if body.is_circle or body.moves:
        return body
    here = np.median(body.positions[body.seen], axis=0)
    turn = float(np.median(body.rotations[body.seen]))
    ring = body.corners(here, turn)
    low, high = ring < CUT, ring > np.array(size) - CUT
    cut = (low | high).any(axis=1)
    if not cut.any() or (cut.all() and _covers(ring, size)):
        return body
    far = float(max(size))
    more = [point for i in np.flatnonzero(cut) for point in _further(ring, low, high, int(i), far)]
    if not more:
        return body
    points = np.concatenate([ring, more])
    whole = points[ConvexHull(points).vertices]
    back = replace(body, outline=whole - here).corners(np.zeros(2), -turn)
    return replace(body, outline=back, radius=float(np.linalg.norm(back, axis=1).max()))


def _covers(ring: Array, size: tuple[int, int]) -> bool:
    """Whether a ring reaches from border to border both ways: a ground behind all else holds nothing."""
    return bool((np.ptp(ring, axis=0) > np.array(size) - 2 * CUT).all())


def _further(ring: Array, low: Sides, high: Sides, i: int, far: float) -> list[Array]:
    """Where a corner at the border leads, px beyond it: along the sides that meet there but run inside the
    picture, and straight out of a corner of the picture."""
    found = []
    for k in (i - 1, (i + 1) % len(ring)):
        along = ring[i] - ring[k]
        length = float(np.linalg.norm(along))
        beside = (low[i] & low[k]) | (high[i] & high[k])  # a side that only the border makes
        if length > SHORTEST and not beside.any():
            found.append(ring[i] + along / length * far)
    out = high[i].astype(float) - low[i].astype(float)
    if np.abs(out).sum() == 2:
        found.append(ring[i] + out * far)
    return found

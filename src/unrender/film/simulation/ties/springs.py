"""Springs and rods: forces along the line between two bodies, or a body and a point, that need not be drawn.

A body whose motion neither the field nor contacts explain cheaply is tried as one that hangs on something.
The accelerations of a smoothed trajectory give a first guess by linear least squares; then the motion is
integrated and fitted to the film itself. What saves bits is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from scipy.interpolate import CubicSpline

from unrender.film.simulation.bodies.trajectory import Trajectory
from unrender.film.simulation.free.stretches import Field
from unrender.film.simulation.ties.anchored import rod_to_point, spring_to_point
from unrender.film.simulation.ties.paired import spring_between
from unrender.film.simulation.ties.tie import Tie

PRICE = 90.0  # bits of a spring or rod: what it ties, and its numbers
WELL = 3.0  # bits per frame of a motion that is explained
SEEN = 0.7  # share of the frames in which a body must be seen


def find_ties(bodies: Sequence[Trajectory], field: Field, known: bool, usual: dict[int, float]) -> list[Tie]:
    """The springs and rods that save bits, each body in one at most.

    known: whether gravity is known from elsewhere. usual: bits of each body without any, by track.
    """
    moving = [_filled(body) for body in bodies if body.moves and body.seen.mean() > SEEN]
    options: list[Tie] = []
    for body in moving:
        if usual[body.track] < PRICE + 60:  # nothing to save
            continue
        found = rod_to_point(body, field, known)
        if found is None or found.cost > WELL * body.frames + 60:
            found = spring_to_point(body, field, known)
        if found is not None:
            options.append(_priced(found, usual[body.track]))
    for a, b in combinations(moving, 2):
        both = usual[a.track] + usual[b.track]
        if both >= 2 * PRICE:
            between = spring_between(a, b, field, known)
            if between is not None:
                options.append(_priced(between, both))
    chosen: list[Tie] = []
    used: set[int] = set()
    for tie in sorted(options, key=lambda own: -own.saved):
        ends = {tie.a, *([tie.b] if isinstance(tie.b, int) else [])}
        if tie.saved > 0 and not ends & used:
            used |= ends
            chosen.append(tie)
    return chosen


def _filled(body: Trajectory) -> Trajectory:
    """The trajectory with its gaps bridged by smooth curves, which count for nothing in a fit."""
    if body.seen.all():
        return body
    frames = np.arange(body.frames)
    curve = CubicSpline(frames[body.seen], body.positions[body.seen])
    inside = np.clip(frames, *frames[body.seen][[0, -1]])
    return replace(body, positions=np.where(body.seen[:, None], body.positions, curve(inside)))


def _priced(tie: Tie, usual: float) -> Tie:
    return replace(tie, saved=usual - tie.cost - PRICE)

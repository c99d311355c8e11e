"""Planes: what passes behind or before something never touches it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from unrender.film.simulation.bodies.geometry import gap
from unrender.film.simulation.bodies.trajectory import Trajectory
from unrender.film.simulation.contacts.touches import Contacts

DEEP, DEEPER = 3.0, 0.25  # px, and share of the smaller radius: no two bodies are so far inside each other
BRIEF = 3  # frames in which they must be: some are seen badly


def passing(bodies: Sequence[Trajectory]) -> frozenset[frozenset[int]]:
    """Pairs that are seen well inside one another, so that one must be in front: they never collide."""
    found = set()
    for a, b in combinations(bodies, 2):
        if not (a.moves or b.moves):
            continue
        deep = max(DEEP, DEEPER * min(a.radius, b.radius))
        near = np.linalg.norm(a.positions - b.positions, axis=1) < a.radius + b.radius - deep
        count = 0
        for frame in np.flatnonzero(near & a.seen & b.seen):
            ours, theirs = ((own.positions[frame], float(own.rotations[frame])) for own in (a, b))
            count += gap(a, ours, b, theirs).distance < -deep
            if count >= BRIEF:
                found.add(frozenset((a.track, b.track)))
                break
    return frozenset(found)


def in_another_plane(
    bodies: Sequence[Trajectory], apart: frozenset[frozenset[int]], contacts: Contacts
) -> frozenset[frozenset[int]]:
    """Pairs of a still body that some pass behind, or before, with all others that never touch it: neither
    would they."""
    met = {frozenset(t for t in hit.tracks if t is not None) for hit in contacts.hits}
    met |= {frozenset((own.track, own.on)) for own in contacts.supports if isinstance(own.on, int)}
    found = set()
    for still in (body for body in bodies if not body.moves):
        if any(still.track in pair for pair in apart):
            found |= {frozenset((still.track, other.track)) for other in bodies if other is not still}
    return frozenset(found - met)

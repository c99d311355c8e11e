"""Shots: short parts of a film around contacts, each to be simulated from a state of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from unrender.film.simulation.world import Contact, World

LEAD, TRAIL = 3, 6  # frames of a shot before its first contact and after its last
BRIEFLY = 2, 4  # the same of a shot in the midst of others
CLOSE = 4.0  # frames: contacts of one body that follow each other sooner belong to one shot
SLIDE = 8.0  # frames of a lasting contact that are simulated
LONGEST = 22  # frames
MOST = 6  # contacts: what a heap does is decided by errors that are too small to be seen


@dataclass(frozen=True)
class Shot:
    """Frames first..last (both included), and the tracks of the moving bodies that touch something."""

    first: int
    last: int
    tracks: tuple[int, ...]
    touch: float  # frame of the first contact


def find_shots(world: World) -> list[Shot]:
    """The shots of a film: contacts that share a body and follow each other closely are in one."""
    moving = {body.track for body in world.bodies if body.static is False}
    clusters: list[list[Contact]] = []
    for contact in sorted(world.contacts, key=lambda own: own.frame):
        own = _tracks(contact, moving)
        near = [c for c in clusters if own & _all(c, moving) and contact.frame - _end(c) < CLOSE]
        for cluster in near:
            clusters.remove(cluster)
        if own:
            clusters.append([*(one for cluster in near for one in cluster), contact])
    found: list[Shot | None] = []
    for cluster in clusters:
        whole = _shot(world, cluster, moving) if len(cluster) <= MOST else None
        found += [whole] if whole is not None else [_around(world, own, moving) for own in cluster]
    return [shot for shot in found if shot is not None]


def _tracks(contact: Contact, moving: set[int]) -> set[int]:
    return {track for track in (contact.a, contact.b) if track is not None and track in moving}


def _all(cluster: Sequence[Contact], moving: set[int]) -> set[int]:
    return set().union(*(_tracks(contact, moving) for contact in cluster))


def _end(cluster: Sequence[Contact]) -> float:
    return max(min(contact.last, contact.frame + SLIDE) for contact in cluster)


def _around(world: World, contact: Contact, moving: set[int]) -> Shot | None:
    """A shot of one contact between two that move, where more happens before and after it than can be told.

    None where they meet again within it, or others: what a heap does is decided by what cannot be seen.
    """
    tracks = _tracks(contact, moving)
    first = max(math.floor(contact.frame - 0.3) - BRIEFLY[0], 0)
    last = min(math.ceil(contact.frame) + BRIEFLY[1], world.frames - 1)
    if len(tracks) < 2 or contact.lasting or last - first < 2:
        return None
    there = all(world.motions[t].first <= first and world.motions[t].last >= last for t in tracks)
    meetings = [
        c
        for c in world.contacts
        if c.last > first - 0.3 and c.frame < last + 0.3 and len(_tracks(c, moving)) > 1
    ]
    alone = all(c is contact or not _tracks(c, moving) & tracks for c in meetings)
    return Shot(first, last, tuple(sorted(tracks)), contact.frame) if there and alone else None


def _shot(world: World, cluster: Sequence[Contact], moving: set[int]) -> Shot | None:
    """From before a cluster of contacts until something else happens to its bodies."""
    tracks = _all(cluster, moving)
    begin, end = min(contact.frame for contact in cluster), _end(cluster)
    others = [
        c for c in world.contacts if _tracks(c, moving) & tracks and all(c is not own for own in cluster)
    ]
    before = [c.last if c.last < begin else begin - 1 for c in others if c.frame < begin]
    after = [c.frame for c in others if c.frame > end]
    first = max(math.floor(begin - 0.3) - LEAD, math.ceil(max(before, default=-1.0) + 0.3), 0)
    last = min(
        math.ceil(end) + TRAIL, math.floor(min(after, default=math.inf) - 0.3) if after else world.frames - 1
    )
    last = min(last, world.frames - 1)
    there = all(world.motions[t].first <= first and world.motions[t].last >= last for t in tracks)
    if not there or not 2 <= last - first <= LONGEST:
        return None
    return Shot(first, last, tuple(sorted(tracks)), begin)

"""Why a body moves: the contact, spring or force that set it going."""

from __future__ import annotations

import math
from dataclasses import dataclass

from unrender.film.simulation.world import Body, Contact, World

RESTS = 12.0  # px/s: what is slower rests
EARLY = 1.5  # frames: by how much a contact may seem to come after what it caused


@dataclass(frozen=True, eq=False)
class Cause:
    """What made a body move: a contact, "spring", "gravity" or "start" (it moved from the first frame on)."""

    kind: str
    frame: float
    contact: Contact | None = None
    other: int | None = None  # track


def cause(world: World, track: int) -> Cause | None:
    """Of the first motion of a body after a rest, or else of its greatest change; None if it never moves."""
    body, motion = world.body(track), world.motions[track]
    if body.static is not False:
        return None
    hits = [c for c in world.contacts if track in (c.a, c.b) and not c.lasting]
    speeds = [math.hypot(*state[3:5]) for state in motion.states]
    rested = [f for f in range(motion.first, motion.last + 1) if speeds[f] < RESTS]
    begun = next(
        (f for f in rested if f + 1 <= motion.last and speeds[min(f + 2, motion.last)] > RESTS), None
    )
    if begun is not None:
        near = [c for c in hits if abs(c.frame - begun - 0.5) <= EARLY + 1]
        if near:
            hit = min(near, key=lambda c: (c.b is None, abs(c.frame - begun)))
            return Cause("contact", hit.frame, hit, other_of(hit, track))
    if any(isinstance(end, Body) and end.track == track for s in world.springs for end in (s.a, s.b)):
        return Cause("spring", motion.first)
    pushed = [c for c in hits if c.b is not None and not _static(world, other_of(c, track))]
    if speeds[motion.first] >= RESTS:
        if pushed:
            hit = max(pushed, key=lambda c: c.impulse)
            return Cause("contact", hit.frame, hit, other_of(hit, track))
        return Cause("start", motion.first)
    if world.gravity is not None and any(world.gravity):
        return Cause("gravity", motion.first)
    if pushed:
        hit = max(pushed, key=lambda c: c.impulse)
        return Cause("contact", hit.frame, hit, other_of(hit, track))
    return None


def other_of(contact: Contact, track: int) -> int | None:
    """The other body of a contact; None for a wall."""
    return contact.b if contact.a == track else contact.a


def _static(world: World, track: int | None) -> bool:
    return track is None or world.body(track).static is not False

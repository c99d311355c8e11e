"""What will happen, and what would have happened: the world run on from the end, or again with a change.

A body goes on as it was filmed until something that was changed reaches it: what did happen is evidence that
no simulation betters.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

import numpy as np

from unrender.film.simulation.bodies.geometry import gap
from unrender.film.simulation.bodies.trajectory import Array
from unrender.film.simulation.free.forces import TOUCH
from unrender.film.simulation.run.simulator import WALL, Simulator
from unrender.film.simulation.world import Body, Contact, World

PUSH = 12.0  # px/s: a smaller change of velocity may be none

Paths = dict[int, Array]  # by track: states (F, 6) as x, y px, degrees, px/s, degrees/s; NaN where not there


def ahead(world: World, frames: int, touches: dict[frozenset[int], int] | None = None) -> Paths:
    """The states of every body in so many frames after the last one.

    touches: is given the pairs of tracks that touch, each with the first of these frames in which they do.
    """
    simulator = Simulator(world)
    last = world.frames - 1
    here = [
        track for track, motion in world.motions.items() if motion.last >= last - 1 or _leaving(world, track)
    ]
    for track in here:
        simulator.put(track, world.motions[track].states[last])
    simulator.link(world.springs)
    paths = {track: np.full((frames, 6), np.nan) for track in here}
    for frame in range(frames):
        simulator.step()
        _note(simulator, frame, touches)
        for track in here:
            paths[track][frame] = simulator.state(track)
    return paths


def _leaving(world: World, track: int) -> bool:
    """Whether a body that was last seen at the border of the picture is not all beyond it at the end."""
    form, motion = world.shapes[track], world.motions[track]
    width, height = world.size
    sides = [(np.array(n), d) for n, d in (((1, 0), 0), ((0, 1), 0), ((-1, 0), -width), ((0, -1), -height))]
    seen, end = ((own[:2], float(own[2])) for own in motion.states[[motion.last, world.frames - 1]])
    cut = any(form.reach(normal, *seen) < border for normal, border in sides)
    gone = any(-form.reach(-normal, *end) < border for normal, border in sides)
    return motion.last >= 0 and cut and not gone


def again(
    world: World,
    removed: frozenset[int] = frozenset(),
    changed: Mapping[int, Array] | None = None,
    touches: dict[frozenset[int], int] | None = None,
) -> tuple[Paths, dict[int, int]]:
    """The film without some bodies, or with others in another state when they first appear.

    changed: states (6,) by track. Also the frame from which on each body that it concerns moves otherwise.
    """
    changed = changed or {}
    simulator = Simulator(world)
    frames = world.frames
    concerned: dict[int, int] = {}
    paths = {track: np.full((frames, 6), np.nan) for track in world.motions if track not in removed}
    linked = _linked(world)
    there: set[int] = set()
    joined = False
    for frame in range(frames):
        for track, motion in world.motions.items():
            if track in removed or not motion.first <= frame:
                continue
            if track not in there:
                there.add(track)
                if track in changed:
                    concerned[track] = frame
                state = changed.get(track, motion.states[frame])
                simulator.put(track, state)
            elif track not in concerned and frame <= motion.last:  # later only the simulation knows
                simulator.put(track, motion.states[frame])
            paths[track][frame] = simulator.state(track)
        if not joined:
            springs = [s for s in world.springs if not {end.track for end in _bodies(s.a, s.b)} & removed]
            simulator.link(springs)
            joined = True
        _spread(world, removed, frame, there, concerned, linked)
        for own in _touching(world, frame, removed | concerned.keys(), there - concerned.keys()):
            concerned[own] = frame
        simulator.step()
        _note(simulator, frame, touches)
        moved = True
        while moved:  # whom a body that moves otherwise touches moves otherwise
            moved = False
            for pair in simulator.touched:
                if WALL in pair or len(pair) < 2:
                    continue
                a, b = pair
                for own, other in ((a, b), (b, a)):
                    if own in concerned and other not in concerned and not _still(world, other):
                        concerned[other], moved = frame + 1, True
    return paths, concerned


def _note(simulator: Simulator, frame: int, touches: dict[frozenset[int], int] | None) -> None:
    if touches is not None:
        for pair in simulator.touched:
            touches.setdefault(pair, frame)


def _still(world: World, track: int) -> bool:
    return world.body(track).static is not False


def _bodies(*ends: object) -> list[Body]:
    return [end for end in ends if isinstance(end, Body)]


def _linked(world: World) -> list[tuple[int, int]]:
    pairs = [_bodies(spring.a, spring.b) for spring in world.springs]
    return [(pair[0].track, pair[1].track) for pair in pairs if len(pair) == 2]


def _spread(
    world: World,
    removed: frozenset[int],
    frame: int,
    there: set[int],
    concerned: dict[int, int],
    linked: list[tuple[int, int]],
) -> None:
    """Let go of the film for those whom a contact or a spring in it ties to what is not as it was."""
    gone = removed | concerned.keys()
    for contact in world.contacts:
        if contact.b is None or not _during(contact, frame):
            continue
        for own, other in ((contact.a, contact.b), (contact.b, contact.a)):
            free = own in there and own not in concerned and not _still(world, own)
            if other in gone and free:
                concerned[own] = frame
    for a, b in linked:
        for own, other in ((a, b), (b, a)):
            if other in gone and own in there and own not in concerned:
                concerned[own] = frame


def _touching(world: World, frame: int, gone: Set[int], going: Set[int]) -> list[int]:
    """The tracks, of those that go as they were filmed, that something pushes where they touch what is gone.

    Contacts that follow each other within a few frames are not all told apart; yet what then moves otherwise
    than freely, beside a body that is gone, was pushed by it.
    """
    pushed = [t for t in going if not _still(world, t) and _pushed(world, t, frame)]
    return [t for t in pushed if any(_close(world, t, other, frame) for other in gone if other != t)]


def _pushed(world: World, track: int, frame: int) -> bool:
    """Whether more than gravity changes the velocity of a body about a frame."""
    motion = world.motions[track]
    before, after = max(frame - 1, motion.first), min(frame + 2, motion.last)
    change = motion.states[after, 3:5] - motion.states[before, 3:5]
    fall = np.asarray(world.gravity or (0.0, 0.0)) * (after - before) / world.fps
    return float(np.linalg.norm(change - fall)) > PUSH


def _close(world: World, a: int, b: int, frame: int) -> bool:
    """Whether two bodies touch between a frame and the next, as they go on from one or came to the other."""
    ours, theirs = world.motions[a], world.motions[b]
    last = min(frame + 1, ours.last, theirs.last)
    if frame < max(ours.first, theirs.first) or frame > last or frozenset((a, b)) in world.apart:
        return False
    for start, way in ((frame, 1.0), (last, -1.0)):
        for share in (0.0, 0.5, 1.0):
            one, other = (
                own.states[start, :3] + way * share / world.fps * own.states[start, 3:]
                for own in (ours, theirs)
            )
            found = gap(world.shapes[a], (one[:2], one[2]), world.shapes[b], (other[:2], other[2]))
            if found.distance < TOUCH:
                return True
    return False


def _during(contact: Contact, frame: int) -> bool:
    """Whether a contact falls between this frame and the next."""
    return (
        frame - 0.3 <= contact.last and contact.frame < frame + 1.3
        if contact.lasting
        else (frame - 0.3 <= contact.frame < frame + 1.3)
    )

"""What a film does not show of its motions, from the simulation: the spin of circles, and velocities between
two contacts that are so close in time that no stretch tells them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from unrender.film.simulation.run.simulator import Simulator
from unrender.film.simulation.world import Motion, World


def replayed(world: World, spins: Mapping[tuple[int, int], float] | None = None) -> World:
    """The world with the states of its motions completed.

    Every frame starts from what the film knows; only what it does not know comes from the frame before.
    spins: degrees/s of circles by track and frame, where they are known.
    """
    spins = spins or {}
    simulator = Simulator(world)
    states = {track: motion.states.copy() for track, motion in world.motions.items()}
    there: set[int] = set()
    for frame in range(world.frames):
        for track, motion in world.motions.items():
            if not motion.first <= frame <= motion.last:
                continue
            own = states[track]
            if track in there:
                now = simulator.state(track)
                if world.shapes[track].is_circle:
                    own[frame, 2], own[frame, 5] = now[2], spins.get((track, frame), now[5])
                if not motion.sure[frame] and np.isfinite(now).all():
                    own[frame, 3:6] = now[3:6]
            there.add(track)
            simulator.put(track, own[frame])
        if frame == 0:
            simulator.link(world.springs)
        simulator.step()
    motions = {
        track: Motion(states[track], own.first, own.last, own.sure) for track, own in world.motions.items()
    }
    return replace(world, motions=motions)

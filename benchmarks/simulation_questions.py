"""Questions about what happens, would happen and why, with the answers that the simulator knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from unrender.film.simulation.answers.causes import cause
from unrender.film.simulation.run.events import futures, pasts
from unrender.film.simulation.world import World
from unrender.worlds.mechanics import Contact, Run, Setting

AHEAD = 1.0  # seconds
RESTS = 5.0  # px/s
MOVED = 0.03  # of the width


@dataclass(frozen=True)
class Asked:
    """A question as it would be put in words, the truth, and what the world says."""

    text: str
    truth: object
    answer: object


def questions(
    setting: Setting,
    run: Run,
    world: World,
    things: Mapping[int, int],
    again: Callable[[Setting], Run] = Setting.run,
) -> Iterator[Asked]:
    """All questions about one film whose truth is beyond doubt. again: runs a setting as for the film."""
    tracks = {k: track for track, k in things.items() if not setting.things[k].static}
    yield from _will_hit(setting, world, tracks, again)
    yield from _would_move(setting, run, world, tracks, again)
    yield from _why(setting, run, world, tracks)
    yield from _heavier(setting, world, tracks)


def _will_hit(
    setting: Setting, world: World, tracks: Mapping[int, int], again: Callable[[Setting], Run]
) -> Iterator[Asked]:
    frames = round(AHEAD * setting.fps)
    later = again(replace(setting, frames=setting.frames + frames))
    end = (setting.frames - 1) / setting.fps
    hits = {frozenset((c.a, c.b)) for c in later.contacts if c.time >= end}
    runs = futures(world, frames)
    names = sorted(tracks)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            pair = frozenset((tracks[a], tracks[b]))
            votes = sum(pair in own.touches for own in runs)
            yield Asked(f"will {a} hit {b}?", frozenset((a, b)) in hits, votes * 2 > len(runs))


def _would_move(
    setting: Setting, run: Run, world: World, tracks: Mapping[int, int], again: Callable[[Setting], Run]
) -> Iterator[Asked]:
    for gone in tracks:
        truth = again(setting.without(gone)).states
        runs = pasts(world, frozenset([tracks[gone]]))
        for other in tracks:
            if other == gone:
                continue
            apart = float(np.abs(truth[:, other, :2] - run.states[:, other, :2]).max()) / setting.width
            if MOVED / 3 < apart < MOVED:
                continue  # neither the same nor different
            votes = sum(tracks[other] in own.concerned for own in runs)
            text = f"would {other} go otherwise without {gone}?"
            yield Asked(text, apart >= MOVED, votes * 2 > len(runs))


def _why(setting: Setting, run: Run, world: World, tracks: Mapping[int, int]) -> Iterator[Asked]:
    for k, track in tracks.items():
        first = run.states[0, k, 3:5]
        hits = [c for c in run.contacts if k in (c.a, c.b) and min(c.a, c.b) >= 0]
        if np.abs(first).max() > RESTS or not hits or any(setting.gravity) or setting.links:
            continue
        if not 3 < hits[0].time * setting.fps < setting.frames - 4:
            continue
        found = cause(world, track)
        yield Asked(f"why did {k} move?", tracks.get(_other(hits[0], k)), found.other if found else None)


def _other(contact: Contact, k: int) -> int:
    return contact.b if contact.a == k else contact.a


def _heavier(setting: Setting, world: World, tracks: Mapping[int, int]) -> Iterator[Asked]:
    names = sorted(tracks)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            one, other = (world.body(tracks[k]).mass for k in (a, b))
            ratio = setting.things[a].mass / setting.things[b].mass
            if one is not None and other is not None and abs(ratio - 1) > 0.1:
                yield Asked(f"is {a} heavier than {b}?", ratio > 1, one > other)

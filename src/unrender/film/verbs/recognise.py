"""Recognising a verb: when an object does it, at which phase and how fast, whatever its size, place, turn and
colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.film.verbs.body import Limbs
from unrender.film.verbs.verb import Verb

Array = NDArray[np.float64]

STARTS = 64  # phases at which a motion is tried to begin
FASTEST = 3.0  # frames of a cycle
STEP = 1.03  # times the last: periods that are tried
ALIKE = 0.13  # of the energy of the verb: what a motion may differ from it by
GRAIN = 3.0  # squares of the grain of seeing by which it may differ, too
LIVELY = (0.45, 1.9)  # of the energy of the verb: what a motion must have, and may
SEEN = 0.6  # of a cycle, or of a run, that must be seen
TURNED = 2  # the column of `Limbs.moves` that says how far a part is turned
GAP = 3  # frames that a motion may be unclear for
DROPPED = 0.4  # of its energy: parts that may do something else meanwhile


@dataclass(frozen=True)
class Doing:
    """An object does something from a frame on until another one."""

    verb: str
    phases: dict[int, float]  # by frame
    rate: float  # cycles, or runs, per frame
    likeness: float  # what is left over, as a share of the verb's energy
    parts: tuple[int, ...] = ()  # that do it

    @property
    def first(self) -> int:
        return min(self.phases)

    @property
    def last(self) -> int:
        return max(self.phases)


def recognised(limbs: Limbs, verbs: Sequence[Verb]) -> list[Doing]:
    """Everything that an object does, of the verbs that are known of its symbol."""
    found = [doing for verb in verbs for doing in _found(limbs, verb)]
    return _distinct(found)


def _distinct(found: list[Doing]) -> list[Doing]:
    """Of two verbs that move the same parts in the same frames, the one that fits better."""
    kept: list[Doing] = []
    for doing in sorted(found, key=lambda each: each.likeness):
        own = set(doing.parts)
        rivals = [other for other in kept if own & set(other.parts)]
        taken = {frame for other in rivals for frame in other.phases}
        left = {frame: phase for frame, phase in doing.phases.items() if frame not in taken}
        if len(left) > 0.6 * len(doing.phases):
            kept.append(replace(doing, phases=left))
    return kept


def _found(limbs: Limbs, verb: Verb) -> list[Doing]:
    parts = verb.parts
    if not parts or len(limbs.frames) < 5 or limbs.moves.shape[1] != verb.moves.shape[1]:
        return []
    whole = _tried(limbs, verb, parts)
    own = verb.moves[:, parts]
    energies = ((own - own.mean(0)) ** 2).sum(2).mean(0)
    if len(parts) > 2:
        for k in range(len(parts)):
            if energies[k] < DROPPED * energies.sum():
                rest = [part for part in parts if part != parts[k]]
                whole += [each for each in _tried(limbs, verb, rest) if _new(each, whole)]
    return whole


def _new(doing: Doing, known: Sequence[Doing]) -> bool:
    return all(doing.phases.keys().isdisjoint(other.phases) for other in known)


def _tried(limbs: Limbs, verb: Verb, parts: Sequence[int]) -> list[Doing]:
    """Where the motion of some parts is that of a verb."""
    frames, seen = limbs.frames.astype(float), limbs.moves[:, parts]
    shown = (
        np.stack([verb.at(k / STARTS) for k in range(STARTS)])
        if verb.cyclic
        else np.stack([verb.at(k / (STARTS - 1)) for k in range(STARTS)])
    )
    shown = shown[:, parts]
    energy = float(((shown - shown.mean(0)) ** 2).sum((1, 2)).mean())
    apart = _apart(seen, shown, limbs.periods[list(parts)]) / energy  # (N, STARTS)
    limit = ALIKE + GRAIN * limbs.grain**2 * len(parts) / energy
    best = np.full(len(frames), np.inf)
    rate, start = np.zeros(len(frames)), np.zeros(len(frames))
    clock = frames - frames[0]
    period = FASTEST
    while period <= clock[-1] / SEEN + 1e-9:
        costs, lines = (_cyclic if verb.cyclic else _once)(clock, apart, seen, energy, period)
        better = costs < best
        best = np.where(better, costs, best)
        rate, start = np.where(better, 1 / period, rate), np.where(better, lines, start)
        period *= STEP
    made = []
    for here in _stretches(best < limit, verb, clock, rate, start, best):
        run = _run(verb, limbs, here, clock, apart, rate, start, best)
        if run is not None:
            made.append(replace(run, parts=tuple(parts)))
    return made


def _stretches(
    doing: NDArray[np.bool_], verb: Verb, clock: Array, rate: Array, start: Array, best: Array
) -> list[NDArray[np.int64]]:
    """The frames of each time that something is done: of what repeats, as long as it does; of what does not,
    one run, the clearest first."""
    if verb.cyclic:
        closed = ndimage.binary_closing(np.pad(doing, GAP), np.ones(GAP + 1))[GAP:-GAP]
        labels, count = ndimage.label(closed)
        return [np.flatnonzero(labels == k) for k in range(1, count + 1)]
    found, left = [], doing.copy()
    while left.any():
        surest = int(np.argmin(np.where(left, best, np.inf)))
        phase = start[surest] + rate[surest] * clock
        here = np.flatnonzero((phase >= -1e-9) & (phase < 1))
        if left[here].mean() > SEEN:
            found.append(here)
        left[here] = False
        left[surest] = False
    return found


def _apart(seen: Array, shown: Array, periods: Array) -> Array:
    """(N, S): the square between every frame and every phase; what is hidden counts as the mean of the
    others, and turns count up to the symmetry of each part."""
    apart = seen[:, None] - shown[None]
    apart[..., TURNED] -= periods * np.round(apart[..., TURNED] / periods)
    off = (apart**2).sum(3)  # (N, S, P)
    known = np.isfinite(off)
    counted = known.sum(2)
    total = np.where(known, off, 0.0).sum(2)
    found: Array = np.where(counted > 0, total * off.shape[2] / np.maximum(counted, 1), np.inf)
    return found


def _windowed(values: Array, width: int) -> Array:
    """(..., N - width + 1): means of windows along the last axis."""
    total = np.cumsum(np.concatenate([np.zeros((*values.shape[:-1], 1)), values], -1), -1)
    found: Array = (total[..., width:] - total[..., :-width]) / width
    return found


def _lively(seen: Array, energy: float, width: int) -> NDArray[np.bool_]:
    """(N - width + 1,): windows in which the parts move about as much as the verb does."""
    flat = np.nan_to_num(seen.reshape(len(seen), -1))
    mean = _windowed(flat.T, width)
    square = _windowed((flat**2).T, width)
    spread = (square - mean**2).sum(0) / energy
    found: NDArray[np.bool_] = (spread > LIVELY[0]) & (spread < LIVELY[1])
    return found


def _spread_out(costs: Array, lines: Array, width: int, count: int) -> tuple[Array, Array]:
    """What the best window that holds each frame (N,) says."""
    best, line = np.full(count, np.inf), np.zeros(count)
    for k in np.argsort(-costs, kind="stable"):
        if np.isfinite(costs[k]):
            best[k : k + width], line[k : k + width] = costs[k], lines[k]
    return best, line


def _cyclic(clock: Array, apart: Array, seen: Array, energy: float, period: float) -> tuple[Array, Array]:
    """Of every frame the cost of the best window with this period, and the phase that it would begin with."""
    count = len(clock)
    width = min(count, max(6, round(period)))
    starts = np.arange(STARTS) / STARTS
    phase = (starts[:, None] + clock / period) % 1.0
    place = phase * STARTS
    low = place.astype(int) % STARTS
    part = place - np.floor(place)
    rows = np.arange(count)
    along = apart[rows, low] * (1 - part) + apart[rows, (low + 1) % STARTS] * part  # (STARTS, N)
    means = _windowed(along, width)
    which = means.argmin(0)
    costs = np.where(_lively(seen, energy, width), means[which, np.arange(means.shape[1])], np.inf)
    return _spread_out(costs, starts[which], width, count)


def _once(clock: Array, apart: Array, seen: Array, energy: float, period: float) -> tuple[Array, Array]:
    """The same for a run that takes `period` frames: every window is one run from its begin to its end."""
    count = len(clock)
    width = int(period) + 1
    if width > count or width < 5:
        return np.full(count, np.inf), np.zeros(count)
    share = np.arange(width) / period
    low = np.minimum((share * (STARTS - 1)).astype(int), STARTS - 1)
    windows = np.lib.stride_tricks.sliding_window_view(apart, width, axis=0)  # (M, STARTS, width)
    costs = windows[:, low, np.arange(width)].mean(1)
    costs = np.where(_lively(seen, energy, width), costs, np.inf)
    return _spread_out(costs, -clock[: len(costs)] / period, width, count)


def _run(
    verb: Verb,
    limbs: Limbs,
    here: NDArray[np.int64],
    clock: Array,
    apart: Array,
    rate: Array,
    start: Array,
    best: Array,
) -> Doing | None:
    """One stretch of doing it: phase and rate by a line through the best phases of its frames."""
    if len(here) < 4:
        return None
    surest = here[int(np.argmin(best[here]))]
    speed = rate[surest]
    at = clock[here]
    line = start[surest] + speed * clock[surest] + (at - clock[surest]) * speed
    for _ in range(3):
        own = _nearest_phases(verb, apart[here], line)
        weight = np.ones(len(own))
        slope, offset = np.polyfit(at - at.mean(), own, 1, w=weight)
        line = offset + slope * (at - at.mean())
    if slope <= 0 or slope * (at[-1] - at[0] + 1) < SEEN:
        return None
    phases = line % 1.0 if verb.cyclic else line.clip(0.0, 1.0 - 1e-9)
    told = {int(limbs.frames[n]): float(phase) for n, phase in zip(here, phases, strict=True)}
    return Doing(verb.name, told, float(slope), float(np.mean(best[here])))


def _nearest_phases(verb: Verb, apart: Array, line: Array) -> Array:
    """Of every frame the phase (N,), counted on past 1, near a line that fits it best."""
    reach = np.arange(-8, 9) / STARTS
    tried = line[:, None] + reach
    scale = STARTS if verb.cyclic else STARTS - 1
    place = (tried % 1.0 if verb.cyclic else tried.clip(0, 1)) * scale
    low = np.minimum(place.astype(int), STARTS - 1)
    high = (low + 1) % STARTS if verb.cyclic else np.minimum(low + 1, STARTS - 1)
    part = place - low
    rows = np.arange(len(line))[:, None]
    cost = apart[rows, low] * (1 - part) + apart[rows, high] * part
    cost = cost + 0.05 * (reach / reach.max()) ** 2 * cost.mean(1, keepdims=True)
    found: Array = tried[np.arange(len(line)), cost.argmin(1)]
    return found

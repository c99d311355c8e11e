"""Keyframes: the fewest values in time, with easing between them, that tell a motion.

Which frames are keyframes, and how each stretch between them is eased, is found by dynamic programming over
the bits of keyframes and of what they leave over.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.film.motion.easing import EASINGS, LINEAR, Easing, all_eased

Array = NDArray[np.float64]

VALUE = 8.0  # bits of one value of a keyframe
KIND = {"linear": 1.0, "hold": 3.0, "ease in": 6.0, "ease out": 6.0, "ease in-out": 6.0}  # bits of an easing
COSTS = np.array([KIND[easing.name] for easing in EASINGS])
THROWN = 4.0  # bits of a stretch that is a parabola, beside its bend
MOST = 72  # frames that are all tried as keyframes
LONGEST = 240  # frames between two keyframes


@dataclass(frozen=True)
class Keyframe:
    """A value at a time, and how it goes on from there to the next one."""

    time: float  # in frames
    value: tuple[float, ...]
    easing: Easing = LINEAR
    bend: tuple[float, ...] = ()  # of a parabola, as of something thrown: how far its middle is off, times 4


@dataclass(frozen=True)
class Keyframes:
    """Values over time."""

    keys: tuple[Keyframe, ...]
    bits: float = 0.0  # of telling them, with what is left over

    def at(self, times: Array) -> Array:
        """Values (N, K) at times (N,) in frames; before the first and behind the last one those."""
        values = np.array([key.value for key in self.keys], float)
        starts = np.array([key.time for key in self.keys])
        found = np.empty((len(times), values.shape[1]))
        which = np.clip(np.searchsorted(starts, times, side="right") - 1, 0, len(starts) - 1)
        for k in np.unique(which):
            here = which == k
            if k == len(starts) - 1:
                found[here] = values[k]
                continue
            share = ((times[here] - starts[k]) / (starts[k + 1] - starts[k])).clip(0, 1)
            key = self.keys[k]
            found[here] = values[k] + key.easing(share)[:, None] * (values[k + 1] - values[k])
            if key.bend:
                found[here] += (share * (1 - share))[:, None] * np.array(key.bend)
        return found


def keyframes(times: Array, values: Array, sigma: float) -> Keyframes:
    """The keyframes of values (N, K) at times (N,) that take the fewest bits.

    sigma: how exactly the values are known.
    """
    count = len(times)
    if count == 1:
        return Keyframes((Keyframe(float(times[0]), tuple(values[0].tolist())),))
    keys, bits = _chosen(times, values, sigma, _candidates(times, values, sigma))
    return Keyframes(tuple(keys.values()), bits)


def _chosen(
    times: Array, values: Array, sigma: float, at: Sequence[int]
) -> tuple[dict[int, Keyframe], float]:
    """Of the frames `at`, which include the first and the last, those that are keyframes in the fewest bits;
    and these."""
    key = VALUE * values.shape[1] + math.log2(len(times) + 1)
    cost = np.full(len(at), np.inf)
    cost[0] = key
    back: list[tuple[int, Stretch]] = [(0, (0.0, LINEAR, ()))] * len(at)
    for j in range(1, len(at)):
        for i in range(j - 1, -1, -1):
            if (at[j] - at[i] > LONGEST and i < j - 1) or cost[i] >= cost[j]:
                continue
            found = _stretch(times, values, at[i], at[j], sigma)
            if cost[i] + found[0] + key < cost[j]:
                cost[j], back[j] = cost[i] + found[0] + key, (i, found)
    last = at[-1]
    keys = {last: Keyframe(float(times[last]), tuple(values[last].tolist()))}
    j = len(at) - 1
    while j > 0:
        j, (_, easing, bend) = back[j]
        keys[at[j]] = Keyframe(float(times[at[j]]), tuple(values[at[j]].tolist()), easing, bend)
    return dict(sorted(keys.items())), float(cost[-1])


def _candidates(times: Array, values: Array, sigma: float) -> list[int]:
    """Frames that may be keyframes: all of a short motion; of a long one the keyframes of its pieces."""
    count = len(times)
    if count <= MOST:
        return list(range(count))
    found = {count - 1}
    for start in range(0, count - 1, MOST - 1):
        piece = slice(start, min(start + MOST, count))
        keys, _ = _chosen(times[piece], values[piece], sigma, range(len(times[piece])))
        found |= {start + k for k in keys}
    return sorted(found)


Stretch = tuple[float, Easing, tuple[float, ...]]
"""Bits, easing and bend of what lies between two keyframes."""


def _stretch(times: Array, values: Array, i: int, j: int, sigma: float) -> Stretch:
    """What tells the values between two keyframes in the fewest bits."""
    first, move = values[i], values[j] - values[i]
    if j == i + 1:
        return KIND["linear"], LINEAR, ()
    share, scale = (times[i + 1 : j] - times[i]) / (times[j] - times[i]), 2 * sigma**2 * math.log(2)
    off = values[i + 1 : j] - first
    if float(np.abs(move).max()) < 2 * sigma:
        best: Stretch = (KIND["linear"] + float((off**2).sum()) / scale, LINEAR, ())
    else:
        curves = all_eased(share)
        squares = (off**2).sum() - 2 * curves @ (off @ move) + (move @ move) * (curves**2).sum(1)
        bits = COSTS + squares / scale
        at = int(bits.argmin())
        best = (float(bits[at]), EASINGS[at], ())
    bow = share * (1 - share)
    straight = off - share[:, None] * move
    bend = bow @ straight / (bow @ bow)
    left = float(((straight - bow[:, None] * bend) ** 2).sum())
    thrown = KIND["linear"] + THROWN + VALUE * len(bend) + left / scale
    return (thrown, LINEAR, tuple(bend.tolist())) if len(share) > 2 and thrown < best[0] else best


def eased(keys: Sequence[Keyframe]) -> set[str]:
    """The names of all easings between keyframes."""
    return {key.easing.name for key in keys[:-1]}

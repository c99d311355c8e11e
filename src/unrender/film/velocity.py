"""Velocity and spin of every observation of a film, from a short fit over several frames around it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from unrender.film.film import Film
from unrender.film.track import Track
from unrender.scene import Observation
from unrender.scene.tracking.tracks import Sighting
from unrender.scene.tracking.tracks import Track as Followed
from unrender.scene.tracking.turning import period, turned

Array = NDArray[np.float64]

WINDOWS = (4, 7, 11, 15)  # sightings of a fit: the more of them agree, the more are taken
BROKEN = {7: 16.0, 11: 2.0, 15: 1.5}  # times the variance of the shorter fit: then the longer one is none
SEEN = 0.02  # px or degrees: no value is known better than that
SMOOTH = 8  # values from which it is told how exactly they are known
JOLTED = 0.15  # of a period: where the turn between two frames changes by more, the body was hit
SLOWER = 0.01  # of such a change, per frame and period: by how much a slower spin is likelier
MULTIPLES = 2  # of a period by which a turn may differ from the smallest
STRAIGHT = 0.25  # of the squares that a straight line leaves over: what a parabola must leave at most


def set_velocities(film: Film) -> None:
    """Give every node of every scene its velocity (px per frame) and spin (degrees per frame).

    A frame lasts 1/fps of a second, however uneven the times of the frames are.
    """
    clock = np.array(film.times) * film.fps
    for track in everyone(film):
        frames = list(track.observations)
        nodes = list(track.observations.values())
        times = clock[frames]
        x, y = (slopes(times, np.array([node.position[k] for node in nodes])) for k in (0, 1))
        spin = slopes(times, headings(nodes))
        for k, node in enumerate(nodes):
            known = len(nodes) > 1
            node.velocity = (float(x[k]), float(y[k])) if known else None
            node.spin = float(spin[k]) if known else None


def everyone(film: Film) -> Iterable[Track]:
    """The tracks of all axioms, and those of all that is in them."""
    waiting = list(film.tracks)
    while waiting:
        track = waiting.pop(0)
        yield track
        if any(node.parts for node in track.observations.values()):
            waiting.extend(film.parts(track))


def headings(nodes: Sequence[Observation]) -> Array:
    """Rotations in degrees, counted on past 360; where several look the same, as it turns most evenly."""
    turns: list[float] = []
    periods: list[float] = []
    spin = 0.0
    for before, node in pairwise(nodes):
        then = Followed(
            0, before.symbol, 1, before.size, before.rotation, {}, (Sighting(0, 0, 0, 0),), form=before.form
        )
        same = node.symbol == before.symbol
        turn = turned(node, then, spin) if same else spin
        spin = 0.5 * spin + 0.5 * turn if turns else turn
        turns.append(turn)
        periods.append(period(node, then) if same and not node.parts else 0.0)
    return nodes[0].rotation + np.concatenate([[0.0], np.cumsum(unaliased(turns, periods))])


def unaliased(turns: Sequence[float], periods: Sequence[float]) -> Array:
    """Turns (N,) between frames, each told apart from those that differ by its period (0: there is none).

    The spin changes as little as possible but for jolts, after which it may be any: of those that look the
    same the slowest is likeliest. By dynamic programming over the multiples of the periods.
    """
    values, again = np.array(turns, np.float64), np.array(periods, np.float64)
    first = np.where(again > 0, np.remainder(values + again / 2, np.maximum(again, 1e-9)) - again / 2, values)
    options = first[:, None] + again[:, None] * np.arange(-MULTIPLES, MULTIPLES + 1)  # (N, M)
    unit = np.maximum(again, 1e-9)[:, None]
    slow = np.where(again[:, None] > 0, SLOWER * np.abs(options) / unit, 0.0)
    best, came = slow[:1].copy(), []
    for k in range(1, len(options)):
        change = np.abs(options[k][:, None] - options[k - 1][None]) / unit[k]
        total = best[-1][None] + np.minimum(change, JOLTED)
        came.append(total.argmin(axis=1))
        best = (total.min(axis=1) + slow[k])[None]
    if not len(options):
        return values
    path = [int(best[-1].argmin())]
    for back in reversed(came):
        path.append(int(back[path[-1]]))
    return np.asarray(options[np.arange(len(options)), path[::-1]], np.float64)


def slopes(times: Array, values: Array) -> Array:
    """The slope (N,) at every time: of the best parabola, or line, through several values around, before or
    behind it. At a bounce, those on the other side do not count."""
    count = len(times)
    if count < 2:
        return np.zeros(count)
    seen = grain(values)
    left, found = _at_each(times, values, min(WINDOWS[0], count), seen)
    good = np.ones(count, bool)
    for width in WINDOWS[1:]:
        if width <= count:
            over, slope = _at_each(times, values, width, seen)
            good &= over < BROKEN[width] * np.maximum(left, seen**2)
            found = np.where(good, slope, found)
            left = np.where(good, over, left)
    return found


def grain(values: Array) -> float:
    """How exactly values (N,) are known: by how much most of them are off from a parabola through the three
    before. Few would be off as much by chance, so nothing is told of them."""
    if len(values) < SMOOTH:
        return SEEN
    third = np.abs(np.diff(values, 3))
    return max(SEEN, float(np.median(third)) / (0.6745 * math.sqrt(20)))


def _at_each(times: Array, values: Array, width: int, seen: float) -> tuple[Array, Array]:
    """Of every value (N,) what the best window that holds it leaves over (a variance), and its slope there;
    of windows that are about as good, the one around it."""
    count, windows = len(times), len(times) - width + 1
    views = sliding_window_view(times, width), sliding_window_view(values, width)
    left, slope, bend, origin = _fits(*views, seen)
    which = np.arange(count)[:, None] - np.arange(width)  # (N, width): windows that hold each value
    aside = np.abs(np.arange(width) - (width - 1) / 2)
    known = (which >= 0) & (which < windows)
    which = which.clip(0, windows - 1)
    cost = np.where(known, np.maximum(left[which], seen**2) * (1 + 0.5 * aside), np.inf)
    best = which[np.arange(count), cost.argmin(1)]
    return left[best], slope[best] + 2 * bend[best] * (times - origin[best])


def _fits(times: Array, values: Array, seen: float) -> tuple[Array, Array, Array, Array]:
    """Of windows (M, W): what is left over (a variance), slope and bend at its origin, and that time. A
    parabola only where it is much better than a line."""
    width = times.shape[1]
    origin = times.mean(1)
    t, y = times - origin[:, None], values - values.mean(1)[:, None]
    s2, s3, s4 = ((t**k).sum(1) for k in (2, 3, 4))
    slope = (t * y).sum(1) / s2
    off = y - slope[:, None] * t
    rest = (off**2).sum(1)
    line = rest / max(width - 2, 1)
    if width < 4:
        return line, slope, np.zeros(len(t)), origin
    skew = s3 / s2
    bow = t * t - (s2 / width)[:, None] - skew[:, None] * t  # t², beside a constant and a line
    norm = s4 - s2 * s2 / width - s3 * skew
    bend = (bow * off).sum(1) / norm
    over = ((off - bend[:, None] * bow) ** 2).sum(1)
    bent = (rest > width * seen**2) & (over < STRAIGHT * rest)
    return (
        np.where(bent, over / max(width - 3, 1), line),
        np.where(bent, slope - skew * bend, slope),
        np.where(bent, bend, 0.0),
        origin,
    )

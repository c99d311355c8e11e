"""What moves as one: objects that have kept their distances are told apart together.

The pieces of an object that nobody has named move by its motion, and when it bounces they bounce alike.
Alone, each of them might be taken for its neighbour; together they fit in one way only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unrender.scene.tracking.tracks import Track

Array = NDArray[np.float64]
Pairs = list[tuple[int, int]]  # nodes with their tracks

NEAR = 1.0  # sums of their sides: how far apart neighbours are at most
STEADY = 0.4  # px: how much a distance that is kept may vary
STRETCH = 0.01  # of a distance: how much more it may vary
BROKEN = 6.0  # what it costs if a tie does not hold any more
MISSED = 9.0  # what it costs if one of several that belong together is out of sight
TIED = 6.0  # what it saves to be where those are with which an object is tied, and costs to be elsewhere
UNTIED = 3.0  # what it costs to be where none of them is expected
LARGEST = 8  # members of a group
WIDTH = 24  # how many answers are kept open while one is looked for


@dataclass(frozen=True)
class Ties:
    """The distances that tracks have kept from one another.

    A part of a known whole has no neighbours: its whole says where it must be.
    """

    tracks: Sequence[Track]
    lengths: Array  # track x track, in px; nan where there is no tie
    near: NDArray[np.bool_]  # track x track: a tie between neighbours

    @classmethod
    def between(cls, tracks: Sequence[Track]) -> Ties:
        """What the last sightings of these tracks say."""
        last = max(track.last.frame for track in tracks)
        first = min(track.sightings[0].frame for track in tracks)
        where = np.full((len(tracks), last - first + 1, 2), np.nan)
        for k, track in enumerate(tracks):
            for sighting in track.sightings:
                where[k, sighting.frame - first] = sighting.x, sighting.y
        apart = _distances(where)  # track x track x frame
        times = np.maximum((~np.isnan(apart)).sum(-1), 1)
        mean = np.nansum(apart, -1) / times
        spread = np.sqrt(np.nansum((apart - mean[..., None]) ** 2, -1) / times)
        side = np.array([sum(track.size) / 2 for track in tracks])
        kept = (mean > 0) & (spread <= STEADY + STRETCH * mean)
        near = mean < NEAR * (side[:, None] + side[None, :])
        loose = np.array([track.whole is None for track in tracks])
        near &= loose[:, None] & loose[None, :]
        return cls(tracks, np.where(kept, mean, np.nan), kept & near)

    def carried(self, k: int, frame: int) -> tuple[float, float] | None:
        """By how many px the neighbours of a track have moved from its last sighting to `frame`."""
        moves = []
        for j in np.flatnonzero(self.near[k]).tolist():
            then, now = self.tracks[j].at(self.tracks[k].last.frame), self.tracks[j].at(frame)
            if then is not None and now is not None:
                moves.append((now.x - then.x, now.y - then.y))
        if not moves:
            return None
        return sum(x for x, _ in moves) / len(moves), sum(y for _, y in moves) / len(moves)

    def settle(self, cost: Array, places: Sequence[tuple[float, float]], limit: float) -> Array:
        """The cost of every node (rows) for every track, given which nodes fit the tracks together.

        cost: at most `limit`, which means that it cannot be. places: of the nodes, in px.
        """
        from scipy.optimize import linear_sum_assignment

        alone = {j: i for i, j in zip(*linear_sum_assignment(cost), strict=True) if cost[i, j] < limit}
        apart = _distances(np.array(places, dtype=float))
        made = cost.copy()
        for group in _groups(self.near):
            pairs = [(alone[track], track) for track in group if track in alone]
            if len(pairs) < len(group) or not self._hold(pairs, apart):
                pairs = self._likeliest(cost, apart, group, limit)
            self._bind(made, cost, pairs, group, apart)
        return np.minimum(made, limit)

    def _hold(self, pairs: Pairs, apart: Array) -> bool:
        """Whether no tie between these is broken."""
        nodes, tracks = (list(side) for side in zip(*pairs, strict=True))
        now, then = apart[np.ix_(nodes, nodes)], self.lengths[np.ix_(tracks, tracks)]
        return not bool((np.abs(now - then) > 2 * (STEADY + STRETCH * then)).any())

    def _likeliest(self, cost: Array, apart: Array, group: Sequence[int], limit: float) -> Pairs:
        """All of a group that are in sight, in the likeliest answer for the group."""
        answers: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
        for k, track in enumerate(group):
            ties = [(j, float(self.lengths[track, other])) for j, other in enumerate(group[:k])]
            nodes = [
                (node, float(cost[node, track])) for node in np.flatnonzero(cost[:, track] < limit).tolist()
            ]
            longer = [(total + MISSED, (*taken, -1)) for total, taken in answers]
            for total, taken in answers:
                for node, own in nodes:
                    if node not in taken:
                        strain = sum(_strain(apart[node, taken[j]], tie) for j, tie in ties if taken[j] >= 0)
                        longer.append((total + own + strain, (*taken, node)))
            answers = sorted(longer)[:WIDTH]
        return [(node, track) for node, track in zip(answers[0][1], group, strict=True) if node >= 0]

    def _bind(self, made: Array, cost: Array, pairs: Pairs, group: Sequence[int], apart: Array) -> None:
        """Write the answer for a group into the cost: its ties speak for it and against all others."""
        for node, track in pairs:
            ties = [(self.lengths[track, other], apart[node, there]) for there, other in pairs]
            if any(not math.isnan(tie) and _strain(now, tie) < BROKEN for tie, now in ties):
                made[node, :] += TIED
                made[:, track] += TIED
                made[node, track] = cost[node, track] - TIED
        found = [track for _, track in pairs]
        for track in set(group) - set(found):
            if not np.isnan(self.lengths[track, found]).all():
                made[:, track] += UNTIED


def _distances(places: Array) -> Array:
    """Between each two of them; places: n x 2, or n x frames x 2."""
    return np.asarray(np.linalg.norm(places[:, None] - places[None, :], axis=-1))


def _groups(near: NDArray[np.bool_]) -> list[list[int]]:
    """Those that hang together, each group in an order in which everybody is tied to somebody before.

    One that is too large is told as several.
    """
    left, groups = set(range(len(near))), []
    for first in range(len(near)):
        if first in left:
            left.remove(first)
            group = [first]
            for member in group:
                more = [k for k in np.flatnonzero(near[member]).tolist() if k in left]
                more = more[: LARGEST - len(group)]
                left.difference_update(more)
                group.extend(more)
            groups.append(group)
    return [group for group in groups if len(group) > 1]


def _strain(distance: float, tie: float) -> float:
    """The cost of a tie between two that are now so far apart; nothing if there is none."""
    off = (distance - tie) / (STEADY + STRETCH * tie)
    return 0.0 if math.isnan(off) else float(min(off * off, BROKEN))

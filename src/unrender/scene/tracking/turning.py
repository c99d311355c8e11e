"""How far an object has turned between two frames, where several turns look the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from unrender.scene.observation import Observation
from unrender.scene.pixels import symmetry
from unrender.scene.tracking.tracks import Sighting, Track

ALIKE = 0.1  # |log(w / h)| up to which the sides count as equal: turns of the unit shape are not told apart
FLIP = 60.0  # degrees: a whole that seems to turn more than this between two frames is read upside down


@dataclass(frozen=True)
class Alignment:
    """How the form that an object had before is laid upon the one that it has now."""

    size: tuple[float, float]  # px: the box that it had before, as large as it is now
    turn: float  # degrees since then
    period: float  # degrees after which the form looks the same again
    bits: float  # that are left over


def aligned(node: Observation, track: Track) -> Alignment | None:
    """Of two sightings of what is told by its form, which is turned with it; None of anything else."""
    if node.form is None or track.form is None or min(*node.size, *track.size) <= 0:
        return None
    return _laid(node.symbol, node.form, node.size, node.rotation, track.form, track.size, track.rotation)


@lru_cache(maxsize=4096)
def _laid(
    symbol: str,
    form: tuple[float, ...],
    size: tuple[float, float],
    rotation: float,
    before: tuple[float, ...],
    then: tuple[float, float],
    turned_then: float,
) -> Alignment | None:
    from unrender.primitives.registry import primitives

    kind = primitives().get(symbol)
    if kind is None or not kind.formed:
        return None
    (_, _, wide, high, turn), bits = kind.align(form, before, size, then)
    period = kind.turning(form, size).period(equal=True)
    return Alignment((wide, high), rotation + turn - turned_then, period, bits)


def turned(node: Observation, track: Track, expected: float) -> float:
    """Degrees by which a node has turned since the last sighting of its track, as near to `expected` as its
    symmetry allows: none for a circle, a quarter turn for a square, a third for a triangle. What has a form
    is turned with it: the turn is that which lays the form before upon the one now.

    A whole has no symmetry of its own. Where it seems to have jumped, an equivalent pose of it was read.
    """
    if node.parts:
        turn = _nearest(node.rotation - track.rotation, expected, 360.0)
        return turn if abs(turn - expected) <= FLIP else expected
    if (same := aligned(node, track)) is not None:
        return _nearest(same.turn, expected, same.period)
    own = symmetry(node.symbol)
    again = period(node, track)
    if again == 0:
        return 0.0
    if own.swaps:  # a quarter turn exchanges width and height: follow the longer side
        turn = _axis(node.rotation, node.size) - _axis(track.rotation, track.size)
    else:
        turn = node.rotation - track.rotation
    return _nearest(turn, expected, again)


def period(node: Observation, track: Track) -> float:
    """Degrees after which the node of a track looks the same again: 0 for a circle, 360 for a whole."""
    if node.parts:
        return 360.0
    if (same := aligned(node, track)) is not None:
        return same.period
    return symmetry(node.symbol).period(_equal(node.size) or _equal(track.size))


def turned_with(pairs: Sequence[tuple[Sighting, Observation]], expected: float) -> float | None:
    """Degrees by which a whole has turned, from where its parts were and are; None from fewer than two.

    It is the best rotation between the two sets of places.
    """
    if len(pairs) < 2:
        return None
    n = len(pairs)
    old = complex(sum(a.x for a, _ in pairs), sum(a.y for a, _ in pairs)) / n
    new = complex(sum(b.position[0] for _, b in pairs), sum(b.position[1] for _, b in pairs)) / n
    turn = sum((complex(*b.position) - new) * (complex(a.x, a.y) - old).conjugate() for a, b in pairs)
    if abs(turn) < 1e-9:
        return None
    return _nearest(math.degrees(math.atan2(turn.imag, turn.real)), expected, 360.0)


def _equal(size: tuple[float, float]) -> bool:
    return abs(math.log(max(size[0], 1e-6) / max(size[1], 1e-6))) <= ALIKE


def _axis(rotation: float, size: tuple[float, float]) -> float:
    """The direction of the longer side."""
    return rotation + 90.0 if size[1] > size[0] else rotation


def _nearest(turn: float, expected: float, period: float) -> float:
    """Of all turns that differ by multiples of `period`, the one nearest to `expected`."""
    return expected + math.remainder(turn - expected, period)

"""The name of a polygon, from its outline alone: "pentagon", "star", "cross".

Where it stands, how large it is and how it is turned make no difference, nor do cut or rounded corners and
sides that are a little off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Command = tuple[str, tuple[float, ...]]

REGULAR = {5: "pentagon", 6: "hexagon", 7: "heptagon", 8: "octagon"}
POLYGONS = ("triangle", "rectangle", *REGULAR.values(), "star", "cross", "plus", "polygon")
"""All words for closed outlines of straight sides."""

FLAT = 0.03  # of its chord: what bends by less is straight
TINY, CORNER = 0.03, 0.06  # of the way around: no side is shorter, no rounded corner longer
STRAIGHT_ON = 10.0  # degrees: a smaller turn is no corner
SIDES, TURNS = 0.15, 10.0  # share, and degrees, by which sides and turns of what is regular may differ
MOST = 24  # sides that are looked at


def polygon_words(path: Sequence[Command], a: float, b: float) -> tuple[str, ...]:
    """What a path in the box with half sides a, b (px) is called, the best word first; nothing if it is not
    one closed line of straight sides."""
    corners = corners_of(path, a, b)
    if corners is None:
        return ()
    word = _named(corners)
    more = ("plus",) if word == "cross" else ()
    return (word, *more, "polygon") if word != "polygon" else ("polygon",)


def corners_of(path: Sequence[Command], a: float, b: float) -> Doubles | None:
    """(N, 2) px: where the sides of one closed line meet, or would if its corners were not cut or rounded;
    None if any piece is bent for good."""
    kinds = "".join(kind for kind, _ in path)
    if kinds.count("M") != 1 or not kinds.endswith("Z"):
        return None
    pieces = _pieces(path, np.array([a, b]))
    around = sum(math.dist(start, end) for start, end, _ in pieces)
    sides: list[tuple[Doubles, Doubles]] = []
    for start, end, bent in pieces:
        length = math.dist(start, end)
        if bent and length > CORNER * around:
            return None
        if not bent and length > TINY * around:
            sides.append((start, end))
    sides = _joined(sides)
    if not 3 <= len(sides) <= MOST:
        return None
    return np.array([_meet(one, other) for one, other in zip(sides, sides[1:] + sides[:1], strict=True)])


def _pieces(path: Sequence[Command], half: Doubles) -> list[tuple[Doubles, Doubles, bool]]:
    """Start, end (px) and whether it bends, of every piece."""
    found: list[tuple[Doubles, Doubles, bool]] = []
    first = here = np.zeros(2)
    for kind, numbers in path:
        end = first if kind == "Z" else np.array(numbers[-2:]) * half
        chord = math.dist(here, end)
        if kind == "M":
            first = end
        elif chord > 1e-6 or kind == "A":
            found.append((here, end, _bend(kind, numbers, here, half) > FLAT * max(chord, 1e-9)))
        here = end
    return found


def _bend(kind: str, numbers: Sequence[float], start: Doubles, half: Doubles) -> float:
    """How far (px), at most, a piece lies from its chord."""
    if kind == "A":
        radius, end = float((np.array(numbers[:2]) * half).max()), np.array(numbers[-2:]) * half
        off = math.sqrt(max(radius**2 - (math.dist(start, end) / 2) ** 2, 0.0))
        return radius + off if numbers[2] else radius - off
    if kind == "C":
        end = np.array(numbers[-2:]) * half
        along = (end - start) / max(math.dist(start, end), 1e-9)
        control = np.array(numbers[:4]).reshape(2, 2) * half - start
        return float(np.abs(control[:, 0] * along[1] - control[:, 1] * along[0]).max())
    return 0.0


def _joined(sides: list[tuple[Doubles, Doubles]]) -> list[tuple[Doubles, Doubles]]:
    """Sides that go straight on are one; the first may go on from the last."""
    found: list[tuple[Doubles, Doubles]] = []
    for side in sides:
        if found and abs(_turn(found[-1], side)) < STRAIGHT_ON:
            found[-1] = (found[-1][0], side[1])
        else:
            found.append(side)
    if len(found) > 1 and abs(_turn(found[-1], found[0])) < STRAIGHT_ON:
        (start, _), (_, end) = found.pop(), found[0]
        found[0] = (start, end)
    return found


def _turn(one: tuple[Doubles, Doubles], other: tuple[Doubles, Doubles]) -> float:
    """Degrees from the direction of one side to that of the next, positive to the right."""
    u, v = one[1] - one[0], other[1] - other[0]
    return math.degrees(math.atan2(u[0] * v[1] - u[1] * v[0], float(u @ v)))


def _meet(one: tuple[Doubles, Doubles], other: tuple[Doubles, Doubles]) -> Doubles:
    """Where the lines of two sides meet."""
    u, v, gap = one[1] - one[0], other[1] - other[0], other[0] - one[0]
    cross = float(u[0] * v[1] - u[1] * v[0])
    if abs(cross) < 0.05 * float(np.hypot(*u) * np.hypot(*v)):  # they turn back upon themselves
        middle: Doubles = (one[1] + other[0]) / 2
        return middle
    point: Doubles = one[0] + u * (float(gap[0] * v[1] - gap[1] * v[0]) / cross)
    return point


def _named(corners: Doubles) -> str:
    """ "hexagon"; "polygon" of what has no name of its own."""
    n, after = len(corners), np.roll(corners, -1, axis=0)
    sides = [(start, end) for start, end in zip(corners, after, strict=True)]
    turns = np.array([_turn(sides[i - 1], sides[i]) for i in range(n)])  # at each corner
    turns = turns if turns.sum() > 0 else -turns
    lengths = np.hypot(*(after - corners).T)
    if n == 3:
        return "triangle"
    if n == 4 and np.abs(turns - 90).max() < TURNS:
        return "rectangle"
    if n in REGULAR and _even(lengths) and np.abs(turns - 360 / n).max() < TURNS:
        return REGULAR[n]
    if _is_star(corners, turns, lengths):
        return "star"
    if n == 12 and np.abs(np.abs(turns) - 90).max() < TURNS and _is_cross(np.sign(turns).astype(int)):
        return "cross"
    return "polygon"


def _is_star(corners: Doubles, turns: Doubles, lengths: Doubles) -> bool:
    """Whether points and notches alternate, at even angles and distances; or five lines cross each other."""
    n = len(corners)
    if n == 5:
        return _even(lengths) and float(np.abs(turns - 144).max()) < TURNS
    if n < 8 or n % 2 or (turns[::2] * turns[1::2] > 0).any():
        return False
    points, notches = (corners[::2], corners[1::2]) if turns[0] > 0 else (corners[1::2], corners[::2])
    if not (len(points) == len(notches) and (np.sign(turns[::2]) == np.sign(turns[0])).all()):
        return False
    centre = points.mean(0)
    outer, inner = (np.hypot(*(some - centre).T) for some in (points, notches))
    return _even(outer) and _even(inner) and _even(lengths) and outer.mean() > 1.1 * inner.mean()


def _is_cross(signs: NDArray[np.int_]) -> bool:
    """Whether two corners outwards and one inwards follow one another four times."""
    return any((np.roll(signs, shift).reshape(4, 3) == (1, 1, -1)).all() for shift in range(3))


def _even(values: Doubles) -> bool:
    return bool(np.abs(values / values.mean() - 1).max() < SIDES)

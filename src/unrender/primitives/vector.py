"""Vector form: the outline of a primitive as path data, in the box from -1 to 1 that it is stretched from.

A path is a tuple of commands as SVG knows them, absolute: ("M", (x, y)) and ("L", (x, y)), ("C", (x1, y1,
x2, y2, x, y)), ("A", (rx, ry, large, sweep, x, y)) for a part of an ellipse whose axes are those of the box,
and ("Z", ()) where it closes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.arcs import Arc, Point, number

Doubles = NDArray[np.float64]
Command = tuple[str, tuple[float, ...]]
Path = tuple[Command, ...]
Outline = Callable[[float, float, Sequence[float]], Path]
"""outline(a, b, own): the path of a shape with half sides a, b (px) and these parameters of its own."""

ELLIPSE: Path = (
    ("M", (1.0, 0.0)),
    ("A", (1.0, 1.0, 0.0, 1.0, -1.0, 0.0)),
    ("A", (1.0, 1.0, 0.0, 1.0, 1.0, 0.0)),
    ("Z", ()),
)
PRECISION = 0.01  # px by which a polygon may miss a curve
DECIMALS = 2  # of px: no picture shows where a line runs to less than 0.01 px


def polygon(points: Iterable[Sequence[float]], *, closed: bool = True) -> Path:
    """Straight lines from point to point; back to the first one if it is closed."""
    told = [("L", (float(x), float(y))) for x, y in points]
    told[0] = ("M", told[0][1])
    return (*told, ("Z", ())) if closed else tuple(told)


def corners(path: Path) -> list[tuple[float, ...]] | None:
    """The points of a path of one piece that has nothing but straight lines; None of any other."""
    if re.fullmatch("ML+Z?", "".join(kind for kind, _ in path)) is None:
        return None
    return [numbers for kind, numbers in path if kind != "Z"]


def closings(path: Path) -> list[bool]:
    """Whether each piece of a path closes."""
    found: list[bool] = []
    for kind, _ in path:
        if kind == "M":
            found.append(False)
        elif kind == "Z":
            found[-1] = True
    return found


def path_data(
    path: Path, position: Sequence[float], half: Sequence[float], degrees: float, decimals: int = DECIMALS
) -> str:
    """SVG path data in pixels: the unit box stretched to the half sides `half`, turned, and moved."""
    turn = math.radians(degrees)
    cos, sin = math.cos(turn), math.sin(turn)
    (cx, cy), (a, b) = position, half

    def put(x: float, y: float) -> Point:
        x, y = a * x, b * y
        return cx + cos * x - sin * y, cy + sin * x + cos * y

    words: list[str] = []
    here: Point = (0.0, 0.0)
    for kind, numbers in path:
        points = [put(*pair) for pair in zip(numbers[-2::-2][::-1], numbers[::-2][::-1], strict=True)]
        if kind == "A":
            rx, ry, large, sweep, *_ = numbers
            arc = Arc(here, points[-1], rx * a, ry * b, degrees, bool(large), bool(sweep))
            words += arc.words(decimals)
        else:
            told = [number(value, decimals) for point in points for value in point]
            if kind != "L" or told != words[-2:] or len(path) == 2:  # it leads somewhere, or is a dot
                words += [kind, *told]
        here = points[-1] if points else here
    return " ".join(words)


def rings(path: Path, a: float, b: float, precision: float = PRECISION) -> list[Doubles]:
    """Each piece of a path as points (N, 2) in px, in the frame of a shape with half sides a, b; the first
    point of a closed piece is not told again at its end."""
    found: list[list[Doubles]] = []
    scale = np.array([a, b])
    for kind, numbers in path:
        if kind == "M":
            found.append([np.array([numbers])])
        elif kind == "L":
            found[-1].append(np.array([numbers]))
        elif kind == "A":
            found[-1].append(_arc(found[-1][-1][-1], numbers, scale, precision))
        elif kind == "C":
            found[-1].append(_cubic(found[-1][-1][-1], numbers, scale, precision))
        elif len(found[-1][0]) and np.allclose(found[-1][0][0], found[-1][-1][-1]):
            found[-1][-1] = found[-1][-1][:-1]
    return [np.concatenate(piece) * scale for piece in found]


def _arc(start: Doubles, numbers: tuple[float, ...], scale: Doubles, precision: float) -> Doubles:
    """Points of a part of an ellipse behind its start."""
    rx, ry, large, sweep, x, y = numbers
    if not min(rx, ry) > 0:  # between two points that are one
        return np.array([[x, y]])
    p, q = start / (rx, ry), np.array([x, y]) / (rx, ry)
    middle, half = (p + q) / 2, (q - p) / 2
    length = float(np.hypot(*half))
    off = math.sqrt(max(1 - length * length, 0.0)) / max(length, 1e-12)
    side = 1.0 if bool(large) == bool(sweep) else -1.0
    centre = middle + side * off * np.array([half[1], -half[0]])
    first, last = (math.atan2(*(point - centre)[::-1]) for point in (p, q))
    span = (last - first) % math.tau if sweep else -((first - last) % math.tau)
    radius = max(rx * scale[0], ry * scale[1])
    step = 2 * math.acos(1 - min(precision / radius, 1.0))
    t = np.linspace(first, first + span, max(2, math.ceil(abs(span) / step) + 1))[1:]
    points: Doubles = (centre + np.stack([np.cos(t), np.sin(t)], -1)) * (rx, ry)
    return points


def _cubic(start: Doubles, numbers: tuple[float, ...], scale: Doubles, precision: float) -> Doubles:
    """Points of a cubic Bézier curve behind its start."""
    control = np.array([start, *zip(numbers[::2], numbers[1::2], strict=True)])
    bend = np.abs(np.diff(control * scale, n=2, axis=0)).max()
    t = np.linspace(0, 1, max(2, math.ceil(math.sqrt(0.75 * bend / precision)) + 1))[1:, None]
    basis = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    points: Doubles = basis @ control
    return points


def regions(several: Sequence[Doubles]) -> list[list[Doubles]]:
    """Closed lines by what they enclose: each that is painted, followed by the holes in it (even-odd)."""
    inside = [[_within(ring[0], other) and ring is not other for other in several] for ring in several]
    depth = [sum(row) for row in inside]
    found = {i: [several[i]] for i in range(len(several)) if depth[i] % 2 == 0}
    for i, ring in enumerate(several):
        if depth[i] % 2:
            around = next(j for j in found if inside[i][j] and depth[j] == depth[i] - 1)
            found[around].append(ring)
    return list(found.values())


def _within(point: Doubles, ring: Doubles) -> bool:
    """Whether a ray to the right crosses a closed line an odd number of times."""
    (x, y), after = point, np.roll(ring, -1, axis=0)
    crossed = (ring[:, 1] > y) != (after[:, 1] > y)
    rise = np.where(crossed, after[:, 1] - ring[:, 1], 1.0)
    at = ring[:, 0] + (y - ring[:, 1]) / rise * (after[:, 0] - ring[:, 0])
    return bool((crossed & (at > x)).sum() % 2)

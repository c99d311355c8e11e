"""Gathering: several lines that may lie on one outline, as one closed line in the order in which they lie
around."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unrender.primitives.evidence import Line


def opened(line: Line) -> Line:
    """A closed line as one that ends where it begins."""
    if not line.closed:
        return line
    return replace(line, corner=np.concatenate([line.corner, line.corner[:1]]), closed=False)


def trimmed(line: Line, length: float) -> Line:
    """A line without its last px at either end, where it may reach beyond the corner of an outline."""
    count = min(math.ceil(length), (len(line.x) - 2) // 2)
    if count < 1 or line.closed:
        return line
    x, y, error = (each[count:-count] for each in (line.x, line.y, line.error))
    first = np.maximum(line.first - count, 0)
    return replace(line.extended(-length, -length), x=x, y=y, error=error, first=first)


def gathered(lines: Sequence[Line]) -> Line:
    """Several lines as one closed one, in the order in which they lie around their middle."""
    x, y, error = (np.concatenate([getattr(line, name) for line in lines]) for name in ("x", "y", "error"))
    centre = np.array([x.mean(), y.mean()])
    turned: list[Line] = []
    for line in lines:
        first, last = line.corner[0] - centre, line.corner[-1] - centre
        clockwise = first[0] * last[1] - first[1] * last[0] >= 0
        turned.append(line if clockwise else _backwards(line))
    turned.sort(key=lambda line: float(np.arctan2(line.y.mean() - centre[1], line.x.mean() - centre[0])))
    corner, radius, middle, at, count = [], [], [], [], 0
    for line in turned:
        corner.append(line.corner)
        radius.append(np.append(line.radius, 0.0))
        middle.append(np.concatenate([line.centre, np.zeros((1, 2))]))
        at.append(count + np.append(line.first, len(line.x) - 1))
        count += len(line.x)
    x, y, error = (np.concatenate([getattr(line, name) for line in turned]) for name in ("x", "y", "error"))
    return Line(
        x, y, error, np.concatenate(corner), np.concatenate(radius), np.concatenate(middle), True,
        np.concatenate(at),
    )  # fmt: skip


def _backwards(line: Line) -> Line:
    return Line(
        line.x[::-1].copy(),
        line.y[::-1].copy(),
        line.error[::-1].copy(),
        line.corner[::-1].copy(),
        -line.radius[::-1],
        line.centre[::-1].copy(),
        line.closed,
        np.append(0, len(line.x) - line.first[::-1][:-1]),
    )

"""A roof and its body of one colour are two shapes."""

from __future__ import annotations

import numpy as np

from unrender.perception.proposals.splits import chords, part
from unrender.primitives.evidence import Line


def house() -> Line:
    """A body of 20 by 20 px under a roof that is 4 px wider on either side: clockwise, a point a px."""
    corner = np.array([(10, 0), (24, 10), (20, 10), (20, 30), (0, 30), (0, 10), (-4, 10)], np.float64)
    after = np.roll(corner, -1, 0)
    counts = np.hypot(*(after - corner).T).astype(int)
    sides = zip(corner, after, counts, strict=True)
    points = [a + (b - a) * ((np.arange(n) + 0.5) / n)[:, None] for a, b, n in sides]
    x, y = np.concatenate(points).T
    first = np.cumsum([0, *counts[:-1]])
    return Line(x, y, np.full(len(x), 0.1), corner, np.zeros(7), np.zeros((7, 2)), True, first)


def test_an_outline_is_cut_between_its_concave_corners() -> None:
    line = house()
    assert chords(line) == [(2, 5)]
    body, roof = part(line, 2, 5), part(line, 5, 2)
    assert body.corner.tolist() == [[20, 10], [20, 30], [0, 30], [0, 10]]
    assert roof.corner.tolist() == [[0, 10], [-4, 10], [10, 0], [24, 10], [20, 10]]
    assert body.y.min() >= 10
    assert roof.y.max() <= 10

"""Depth order: of two overlapping shapes, which one lies in front."""

from __future__ import annotations

import numpy as np
import torch

from unrender.capsules.geometry import CX, CY, Shapes
from unrender.capsules.patches import Floats, Patch


def overlapping(shapes: Shapes) -> list[tuple[int, int]]:
    """Pairs (i < j) of shapes that may touch."""
    x, y, reach = shapes.pose[:, CX], shapes.pose[:, CY], shapes.reach
    apart = torch.hypot(x[:, None] - x, y[:, None] - y) - reach[:, None] - reach
    return [(int(i), int(j)) for i, j in torch.triu(apart < 1, 1).nonzero().tolist()]


def covers(pair: tuple[int, int], patches: list[Patch], paint: Floats, picture: Floats) -> float:
    """Positive if the first of the pair hides the second where both would be, negative if hidden by it.

    paint (N, 3); picture (H, W, 3). Zero where they do not overlap or look the same.
    """
    i, j = pair
    a, b = patches[i], patches[j]
    top, left = max(a.top, b.top), max(a.left, b.left)
    bottom = min(a.top + a.alpha.shape[0], b.top + b.alpha.shape[0])
    right = min(a.left + a.alpha.shape[1], b.left + b.alpha.shape[1])
    if bottom <= top or right <= left:
        return 0.0
    both = np.minimum(
        a.alpha[top - a.top : bottom - a.top, left - a.left : right - a.left],
        b.alpha[top - b.top : bottom - b.top, left - b.left : right - b.left],
    )
    certain = both > (0.9 if (both > 0.9).sum() >= 3 else 0.4)
    if not certain.any():
        return 0.0
    seen = picture[top:bottom, left:right][certain]
    to_first = np.linalg.norm(seen - paint[i], axis=1)
    to_second = np.linalg.norm(seen - paint[j], axis=1)
    nearer = np.minimum(to_first, to_second)  # a third shape over both says nothing
    apart = float(np.linalg.norm(paint[i] - paint[j]))
    return float(((to_second - to_first) * (nearer < 0.5 * apart + 0.05)).sum())


def depth_order(count: int, front: dict[tuple[int, int], float]) -> list[int]:
    """Painting order, back to front. `front[i, j]` > 0: i lies in front of j. Contradictions: the
    strongest evidence wins."""
    behind: list[set[int]] = [set() for _ in range(count)]  # what lies directly behind each

    def reaches(start: int, goal: int) -> bool:
        stack, known = [start], {start}
        while stack:
            for following in behind[stack.pop()]:
                if following == goal:
                    return True
                if following not in known:
                    known.add(following)
                    stack.append(following)
        return False

    for (i, j), evidence in sorted(front.items(), key=lambda item: -abs(item[1])):
        near, far = (i, j) if evidence > 0 else (j, i)
        if evidence and not reaches(far, near):
            behind[near].add(far)
    order: list[int] = []
    placed: set[int] = set()

    def place(node: int) -> None:
        stack = [(node, iter(sorted(behind[node])))]
        while stack:
            top, rest = stack[-1]
            following = next((n for n in rest if n not in placed), None)
            if following is None:
                stack.pop()
                if top not in placed:
                    placed.add(top)
                    order.append(top)
            else:
                stack.append((following, iter(sorted(behind[following]))))

    for node in range(count):
        if node not in placed:
            place(node)
    return order

"""Depth order: of two overlapping shapes, which one lies in front."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.geometry import CX, CY, Shapes
from unrender.capsules.patches import Floats, Patch
from unrender.graphics.compiled import Floats1, Floats2, Floats3, compiled


def overlapping(shapes: Shapes) -> list[tuple[int, int]]:
    """Pairs (i < j) of shapes that may touch."""
    return [(i, j) for i, j in _touching(shapes.pose.numpy(), shapes.reach.numpy()).tolist()]


@compiled
def _touching(pose: Floats2, reach: Floats1) -> NDArray[np.int64]:
    """Pairs (P, 2) of poses whose surroundings are less than a pixel apart."""
    count = 0
    pairs = np.empty((len(pose) * (len(pose) - 1) // 2, 2), np.int64)
    for i in range(len(pose)):
        for j in range(i + 1, len(pose)):
            within = reach[i] + reach[j] + 1
            if (pose[i, CX] - pose[j, CX]) ** 2 + (pose[i, CY] - pose[j, CY]) ** 2 < within * within:
                pairs[count, 0], pairs[count, 1] = i, j
                count += 1
    return pairs[:count]


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
    box, own, its = (top, left, bottom, right), (a.top, a.left), (b.top, b.left)
    return float(_in_front(box, own, a.alpha, its, b.alpha, picture, paint[i], paint[j]))


@compiled
def _in_front(
    box: tuple[int, int, int, int],
    first_at: tuple[int, int],
    first_alpha: Floats2,
    second_at: tuple[int, int],
    second_alpha: Floats2,
    picture: Floats3,
    paint: Floats1,
    other: Floats1,
) -> float:
    """How much more a box (top, left, bottom, right) looks like the first colour (3,) than like the second,
    where both shapes are. Where it looks like neither a third shape lies over both, and says nothing."""
    plenty, apart = 0, 0.0
    for row in range(box[0], box[2]):
        for column in range(box[1], box[3]):
            mine = first_alpha[row - first_at[0], column - first_at[1]]
            its = second_alpha[row - second_at[0], column - second_at[1]]
            plenty += min(mine, its) > 0.9
    for c in range(3):
        apart += (paint[c] - other[c]) ** 2
    nearest, certain, total = 0.5 * math.sqrt(apart) + 0.05, 0.9 if plenty >= 3 else 0.4, 0.0
    for row in range(box[0], box[2]):
        for column in range(box[1], box[3]):
            mine = first_alpha[row - first_at[0], column - first_at[1]]
            its = second_alpha[row - second_at[0], column - second_at[1]]
            if min(mine, its) <= certain:
                continue
            first, second = 0.0, 0.0
            for c in range(3):
                first += (picture[row, column, c] - paint[c]) ** 2
                second += (picture[row, column, c] - other[c]) ** 2
            first, second = math.sqrt(first), math.sqrt(second)
            if min(first, second) < nearest:
                total += second - first
    return total


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

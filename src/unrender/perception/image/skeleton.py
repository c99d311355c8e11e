"""Skeletons: coverage thinned to lines of single pixels, and those lines as chains between ends and
junctions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats

Mask = NDArray[np.bool_]
Indices = NDArray[np.int64]


@compiled
def depth(coverage: Floats, least: float, share: float) -> Floats:
    """(h, w): about how far (px) each pixel lies inside, 0 where it is covered by less than `least`, or by
    less than a share of what a neighbour is. A pixel at the edge is as deep as it is covered; the others are
    deeper than their neighbours."""
    tall, wide = coverage.shape
    out = np.zeros((tall, wide), np.float32)
    for i in range(tall):
        for j in range(wide):
            own = coverage[i, j]
            if own > 0.9:
                out[i, j] = 1e6
            elif own >= least:
                most = own
                for r in range(max(i - 1, 0), min(i + 2, tall)):
                    for c in range(max(j - 1, 0), min(j + 2, wide)):
                        most = max(most, coverage[r, c])
                if own >= share * most:
                    out[i, j] = own
    for way in range(2):
        for m in range(tall):
            i = m if way == 0 else tall - 1 - m
            for n in range(wide):
                j = n if way == 0 else wide - 1 - n
                if coverage[i, j] <= 0.9:
                    continue
                for k in range(8):
                    di, dj = k // 3 - 1, k % 3 - 1
                    if k >= 4:
                        di, dj = (k + 1) // 3 - 1, (k + 1) % 3 - 1
                    r, c = i + di, j + dj
                    beside = out[r, c] if 0 <= r < tall and 0 <= c < wide else np.float32(0.0)
                    step = np.float32(1.0 if di == 0 or dj == 0 else 1.41421)
                    out[i, j] = min(out[i, j], beside + step)
    return out


@compiled
def _around(mask: Mask, i: int, j: int) -> tuple[int, int, bool]:
    """How many of the eight neighbours of a pixel are set, in how many pieces they are connected without it,
    and whether it is the tip of a line: it has one neighbour, or two side by side."""
    tall, wide = mask.shape
    ring = np.zeros(8, np.bool_)
    for k in range(8):
        di = -1 if k < 3 else 0 if k == 3 or k == 7 else 1
        dj = -1 if k == 0 or k >= 6 else 0 if k == 1 or k == 5 else 1
        r, c = i + di, j + dj
        ring[k] = 0 <= r < tall and 0 <= c < wide and mask[r, c]
    count, pieces = 0, 0
    for k in range(8):
        count += ring[k]
    # corners (even k) connect to the sides beside them, sides connect across a corner
    for k in range(1, 8, 2):
        if not ring[k]:
            after = (k + 1) % 8
            if ring[after] or ring[(k + 2) % 8]:
                pieces += 1
    if count and pieces == 0:
        pieces = 1 if ring[1] or ring[3] or ring[5] or ring[7] else pieces
    tip = count == 1
    if count == 2:
        for k in range(8):
            tip = tip or (ring[k] and ring[(k + 1) % 8])
    return count, pieces, tip


@compiled
def thinned(deep: Floats) -> Mask:
    """bool (h, w): the pixels that are left if, the shallowest first, all are taken away without which
    nothing falls apart and no line gets shorter."""
    tall, wide = deep.shape
    mask = deep > 0
    rows, columns = np.nonzero(mask)
    depths = np.empty(len(rows))
    for n in range(len(rows)):
        depths[n] = deep[rows[n], columns[n]]
    order = np.argsort(depths, kind="mergesort")
    left = len(order)
    while True:
        kept = 0
        for n in range(left):
            i, j = rows[order[n]], columns[order[n]]
            count, pieces, tip = _around(mask, i, j)
            inside = i > 0 and j > 0 and i < tall - 1 and j < wide - 1
            inside = inside and mask[i - 1, j] and mask[i + 1, j] and mask[i, j - 1] and mask[i, j + 1]
            if tip and count == 2:  # of a corner, where it soon gets deeper, or of a line
                for r in range(max(i - 1, 0), min(i + 2, tall)):
                    for c in range(max(j - 1, 0), min(j + 2, wide)):
                        tip = tip and (not mask[r, c] or deep[r, c] < deep[i, j] + 0.5)
            if count >= 2 and pieces == 1 and not inside and not tip:
                mask[i, j] = False
            else:
                order[kept] = order[n]
                kept += 1
        if kept == left:
            return mask
        left = kept


@compiled
def chains(mask: Mask) -> tuple[Indices, Indices, Indices, Indices, NDArray[np.int32]]:
    """The skeleton as chains: rows and columns of their pixels in order, where each chain begins (C + 1,),
    the junctions at both of its ends (C, 2), and the junctions' pixels (h, w).

    Junctions count from 1; 0 is a free end, -1 both ends of a closed chain.
    """
    tall, wide = mask.shape
    total = 0
    knots = np.zeros((tall, wide), np.int32)
    for i in range(tall):
        for j in range(wide):
            if mask[i, j]:
                total += 1
                if _around(mask, i, j)[0] >= 3:
                    knots[i, j] = -1
    count = 0
    stack = np.empty((total + 1, 2), np.int64)
    for i in range(tall):
        for j in range(wide):
            if knots[i, j] != -1:
                continue
            count += 1
            knots[i, j], height = count, 1
            stack[0, 0], stack[0, 1] = i, j
            while height:
                height -= 1
                r0, c0 = stack[height]
                for r in range(max(r0 - 1, 0), min(r0 + 2, tall)):
                    for c in range(max(c0 - 1, 0), min(c0 + 2, wide)):
                        if knots[r, c] == -1:
                            knots[r, c] = count
                            stack[height, 0], stack[height, 1] = r, c
                            height += 1
    rows, columns = np.empty(total, np.int64), np.empty(total, np.int64)
    start, ends = np.zeros(total + 1, np.int64), np.zeros((total, 2), np.int64)
    seen = knots > 0
    size, found = 0, 0
    for closed in range(2):  # chains with ends first; what is left is closed
        for i in range(tall):
            for j in range(wide):
                if not mask[i, j] or seen[i, j]:
                    continue
                beside, first = 0, 0
                for r in range(max(i - 1, 0), min(i + 2, tall)):
                    for c in range(max(j - 1, 0), min(j + 2, wide)):
                        if (r != i or c != j) and mask[r, c]:
                            if knots[r, c] == 0:
                                beside += 1
                            else:
                                first = knots[r, c]
                if not closed and beside > 1:
                    continue
                ends[found, 0] = first
                r0, c0 = i, j
                while True:
                    seen[r0, c0] = True
                    rows[size], columns[size] = r0, c0
                    size += 1
                    near, far = -1, 0
                    next_r, next_c = 0, 0
                    for r in range(max(r0 - 1, 0), min(r0 + 2, tall)):
                        for c in range(max(c0 - 1, 0), min(c0 + 2, wide)):
                            if mask[r, c] and not seen[r, c]:
                                step = abs(r - r0) + abs(c - c0)
                                if near < 0 or step < near:
                                    near, next_r, next_c = step, r, c
                            elif knots[r, c] and (size - start[found] > 1 or knots[r, c] != first):
                                far = knots[r, c]
                    if near < 0:
                        ends[found, 1] = -1 if closed else far
                        break
                    r0, c0 = next_r, next_c
                if closed:
                    ends[found, 0] = -1
                found += 1
                start[found] = size
    return rows[:size], columns[:size], start[: found + 1], ends[:found], knots


def pruned(mask: Mask, deep: Floats) -> Mask:
    """A skeleton without the spurs that run from a junction into a corner of the shape: free ends no longer
    than the line is wide there, and narrower the further they go."""
    rows, columns, start, ends, knots = chains(mask)
    return _pruned(mask, deep, rows, columns, start, ends, knots)


@compiled
def _pruned(
    mask: Mask,
    deep: Floats,
    rows: Indices,
    columns: Indices,
    start: Indices,
    ends: Indices,
    knots: NDArray[np.int32],
) -> Mask:
    reach: Doubles = np.zeros(max(knots.max(), 0) + 1)
    tall, wide = mask.shape
    for i in range(tall):
        for j in range(wide):
            reach[knots[i, j]] = max(reach[knots[i, j]], deep[i, j])
    out = mask.copy()
    for c in range(len(ends)):
        free = ends[c, 0] == 0 or ends[c, 1] == 0
        knot = max(ends[c, 0], ends[c, 1])
        if not free or knot <= 0 or start[c + 1] - start[c] > reach[knot] + 1.0:
            continue
        total, size = 0.0, start[c + 1] - start[c]
        for k in range(start[c], start[c + 1]):
            total += deep[rows[k], columns[k]]
        last = start[c] if ends[c, 0] == 0 else start[c + 1] - 1
        beyond = size + deep[rows[last], columns[last]]
        if total < 0.62 * reach[knot] * size or beyond < 1.4 * reach[knot] + 1.0:
            for k in range(start[c], start[c + 1]):
                out[rows[k], columns[k]] = False
    return out

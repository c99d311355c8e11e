"""Drawing: the lines of a picture as points with tangents, and all that matching needs to know of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import shortest_path

from unrender.matching.context import DIRECTIONS, PLACES, RADII, context
from unrender.matching.people import People
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats
from unrender.scene.line import Line

POINTS = 80  # of every drawing, evenly along its lines
SHORTEST = 3.0  # px: a dot counts as a line of this length
ASIDE = 2.5  # px to either side along a line that tell its direction
RANK = 25  # components of the smooth field, the strongest ones
NEAR = 0.3  # of the radius along a line: what is near a point
FAR = 1e3  # along the lines of a drawing, between points that are not connected


@dataclass(frozen=True, eq=False)
class Drawing:
    """Points at their mean, in units of `radius`, and the deformations that people make of them."""

    points: Floats  # (2, N)
    tangents: Floats  # (2, N), unit vectors of either sense
    context: Floats  # (N, K)
    field: Floats  # (N, F): components of deformations, each with a variance of 1; first the affine ones
    turn: Floats  # (N, F): how much each changes along the tangent
    along: Floats  # (N, N): distance of two points along the lines
    ends: Floats  # (N,): 1 at a free end of a line
    curve: Floats  # (N,): how much lines turn near by, from 0 (straight) to 1
    crowd: Floats  # (N,): how much line there is near by: 1 amid a line, less at its end, more at a junction
    radius: float  # px
    length: float  # of all lines, in units of the radius

    @classmethod
    def of(cls, lines: Sequence[Line], people: People) -> Drawing:
        """lines: at least one."""
        lengths = np.array([max(line.length, SHORTEST) for line in lines])
        counts = _shared(lengths)
        sampled = [_sampled(line, count) for line, count in zip(lines, counts, strict=True)]
        points, tangents = np.concatenate([s[0] for s in sampled]), np.concatenate([s[1] for s in sampled])
        off = points - points.mean(0)
        radius = max(math.sqrt(float((off**2).sum(1).mean())), 1e-3)
        own = off / radius
        field, turn = _field(own, tangents, people)
        x, t = _columns(own), _columns(tangents)
        along = np.minimum(_along(lines, lengths, counts) / radius, FAR).astype(np.float32)
        near, length = along < NEAR, float(lengths.sum()) / radius
        cross = t[0][:, None] * t[1] - t[1][:, None] * t[0]
        return cls(
            x,
            t,
            context(x[0], x[1], t[0], t[1], RADII, PLACES, DIRECTIONS),
            field.astype(np.float32),
            turn.astype(np.float32),
            along,
            _ends(lines, counts),
            ((cross**2 * near).sum(1) / near.sum(1)).astype(np.float32),
            (near.sum(1) * length / POINTS / (2 * NEAR)).astype(np.float32),
            radius,
            length,
        )


def _columns(rows: Doubles) -> Floats:
    return np.ascontiguousarray(rows.T, np.float32)


def _shared(lengths: Doubles) -> list[int]:
    """How many of the points each line gets: at least one, for the longest of very many."""
    counts = np.maximum(1, np.round(POINTS * lengths / lengths.sum()).astype(int))
    while counts.sum() > POINTS:
        longest = int(np.argmax(counts))
        counts[longest if counts[longest] > 1 else int(np.argmin(np.where(counts, lengths, np.inf)))] -= 1
    while counts.sum() < POINTS:
        counts[int(np.argmax(lengths / np.maximum(counts, 1e-9)))] += 1
    shared: list[int] = counts.tolist()
    return shared


def _sampled(line: Line, count: int) -> tuple[Doubles, Doubles]:
    """Points (count, 2) evenly along a line, and unit tangents there."""
    points = line.points
    if len(points) == 1:
        points = points + np.array([[-SHORTEST / 2, 0], [SHORTEST / 2, 0]])
    far = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = (np.arange(count) + 0.5) / max(count, 1) * far[-1]
    place, before, after = (
        np.stack([np.interp(at + off, far, points[:, k]) for k in (0, 1)], 1) for off in (0.0, -ASIDE, ASIDE)
    )
    way = after - before
    size = np.hypot(*way.T)[:, None]
    return place, np.where(size > 1e-9, way / np.maximum(size, 1e-9), [1.0, 0.0])


def _along(lines: Sequence[Line], lengths: Doubles, counts: Sequence[int]) -> Doubles:
    """(N, N) px: the way between two points along the lines and through junctions."""
    first, second, far = [], [], []
    total, at = sum(counts), 0
    knots = max(0, *(end for line in lines for end in line.ends))
    for line, length, count in zip(lines, lengths, counts, strict=True):
        if not count:
            continue
        step, last = length / count, at + count - 1
        links = [(k, k + 1, step) for k in range(at, last)]
        links += [(at, last, step)] if line.closed else []
        links += [
            (p, total + end - 1, step / 2) for p, end in zip((at, last), line.ends, strict=True) if end > 0
        ]
        for a, b, way in links:
            first.append(a)
            second.append(b)
            far.append(way)
        at = last + 1
    graph = coo_array((far, (first, second)), shape=(total + knots, total + knots)).tocsr()
    ways: Doubles = shortest_path(graph, directed=False)[:total, :total]
    return ways


def _ends(lines: Sequence[Line], counts: Sequence[int]) -> Floats:
    found, at = np.zeros(sum(counts), np.float32), 0
    for line, count in zip(lines, counts, strict=True):
        if count:
            found[at] += line.ends[0] == 0
            found[at + count - 1] += line.ends[1] == 0
        at += count
    return np.minimum(found, np.float32(1))


def _field(points: Doubles, tangents: Doubles, people: People) -> tuple[Doubles, Doubles]:
    """(N, F) each: the components of deformations at the points, and how they change along the tangents. The
    affine ones, then the strongest of a Gaussian process."""
    n = len(points)
    affine = np.concatenate([np.full((n, 1), people.shift), people.linear * points], 1)
    turned = np.concatenate([np.zeros((n, 1)), people.linear * tangents], 1)
    off = points[:, None] - points
    square, along = (off**2).sum(2), (off * tangents[:, None]).sum(2)
    kernel, change = np.zeros((n, n)), np.zeros((n, n))
    for scale, amplitude in zip(people.scales, people.amplitudes, strict=True):
        own = amplitude**2 * np.exp(-square / (2 * scale**2))
        kernel += own
        change -= own * along / scale**2
    values, vectors = np.linalg.eigh(kernel)
    values, vectors = values[: -RANK - 1 : -1], vectors[:, : -RANK - 1 : -1]
    root = np.sqrt(np.maximum(values, 1e-6))
    return np.concatenate([affine, vectors * root], 1), np.concatenate([turned, change @ (vectors / root)], 1)

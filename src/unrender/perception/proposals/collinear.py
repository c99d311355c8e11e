"""Straight strokes that go on behind others: pieces of one colour and width on one line are one stroke, if
something else shows wherever it would be hidden."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Labels, Mask
from unrender.perception.interpretation import Interpretation
from unrender.perception.proposals.joins import measured_ends
from unrender.perception.proposals.propose import Choice, End, Sight, as_it_is_or_refined, one_pen
from unrender.primitives.protocol import Doubles
from unrender.render.shape import ANGLE, A, B, Shape, X, Y, union

ASIDE = (0.3, 0.25)  # px, and of half its width: how far from the line of a stroke another on it may lie
SHOWS = 0.9  # of a gap: so much of it must show something else that may hide the stroke


def collinear(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """One straight stroke in place of several that lie on its line."""
    strokes = [
        (placed, measured_ends(sight, placed)) for placed in state.shapes if placed.shape.primitive.strokelike
    ]
    left = sorted((each for each in strokes if each[1]), key=lambda each: -each[0].shape.pose[A])
    while len(left) > 1:
        (longest, own), rest = left[0], left[1:]
        on = [
            each for each in rest if _on_line(longest.shape, each[1]) and one_pen(state, own[0], each[1][0])
        ]
        left = [each for each in rest if each not in on]
        if not on:
            continue
        for run in _runs(sight.regions.labels, longest.shape, [longest, *(placed for placed, _ in on)]):
            window = union([placed.patch.window for placed in run])
            if sight.fresh(state, ("collinear", frozenset(placed.key for placed in run)), window):
                yield as_it_is_or_refined(state, _through(run), run)


def _on_line(shape: Shape, ends: Sequence[End]) -> bool:
    """Whether both ends of a stroke lie on the line of another one."""
    off = np.stack([end.place for end in ends]) - shape.pose[:2]
    across = off @ _axes(shape)[1]
    return bool(np.abs(across).max() < ASIDE[0] + ASIDE[1] * shape.pose[B])


def _axes(shape: Shape) -> Doubles:
    """(2, 2): unit vectors along a stroke and across it."""
    cos, sin = np.cos(shape.pose[ANGLE]), np.sin(shape.pose[ANGLE])
    return np.array([[cos, sin], [-sin, cos]])


def _reach(shape: Shape, along: Doubles, origin: Doubles) -> tuple[float, float]:
    """From where to where (px) a stroke goes along a line."""
    at = float((shape.pose[:2] - origin) @ along)
    return at - float(shape.pose[A]), at + float(shape.pose[A])


def _runs(labels: Labels, line: Shape, several: Sequence[Placed]) -> Iterator[tuple[Placed, ...]]:
    """Those of several strokes on one line, two or more, between which nothing but other things shows."""
    along, origin = _axes(line)[0], line.pose[:2]
    placed = sorted(several, key=lambda each: _reach(each.shape, along, origin))
    run = [placed[0]]
    for each in placed[1:]:
        start = max(_reach(one.shape, along, origin)[1] for one in run)
        end = _reach(each.shape, along, origin)[0]
        if end > start and not _may_be_hidden(labels, origin + start * along, origin + end * along):
            if len(run) > 1:
                yield tuple(run)
            run = []
        run.append(each)
    if len(run) > 1:
        yield tuple(run)


def _may_be_hidden(labels: Labels, start: Doubles, end: Doubles) -> bool:
    """Whether most pixels (H, W) between two points are no background."""
    count = int(np.hypot(*(end - start)))
    if count < 1:
        return True
    points = start + (end - start) * ((np.arange(count) + 0.5) / count)[:, None]
    column, row = points.astype(int).T
    shows = labels[row.clip(0, labels.shape[0] - 1), column.clip(0, labels.shape[1] - 1)] != 0
    return bool(shows.mean() > SHOWS)


def _through(run: Sequence[Placed]) -> Shape:
    """The stroke from the first to the last end of several, as wide as most of them."""
    longest = max((placed.shape for placed in run), key=lambda shape: float(shape.pose[A]))
    first, last = run[0].shape, run[-1].shape
    along = _axes(longest)[0]
    begin = first.pose[:2] - along * first.pose[A]
    end = last.pose[:2] + along * last.pose[A]
    length = np.array([placed.shape.pose[A] for placed in run])
    pose = longest.pose.copy()
    pose[X], pose[Y] = (begin + end) / 2
    pose[A] = np.hypot(*(end - begin)) / 2
    pose[ANGLE] = np.arctan2(*(end - begin)[::-1])
    pose[B] = float(np.average([placed.shape.pose[B] for placed in run], weights=length))
    return replace(longest, pose=pose)

"""Fits: every primitive, painted and stroked, to the edge of areas; the likeliest become guesses at
shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unrender.perception.budget import Budget
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.starts import Rows, by_boxes, by_circles, by_moments, thinned
from unrender.perception.refine.outline import CENTRE, EDGE, Points, fit, offsets
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.shape import OWN, TAU, Shape

CLOSE = 0.7  # px: an edge this far off is not explained
QUICK = np.array([6.0, 3.0])  # px: reaches of the first steps, after which the best starts go on
THOROUGH = np.array([3.0, 2.0, 1.5, 1.0, 1.0])
FAR = np.array([8.0, 6.0, 5.0, 4.0])  # if a part of the edge belongs to others
STARTS = 32  # circles through three points, for an area of which a part may be hidden
FEW, MORE = 8, 4  # areas that, if they are large, have so many times as many
FINALISTS = 2  # starts of each primitive that go on, for a whole area
MORE_FINALISTS = 8  # and for one of which a part may be hidden
MEDIUM = 128.0  # px: the edges of a larger area pull from further away
KEPT = 4  # guesses for one area, of each of the two
HOLE = 0.3  # px from the middle of an outline to its stroke: less is hardly a pixel
BEHIND = 0.25  # of an edge by which a guess may explain less than the best


@dataclass(frozen=True, eq=False)
class Guess:
    """A shape as an area suggests it, and the share of the edge that it explains."""

    shape: Shape
    share: float


def whole(areas: Sequence[Area], kinds: Sequence[Primitive], budget: Budget) -> list[list[Guess]]:
    """For each area fits to all of its edge, the likeliest first."""
    guesses: list[list[Guess]] = [[] for _ in areas]
    if not areas:
        return guesses
    mean, covariance = np.stack([area.mean for area in areas]), np.stack([area.covariance for area in areas])
    edge = _points(areas)
    thin = [n for n, area in enumerate(areas) if area.line is not None]
    width = np.array([area.width for area in areas])
    for kind in filter(of_areas, kinds):
        start, rows = by_moments(kind, mean, covariance)
        if kind.closed:
            _tell(guesses, areas, kind, start, rows, edge, False, budget)
        stroked = np.isin(rows, [n for n, area in enumerate(areas) if area.hollow or area.line is not None])
        if not kind.closed:
            stroked[:] = True
        lines = thinned(start[stroked], width[rows[stroked]] / 2)
        _tell(guesses, areas, kind, lines, rows[stroked], edge, True, budget)
        if thin:
            slim = np.isin(rows, thin)
            lines = thinned(start[slim], np.full(int(slim.sum()), 0.5))
            _tell(
                guesses,
                areas,
                kind,
                lines,
                np.searchsorted(thin, rows[slim]),
                _lines(areas, thin),
                True,
                budget,
                thin,
            )
    return [likeliest_of(each) for each in guesses]


def partly(
    areas: Sequence[Area], kinds: Sequence[Primitive], rng: np.random.Generator, budget: Budget
) -> list[list[Guess]]:
    """For each area, of which a part may be hidden or which belongs to several shapes, the likeliest fits."""
    guesses: list[list[Guess]] = [[] for _ in areas]
    if not areas:
        return guesses
    edge, width = _points(areas), np.array([area.width for area in areas])
    several = [n for n, area in enumerate(areas) if 5 < area.bare.sum() < len(area.bare)]
    bare = np.stack([area.bare for area in areas])
    few = MORE if len(areas) <= FEW else 1
    counts = [STARTS * (few if area.extent > 2 * MEDIUM else 1) for area in areas]
    for kind in filter(of_areas, kinds):
        starts = [
            np.concatenate(
                [
                    by_circles(kind, area.x, area.y, count, area.extent, rng),
                    by_boxes(kind, area.x, area.y, area.angles),
                ]
            )
            for area, count in zip(areas, counts, strict=True)
        ]
        start, rows = np.concatenate(starts), np.repeat(np.arange(len(areas)), [len(each) for each in starts])
        among = np.isin(rows, several)
        for stroked in (False, True) if kind.closed else (True,):
            lines = thinned(start, width[rows] / 2) if stroked else start
            _tell(guesses, areas, kind, lines, rows, edge, stroked, budget, judged=edge)
            if several:  # the edge to the background alone may be all that is its own
                points = Points(edge.x, edge.y, edge.weight * bare)
                _tell(
                    guesses, areas, kind, lines[among], rows[among], points, stroked, budget, judged=edge
                )  # fmt: skip
    return [likeliest_of(each) for each in guesses]


def through(area: Area, kinds: Sequence[Primitive], rng: np.random.Generator, budget: Budget) -> list[Guess]:
    """Strokes whose middle runs through the points of an area, parts of which may be hidden."""
    guesses: list[list[Guess]] = [[]]
    middle = Points(area.x[None], area.y[None], area.weight[None], CENTRE)
    for kind in kinds:
        start = np.concatenate(
            [
                by_circles(kind, area.x, area.y, STARTS, area.extent, rng),
                by_boxes(kind, area.x, area.y, area.angles),
            ]
        )
        start[:, TAU] = area.width / 2
        rows = np.zeros(len(start), np.int64)
        _tell(guesses, [area], kind, start, rows, middle, True, budget, judged=middle)
    return likeliest_of(guesses[0])


def of_areas(kind: Primitive) -> bool:
    """Whether a primitive is fitted to areas: one that has a form, or starts from lines, is not."""
    return not kind.formed and (kind.starts is None or (kind.closed and not kind.strokelike))


def _points(areas: Sequence[Area]) -> Points:
    x, y, weight = (np.stack([getattr(area, name) for area in areas]) for name in ("x", "y", "weight"))
    return Points(x, y, weight, EDGE)


def _lines(areas: Sequence[Area], thin: Sequence[int]) -> Points:
    lines = [line for n in thin if (line := areas[n].line) is not None]
    x, y, weight = (np.stack([line[k] for line in lines]) for k in range(3))
    return Points(x, y, weight, CENTRE)


def _tell(
    guesses: list[list[Guess]],
    areas: Sequence[Area],
    kind: Primitive,
    pose: Doubles,
    rows: Rows,
    points: Points,
    stroked: bool,
    budget: Budget,
    which: Sequence[int] | None = None,
    judged: Points | None = None,
) -> None:
    """Fit poses (N, P) to the points of their rows, and add the best of each row to the guesses.

    which: the areas that the rows are of, if not all. judged: the points that tell how good a fit is, if
    others.
    """
    if not len(pose):
        return
    numbers = rows if which is None else np.asarray(which)[rows]
    most = np.array([area.extent for area in areas])[numbers]
    far = np.maximum(most / MEDIUM, 1.0)
    hidden = judged is not None
    reaches = FAR if hidden else QUICK
    budget.fit(len(pose), points.x.shape[1], len(reaches) + len(THOROUGH))
    scale = far[None] ** np.linspace(1, 0.5, len(reaches))[:, None]
    pose, off = fit(kind, pose, points.of(rows), stroked, reaches[:, None] * scale, most)
    best = _best(explained_share(off, points.weight[rows]), rows, MORE_FINALISTS if hidden else FINALISTS)
    pose, rows, numbers = pose[best], rows[best], numbers[best]
    scale = far[best][None] ** np.linspace(0.5, 0, len(THOROUGH))[:, None]
    pose, off = fit(kind, pose, points.of(rows), stroked, THOROUGH[:, None] * scale, most[best])
    if judged is not None:
        off = fit(kind, pose, judged.of(rows), stroked, np.zeros((0, len(pose))), most[best])[1]
    share = explained_share(off, (judged or points).weight[rows])
    if stroked and kind.closed:  # an outline of which no hole shows is no outline
        middle = Points(pose[:, :1], pose[:, 1:2], np.ones((len(pose), 1)))
        shows = offsets(kind, pose, middle, False)[:, 0] > pose[:, TAU] + HOLE
        pose, rows, numbers, share = pose[shows], rows[shows], numbers[shows], share[shows]
    for n in _best(share, rows, FINALISTS):
        colour = areas[int(numbers[n])].colour
        fill, stroke = (None, colour) if stroked else (colour, None)
        guesses[int(numbers[n])].append(Guess(Shape(kind, pose[n].copy(), fill, stroke), float(share[n])))


def explained_share(off: Doubles, weight: Doubles) -> Doubles:
    """(N,): the share of the points (N, M) that is explained."""
    near = np.minimum(off / CLOSE, 1.0) ** 2
    share: Doubles = 1 - (near * weight).sum(1) / np.maximum(weight.sum(1), 1e-9)
    return share


def _best(share: Doubles, rows: Rows, most: int) -> list[int]:
    """Indices of the best `most` of each row."""
    found: list[int] = []
    counts: dict[int, int] = {}
    for n in np.argsort(-share, kind="stable").tolist():
        row = int(rows[n])
        if counts.get(row, 0) < most:
            counts[row] = counts.get(row, 0) + 1
            found.append(n)
    return found


def likeliest_of(guesses: list[Guess]) -> list[Guess]:
    """The best guesses that differ, KEPT painted inside and as many outlines, at most two of each kind."""
    kept: list[Guess] = []
    told: dict[tuple[str, bool], int] = {}
    best = max((guess.share for guess in guesses), default=0.0)
    for guess in sorted(guesses, key=lambda guess: -guess.share):
        shape = guess.shape
        sort = (shape.primitive.name, shape.fill is None)
        if guess.share < best - BEHIND:
            break
        if sum((other.shape.fill is None) == sort[1] for other in kept) == KEPT:
            continue
        same = [
            other.shape
            for other in kept
            if other.shape.primitive is shape.primitive and (other.shape.fill is None) == sort[1]
        ]
        if told.get(sort, 0) < 2 and all(_differ(shape.pose, other.pose) for other in same):
            told[sort] = told.get(sort, 0) + 1
            kept.append(guess)
    return kept


def _differ(one: Doubles, other: Doubles) -> bool:
    """Whether two poses of one primitive are worth trying both."""
    own = np.abs(one[OWN:] - other[OWN:])
    return bool(np.abs(one[:4] - other[:4]).max() > 2.0 or (own > 0.1).any())

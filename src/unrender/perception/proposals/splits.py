"""Splits: an area that two shapes of one colour share, cut by a chord between two concave corners of its
outline."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.outlines.clues import Clue
from unrender.perception.proposals.fits import Guess, of_areas
from unrender.perception.proposals.propose import Choice, Sight, of_colour, wrong_bits
from unrender.perception.proposals.sets import other_regions, refined_together
from unrender.perception.proposals.starting import guessed
from unrender.primitives.evidence import Line
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.shape import Shape

CONCAVE = math.sin(math.radians(20))  # by which an outline must turn inwards at a corner
MOST = 4  # concave corners of an outline that is cut, and corners that are not of the chord if none is
WHOLE = 0.9  # of its part of an outline that each of both shapes must explain
REFINED = 2  # cuts that are refined to be compared
ROUNDS = 4  # in which both shapes are refined


def splits(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Two shapes in place of those of a colour, for regions in which something looks wrong, or which only
    their outline tells."""
    kinds = [kind for kind in sight.kinds if kind.starts is not None and of_areas(kind)]
    for number, clue in enumerate(sight.clues):
        if clue.region and chords(clue.evidence.outlines[0]):
            outline = sight.outline_bits(state, clue)
            bits = wrong_bits(state, wrong, clue.window) + outline
            if (outline or sight.in_doubt(state, wrong, clue.region)) and sight.unasked(
                ("split", number), bits
            ):
                yield _moves(state, sight, clue, kinds)


def _moves(state: Interpretation, sight: Sight, clue: Clue, kinds: Sequence[Primitive]) -> Iterator[Move]:
    same = tuple(of_colour(state, clue.window, clue.colour))
    elsewhere = other_regions(sight.regions, [clue.region])
    line, pairs = clue.evidence.outlines[0], list[tuple[float, list[Shape]]]()
    for one, other in chords(line):
        halves = [part(line, one, other), part(line, other, one)]
        several = [replace(clue, evidence=replace(clue.evidence, outlines=[half])) for half in halves]
        best = [_best(lines) for lines in guessed(several, kinds, state.budget)]
        both = [guess for guess in best if guess is not None]
        if len(both) == 2 and min(guess.share for guess in both) > WHOLE:
            pairs.append((sum(guess.share for guess in both), [guess.shape for guess in both]))
    for _, shapes in sorted(pairs, key=lambda pair: -pair[0])[:REFINED]:
        yield Move(refined_together(state, shapes, same, ROUNDS, elsewhere), same)


def _best(lines: Sequence[Sequence[Guess]]) -> Guess | None:
    """The guess that explains most of an outline."""
    return max((guess for line in lines for guess in line), key=lambda guess: guess.share, default=None)


def chords(line: Line) -> list[tuple[int, int]]:
    """Pairs of corners between which an outline may be cut: concave ones or, where there are none that show,
    all that are no neighbours. None if there are too many."""
    count, inwards = len(line.corner), concave(line)
    if len(inwards) >= 2:
        return list(combinations(inwards, 2)) if len(inwards) <= MOST else []
    if count > MOST + 2:
        return []
    return [(k, m) for k, m in combinations(range(count), 2) if 1 < m - k < count - 1]


def concave(line: Line) -> list[int]:
    """Numbers of the corners of a clockwise outline at which it turns to the left."""
    way = np.roll(line.corner, -1, 0) - line.corner
    way = way / np.maximum(np.hypot(*way.T), 1e-9)[:, None]
    before = np.roll(way, 1, 0)
    cross = before[:, 0] * way[:, 1] - before[:, 1] * way[:, 0]
    return [int(k) for k in np.flatnonzero(cross < -CONCAVE)]


def part(line: Line, first: int, last: int) -> Line:
    """The outline from one corner to another, closed by the chord between them."""
    pieces, points = len(line.radius), len(line.x)
    own = (first + np.arange((last - first) % pieces)) % pieces
    start, end = int(line.first[first]), int(line.first[last])
    pick = (start + np.arange((end - start) % points)) % points
    chord = _chord(line.corner[last], line.corner[first])
    x, y = (np.concatenate([have[pick], more]) for have, more in zip((line.x, line.y), chord, strict=True))
    error = np.concatenate([line.error[pick], np.full(len(chord[0]), np.median(line.error))])
    return Line(
        x,
        y,
        error,
        np.concatenate([line.corner[own], line.corner[last][None]]),
        np.append(line.radius[own], 0.0),
        np.concatenate([line.centre[own], np.zeros((1, 2))]),
        True,
        np.append((line.first[own] - start) % points, len(pick)),
    )


def _chord(one: Doubles, other: Doubles) -> Doubles:
    """(2, n): points a pixel apart from one corner to another."""
    count = max(int(np.hypot(*(other - one))), 1)
    share = (np.arange(count) + 0.5) / count
    points: Doubles = one[:, None] + (other - one)[:, None] * share
    return points

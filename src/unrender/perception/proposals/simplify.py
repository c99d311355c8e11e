"""Proposals that say the same with less: without a shape, or border and inside as one shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from unrender.perception.depth import Placed, overlapping
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.propose import Choice, Sight, colours_of, in_place, of_colour
from unrender.render.coverage import distances
from unrender.render.shape import TAU, Shape, Window, grown

WEAK = 6.0  # times its bits that a shape saves at most to be doubted
TWICE = 0.8  # of what a shape paints: one that another covers so far may be told twice
ROUGHLY = 2000.0  # bits by which a shape may be worse before it is refined
MARGIN = 3  # px by which the inside may reach beyond the middle of its border


def removals(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Without a shape that tells little, and its neighbours refined without it; or without one that lies upon
    another of its colour, of which either may seem needed as long as both are there."""
    for placed in state.shapes:
        if not sight.fresh(state, ("without", placed.key), placed.patch.window):
            continue
        weak = -state.gain(Move((), (placed,))) < WEAK * placed.bits
        moves = [Move((), (placed,))] if weak else []
        for other in overlapping(state.shapes, grown(placed.patch.window, 1, *state.model.size)):
            if other is placed or not (other.touches(placed) if weak else placed.covered(other) > TWICE):
                continue
            if weak or _one_colour(state, placed, other):
                alone = Placed.of(state.refined(other.shape, (placed, other)), state.model)
                moves.append(Move([alone], (placed, other)))
        yield moves


def _one_colour(state: Interpretation, one: Placed, other: Placed) -> bool:
    """Whether two shapes may be told twice what is there once."""
    return any(other in of_colour(state, one.patch.window, colour) for colour in colours_of(one.shape))


def borders(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """One shape with border and inside in place of two, one of which lies in the other."""
    for n, inside in enumerate(state.shapes):
        if inside.shape.fill is None:
            continue
        for around in overlapping(state.shapes, inside.patch.window):
            if around is inside or not _holds(around, inside):
                continue
            if not sight.fresh(state, ("border", inside.key, around.key), around.patch.window):
                continue
            merged = _bordered(around.shape, inside.shape, in_front=n > state.shapes.index(around))
            yield _as_good(state, merged, (inside, around))


def _as_good(state: Interpretation, several: Iterable[Shape], gone: tuple[Placed, ...]) -> Iterator[Move]:
    """Shapes in place of others, refined unless they are better as they are."""
    for shape in several:
        plain = Move([Placed.of(shape, state.model)], gone)
        yield plain if state.gain(plain) > 0 else in_place(state, shape, gone)


def _holds(around: Placed, inside: Placed) -> bool:
    """Whether a shape lies within another and fills most of it."""
    outer, inner = around.painted, inside.painted
    top, bottom, left, right = grown(outer, MARGIN, 1 << 30, 1 << 30)
    within = top <= inner[0] and inner[1] <= bottom and left <= inner[2] and inner[3] <= right
    return within and 2 * _extent(inner) > _extent(outer)


def _extent(window: Window) -> int:
    return (window[1] - window[0]) + (window[3] - window[2])


def _bordered(around: Shape, inside: Shape, in_front: bool) -> Iterator[Shape]:
    """The shapes of two colours that two may be: an outline and what it holds, or a shape on a larger one."""
    if not around.primitive.closed:
        return
    if around.fill is None:
        yield replace(around, fill=inside.fill)
    if in_front and inside.primitive is around.primitive:
        outer = around if around.stroke is None else around.widened(float(around.pose[TAU]))
        width = _gap(outer, inside)
        if width > 0:
            middle = outer.widened(-width / 2)
            middle.pose[TAU] = width / 2
            colour = around.fill if around.stroke is None else around.stroke
            yield replace(middle, fill=inside.fill, stroke=colour)


def _gap(around: Shape, inside: Shape) -> float:
    """How far, in px, one outline lies within another of the same kind."""
    deepest = [float(-distances(shape, *shape.pose[None, :2].T)[0][0, 0]) for shape in (around, inside)]
    return deepest[0] - deepest[1]

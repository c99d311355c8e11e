"""Proposals of shapes with a border that others hide in part: inside and border together are one area, whose
edge is that of the shape."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from scipy import ndimage

from unrender.perception.depth import Placed, overlapping
from unrender.perception.image.regions import Mask, Regions
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.fits import Guess
from unrender.perception.proposals.propose import (
    Choice,
    Sight,
    alike_regions,
    in_place,
    near_colour,
    neighbours,
)
from unrender.perception.proposals.regions import explained, pieces
from unrender.perception.proposals.starting import COVERED
from unrender.render.shape import ANGLE, TAU, A, B, Shape, Window, X, Y, union

MIXED = 2  # px between inside and border that may show a mixture of both
FINALISTS = 2  # guesses that are refined
MAKES = 0.5  # of an edge: so much of it a guess must explain


def hidden_borders(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """One shape with a border for an inside and the border that touches it, in place of all that they were
    told as: where others hide a part, the two may seem to end at different places."""
    for border in list(state.shapes):
        if border.shape.fill is not None or not border.shape.primitive.closed or border.shape.dashes:
            continue
        for inside in overlapping(state.shapes, border.patch.window):
            if inside.shape.stroke is not None or not _surrounds(state, border, inside):
                continue
            window = union([border.patch.window, inside.patch.window])
            if sight.fresh(state, ("hidden border", border.key, inside.key), window):
                yield _together(state, sight, border, inside)


def _surrounds(state: Interpretation, border: Placed, inside: Placed) -> bool:
    """Whether an outline may go round a shape of another colour, most of what is hidden or not."""
    fill, stroke = inside.shape.fill, border.shape.stroke
    if fill is None or stroke is None or near_colour(fill, stroke, state.model.paint_sigma):
        return False
    top, bottom, left, right = border.painted
    x, y = inside.shape.pose[:2]
    return bool(top <= y < bottom and left <= x < right) and inside.touches(border)


def _together(state: Interpretation, sight: Sight, border: Placed, inside: Placed) -> Iterator[Move]:
    regions, own, which = sight.regions, 0, set[int]()
    same: list[Placed] = []
    for placed, colour in ((inside, inside.shape.fill), (border, border.shape.stroke)):
        assert colour is not None
        alike = alike_regions(regions, colour, state.model.paint_sigma)
        for own in np.intersect1d(np.unique(regions.labels[placed.pixels]), alike).tolist():
            group, told = pieces(state, sight, own)
            which.update(group)
            same += told
    same = list(dict.fromkeys(same))
    if border not in same or inside not in same:
        return
    window = union([regions.window(k, MIXED) for k in which])
    others = neighbours(state, window, same)
    one = _as_one(regions, sorted(which), own, window)
    area = Area.of(state.model.image, state.model.background, one, [own], others) if others else None
    if area is None:
        return
    shapes = [
        _with_border(guess, border.shape, inside.shape)
        for _, guesses in explained(state, sight, [area])
        for guess in guesses
        if guess.share > MAKES and guess.shape.fill is not None
    ]
    moves = []
    for shape in shapes:
        placed = Placed.of(shape, state.model)
        gone = tuple(each for each in same if each.covered(placed) > COVERED)
        if border in gone and inside in gone:
            moves.append(Move([placed], gone))
    for move in sorted(moves, key=state.gain, reverse=True)[:FINALISTS]:
        yield in_place(state, _further(state, move), tuple(move.remove))


def _with_border(guess: Guess, border: Shape, inside: Shape) -> Shape:
    """The outer edge of a shape, and the colours and the pen of both."""
    shape = guess.shape.widened(-float(border.pose[TAU]))
    shape.pose[TAU] = border.pose[TAU]
    return replace(shape, fill=inside.fill, stroke=border.stroke)


def _further(state: Interpretation, move: Move) -> Shape:
    """A shape with those of its sides further out by which its border does not show: all that is known of
    them is that others hide them."""
    shape = move.add[0].shape
    best, by = state.gain(move), float(shape.pose[TAU]) + 1
    for axis, across in ((A, 0.0), (B, math.pi / 2)):
        for side in (1, -1):
            pose, angle = shape.pose.copy(), float(shape.pose[ANGLE]) + across
            pose[axis] += by
            pose[[X, Y]] += side * by * np.array([math.cos(angle), math.sin(angle)])
            moved = replace(shape, pose=pose)
            gain = state.gain(Move([Placed.of(moved, state.model)], move.remove))
            if gain > best:
                shape, best = moved, gain
    return shape


def _as_one(regions: Regions, which: Sequence[int], own: int, window: Window) -> Regions:
    """The same regions, but several of them, and what is mixed between them, are one, with the colour of one
    of them."""
    top, bottom, left, right = window
    labels = regions.labels.copy()
    part = labels[top:bottom, left:right]
    part[ndimage.binary_closing(np.isin(part, which), np.ones((3, 3)), MIXED)] = own
    boxes = regions.boxes.copy()
    boxes[own] = union([regions.window(k) for k in which])
    return replace(regions, labels=labels, boxes=boxes)

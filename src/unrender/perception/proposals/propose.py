"""What all proposals share: what they look at, when a place is worth another look, and which shapes are of a
colour."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from unrender.perception.depth import Pixels, Placed, overlapping
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import Labels, Mask, Regions
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.outlines.clues import Clue
from unrender.perception.proposals.fits import Guess
from unrender.primitives.jit import compiled
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.coverage import Floats, distances
from unrender.render.shape import TAU, B, Shape, Window, inside, overlaps

NOISE_BITS = (2.16, 1.77)  # mean and standard deviation of a pixel's bits, if its three channels are noise
CHEAPEST = 40.0  # bits: no shape takes fewer
DOUBT = 0.01  # of the bits of a region that nothing explains: if less looks wrong, it is told rightly
MORE = 1.25  # times the bits that were at stake: then it is worth another look
SAME = 1e-3  # squared distance of colours that look the same
THIN = 2.0  # px: no pixel may show a narrower line alone, so that its colour is known with its width only
INK = 0.15  # of a width, or of how much a thin line paints, by which two pieces of one stroke may differ
MIXED = 2.5  # times as much contrast that a thin line may have in truth
SEVERAL = 2  # px: one that looks wrong is told by no other shape for fewer bits
JOINED = 400.0  # bits by which one shape may be worse than those it was made of before it is refined
BESIDE = 3.0  # px from the edge of what is painted

Choice = Iterable[Move]
"""Moves of which at most one is made; those behind one that saves nearly all it could are not asked for."""


@dataclass(frozen=True, eq=False)
class End:
    """One end of an open stroke."""

    placed: Placed
    form: Doubles  # in px of the canvas, so that this end is the last one
    place: Doubles  # (2,) px
    way: Doubles  # (2,): the unit vector along which it ends
    half: float  # px: half the width of the stroke
    colour: Doubles


@dataclass(frozen=True, eq=False)
class Sight:
    """What all proposals look at beside the interpretation."""

    regions: Regions
    kinds: Sequence[Primitive]
    rng: np.random.Generator
    model: ImageModel | None = None  # of the whole picture
    tried: dict[Hashable, int] = field(default_factory=dict)  # how many changes there were at the last look
    asked: dict[Any, tuple[float, int]] = field(default_factory=dict)  # the same of proposers, and how sure
    # moves had to be

    clues: list[Clue] = field(default_factory=list)  # evidence about all regions
    guesses: dict[int, list[list[Guess]]] = field(default_factory=dict)  # of each clue, line by line
    linked: dict[int, list[int]] = field(default_factory=dict)  # regions that may be one shape with each
    doubted: list[Move] = field(default_factory=list)  # moves that would save too little of what they could
    pieces: dict[Placed, list[Any]] = field(default_factory=dict)  # what a shape may be as a dash
    compared: set[object] = field(default_factory=set)  # keys of shapes that no simpler primitive tells
    pens: list[list[float]] = field(default_factory=list)  # of each clue: half the widths, by round ends
    ends: dict[Placed, list[End]] = field(default_factory=dict)  # of strokes, as far as they were asked for

    @property
    def solid(self) -> list[int]:
        """Regions whose colour is no mixture."""
        return [int(k) for k in np.nonzero(self.regions.solid)[0]]

    @cached_property
    def line_pixels(self) -> tuple[Pixels, Pixels, Pixels, Doubles]:
        """Of all clues about lines the number of the clue, the row and the column of every pixel along them,
        and how wide they are there (px, 1 at least)."""
        found: list[tuple[Pixels, Pixels, Pixels, Doubles]] = []
        for number, clue in enumerate(self.clues):
            if clue.region:
                continue
            top, bottom, left, right = clue.window
            for line in clue.evidence.strokes:
                row, column = line.y.astype(np.int64), line.x.astype(np.int64)
                wide = np.full(len(row), max(clue.evidence.width, 1.0))
                which = np.full(len(row), number)
                found.append((which, row.clip(top, bottom - 1), column.clip(left, right - 1), wide))
        none = np.zeros(0, np.int64)
        several = [(none, none, none, np.zeros(0)), *found]
        numbers, rows, columns = (np.concatenate([each[k] for each in several]) for k in range(3))
        return numbers, rows, columns, np.concatenate([each[3] for each in several])

    def promising(self, state: Interpretation, wrong: Mask) -> list[int]:
        """Solid regions that a shape could make shorter, those first whose pixels cost most. Of what is thin
        and lies alone the lines are told instead."""
        thin = {clue.region for clue in self.clues if clue.thin and not clue.touches}
        return [region for region in promising(self.regions, state, wrong) if region not in thin]

    def outlines(self, state: Interpretation) -> dict[int, float]:
        """Regions that are told by forms that go round them, and the bits of these."""
        told = {clue.region: self.outline_bits(state, clue) for clue in self.clues if clue.region}
        return {region: bits for region, bits in told.items() if bits > 0}

    def composed(self, state: Interpretation) -> dict[int, float]:
        """Regions that are told by forms that go round them or by several shapes, and the bits of these."""
        found = {}
        for region in self.solid:
            window = self.regions.window(region, 2)
            told = [
                placed
                for placed in of_colour(state, window, self.regions.colour[region])
                if inside(placed.painted, window)
            ]
            if len(told) > 1 or any(placed.shape.primitive.formed for placed in told):
                found[region] = sum(placed.bits for placed in told)
        return found

    def outline_bits(self, state: Interpretation, clue: Clue) -> float:
        """Bits of the forms that go round a region: something simpler may tell it."""
        return sum(placed.bits for placed in outlines_of(state, clue))

    def unasked(self, key: Hashable, bits: float) -> bool:
        """Whether what the key names was never looked at while about so many bits were at stake: what has
        changed since need not concern it."""
        level = (key, round(math.log(1 + bits / CHEAPEST, MORE)))
        new = level not in self.tried
        self.tried[level] = 0
        return new

    def in_doubt(self, state: Interpretation, wrong: Mask, region: int) -> bool:
        """Whether so much of a region looks wrong that it may be something else than it was told as."""
        bits = wrong_bits(state, wrong, self.regions.window(region, 2))
        return bits > max(CHEAPEST, DOUBT * state.model.cap * float(self.regions.area[region]))

    def forget(self, state: Interpretation, name: str) -> None:
        """Look once more at what was looked at under a name, if anything has changed since."""
        for key in [key for key in self.tried if isinstance(key, tuple) and key[0] == name]:
            if self.tried[key] < len(state.changes):
                del self.tried[key]

    def fresh(self, state: Interpretation, key: Hashable, window: Window) -> bool:
        """Whether anything in a window has changed since the last look at what the key names."""
        before = self.tried.get(key)
        self.tried[key] = len(state.changes)
        return before is None or any(overlaps(change, window) for change in state.changes[before:])


Proposer = Callable[[Interpretation, Sight, Mask], Iterable[Choice]]
"""Choices from an interpretation, what is looked at beside it, and which pixels look wrong (H, W)."""


def promising(regions: Regions, state: Interpretation, wrong: Mask) -> list[int]:
    """Solid regions that a shape could make shorter, those first whose pixels cost most beyond noise: all of
    them together, or those that look wrong (H, W)."""
    every, off = region_bits(regions.labels, state.bits, wrong, len(regions.area))
    share = state.model.share
    noise = share * (NOISE_BITS[0] * regions.area + 3 * NOISE_BITS[1] * np.sqrt(regions.area))
    bits = np.maximum(every - noise, off)
    bits[0] = 0.0
    order = np.argsort(-bits, kind="stable")
    return [int(k) for k in order[: int((bits > CHEAPEST).sum())] if regions.solid[k]]


def doubtful_regions(state: Interpretation, regions: Regions, wrong: Mask) -> dict[int, float]:
    """Regions told by shapes beside whose edges several pixels look wrong, and the bits of these."""
    found: dict[int, float] = {}
    least = SEVERAL * state.model.wrong
    for placed in state.shapes:
        bits = bits_at(state, *wrong_beside(placed, wrong))
        if bits > least:
            count = np.bincount(regions.labels[placed.pixels])
            for region in np.flatnonzero(count[1:]) + 1:
                if regions.solid[region] and any(
                    near_colour(regions.colour[region], own, state.model.paint_sigma)
                    for own in colours_of(placed.shape)
                ):
                    found[int(region)] = max(bits, found.get(int(region), 0.0))
    return found


@compiled
def region_bits(labels: Labels, bits: Floats, wrong: Mask, count: int) -> tuple[Doubles, Doubles]:
    """(count,): bits of the pixels of each label, of all and of those that look wrong."""
    every, off = np.zeros(count), np.zeros(count)
    for i in range(labels.shape[0]):
        for j in range(labels.shape[1]):
            label = labels[i, j]
            if label > 0:
                every[label] += bits[i, j]
                if wrong[i, j]:
                    off[label] += bits[i, j]
    return every, off


def colours_of(shape: Shape) -> list[Doubles]:
    """The colours that a shape paints."""
    return [colour for colour in (shape.fill, shape.stroke) if colour is not None]


def near_colour(one: Doubles, other: Doubles, sigma: float) -> bool:
    """Whether two colours, each the mean of several pixels, may be the same."""
    return bool(((one - other) ** 2).sum() < SAME + 3 * sigma**2)


def alike_regions(regions: Regions, colour: Doubles, sigma: float) -> list[int]:
    """The solid regions that may have a colour."""
    near = ((regions.colour - colour) ** 2).sum(1) < SAME + 3 * sigma**2
    return [int(k) for k in np.flatnonzero(near & regions.solid)]


def of_colour(state: Interpretation, window: Window, colour: Doubles) -> list[Placed]:
    """The shapes in a window that paint a colour and no other."""
    return [
        placed
        for placed in overlapping(state.shapes, window)
        if all(near_colour(own, colour, state.model.paint_sigma) for own in colours_of(placed.shape))
        or _may_be_line(state, placed, colour)
    ]


def outlines_of(state: Interpretation, clue: Clue) -> list[Placed]:
    """The forms that go round a region."""
    return [
        placed
        for placed in of_colour(state, clue.window, clue.colour)
        if placed.shape.primitive.formed
        and placed.shape.fill is not None
        and inside(placed.painted, clue.window)
    ]


def _may_be_line(state: Interpretation, placed: Placed, colour: Doubles) -> bool:
    """Whether a shape is a line so thin that it may as well be wider or narrower and of this colour."""
    told = stroke_width(placed.shape)
    if told is None or 2 * told[0] > THIN or len(colours_of(placed.shape)) > 1:
        return False
    ground = ground_of(state, placed)
    pure, other = told[1] - ground, colour - ground
    share = float(pure @ other) / max(float(pure @ pure), 1e-9)
    off = float(((other - share * pure) ** 2).sum())
    near = SAME + 3 * state.model.paint_sigma**2 + (INK**2) * float(other @ other)
    return 1 / MIXED < share < MIXED and off < near


def stroke_width(shape: Shape) -> tuple[float, Doubles] | None:
    """Half the width (px) and the colour of a stroke; None if it is none. A dot is one of no length."""
    if shape.primitive.strokelike and shape.fill is not None:
        return float(shape.pose[B]), shape.fill
    return None if shape.stroke is None else (float(shape.pose[TAU]), shape.stroke)


def ground_of(state: Interpretation, placed: Placed) -> Doubles:
    """The colour (3,) of the background in the middle of a shape."""
    top, bottom, left, right = placed.patch.window
    found: Doubles = state.model.background[
        (top + bottom) // 2 - (top == bottom), (left + right) // 2 - (left == right)
    ].astype(np.float64)
    return found


def one_pen(state: Interpretation, one: End, other: End) -> bool:
    """Whether two strokes may have one width and one colour. Of lines that no pixel shows alone neither is
    known for sure, but their product is: how much they paint."""
    wide = max(one.half, other.half)
    if 2 * wide > THIN:
        alike = abs(one.half - other.half) < INK * wide
        return alike and near_colour(one.colour, other.colour, state.model.paint_sigma)
    ink, more = (each.half * (each.colour - ground_of(state, each.placed)) for each in (one, other))
    most = max(float(ink @ ink), float(more @ more))
    return float(((ink - more) ** 2).sum()) < INK**2 * most + 3 * (wide * state.model.paint_sigma) ** 2


def neighbours(state: Interpretation, window: Window, without: Sequence[Placed]) -> list[Shape]:
    """The other shapes in a window whose edges can be seen; what looks like the background may be a
    mistake."""
    return [
        placed.shape
        for placed in overlapping(state.shapes, window)
        if placed not in without and not bare(state, placed)
    ]


def bare(state: Interpretation, placed: Placed) -> bool:
    """Whether a shape has the colour of the background behind it."""
    behind = ground_of(state, placed)
    return all(near_colour(colour, behind, state.model.paint_sigma) for colour in colours_of(placed.shape))


def in_place(state: Interpretation, shape: Shape, gone: tuple[Placed, ...]) -> Move:
    """A shape, refined, in place of others."""
    return Move([Placed.of(state.refined(shape, gone), state.model)], gone)


def as_it_is_or_refined(
    state: Interpretation, shape: Shape, gone: tuple[Placed, ...], within: Window | None = None
) -> Iterator[Move]:
    """A shape in place of others that it was made of; refined only if it is not good as it is, but may become
    so. within: as in `Interpretation.refined`."""
    plain = Move([Placed.of(shape, state.model)], gone)
    gain = state.gain(plain)
    if gain > 0:
        yield plain
    elif gain > -JOINED:
        yield Move([Placed.of(state.refined(shape, gone, within=within), state.model)], gone)


def wrong_bits(state: Interpretation, wrong: Mask, window: Window) -> float:
    """Bits of the pixels of a window that look wrong: no further shape there saves more."""
    top, bottom, left, right = window
    return float(state.bits[top:bottom, left:right][wrong[top:bottom, left:right]].sum())


def bits_at(state: Interpretation, x: Doubles, y: Doubles) -> float:
    """Bits of the pixels at some points."""
    return float(state.bits[y.astype(int), x.astype(int)].sum())


def wrong_beside(placed: Placed, wrong: Mask) -> tuple[Doubles, Doubles]:
    """x and y of the pixels that look wrong beside the edge of a shape."""
    top, bottom, left, right = placed.patch.window
    rows, columns = np.nonzero(wrong[top:bottom, left:right])
    x, y = (columns + left + 0.5).astype(np.float64), (rows + top + 0.5).astype(np.float64)
    if not len(x):
        return x, y
    shape = placed.shape
    off = np.abs(distances(shape, x, y)[0][0])
    near = off < BESIDE + (shape.pose[TAU] if shape.stroke is not None else 0.0)
    return x[near], y[near]

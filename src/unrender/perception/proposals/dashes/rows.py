"""Rows of pieces that may be the dashes of one line: of one colour and width, evenly spaced."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy import ndimage

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation
from unrender.perception.proposals.propose import near_colour
from unrender.perception.proposals.reshape import as_path, path_form
from unrender.perception.refine.caps import ROUND
from unrender.primitives.polycurve import FLAT, flattened
from unrender.primitives.polycurve_edits import ends, is_open
from unrender.primitives.protocol import Doubles
from unrender.render.shape import OWN, TAU

FEWEST = 3  # dashes of a line: two pieces in a row are two
DOTS = 6  # dots of a line, or dashes that are hardly longer than wide
SLIM = 1.5  # times as long as wide: other dashes
BAR = 2.5  # times as long as wide: what is thick and shorter is no stroke
THIN = 0.03  # of the picture's side: the widest dots
MANY = 400  # pieces of one picture that are looked at
SAME = 0.15  # of their widths by which those of two dashes may differ
AHEAD = 0.82  # cosine of the angle by which the next dash may lie off the way that one goes
FARTHEST = 6.0  # times as long as a dash and its width: no gap is longer
OFF = 0.7  # px by which a dash may begin or end elsewhere than the period says
LONGEST = 40  # px of a dash that no shape tells yet
DISC = 0.1  # by which the sides of a dot may differ


@dataclass(frozen=True, eq=False)
class Piece:
    """What may be a dash."""

    placed: Placed | None  # None of pixels that no shape tells yet
    first: Doubles  # (2,) px: where it begins, if its ends are straight
    last: Doubles
    out: tuple[Doubles, Doubles]  # unit vectors beyond either end; (0, 0) of a dot, which has no direction
    length: float  # px
    half: float  # px: half its width
    colour: Doubles
    on: Doubles  # (K, 2) px: points of the line that it lies on, even if that is curved

    @classmethod
    def straight(
        cls, placed: Placed | None, at: Doubles, arm: Doubles, half: float, colour: Doubles
    ) -> Piece:
        """From its middle and half its length (2,). If it is a piece of an arc it crosses that where as much
        of it lies to either side."""
        length = 2 * float(np.hypot(*arm))
        way, on = arm / max(length / 2, 1e-9), np.stack([at - arm / math.sqrt(3), at + arm / math.sqrt(3)])
        return cls(placed, at - arm, at + arm, (-way, way), length, half, colour, on)

    def turned(self) -> Piece:
        """Read from its other end."""
        return replace(self, first=self.last, last=self.first, out=self.out[::-1])


def readings(placed: Placed) -> Iterator[Piece]:
    """The dashes that a shape may be: of a box, along either side."""
    shape = placed.shape
    name, (x, y, a, b, angle), own = shape.primitive.name, shape.pose[:5].tolist(), shape.pose[OWN:]
    if shape.dashes is not None:
        return
    if name in ("edge", "square") and shape.fill is not None and shape.stroke is None:
        cap = float(own[0])
        sides = [(a, b, angle), (b, a, angle + math.pi / 2)]
        if name == "edge" and (cap > 0 or a > SLIM * b):
            sides = sides[:1]
        for reach, half, turn in sides:
            if (cap > 0 and name == "square") or reach < half / 3:
                continue
            way = np.array([math.cos(turn), math.sin(turn)])
            arm, at = max(reach - cap * (1 - ROUND) * half, half / 3) * way, np.array([x, y])
            yield Piece.straight(placed, at, arm, half, shape.fill)
    elif name == "circle" and shape.fill is not None and shape.stroke is None and abs(a - b) < DISC * a:
        at, none = np.array([x, y]), np.zeros(2)
        half = math.sqrt(a * b)
        yield Piece(placed, at, at, (none, none), 2 * ROUND * half, half, shape.fill, at[None])
    elif shape.fill is None and shape.stroke is not None and (shape.primitive.formed or name == "arc"):
        form = path_form(as_path(shape))
        if is_open(form):
            place, way = ends(form)
            line = flattened(form, 1.0, 1.0, FLAT)[0].reshape(-1, 2, 2)
            length = float(np.hypot(*(line[:, 1] - line[:, 0]).T).sum())
            half = float(shape.pose[TAU])
            first, last = place[0] + ROUND * half * way[0], place[1] + ROUND * half * way[1]
            length += 2 * ROUND * half
            yield Piece(placed, first, last, (way[0], way[1]), length, half, shape.stroke, line.mean(1))


def specks(state: Interpretation, wrong: Mask) -> Iterator[Piece]:
    """Pixels that look wrong and lie together, as dashes: so short a piece may take more bits to say than its
    pixels, a row of them does not."""
    labels, count = ndimage.label(wrong, np.ones((3, 3)))
    if not FEWEST <= count <= MANY:
        return
    off = state.model.image.astype(np.float64) - state.canvas
    for number, (rows, columns) in enumerate(ndimage.find_objects(labels), 1):
        if max(rows.stop - rows.start, columns.stop - columns.start) > LONGEST:
            continue
        i, j = np.nonzero(labels[rows, columns] == number)
        i, j = i + rows.start, j + columns.start
        step = off[i, j]
        strongest = step[(step**2).sum(1).argmax()]
        share = (step @ strongest / max(float(strongest @ strongest), 1e-12)).clip(0, 1)
        points, area = np.stack([j + 0.5, i + 0.5], 1), max(float(share.sum()), 1e-9)
        middle = share @ points / area
        spread = (points - middle).T @ ((points - middle) * share[:, None]) / area
        values, ways = np.linalg.eigh(spread)
        length, way = math.sqrt(12 * max(float(values[1]), 0.0) + 1), ways[:, 1]
        colour = (state.canvas[i, j].mean(0) + strongest).clip(0, 1)
        yield Piece.straight(None, middle, way * length / 2, area / length / 2, colour)


def as_piece(placed: Placed) -> Piece:
    """A straight dashed stroke from its first dash to its last."""
    x, y, a, b, angle, _, cap = placed.shape.pose.tolist()
    arm = (a - cap * (1 - ROUND) * b) * np.array([math.cos(angle), math.sin(angle)])
    assert placed.shape.fill is not None
    return Piece.straight(placed, np.array([x, y]), arm, b, placed.shape.fill)


def rows_of(pieces: Sequence[Piece], sigma: float) -> Iterator[tuple[list[Piece], bool]]:
    """Pieces in the order in which they follow one another, the gaps between them alike; and whether the last
    is followed by the first."""
    pieces = _directed(pieces, sigma)
    first = np.array([[piece.first, piece.last] for piece in pieces])  # (N, 2, 2)
    out = np.array([piece.out for piece in pieces])
    best: dict[tuple[int, int], tuple[int, int]] = {}
    for i, piece in enumerate(pieces):
        similar = np.array([alike(piece, other, sigma) for other in pieces])
        for end in range(2):
            gap = first - first[i, end]  # to both ends of all
            far = np.hypot(gap[..., 0], gap[..., 1])
            unit = gap / np.maximum(far, 1e-9)[..., None]
            ahead, facing = unit @ out[i, end] > AHEAD, (unit * out).sum(-1) < -AHEAD
            reach = FARTHEST * (piece.length + 2 * piece.half)
            possible = ahead & facing & similar[:, None] & (far < reach) & (far > 1e-6)
            if possible.any():
                j, other = np.unravel_index(int(np.where(possible, far, np.inf).argmin()), far.shape)
                best[i, end] = int(j), int(other)
    links = {one: other for one, other in best.items() if best.get(other) == one}
    used: set[int] = set()
    for start in sorted(range(len(pieces)), key=lambda n: ((n, 0) in links) + ((n, 1) in links)):
        if start in used or not any((start, end) in links for end in range(2)):
            continue
        row, at, leaves = [start], start, 1 if (start, 1) in links else 0
        turned = [leaves == 0]
        closes = False
        while (at, leaves) in links:
            at, enters = links[at, leaves]
            if at in row:
                closes = at == start
                break
            leaves = 1 - enters
            row.append(at)
            turned.append(enters == 1)
        used |= set(row)
        told = [pieces[n].turned() if back else pieces[n] for n, back in zip(row, turned, strict=True)]
        yield from _even(told, closes)


def is_line(row: Sequence[Piece], side: float) -> bool:
    """Whether pieces in a row, in a picture of this side (px), may be a line: large dots or blocks in a row
    are so many things of their own."""
    length = float(np.median([piece.length for piece in row]))
    width = 2 * width_of(row)
    thin = width < THIN * side + 1
    return length > (SLIM if thin else BAR) * width or (len(row) >= DOTS and thin)


def repeated(pieces: Sequence[Piece]) -> list[Piece]:
    """Those that are as wide as enough others of one length, to which they may be a line of dashes."""
    length, half = np.array([[piece.length, piece.half] for piece in pieces]).reshape(-1, 2).T
    wide = np.abs(half[:, None] - half) < SAME * half + 0.1
    enough = (wide & (np.abs(length[:, None] - length) < 2 * OFF)).sum(1) >= FEWEST
    return [piece for piece, like in zip(pieces, wide, strict=True) if enough[like].any()]


def alike(one: Piece, other: Piece, sigma: float) -> bool:
    """Whether two pieces may be dashes of one line."""
    return (
        (one.placed is None or one.placed is not other.placed)
        and one is not other
        and abs(other.half - one.half) < SAME * one.half + 0.1
        and near_colour(other.colour, one.colour, sigma)
    )


def _directed(pieces: Sequence[Piece], sigma: float) -> list[Piece]:
    """Dots with the direction to the nearest other dot."""
    dots = [piece for piece in pieces if not piece.out[0].any()]
    found = []
    for piece in pieces:
        others = [other for other in dots if alike(piece, other, sigma)] if not piece.out[0].any() else []
        if others:
            nearest = min(others, key=lambda other: math.dist(other.first, piece.first))
            way = nearest.first - piece.first
            way = way / max(float(np.hypot(*way)), 1e-9)
            arm = way * piece.length / 2
            piece = replace(piece, first=piece.first - arm, last=piece.last + arm, out=(-way, way))
        if piece.out[0].any():
            found.append(piece)
    return found


def _even(row: list[Piece], closes: bool) -> Iterator[tuple[list[Piece], bool]]:
    """The stretches of a row in which gaps are alike."""
    if len(row) < FEWEST:
        return
    gaps = np.array([math.dist(one.last, other.first) for one, other in pairwise(row)])
    usual = float(np.median(gaps))
    alike = np.abs(gaps - usual) < 2 * OFF
    if alike.all():
        yield row, closes
        return
    stretch = [row[0]]
    for piece, fits in zip(row[1:], alike.tolist(), strict=True):
        if fits:
            stretch.append(piece)
            continue
        if len(stretch) >= FEWEST:
            yield stretch, False
        stretch = [piece]
    if len(stretch) >= FEWEST:
        yield stretch, False


def width_of(row: Sequence[Piece]) -> float:
    return float(np.median([piece.half for piece in row]))


def colour_of(row: Sequence[Piece]) -> Doubles:
    return np.median([piece.colour for piece in row], axis=0)

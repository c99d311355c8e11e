"""Proposals of dashed strokes: equal pieces at equal gaps along one line are one stroke.

Every piece was told exactly before, so the dashed stroke is laid through them: the line by their ends, the
period by where they begin. Ends of so short pieces may be told as straight or as round: each is measured as
if it were straight and painted as much, and the pixels decide for all of them. Either end of such a line may
be cut; it is read from one at which a whole dash is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy import ndimage

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.proposals.propose import Choice, Sight, near_colour
from unrender.perception.proposals.reshape import as_path, path_form
from unrender.perception.refine.caps import ROUND
from unrender.primitives.path import framed
from unrender.primitives.polycurve import ENDS, FLAT, flattened
from unrender.primitives.polycurve_edits import ends, is_open
from unrender.primitives.protocol import Doubles
from unrender.primitives.registry import find
from unrender.render.shape import OWN, TAU, A, Shape, union

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
STRAY = 0.4  # px by which its ends may lie off the line
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


def dashed(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """One dashed stroke in place of every row of equal pieces at equal gaps."""
    for placed in state.shapes:
        if placed not in sight.pieces:
            sight.pieces[placed] = list(_readings(placed))
    pieces = [piece for placed in state.shapes for piece in sight.pieces[placed]]
    pieces += _specks(state, wrong)
    if len(pieces) > MANY:
        return
    pieces = _several(pieces)
    for row, closes in _rows(pieces, state.model.paint_sigma) if len(pieces) >= FEWEST else ():
        gone = [piece.placed for piece in row if piece.placed is not None]
        if len({id(placed) for placed in gone}) < len(gone):
            continue
        if not _is_line(row, math.sqrt(math.prod(state.model.size))):
            continue
        found = [Placed.of(shape, state.model) for shape in _strokes(row, closes)]
        place = tuple(np.concatenate([row[0].first, row[-1].last]).round().tolist())
        key = ("dashed", len(row), place, frozenset(placed.key for placed in gone))
        if found and sight.fresh(state, key, union([placed.patch.window for placed in found])):
            best = max(found, key=lambda placed: state.gain(Move([placed], tuple(gone))))
            yield [_refined(state, best, tuple(gone))]
    lines = [placed for placed in state.shapes if placed.shape.dashes and placed.shape.primitive.strokelike]
    for placed in lines:
        shape, several = grown_line(placed, [*pieces, *map(_as_piece, lines)], state.model.paint_sigma)
        name = ("longer", placed.key, frozenset(each.key for each in several))
        if len(several) > 1 and sight.fresh(state, name, placed.patch.window):
            yield [_refined(state, Placed.of(shape, state.model), several)]


def _refined(state: Interpretation, placed: Placed, gone: tuple[Placed, ...]) -> Move:
    """The stroke in place of its pieces, refined if that betters it: what else is there may be told wrongly
    yet."""
    better = Placed.of(state.refined(placed.shape, gone), state.model)
    return max((Move([placed], gone), Move([better], gone)), key=state.gain)


def _readings(placed: Placed) -> Iterator[Piece]:
    """The dashes that a shape may be: of a box, along either side."""
    shape = placed.shape
    name, (x, y, a, b, angle), own = shape.primitive.name, shape.pose[:5].tolist(), shape.pose[OWN:]
    if shape.dashes is not None:
        return
    if name in ("edge", "square") and shape.fill is not None and shape.stroke is None:
        cap = float(own[0])
        sides = [(a, b, angle)] if name == "edge" else [(a, b, angle), (b, a, angle + math.pi / 2)]
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


def _specks(state: Interpretation, wrong: Mask) -> Iterator[Piece]:
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
        points, area = np.stack([j + 0.5, i + 0.5], 1), float(share.sum())
        middle = share @ points / area
        spread = (points - middle).T @ ((points - middle) * share[:, None]) / area
        values, ways = np.linalg.eigh(spread)
        length, way = math.sqrt(12 * max(float(values[1]), 0.0) + 1), ways[:, 1]
        colour = (state.canvas[i, j].mean(0) + strongest).clip(0, 1)
        yield Piece.straight(None, middle, way * length / 2, area / length / 2, colour)


def _as_piece(placed: Placed) -> Piece:
    """A straight dashed stroke from its first dash to its last."""
    x, y, a, b, angle, _, cap = placed.shape.pose.tolist()
    arm = (a - cap * (1 - ROUND) * b) * np.array([math.cos(angle), math.sin(angle)])
    assert placed.shape.fill is not None
    return Piece.straight(placed, np.array([x, y]), arm, b, placed.shape.fill)


def grown_line(placed: Placed, pieces: Sequence[Piece], sigma: float) -> tuple[Shape, tuple[Placed, ...]]:
    """A straight dashed stroke made so long that it holds all pieces that are dashes of it, or a part of one,
    and what it is then told in place of. Between them something may lie in front of it."""
    shape, own = placed.shape, _as_piece(placed)
    assert shape.dashes is not None
    half, cap, way = own.half, float(shape.pose[OWN]), own.out[1]
    line = own.length - 2 * cap * ROUND * half
    step = shape.dashes[1] * line
    dash = shape.dashes[0] * step + 2 * cap * ROUND * half
    first, last, gone = 0.0, own.length, [placed]
    for piece in pieces:
        if not _alike(own, piece, sigma) or piece.placed is placed:
            continue
        ends = np.stack([piece.first, piece.last]) - own.first
        if np.abs(ends @ np.array([-way[1], way[0]])).max() > STRAY:
            continue
        begin, end = sorted((ends @ way).tolist())
        number = math.floor((begin + OFF) / step)
        last_one = (
            number
            if piece.placed is None or not piece.placed.shape.dashes
            else math.floor((end - OFF) / step)
        )
        if begin > number * step - OFF and end < last_one * step + dash + OFF:
            first, last = min(first, number * step), max(last, end)
            if piece.placed is not None:
                gone.append(piece.placed)
    told = Dashes(first, last - first, dash, step).ended(cap * half)
    if told is None:
        return shape, ()
    pose = shape.pose.copy()
    pose[:2] = own.first + way * told.middle
    pose[A] = told.length / 2 + cap * half
    return replace(shape, pose=pose, dashes=told.shares), tuple(gone)


def _rows(pieces: Sequence[Piece], sigma: float) -> Iterator[tuple[list[Piece], bool]]:
    """Pieces in the order in which they follow one another, the gaps between them alike; and whether the last
    is followed by the first."""
    pieces = _directed(pieces, sigma)
    first = np.array([[piece.first, piece.last] for piece in pieces])  # (N, 2, 2)
    out = np.array([piece.out for piece in pieces])
    best: dict[tuple[int, int], tuple[int, int]] = {}
    for i, piece in enumerate(pieces):
        alike = np.array([_alike(piece, other, sigma) for other in pieces])
        for end in range(2):
            gap = first - first[i, end]  # to both ends of all
            far = np.hypot(gap[..., 0], gap[..., 1])
            unit = gap / np.maximum(far, 1e-9)[..., None]
            ahead, facing = unit @ out[i, end] > AHEAD, (unit * out).sum(-1) < -AHEAD
            reach = FARTHEST * (piece.length + 2 * piece.half)
            possible = ahead & facing & alike[:, None] & (far < reach) & (far > 1e-6)
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


def _is_line(row: Sequence[Piece], side: float) -> bool:
    """Whether pieces in a row, in a picture of this side (px), may be a line: large dots or blocks in a row
    are so many things of their own."""
    length = float(np.median([piece.length for piece in row]))
    width = 2 * _width(row)
    thin = width < THIN * side + 1
    return length > (SLIM if thin else BAR) * width or (len(row) >= DOTS and thin)


def _several(pieces: Sequence[Piece]) -> list[Piece]:
    """Those that are as wide as enough others of one length, to which they may be a line of dashes."""
    length, half = np.array([[piece.length, piece.half] for piece in pieces]).reshape(-1, 2).T
    wide = np.abs(half[:, None] - half) < SAME * half + 0.1
    enough = (wide & (np.abs(length[:, None] - length) < 2 * OFF)).sum(1) >= FEWEST
    return [piece for piece, like in zip(pieces, wide, strict=True) if enough[like].any()]


def _alike(one: Piece, other: Piece, sigma: float) -> bool:
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
        others = [other for other in dots if _alike(piece, other, sigma)] if not piece.out[0].any() else []
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


def _strokes(row: list[Piece], closes: bool) -> Iterator[Shape]:
    """The dashed strokes that pieces in a row may be, with round and with straight ends."""
    lengths = np.array([piece.length for piece in row])
    usual = float(np.median(lengths))
    whole = np.abs(lengths - usual) < 2 * OFF
    if closes:
        if whole.all():
            yield from _rings(row)
        return
    if not whole[1:-1].all():
        return
    if not whole[0]:
        row, whole = [piece.turned() for piece in row[::-1]], whole[::-1]
    if not whole[0]:  # cut at both ends: the first piece stays by itself
        row, whole = row[1:], whole[1:]
    if len(row) < FEWEST:
        return
    points = np.concatenate([[piece.first, piece.last] for piece in row])
    yield from _edges(row, points, usual)
    yield from _arcs(row, points, usual)
    yield from _paths(row, points, usual)


def _edges(row: Sequence[Piece], points: Doubles, usual: float) -> Iterator[Shape]:
    middle = points.mean(0)
    way = np.linalg.svd(points - middle, full_matrices=False)[2][0]
    if (points[-1] - points[0]) @ way < 0:
        way = -way
    along, across = (points - middle) @ way, (points - middle) @ np.array([-way[1], way[0]])
    if np.abs(across).max() > STRAY:
        return
    told, half = Dashes.of(along), _width(row)
    for cap in (0.0, 1.0):
        own = None if told is None else told.ended(cap * half)
        if own is not None:
            x, y = middle + way * own.middle
            pose = [x, y, own.length / 2 + cap * half, half, math.atan2(way[1], way[0]), 0.0, cap]
            yield Shape(find("edge"), np.array(pose), _colour(row), None, dashes=own.shares)


def _arcs(row: Sequence[Piece], points: Doubles, usual: float) -> Iterator[Shape]:
    """Arcs go clockwise: a row that does not is read from its other end."""
    fit = _circle(row)
    if fit is None:
        return
    x, y, radius = fit
    turn = np.unwrap(np.arctan2(points[:, 1] - y, points[:, 0] - x))
    if turn[-1] < turn[0]:
        turn = turn[::-1].copy()
        if abs(row[-1].length - usual) > 2 * OFF:
            return
    told, half = Dashes.of(turn * radius), _width(row)
    for butt in (False, True):
        own = None if told is None else told.ended(0.0 if butt else half)
        if own is not None and own.length < math.tau * radius:
            start, sweep = own.begin / radius / math.tau, own.length / radius / math.tau
            pose = np.array([x, y, radius, radius, 0.0, half, start % 1, sweep])
            yield Shape(find("arc"), pose, None, _colour(row), dashes=own.shares, butt=butt)


def _rings(row: list[Piece]) -> Iterator[Shape]:
    """A whole circle of dashes."""
    points = np.concatenate([[piece.first, piece.last] for piece in row])
    fit = _circle(row)
    if fit is None:
        return
    x, y, radius = fit
    turn = np.unwrap(np.arctan2(points[:, 1] - y, points[:, 0] - x))
    if turn[-1] < turn[0]:
        turn = turn[::-1].copy()
    step, half = math.tau * radius / len(row), _width(row)
    told = Dashes.of(turn * radius)
    if told is None or abs(told.step - step) * len(row) > 2 * OFF:
        return
    for butt in (False, True):
        own = told.ended(0.0 if butt else half)
        if own is not None:
            pose = np.array([x, y, radius, radius, own.begin / radius, half])
            shares = (own.dash / step, 1 / len(row))
            yield Shape(find("circle"), pose, None, _colour(row), dashes=shares, butt=butt)


def _paths(row: Sequence[Piece], points: Doubles, usual: float) -> Iterator[Shape]:
    """A line of straight pieces through all of a row, with a corner wherever it is needed."""
    kept = _corners(points, STRAY)
    if len(kept) < 3 or len(kept) > len(row):
        return
    told = Dashes.of(np.concatenate([[0.0], np.hypot(*np.diff(points, axis=0).T).cumsum()]))
    half = _width(row)
    for butt in (False, True):
        own = None if told is None else told.ended(0.0 if butt else half)
        if own is None:
            continue
        line = points[kept]
        for end, beside in ((0, 1), (-1, -2)):  # round ends reach beyond it
            way = line[end] - line[beside]
            line[end] -= way * ((0.0 if butt else ROUND * half) / max(float(np.hypot(*way)), 1e-9))
        form = np.concatenate([[0.0, *point] for point in line])
        form[-3] = ENDS
        pose, form = framed(form, half)
        yield Shape(find("path"), pose, None, _colour(row), form, dashes=own.shares, butt=butt)


@dataclass(frozen=True)
class Dashes:
    """Even dashes along a line, in px."""

    begin: float
    length: float  # from the beginning of the first to the end of the last, which may be cut
    dash: float
    step: float

    @classmethod
    def of(cls, along: Doubles) -> Dashes | None:
        """From where each dash begins and ends (2 K,); None if they are not even."""
        begins, stops, n = along[::2], along[1::2], np.arange(len(along) // 2)
        step, begin = (float(number) for number in np.polyfit(n, begins, 1))
        dash = float(np.median(stops - begins))
        found = cls(begin, float(stops[-1]) - begin, dash, step)
        even = np.abs(begins - begin - step * n).max() < OFF
        return found if even and np.abs(stops - begins - dash)[:-1].max() < 2 * OFF else None

    def ended(self, half: float) -> Dashes | None:
        """The same painted with round ends of half this width; None if that cannot be."""
        short = ROUND * half
        dash = self.dash - 2 * short
        if not -OFF < dash < self.step:
            return None
        return Dashes(self.begin + short, self.length - 2 * short, max(dash, 0.0), self.step)

    @property
    def middle(self) -> float:
        return self.begin + self.length / 2

    @property
    def shares(self) -> tuple[float, float]:
        """As shapes tell them."""
        return self.dash / self.step, min(self.step / self.length, 1.0)


def _circle(row: Sequence[Piece]) -> tuple[float, float, float] | None:
    """Centre and radius (px) of the circle on which pieces lie, if they do."""
    points = np.concatenate([piece.on for piece in row])
    if len(points) < 3:
        return None
    system = np.hstack([2 * points, np.ones((len(points), 1))])
    (x, y, rest), *_ = np.linalg.lstsq(system, (points**2).sum(1), rcond=None)
    radius = math.sqrt(max(float(rest + x * x + y * y), 0.0))
    off = np.abs(np.hypot(points[:, 0] - x, points[:, 1] - y) - radius)
    return None if radius < 1 or off.max() > STRAY else (float(x), float(y), radius)


def _corners(points: Doubles, tolerance: float) -> list[int]:
    """Indices of the points (N, 2) between which all others lie on straight lines (Douglas and Peucker)."""
    kept, waiting = {0, len(points) - 1}, [(0, len(points) - 1)]
    while waiting:
        first, last = waiting.pop()
        way = points[last] - points[first]
        normal = np.array([-way[1], way[0]]) / max(float(np.hypot(*way)), 1e-9)
        off = np.abs((points[first + 1 : last] - points[first]) @ normal)
        if len(off) and off.max() > tolerance:
            worst = first + 1 + int(off.argmax())
            kept.add(worst)
            waiting += [(first, worst), (worst, last)]
    return sorted(kept)


def _width(row: Sequence[Piece]) -> float:
    return float(np.median([piece.half for piece in row]))


def _colour(row: Sequence[Piece]) -> Doubles:
    return np.median([piece.colour for piece in row], axis=0)

"""Unions: an area that no single shape explains, told as a few primitives of its colour.

Every primitive is grown from the widest places of the area until its edges lie on those of the area; sets of
what is found are compared by the bits that they leave.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from scipy import ndimage

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.objective import shape_bits
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.cover import cheapest
from unrender.perception.proposals.fits import of_areas
from unrender.perception.proposals.placements import Shown
from unrender.perception.proposals.polygon import outline_points
from unrender.perception.proposals.propose import Choice, Sight, bare, wrong_bits
from unrender.perception.proposals.sets import other_regions, refined_together, shown_of, told_in
from unrender.perception.refine.outline import Points, fit, offsets
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.coverage import distances
from unrender.render.shape import ANGLE, OWN, A, B, Shape, X, Y, overlaps

TWO = 150.0  # bits of two shapes, about
LEAST = 40  # px of a region: less can be told as one shape well enough
ROUNDS = 6  # in which the shapes of a union are refined
WIDEST = 16  # places from which shapes are grown
NARROWEST = 0.2  # of the greatest width, which the width at a place must have
APART = 0.6  # of their width: places that are nearer are one
ANGLES = 4  # between two looks that are the same
EDGE = 160  # points of the outline
REACHES = (0.5, 0.35, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05)  # of the width there, from which edges pull
NEARER = (3.0, 2.0, 1.0, 1.0, 1.0, 0.7, 0.7)  # px from which the points of an outline that are its own pull
FURTHEST = 4.0  # px: points further off belong to nothing
WITHIN = 0.9  # of a shape must lie in the area
POINTS = 900  # of the area and around it, by which sets are compared
LEFT = 0.2  # of the area that a set may leave to be told otherwise


def unions(state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
    """Unions of primitives for regions that nothing else explains, or only with patches of the background's
    colour over them, or by an outline that takes more bits than two shapes do."""
    patches = [placed for placed in state.shapes if bare(state, placed)]
    outlines = sight.outlines(state)
    for region in sight.solid:
        window = sight.regions.window(region, 2)
        over = [placed for placed in patches if overlaps(placed.patch.window, window)]
        if (
            sight.regions.area[region] >= LEAST
            and (over or outlines.get(region, 0.0) > TWO or sight.in_doubt(state, wrong, region))
            and sight.fresh(state, ("unions", region), window)
        ):
            state.budget.look(sight.regions.area[region])
            yield _of_region(state, sight, region, over, wrong_bits(state, wrong, window))


def _of_region(
    state: Interpretation, sight: Sight, region: int, patches: Sequence[Placed], wrong: float
) -> Iterator[Move]:
    """wrong: bits of the pixels there that look wrong, which no union can save more of."""
    area = Area.of(state.model.image, state.model.background, sight.regions, [region])
    if area is None or area.hollow or area.line is not None:
        return
    shown = shown_of(state, sight.regions, region)
    same = [*told_in(state, shown, area.colour), *patches]
    elsewhere = other_regions(sight.regions, [region])
    limit = wrong + sum(placed.bits for placed in same)
    for chosen in union_sets(state, area, shown, sight.kinds, limit):
        new = _needed(state, refined_together(state, chosen, same, elsewhere=elsewhere), same)
        if state.gain(Move(new, tuple(same))) < -limit:
            continue  # it spoils more than it could ever save
        kept = [placed.shape for placed in new]
        yield Move(refined_together(state, kept, same, ROUNDS, elsewhere), tuple(same))


def _needed(state: Interpretation, new: list[Placed], same: Sequence[Placed]) -> list[Placed]:
    """Shapes of a union without those that save fewer bits than they cost."""
    gain = state.gain(Move(new, tuple(same)))
    while len(new) > 1:
        fewer = [[other for other in new if other is not placed] for placed in new]
        gains = [state.gain(Move(each, tuple(same))) for each in fewer]
        if max(gains) < gain:
            break
        gain, new = max(gains), fewer[int(np.argmax(gains))]
    return new


def union_sets(
    state: Interpretation, area: Area, shown: Shown, kinds: Sequence[Primitive], limit: float
) -> list[list[Shape]]:
    """Sets of primitives of one colour whose union is about an area, the cheapest first; none of more shapes
    than can be told in `limit` bits."""
    shapes = [
        shape
        for kind in kinds
        if kind.closed and of_areas(kind)
        for shape in _grown(state, area, shown, kind)
    ]
    rows, columns = np.indices(shown.alpha.shape).reshape(2, -1)
    step = max(len(rows) // POINTS, 1)
    rows, columns = rows[::step], columns[::step]
    x, y = columns + np.float64(shown.left + 0.5), rows + np.float64(shown.top + 0.5)
    inside = shown.alpha[rows, columns] > 0.5
    if not shapes or not inside.any():
        return []
    painted = np.stack([distances(shape, x, y)[0][0] < 0 for shape in shapes])
    over = (painted & ~inside).sum(1)
    good = over < (1 - WITHIN) * np.maximum(painted.sum(1), 1)
    shapes = [shape for shape, kept in zip(shapes, good, strict=True) if kept]
    if not shapes:
        return []
    blank = state.model.cap * step
    told = np.array([shape_bits(shape, state.model) for shape in shapes])
    most = int(min(limit / told.min(), len(shapes)))
    sets = cheapest(painted[good][:, inside], told + over[good] * blank, blank, LEFT, most)
    edge = outline_points(shown.alpha, shown.left, shown.top, EDGE)
    return [_parted([shapes[n] for n in chosen], edge, area.extent) for chosen in sets]


def _parted(several: list[Shape], edge: Doubles, extent: float) -> list[Shape]:
    """Shapes, each fitted to the points of an outline (EDGE, 2) that it is nearest to and no other."""
    points = Points(edge[None, :, 0], edge[None, :, 1], np.ones((1, len(edge))))
    for reach in NEARER:
        off = np.stack([offsets(own.primitive, own.pose[None], points, False)[0] for own in several])
        nearest = off.argmin(0)
        for n, own in enumerate(several):
            weight = ((nearest == n) & (off[n] < FURTHEST))[None].astype(np.float64)
            pose, _ = fit(
                own.primitive, own.pose[None], Points(points.x, points.y, weight), False,
                np.full((1, 1), reach), np.array([extent]),
            )  # fmt: skip
            several[n] = own.posed(pose[0])
    return several


def _grown(state: Interpretation, area: Area, shown: Shown, kind: Primitive) -> list[Shape]:
    """A primitive, grown from the widest places of an area until its edges lie on those of the area."""
    places = widest(shown)
    turns = max(kind.symmetry.even, 1)
    angles = np.arange(ANGLES if kind.symmetry.even else 1) * (2 * math.pi / ANGLES / turns)
    pose = np.zeros((len(places) * len(angles), OWN + len(kind.own)))
    pose[:, OWN:] = [own.default for own in kind.own]
    pose[:, [X, Y]] = np.repeat(places[:, :2], len(angles), 0)
    pose[:, ANGLE] = np.tile(angles, len(places))
    width = np.repeat(places[:, 2], len(angles))
    pose[:, A] = pose[:, B] = width
    edge = outline_points(shown.alpha, shown.left, shown.top, EDGE)
    points = Points(edge[None, :, 0], edge[None, :, 1], np.ones((1, len(edge))))
    reaches = np.maximum(np.array(REACHES)[:, None] * width, 1.0)
    rows = np.zeros(len(pose), np.int64)
    state.budget.fit(len(pose), len(edge), len(REACHES))
    pose, _ = fit(kind, pose, points.of(rows), False, reaches, np.full(len(pose), area.extent))
    return [Shape(kind, own, area.colour, None) for own in pose]


def widest(shown: Shown) -> Doubles:
    """(N, 3): x, y and half the width (px) of the widest places of an area."""
    room = ndimage.distance_transform_edt(np.pad(shown.alpha > 0.5, 1))[1:-1, 1:-1]
    rows, columns = np.nonzero(room > max(1.0, NARROWEST * float(room.max())))
    order = np.argsort(-room[rows, columns], kind="stable")
    x, y = columns[order] + np.float64(shown.left + 0.5), rows[order] + np.float64(shown.top + 0.5)
    width, found = room[rows[order], columns[order]], list[int]()
    free = np.ones(len(x), bool)
    while free.any() and len(found) < WIDEST:
        n = int(free.argmax())
        found.append(n)
        free &= np.hypot(x - x[n], y - y[n]) > APART * width[n]
    return np.stack([x[found], y[found], width[found]], 1)

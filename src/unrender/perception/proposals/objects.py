"""Proposals of known objects: one, or several of one colour that touch or overlap, for what is in doubt.

Perception knows objects only as rigid shapes that are handed in. Where a region is in doubt, those that have
its moments are fitted to all of its edge, all of them to what shows of it if others hide a part, and sets of
them that fill it together are searched for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from unrender.perception.depth import Placed
from unrender.perception.image.regions import Mask, Regions
from unrender.perception.interpretation import Interpretation, Move
from unrender.perception.objective import KIND_BITS
from unrender.perception.proposals.areas import Area
from unrender.perception.proposals.placements import KnownShape, Shown, placements
from unrender.perception.proposals.propose import (
    Choice,
    Sight,
    alike_regions,
    colours_of,
    doubtful_regions,
    neighbours,
    of_colour,
    promising,
    wrong_bits,
)
from unrender.perception.proposals.rectilinear import rectangles_of
from unrender.perception.proposals.sets import (
    estimated_bits,
    filling,
    other_regions,
    painted_of,
    refined_together,
    shown_of,
    told_in,
)
from unrender.perception.proposals.starts import by_boxes, by_circles
from unrender.perception.refine.outline import Points, fit
from unrender.primitives.protocol import Doubles, Primitive
from unrender.render.shape import ANGLE, OWN, A, B, Shape, X, Y, overlaps, union

FEWEST = 12  # px of a region: less tells no object
ALIKE = 0.35  # log of the ratio of two spreads, by area, that may be the same
EVEN = 0.15  # log of the ratio of the spreads along and across, below which they tell no direction
ANGLES = 12  # that are tried then
REACHES = (4.0, 3.0, 2.0, 1.5, 1.0, 1.0)  # px from which edges pull, step after step
FAR = (8.0, 6.0, 5.0)  # px: the same before these steps, if a part of the edge belongs to others
STARTS = 32  # circles through three points of such an edge, on which an object may lie
CLOSE = 0.7  # px: an edge this far off is not explained
FITTING = 0.6  # of its edge must be explained, so that it is worth a closer look
NEARLY = 0.97  # of the bits of a region: then nothing better is looked for
WHOLE = 0.95  # of its edge: then it is not made of several
BEST = 3  # objects of which each is refined
RECENT = 12  # objects, the last ones that were learned, that are looked for behind others and in sets
SLACK = 0.05  # of an area by which known ones may differ
SMALLEST = 1 / 12  # of the area: no object of a set is smaller


@dataclass(frozen=True, eq=False)
class KnownObjects:
    """The proposer: known shapes, the last ones that were learned first."""

    shapes: Sequence[KnownShape] = ()

    @property
    def recent(self) -> Sequence[KnownShape]:
        """Those that were learned last; what follows from others and was never seen is not among them."""
        return [known for known in self.shapes if known.scales][:RECENT]

    def __call__(self, state: Interpretation, sight: Sight, wrong: Mask) -> Iterator[Choice]:
        """Known objects for regions in which something looks wrong, which only their outline tells or several
        shapes do, or of which others hide a part: the visible rest of a known object may be told as something
        else as well."""
        if not self.shapes:
            return
        composed = sight.composed(state)
        for region, bits in doubtful_regions(state, sight.regions, wrong).items():
            composed[region] = max(bits, composed.get(region, 0.0))
        asked = list(dict.fromkeys([*promising(sight.regions, state, wrong), *composed]))
        for region in asked:
            bits = wrong_bits(state, wrong, sight.regions.window(region, 2)) + composed.get(region, 0.0)
            if sight.regions.area[region] >= FEWEST and bits > 0 and sight.unasked(("objects", region), bits):
                state.budget.look(sight.regions.area[region])
                best = self._best(state, sight, region)
                yield [] if best is None else [best]
        told = [k for k in sight.solid if k not in asked and not _at_border(sight.regions, k)]
        for region in told:
            window = sight.regions.window(region, 2)
            same = of_colour(state, window, sight.regions.colour[region])
            if (
                sight.regions.area[region] >= FEWEST
                and neighbours(state, window, same)
                and sight.fresh(state, ("behind", region), window)
            ):
                yield self._behind(state, sight, region)
        for placed in state.shapes:
            yield self._by_parts(state, sight, placed, wrong)

    def _by_parts(self, state: Interpretation, sight: Sight, placed: Placed, wrong: Mask) -> Iterator[Move]:
        """A known object that does not explain all of its pixels, by its parts, each as it is."""
        top, bottom, left, right = window = placed.patch.window
        known = next((own for own in self.shapes if own.primitive is placed.shape.primitive), None)
        if known is None or known.parts is None or not wrong[top:bottom, left:right].any():
            return
        if sight.fresh(state, ("parts", placed.key), window):
            yield Move(refined_together(state, known.parts(placed.shape), (placed,)), (placed,))

    def _best(self, state: Interpretation, sight: Sight, region: int) -> Move | None:
        """The move that shortens the whole most, of those up to the first one that explains nearly all of a
        region, and the next: before they are refined two ways to tell it may look alike."""
        top, bottom, left, right = sight.regions.window(region)
        own = sight.regions.labels[top:bottom, left:right] == region
        whole = float(state.bits[top:bottom, left:right][own].sum())
        found, most = None, 0.0
        for move in self._of_region(state, sight, region):
            gain, explained = state.gain(move), most > NEARLY * whole
            if gain > most:
                found, most = move, gain
            if explained:
                break
        return found

    def _of_region(self, state: Interpretation, sight: Sight, region: int) -> Iterator[Move]:
        """What a region may be: one known object, several, or rectangles."""
        regions = sight.regions
        shown = shown_of(state, regions, region)
        same = told_in(state, shown, regions.colour[region])
        others = neighbours(state, regions.window(region, 2), same)
        area = Area.of(state.model.image, state.model.background, regions, [region], others)
        if area is None:
            return
        ranked = self._whole(state, area, shown)
        found = [shape for share, shape in ranked if share > FITTING][:BEST]
        sets = [[shape] for shape in found]
        if not ranked or ranked[0][0] < WHOLE:
            sets += self.sets(state, shown, area.colour)
        sets += filling(state, shown, rectangles_of(shown, sight.kinds, area.colour))
        elsewhere = other_regions(regions, [region])
        for chosen in sorted(sets, key=lambda each: estimated_bits(state, shown, each)):
            yield Move(refined_together(state, chosen, same, elsewhere=elsewhere), tuple(same))
            if others:
                yield Move(refined_together(state, chosen, same), tuple(same))
        if not (ranked and ranked[0][0] > WHOLE) and self.shapes and (others or not area.bare.all()):
            yield from self._behind(state, sight, region)

    def _behind(self, state: Interpretation, sight: Sight, region: int) -> Iterator[Move]:
        """One known object of which a region, alone or with others of its colour, is what others leave."""
        regions = sight.regions
        window = regions.window(region, 2)
        gap = max(window[1] - window[0], window[3] - window[2]) // 2
        group = [
            k
            for k in alike_regions(regions, regions.colour[region], state.model.sigma)
            if overlaps(regions.window(k, gap), window)
        ]
        for which in ([region], group) if len(group) > 1 else ([region],):
            shown = [(shown_of(state, regions, k), regions.colour[k]) for k in which]
            same = [placed for own, colour in shown for placed in told_in(state, own, colour)]
            others = neighbours(state, union([regions.window(k, 2) for k in which]), same)
            area = Area.of(state.model.image, state.model.background, regions, which, others)
            elsewhere = other_regions(regions, which)
            for share, shape in self._partly(state, sight, area)[:BEST] if area is not None else ():
                if share > FITTING:
                    yield Move(refined_together(state, [shape], same, elsewhere=elsewhere), tuple(same))
                    yield Move(refined_together(state, [shape], same), tuple(same))

    def _whole(self, state: Interpretation, area: Area, shown: Shown) -> list[tuple[float, Shape]]:
        """Shapes of the same moments, fitted to all of the edge, each with the share that it explains."""
        found = []
        for known in self.shapes:
            start = by_moments(known, area, shown.area)
            if len(start):
                found.append(fitted(state, known.primitive, start, area, REACHES))
        return sorted(found, key=lambda each: -each[0])

    def _partly(self, state: Interpretation, sight: Sight, area: Area) -> list[tuple[float, Shape]]:
        """Shapes fitted to an edge of which a part may be hidden, each with the share that it explains."""
        found = []
        for known in self.recent:
            kind = known.primitive
            start = by_circles(kind, area.x, area.y, STARTS, area.extent, sight.rng)
            start = np.concatenate([start, by_boxes(kind, area.x, area.y, area.angles)])
            found.append(fitted(state, kind, start, area, (*FAR, *REACHES)))
        return sorted(found, key=lambda each: -each[0])

    def sets(self, state: Interpretation, shown: Shown, colour: Doubles) -> list[list[Shape]]:
        """Several objects of one colour that fill an area: of scales that memory holds, or else of any."""
        familiar = filling(state, shown, self._laid(shown, colour, True))
        return familiar or filling(state, shown, self._laid(shown, colour, False))

    def _laid(self, shown: Shown, colour: Doubles, familiar: bool) -> list[Shape]:
        """Objects wherever they fit into an area."""
        smallest = max(SMALLEST * shown.area, FEWEST)
        return [
            Shape(known.primitive, pose, colour, None)
            for known in self.recent
            for pose in placements(known, shown, smallest, known.scales if familiar else None)
        ]

    def _familiar(self, shape: Shape) -> bool:
        """Whether a shape is as large as memory has it."""
        return any(
            abs(math.log(shape.pose[A] / scale)) < SLACK / 2
            for known in self.shapes
            if known.primitive is shape.primitive
            for scale in known.scales
        )

    def instead(self, state: Interpretation, placed: Placed) -> Move | None:
        """Known objects, as large as memory has them, that fill exactly what a shape paints, if that is
        shorter to say.

        That each of them fits in is no chance: beyond the first it is told by its name and its place among
        all that fit, and has the same colour.
        """
        shown = painted_of(state, placed)
        areas = [known.area * scale**2 for known in self.recent for scale in known.scales]
        if shown is None or not areas or shown.area < (1 - SLACK) * min(areas):
            return None
        colour = colours_of(placed.shape)[0]
        same = told_in(state, shown, colour)
        laid = [shape for shape in self._laid(shown, colour, True) if self._familiar(shape)]
        found = []
        for chosen in filling(state, shown, laid):
            new = refined_together(state, chosen, same)
            others = sum(sorted(each.bits for each in new)[:-1])
            told = (len(new) - 1) * (KIND_BITS + math.log2(len(laid)))
            move = Move(new, tuple(same))
            found.append((state.gain(move) + others - told, move))
        gain, move = max(found, key=lambda each: each[0], default=(0.0, Move()))
        return move if gain > 0 else None


def _at_border(regions: Regions, region: int) -> bool:
    """Whether a region ends where the picture does: what goes on there could be anything."""
    top, bottom, left, right = regions.window(region)
    tall, wide = regions.labels.shape
    return top == 0 or left == 0 or bottom == tall or right == wide


def fitted(
    state: Interpretation, kind: Primitive, start: Doubles, area: Area, reaches: Sequence[float]
) -> tuple[float, Shape]:
    """The best of several fits (N, P) to the edge of an area, and the share of the edge that it explains."""
    edge = Points(area.x[None], area.y[None], area.weight[None]).of(np.zeros(len(start), np.int64))
    steps = np.repeat(np.array(reaches)[:, None], len(start), 1)
    state.budget.fit(len(start), len(area.x), len(reaches))
    pose, off = fit(kind, start, edge, False, steps, np.full(len(start), area.extent))
    missed = (np.minimum(off / CLOSE, 1.0) ** 2 * area.weight).sum(1) / area.weight.sum()
    best = int(missed.argmin())
    return 1 - float(missed[best]), Shape(kind, pose[best], area.colour, None)


def by_moments(known: KnownShape, area: Area, size: float) -> Doubles:
    """Poses (N, P) of a known shape with the mean, the axes and the size (px) of an area; none if its spread
    along and across differs."""
    mean, own, unit = known.moments
    scale = math.sqrt(max(size, 1.0) / unit)
    spread, its = np.linalg.eigh(area.covariance), np.linalg.eigh(own)
    off = np.log(np.maximum(spread[0], 1e-6)) - np.log(np.maximum(its[0], 1e-9)) - 2 * math.log(scale)
    if np.abs(off).max() > ALIKE:
        return np.zeros((0, OWN))
    if math.log(its[0][1] / max(its[0][0], 1e-9)) < EVEN:
        angles = np.arange(ANGLES) * (2 * math.pi / ANGLES / known.primitive.symmetry.turns)
    else:
        angle = math.atan2(*spread[1][::-1, 1]) - math.atan2(*its[1][::-1, 1])
        angles = np.array([angle, angle + math.pi])[: 1 if known.primitive.symmetry.turns % 2 == 0 else 2]
    pose = np.zeros((len(angles), OWN + len(known.primitive.own)))
    centre = area.mean @ np.array([1, 1j]) - scale * np.exp(1j * angles) * (mean @ np.array([1, 1j]))
    pose[:, X], pose[:, Y], pose[:, ANGLE] = centre.real, centre.imag, angles
    pose[:, A] = pose[:, B] = scale
    return pose

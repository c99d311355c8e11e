"""Verification: whether the pixels agree with the drawing of a part, whatever they were told as.

The same pixels can be told in several ways: a trapezoid as a rectangle and two triangles, a bar as a line,
two shapes of one colour that touch as one path. A known whole says where each of its parts must be; where the
picture shows one even patch of colour with exactly that outline, the part is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.gamma import rotation_matrix
from unrender.capsules.poses import Floats
from unrender.capsules.routing.occlusion import even_steps, in_front, places, rim_of, within
from unrender.grammar.attribute import COLOUR_NAMES, STROKE_NAMES
from unrender.scene import Observation

EVEN = 0.07  # colour distance within one patch, beyond the noise
LIKE = 0.2  # colour distance between what is expected and what is there
INSET, OUTSET = 1.0, 1.6  # px from an outline at which inside and outside are looked at
SHARE = 0.85  # of the points inside that have one colour
EDGE = 0.75  # of the points outside that have another
FEWEST = 4  # points that must show, inside and outside, for anything to be said
SHOWN = 0.6  # of the points outside: what shows less is less sure
EXPLAINED = 0.8  # of what a shape shows


@dataclass(frozen=True, eq=False)
class Verifier:
    """A picture (H, W, 3) in 0..1, its background, and the shapes that were told in it."""

    image: Floats
    background: Floats
    leaves: Sequence[Observation]

    @cached_property
    def noise(self) -> float:
        """The standard deviation of a channel, from neighbours that differ least."""
        step = np.abs(np.diff(self.image, axis=1)).mean(2)
        return float(np.median(step)) / 1.13

    def colours(self, points: Floats) -> tuple[Floats, NDArray[np.bool_]]:
        """(K, 3) at points (K, 2), and whether they lie in the picture."""
        tall, wide = self.image.shape[:2]
        at = np.floor(points).astype(int)
        inside = np.asarray(((at >= 0) & (at < (wide, tall))).all(1), bool)
        x, y = at.T
        return self.image[y.clip(0, tall - 1), x.clip(0, wide - 1)], inside

    def ground(self, points: Floats) -> Floats:
        """(K, 3): the background at points (K, 2)."""
        tall, wide = self.image.shape[:2]
        x, y = np.floor(points).astype(int).T
        behind: Floats = self.background[y.clip(0, tall - 1), x.clip(0, wide - 1)]
        return behind

    def sees(
        self, part: Observation, others: Sequence[Observation], front: int, covered: bool = True
    ) -> Observation | bool | None:
        """The part as it is seen; False if it is not there, None if too little of it would show.

        others: of the same whole, as they are or should be, back to front; from `front` on they lie in front.
        covered: whether shapes that were told in front of the whole are taken to be there.
        """
        inside, outside = self._samples(part)
        if inside is None or outside is None:
            return None
        covers = [*others[front:], *(self._covers(part, others) if covered else ())]
        inside, outside = (_uncovered(points, covers) for points in (inside, outside))
        here, shown = self.colours(inside)
        here = here[shown]
        if len(here) < FEWEST:
            return None
        middle = np.median(here, axis=0)
        slack = EVEN + 3 * self.noise
        if (np.linalg.norm(here - middle, axis=1) < slack).mean() < SHARE:
            return False
        around, shown = self.colours(outside)
        alike = [other for other in others if _alike(other, middle)]
        counted = shown & ~_covered(outside, alike)
        if counted.sum() < FEWEST:
            return None
        edge = float((np.linalg.norm(around[counted] - middle, axis=1) > slack).mean())
        if edge < EDGE:
            return False
        names = zip((*COLOUR_NAMES, *STROKE_NAMES), (*middle, *middle), strict=True)
        looks = part.attributes | {name: float(value) for name, value in names if name in part.attributes}
        return replace(part, attributes=looks, p=edge * min(1.0, float(counted.mean()) / SHOWN))

    def blends(self, part: Observation, seen: Sequence[Observation]) -> bool:
        """Whether a part would lie on one that was seen where the picture shows nothing but the colour of
        that one: it may have the same colour, and then nobody could see it."""
        inside, _ = self._samples(part)
        for other in seen if inside is not None else ():
            if inside is not None and within(other, inside).mean() >= SHARE:
                here, shown = self.colours(inside)
                own = np.array([other.attributes.get(name, 0.0) for name in COLOUR_NAMES])
                even = np.linalg.norm(here[shown] - own, axis=1) < EVEN + 3 * self.noise
                if len(even) >= FEWEST and even.mean() >= SHARE:
                    return True
        return False

    def _samples(self, part: Observation) -> tuple[Floats | None, Floats | None]:
        """Points inside a shape and just around it; None of what encloses nothing."""
        rim = rim_of(part)
        if rim is None or part.attributes.get("filled", 1.0) < 0.5:
            return None, None
        half, turn = np.asarray(part.size) / 2, rotation_matrix(part.rotation).T
        outer = even_steps(rim * half)
        inner = places(part)
        inner = inner[_deep((inner - part.position) @ turn.T, outer)]
        away = outer - outer.mean(0)
        outer = outer + OUTSET * away / np.linalg.norm(away, axis=1, keepdims=True).clip(1e-6)
        return inner, outer @ turn + part.position

    def _covers(self, part: Observation, others: Sequence[Observation]) -> list[Observation]:
        """Shapes of the picture that are no part of the whole and lie in front of its parts."""
        own = {id(other) for other in others}
        seen = [other for other in others if other.depth is not None]
        reach = max(part.size)
        return [
            leaf
            for leaf in self.leaves
            if id(leaf) not in own
            and leaf.attributes.get("filled", 1.0) > 0.5
            and np.hypot(*np.subtract(leaf.position, part.position)) < reach + max(leaf.size)
            and in_front(leaf, seen)
        ]

    def explained(self, parts: Sequence[Observation]) -> list[Observation]:
        """The shapes that are no longer needed once the parts of a whole, back to front, are drawn: what they
        show is then drawn, or is the background."""
        own = {id(part) for part in parts}
        low = np.min([np.subtract(part.position, max(part.size)) for part in parts], axis=0)
        high = np.max([np.add(part.position, max(part.size)) for part in parts], axis=0)
        found = []
        for leaf in self.leaves:
            if id(leaf) in own or not ((low < leaf.position) & (high > leaf.position)).all():
                continue
            points = _uncovered(
                places(leaf),
                [o for o in self.leaves if id(o) not in own and (o.depth or 0) > (leaf.depth or 0)],
            )
            seen, shown = self.colours(points)
            if not shown.any():
                continue
            wrong = np.linalg.norm(seen - self._drawn(points, parts), axis=1)[shown]
            if (wrong < LIKE + 2 * self.noise).mean() >= EXPLAINED and _covered(points, parts).any():
                found.append(leaf)
        return found

    def _drawn(self, points: Floats, parts: Sequence[Observation]) -> Floats:
        """(K, 3): what the parts would show at points (K, 2), and the background between them."""
        drawn = self.ground(points).copy()
        for part in parts:
            drawn[within(part, points)] = [part.attributes.get(name, 0.0) for name in COLOUR_NAMES]
        return np.asarray(drawn, np.float64)


def _deep(points: Floats, line: Floats) -> NDArray[np.bool_]:
    """bool (K,): which points (K, 2) are INSET px or more from a closed line (N, 2); of what is too slender
    for that, those that are at least half as far from it as the furthest."""
    along = np.roll(line, -1, 0) - line
    off = points[:, None] - line
    share = (off * along).sum(-1) / (along**2).sum(-1).clip(1e-12)
    away = np.linalg.norm(off - share.clip(0.0, 1.0)[..., None] * along, axis=-1).min(1)
    deep: NDArray[np.bool_] = away >= min(INSET, float(away.max()) / 2)
    return deep


def _alike(part: Observation, colour: Floats) -> bool:
    own = np.array([part.attributes.get(name, 0.0) for name in COLOUR_NAMES])
    return bool(np.linalg.norm(own - colour) < LIKE)


def _covered(points: Floats, covers: Sequence[Observation]) -> NDArray[np.bool_]:
    hidden = np.zeros(len(points), bool)
    for cover in covers:
        hidden |= within(cover, points)
    return hidden


def _uncovered(points: Floats, covers: Sequence[Observation]) -> Floats:
    left: Floats = points[~_covered(points, covers)]
    return left

"""Which observed axioms may belong together: by contact, nearness at every scale, common motion, repetition.

Axioms are joined, the nearest first; every set that comes about on the way is a group. The longer it stays
one before something else joins it, the more it stands out. Contact comes before nearness: shapes that touch
or lie in one another are one thing, and two such things are not made one by standing side by side.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.capsules.equivalents import turning_of
from unrender.capsules.experience import Entry
from unrender.capsules.gamma import corners, whole
from unrender.capsules.network import Network
from unrender.capsules.poses import Floats
from unrender.capsules.route import Route
from unrender.capsules.routing.patches import touch
from unrender.capsules.semantic import SemanticCapsule
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation
from unrender.scene.nearby import Nearby

MOST = 16  # parts of a group; only a whole scene may have more
NEIGHBOURS = 48  # outline points around each point that are looked at
SOFT = 0.15  # gaps, in units of the size, that are as good as none
ALONE = 3.0  # how much the last group, all axioms, stands out
THING = 3  # shapes that touch, to be one thing by themselves
TOUCHING = 3.0  # how much such a thing stands out
JOINED = 2.5  # and how much less what joins several of them does
MOST_FREE = 200  # shapes: in more, contact says little
MOVED = 0.5  # px per frame: what is slower stands still
GLIMPSE = "glimpse"


@dataclass(frozen=True)
class Group:
    """Observations that may be the parts of one object, and how much they stand out."""

    parts: tuple[Observation, ...]
    score: float

    @property
    def kinds(self) -> frozenset[str]:
        """The symbols in it."""
        return frozenset(part.symbol for part in self.parts)

    @property
    def depths(self) -> frozenset[int]:
        """The depths of its leaves, by which it is known again when the same scene is looked at anew."""
        return frozenset(leaf.depth or 0 for part in self.parts for leaf in part.primitives)

    @property
    def counts(self) -> Counter[str]:
        """How many there are of each symbol."""
        return Counter(part.symbol for part in self.parts)


def groups(axioms: Sequence[Observation]) -> list[Group]:
    """All groups of the axioms of a scene, those that stand out most first."""
    things = _in_contact(axioms)
    found = [_apart_from(group, things) for group in _by_nearness(axioms)]
    found += [*_incomplete(axioms), *(Group(tuple(own), TOUCHING) for own in things if len(own) <= MOST)]
    unique: dict[frozenset[int], Group] = {}
    for group in sorted(found, key=lambda own: -own.score):
        unique.setdefault(frozenset(id(part) for part in group.parts), group)
    return list(unique.values())


def _in_contact(axioms: Sequence[Observation]) -> list[list[Observation]]:
    """Primitives, three or more, that touch or lie in one another."""
    free = [axiom for axiom in axioms if not axiom.parts]
    if len(free) > MOST_FREE:
        return []
    found: list[list[Observation]] = []
    for node in free:
        same = [own for own in found if any(touch(node, other) for other in own)]
        found = [own for own in found if not any(own is other for other in same)]
        found.append([*(other for own in same for other in own), node])
    return [own for own in found if len(own) >= THING]


def _apart_from(group: Group, things: Sequence[Sequence[Observation]]) -> Group:
    """The same group, worth less by every further thing that it joins to a first."""
    own = {id(part) for part in group.parts}
    joined = sum(any(id(part) in own for part in thing) for thing in things)
    return replace(group, score=group.score - JOINED * max(joined - 1, 0))


def _incomplete(axioms: Sequence[Observation]) -> Iterable[Group]:
    """A whole that misses parts, its other parts, and what may be the missing ones."""
    for axiom in axioms:
        if not axiom.hidden:
            continue
        reach = 0.75 * math.hypot(*axiom.size)
        free = [other for other in axioms if other is not axiom]
        taken: list[Observation] = []
        for lost in axiom.hidden:
            near = [
                other
                for other in free
                if other.symbol == lost.symbol and math.dist(other.position, lost.position) < reach
            ]
            if near:
                best = min(near, key=lambda other: math.dist(other.position, lost.position))
                free = [other for other in free if other is not best]
                taken.append(best)
        if taken and len(taken) == len(axiom.hidden):
            yield Group((*axiom.parts, *taken), 2 * ALONE + axiom.p)


def _by_nearness(axioms: Sequence[Observation]) -> Iterable[Group]:
    """Every set that single linkage makes of the axioms."""
    if len(axioms) < 2:
        return
    members = {i: [i] for i in range(len(axioms))}
    inner = dict.fromkeys(members, 0.0)
    owner = list(range(len(axioms)))
    for gap, i, j in _links(axioms):
        a, b = owner[i], owner[j]
        for old in (a, b):
            if 2 <= len(members[old]) <= MOST:
                yield _group([axioms[k] for k in members[old]], inner[old], gap)
        members[a] += members.pop(b)
        inner[a] = max(inner[a], inner.pop(b), gap)
        for k in members[a]:
            owner[k] = a
    for own, together in members.items():
        yield _group([axioms[k] for k in together], inner[own], None)


def _group(parts: list[Observation], inner: float, outer: float | None) -> Group:
    """A group whose widest gap is `inner`, and to which the next one is `outer` away."""
    lasting = ALONE if outer is None else math.log((outer + SOFT) / (inner + SOFT))
    primitive = [not part.parts for part in parts]
    score = min(lasting, ALONE) - inner
    if all(primitive):
        score += 1.0  # what has no name yet comes before what has
    elif any(primitive):
        score -= 1.0
    return Group(tuple(parts), score)


def _links(axioms: Sequence[Observation]) -> list[tuple[float, int, int]]:
    """The gaps that hold all axioms together, (gap, i, j) in units of their sizes, the narrowest first."""
    outlines = [_outline(axiom) for axiom in axioms]
    points = np.concatenate(outlines)
    owner = np.repeat(np.arange(len(axioms)), [len(own) for own in outlines])
    count = min(NEIGHBOURS, len(points))
    distance, index = Nearby(points).nearest(points, count)
    rows, columns = np.repeat(owner, count), owner[index].ravel()
    sizes = np.array([math.sqrt(axiom.size[0] * axiom.size[1]) for axiom in axioms])
    places = np.array([axiom.position for axiom in axioms])
    gaps = _apart(places) - (sizes[:, None] + sizes) / 2  # of those that are no neighbours
    np.minimum.at(gaps, (rows, columns), distance.ravel())
    gaps = gaps.clip(0.0) / np.sqrt(sizes[:, None] * sizes)
    return sorted(_spanning_tree(_with_motion(axioms, np.minimum(gaps, gaps.T))))


def _spanning_tree(gaps: Floats) -> Iterable[tuple[float, int, int]]:
    """The links (gap, i, j), i < j, of the minimum spanning tree of symmetric gaps (N, N), by Prim."""
    gap, end = gaps[0].copy(), np.zeros(len(gaps), np.int64)  # to the nearest that is joined, and which it is
    gap[0] = np.inf
    for _ in range(len(gaps) - 1):
        new = int(gap.argmin())
        old = int(end[new])
        yield float(gap[new]), min(old, new), max(old, new)
        end[gaps[new] < gap] = new
        gap = np.where(np.isinf(gap), np.inf, np.minimum(gap, gaps[new]))
        gap[new] = np.inf


def _apart(points: Floats) -> Floats:
    """Distances (N, N) between points (N, 2)."""
    apart: Floats = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    return apart


def _with_motion(axioms: Sequence[Observation], gaps: Floats) -> Floats:
    """The gaps (N, N), wider between what moves apart and narrower between what moves as one."""
    known = np.array([axiom.velocity is not None for axiom in axioms])
    if known.sum() < 2:
        return gaps
    velocity = np.array([axiom.velocity or (0.0, 0.0) for axiom in axioms])
    apart, both = _apart(velocity), known[:, None] & known
    together = both & (apart <= MOVED) & (np.hypot(*velocity.T) > MOVED)
    return np.where(both & (apart > MOVED), gaps + apart / MOVED, np.where(together, gaps / 2, gaps))


def _outline(node: Observation) -> Floats:
    """Points (N, 2) along the boxes around the primitives of a node."""
    steps = np.linspace(0.0, 1.0, 4, endpoint=False)[:, None]
    sides = []
    for leaf in node.primitives:
        box = corners(leaf)
        if leaf.symbol == "circle":
            angle = np.linspace(0.0, 2 * np.pi, 16, endpoint=False)[:, None]
            across, along = (box[1] - box[0]) / 2, (box[3] - box[0]) / 2
            sides.append(np.asarray(leaf.position) + np.cos(angle) * across + np.sin(angle) * along)
        else:
            sides += [
                start + steps * (stop - start) for start, stop in zip(box, np.roll(box, -1, 0), strict=True)
            ]
    return np.concatenate(sides)


def glimpse(group: Group, number: int, turnings: Mapping[str, Symmetry]) -> Route | None:
    """A group as a route without a name, to recognise it by when it comes again.

    turnings: which turns leave each symbol as it is, as `Network.turnings` says.
    """
    symbols = tuple(part.symbol for part in group.parts)
    if len(symbols) > MOST or any(symbol not in turnings for symbol in symbols):
        return None
    names = tuple({name: None for part in group.parts for name in part.attributes})
    own = tuple(turning_of(part, turnings) for part in group.parts)
    return Route(GLIMPSE, number, symbols, names, own, (Entry(group.parts, whole(GLIMPSE, group.parts)),))


def repeated(group: Group, glimpses: Iterable[Route], network: Network) -> bool:
    """Whether a group is arranged like one that was glimpsed before."""
    alike = [route for route in glimpses if Counter(route.parts) == group.counts]
    if not alike:
        return False
    lone = Network({**network.capsules, GLIMPSE: SemanticCapsule(GLIMPSE, tuple(alike))})
    found = lone.activate(list(group.parts), (1 << 30, 1 << 30))
    return any(own.symbol == GLIMPSE and len(own.parts) == len(group.parts) for own in found)

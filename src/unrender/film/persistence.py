"""A whole whose parts are all still there is still that whole, though some of them have turned away so far
that the picture alone would not tell."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from scipy.optimize import linear_sum_assignment

from unrender.capsules.network import Network, in_order
from unrender.capsules.poses import pose_of
from unrender.capsules.route import Route
from unrender.film.articulation import bent_wholes
from unrender.film.retelling import retell, told_as
from unrender.film.verbs.body import Skeleton
from unrender.scene import Observation, Scene

SIDES = 0.15  # log of a side by which a part that has moved may differ from what was expected
REACH = 1.4  # of its longer side: how far from its place a part may be that has turned about its end
FAR = 10.0  # what is further cannot be


def reassembled(scenes: Sequence[Scene], network: Network) -> None:
    """Give wholes the parts that have moved away from where they were expected; and put wholes together in
    the frames behind and before those in which they were seen, as long as all their parts are followed."""
    if not network.capsules:
        return
    for scene in scenes:
        for whole in [node for node in scene.axioms if node.hidden and node.symbol in network.capsules]:
            _complete(scene, whole, network.route_of(whole))
        if bent_wholes(scene, network):
            _settle(scene)
    for order in (scenes, scenes[::-1]):
        for before, scene in pairwise(order):
            for whole in before.axioms:
                if whole.parts and not whole.hidden and whole.symbol in network.capsules:
                    _put_together(scene, whole, network.route_of(whole))
    _follow(scenes, network)


def _follow(scenes: Sequence[Scene], network: Network) -> None:
    """Number wholes that nobody has followed like those that have the same parts in other frames; and let all
    of one that was ever bent stand where its trunk says."""
    wholes = [node for scene in scenes for node in scene.axioms if node.parts]
    free = 1 + max((node.track or 0 for scene in scenes for node in scene.observations), default=0)
    owners: dict[int, Counter[int]] = {}  # of every part that was followed
    for whole in wholes:
        for part in whole.parts:
            if part.track is not None and whole.track is not None:
                owners.setdefault(part.track, Counter())[whole.track] += 1
    bent = set[int]()
    for whole in [own for own in wholes if own.track is None]:
        votes: Counter[int] = Counter()
        for part in whole.parts:
            votes.update(owners.get(-1 if part.track is None else part.track, {}))
        if votes:
            whole.track = votes.most_common(1)[0][0]
        else:
            whole.track, free = free, free + 1
            for part in whole.parts:
                if part.track is not None:
                    owners[part.track] = Counter({whole.track: 1})
        bent.add(whole.track)
    for whole in wholes:
        if whole.track in bent and whole.symbol in network.capsules and not whole.hidden:
            stand(whole, network.route_of(whole), whole.rotation)
    for scene in scenes:
        scene.take_as_seen()


def _complete(scene: Scene, whole: Observation, route: Route) -> None:
    """Take loose shapes for the parts that a whole lacks, if they are as large and near enough."""
    loose = [node for node in scene.axioms if not node.parts]
    if not loose:
        return
    cost = np.array([[_strange(own, node) for node in loose] for own in whole.hidden])
    found: dict[int, Observation] = {}
    for i, j in zip(*linear_sum_assignment(cost), strict=True):
        if cost[i, j] < FAR:
            _retell(loose[j], whole.hidden[i].symbol)
            found[id(whole.hidden[i])] = loose[j]
    if not found:
        return
    expected = in_order(route.decode(whole), [*whole.parts, *whole.hidden])
    parts = [found.get(id(part), part) for part in expected]
    still = [own for own in whole.hidden if id(own) not in found]
    _replace(scene, whole, [part for part in parts if all(part is not own for own in still)], still)


def _strange(expected: Observation, node: Observation) -> float:
    """How unlike a loose shape is to a part that was expected elsewhere; FAR if it cannot be that part."""
    told = told_as(node, expected.symbol)
    if told is None:
        return FAR
    sides = zip(sorted(told.size), sorted(expected.size), strict=True)
    grown = max(abs(math.log(max(a, 1e-6) / max(b, 1e-6))) for a, b in sides) / SIDES
    apart = math.dist(told.position, expected.position) / (REACH * max(expected.size))
    return grown + apart if max(grown, apart) < 1 else FAR


def _retell(node: Observation, symbol: str) -> None:
    """Tell a shape as another primitive that draws the same."""
    told = told_as(node, symbol)
    if told is not None:
        retell(node, told)


def _put_together(scene: Scene, whole: Observation, route: Route) -> None:
    """The same whole in the next frame, if its parts are there but nobody has put them together."""
    loose = {node.track: node for node in scene.axioms if node.track is not None}
    found = [loose[part.track] for part in whole.parts if part.track in loose]
    kinds = zip(found, whole.parts, strict=False)
    if len(found) < len(whole.parts) or any(told_as(node, part.symbol) is None for node, part in kinds):
        return
    for node, part in zip(found, whole.parts, strict=True):
        _retell(node, part.symbol)
    again = replace(whole, track=None, velocity=None, spin=None, rivals=[], scene=scene)
    scene.axioms = [*scene.axioms, again]
    _replace(scene, again, found, [], route, whole.rotation)


def _replace(
    scene: Scene,
    whole: Observation,
    parts: list[Observation],
    hidden: list[Observation],
    route: Route | None = None,
    turn: float = 0.0,
) -> None:
    """Give a whole other parts, which are then no axioms; a route tells anew where it stands."""
    whole.parts, whole.hidden = parts, hidden
    whole.p = float(np.mean([part.p for part in parts]))
    if route is not None:
        stand(whole, route, turn)
    scene.axioms = [node for node in scene.axioms if all(node is not part for part in parts)]
    _settle(scene)


def _settle(scene: Scene) -> None:
    """Back to front again, and nothing of it an edit."""
    scene.axioms.sort(key=lambda top: max((leaf.depth or 0 for leaf in top.primitives), default=0))
    scene.take_as_seen()


def stand(whole: Observation, route: Route, turn: float) -> None:
    """Position, size and rotation of a whole by those of its parts that keep their places; turn: about how
    far it is turned."""
    first = route.memory[0].whole
    body = Skeleton(route).frame([pose_of(part) for part in whole.parts], turn - first.rotation)
    x, y = body.forward(np.array([first.position]))[0]
    whole.position = (float(x), float(y))
    whole.size = (first.size[0] * body.scale, first.size[1] * body.scale)
    whole.rotation = math.remainder(first.rotation + body.rotation, 360.0)

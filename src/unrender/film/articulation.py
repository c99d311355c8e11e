"""Wholes whose limbs are bent: all parts are there, in their sizes, and most of the object keeps its places.

What parses a single picture expects every part in its place. In a film an object may be bent in all frames;
then its trunk says where it stands, and every limb may have turned about its end.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from unrender.capsules.network import Network
from unrender.capsules.poses import equal_sides, pose_of
from unrender.capsules.route import Route
from unrender.film.retelling import retell, told_as
from unrender.film.verbs.body import BodyFrame, Skeleton, through
from unrender.grammar.attribute import STYLE_NAMES
from unrender.scene import Observation, Scene

FEWEST = 3  # parts of what can be told by its trunk
TRUNK = 0.5  # of the object's area that must keep its place
AGREES = 0.5  # of a vote, from which on a part keeps its place
SIDES = 0.12  # log of a side by which a limb may differ from what was expected
REACH = 1.3  # of its longer side: how far from its place a limb may be that has turned about its end
FAR = 10.0  # what is further cannot be


def bent_wholes(scene: Scene, network: Network) -> list[Observation]:
    """Wholes among the loose shapes of a scene, which become their parts."""
    found = []
    for route in network.routes:
        if len(route.parts) >= FEWEST and not any(part in network.capsules for part in route.parts):
            while (whole := _found(scene, route)) is not None:
                found.append(whole)
                parts = {id(part) for part in whole.parts}
                scene.axioms = [node for node in scene.axioms if id(node) not in parts] + [whole]
    return found


def _found(scene: Scene, route: Route) -> Observation | None:
    """The clearest whole of a route among loose shapes; None if there is none."""
    loose = [node for node in scene.axioms if not node.parts and min(node.size) > 0]
    if len(loose) < len(route.parts):
        return None
    skeleton = Skeleton(route)
    rest = skeleton.rest
    told = {symbol: [told_as(node, symbol) for node in loose] for symbol in set(route.parts)}
    if any(sum(own is not None for own in told[name]) < route.parts.count(name) for name in told):
        return None
    areas = rest[:, 2] * rest[:, 3]
    trunk = int(areas.argmax())
    best: tuple[float, BodyFrame, list[Limb]] | None = None
    for own in told[route.parts[trunk]]:
        for body in () if own is None else _stands(skeleton, trunk, own):
            parts = _limbs(skeleton, body, loose, told)
            if parts is None:
                continue
            now = {j: pose_of(limb) for j, (_, limb) in enumerate(parts)}
            votes = skeleton.votes(now, body) / np.sqrt(areas)
            share = float(areas[votes > AGREES].sum() / areas.sum())
            if share >= TRUNK and (votes > AGREES).sum() >= 2 and (best is None or share > best[0]):
                best = share, body, parts
    if best is None:
        return None
    for node, limb in best[2]:
        retell(node, limb)
    return _whole(route, best[1], [node for node, _ in best[2]], scene)


def _stands(skeleton: Skeleton, trunk: int, told: Observation) -> Iterator[BodyFrame]:
    """Where the object may stand if a shape is its trunk."""
    rest = skeleton.rest[trunk]
    turning = skeleton.route.turnings[trunk]
    if not turning.shows(bool(equal_sides(rest))):
        return
    for wide, high, turn, period in turning.options(*told.size, told.rotation, bool(equal_sides(rest))):
        grown = [math.log(wide / rest[2]), math.log(high / rest[3])]
        if abs(grown[0] - grown[1]) < SIDES:
            for k in range(max(1, round(360 / period)) if period else 1):
                angle = turn + k * period - rest[4]
                yield through(math.exp(sum(grown) / 2), angle, rest[:2], np.array(told.position))


Limb = tuple[Observation, Observation]  # a shape, and what it is told as


def _limbs(
    skeleton: Skeleton,
    body: BodyFrame,
    loose: Sequence[Observation],
    told: Mapping[str, Sequence[Observation | None]],
) -> list[Limb] | None:
    """What every part is told as, each as large as it must be and as near as its end allows; None if one
    lacks."""
    rest = skeleton.rest
    places = body.forward(rest[:, :2])
    cost = np.full((len(rest), len(loose)), FAR)
    found: dict[tuple[int, int], Observation] = {}
    for j, symbol in enumerate(skeleton.route.parts):
        size = sorted(body.scale * rest[j, 2:4])
        for k, same in enumerate(told[symbol]):
            if same is None:
                continue
            sides = zip(sorted(same.size), size, strict=True)
            grown = max(abs(math.log(max(a, 1e-6) / max(b, 1e-6))) for a, b in sides) / SIDES
            apart = math.dist(same.position, places[j]) / (REACH * size[1])
            if max(grown, apart) < 1:
                cost[j, k], found[j, k] = grown + 3 * apart, same
    rows, columns = linear_sum_assignment(cost)
    if cost[rows, columns].max() >= FAR:
        return None
    return [(loose[k], found[j, k]) for j, k in zip(rows.tolist(), columns.tolist(), strict=True)]


def _whole(route: Route, body: BodyFrame, parts: list[Observation], scene: Scene) -> Observation:
    first = route.memory[0].whole
    x, y = body.forward(np.array([first.position]))[0]
    weights = [math.prod(part.size) for part in parts]
    looks = {
        name: float(np.average([part.attributes.get(name, 0.0) for part in parts], weights=weights))
        for name in STYLE_NAMES
        if name in first.attributes
    }
    return Observation(
        route.symbol,
        (float(x), float(y)),
        (first.size[0] * body.scale, first.size[1] * body.scale),
        math.remainder(first.rotation + body.rotation, 360.0),
        dict.fromkeys(first.attributes, 0.0) | looks,
        p=float(np.mean([part.p for part in parts])),
        route=route.name,
        parts=parts,
        scene=scene,
    )

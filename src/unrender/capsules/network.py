"""The capsule network: all semantic capsules, connected by the symbols that they share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unrender.capsules.pairs import Pairs, Pattern, build
from unrender.capsules.parse import parse
from unrender.capsules.poses import HEIGHT, POSE, WIDTH, Turning, X, Y
from unrender.capsules.route import Route
from unrender.capsules.routing import by_pairs, by_parts, wholes
from unrender.capsules.semantic import SemanticCapsule, agreement
from unrender.capsules.table import ObservationTable
from unrender.errors import UnrenderError, nearest
from unrender.graphics.registry import primitives
from unrender.scene import Observation, Scene


@dataclass(frozen=True)
class Network:
    """Everything that is known about wholes. It never changes: a lesson makes a new one."""

    capsules: Mapping[str, SemanticCapsule]

    @cached_property
    def turnings(self) -> dict[str, Turning]:
        """Which turns leave each symbol as it is."""
        known = {name: Turning(p.order, stretched=True) for name, p in primitives().items()}
        for symbol, capsule in self.capsules.items():
            known[symbol] = Turning(symmetry(capsule.routes[0]), stretched=False)
        return known

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        """All routes of all capsules."""
        return tuple(route for capsule in self.capsules.values() for route in capsule.routes)

    @cached_property
    def _patterns(self) -> list[Pattern]:
        return [pattern_of(route) for route in self.routes]

    @cached_property
    def _index(self) -> dict[tuple[str, str], Pairs]:
        rigid = [
            Pattern((), np.zeros((0, POSE))) if route.loose else pattern
            for route, pattern in zip(self.routes, self._patterns, strict=True)
        ]
        return build(rigid, self.turnings)

    @cached_property
    def _loose(self) -> list[int]:
        return [i for i, route in enumerate(self.routes) if route.loose or len(route.parts) == 1]

    def capsule(self, symbol: str) -> SemanticCapsule:
        """The capsule of a symbol, or an error with the nearest names."""
        if symbol not in self.capsules:
            known = [*self.capsules, *primitives()]
            raise UnrenderError(f"There is no symbol [{symbol}].{nearest(symbol, known)}")
        return self.capsules[symbol]

    def understand(self, scene: Scene) -> Scene:
        """The forward pass above the primitives: the observed parse-trees of a scene."""
        leaves = [replace(leaf, scene=None) for leaf in scene.primitives]
        chosen = parse(self.activate(leaves, (scene.width, scene.height)))
        parts = {id(part) for whole in chosen for part in whole.parts}
        tops = [node for node in [*leaves, *chosen] if id(node) not in parts]
        tops.sort(key=lambda top: max((leaf.depth or 0 for leaf in top.primitives), default=0))
        return Scene(scene.width, scene.height, tops, scene.background)

    def activate(self, leaves: list[Observation], frame: tuple[int, int]) -> list[Observation]:
        """Every whole that any route sees in these primitives, level by level."""
        table = ObservationTable(leaves)
        seen: dict[tuple[str, frozenset[int]], Observation] = {}
        fresh = table.symbols
        while fresh:
            found = self._level(table, fresh, frame, leaves)
            fresh = set()
            for whole in found:
                key = (whole.symbol, frozenset(id(part) for part in whole.parts))
                if key not in seen:
                    seen[key] = whole
                    table.add(whole)
                    fresh.add(whole.symbol)
        return list(seen.values())

    def _level(
        self, table: ObservationTable, fresh: set[str], frame: tuple[int, int], leaves: list[Observation]
    ) -> list[Observation]:
        """What the routes that have a freshly observed part see now; of each set of parts the likeliest."""
        guesses = by_pairs(table, self._index, self._patterns, self.turnings, fresh)
        for r in self._loose:
            if fresh & set(self.routes[r].parts):
                guesses[r] = by_parts(table, self._patterns[r], self.turnings)
        best: dict[tuple[str, frozenset[int]], Observation] = {}
        for r, guess in guesses.items():
            if not len(guess.x):
                continue
            for whole in wholes(table, self.routes[r], self._patterns[r], guess, frame, leaves):
                key = (whole.symbol, frozenset(id(part) for part in whole.parts))
                rivals = [whole, *([best[key]] if key in best else [])]
                best[key] = SemanticCapsule.final(rivals)
        kept = _without_pieces(list(best.values()))
        return [self._upright(whole) for whole in kept]

    def _upright(self, whole: Observation) -> Observation:
        """In the equivalent pose that is turned the least."""
        order = self.turnings[whole.symbol].order
        period = 360.0 / order if order else 0.0
        rotation = math.remainder(whole.rotation, period) if period else 0.0
        turned = replace(whole, rotation=rotation)
        if abs(math.remainder(rotation - whole.rotation, 360.0)) < 1e-6:
            return turned
        return replace(turned, parts=in_order(self.produce(turned), whole.parts))

    def produce(self, node: Observation) -> list[Observation]:
        """Feed-backward, one level: the parts of an observation; none of a primitive."""
        if node.symbol not in self.capsules:
            return []
        capsule = self.capsules[node.symbol]
        route = next((r for r in capsule.routes if r.name == node.route), capsule.routes[0])
        return route.decode(node)


def _without_pieces(found: list[Observation]) -> list[Observation]:
    """Without wholes whose parts are all parts of a fuller one of the same symbol."""
    sets = [{id(part) for part in whole.parts} for whole in found]
    return [
        whole
        for i, whole in enumerate(found)
        if not any(whole.symbol == found[j].symbol and sets[i] < sets[j] for j in range(len(found)))
    ]


def in_order(expected: list[Observation], parts: list[Observation]) -> list[Observation]:
    """The parts in the order in which they are expected, each the one that lies nearest."""
    left, ordered = list(parts), []
    for wanted in expected:
        near = [part for part in left if part.symbol == wanted.symbol]
        if near:
            best = min(near, key=lambda part: math.dist(part.position, wanted.position))
            left = [part for part in left if part is not best]
            ordered.append(best)
    return [*ordered, *left]


def pattern_of(route: Route) -> Pattern:
    """The parts of a route at unit scale, as memory expects them."""
    poses = route.rest[:, :POSE].copy()
    sides = np.exp(route.aspect / 2 * np.array([-1.0, 1.0]))
    poses[:, [X, Y]] *= sides
    poses[:, [WIDTH, HEIGHT]] = np.exp(poses[:, [WIDTH, HEIGHT]])
    return Pattern(route.parts, poses)


def symmetry(route: Route) -> int:
    """How often the whole repeats in a full turn: found from what its own g draws (decision 3)."""
    whole = route.memory[0].whole
    upright = replace(whole, rotation=0.0)
    parts = route.decode(upright)
    if all(t.order == 0 for t in route.turnings) and all(
        math.dist(part.position, whole.position) < 0.01 * math.hypot(*whole.size)
        and abs(math.log(part.size[0] / part.size[1])) < 0.02
        for part in parts
    ):
        return 0
    for order in range(6, 1, -1):
        turned = route.decode(replace(whole, rotation=360.0 / order))
        if all(any(_same(route, j, a, parts[j]) for j in range(len(parts))) for a in turned):
            return order
    return 1


def _same(route: Route, j: int, one: Observation, other: Observation) -> bool:
    """Whether two parts would be drawn alike."""
    if one.symbol != other.symbol:
        return False
    z = agreement(route, j, one, other, route.memory[0].whole)
    return bool(z.min() > 0.8)

"""The capsule network: all semantic capsules, connected by the symbols that they share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.agreement import agreement
from unrender.capsules.equivalents import key
from unrender.capsules.gamma import rotation_matrix
from unrender.capsules.grammar_decoder import GivenRule
from unrender.capsules.outlines import outlines
from unrender.capsules.poses import POSE, pose_of
from unrender.capsules.repetition.unrolling import unrolled
from unrender.capsules.route import Route
from unrender.capsules.routing.assignment import Candidate, Sight, all_wholes
from unrender.capsules.routing.hypotheses import by_pairs, by_parts, promising
from unrender.capsules.routing.index import Pairs, Pattern, build
from unrender.capsules.routing.occlusion import Occlusion
from unrender.capsules.routing.parse import parse
from unrender.capsules.routing.patches import Patches
from unrender.capsules.routing.table import ObservationTable
from unrender.capsules.routing.verification import Verifier
from unrender.capsules.semantic import SemanticCapsule
from unrender.capsules.silhouette import silhouettes
from unrender.capsules.variants.variants import variants
from unrender.errors import UnrenderError, nearest
from unrender.grammar.attribute import COLOUR_NAMES
from unrender.perception.proposals.one_colour_objects import KnownOutline
from unrender.perception.proposals.placements import KnownShape
from unrender.primitives.registry import primitives
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation, Scene

VALUES = (0.0, 0.5, 1.0)  # of a whole's own attributes, at which it is looked for
MOST_FORMS = 27
ASPECTS = np.linspace(-1.0, 1.0, 9).tolist()  # log of height / width at which a given g is looked for
MOST_TURNS = 12  # the highest order of symmetry that is looked for


@dataclass(frozen=True)
class Network:
    """Everything that is known about wholes. It never changes: a lesson makes a new one."""

    capsules: Mapping[str, SemanticCapsule]

    @cached_property
    def turnings(self) -> dict[str, Symmetry]:
        """Which turns leave each symbol as it is."""
        known = {name: p.symmetry for name, p in primitives().items()}
        for symbol, capsule in self.capsules.items():
            if symbol in known:  # a primitive that is refined by a rule
                continue
            orders = [symmetry(route) for route in capsule.routes]  # what all of its routes have in common
            known[symbol] = Symmetry.of_order(math.gcd(*orders), stretched=False)
        for route in self.all_routes:
            known |= form_turnings(route)
        return known

    @cached_property
    def _forms(self) -> dict[str, Observation]:
        return {own: part for route in self.all_routes for own, part in forms(route).items()}

    @cached_property
    def routes(self) -> tuple[Route, ...]:
        """All routes of all capsules, in the order of their names."""
        return tuple(route for symbol in sorted(self.capsules) for route in self.capsules[symbol].routes)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many copies each route of what repeats a part has, by its name."""
        known = (unrolled(capsule).counts for capsule in self.capsules.values())
        return {name: count for own in known for name, count in own.items()}

    @cached_property
    def _untaught(self) -> dict[str, Route]:
        """The routes that nobody has taught but that follow from what was, by their names."""
        counts = {r.name: r for capsule in self.capsules.values() for r in unrolled(capsule).routes}
        kin = (variants(capsule).routes for capsule in self.capsules.values())
        return counts | {name: route for own in kin for name, route in own.items()}

    @property
    def all_routes(self) -> tuple[Route, ...]:
        """The routes that were taught, and those that follow from them."""
        return (*self.routes, *self._untaught.values())

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The attributes that a grammar declared as verbs."""
        given = [route.given for route in self.routes if isinstance(route.given, GivenRule)]
        return frozenset().union(*(own.verbs for own in given))

    @property
    def next_learned(self) -> int:
        """The rank of the next route that is learned."""
        return 1 + max((route.learned for route in self.routes), default=0)

    @cached_property
    def known_shapes(self) -> tuple[KnownShape, ...]:
        """The objects of one colour as rigid shapes, those that were learned last first."""
        shapes = (KnownShape(own, own.taught, own.shapes) for own in silhouettes(self))
        return tuple(shape for shape in shapes if shape.solid)

    @cached_property
    def known_outlines(self) -> tuple[KnownOutline, ...]:
        """What parts of objects that touch would show if they had one colour."""
        return outlines(self)

    @cached_property
    def _views(self) -> list[tuple[Route, Pattern]]:
        """Every route with each of its patterns."""
        return [(route, pattern) for route in self.all_routes for pattern in patterns_of(route)]

    @cached_property
    def _patterns(self) -> list[Pattern]:
        return [pattern for _, pattern in self._views]

    @cached_property
    def _index(self) -> dict[tuple[str, str], Pairs]:
        nothing = Pattern((), np.zeros((0, POSE)))
        rigid = [nothing if route.loose else pattern for route, pattern in self._views]
        return build(rigid, self.turnings)

    @cached_property
    def _loose(self) -> list[int]:
        return [i for i, (route, _) in enumerate(self._views) if route.loose or len(route.parts) == 1]

    def capsule(self, symbol: str) -> SemanticCapsule:
        """The capsule of a symbol, or an error with the nearest names."""
        if symbol not in self.capsules:
            known = [*self.capsules, *primitives()]
            raise UnrenderError(f"There is no symbol [{symbol}].{nearest(symbol, known)}")
        return self.capsules[symbol]

    def understand(self, scene: Scene) -> Scene:
        """The forward pass above the primitives: the observed parse-trees of a scene."""
        leaves = [replace(leaf, scene=None, depth=i) for i, leaf in enumerate(scene.primitives)]
        tops = self.tops(leaves, (scene.width, scene.height), scene.picture, scene.background)
        return Scene(scene.width, scene.height, tops, scene.background)

    def tops(
        self,
        leaves: list[Observation],
        frame: tuple[int, int],
        picture: NDArray[np.uint8] | None = None,
        background: NDArray[np.uint8] | None = None,
    ) -> list[Observation]:
        """The observed axioms over these primitives, back to front.

        picture and background: uint8 HxWx3, where they are known.
        """
        verifier = None
        if picture is not None and background is not None and picture.shape == background.shape:
            verifier = Verifier(picture / 255.0, background / 255.0, leaves)
        otherwise: list[tuple[Observation, tuple[Observation, ...]]] = []
        if verifier is not None and self.capsules:
            otherwise = list(Patches(verifier.image, verifier.background).told_otherwise(leaves))
        found = self.candidates(leaves, frame, verifier, otherwise)
        bits = {id(own.whole): own.bits for own in found}
        instead = {id(own.whole): own.instead for own in found}
        chosen = parse([own.whole for own in found], bits, instead)
        parts = {id(part) for whole in chosen for part in (*whole.parts, *instead[id(whole)])}
        tops = [node for node in [*leaves, *chosen] if id(node) not in parts]
        return sorted(tops, key=lambda top: max((leaf.depth or 0 for leaf in top.primitives), default=0))

    def activate(self, leaves: list[Observation], frame: tuple[int, int]) -> list[Observation]:
        """Every whole that any route sees in these primitives, level by level."""
        return [own.whole for own in self.candidates(leaves, frame)]

    def candidates(
        self,
        leaves: list[Observation],
        frame: tuple[int, int],
        verifier: Verifier | None = None,
        otherwise: Iterable[tuple[Observation, tuple[Observation, ...]]] = (),
    ) -> list[Candidate]:
        """The same, with the bits that each saves. otherwise: what some of them may be told as instead."""
        table = ObservationTable(leaves, self._forms)
        for node, originals in otherwise:
            table.add_instead(node, originals)
        sight = Sight(Occlusion(leaves, frame), verifier, len(self.routes))
        seen: dict[tuple[str, frozenset[int]], Candidate] = {}
        fresh = table.symbols
        while fresh:
            found = self._level(table, fresh, sight)
            fresh = set()
            for own in found:
                key = (own.whole.symbol, frozenset(id(part) for part in own.whole.parts))
                if key not in seen:
                    seen[key] = own
                    table.add(own.whole)
                    fresh.add(own.whole.symbol)
        return list(seen.values())

    def _level(self, table: ObservationTable, fresh: set[str], sight: Sight) -> list[Candidate]:
        """What the routes that have a freshly observed part see now; of each set of parts the likeliest."""
        guesses = by_pairs(table, self._index, self._patterns, self.turnings, fresh)
        for r in self._loose:
            if fresh & set(self._patterns[r].symbols):
                guesses[r] = by_parts(table, self._patterns[r], self.turnings)
        best: dict[tuple[str, frozenset[int]], Candidate] = {}
        hopeful = promising(table, self._views, guesses, sight.screen, sight.verifier)
        for own in all_wholes(table, [(*self._views[r], guess) for r, guess in hopeful.items()], sight):
            key = (own.whole.symbol, frozenset(id(part) for part in own.whole.parts))
            rival = best.get(key, own)
            best[key] = own if SemanticCapsule.final([own.whole, rival.whole]) is own.whole else rival
        kept = _without_pieces([own.whole for own in best.values()])
        return [
            replace(own, whole=self._upright(own.whole))
            for own in best.values()
            if any(own.whole is w for w in kept)
        ]

    def _upright(self, whole: Observation) -> Observation:
        """In the equivalent pose that is turned the least, and with its count."""
        route = self.route_of(whole)
        kin = variants(self.capsules[whole.symbol]).told(whole)
        whole = replace(
            whole, count=self.counts.get(route.name), attributes=whole.attributes | kin, route=route.name
        )
        order = symmetry(route)
        rotation = math.remainder(whole.rotation, 360.0 / order) if order else 0.0
        if abs(math.remainder(rotation - whole.rotation, 360.0)) < 1e-6:
            return replace(whole, rotation=rotation)
        expected = route.decode(replace(whole, rotation=rotation))
        parts = in_order(expected, [*whole.parts, *whole.hidden])
        turned = route.encode(parts, rotation)
        seen = [part for part in parts if any(part is own for own in whole.parts)]
        return replace(
            turned,
            p=whole.p,
            parts=seen,
            hidden=whole.hidden,
            count=whole.count,
            attributes=turned.attributes | kin,
        )

    def route_of(self, node: Observation) -> Route:
        """The route by which a node was seen, or the first of its symbol."""
        if node.route in self._untaught:
            return self._untaught[node.route]
        if node.route is not None and "~" in node.route:
            return variants(self.capsule(node.symbol)).route(node.attributes)
        if node.route is None and node.count is not None:  # a part of a whole, told by its count
            counts = unrolled(self.capsule(node.symbol))
            if node.count in counts.counts.values():
                return counts.route(node.count)
        routes = self.capsule(node.symbol).routes
        return next((route for route in routes if route.name == node.route), routes[0])

    def produce(self, node: Observation) -> list[Observation]:
        """Feed-backward, one level: the parts of an observation; none of a primitive."""
        if node.symbol not in self.capsules:
            return []
        return self.route_of(node).decode(node)


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


_PATTERNS: WeakKeyDictionary[Route, list[Pattern]] = WeakKeyDictionary()


def patterns_of(route: Route) -> list[Pattern]:
    """The parts of a route at unit scale, as its g expects them: a given g at several aspects, one with
    attributes of its own at several values of each."""
    if route not in _PATTERNS:
        _PATTERNS[route] = list(_patterns(route))
    return _PATTERNS[route]


def forms(route: Route) -> dict[str, Observation]:
    """The parts of a route that have a form, by the keys that its patterns give them."""
    return {key(part): part for part in route.memory[0].parts if part.form is not None}


def form_turnings(route: Route) -> dict[str, Symmetry]:
    """Their symmetries, by these keys."""
    parts = zip(route.memory[0].parts, route.turnings, strict=True)
    return {key(part): turning for part, turning in parts if part.form is not None}


def _patterns(route: Route) -> Iterator[Pattern]:
    top = replace(route.memory[0].whole, position=(0.0, 0.0), rotation=0.0)
    keys = tuple(key(part) for part in route.memory[0].parts)
    written = isinstance(route.given, GivenRule)
    if written:
        views = [(aspect, dict(top.attributes)) for aspect in ASPECTS]
    else:
        views = []
        for values in islice(product(VALUES, repeat=len(route.own)), MOST_FORMS):
            own = np.array(values)
            looks = top.attributes | dict(zip(route.own, values, strict=True))
            views.append((float(route.varied(own)[0][0]), looks))
    for aspect, looks in views:
        sides = (math.exp(-aspect / 2), math.exp(aspect / 2))
        whole = replace(top, size=sides, attributes=looks)
        parts = route.decode(whole) if written else route.typical(whole)
        shades = np.array([[part.attributes.get(n, np.nan) for n in COLOUR_NAMES] for part in parts])
        yield Pattern(keys, np.stack([pose_of(part) for part in parts]), aspect, looks, shades)


_ORDERS: WeakKeyDictionary[Route, int] = WeakKeyDictionary()


def symmetry(route: Route) -> int:
    """How often the whole repeats in a full turn: found from what its own g draws (decision 3)."""
    if route not in _ORDERS:
        _ORDERS[route] = _symmetry(route)
    return _ORDERS[route]


def _symmetry(route: Route) -> int:
    whole = replace(route.memory[0].whole, rotation=0.0)
    parts = route.decode(whole)
    weights = [math.hypot(*part.size) for part in parts]
    places = np.array([part.position for part in parts])
    centre = np.average(places, axis=0, weights=weights)
    round_ = all(
        t.even == 0 and abs(math.log(p.size[0] / p.size[1])) < 0.02
        for t, p in zip(route.turnings, parts, strict=True)
    )
    if round_ and np.abs(places - centre).max() < 0.01 * math.hypot(*whole.size):
        return 0
    for order in range(MOST_TURNS, 1, -1):
        turn = rotation_matrix(360.0 / order)
        turned = [
            replace(
                part, position=tuple(turn @ (place - centre) + centre), rotation=part.rotation + 360.0 / order
            )
            for part, place in zip(parts, places, strict=True)
        ]
        if all(any(_same(route, j, a, parts[j], whole) for j in range(len(parts))) for a in turned):
            return order
    return 1


def _same(route: Route, j: int, one: Observation, other: Observation, whole: Observation) -> bool:
    """Whether two parts would be drawn alike."""
    return one.symbol == other.symbol and bool(agreement(route, j, one, other, whole).min() > 0.8)

"""Which known object a picture shows: its lines against the drawing of every one, bent as people would."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unrender.capsules.backward import FILL, expand
from unrender.capsules.gamma import rotation_matrix
from unrender.capsules.network import Network
from unrender.capsules.route import Route
from unrender.errors import UnrenderError
from unrender.matching.drawing import Drawing
from unrender.matching.judge import Judge, learned_judge
from unrender.matching.lines import lines_of
from unrender.matching.match import Match
from unrender.matching.people import People, learned
from unrender.primitives.protocol import Doubles
from unrender.render.coverage import Floats
from unrender.render.paint import paint
from unrender.scene import Observation
from unrender.scene.line import Line
from unrender.scene.pixels import layer

LARGEST = 512  # px of the longer side of a known object that is drawn to be compared
MARGIN = 8  # px around it, for the width of its strokes
CORNERS = np.stack(np.meshgrid(*3 * [[0.0, 1.0]], indexing="ij"), -1).reshape(-1, 3)  # colours of a ground


@dataclass(frozen=True)
class Classified:
    """A known object, and how well a picture agrees with it."""

    symbol: str
    agreement: float  # in [0, 1]: the probability that both are drawings of one thing, as people make them
    route: str  # by which it agrees best


@dataclass(frozen=True, eq=False)
class KnownDrawings:
    """All that a network knows, as drawings; a lesson makes a new one."""

    network: Network
    people: People
    judge: Judge

    @classmethod
    def of(cls, network: Network) -> KnownDrawings:
        return cls(network, learned(), learned_judge())

    @cached_property
    def drawings(self) -> Mapping[str, list[tuple[Route, Drawing]]]:
        """Of every symbol the drawings of its examples; none where nothing would be visible."""
        found: dict[str, list[tuple[Route, Drawing]]] = {}
        for symbol, capsule in self.network.capsules.items():
            lines = [(route, own) for route in capsule.routes for own in lines_known(self.network, route)]
            found[symbol] = [(route, Drawing.of(own, self.people)) for route, own in lines if own]
        return found

    def classify(self, image: Floats) -> list[Classified]:
        """All known objects, best first, for what a picture (H, W, 3) in 0..1 shows as a whole."""
        lines = lines_of(image)
        if not lines:
            raise UnrenderError("Nothing is drawn in this picture, so it shows no object.")
        seen = Drawing.of(lines, self.people)
        flat = [(symbol, route.name, own) for symbol, known in self.drawings.items() for route, own in known]
        odds = self.judge.log_odds([Match.of(own, seen, self.people.linear) for *_, own in flat]).tolist()
        found = []
        for symbol in self.drawings:
            own = [(odd, route) for odd, (name, route, _) in zip(odds, flat, strict=True) if name == symbol]
            best, route = max(own, default=(-math.inf, ""))
            found.append(Classified(symbol, _probability(best), route))
        return sorted(found, key=lambda one: (-one.agreement, one.symbol))


def lines_known(network: Network, route: Route) -> Iterator[Sequence[Line]]:
    """The lines of every example of a route that were kept; if none were, of the object as it is expected."""
    kept = [entry.lines for entry in route.memory if entry.lines]
    yield from kept
    if not kept:
        yield lines_of(drawn(network, route))


def drawn(network: Network, route: Route) -> Floats:
    """float32 (side, side, 3): the object as a route expects it, on a ground that differs from all of its
    colours; as large as it was taught, so that its strokes are as wide as they were, unless it is huge."""
    leaves = expand(network, replace(route.memory[0].whole, route=route.name)).primitives
    # by what is painted: the box of an arc is that of its whole ellipse
    points = np.concatenate([outline(leaf) for leaf in leaves])
    low, high = points.min(0), points.max(0)
    longest = max(float((high - low).max()), 1.0)
    scale = min(1.0, LARGEST / longest)
    side = round(scale * longest / FILL) + 2 * MARGIN
    middle = (low + high) / 2
    placed = [
        replace(
            leaf,
            position=(
                float(scale * (leaf.position[0] - middle[0]) + side / 2),
                float(scale * (leaf.position[1] - middle[1]) + side / 2),
            ),
            size=(scale * leaf.size[0], scale * leaf.size[1]),
        )
        for leaf in leaves
    ]
    ground = np.tile(ground_for(leaves), (side, side, 1))
    image = paint([layer(leaf) for leaf in placed], ground).image
    return image.astype(np.float32) / np.float32(255)


def outline(leaf: Observation) -> Doubles:
    """(N, 2) px: points along the outline of a primitive, or along the centre line of an open one."""
    own = np.concatenate(layer(leaf).rings())
    points: Doubles = own @ rotation_matrix(leaf.rotation).T + leaf.position
    return points


def ground_for(leaves: list[Observation]) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """uint8 (3,): the corner of the colour cube that is furthest from the nearest colour of these shapes."""
    names = ("red", "green", "blue"), ("stroke_red", "stroke_green", "stroke_blue")
    colours = [[leaf.attributes.get(name, 0.0) for name in own] for leaf in leaves for own in names]
    far = ((CORNERS[:, None] - np.array(colours)) ** 2).sum(2).min(1)
    chosen: np.ndarray[tuple[int], np.dtype[np.uint8]] = (255 * CORNERS[int(far.argmax())]).astype(np.uint8)
    return chosen


def _probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-min(max(log_odds, -700.0), 700.0)))

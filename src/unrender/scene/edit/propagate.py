"""Editing a scene by hand: a change at the top of a tree shows in everything below it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from numbers import Real

from unrender.errors import UnrenderError
from unrender.grammar.attribute import COLOUR_NAMES, STROKE_NAMES, one_colour
from unrender.scene.observation import Observation

Produce = Callable[[Observation], list[Observation]]
FAR = 1e6  # px: no position or side reaches further, as in a grammar
TINY = 1e-9  # px
Values = tuple[tuple[float, float], tuple[float, float], float, dict[str, float]]


def values_of(node: Observation) -> Values:
    """All that can be edited of one node."""
    return node.position, node.size, node.rotation, dict(node.attributes)


@dataclass(frozen=True)
class Moment:
    """A scene graph as it was: the values and the parts of every node, and the tops."""

    axioms: tuple[Observation, ...]
    nodes: tuple[tuple[Observation, Values, tuple[Observation, ...]], ...]

    @classmethod
    def of(cls, axioms: Sequence[Observation]) -> Moment:
        """That of the present."""
        nodes = (node for axiom in axioms for node in axiom.walk())
        return cls(tuple(axioms), tuple((node, values_of(node), tuple(node.parts)) for node in nodes))

    def restore(self, axioms: list[Observation]) -> None:
        """Put everything back, in the same nodes."""
        axioms[:] = self.axioms
        for node, (position, size, rotation, attributes), parts in self.nodes:
            node.position, node.size, node.rotation = position, size, rotation
            node.attributes, node.parts[:] = dict(attributes), parts


def bounded(value: float) -> float:
    """A coordinate or side in px, no further than anything may be."""
    return min(FAR, max(-FAR, value))


def check_values(node: Observation) -> None:
    """Refuse values, set by hand, with which a node could not be drawn."""
    numbers = [*node.position, *node.size, node.rotation, *node.attributes.values()]
    if not all(isinstance(own, Real) and abs(own) <= FAR for own in numbers):  # nor is NaN
        raise UnrenderError(
            f"A {node.symbol} was given a value that is not a number between {-FAR:.0f} and {FAR:.0f}; "
            "choose another one."
        )


def keep_one_colour(node: Observation, before: Values) -> None:
    """Give a stroke that had the colour of the inside its new one, where only that was changed."""
    was, now = before[3], node.attributes
    if one_colour(was):
        for name, own in zip(COLOUR_NAMES, STROKE_NAMES, strict=True):
            known = name in was and own in was and name in now
            if known and now.get(own) == was[own] and now[name] != was[name]:
                now[own] = now[name]


def carry_down(nodes: Iterable[Observation], before: dict[int, Values], produce: Produce | None) -> None:
    """Bring the parts of every node that was changed to where its g now puts them.

    before: the values at the last time, by id(node). What was seen beyond g's expectation stays: each part
    changes by as much as the expectation of it does. Without a g the parts follow as one piece.
    """
    for node in nodes:
        old = before.get(id(node))
        if node.parts and old is not None and old != values_of(node):
            position, size, rotation, attributes = old
            then = replace(node, position=position, size=size, rotation=rotation, attributes=attributes)
            g = produce or partial(_as_one_piece, then)
            for part, was, now in _paired(node.parts, g(then), g(node)):
                _follow(part, was, now)
        carry_down(node.parts, before, produce)


def _as_one_piece(then: Observation, now: Observation) -> list[Observation]:
    """The parts of `then` moved, turned, stretched and coloured as `then` itself became `now`."""
    stretch = [new / max(old, TINY) for new, old in zip(now.size, then.size, strict=True)]
    moved = []
    for part in then.parts:
        dx, dy = part.position[0] - then.position[0], part.position[1] - then.position[1]
        dx, dy = _turned(dx, dy, -then.rotation)
        dx, dy = _turned(dx * stretch[0], dy * stretch[1], now.rotation)
        along = (
            math.cos(math.radians(part.rotation - then.rotation)) ** 2
        )  # 1 if its width is that of the whole
        width = part.size[0] * (along * stretch[0] + (1 - along) * stretch[1])
        height = part.size[1] * (along * stretch[1] + (1 - along) * stretch[0])
        looks = {
            name: value
            + now.attributes.get(name, 0.0)
            - then.attributes.get(name, now.attributes.get(name, 0.0))
            for name, value in part.attributes.items()
        }
        where = (now.position[0] + dx, now.position[1] + dy)
        turn = part.rotation + now.rotation - then.rotation
        moved.append(replace(part, position=where, size=(width, height), rotation=turn, attributes=looks))
    return moved


def _turned(x: float, y: float, degrees: float) -> tuple[float, float]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return cos * x - sin * y, sin * x + cos * y


def _paired(
    parts: list[Observation], was: list[Observation], now: list[Observation]
) -> Iterable[tuple[Observation, Observation, Observation]]:
    """Each part with the expectation of it before and now."""
    left = list(zip(was, now, strict=True))
    for part in parts:
        near = [pair for pair in left if pair[0].symbol == part.symbol]
        if near:
            best = min(near, key=lambda pair: math.dist(pair[0].position, part.position))
            left = [pair for pair in left if pair is not best]
            yield part, best[0], best[1]


def _follow(part: Observation, then: Observation, now: Observation) -> None:
    """Change a part as the expectation of it has changed."""
    turn = math.radians(now.rotation - then.rotation)
    grown = (now.size[0] / then.size[0], now.size[1] / then.size[1])
    scale = math.sqrt(grown[0] * grown[1])
    dx, dy = part.position[0] - then.position[0], part.position[1] - then.position[1]
    part.position = (
        bounded(now.position[0] + scale * (math.cos(turn) * dx - math.sin(turn) * dy)),
        bounded(now.position[1] + scale * (math.sin(turn) * dx + math.cos(turn) * dy)),
    )
    part.size = (bounded(part.size[0] * grown[0]), bounded(part.size[1] * grown[1]))
    part.rotation = math.remainder(part.rotation + now.rotation - then.rotation, 360.0)
    for name, value in now.attributes.items():
        if name in part.attributes:
            moved = part.attributes[name] + value - then.attributes.get(name, value)
            part.attributes[name] = min(1.0, max(0.0, moved))

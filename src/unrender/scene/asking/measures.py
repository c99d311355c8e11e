"""What objects are compared by."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from unrender.errors import UnrenderError
from unrender.scene.appearance import border_of, colour_of
from unrender.scene.observation import Observation
from unrender.scene.outline import Outline
from unrender.scene.words import BASIC, SLIGHT, STRONG, adverb, noun

ALIKE = 1.1  # times as large: sizes that still pass for one
TURN = 5.0  # degrees that pass for none

Measure = Callable[[Observation], float]


def area(node: Observation) -> float:
    """Square pixels of its convex hull, which do not depend on how it stands, from its reach h to all sides:
    ½ Σ h · l, with the length l of each edge of the polygon that touches it there."""
    h = Outline.of(node).hull
    step = 2 * math.pi / len(h)
    edges = (np.roll(h, 1) + np.roll(h, -1) - 2 * h * math.cos(step)) / math.sin(step)
    return float(h @ edges) / 2


def _front(node: Observation) -> float:
    return max((leaf.depth or 0 for leaf in node.primitives), default=0)


_EXTREMES: Mapping[str, tuple[Measure, int]] = {
    "largest": (area, 1),
    "smallest": (area, -1),
    "leftmost": (lambda node: Outline.of(node).centre[0], -1),
    "rightmost": (lambda node: Outline.of(node).centre[0], 1),
    "topmost": (lambda node: Outline.of(node).centre[1], -1),
    "lowest": (lambda node: Outline.of(node).centre[1], 1),
    "widest": (lambda node: node.size[0], 1),
    "narrowest": (lambda node: node.size[0], -1),
    "tallest": (lambda node: node.size[1], 1),
    "shortest": (lambda node: node.size[1], -1),
    "front-most": (_front, 1),
    "backmost": (_front, -1),
}
"""The measure of each superlative, and whether most (1) or least (-1) of it is meant."""

_COMPARISONS: Mapping[str, tuple[Measure, int]] = {
    "larger": _EXTREMES["largest"],
    "smaller": _EXTREMES["smallest"],
    "wider": _EXTREMES["widest"],
    "narrower": _EXTREMES["narrowest"],
    "taller": _EXTREMES["tallest"],
    "shorter": _EXTREMES["shortest"],
}


def measure(word: str) -> tuple[Measure, int]:
    """What "largest", "larger", "most damaged" or "more damaged" goes by; 1 for more of it, -1 for less."""
    known = {**_EXTREMES, **_COMPARISONS}
    if word in known:
        return known[word]
    how, _, attribute = word.partition(" ")
    return lambda node: node.attributes.get(attribute, 0.0), 1 if how in ("most", "more") else -1


def looks(node: Observation, word: str, degree: str = "") -> bool:
    """Whether an adjective fits: a dark red circle is red, too."""
    if word in ("filled", "outlined"):
        leaves = [leaf.attributes["filled"] for leaf in node.primitives if "filled" in leaf.attributes]
        return bool(leaves) and all((filled >= 0.5) == (word == "filled") for filled in leaves)
    if word == "bordered":
        return bool(border_of(node))
    if word in node.attributes and word not in BASIC:
        value = node.attributes[word]
        fits = {"very": value >= STRONG, "slightly": value < SLIGHT}.get(degree, True)
        return adverb(value) is not None and fits
    shades = colour_of(node).split(" and ")
    return any(word == shade or shade.endswith(f" {word}") for shade in shades)


def value(node: Observation, name: str) -> str | float | tuple[float, float]:
    """A property: a word, pixels, degrees, or how much of an attribute there is."""
    if name == "colour":
        return colour_of(node) or "no colour"
    if name == "border":
        return border_of(node) or "no border"
    if name == "kind":
        return noun(node.symbol)
    if name in ("width", "height"):
        return float(node.size[name == "height"])
    if name in ("position", "size"):
        return node.position if name == "position" else node.size
    if name == "rotation":
        return node.rotation
    if name not in node.attributes:
        raise UnrenderError(f"The {noun(node.symbol)} has nothing to do with {noun(name)}.")
    return node.attributes[name]


def same(one: Observation, other: Observation, what: str) -> bool:
    """Whether two objects agree in a property; sizes need to be about equal."""
    if what == "rotation":
        return abs(math.remainder(one.rotation - other.rotation, 360.0)) <= TURN
    if what in ("size", "width", "height"):
        by, _ = measure({"size": "largest", "width": "widest", "height": "tallest"}[what])
        low, high = sorted((by(one), by(other)))
        return high <= (ALIKE**2 if what == "size" else ALIKE) * low
    return value(one, what) == value(other, what)


def told(found: str | float | tuple[float, float], name: str) -> str:
    """A property as a person says it."""
    if isinstance(found, str):
        return found
    if isinstance(found, tuple):
        return (
            f"{found[0]:.1f} x {found[1]:.1f} px" if name == "size" else f"at {found[0]:.0f}, {found[1]:.0f}"
        )
    unit = {"rotation": "°", "width": " px", "height": " px"}.get(name)
    return f"{found:.2f}" if unit is None else f"{found:.1f}{unit}"

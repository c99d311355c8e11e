"""What objects are compared by."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from unrender.errors import UnrenderError
from unrender.primitives import find
from unrender.scene.graph import Scene
from unrender.scene.language.appearance import border_of, colour_of, colours_of
from unrender.scene.language.kinds import called, kind_words
from unrender.scene.language.words import BASIC, SLIGHT, STRONG, adverb, listed, noun
from unrender.scene.observation import Observation
from unrender.scene.outline import Outline
from unrender.scene.questions.filters import Kind

ALIKE = 1.1  # times as large: sizes that still pass for one
TURN = 5.0  # degrees that pass for none
TIE = 0.01  # of a measure: what is nearer to each other than that comes first together
MIDDLE = 1 / 3  # of the picture: what counts as its middle

Measure = Callable[[Observation], float]


def area(node: Observation) -> float:
    """Square pixels of its convex hull."""
    return Outline.of(node).area


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
    "frontmost": (_front, 1),
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
    "higher": _EXTREMES["topmost"],
    "lower": _EXTREMES["lowest"],
    "further left": _EXTREMES["leftmost"],
    "further right": _EXTREMES["rightmost"],
}


def measure(word: str) -> tuple[Measure, int]:
    """What "largest", "larger", "most damaged" or "more damaged" goes by; 1 for more of it, -1 for less."""
    known = {**_EXTREMES, **_COMPARISONS}
    if word in known:
        return known[word]
    how, _, attribute = word.partition(" ")
    return lambda node: node.attributes.get(attribute, 0.0), 1 if how in ("most", "more") else -1


def ranked(nodes: Sequence[Observation], by: Measure, rank: int = 1, count: int = 1) -> list[Observation]:
    """Those with the most of a measure, from a rank on, together with all that have about as much."""
    order = sorted(((by(node), i) for i, node in enumerate(nodes)), reverse=True)
    wanted = [own for own, _ in order[rank - 1 : rank - 1 + count]]
    return [
        nodes[i]
        for own, i in order
        if any(abs(own - like) <= TIE * max(abs(own), abs(like)) for like in wanted)
    ]


def within(count: int, sign: str, wanted: int) -> bool:
    """Whether a number is "exactly", "at least", "at most", "more than" or "fewer than" another one."""
    signs = {
        "exactly": count == wanted,
        "at least": count >= wanted,
        "at most": count <= wanted,
        "more than": count > wanted,
        "fewer than": count < wanted,
    }
    return signs[sign]


def _shares(node: Observation, scene: Scene) -> tuple[float, float]:
    """Where its centre lies in the picture, in [0, 1] from the left and from the top."""
    x, y = Outline.of(node).centre
    return x / scene.width, y / scene.height


def lies(node: Observation, sides: Sequence[str], scene: Scene) -> bool:
    """Whether it lies in that half or corner of the picture, or about in its middle."""
    x, y = _shares(node, scene)
    halves = {"left": x < 0.5, "right": x > 0.5, "top": y < 0.5, "bottom": y > 0.5}
    centred = max(abs(x - 0.5), abs(y - 0.5)) < MIDDLE / 2
    return all(halves.get(side, centred) for side in sides)


def off(node: Observation, sides: Sequence[str], scene: Scene) -> float:
    """How far (in shares of the picture) it lies from a side, a corner or the middle of the picture."""
    x, y = _shares(node, scene)
    ends = {"left": x, "right": 1 - x, "top": y, "bottom": 1 - y}
    return math.hypot(*(ends.get(side, math.hypot(x - 0.5, y - 0.5)) for side in sides))


def middle(nodes: Sequence[Observation]) -> list[Observation]:
    """The one in the middle of an odd number of objects in a row or a column; none where there is no such."""
    if len(nodes) < 3 or len(nodes) % 2 == 0:
        return []
    centres = np.array([Outline.of(node).centre for node in nodes])
    along = int(np.argmax(np.ptp(centres, axis=0)))
    return [nodes[int(np.argsort(centres[:, along])[len(nodes) // 2])]]


def turned(node: Observation) -> bool:
    """Whether it stands otherwise than upright, as far as that can be seen."""
    symmetry = None if node.parts else getattr(find(node.symbol), "symmetry", None)
    width, height = node.size
    period = 360.0 if symmetry is None else symmetry.period(abs(width - height) <= 0.01 * max(width, height))
    return period > 0 and abs(math.remainder(node.rotation, period)) > TURN


def means(kind: Kind, node: Observation) -> bool:
    """Whether an object is of a kind: of a symbol, or of a shape that it is called by, too."""
    if kind.shape:
        return kind.symbol in kind_words(node)
    return kind.symbol in (None, node.symbol)


def looks(node: Observation, word: str, degree: str = "", partly: bool = False) -> bool:
    """Whether an adjective fits: a dark red circle is red, too. partly: whether some of it is enough."""
    if word in ("filled", "outlined"):
        leaves = [leaf.attributes["filled"] for leaf in node.primitives if "filled" in leaf.attributes]
        return bool(leaves) and all((filled >= 0.5) == (word == "filled") for filled in leaves)
    if word == "bordered":
        return bool(border_of(node))
    if word in ("turned", "upright"):
        return turned(node) == (word == "turned")
    if word in node.attributes and word not in BASIC:
        value = node.attributes[word]
        fits = {"very": value >= STRONG, "slightly": value < SLIGHT}.get(degree, True)
        return adverb(value) is not None and fits
    shades = colours_of(node) if partly else colour_of(node).split(" with ")
    return any(word == shade or shade.endswith(f" {word}") for shade in shades)


def value(node: Observation, name: str) -> str | float | tuple[float, float]:
    """A property: a word, pixels, degrees, or how much of an attribute there is."""
    if name == "colour":
        return colour_of(node) or "no colour"
    if name == "colours":
        return listed(colours_of(node)) or "no colour"
    if name == "border":
        return border_of(node) or "no border"
    if name == "kind":
        return called(node)
    if name in ("width", "height"):
        return float(node.size[name == "height"])
    if name in ("position", "size"):
        return node.position if name == "position" else node.size
    if name == "rotation":
        return node.rotation
    if name not in node.attributes:
        raise UnrenderError(f"The {called(node)} has nothing to do with {noun(name)}.")
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

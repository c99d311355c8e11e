"""What objects are compared by."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from unrender.errors import UnrenderError
from unrender.primitives import find
from unrender.scene.language.appearance import border_of, colour_of, colours_of
from unrender.scene.language.kinds import called, is_stroke, kind_words, stroke_share
from unrender.scene.language.words import BASIC, SLIGHT, STRONG, adverb, has_colour, listed, noun, shown
from unrender.scene.observation import Observation
from unrender.scene.outline import TINY, Outline
from unrender.scene.questions.filters import Kind

ALIKE = 1.1  # times as large: sizes that still pass for one
TURN = 5.0  # degrees that pass for none
TIE = 0.01  # of a measure: what is nearer to each other than that comes first together
SIZES = {  # what a size is measured by
    "size": "largest", "width": "widest", "height": "tallest", "length": "longest", "thickness": "thickest",
}  # fmt: skip
LUMA = (0.299, 0.587, 0.114)  # of red, green and blue in what is bright
FULL: Mapping[str, float] = {
    "circle": math.pi / 4,
    "square": 1.0,
    "triangle": 27**0.5 / 16,
}  # of the box of a shape
EVEN: Mapping[str, bool] = {  # whether a shape is as wide as tall, by nouns that many use like that
    "square": True, "rectangle": False, "circle": True, "ellipse": False, "oval": False,
    "bar": False,
}  # fmt: skip
OBLONG = 1.2  # times as long as wide: what has a direction
CORNERS: Mapping[str, int] = {
    "triangle": 3, "square": 4, "rectangle": 4, "pentagon": 5, "hexagon": 6, "heptagon": 7, "octagon": 8,
}  # fmt: skip

Measure = Callable[[Observation], float]


def area(node: Observation) -> float:
    """Square pixels of its convex hull."""
    return Outline.of(node).area


def _front(node: Observation) -> float:
    return max((leaf.depth or 0 for leaf in node.primitives), default=0)


def length(node: Observation) -> float:
    """Its longer side, px; of a line, how long it is."""
    return max(node.size)


def thickness(node: Observation) -> float:
    """px of the line that it is drawn with; 0 of what has none."""
    if node.parts:
        return 0.0
    if is_stroke(node):
        return stroke_share(node) * max(node.size)
    return node.attributes.get("thickness", 0.0) * min(node.size)


def width(node: Observation) -> float:
    """How far it reaches from left to right as it stands for a line, else its own width, px."""
    return Outline.of(node).extent[0] if is_stroke(node) else node.size[0]


def height(node: Observation) -> float:
    """How far it reaches from top to bottom as it stands for a line, else its own height, px."""
    return Outline.of(node).extent[1] if is_stroke(node) else node.size[1]


def _light(node: Observation) -> float:
    """How bright its colours are, by area, in [0, 1]."""
    leaves = [leaf for leaf in node.primitives if has_colour(leaf.attributes)]
    areas = [max(TINY, area(leaf)) for leaf in leaves]
    bright = [sum(w * c for w, c in zip(LUMA, shown(leaf.attributes), strict=True)) for leaf in leaves]
    return float(np.average(bright, weights=areas)) if leaves else 0.0


_EXTREMES: Mapping[str, tuple[Measure, int]] = {
    "largest": (area, 1),
    "smallest": (area, -1),
    "leftmost": (lambda node: Outline.of(node).centre[0], -1),
    "rightmost": (lambda node: Outline.of(node).centre[0], 1),
    "topmost": (lambda node: Outline.of(node).centre[1], -1),
    "lowest": (lambda node: Outline.of(node).centre[1], 1),
    "widest": (width, 1),
    "narrowest": (width, -1),
    "tallest": (height, 1),
    "shortest": (height, -1),
    "longest": (length, 1),
    "thickest": (thickness, 1),
    "thinnest": (thickness, -1),
    "darkest": (_light, -1),
    "lightest": (_light, 1),
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
    "longer": _EXTREMES["longest"],
    "thicker": _EXTREMES["thickest"],
    "thinner": _EXTREMES["thinnest"],
    "darker": _EXTREMES["darkest"],
    "lighter": _EXTREMES["lightest"],
    "higher": _EXTREMES["topmost"],
    "lower": _EXTREMES["lowest"],
    "further left": _EXTREMES["leftmost"],
    "further right": _EXTREMES["rightmost"],
    "reaching further left": (lambda node: Outline.of(node).box[0], -1),
    "reaching higher": (lambda node: Outline.of(node).box[1], -1),
    "reaching further right": (lambda node: Outline.of(node).box[2], 1),
    "reaching lower": (lambda node: Outline.of(node).box[3], 1),
}


def measure(word: str) -> tuple[Measure, int]:
    """What "largest", "larger", "most damaged" or "more damaged" goes by; 1 for more of it, -1 for less."""
    known = {**_EXTREMES, **_COMPARISONS}
    if word in known:
        return known[word]
    how, _, attribute = word.partition(" ")
    return lambda node: node.attributes.get(attribute, 0.0), 1 if how in ("most", "more") else -1


def compares(word: str) -> bool:
    """Whether it is a comparative: "larger", not "largest"."""
    return word in _COMPARISONS or word.partition(" ")[0] in ("more", "less")


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


def turned(node: Observation) -> bool:
    """Whether it stands otherwise than upright, as far as that can be seen."""
    symmetry = None if node.parts else getattr(find(node.symbol), "symmetry", None)
    width, height = node.size
    period = 360.0 if symmetry is None else symmetry.period(abs(width - height) <= 0.01 * max(width, height))
    return period > 0 and abs(math.remainder(node.rotation, period)) > TURN


def round_about(node: Observation, turn: float) -> bool:
    """Whether it looks the same when it is turned by so many degrees."""
    symmetry = None if node.parts else getattr(find(node.symbol), "symmetry", None)
    width, height = node.size
    even = abs(width - height) <= 0.01 * max(width, height)
    period = 360.0 if symmetry is None else symmetry.period(even)
    return period == 0 or abs(math.remainder(turn, period)) <= TURN


def means(kind: Kind, node: Observation, exactly: bool = False) -> bool:
    """Whether an object is of a kind: of a symbol, or of a shape that it is called by, too; exactly: whether
    squares and circles must be as wide as tall, and rectangles and ellipses must not."""
    if exactly and kind.shape and kind.symbol is not None and kind.symbol in EVEN and not node.parts:
        wide, tall = node.size
        if (max(wide, tall) <= ALIKE * min(wide, tall)) != EVEN[kind.symbol]:
            return False
    if kind.shape:
        return kind.symbol in kind_words(node)
    return kind.symbol in (None, node.symbol)


def looks(node: Observation, word: str, degree: str = "", partly: bool = False, mainly: bool = False) -> bool:
    """Whether an adjective fits: a dark red circle is red, too. partly: whether some of it is enough; mainly:
    whether a second colour, or less than half of an attribute, is not."""
    if degree == "wholly":
        return all(word == shade or shade.endswith(f" {word}") for shade in colours_of(node))
    if degree and (word not in node.attributes or word in BASIC):
        raise UnrenderError(f"I do not know what is {degree} {word}; I know what is {word}.")
    if word == "upside down":
        return not round_about(node, 180.0) and abs(math.remainder(node.rotation - 180.0, 360.0)) <= TURN
    if word == "empty" and node.parts:
        raise UnrenderError(f"I do not know when a {called(node)} is empty; ask what is in it or on it.")
    if word in ("filled", "outlined", "empty"):
        leaves = [leaf.attributes["filled"] for leaf in node.primitives if "filled" in leaf.attributes]
        return bool(leaves) and all((filled >= 0.5) == (word == "filled") for filled in leaves)
    if word == "bordered":
        return bool(border_of(node))
    if word in ("turned", "upright"):
        return turned(node) == (word == "turned")
    if word in ("horizontal", "vertical"):
        width, height = node.size
        angle = node.rotation if width >= height else node.rotation + 90
        off = math.remainder(angle - 90 * (word == "vertical"), 180)
        return max(width, height) > OBLONG * min(width, height) and abs(off) <= TURN
    if word == "round":
        return any("circle" in kind_words(leaf) and _fills(leaf, node) for leaf in node.primitives)
    if word in node.attributes and word not in BASIC:
        value = node.attributes[word]
        fits = {"very": value >= STRONG, "slightly": value < SLIGHT}.get(degree, True)
        return adverb(value) is not None and fits and (bool(degree) or not mainly or value >= 0.5)
    shades = colours_of(node) if partly else colour_of(node).split(" with ")[: 1 if mainly else 2]
    return any(word == shade or shade.endswith(f" {word}") for shade in shades)


def _fills(leaf: Observation, whole: Observation) -> bool:
    return all(ALIKE * own >= side for own, side in zip(leaf.size, whole.size, strict=True))


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
    if name == "shape":
        return _shape(node)
    if name in ("diameter", "radius", "area"):
        return _of_shape(node, name)
    if name in ("width", "height"):
        return float(node.size[name == "height"])
    if name in ("position", "size"):
        return node.position if name == "position" else node.size
    if name == "rotation":
        return node.rotation
    if name == "length":
        return length(node)
    if name == "thickness":
        if not thickness(node):
            raise UnrenderError(f"The {called(node)} is not drawn with a line, so it has no thickness.")
        return thickness(node)
    if name == "corners":
        if called(node) not in CORNERS:
            raise UnrenderError(f"I do not know how many corners a {called(node)} has.")
        return CORNERS[called(node)]
    if name not in node.attributes:
        raise UnrenderError(f"The {called(node)} has nothing to do with {noun(name)}.")
    return node.attributes[name]


def _shape(node: Observation) -> str:
    """The shape of an object that consists of one only."""
    if len(node.primitives) > 1:
        raise UnrenderError(f"The {called(node)} has no single shape; ask what it is made of.")
    return called(node.primitives[0])


def _of_shape(node: Observation, name: str) -> float:
    """The area (square px) of a shape, or the diameter or radius (px) of a circle."""
    width, height = node.size
    if name == "area":
        if node.parts or node.symbol not in FULL or is_stroke(node):
            raise UnrenderError(f"I do not know the area of a {called(node)}.")
        return FULL[node.symbol] * width * height
    if node.symbol != "circle" or not same_length(width, height):
        raise UnrenderError(f"A circle has a {name}, not a {called(node)}.")
    return width if name == "diameter" else width / 2


def same_length(one: float, other: float) -> bool:
    """Whether two lengths pass for one."""
    return abs(one - other) <= 0.02 * max(one, other)


def same(one: Observation, other: Observation, what: str, alike: float = ALIKE) -> bool:
    """Whether two objects agree in a property; sizes need to be about equal, at most `alike` times."""
    if what == "rotation":
        return abs(math.remainder(one.rotation - other.rotation, 360.0)) <= TURN
    if what in SIZES:
        by, _ = measure(SIZES[what])
        low, high = sorted((by(one), by(other)))
        return high <= (alike**2 if what == "size" else alike) * low
    if what == "shape" and (len(one.primitives) > 1 or len(other.primitives) > 1):
        return called(one) == called(other)
    return value(one, what) == value(other, what)


def told(found: str | float | tuple[float, float], name: str) -> str:
    """A property as a person says it."""
    if isinstance(found, str):
        return found
    if isinstance(found, tuple):
        return (
            f"{found[0]:.1f} x {found[1]:.1f} px" if name == "size" else f"at {found[0]:.0f}, {found[1]:.0f}"
        )
    if name == "corners":
        return str(found)
    unit = {"rotation": "°", "width": " px", "height": " px", "length": " px", "thickness": " px"}.get(name)
    unit = {"area": " square px", "diameter": " px", "radius": " px"}.get(name, unit)
    return f"{found:.2f}" if unit is None else f"{found:.1f}{unit}"

"""The nouns for an object: what `describe` calls it, and all words that a question may use for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from unrender.scene.language.polygons import POLYGONS, polygon_words
from unrender.scene.language.words import noun
from unrender.scene.observation import Observation
from unrender.scene.pixels import is_bar

if TYPE_CHECKING:
    from unrender.primitives.vector import Path

_WORDS: Mapping[str, tuple[str, ...]] = {
    "circle": ("circle", "ellipse", "disc", "disk", "oval"),
    "square": ("square", "rectangle", "polygon", "box", "bar"),
    "triangle": ("triangle", "polygon"),
    "edge": ("line", "edge", "stroke"),
    "arc": ("arc", "stroke"),
    "curve": ("curve", "stroke"),
}
_FILLED, _OUTLINED = {"circle": ("ball",)}, {"circle": ("ring",)}  # nouns that say whether it is filled
_DIAMOND = ("diamond", "rhombus")  # a square that stands on one of its corners
_OPEN = ("path", "polyline", "stroke")

KIND_WORDS: tuple[str, ...] = tuple(
    dict.fromkeys(
        word
        for words in (*_WORDS.values(), *_FILLED.values(), *_OUTLINED.values(), _DIAMOND, _OPEN, POLYGONS)
        for word in words
    )
)
"""All nouns that a primitive may be called by, whether one is in the scene or not."""


def kind_words(node: Observation) -> tuple[str, ...]:
    """Every noun in the singular that means this object, the one that says most about it first.

    >>> kind_words(Observation("edge", (10, 10), (8, 1)))
    ('line', 'edge', 'stroke')
    """
    path = _path(node)
    if path is None:
        own = noun(node.symbol)
        more = (_FILLED if node.attributes.get("filled", 1.0) >= 0.5 else _OUTLINED).get(node.symbol, ())
        return (*_WORDS.get(node.symbol, (own,)), *more, *(_DIAMOND if _on_a_corner(node) else ()))
    kinds = "".join(kind for kind, _ in path)
    if kinds.count("M") > kinds.count("Z"):
        return _OPEN if set(kinds) == {"M", "L"} else ("path", "stroke")
    return (*polygon_words(path, node.size[0] / 2, node.size[1] / 2), "path")


def _on_a_corner(node: Observation) -> bool:
    width, height = node.size
    even = abs(width - height) <= 0.1 * max(width, height)
    return node.symbol == "square" and even and abs(node.rotation % 90 - 45) <= 10


def called(node: Observation) -> str:
    """What an object is called in a text: "line", "hexagon", "ship"."""
    return kind_words(node)[0]


def is_stroke(node: Observation) -> bool:
    """Whether nothing of a primitive is painted but a line with two ends."""
    return not node.parts and "stroke" in kind_words(node)


def stroke_share(node: Observation) -> float:
    """The width of a stroke as a share of the longer side of its box."""
    if is_bar(node):
        return node.size[1] / max(node.size[0], 1e-9)
    return node.attributes.get("thickness", 0.0)


def _path(node: Observation) -> Path | None:
    """The outline of what is told by its form."""
    from unrender.primitives.registry import primitives

    if node.symbol != "path" or node.form is None or min(node.size) <= 0:
        return None
    return primitives()["path"].path(node.size[0] / 2, node.size[1] / 2, node.form)

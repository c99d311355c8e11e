"""The elements of an SVG file: lines in px, how they are painted, and the numbers that tell them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import numpy as np
from strokes_paths import IDENTITY, NUMBER, Affine, Line, Subpath, arc, laid, points, subpaths

SHAPES = ("path", "line", "polyline", "polygon", "circle", "ellipse", "rect")
INHERITED = ("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "fill-rule", "opacity")
SIZES = "x y x1 y1 x2 y2 width height cx cy r rx ry"
GEOMETRY = f"{SIZES} points transform stroke-width stroke-dasharray"
NEEDED = {
    "circle": 3,
    "rectangle": 4,
    "rounded rectangle": 5,
    "line": 4,
}  # numbers of the plainest element that draws it
CLOSE = 0.004  # of its size by which the line of a circle or a rectangle may miss one
ROUND = 1.02  # half widths: a ring with a smaller radius shows no hole
DOT = 0.25  # widths: a stroke that is shorter shows nothing but its round end


@dataclass(frozen=True)
class Mark:
    """What one element paints: all of its lines together."""

    lines: tuple[Line, ...]
    width: float = 0.0  # px, of the stroke; 0 if it is filled
    even_odd: bool = False
    cap: str = "round"
    join: str = "round"

    def visible(self) -> Iterator[Line]:
        """Its lines as they can be told from pixels: of a dot, and of a ring without a hole, the outline."""
        for line in self.lines:
            disc = self.width and _as_disc(line, self.width)
            yield disc or line


@dataclass(frozen=True)
class Drawing:
    """An SVG file that can be compared with what is told."""

    kinds: tuple[str, ...]  # of its subpaths, as `kind` calls them
    numbers: int  # needed to write it down: a circle that is written as a path counts as a circle
    filled: bool  # something in it
    plain: bool  # nothing is see-through, or filled and stroked, which could be told in two ways


def marks(text: str, side: float | None = None) -> tuple[Mark, ...]:
    """What a file paints; side: px to which the longer side of its view is stretched, or as it is."""
    root = ET.fromstring(text)
    box = [float(token) for token in NUMBER.findall(root.get("viewBox", ""))]
    scale = 1.0 if side is None or not box else side / max(box[2:])
    view = np.array([[scale, 0, -scale * box[0]], [0, scale, -scale * box[1]]]) if box else IDENTITY
    found = []
    for node, looks, place in _shapes(root, {}, view):
        stretch = math.sqrt(abs(np.linalg.det(place[:, :2])))
        found.append(
            Mark(
                tuple(laid(one, place) for one in subpaths(path_data(node))),
                float(looks.get("stroke-width", "1")) * stretch if _painted(looks, "stroke") else 0.0,
                looks.get("fill-rule") == "evenodd",
                looks.get("stroke-linecap", "butt"),
                looks.get("stroke-linejoin", "miter"),
            )
        )
    return tuple(found)


def drawing(text: str) -> Drawing:
    """What a file consists of."""
    kinds: list[str] = []
    numbers, filled, plain = 0, False, True
    for node, looks, _ in _shapes(ET.fromstring(text), {}, IDENTITY):
        inside, stroke = _painted(looks, "fill"), _painted(looks, "stroke")
        filled |= inside
        plain &= not (inside and stroke) and looks.get("opacity", "1") == "1"
        several = subpaths(path_data(node))
        own = [kind(one) for one in several]
        kinds += own
        if node.tag.endswith("path"):
            numbers += sum(NEEDED.get(k, one.numbers) for one, k in zip(several, own, strict=True))
        else:
            numbers += attribute_numbers(node)
    return Drawing(tuple(kinds), numbers, filled, plain)


def _painted(looks: Mapping[str, str], what: str) -> bool:
    return looks.get(what, {"fill": "black"}.get(what, "none")) != "none"


def written_numbers(text: str) -> int:
    """Numbers in the shapes of an SVG file as it is written: places, sizes, radii and widths of strokes.

    Those of the background, of the header, of colours and of data about the shapes do not count.
    """
    nodes = [node for node in ET.fromstring(text).iter() if node.tag.rpartition("}")[2] in SHAPES]
    total = 0
    for node in nodes:
        if node.get("id") != "background":
            total += attribute_numbers(node) + sum(one.numbers for one in subpaths(node.get("d", "")))
    return total


def attribute_numbers(node: ET.Element) -> int:
    """How many stand in the attributes of an element that say where it is, path data excepted."""
    return sum(len(NUMBER.findall(node.get(key, ""))) for key in GEOMETRY.split())


def _shapes(
    node: ET.Element, above: Mapping[str, str], place: Affine
) -> Iterator[tuple[ET.Element, dict[str, str], Affine]]:
    """Every element that paints, the background excepted, with all that it inherits."""
    looks = {**above, **{key: node.attrib[key] for key in INHERITED if key in node.attrib}}
    place = _compose(place, transform(node.get("transform", "")))
    paints = _painted(looks, "fill") or _painted(looks, "stroke")
    if node.tag.rpartition("}")[2] in SHAPES and paints and node.get("id") != "background":
        yield node, looks, place
    for child in node:
        yield from _shapes(child, looks, place)


def path_data(node: ET.Element) -> str:
    """The path data of any shape."""
    tag = node.tag.rpartition("}")[2]
    if tag == "path":
        return node.get("d", "")
    if tag in ("polyline", "polygon"):
        return f"M {node.get('points', '')}" + (" Z" if tag == "polygon" else "")
    value = {key: float(text) for key, text in node.items() if key in SIZES.split()}
    if tag == "line":
        x1, y1, x2, y2 = (value.get(key, 0.0) for key in ("x1", "y1", "x2", "y2"))
        return f"M {x1} {y1} L {x2} {y2}"
    if tag in ("circle", "ellipse"):
        x, y = value.get("cx", 0.0), value.get("cy", 0.0)
        a, b = value.get("rx", value.get("r", 0.0)), value.get("ry", value.get("r", 0.0))
        return f"M {x + a} {y} A {a} {b} 0 1 1 {x - a} {y} A {a} {b} 0 1 1 {x + a} {y} Z"
    x, y, w, h = (value.get(key, 0.0) for key in ("x", "y", "width", "height"))
    a, b = value.get("rx", value.get("ry", 0.0)), value.get("ry", value.get("rx", 0.0))
    a, b = min(a, w / 2), min(b, h / 2)
    if a == 0 or b == 0:
        return f"M {x} {y} h {w} v {h} h {-w} Z"
    turn = f"a {a} {b} 0 0 1"
    return (
        f"M {x + a} {y} h {w - 2 * a} {turn} {a} {b} v {h - 2 * b} {turn} {-a} {b} "
        f"h {2 * a - w} {turn} {-a} {-b} v {2 * b - h} {turn} {a} {-b} Z"
    )


def transform(text: str) -> Affine:
    """Of an attribute `transform`: matrix, translate, scale and rotate, one after the other."""
    place = IDENTITY
    for name, inside in re.findall(r"(\w+)\s*\(([^)]*)\)", text):
        value = [float(token) for token in NUMBER.findall(inside)]
        if name == "matrix":
            own = np.array(value).reshape(3, 2).T
        elif name == "translate":
            own = np.array([[1.0, 0.0, value[0]], [0.0, 1.0, value[1] if len(value) > 1 else 0.0]])
        elif name == "scale":
            own = np.array([[value[0], 0.0, 0.0], [0.0, value[-1], 0.0]])
        else:
            cos, sin = math.cos(math.radians(value[0])), math.sin(math.radians(value[0]))
            turn, about = np.array([[cos, -sin], [sin, cos]]), np.array(value[1:] or [0.0, 0.0])
            own = np.column_stack([turn, about - turn @ about])
        place = _compose(place, own)
    return place


def _compose(outer: Affine, inner: Affine) -> Affine:
    return np.column_stack([outer[:, :2] @ inner[:, :2], outer[:, :2] @ inner[:, 2] + outer[:, 2]])


# What a line is


def kind(subpath: Subpath) -> str:
    """ "circle" for any ellipse along the axes, "rectangle", "rounded rectangle", "line" or "path"."""
    if not subpath.closed and any(len(piece) > 2 for piece in subpath.pieces):
        return "path"
    line = points(subpath.pieces, math.inf)
    line = np.concatenate([line, (line[:-1] + line[1:]) / 2, line[-1:]])
    low, high = line.min(0), line.max(0)
    half, p = (high - low) / 2, line - (low + high) / 2
    size = max(half.max(), 1e-9)
    if not subpath.closed:
        ends, away = line[-1] - line[0], line - line[0]
        off = np.abs(ends[0] * away[:, 1] - ends[1] * away[:, 0])
        return "line" if (off <= CLOSE * (ends @ ends)).all() else "path"
    if half.min() < 0.02 * size:
        return "path"
    if np.abs(np.hypot(*(p / half).T) - 1).max() < 2 * CLOSE:
        return "circle"
    gap = np.hypot(*(np.abs(p) - half).T).min()  # from a corner of the box to the line
    radius = min(gap / (math.sqrt(2) - 1), half.min())
    beyond = np.abs(p) - (half - radius)
    off = np.hypot(*np.maximum(beyond, 0).T) + np.minimum(beyond.max(1), 0) - radius
    if np.abs(off).max() > 2 * CLOSE * size:
        return "path"
    return "rectangle" if radius < CLOSE * size else "rounded rectangle"


def _as_disc(line: Line, width: float) -> Line | None:
    """The outline of what looks like a disc: a dot, or a ring as wide as its hole."""
    low, high = line.points.min(0), line.points.max(0)
    middle, reach = (low + high) / 2, float((high - low).max()) / 2
    if line.length > DOT * width:
        ring = line.closed and np.abs(np.hypot(*(line.points - middle).T) - reach).max() < 0.02 * reach
        if not ring or reach > ROUND * width / 2:
            return None
    edge = middle - (reach + width / 2, 0.0)
    other = 2 * middle - edge
    pieces = [*arc(edge, other, 1.0, 1.0, 0.0, True, True), *arc(other, edge, 1.0, 1.0, 0.0, True, True)]
    return laid(Subpath(tuple(pieces), True, 3))

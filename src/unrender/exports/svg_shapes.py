"""A primitive as the plainest element of SVG that draws it: what a person would have written."""

from __future__ import annotations

import math
from xml.etree import ElementTree as ET

from unrender.exports.polygons import ROUND, ends
from unrender.primitives.arcs import number
from unrender.primitives.vector import DECIMALS, ELLIPSE, Path, closings, corners, path_data, polygon
from unrender.render.layer import Colour, Layer

_CORNERS = ("rect", "polygon", "polyline", "path")  # elements whose strokes have joins
_BOX = polygon([(-1, -1), (1, -1), (1, 1), (-1, 1)])


def shape(own: Layer) -> ET.Element:
    """A stroke as its centre line with a width, anything else as its outline; strokes are centred on it and
    round at the corners, as in draw. Only boxes and ellipses are turned by a `transform`."""
    path = own.path
    if own.primitive.strokelike and own.stroke == 0:
        return _line(own)
    if own.primitive.strokelike:
        found = _bar(own)
    else:
        turned = own.dashed and own.rotation != 0  # where dashes begin turns with it
        tried = (how(own, path) for how in ((_chain,) if turned else (_box, _oval, _chain)))
        found = next((plain for plain in tried if plain is not None), _path(own, path))
    for key, value in _paint(own, found.tag).items():
        found.set(key, value)
    return found


def _line(own: Layer) -> ET.Element:
    (reach, rounded), (x, y), turn = ends(own), own.position, math.radians(own.rotation)
    dx, dy = reach * math.cos(turn), reach * math.sin(turn)
    values = {"x1": x - dx, "y1": y - dy, "x2": x + dx, "y2": y + dy}
    place = {name: _number(value) for name, value in values.items()}
    stroke = {"stroke": _code(own.colour), "stroke-width": _number(own.size[1])}
    if 0 < own.filled < 1:
        stroke["stroke-opacity"] = _number(own.filled)
    if own.filled == 0:
        stroke["stroke"] = "none"
    cap = {"stroke-linecap": "round" if rounded else "butt"}
    return ET.Element("line", place | stroke | cap | _dashes(own))


def _bar(own: Layer) -> ET.Element:
    """A straight stroke that has a border itself."""
    (reach, rounded), (x, y), b = ends(own), own.position, own.half[1]
    reach += b if rounded else 0.0
    box = {"x": x - reach, "y": y - b, "width": 2 * reach, "height": 2 * b} | ({"rx": b} if rounded else {})
    found = ET.Element("rect", {name: _number(value) for name, value in box.items()})
    return _turned(found, own, own.rotation % 180)


def _box(own: Layer, path: Path) -> ET.Element | None:
    """A rectangle, with round corners if it has them."""
    (a, b), (x, y), (w, h), turn = own.half, own.position, own.size, own.rotation
    radius = _corner(path, a, b)
    if path != _BOX and radius is None:
        return None
    if _number(turn % 180) == "90":  # the same box, lying
        (a, b), (w, h), turn = (b, a), (h, w), 0.0
    box = {"x": _number(x - a), "y": _number(y - b), "width": _number(w), "height": _number(h)}
    if radius is not None:
        box["rx"] = _number(radius)
    return _turned(ET.Element("rect", box), own, turn % 180)


def _corner(path: Path, a: float, b: float) -> float | None:
    """The radius (px) of the corners of a box whose corners are all round alike."""
    if "".join(kind for kind, _ in path) != "MLALALALAZ":
        return None
    arcs = [numbers for kind, numbers in path if kind == "A"]
    u, v = arcs[0][:2]
    ends = [(1, v - 1), (1 - u, 1), (-1, 1 - v), (u - 1, -1)]
    same = all(math.dist(numbers, (u, v, 0, 1, *end)) < 1e-6 for numbers, end in zip(arcs, ends, strict=True))
    return u * a if same and math.isclose(u * a, v * b, rel_tol=1e-6) else None


def _oval(own: Layer, path: Path) -> ET.Element | None:
    if path != ELLIPSE:
        return None
    (a, b), (x, y) = own.half, own.position
    centre = {"cx": _number(x), "cy": _number(y)}
    if _number(a) == _number(b):
        return ET.Element("circle", centre | {"r": _number(a)})
    turn = own.rotation % 180
    if _number(turn) == "90":
        (a, b), turn = (b, a), 0.0
    return _turned(ET.Element("ellipse", centre | {"rx": _number(a), "ry": _number(b)}), own, turn)


def _chain(own: Layer, path: Path) -> ET.Element | None:
    """One line of straight pieces."""
    points = corners(path)
    if points is None:
        return None
    (cx, cy), (a, b), turn = own.position, own.half, math.radians(own.rotation)
    cos, sin = math.cos(turn), math.sin(turn)
    put = [(cx + cos * a * u - sin * b * v, cy + sin * a * u + cos * b * v) for u, v in points]
    told = [(_number(x), _number(y)) for x, y in put]
    if not closings(path)[0] and len(told) == 2:
        (x1, y1), (x2, y2) = told
        return ET.Element("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2})
    tag = "polygon" if closings(path)[0] else "polyline"
    return ET.Element(tag, points=" ".join(f"{x},{y}" for x, y in told))


def _path(own: Layer, path: Path) -> ET.Element:
    found = ET.Element("path", d=path_data(path, own.position, own.half, own.rotation))
    if own.encloses and len(closings(path)) > 1:
        found.set("fill-rule", "evenodd")
    return found


def _turned(found: ET.Element, own: Layer, turn: float) -> ET.Element:
    turn = turn - 180 if turn > 90 else turn
    if _number(turn) != "0":
        x, y = map(_number, own.position)
        found.set("transform", f"rotate({_number(turn)} {x} {y})")
    return found


def _paint(own: Layer, tag: str) -> dict[str, str]:
    """Fill and stroke of a primitive."""
    inside = own.filled if own.encloses else 0.0
    paint = {} if tag == "line" else {"fill": _code(own.colour) if inside > 0 else "none"}
    if 0 < inside < 1:
        paint["fill-opacity"] = _number(inside)
    if own.stroke > 0:
        paint |= {"stroke": _code(own.stroke_colour), "stroke-width": _number(own.stroke)}
        if tag in _CORNERS:
            paint["stroke-linejoin"] = "miter" if own.pointed else "round"
        if not own.primitive.strokelike and not all(closings(own.path)):
            paint["stroke-linecap"] = "round" if own.cap >= ROUND else "butt"
        elif own.dashed and own.cap >= ROUND:
            paint["stroke-linecap"] = "round"
        paint |= _dashes(own)
    return paint


def _dashes(own: Layer) -> dict[str, str]:
    """The lengths of dashes and gaps, if there are any."""
    return {"stroke-dasharray": " ".join(map(_number, own.dashes))} if own.dashed else {}


def _code(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*(round(255 * c) for c in colour))


def _number(value: float) -> str:
    return number(value, DECIMALS)

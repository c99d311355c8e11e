"""An animated SVG: every primitive as an element of its own that is moved, turned and stretched in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.etree import ElementTree as ET

from unrender.exports.names import legal
from unrender.exports.svg_shapes import shape
from unrender.film.exports.layers import AnimatedLayer, animated_layers
from unrender.film.film import Film
from unrender.film.motion.keyframes import Keyframe, Keyframes
from unrender.primitives.arcs import number
from unrender.scene.pixels import layer

Told = Callable[[Sequence[float]], str]


def svg(film: Film) -> str:
    """The film as SVG with SMIL animations that repeat for ever."""
    wide, tall = str(film.width), str(film.height)
    root = ET.Element(
        "svg", xmlns="http://www.w3.org/2000/svg", width=wide, height=tall, viewBox=f"0 0 {wide} {tall}"
    )
    ground = film.scenes[0].background.reshape(-1, 3).mean(0)
    code = "#{:02x}{:02x}{:02x}".format(*(round(float(part)) for part in ground))
    ET.SubElement(root, "rect", width=wide, height=tall, fill=code)
    for own in animated_layers(film):
        root.append(_layer(film, own))
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _layer(film: Film, own: AnimatedLayer) -> ET.Element:
    """Nested groups: moved, turned, stretched; and the shape in the middle."""
    place = ET.Element("g")
    ET.SubElement(place, "title").text = legal(own.name)
    _transform(film, place, own.position, "translate", lambda v: f"{_number(v[0])} {_number(v[1])}")
    turn = ET.SubElement(place, "g")
    _transform(film, turn, own.rotation, "rotate", lambda v: _number(v[0]))
    grow = ET.SubElement(turn, "g")
    _transform(film, grow, own.scale, "scale", lambda v: f"{_number(v[0])} {_number(v[1])}")
    drawn = shape(layer(own.leaf))
    _colours(film, drawn, own.colour)
    grow.append(drawn)
    stretches = own.stretches
    if stretches != [(0, len(film))]:
        _shown(film, place, stretches)
    return place


def _transform(film: Film, group: ET.Element, keys: Keyframes, kind: str, told: Told) -> None:
    group.set("transform", f"{kind}({told(keys.keys[0].value)})")
    if len(keys.keys) > 1:
        timing = _timing(film, keys.keys, told)
        ET.SubElement(group, "animateTransform", {"attributeName": "transform", "type": kind} | timing)


def _colours(film: Film, drawn: ET.Element, keys: Keyframes) -> None:
    if len(keys.keys) < 2:
        return
    bar = drawn.tag == "line" and drawn.get("fill") is None
    for name, start in (("fill", 0), ("stroke", 0 if bar else 3)):
        if drawn.get(name) not in (None, "none"):

            def code(value: Sequence[float], start: int = start) -> str:
                return "#{:02x}{:02x}{:02x}".format(
                    *(round(255 * min(max(part, 0.0), 1.0)) for part in value[start : start + 3])
                )

            ET.SubElement(drawn, "animate", {"attributeName": name} | _timing(film, keys.keys, code))


def _timing(film: Film, keys: Sequence[Keyframe], told: Told) -> dict[str, str]:
    """Values, times and easings of an animation that lasts as long as the film."""
    clock = film.seconds * film.fps  # in frames
    rows: list[tuple[float, str, str]] = []  # share of the time, value, easing up to the next
    if keys[0].time > 0:
        rows.append((0.0, told(keys[0].value), "0 0 1 1"))
    for key, after in zip(keys, [*keys[1:], None], strict=True):
        at = key.time / clock
        rows.append((at, told(key.value), _spline(key)))
        if key.easing.name == "hold" and after is not None:
            rows.append((after.time / clock - 1e-6, told(key.value), "0 0 1 1"))
    if rows[-1][0] < 1:
        rows.append((1.0, rows[-1][1], ""))
    return {
        "dur": f"{_number(film.seconds)}s",
        "repeatCount": "indefinite",
        "calcMode": "spline",
        "values": ";".join(value for _, value, _ in rows),
        "keyTimes": ";".join(f"{share:.6f}".rstrip("0").rstrip(".") or "0" for share, _, _ in rows),
        "keySplines": ";".join(spline for _, _, spline in rows[:-1]),
    }


def _spline(key: Keyframe) -> str:
    if key.easing.name in ("linear", "hold"):
        return "0 0 1 1"
    return " ".join(_number(min(max(value, 0.0), 1.0)) for value in key.easing.handles)


def _shown(film: Film, group: ET.Element, stretches: Sequence[tuple[int, int]]) -> None:
    """It shows while the object is in sight."""
    rows = [] if stretches[0][0] == 0 else [(0.0, "hidden")]
    ends = [*film.times, film.seconds]
    for first, last in stretches:
        rows += [(ends[first] / film.seconds, "visible"), (ends[last] / film.seconds, "hidden")]
    rows = [row for row in rows if row[0] < 1]
    values = {
        "attributeName": "visibility",
        "dur": f"{_number(film.seconds)}s",
        "repeatCount": "indefinite",
        "calcMode": "discrete",
        "values": ";".join(value for _, value in rows),
        "keyTimes": ";".join(f"{share:.6f}" for share, _ in rows),
    }
    group.set("visibility", rows[0][1])
    ET.SubElement(group, "animate", values)


def _number(value: float) -> str:
    return number(value, 4)

""".tscn: a scene of Godot 4, one Node2D per object.

The same object at another place, turned and larger, differs in nothing but the position, rotation and scale
of its own node: below it everything is measured in its own frame. Depth is `z_index`, so that trees may
interleave.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.exports.names import legal, numbered
from unrender.exports.polygons import ROUND as ROUNDED
from unrender.exports.polygons import Region, Ring, ends, outline, strokes
from unrender.exports.registry import exporter
from unrender.render.layer import Layer
from unrender.scene import Observation, Scene
from unrender.scene.pixels import layer

UNIT = 64.0  # px: an object with sides of this length has the scale 1
DEEPEST = 4096  # the largest z_index of Godot
NONE, ROUND = 0, 2  # of Line2D: LINE_CAP_NONE; LINE_JOINT_ROUND and LINE_CAP_ROUND
SHARP = 0  # LINE_JOINT_SHARP

_NOT_NAME = re.compile(r'[.:@/"%\x00-\x1f\x7f]')


@exporter(".tscn")
def tscn(scene: Scene, name: str) -> str:
    """The scene as text that Godot 4 opens."""
    leaves = scene.primitives
    if len(leaves) > DEEPEST + 1:
        raise UnrenderError(
            f"Godot knows {DEEPEST + 1} depths and this scene has {len(leaves)} primitives; save it as .svg."
        )
    nodes = scene.observations
    names = numbered(_NOT_NAME.sub("_", node.symbol) for node in nodes)
    tree = _Tree(
        {id(node): own for node, own in zip(nodes, names, strict=True)},
        {id(leaf): z for z, leaf in enumerate(leaves)},
    )
    header, ground = _background(scene)
    root = _section("node", {"name": text(_NOT_NAME.sub("_", name) or "scene"), "type": text("Node2D")})
    trees = [block for axiom in scene.axioms for block in tree.blocks(axiom, None, ".")]
    return "\n".join([*header, root, ground, *trees])


class _Tree:
    """The nodes below the root."""

    def __init__(self, names: Mapping[int, str], depths: Mapping[int, int]) -> None:
        self._names = names
        self._depths = depths

    def blocks(self, node: Observation, whole: Observation | None, path: str) -> Iterator[str]:
        """The sections of a node and of everything below it; `path` leads to its parent."""
        name = self._names[id(node)]
        yield _node(name, "Node2D", path, _pose(node, whole) | self._depth(node) | _metadata(node))
        below = name if path == "." else f"{path}/{name}"
        for part in node.parts:
            yield from self.blocks(part, node, below)
        if not node.parts:
            yield from _drawing(node, below)

    def _depth(self, node: Observation) -> dict[str, str]:
        return {} if node.parts else {"z_index": str(self._depths[id(node)])}


def _scale(node: Observation | None) -> float:
    """How large one unit of the node's own frame is, in px."""
    return 1.0 if node is None else max(math.sqrt(abs(node.size[0] * node.size[1])), 1e-3) / UNIT


def _pose(node: Observation, whole: Observation | None) -> dict[str, str]:
    """Where a node stands in the frame of its whole."""
    (x, y), turn = (whole.position, whole.rotation) if whole is not None else ((0.0, 0.0), 0.0)
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    dx, dy = node.position[0] - x, node.position[1] - y
    scale = _scale(whole)
    return {
        "position": vector((cos * dx + sin * dy) / scale, (cos * dy - sin * dx) / scale),
        "rotation": number(math.radians(math.remainder(node.rotation - turn, 360.0))),
        "scale": vector(_scale(node) / scale, _scale(node) / scale),
    }


def _metadata(node: Observation) -> dict[str, str]:
    """What is known about a node besides its pose."""
    known = {
        "symbol": text(node.symbol),
        "p": number(node.p),
        "size": vector(*node.size),
        "attributes": dictionary({name: number(value) for name, value in node.attributes.items()}),
    }
    if node.form is not None:
        known["form"] = f"PackedFloat64Array({', '.join(map(number, node.form))})"
    if node.route is not None:
        known["route"] = text(node.route)
    if node.track is not None:
        known["track"] = str(node.track)
    if node.velocity is not None:
        known["velocity"] = vector(*node.velocity)
    if node.spin is not None:
        known["spin"] = number(node.spin)
    return {f"metadata/{name}": value for name, value in known.items()}


def _drawing(leaf: Observation, path: str) -> Iterator[str]:
    """A primitive as polygons for what is filled and lines for its stroke, centred on the boundary; one that
    is nothing but a stroke as the line alone."""
    own, scale = layer(leaf), _scale(leaf)
    if own.primitive.strokelike and own.stroke == 0:
        if own.filled > 0:
            cap = ROUND if ends(own)[1] else NONE
            told = strokes(own)
            for name, (line, _) in zip(numbered("stroke" for _ in told), told, strict=True):
                yield _node(name, "Line2D", path, _line(line / scale, own.size[1] / scale, cap) | _ink(own))
        return
    if own.filled > 0 and own.encloses:
        filled = [[ring / scale for ring in region] for region in outline(own)]
        for name, region in zip(numbered("fill" for _ in filled), filled, strict=True):
            properties = {"polygon": points(_cut(region)), "color": colour(*own.colour, own.filled)}
            yield _node(name, "Polygon2D", path, properties | {"antialiased": "true"})
    if own.stroke > 0:
        told = strokes(own)
        names = numbered("outline" if closed else "stroke" for _, closed in told)
        for name, (line, closed) in zip(names, told, strict=True):
            cap = ROUND if own.cap >= ROUNDED else NONE
            properties = _line(line / scale, own.stroke / scale, cap, closed)
            if own.pointed:
                properties["joint_mode"] = str(SHARP)
            properties["default_color"] = colour(*own.stroke_colour)
            yield _node(name, "Line2D", path, properties)


def _line(line: Ring, width: float, cap: int, closed: bool = False) -> dict[str, str]:
    """The properties of a Line2D; one that closes has no ends (Godot 4.2)."""
    found = {"points": points(line)} | ({"closed": "true"} if closed else {})
    ends = {} if closed else {"begin_cap_mode": str(cap), "end_cap_mode": str(cap)}
    return found | {"width": number(width), "joint_mode": str(ROUND)} | ends | {"antialiased": "true"}


def _ink(own: Layer) -> dict[str, str]:
    return {"default_color": colour(*own.colour, own.filled)}


def _cut(region: Region) -> Ring:
    """One closed line around a region with holes: a cut leads to each hole and back."""
    line, *holes = region
    for hole in holes:
        apart = np.linalg.norm(line[:, None] - hole[None], axis=-1)
        i, j = np.unravel_index(int(apart.argmin()), apart.shape)
        line = np.concatenate([line[: i + 1], hole[j:], hole[: j + 1], line[i:]])
    return line


def _background(scene: Scene) -> tuple[list[str], str]:
    """The first sections of the file, and the node behind all others: one colour, or the picture itself."""
    ground, behind = scene.background, {"z_index": "-1"}
    if (ground == ground[0, 0]).all():
        w, h = scene.width, scene.height
        corners = np.array([(0, 0), (w, 0), (w, h), (0, h)], float)
        properties = {"polygon": points(corners), "color": colour(*(ground[0, 0] / 255))}
        return [_section("gd_scene", {"format": "3"})], _node(
            "background", "Polygon2D", ".", behind | properties
        )
    data = {
        "data": f"PackedByteArray({', '.join(map(str, ground.ravel().tolist()))})",
        "format": text("RGB8"),
        "height": str(scene.height),
        "mipmaps": "false",
        "width": str(scene.width),
    }
    image = _section(
        "sub_resource", {"type": text("Image"), "id": text("picture")}, {"data": dictionary(data)}
    )
    texture = _section(
        "sub_resource",
        {"type": text("ImageTexture"), "id": text("texture")},
        {"image": 'SubResource("picture")'},
    )
    properties = {"texture": 'SubResource("texture")', "centered": "false"}
    header = _section("gd_scene", {"load_steps": "3", "format": "3"})
    return [header, image, texture], _node("background", "Sprite2D", ".", behind | properties)


def _node(name: str, kind: str, parent: str, properties: Mapping[str, str]) -> str:
    heading = {"name": text(name), "type": text(kind), "parent": text(parent)}
    return _section("node", heading, properties)


def _section(tag: str, heading: Mapping[str, str], properties: Mapping[str, str] | None = None) -> str:
    """One block of the file: a heading in brackets, then a line per property."""
    fields = " ".join(f"{key}={value}" for key, value in heading.items())
    lines = [f"{key} = {value}\n" for key, value in (properties or {}).items()]
    return f"[{tag} {fields}]\n" + "".join(lines)


def text(value: str) -> str:
    """A string in quotes."""
    escaped = legal(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def number(value: float) -> str:
    """To the last digit."""
    return repr(float(value) + 0.0)


def vector(x: float, y: float) -> str:
    return f"Vector2({number(x)}, {number(y)})"


def points(ring: NDArray[np.float64]) -> str:
    return f"PackedVector2Array({', '.join(f'{value:.6g}' for value in ring.ravel())})"


def colour(red: float, green: float, blue: float, alpha: float = 1.0) -> str:
    return f"Color({', '.join(number(value) for value in (red, green, blue, alpha))})"


def dictionary(values: Mapping[str, str]) -> str:
    lines = ",\n".join(f"{text(key)}: {value}" for key, value in values.items())
    return f"{{\n{lines}\n}}" if values else "{}"

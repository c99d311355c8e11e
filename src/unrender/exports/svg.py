""".svg: real shapes, one <g> per object, nested like the tree."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

from unrender.exports.layers import covers
from unrender.exports.names import legal, numbered
from unrender.exports.order import PaintingOrder
from unrender.exports.registry import exporter
from unrender.exports.rows import rows
from unrender.exports.svg_shapes import shape
from unrender.scene import Observation, Scene
from unrender.scene.pixels import layer

_NOT_NAME = re.compile("[^A-Za-z0-9_.\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u037d\u037f-\u1fff\u3001-\ud7ff-]+")


@exporter(".svg")
def svg(scene: Scene, name: str) -> str:
    """The scene as SVG 1.1 with `href` of SVG 2: the background, then every tree, then what is lifted."""
    return _Drawing(scene).text(name)


class _Drawing:
    """One file while it is being made."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._order = PaintingOrder(scene, covers(scene))
        self._lifted = {id(leaf) for leaf in self._order.lifted}
        nodes = scene.observations
        self._ids = dict(zip(map(id, nodes), numbered(_id(node.symbol) for node in nodes), strict=True))
        self._rows = dict(zip(map(id, nodes), rows(scene), strict=True))

    def text(self, name: str) -> str:
        width, height = str(self._scene.width), str(self._scene.height)
        root = ET.Element(
            "svg",
            xmlns="http://www.w3.org/2000/svg",
            width=width,
            height=height,
            viewBox=f"0 0 {width} {height}",
        )
        ET.SubElement(root, "title").text = legal(name)
        root.append(_background(self._scene))
        for axiom in self._order.axioms:
            self._grow(root, axiom)
        for leaf in self._order.lifted:
            ET.SubElement(root, "use", href=f"#{self._shape_id(leaf)}")
        ET.indent(root, " ")
        return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"

    def _grow(self, branch: ET.Element, node: Observation) -> None:
        group = ET.SubElement(branch, "g", {"id": self._ids[id(node)]} | _data(self._rows[id(node)]))
        ET.SubElement(group, "title").text = legal(node.symbol)
        if node.parts:
            for part in self._order.siblings(node.parts):
                self._grow(group, part)
        else:
            own = shape(layer(node))
            if id(node) in self._lifted:  # it belongs here, but is painted later
                own.set("id", self._shape_id(node))
                group = ET.SubElement(group, "defs")
            group.append(own)

    def _shape_id(self, leaf: Observation) -> str:
        return f"{self._ids[id(leaf)]}-shape"


def _background(scene: Scene) -> ET.Element:
    """A rectangle of one colour, or the picture itself."""
    place = {"id": "background", "width": str(scene.width), "height": str(scene.height)}
    ground = scene.to_dict()["background"]
    if isinstance(ground, str):
        return ET.Element("image", place | {"href": f"data:image/png;base64,{ground}"})
    return ET.Element("rect", place | {"fill": "#{:02x}{:02x}{:02x}".format(*ground)})


def _data(row: dict[str, Any]) -> dict[str, str]:
    """What is known about a node as data- attributes; names that become alike get a hyphen more."""
    found: dict[str, str] = {}
    for key, value in row.items():
        if value is not None and key not in ("id", "parent"):
            name = f"data-{_word(key.lower())}"
            while name in found:
                name += "-"
            found[name] = legal(str(value))
    return found


def _word(name: str) -> str:
    """`name` with hyphens for what an XML name cannot hold."""
    return _NOT_NAME.sub("-", name)


def _id(name: str) -> str:
    """`name` as an XML name, which starts with a letter."""
    word = _word(name)
    return word if word[:1].isalpha() else f"_{word}"

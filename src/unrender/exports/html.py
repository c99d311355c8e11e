"""A scene in a notebook: the picture, what was seen in it, and the tree, in HTML that needs no other file."""

from __future__ import annotations

import base64
import io
from html import escape
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError, one_line
from unrender.exports.figure import distinct
from unrender.exports.svg_shapes import shape
from unrender.scene import Observation, Scene
from unrender.scene.addresses import addresses
from unrender.scene.pixels import layer

SIDE = 360  # px of the longer side of a picture on the page
LINES = 200  # of the tree; a page is not for more
SHAPES = 2000  # in the overlay
FADED = "0.45"  # opacity of the picture below the overlay


def scene_html(scene: Scene) -> str:
    """A <div> with the panels side by side; names are escaped, and nothing in it runs."""
    colours = {id(axiom): _code(distinct(i)) for i, axiom in enumerate(scene.axioms)}
    panels = []
    if scene.picture is not None:
        panels.append(_panel("picture", _picture(scene, _png(scene.picture))))
    try:
        panels.append(_panel("seen", _overlay(scene, colours)))
    except UnrenderError as error:  # a notebook shows what there is
        panels.append(_panel("seen", escape(str(error))))
    panels.append(_panel(_count(len(scene.axioms)), _tree(scene, colours)))
    style = "display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start;font:13px/1.5 sans-serif"
    return f'<div style="{style}">{"".join(panels)}</div>'


def _count(axioms: int) -> str:
    return "1 object" if axioms == 1 else f"{axioms} objects, the front-most first"


def _panel(title: str, content: str) -> str:
    return f'<div><div style="opacity:0.7">{title}</div>{content}</div>'


def _sides(scene: Scene) -> tuple[str, str]:
    """Width and height on the page."""
    scale = SIDE / max(scene.width, scene.height)
    return str(round(scale * scene.width)), str(round(scale * scene.height))


def _picture(scene: Scene, data: str) -> str:
    width, height = _sides(scene)
    return f'<img src="{data}" width="{width}" height="{height}" alt="The picture that was seen.">'


def _overlay(scene: Scene, colours: dict[int, str]) -> str:
    """The picture, faded, below the shapes that were seen in it; the shapes of one object in one colour."""
    width, height = _sides(scene)
    box = f"0 0 {scene.width} {scene.height}"
    root = ET.Element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "width": width, "height": height, "viewBox": box}
        | {"role": "img", "aria-label": "The objects that were seen, drawn over the picture."},
    )
    ground = scene.image if scene.picture is None else scene.picture
    place = {"width": str(scene.width), "height": str(scene.height), "preserveAspectRatio": "none"}
    ET.SubElement(root, "image", place | {"href": _png(ground), "opacity": FADED})
    leaves = [(leaf, axiom) for axiom in scene.axioms for leaf in axiom.primitives]
    for leaf, axiom in leaves[:SHAPES]:
        own, colour = shape(layer(leaf)), colours[id(axiom)]
        own.attrib |= {"fill": colour, "fill-opacity": "0.25", "stroke": colour, "stroke-width": "1.5"}
        own.set("vector-effect", "non-scaling-stroke")
        ET.SubElement(own, "title").text = one_line(axiom.symbol)
        root.append(own)
    return ET.tostring(root, encoding="unicode")


def _tree(scene: Scene, colours: dict[int, str]) -> str:
    """One line for each node, as the command line numbers and names them."""
    known = addresses(scene)
    colour, lines = "", []
    for one in known[:LINES]:
        colour = colours.get(id(one.node), colour)  # a part has the colour of its axiom
        dot = f'<span style="color:{colour}">&#9632;</span>'
        name = f"<b>{escape(one_line(one.name))}</b>"
        indent = f"padding-left:{1.5 * one.level}em;white-space:nowrap"
        lines.append(f'<div style="{indent}">{dot} {one.number} {name} {escape(_told(one.node))}</div>')
    if len(known) > LINES:
        lines.append(f"<div>and {len(known) - LINES} more</div>")
    return f'<div style="max-height:{SIDE}px;overflow:auto;padding-right:1.5em">{"".join(lines)}</div>'


def _told(node: Observation) -> str:
    """What `repr` says of a node, without its name."""
    return repr(node).removeprefix("<").removesuffix(">").partition(" at ")[2]


def _code(colour: tuple[float, float, float]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*(round(200 * part) for part in colour))  # dark enough on white


def _png(picture: NDArray[np.uint8]) -> str:
    """A picture as a data URI, no larger than it is shown on a fine screen."""
    from PIL import Image

    image = Image.fromarray(picture)
    image.thumbnail((2 * SIDE, 2 * SIDE))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"

"""Three ways from a picture to an SVG file: unrender, vtracer, and potrace colour by colour."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scatter import Colour
from skimage.measure import points_in_poly

import unrender

Pixels = NDArray[np.uint8]
SVG = "http://www.w3.org/2000/svg"
DRAWN = {"rect", "circle", "ellipse", "polygon", "path", "image"}  # elements that paint
GEOMETRY = "d points transform x y width height cx cy r rx ry stroke-width"  # attributes that hold numbers
Tracer = Callable[[Pixels, Sequence[Colour]], str]


def by_unrender(brain: unrender.Brain) -> Tracer:
    """As a user has it: see, and save; the colours are not told."""

    def trace(image: Pixels, colours: Sequence[Colour]) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scene.svg"
            brain.see(image).save(path)
            return path.read_text(encoding="utf-8")

    return trace


def by_vtracer(image: Pixels, colours: Sequence[Colour]) -> str:
    """vtracer at its defaults; the colours are not told."""
    import vtracer

    return str(vtracer.convert_raw_image_to_svg(png(image), img_format="png"))


def by_potrace(image: Pixels, colours: Sequence[Colour]) -> str:
    """potrace at its defaults, once for every true colour, which it is told: it knows black and white only.

    Every pixel belongs to the nearest colour. The layers are stacked, the largest at the bottom and each with
    all that lies above it, so that no gaps show between them.
    """
    levels = np.round(255 * np.array(list(dict.fromkeys(colours)))).astype(np.uint8)
    nearest = np.stack([((image - level.astype(float)) ** 2).sum(-1) for level in levels]).argmin(0)
    order = np.argsort([-(nearest == k).sum() for k in range(len(levels))])
    height, width = image.shape[:2]
    root = ET.Element("svg", xmlns=SVG, width=str(width), height=str(height))
    for place, k in enumerate(order):
        mask = np.isin(nearest, order[place:])
        for path in _outlines(mask):
            ET.SubElement(root, "path", {"d": path, "fill": "#{:02x}{:02x}{:02x}".format(*levels[k])})
    return ET.tostring(root, encoding="unicode")


def _outlines(mask: NDArray[np.bool_]) -> list[str]:
    """A path for every connected piece of a mask, its holes included."""
    import potrace

    curves = potrace.Bitmap(~mask).trace()  # of two colours it traces the darker
    rings = [_control(curve) for curve in curves]
    areas = [_area(ring) for ring in rings]
    pieces = {i: [_commands(curve)] for i, curve in enumerate(curves) if areas[i] > 0}
    for i, curve in enumerate(curves):
        if areas[i] <= 0:  # a hole, of the smallest piece that it is in
            around = [j for j in pieces if points_in_poly(rings[i][:1], rings[j])[0]]
            piece = min(around or pieces, key=lambda j: areas[j], default=i)  # or a speck without an inside
            pieces.setdefault(piece, []).append(_commands(curve))
    return [" ".join(piece) for piece in pieces.values()]


def _control(curve: Any) -> NDArray[np.float64]:
    """(N, 2): the control points of a closed curve, which lies close within them."""
    points = [curve.start_point]
    for own in curve.segments:
        points += [own.c, own.end_point] if own.is_corner else [own.c1, own.c2, own.end_point]
    return np.array([(point.x, point.y) for point in points])


def _area(ring: NDArray[np.float64]) -> float:
    """Of a polygon (N, 2); negative for a hole, which runs the other way round."""
    x, y = ring.T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def _commands(curve: Any) -> str:
    """One closed curve as SVG path commands."""
    out = [f"M{_point(curve.start_point)}"]
    for segment in curve.segments:
        if segment.is_corner:
            out.append(f"L{_point(segment.c)}L{_point(segment.end_point)}")
        else:
            out.append(f"C{_point(segment.c1)} {_point(segment.c2)} {_point(segment.end_point)}")
    return "".join([*out, "Z"])


def _point(point: Any) -> str:
    return f"{point.x:.3f},{point.y:.3f}"


# What an SVG file holds


def elements(svg: str) -> list[ET.Element]:
    """All elements that paint, each once, in the order of the file."""
    return [node for node in ET.fromstring(svg).iter() if node.tag.rpartition("}")[2] in DRAWN]


def numbers(element: ET.Element) -> int:
    """How many numbers say where an element is and which form it has."""
    texts = [element.get(key, "") for key in GEOMETRY.split()]
    return sum(len(re.findall(r"-?\d*\.?\d+(?:e-?\d+)?", text)) for text in texts)


def rendered(svg: str) -> NDArray[np.uint8]:
    """uint8 HxWx4 as resvg draws it, which shares no code with us."""
    import resvg_py

    with Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))) as file:
        return np.asarray(file.convert("RGBA"))


def alone(element: ET.Element, width: int, height: int) -> tuple[NDArray[np.float64], Colour | None]:
    """What an element paints by itself: float HxW, how much of each pixel, and its colour."""
    root = ET.Element(f"{{{SVG}}}svg", width=str(width), height=str(height))
    root.append(element)
    alpha: NDArray[np.float64] = rendered(ET.tostring(root, encoding="unicode"))[..., 3] / 255.0
    paint = element.get("fill", "none")
    colour = element.get("stroke", "none") if paint == "none" else paint
    if not colour.startswith("#"):
        return alpha, None
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return alpha, (red, green, blue)


def png(image: Pixels) -> bytes:
    """The bytes of a PNG file."""
    file = io.BytesIO()
    Image.fromarray(image).save(file, "PNG")
    return file.getvalue()

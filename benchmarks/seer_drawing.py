"""Shapes with two colours, drawn by Pillow (supersampled), cairo or resvg. Never by the drawing under test.

All three put a stroke of `width` px astride the outline. Pillow rounds its corners; cairo and resvg mitre
them, as both do unless told otherwise.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from rasterise import CORNERS, alpha, composite
from scatter import Colour, Shape

from unrender.errors import UnrenderError

Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Painted:
    """A shape with an inside, a border or both: what is there, or what a seer says."""

    symbol: str
    position: tuple[float, float]  # (x, y) px, the centre
    size: tuple[float, float]  # (w, h) px before rotation, from the middle of the border
    rotation: float  # degrees, clockwise on the screen
    fill: Colour | None
    stroke: Colour | None = None
    width: float = 0.0  # px, of the border

    @property
    def reach(self) -> float:
        """px by which it paints beyond its outline."""
        return self.width / 2 if self.stroke else 0.0

    def layers(self) -> list[Shape]:
        """The inside and the border as shapes of one colour, back to front."""
        pose = self.symbol, self.position, self.size, self.rotation
        inside = [Shape(*pose, self.fill)] if self.fill else []
        border = [Shape(*pose, self.stroke, False, self.width / min(self.size))] if self.stroke else []
        return inside + border

    def silhouette(self, height: int, width: int) -> NDArray[np.float64]:
        """float HxW: the share of each pixel that it hides."""
        whole = np.zeros((height, width))
        for layer in self.layers():
            whole = np.maximum(whole, alpha(layer, height, width))
        return whole


def by_pillow(shapes: Sequence[Painted], ground: Colour, height: int, width: int) -> Pixels:
    """Polygons of many samples a pixel."""
    canvas = np.broadcast_to(np.array(ground), (height, width, 3)).copy()
    drawn = composite([layer for shape in shapes for layer in shape.layers()], canvas)
    return np.round(drawn * 255).clip(0, 255).astype(np.uint8)


def by_cairo(shapes: Sequence[Painted], ground: Colour, height: int, width: int) -> Pixels:
    """Antialiased as cairo does by default."""
    try:
        import cairocffi
    except OSError:  # the package is there, but not the library
        raise UnrenderError('Some pictures are drawn by cairo: install the package "libcairo2".') from None
    surface = cairocffi.ImageSurface(cairocffi.FORMAT_RGB24, width, height)
    pen = cairocffi.Context(surface)
    pen.set_source_rgb(*ground)
    pen.paint()
    for shape in shapes:
        _cairo_path(pen, shape)
        if shape.fill:
            pen.set_source_rgb(*shape.fill)
            pen.fill_preserve()
        if shape.stroke:
            pen.set_source_rgb(*shape.stroke)
            pen.set_line_width(shape.width)
            pen.stroke_preserve()
        pen.new_path()
    surface.flush()
    rows = np.frombuffer(bytes(surface.get_data()), np.uint8).reshape(height, surface.get_stride() // 4, 4)
    return np.ascontiguousarray(rows[:, :width, 2::-1])


def _cairo_path(pen: Any, shape: Painted) -> None:
    """The outline; the pen itself is not stretched, so that a stroke is equally wide everywhere."""
    a, b = shape.size[0] / 2, shape.size[1] / 2
    pen.save()
    pen.translate(*shape.position)
    pen.rotate(math.radians(shape.rotation))
    if shape.symbol == "circle":
        pen.scale(a, b)
        pen.new_sub_path()
        pen.arc(0, 0, 1, 0, 2 * math.pi)
    else:
        for x, y in CORNERS[shape.symbol] * (a, b):
            pen.line_to(x, y)
    pen.close_path()
    pen.restore()


def by_resvg(shapes: Sequence[Painted], ground: Colour, height: int, width: int) -> Pixels:
    """From elements of SVG."""
    parts = [f'<rect width="{width}" height="{height}" fill="{_hex(ground)}"/>', *map(_element, shapes)]
    return svg_pixels("".join(parts), height, width)


def svg_pixels(body: str, height: int, width: int) -> Pixels:
    """uint8 HxWx3 of what stands in an SVG file, as resvg draws it."""
    import resvg_py

    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
    with Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=f"{head}{body}</svg>")))) as file:
        return np.asarray(file.convert("RGB"))


def _element(shape: Painted) -> str:
    (x, y), (w, h) = shape.position, shape.size
    looks = f'fill="{_hex(shape.fill)}" stroke="{_hex(shape.stroke)}" stroke-width="{shape.width:.4f}"'
    looks += f' transform="translate({x:.4f} {y:.4f}) rotate({shape.rotation:.4f})"'
    if shape.symbol == "circle":
        return f'<ellipse rx="{w / 2:.4f}" ry="{h / 2:.4f}" {looks}/>'
    if shape.symbol == "square":
        return f'<rect x="{-w / 2:.4f}" y="{-h / 2:.4f}" width="{w:.4f}" height="{h:.4f}" {looks}/>'
    corners = CORNERS[shape.symbol] * (w / 2, h / 2)
    return f'<polygon points="{" ".join(f"{p:.4f},{q:.4f}" for p, q in corners)}" {looks}/>'


def _hex(colour: Colour | None) -> str:
    return "none" if colour is None else "#" + "".join(f"{round(255 * value):02x}" for value in colour)


RENDERERS: dict[str, Callable[[Sequence[Painted], Colour, int, int], Pixels]] = {
    "Pillow": by_pillow,
    "cairo": by_cairo,
    "resvg": by_resvg,
}

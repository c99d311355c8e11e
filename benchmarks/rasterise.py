"""An independent rasteriser: Pillow polygons, supersampled. Never `unrender.render`, which is under test.

Every edge is a polygon: a filled shape is its outline; a stroke of width 2τ is the outline pushed outwards
by τ (with round corners) minus the outline pushed inwards by τ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Window = tuple[slice, slice]

FEWEST, MOST = 8, 64  # samples per pixel side; small shapes get more, because Pillow snaps vertices to them
SIDE = 2048  # samples along the side of a window that are aimed for
INCLUSIVE = 0.32  # samples by which Pillow, which paints the edge itself too, fills too far (measured)
CORNERS = {
    "square": np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]),
    "triangle": np.array([(0.0, -1.0), (math.sqrt(3) / 2, 0.5), (-math.sqrt(3) / 2, 0.5)]),
}


class Posed(Protocol):
    """A symbol with its pose."""

    @property
    def symbol(self) -> str: ...
    @property
    def position(self) -> tuple[float, float]: ...
    @property
    def size(self) -> tuple[float, float]: ...
    @property
    def rotation(self) -> float: ...


class Drawable(Posed, Protocol):
    """And with its looks."""

    @property
    def colour(self) -> tuple[float, float, float]: ...
    @property
    def filled(self) -> bool: ...
    @property
    def thickness(self) -> float: ...


def outline(shape: Posed, offset: float = 0.0) -> Floats:
    """(N, 2) vertices in pixels of the boundary moved outwards by `offset` px, round at the corners."""
    a, b = shape.size[0] / 2, shape.size[1] / 2
    points = _ellipse(a, b, offset) if shape.symbol == "circle" else _polygon(shape.symbol, a, b, offset)
    angle = math.radians(shape.rotation)
    cos, sin = math.cos(angle), math.sin(angle)
    return points @ np.array([[cos, sin], [-sin, cos]]) + np.array(shape.position)


def _ellipse(a: float, b: float, offset: float) -> Floats:
    """The ellipse with half axes a, b, every point moved along its normal."""
    t = np.linspace(0.0, 2 * math.pi, 64 + int(8 * max(a, b)), endpoint=False)
    normal = np.stack([b * np.cos(t), a * np.sin(t)], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    return np.stack([a * np.cos(t), b * np.sin(t)], axis=1) + offset * normal


def _polygon(symbol: str, a: float, b: float, offset: float) -> Floats:
    """A clockwise polygon, moved inwards with sharp corners or outwards with round ones."""
    corners = CORNERS.get(symbol, CORNERS["square"]) * (a, b)  # of what is no polygon its box
    edges = np.roll(corners, -1, axis=0) - corners
    normals = np.stack([edges[:, 1], -edges[:, 0]], axis=1) / np.linalg.norm(edges, axis=1, keepdims=True)
    before = np.roll(normals, 1, axis=0)
    if offset <= 0:
        mitre = (before + normals) / (1 + np.sum(before * normals, axis=1, keepdims=True))
        return corners + offset * mitre
    arcs = []
    for corner, start, end in zip(corners, before, normals, strict=True):
        first = math.atan2(start[1], start[0])
        turn = (math.atan2(end[1], end[0]) - first) % (2 * math.pi)
        t = first + np.linspace(0.0, turn, 12 + int(4 * offset))
        arcs.append(corner + offset * np.stack([np.cos(t), np.sin(t)], axis=1))
    return np.concatenate(arcs)


def window(points: Floats, height: int, width: int) -> Window:
    """Rows and columns of the canvas that a polygon can touch."""
    low = np.floor(points.min(axis=0)).astype(int) - 1
    high = np.ceil(points.max(axis=0)).astype(int) + 1
    (left, right), (top, bottom) = (
        np.clip((low[i], high[i]), 0, limit) for i, limit in enumerate((width, height))
    )
    return slice(int(top), int(bottom)), slice(int(left), int(right))


def half_stroke(shape: Drawable) -> float:
    """τ in pixels; 0 for a filled shape, which ends at its boundary."""
    return 0.0 if shape.filled else shape.thickness * min(shape.size) / 2


def patch(shape: Drawable, height: int, width: int) -> tuple[Window, Floats]:
    """The window of the shape and its alpha there: the share of each pixel that it paints."""
    tau = half_stroke(shape)
    area = window(outline(shape, tau), height, width)
    tall, wide = (side.stop - side.start for side in area)
    if tall <= 0 or wide <= 0:
        return area, np.zeros((max(tall, 0), max(wide, 0)))
    scale = max(FEWEST, min(MOST, SIDE // max(tall, wide)))
    canvas = Image.new("L", (wide * scale, tall * scale))
    _fill(canvas, outline(shape, tau - INCLUSIVE / scale), area, scale, 255)
    if not shape.filled and tau < inradius(shape):
        _fill(canvas, outline(shape, -tau - INCLUSIVE / scale), area, scale, 0)
    return area, np.asarray(canvas.reduce(scale), np.float64) / 255


def silhouette(shape: Drawable, height: int, width: int, grow: float = 0.0) -> tuple[Window, Mask]:
    """The window and the pixels of the whole shape, hollow or not, grown (or shrunk) by `grow` px."""
    points = outline(shape, half_stroke(shape) + grow)
    area = window(points, height, width)
    canvas = Image.new("1", (area[1].stop - area[1].start, area[0].stop - area[0].start))
    _fill(canvas, points, area, 1, 1)
    return area, np.asarray(canvas, bool)


def _fill(canvas: Image.Image, points: Floats, area: Window, scale: int, value: int) -> None:
    """Fill a polygon; Pillow's whole numbers are the centres of samples."""
    snapped = np.round((points - (area[1].start, area[0].start)) * scale - 0.5).astype(int)
    ImageDraw.Draw(canvas).polygon([(int(x), int(y)) for x, y in snapped], fill=value)


def inradius(shape: Drawable) -> float:
    """How far the boundary can move inwards before nothing is left, in pixels."""
    a, b = shape.size[0] / 2, shape.size[1] / 2
    if shape.symbol == "triangle":
        half_base, tall = math.sqrt(3) / 2 * a, 1.5 * b
        return half_base * tall / (half_base + math.hypot(half_base, tall))
    return min(a, b)


def alpha(shape: Drawable, height: int, width: int) -> Floats:
    """float HxW: the share of each pixel that the shape paints."""
    area, inside = patch(shape, height, width)
    mask = np.zeros((height, width))
    mask[area] = inside
    return mask


def composite(shapes: Iterable[Drawable], ground: Floats) -> Floats:
    """Paint `shapes` back to front over a float HxWx3 ground."""
    picture = ground.copy()
    for shape in shapes:
        area, inside = patch(shape, *ground.shape[:2])
        picture[area] += inside[..., None] * (np.array(shape.colour) - picture[area])
    return picture

"""Pictures by cairo, as other people's software draws them: polygons, discs, strokes."""

import math
from collections.abc import Callable, Sequence

import cairocffi
import numpy as np

RED, GREY = (0.9, 0.2, 0.1), (0.8, 0.8, 0.8)
Drawing = Callable[[cairocffi.Context], None]
Points = Sequence[tuple[float, float]]


def drawn(size: tuple[int, int], *drawings: Drawing, ground: tuple = GREY) -> np.ndarray:
    """float32 (H, W, 3): drawings one over the other."""
    width, height = size
    surface = cairocffi.ImageSurface(cairocffi.FORMAT_RGB24, width, height)
    context = cairocffi.Context(surface)
    context.set_source_rgb(*ground)
    context.paint()
    for drawing in drawings:
        drawing(context)
    pixels = np.frombuffer(bytes(surface.get_data()), np.uint8).reshape(height, -1, 4)
    return pixels[:, :width, 2::-1].astype(np.float32) / 255


def polygon(points: Points, colour: tuple = RED) -> Drawing:
    return _path(points, colour, None, True)


def stroke(
    points: Points, width: float, colour: tuple = RED, closed: bool = False, round_: bool = False
) -> Drawing:
    """round_: its ends and corners, which are else straight and mitred."""
    return _path(points, colour, width, closed, round_)


def _path(points: Points, colour: tuple, width: float | None, closed: bool, round_: bool = False) -> Drawing:
    def draw(context: cairocffi.Context) -> None:
        context.set_source_rgb(*colour)
        context.move_to(*points[0])
        for x, y in points[1:]:
            context.line_to(x, y)
        if closed:
            context.close_path()
        if width is None:
            context.fill()
        else:
            context.set_line_width(width)
            context.set_line_cap(cairocffi.LINE_CAP_ROUND if round_ else cairocffi.LINE_CAP_BUTT)
            context.set_line_join(cairocffi.LINE_JOIN_ROUND if round_ else cairocffi.LINE_JOIN_MITER)
            context.stroke()

    return draw


def disc(x: float, y: float, radius: float, colour: tuple = RED, width: float | None = None) -> Drawing:
    """A disc, or a circle of a line width."""

    def draw(context: cairocffi.Context) -> None:
        context.set_source_rgb(*colour)
        context.arc(x, y, radius, 0, 2 * math.pi)
        if width is None:
            context.fill()
        else:
            context.set_line_width(width)
            context.stroke()

    return draw


def rounded(x: float, y: float, w: float, h: float, radius: float, turn: float = 0.0) -> Drawing:
    def draw(context: cairocffi.Context) -> None:
        context.save()
        context.translate(x, y)
        context.rotate(turn)
        context.set_source_rgb(*RED)
        a, b, quarter = w / 2 - radius, h / 2 - radius, math.pi / 2
        context.new_sub_path()
        for k, (px, py) in enumerate(((a, -b), (a, b), (-a, b), (-a, -b))):
            context.arc(px, py, radius, (k - 1) * quarter, k * quarter)
        context.close_path()
        context.fill()
        context.restore()

    return draw


def regular(x: float, y: float, radius: float, corners: int, turn: float, inner: float = 0.0) -> Points:
    """Corners of a regular polygon, or of a star whose inner corners lie at a share of the radius."""
    count = 2 * corners if inner else corners
    return [
        (
            x + radius * (inner if inner and k % 2 else 1.0) * math.cos(turn + 2 * math.pi * k / count),
            y + radius * (inner if inner and k % 2 else 1.0) * math.sin(turn + 2 * math.pi * k / count),
        )
        for k in range(count)
    ]

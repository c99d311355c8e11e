"""Marks painted by cairo: for the truth's own outlines, and for looking at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from strokes_paths import Floats, Line
from strokes_svg import Mark

from unrender.errors import UnrenderError

CAPS = {"butt": 0, "round": 1, "square": 2}  # cairo's numbers
JOINS = {"miter": 0, "round": 1, "bevel": 2}
FINER = 8  # times as many pixels as the picture, where its outlines are read


def coverage(marks: Sequence[Mark], width: int, height: int, scale: int = 1) -> Floats:
    """float (scale*height, scale*width): the share of each pixel that is painted."""
    cairo = _cairo()
    surface = cairo.ImageSurface(cairo.FORMAT_A8, width * scale, height * scale)
    pen = cairo.Context(surface)
    pen.scale(scale, scale)
    pen.set_tolerance(0.01)
    for mark in marks:
        trace(pen, mark.lines)
        pen.set_fill_rule(cairo.FILL_RULE_EVEN_ODD if mark.even_odd else cairo.FILL_RULE_WINDING)
        if mark.width:
            pen.set_line_width(mark.width)
            pen.set_line_cap(CAPS[mark.cap])
            pen.set_line_join(JOINS[mark.join])
            pen.stroke()
        else:
            pen.fill()
    surface.flush()
    rows = np.frombuffer(bytes(surface.get_data()), np.uint8).reshape(height * scale, surface.get_stride())
    return np.asarray(rows[:, : width * scale] / 255.0)


def trace(pen: Any, lines: Sequence[Line]) -> None:
    """Put lines into the path of a pen."""
    for line in lines:
        pen.new_sub_path()
        for x, y in line.points:
            pen.line_to(float(x), float(y))
        if line.closed:
            pen.close_path()


def outlines(marks: Sequence[Mark], width: int, height: int) -> list[Line]:
    """The outlines of all that is painted, from pixels much finer than the picture's."""
    from skimage.measure import find_contours

    painted = np.pad(coverage(marks, width, height, FINER), 1)
    found = []
    for ring in find_contours(painted, 0.5):
        points = (ring[:, ::-1] - 0.5) / FINER
        found.append(Line(points, True, points[:0]))
    return found


def painted(
    marks: Sequence[Mark], colour: Sequence[int], ground: Sequence[int], width: int, height: int
) -> NDArray[np.uint8]:
    """uint8 HxWx3: marks of one colour."""
    share = coverage(marks, width, height)[..., None]
    mixed = share * np.array(colour) + (1 - share) * np.array(ground)
    return np.asarray(np.round(mixed), dtype=np.uint8)


def canvas(width: int, height: int, ground: Sequence[float]) -> tuple[Any, Any]:
    """A surface of one colour, and a pen for it."""
    cairo = _cairo()
    surface = cairo.ImageSurface(cairo.FORMAT_RGB24, width, height)
    pen = cairo.Context(surface)
    pen.set_source_rgb(*ground)
    pen.paint()
    return surface, pen


def pixels(surface: Any) -> NDArray[np.uint8]:
    """uint8 HxWx3 of a surface."""
    surface.flush()
    height, width = surface.get_height(), surface.get_width()
    rows = np.frombuffer(bytes(surface.get_data()), np.uint8).reshape(height, surface.get_stride() // 4, 4)
    return np.ascontiguousarray(rows[:, :width, 2::-1])


def _cairo() -> Any:
    try:
        import cairocffi
    except OSError:  # the package is there, but not the library
        raise UnrenderError('Lines are drawn by cairo: install the package "libcairo2".') from None
    return cairocffi

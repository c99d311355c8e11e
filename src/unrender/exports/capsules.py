"""A capsule network as a picture, after the paper's Figure "Results": primitives left, arrows to wholes."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from unrender.exports.fonts import boxes_allowed, families
from unrender.exports.levels import Levels, Link, RouteLike, levels
from unrender.primitives.registry import primitives

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

APART, BELOW = 2.5, 1.5  # from column to column, from row to row, in units of the drawing
RADIUS = 0.62  # of a hexagon
DOOR = 0.13  # radius of the mark of one route of several
INCH = 0.72  # per unit
FONT = 10.0  # pt
LETTERS = 9  # of that size fit into a hexagon
GREY, INK = "#858d9b", "#ffffff"
PRIMITIVE, PART, TOP = "#b7791f", "#c2415b", "#4f5bd5"  # legible on white and on black

Point = tuple[float, float]


class Knowing(Protocol):
    """A brain."""

    @property
    def symbols(self) -> Mapping[str, Sequence[RouteLike]]:
        """Every symbol that was learned, with its routes."""


def capsule_graph(brain: Knowing) -> Figure:
    """A figure of all capsules: hexagons with their names, and arrows from parts to wholes.

    A whole with several routes has a numbered mark for each; "3×" on an arrow says that three such parts are
    needed; what was taught of a whole itself stands below it.
    """
    from matplotlib.figure import Figure

    used = {part for routes in brain.symbols.values() for route in routes for part in route.parts}
    # of strokes and paths, which are many, only those that something is made of
    shown = [
        name
        for name, kind in primitives().items()
        if name in used or (kind.closed and not kind.formed and not kind.strokelike)
    ]
    drawn = levels(brain.symbols, shown)
    rows = max(map(len, drawn.columns))
    width, height = APART * (len(drawn.columns) - 1) + 2 * RADIUS + 0.5, BELOW * rows + 0.2
    figure = Figure(figsize=(INCH * width, INCH * height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(-RADIUS - 0.25, width - RADIUS - 0.25)
    axes.set_ylim(height / 2, -height / 2)
    places = {name: (APART * i, BELOW * j) for name, (i, j) in drawn.places.items()}
    for link in drawn.links:
        _arrow(axes, link, drawn, places)
    for name in drawn.capsules:
        _hexagon(axes, name, places[name], drawn)
    return figure


def capsule_graph_svg(brain: Knowing) -> str:
    """The same as SVG on a clear ground, to stand alone or within a page."""
    from matplotlib import rc_context

    buffer = io.StringIO()
    with (
        rc_context({"svg.fonttype": "none", "svg.hashsalt": "unrender", "font.family": "sans-serif"}),
        boxes_allowed(),
    ):
        capsule_graph(brain).savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def capsule_graph_png(brain: Knowing, dots: int) -> bytes:
    """The same as PNG, so many dots to the inch."""
    buffer = io.BytesIO()
    with boxes_allowed():
        capsule_graph(brain).savefig(buffer, format="png", dpi=dots)
    return buffer.getvalue()


def _arrow(axes: Axes, link: Link, drawn: Levels, places: Mapping[str, Point]) -> None:
    """From the right corner of a part to the mark of the route, or to the left corner of the whole."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    x, y = places[link.part]
    stops = [(x + RADIUS, y), *(places[bend] for bend in link.via), _door(link, drawn, places)]
    points, codes = [stops[0]], [Path.MOVETO]
    for (x0, y0), (x1, y1) in pairwise(stops):
        bend = 0.45 * (x1 - x0)
        points += [(x0 + bend, y0), (x1 - bend, y1), (x1, y1)]
        codes += [Path.CURVE4] * 3
    arrow = FancyArrowPatch(
        path=Path(points, codes), arrowstyle="-|>", mutation_scale=9, color=GREY, linewidth=1.2, zorder=1
    )
    axes.add_patch(arrow)
    alike = next(one for one in drawn.links if (one.part, one.whole) == (link.part, link.whole))
    if link.count > 1 and (alike is link or alike.count != link.count):  # said once of routes that agree
        at = _beside(points[-4:], 0.5 if drawn.routes[link.whole] == 1 else 0.8)
        axes.text(*at, f"{link.count}×", color=GREY, fontsize=0.8 * FONT, ha="center", va="center")


def _beside(curve: Sequence[Point], t: float) -> Point:
    """A point a little to the side of a Bézier curve at t."""
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    slopes = (-((1 - t) ** 2), (1 - t) * (1 - 3 * t), t * (2 - 3 * t), t**2)
    x, y = (sum(w * point[i] for w, point in zip(weights, curve, strict=True)) for i in (0, 1))
    dx, dy = (sum(s * point[i] for s, point in zip(slopes, curve, strict=True)) for i in (0, 1))
    length = math.hypot(dx, dy)
    return x + 0.17 * dy / length, y - 0.17 * dx / length


def _door(link: Link, drawn: Levels, places: Mapping[str, Point]) -> Point:
    """Where an arrow ends."""
    x, y = places[link.whole]
    doors = _doors(drawn.routes[link.whole], (x, y))
    return doors[link.route] if len(doors) > 1 else (x - RADIUS, y)


def _doors(routes: int, place: Point) -> list[Point]:
    """Where the marks of the routes of a whole stand."""
    step = min(2.6 * DOOR, BELOW / routes)
    return [(place[0] - RADIUS - 3 * DOOR, place[1] + step * (i - (routes - 1) / 2)) for i in range(routes)]


def _hexagon(axes: Axes, name: str, place: Point, drawn: Levels) -> None:
    """One capsule with its name, the marks of its routes, and what was taught of it."""
    from matplotlib.patches import Circle, RegularPolygon

    fill = PRIMITIVE if name not in drawn.routes else PART if drawn.is_part(name) else TOP
    x, y = place
    axes.add_patch(RegularPolygon(place, 6, radius=RADIUS, orientation=0.5236, color=fill, zorder=3))
    size = FONT * min(1.0, LETTERS / len(name))
    axes.text(
        x,
        y,
        name,
        color=INK,
        fontsize=size,
        family=families(name),
        ha="center",
        va="center",
        zorder=4,
        parse_math=False,
    )
    for i, at in enumerate(_doors(drawn.routes[name], place) if drawn.routes.get(name, 1) > 1 else []):
        axes.plot([at[0], x - 0.8 * RADIUS], [at[1], y], color=fill, linewidth=1.2, zorder=1)
        axes.add_patch(Circle(at, DOOR, facecolor=fill, edgecolor="none", zorder=3))
        axes.text(*at, str(i + 1), color=INK, fontsize=0.6 * FONT, ha="center", va="center", zorder=4)
    if words := drawn.words.get(name):
        below = y + 0.9 * RADIUS + 0.16
        axes.text(
            x,
            below,
            ", ".join(words),
            family=families(", ".join(words)),
            color=GREY,
            fontsize=0.8 * FONT,
            ha="center",
            va="center",
            style="italic",
        )

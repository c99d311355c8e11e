"""Diagrams and charts without text by cairo, and a web page by Chromium: how much of them is explained."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from counting import mean, median
from numpy.random import Generator
from report import Goal, Line
from seer_pictures import by_chromium, sentence
from strokes_icons import Pixels
from strokes_painting import canvas, pixels
from strokes_paths import Floats
from strokes_sight import Clock, timed
from vector_tracers import by_vtracer

WIDTH, HEIGHT = 480, 320  # px
INK = (0.15, 0.17, 0.22)


@dataclass(frozen=True)
class Seen:
    """One picture: the share of its pixels unlike the background that is explained, and what it took."""

    explained: float
    seconds: float
    vtracer: float


def diagram(rng: Generator) -> Pixels:
    """Boxes and ellipses in two rows, with connectors that are straight, bent or dashed, and arrowheads."""
    surface, pen = canvas(WIDTH, HEIGHT, (1, 1, 1))
    spots = [(80 + 160 * k % 480, 80 if k < 3 else 240) for k in range(6)]
    pen.set_line_width(float(rng.choice([1.5, 2.0, 3.0])))
    for k, (a, b) in enumerate([(0, 1), (1, 2), (4, 3), (0, 4), (1, 3), (2, 5)]):
        if rng.uniform() < 0.8:
            pen.set_dash([6.0, 4.0] if k == 5 else [])
            pen.set_source_rgb(*INK)
            _arrow(pen, np.array(spots[a], float), np.array(spots[b], float), float(rng.uniform(140, 180)))
    pen.set_dash([])
    for x, y in spots:
        w, h = rng.uniform(70, 96), rng.uniform(40, 60)
        if rng.integers(2):
            _rounded(pen, x - w / 2, y - h / 2, w, h, float(rng.choice([0.5, 8.0])))
        else:
            pen.save()
            pen.translate(x, y)
            pen.scale(w / 2, h / 2)
            pen.new_sub_path()
            pen.arc(0, 0, 1, 0, math.tau)
            pen.restore()
        pen.set_source_rgb(*rng.uniform(0.7, 1.0, 3))
        pen.fill_preserve()
        pen.set_source_rgb(*INK)
        pen.stroke()
    return pixels(surface)


def _arrow(pen: Any, start: Floats, goal: Floats, turn: float) -> None:
    """From one box to near another, with a filled head; where it must bend, across at the height `turn`."""
    pen.move_to(*start)
    across = start[1] == goal[1]
    if not across and start[0] != goal[0]:
        pen.line_to(start[0], turn)
        pen.line_to(goal[0], turn)
    along = np.array([np.sign(goal[0] - start[0]), 0.0]) if across else np.array([0.0, 1.0])
    last = goal - (56 if across else 37) * along
    pen.line_to(*last)
    pen.stroke()
    side = np.array([-along[1], along[0]])
    for point in (last + 4 * along, last - 7 * along + 5 * side, last - 7 * along - 5 * side):
        pen.line_to(*point)
    pen.fill()


def _rounded(pen: Any, x: float, y: float, w: float, h: float, r: float) -> None:
    pen.new_sub_path()
    for k, (u, v) in enumerate(
        [(x + w - r, y + r), (x + w - r, y + h - r), (x + r, y + h - r), (x + r, y + r)]
    ):
        pen.arc(u, v, r, (k - 1) * math.pi / 2, k * math.pi / 2)
    pen.close_path()


def chart(rng: Generator) -> Pixels:
    """Axes with ticks, a grid, bars, a line with points, and a curve."""
    surface, pen = canvas(WIDTH, HEIGHT, (1, 1, 1))
    left, bottom, right, top = 40.5, 280.5, 450.5, 30.5
    pen.set_line_width(1)
    for k in range(6):
        y = round(bottom - k * (bottom - top) / 5) + 0.5
        pen.set_source_rgb(0.85, 0.85, 0.85)
        pen.move_to(left, y)
        pen.line_to(right, y)
        pen.stroke()
    bars = rng.uniform(30, 200, 7)
    pen.set_source_rgb(*rng.uniform(0.3, 0.9, 3))
    for k, height in enumerate(bars):
        pen.rectangle(left + 18 + 57 * k, bottom - height, 30, height)
        pen.fill()
    points = [(left + 33 + 57 * k, bottom - value) for k, value in enumerate(rng.uniform(60, 230, 7))]
    pen.set_source_rgb(*rng.uniform(0.0, 0.5, 3))
    pen.set_line_width(2.5)
    for point in points:
        pen.line_to(*point)
    pen.stroke()
    for x, y in points:
        pen.arc(x, y, 4.5, 0, math.tau)
        pen.fill()
    pen.set_source_rgb(*rng.uniform(0.0, 0.6, 3))
    pen.move_to(left, bottom - 20)
    pen.curve_to(left + 140, bottom - rng.uniform(20, 120), left + 240, top, right, top + rng.uniform(0, 40))
    pen.stroke()
    pen.set_source_rgb(*INK)
    pen.set_line_width(1.5)
    for point in ((left, top), (left, bottom), (right, bottom)):
        pen.line_to(*point)
    pen.stroke()
    for k in range(7):
        pen.move_to(left + 33 + 57 * k, bottom)
        pen.line_to(left + 33 + 57 * k, bottom + 5)
    pen.stroke()
    return pixels(surface)


def page(rng: Generator) -> Pixels | None:
    """A bar, a heading, cards with icons and buttons, a list: text and all, as Chromium shows it."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        return None
    hue = int(rng.integers(360))
    icon = (
        "<svg width=24 height=24 viewBox='0 0 24 24' fill=none stroke=#345 stroke-width=2>"
        "<circle cx=12 cy=12 r=9 /><path d='M8 12l3 3 5-6'/></svg>"
    )
    cards = "".join(
        f"<div class=card>{icon}<h3>{sentence(rng, 2)}</h3><p>{sentence(rng, 6)}.</p>"
        f"<button>{sentence(rng, 1)}</button></div>"
        for _ in range(3)
    )
    rows = "".join(f"<li>{sentence(rng, 5)}</li>" for _ in range(3))
    text = (
        "<!doctype html><meta charset=utf-8><style>body{font:14px/1.4 'DejaVu Sans',sans-serif;margin:0}"
        f"nav{{background:hsl({hue},45%,32%);color:#fff;padding:10px 16px}}main{{padding:6px 16px}}"
        ".cards{display:flex;gap:12px}.card{flex:1;border:1px solid #bbb;border-radius:8px;padding:8px}"
        f"h3,p{{margin:4px 0}}button{{background:hsl({hue},60%,42%);color:#fff;border:0;border-radius:4px;"
        f"padding:5px 12px}}</style><nav>{sentence(rng, 4)}</nav><main><h2>{sentence(rng, 3)}</h2>"
        f"<div class=cards>{cards}</div><ul>{rows}</ul></main>"
    )
    return by_chromium(browser, text, 400, 640)


PAGES: dict[str, tuple[Callable[[Generator], Pixels | None], float]] = {
    "diagrams": (diagram, 0.97),
    "charts": (chart, 0.97),
    "page": (page, 0.9),
}
"""How each is drawn, and the share of it that is to be explained."""


def page_lines(name: str, brain: Any, rng: Generator, count: int, now: Clock) -> list[Line]:
    """How much is explained, and in how many times VTracer's time, unless there is text."""
    draw, goal = PAGES[name]
    images = [image for image in (draw(rng) for _ in range(count)) if image is not None]
    if not images:
        return [Line(name, measured="left out: there is no Chromium")]
    look(brain, images[0][:64, :64], now)  # load and warm up
    many = [look(brain, image, now) for image in images]
    share = Goal[Sequence[Seen]]("explained pixels", goal, lambda m: mean([s.explained for s in m]))
    lines = [share.line(f"{name} ({len(many)})", many)]
    if name == "page":
        return lines
    pace = Goal[Sequence[Seen]](
        "median time in VTracer's",
        6,
        lambda m: median([s.seconds for s in m]) / median([s.vtracer for s in m]),
        True,
        lambda m: f"{1e3 * median([s.seconds for s in m]):.0f} ms",
    )
    worst = Goal[Sequence[Seen]](
        "slowest in VTracer's", 20, lambda m: max(s.seconds / s.vtracer for s in m), True
    )
    return [*lines, pace.line("", many), worst.line("", many)]


def look(brain: Any, image: Pixels, now: Clock) -> Seen:
    """See a picture, and let VTracer trace it."""
    scene, seconds = timed(lambda: brain.see(image), now)
    _, theirs = timed(lambda: by_vtracer(image, []), now)
    return Seen(1 - scene.residual.share, seconds, theirs)

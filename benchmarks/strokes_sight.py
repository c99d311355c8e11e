"""What is told of a picture: by unrender, by a skeleton, and by VTracer, potrace and LSD."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from counting import median
from strokes_icons import Case, Pixels, by_resvg
from strokes_paths import Line, laid, subpaths
from strokes_svg import Mark, marks, written_numbers
from vector_tracers import by_potrace, by_vtracer

BORDER = 0.75  # px from the edge of the picture, where outlines of the ground run
ZOOM = 4  # how much finer than the picture a skeleton is
AGAIN, QUICK = 5, 0.25  # how often time is taken at most, and until so many seconds have passed
Clock = Callable[[], float]
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Told:
    """What was told, redrawn by resvg if it can be."""

    lines: list[Line]
    redrawn: Pixels | None
    numbers: int
    seconds: float
    explained: float = 1.0  # of the pixels unlike the background


def timed(look: Callable[[], Answer], now: Clock) -> tuple[Answer, float]:
    """What it gives, and the median of its seconds: what is quick is looked at several times."""
    seconds: list[float] = []
    while len(seconds) < AGAIN and sum(seconds) < QUICK:
        start = now()
        answer = look()
        seconds.append(now() - start)
    return answer, median(seconds)


def by_unrender(brain: Any, case: Case, now: Clock = time.perf_counter) -> Told:
    """A picture as a brain sees it."""
    scene, seconds = timed(lambda: brain.see(case.image), now)
    return by_scene(scene, seconds)


def by_scene(scene: Any, seconds: float = 0.0) -> Told:
    """The lines of all primitives: of a stroke its centre, of anything else its outline."""
    text = svg_of(scene)
    redrawn = by_resvg(text, scene.height)
    return Told(scene_lines(scene), redrawn, written_numbers(text), seconds, 1 - scene.residual.share)


def svg_of(scene: Any) -> str:
    """The file that a user would get."""
    from unrender.exports.save import content

    return content(scene, "scene.svg").decode("utf-8")


def scene_lines(scene: Any) -> list[Line]:
    """Of every primitive."""
    return [line for leaf in scene.primitives for line in mark_of(leaf).visible()]


def mark_of(leaf: Any) -> Mark:
    """A primitive as it is told by its path and its stroke."""
    from unrender.scene.pixels import is_bar, stroke_width

    lines = tuple(laid(one) for one in subpaths(leaf.path))
    filled = leaf.attributes.get("filled", 1.0) >= 0.5 and all(line.closed for line in lines)
    return Mark(lines, 0.0 if filled else leaf.size[1] if is_bar(leaf) else stroke_width(leaf))


def by_tracer(trace: Callable[[Pixels, Any], str], case: Case, now: Clock = time.perf_counter) -> Told:
    """VTracer or potrace; what runs along the edge of the picture is the outline of the ground."""
    colours = [tuple(value / 255 for value in colour) for colour in (case.ground, case.colour)]
    text, seconds = timed(lambda: trace(case.image, colours), now)
    lines = [line for mark in marks(text) for line in mark.lines]
    inside = [piece for line in lines for piece in _away_from_edge(line, case.image)]
    return Told(inside, by_resvg(text, len(case.image)), written_numbers(text), seconds)


def by_lsd(case: Case, now: Clock = time.perf_counter) -> Told:
    """Segments of OpenCV's detector, which runs along both sides of a stroke."""
    import cv2

    start = now()
    found = cv2.createLineSegmentDetector().detect(cv2.cvtColor(case.image, cv2.COLOR_RGB2GRAY))[0]
    seconds = now() - start
    ends = np.zeros((0, 2, 2)) if found is None else found.reshape(-1, 2, 2).astype(np.float64) + 0.5
    return Told([Line(pair, False, pair) for pair in ends], None, 4 * len(ends), seconds)


def by_skeleton(case: Case, now: Clock = time.perf_counter) -> Told:
    """The skeleton of all that is nearer to the ink than to the ground: no shape, only where lines are."""
    from scipy.ndimage import zoom
    from skimage.morphology import skeletonize

    start = now()
    ink, ground = np.array(case.colour, float), np.array(case.ground, float)
    share = (case.image - ground) @ (ink - ground) / max(((ink - ground) ** 2).sum(), 1.0)
    thick = zoom(np.clip(share, 0, 1), ZOOM, order=3, grid_mode=True, mode="nearest") > 0.5
    thin = np.pad(skeletonize(thick), 1)
    seconds = now() - start
    lines = []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for y, x in np.argwhere(thin & np.roll(thin, (-dy, -dx), (0, 1))):
            pair = np.array([(x - 0.5, y - 0.5), (x + dx - 0.5, y + dy - 0.5)]) / ZOOM
            lines.append(Line(pair, False, pair))
    return Told(lines, None, 0, seconds)


OUTLINES: dict[str, Callable[[Case, Clock], Told]] = {
    "vtracer": lambda case, now: by_tracer(by_vtracer, case, now),
    "potrace": lambda case, now: by_tracer(by_potrace, case, now),
    "LSD": by_lsd,
}
"""Ways that tell the outline of what is painted."""


def _away_from_edge(line: Line, image: Pixels) -> list[Line]:
    """The parts of a line that are not at the edge of the picture."""
    height, width = image.shape[:2]
    points = line.dense(0.25)
    edge = np.minimum(points, np.array([width, height]) - points).min(1) < BORDER
    cuts = np.flatnonzero(np.diff(edge)) + 1
    runs = zip(np.split(points, cuts), np.split(edge, cuts), strict=True)
    return [Line(run, False, run[:0]) for run, out in runs if len(run) > 1 and not out[0]]

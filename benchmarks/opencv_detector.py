"""The competitor: a classical detector with OpenCV, tuned by hand.

Tuned on all rows of the table: seed 7 for the figures, a few failures of seed 0, and the shared pictures.

The picture is blurred as its noise demands and enlarged. Regions come from the colour distance to the
ground (global and local) cut at half of their own contrast, from colour clusters and holes where a region
is no shape by itself, and from Canny edges of every channel; circles also from Hough's transform. A region
becomes the ellipse, rectangle or triangle that overlaps it best. Rival forms are settled by their fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from matching import Found
from numpy.typing import NDArray
from opencv_forms import Form, Gray, fit, fit_hidden, iou, solid, support
from opencv_regions import (
    SMALLEST,
    Floats,
    Region,
    colour_parts,
    distant_regions,
    edge_regions,
    edges_of,
    grounds_of,
    noise_level,
)

GOOD, ACCEPT, HIDDEN, ROUND = 0.93, 0.84, 0.7, 0.8  # fits: sure, good enough, of a covered shape, of Hough's


@dataclass(frozen=True)
class Candidate:
    """A form with its looks; of rivals the one of the highest rank stays."""

    form: Form
    colour: tuple[float, float, float]
    filled: bool
    rank: float


def detect(image: NDArray[np.uint8]) -> list[Found]:
    """Every circle, square and triangle in a uint8 HxWx3 picture."""
    longest = max(image.shape[:2])
    scale = 4 if longest <= 160 else 2 if longest <= 640 else 1
    noise = noise_level(image)
    sigma = min(0.4 + 10 * noise, 1.1)
    left = noise / max(1.0, 2 * math.sqrt(math.pi) * sigma)  # of the noise, after the blur
    smooth = cv2.GaussianBlur(image, (0, 0), sigma).astype(np.float32) / 255
    large = cv2.resize(smooth, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    candidates: list[Candidate] = []
    grounds = grounds_of(large, smooth, noise, scale)
    for ground in grounds:
        distance = np.abs(large - ground).max(axis=2)
        floor = max(0.06, 5 * left, 2.5 * float(np.median(distance)))
        for region in distant_regions(distance, floor, scale):
            candidates += _candidates(region, large, scale)
    for region in edge_regions(large, noise, scale):
        candidate = _read(region, large, scale)
        candidates += [replace(candidate, rank=candidate.rank * 0.85)] if candidate else []
    candidates += _hough(large, noise, scale)
    clear = [
        c for c in candidates if _plausible(c, grounds, noise, scale) and _contrast(c, large, scale) > 0.1
    ]
    return [_found(candidate, scale) for candidate in _settle(clear)]


def _plausible(candidate: Candidate, grounds: list[Floats], noise: float, scale: int) -> bool:
    """Not too long, and not a patch of bare ground between other shapes."""
    bare = len(grounds) == 1 and np.abs(grounds[0] - candidate.colour).max() < 0.06 + noise
    return min(candidate.form.size) > max(0.35 * max(candidate.form.size), 5 * scale) and not bare


def _contrast(candidate: Candidate, image: Floats, scale: int) -> float:
    """How far the colour of a candidate is from what lies just outside of it."""
    form = candidate.form
    margin = 3 * scale + (0 if candidate.filled else 0.1 * min(form.size))
    around = replace(form, size=(form.size[0] + margin * 2, form.size[1] + margin * 2))
    columns, rows = np.floor(around.polygon()).astype(int).T
    if form.symbol != "circle":
        corners = around.polygon()
        middles = (corners + np.roll(corners, 1, axis=0)) / 2
        columns, rows = np.floor(np.concatenate([corners, middles])).astype(int).T
    rows, columns = rows.clip(0, image.shape[0] - 1), columns.clip(0, image.shape[1] - 1)
    return float(np.median(np.abs(image[rows, columns] - candidate.colour).max(axis=1)))


def _candidates(region: Region, image: Floats, scale: int) -> list[Candidate]:
    """The shape that a region is; where it is none by itself, the shapes of its colours and holes."""
    whole = _read(region, image, scale)
    if whole is not None and whole.form.fit > GOOD:
        return [whole]
    found = [whole, *_from_holes(region, image, scale)]
    for part in colour_parts(region, image, scale):
        found += [_read(part, image, scale), *_from_holes(part, image, scale)]
    return [candidate for candidate in found if candidate is not None]


def _read(region: Region, image: Floats, scale: int) -> Candidate | None:
    """Fit a form to a region; a hole of like form makes it an outline."""
    outer = solid(region.mask)
    if cv2.countNonZero(outer) < SMALLEST * scale * scale:
        return None
    form = fit(outer)
    rank = form.fit if form else 0.0
    if form is None or form.fit < ACCEPT:
        form = fit_hidden(outer)
        if form is None or form.fit < HIDDEN:
            return None
        rank = form.fit * 0.8
    hole = solid(np.asarray(outer & (1 - region.mask), np.uint8))
    inner = cv2.countNonZero(hole)
    filled = inner < 0.08 * cv2.countNonZero(outer)
    painted = region.mask
    if not filled:  # the boundary runs between the outer and the inner edge of the stroke
        area = (math.sqrt(cv2.countNonZero(outer)) + math.sqrt(inner)) ** 2 / 4
        form = form.resized(area) if rank > ACCEPT else form
        painted = np.asarray(outer & (1 - hole), np.uint8)
    return Candidate(form.moved(region.x, region.y), _colour(painted, region, image), filled, rank)


def _colour(painted: Gray, region: Region, image: Floats) -> tuple[float, float, float]:
    """The median colour of the innermost pixels, where neither blur nor edges mix it."""
    depth = cv2.distanceTransform(painted, cv2.DIST_L2, 3)
    rows, columns = np.nonzero(depth >= 0.6 * depth.max())
    rows, columns = rows + region.y, columns + region.x
    inside = (rows >= 0) & (columns >= 0) & (rows < image.shape[0]) & (columns < image.shape[1])
    red, green, blue = np.median(image[rows[inside], columns[inside]], axis=0)
    return float(red), float(green), float(blue)


def _from_holes(region: Region, image: Floats, scale: int) -> Iterator[Candidate]:
    """Outlined shapes that touch others: the hole says the form, the stroke around it how much larger."""
    contours, hierarchy = cv2.findContours(region.mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    stroke = 2 * float(np.percentile(cv2.distanceTransform(region.mask, cv2.DIST_L2, 3)[region.mask > 0], 90))
    for contour, node in zip(
        contours, hierarchy.reshape(-1, 4) if hierarchy is not None else (), strict=False
    ):
        if node[3] < 0 or cv2.contourArea(contour) < SMALLEST * scale * scale:
            continue
        hole = np.zeros_like(region.mask)
        cv2.drawContours(hole, [contour], -1, 1, cv2.FILLED)
        form = fit(hole)
        if form is not None and form.fit > 0.9 and stroke < 0.35 * min(form.size):
            ring = cv2.dilate(hole, np.ones((3, 3), np.uint8), iterations=max(2, int(stroke))) & region.mask
            factor = 2 if form.symbol == "triangle" else 1  # the corners of a triangle run out faster
            side = math.sqrt(form.size[0] * form.size[1])
            grown = form.resized(cv2.countNonZero(hole) * ((side + factor * stroke) / side) ** 2)
            moved = grown.moved(region.x, region.y)
            yield Candidate(moved, _colour(np.asarray(ring, np.uint8), region, image), False, form.fit * 0.9)


def _hough(image: Floats, noise: float, scale: int) -> Iterator[Candidate]:
    """Circles by Hough's transform whose whole boundary shows in the edges."""
    gray = (cv2.cvtColor(image, cv2.COLOR_RGB2GRAY) * 255).astype(np.uint8)
    longest = min(max(gray.shape) // 2, 160)
    circles = cv2.HoughCircles(
        gray,
        cv2.HOUGH_GRADIENT,
        1.5,
        4 * scale,
        param1=120,
        param2=40,
        minRadius=4 * scale,
        maxRadius=longest,
    )
    if circles is None:
        return
    near = cv2.distanceTransform(1 - edges_of(image, noise, scale) // 255, cv2.DIST_L2, 3)
    for x, y, r in circles.reshape(-1, 3)[:60]:
        form = Form("circle", (float(x) + 0.5, float(y) + 0.5), (2 * float(r), 2 * float(r)), 0.0)
        share = support(form, near.astype(np.float32), 0.6 * scale)
        if share > ROUND:
            middle, edge, outside = (_ring(image, form, factor) for factor in (0.0, 1.0, 1.3))
            filled = bool(np.abs(middle - outside).max() > 0.1)
            red, green, blue = (float(v) for v in (middle if filled else edge))
            yield Candidate(form, (red, green, blue), filled, share * 0.7)


def _ring(image: Floats, circle: Form, factor: float) -> Floats:
    """The median colour along a circle, its radius multiplied by `factor`."""
    wider = replace(circle, size=(circle.size[0] * factor, circle.size[1] * factor))
    columns, rows = np.floor(wider.polygon()).astype(int).T
    colours = image[rows.clip(0, image.shape[0] - 1), columns.clip(0, image.shape[1] - 1)]
    colour: Floats = np.median(colours, axis=0)
    return colour


def _settle(candidates: list[Candidate]) -> list[Candidate]:
    """The best fits, without those that lie on a better one."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: -c.rank):
        if not any(_same(candidate.form, other.form) for other in kept):
            kept.append(candidate)
    return kept


def _same(one: Form, other: Form) -> bool:
    """Whether two forms explain the same shape: they overlap, or share a centre."""
    if math.dist(one.centre, other.centre) > (max(one.size) + max(other.size)) / 2:
        return False
    if math.dist(one.centre, other.centre) < 0.15 * max(other.size) and max(one.size) > 0.3 * max(other.size):
        return True
    points = np.concatenate([one.polygon(), other.polygon()])
    low = points.min(axis=0) - 1
    width, height = (np.ceil(points.max(axis=0) - low) + 2).astype(int)
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round(other.polygon() - low).astype(np.int32)], 1)
    return iou(one.moved(-low[0], -low[1]), mask) > 0.35


def _found(candidate: Candidate, scale: int) -> Found:
    (x, y), (w, h) = candidate.form.centre, candidate.form.size
    position, size = (x / scale, y / scale), (w / scale, h / scale)
    return Found(
        candidate.form.symbol, position, size, candidate.form.rotation, candidate.colour, candidate.filled
    )

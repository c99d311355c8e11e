"""The competitor: a classical detector with OpenCV, tuned on the first row of the table.

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

Floats = NDArray[np.float32]

GOOD, ACCEPT, HIDDEN, ROUND = 0.93, 0.84, 0.7, 0.8  # fits: sure, good enough, of a covered shape, of Hough's
SMALLEST = 16.0  # px² of the picture


@dataclass(frozen=True)
class Region:
    """A piece of the picture: a mask with its top left corner."""

    mask: Gray
    x: int
    y: int


@dataclass(frozen=True)
class Candidate:
    form: Form
    colour: tuple[float, float, float]
    filled: bool
    rank: float


def detect(image: NDArray[np.uint8]) -> list[Found]:
    """Every circle, square and triangle in a uint8 HxWx3 picture."""
    longest = max(image.shape[:2])
    scale = 4 if longest <= 160 else 2 if longest <= 640 else 1
    noise = _noise(image)
    sigma = min(0.4 + 10 * noise, 1.1)
    smooth = cv2.GaussianBlur(image, (0, 0), sigma).astype(np.float32) / 255
    large = cv2.resize(smooth, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    candidates: list[Candidate] = []
    for ground in _grounds(large, smooth, noise, scale):
        distance = np.abs(large - ground).max(axis=2)
        floor = max(0.06, 2.5 * noise, 3 * float(np.median(distance)))
        for region in _regions(distance, floor, scale):
            candidates += _candidates(region, large, scale)
    for region in _edge_regions(large, noise, scale):
        candidate = _read(region, large, scale)
        candidates += [replace(candidate, rank=candidate.rank * 0.85)] if candidate else []
    candidates += _hough(large, noise, scale)
    clear = [candidate for candidate in candidates if _contrast(candidate, large, scale) > 0.1 + 1.5 * noise]
    return [_found(candidate, scale) for candidate in _settle(clear)]


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


def _noise(image: NDArray[np.uint8]) -> float:
    """Standard deviation of the noise, from the median response to a Laplacian mask."""
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    response = cv2.filter2D(image.astype(np.float32) / 255, -1, kernel)
    return float(np.median(np.abs(response)) / 0.6745 / 6)


def _grounds(large: Floats, smooth: Floats, noise: float, scale: int) -> list[Floats]:
    """One colour where the picture is mostly that, else what lies around each place."""
    flat = _flat_ground(large)
    close = np.abs(large - flat).max(axis=2) < max(0.04, 2.5 * noise)
    return [flat] if close.mean() > 0.4 else [flat, _local_ground(smooth, scale)]


def _flat_ground(image: Floats) -> Floats:
    """The most common colour."""
    bins = (image * 15.99).clip(0, 15).astype(int)
    keys = bins[..., 0] * 256 + bins[..., 1] * 16 + bins[..., 2]
    common = keys == np.bincount(keys.ravel()).argmax()
    near = (
        np.abs(image - np.median(image[common], axis=0)).max(axis=2) < 0.08
    )  # a bin may cut the peak in two
    ground: Floats = np.median(image[near], axis=0).astype(np.float32)
    return ground


def _local_ground(smooth: Floats, scale: int) -> Floats:
    """A wide median: what the surroundings look like, where shapes are small against it."""
    height, width = smooth.shape[:2]
    small = cv2.resize((smooth * 255).astype(np.uint8), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    ground = cv2.medianBlur(small, max(3, min(41, min(small.shape[:2]) // 2 * 2 - 1)))
    return cv2.resize(ground, (width * scale, height * scale)).astype(np.float32) / 255


def _regions(distance: Floats, floor: float, scale: int) -> Iterator[Region]:
    """Connected regions that differ from the ground, each cut at half of its own contrast."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((distance > floor).astype(np.uint8))
    for label in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[label])
        if area < SMALLEST / 2 * scale * scale or w * h > 0.9 * labels.size:
            continue
        own = labels[y : y + h, x : x + w] == label
        values = distance[y : y + h, x : x + w]
        level = max(floor, 0.5 * float(np.percentile(values[own], 75)))
        yield Region(np.pad((own & (values > level)).astype(np.uint8), 2), x - 2, y - 2)


def _edge_regions(image: Floats, noise: float, scale: int) -> Iterator[Region]:
    """What closed Canny edges of any channel enclose."""
    contours, hierarchy = cv2.findContours(_edges(image, noise, scale), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    for contour, node in zip(
        contours, hierarchy.reshape(-1, 4) if hierarchy is not None else (), strict=False
    ):
        if node[3] < 0 or cv2.contourArea(contour) < SMALLEST * scale * scale:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        mask = np.zeros((h + 4, w + 4), np.uint8)
        cv2.drawContours(mask, [contour], -1, 1, cv2.FILLED, offset=(2 - x, 2 - y))
        yield Region(mask, x - 2, y - 2)


def _edges(image: Floats, noise: float, scale: int) -> Gray:
    """Canny edges of all channels together, closed."""
    edges: Gray = np.zeros(image.shape[:2], np.uint8)
    high = max(40.0, 2000 * noise) * 2 / math.sqrt(scale)
    for channel in cv2.split((image * 255).astype(np.uint8)):
        edges |= cv2.Canny(cv2.GaussianBlur(channel, (0, 0), 0.4 * scale), high / 2.5, high).astype(np.uint8)
    return cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)).astype(np.uint8)


def _candidates(region: Region, image: Floats, scale: int) -> list[Candidate]:
    """The shape that a region is; where it is none by itself, the shapes of its colours and holes."""
    whole = _read(region, image, scale)
    if whole is not None and whole.form.fit > GOOD:
        return [whole]
    found = [whole, *_from_holes(region, image, scale)]
    for part in _colour_parts(region, image, scale):
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


def _colour_parts(region: Region, image: Floats, scale: int) -> Iterator[Region]:
    """The pieces of a region in which the colour is nearly the same (k-means)."""
    rows, columns = np.nonzero(region.mask)
    pixels = image[rows + region.y, columns + region.x].astype(np.float32)
    if len(pixels) < 2 * SMALLEST * scale * scale:
        return
    sample = pixels[:: max(1, len(pixels) // 4000)]
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.005)
    for clusters in (2, 3, 4, 5):
        cv2.setRNGSeed(0)
        _, _, centres = cv2.kmeans(sample, clusters, None, criteria, 2, cv2.KMEANS_PP_CENTERS)  # type: ignore[call-overload]
        labels = np.argmin(((pixels[:, None] - centres[None]) ** 2).sum(axis=2), axis=1)
        for label in range(clusters):
            mask = np.zeros_like(region.mask)
            mask[rows[labels == label], columns[labels == label]] = 1
            mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(np.uint8)
            count, pieces, stats, _ = cv2.connectedComponentsWithStats(mask)
            for piece in range(1, count):
                if stats[piece, cv2.CC_STAT_AREA] > SMALLEST * scale * scale:
                    yield Region((pieces == piece).astype(np.uint8), region.x, region.y)


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
    near = cv2.distanceTransform(1 - _edges(image, noise, scale) // 255, cv2.DIST_L2, 3)
    for x, y, r in circles.reshape(-1, 3)[:60]:
        form = Form("circle", (float(x) + 0.5, float(y) + 0.5), (2 * float(r), 2 * float(r)), 0.0)
        share = support(form, near.astype(np.float32), 0.6 * scale)
        if share > ROUND:
            row, column = min(int(y), gray.shape[0] - 1), min(int(x), gray.shape[1] - 1)
            red, green, blue = (float(v) for v in image[row, column])
            yield Candidate(form, (red, green, blue), True, share * 0.7)


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

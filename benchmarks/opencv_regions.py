"""Where a picture might hold a shape: by colour distance, edges and colour clusters, with OpenCV."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from opencv_forms import Gray

Floats = NDArray[np.float32]

SMALLEST = 16.0  # px² of the picture


@dataclass(frozen=True)
class Region:
    """A piece of the picture: a mask with its top left corner."""

    mask: Gray
    x: int
    y: int


def noise_level(image: NDArray[np.uint8]) -> float:
    """Standard deviation of the noise, from the median response to a Laplacian mask."""
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    response = cv2.filter2D(image.astype(np.float32) / 255, -1, kernel)
    return float(np.median(np.abs(response)) / 0.6745 / 6)


def grounds_of(large: Floats, smooth: Floats, noise: float, scale: int) -> list[Floats]:
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


def distant_regions(distance: Floats, floor: float, scale: int) -> Iterator[Region]:
    """Connected regions that differ from the ground, each cut at half of its own contrast."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((distance > floor).astype(np.uint8))
    for label in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[label])
        if area < SMALLEST / 2 * scale * scale or w * h > 0.9 * labels.size:
            continue
        own = labels[y : y + h, x : x + w] == label
        values = distance[y : y + h, x : x + w]
        level = max(floor, 0.5 * float(np.percentile(values[own], 75)))
        whole = Region(np.pad((own & (values > level)).astype(np.uint8), 2), x - 2, y - 2)
        yield from _pieces(whole, SMALLEST / 2 * scale * scale)


def edge_regions(image: Floats, noise: float, scale: int) -> Iterator[Region]:
    """What closed Canny edges of any channel enclose."""
    contours, hierarchy = cv2.findContours(
        edges_of(image, noise, scale), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE
    )
    for contour, node in zip(
        contours, hierarchy.reshape(-1, 4) if hierarchy is not None else (), strict=False
    ):
        if node[3] < 0 or cv2.contourArea(contour) < SMALLEST * scale * scale:
            continue
        x, y, w, h = cv2.boundingRect(contour)
        mask = np.zeros((h + 4, w + 4), np.uint8)
        cv2.drawContours(mask, [contour], -1, 1, cv2.FILLED, offset=(2 - x, 2 - y))
        yield Region(mask, x - 2, y - 2)


def edges_of(image: Floats, noise: float, scale: int) -> Gray:
    """Canny edges of all channels together, closed."""
    edges: Gray = np.zeros(image.shape[:2], np.uint8)
    high = max(40.0, 2000 * noise) * 2 / math.sqrt(scale)
    for channel in cv2.split((image * 255).astype(np.uint8)):
        edges |= cv2.Canny(cv2.GaussianBlur(channel, (0, 0), 0.4 * scale), high / 2.5, high).astype(np.uint8)
    return cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)).astype(np.uint8)


def colour_parts(region: Region, image: Floats, scale: int) -> Iterator[Region]:
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
            yield from _pieces(Region(mask, region.x, region.y), SMALLEST * scale * scale)


def _pieces(region: Region, smallest: float) -> Iterator[Region]:
    """The connected parts of a region, each in a window of its own."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(region.mask)
    for label in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[label])
        if area > smallest:
            own = (labels[y : y + h, x : x + w] == label).astype(np.uint8)
            yield Region(np.pad(own, 2), region.x + x - 2, region.y + y - 2)

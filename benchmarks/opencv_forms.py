"""From a region of pixels to the ellipse, rectangle or triangle that it is, with OpenCV."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]
Points = NDArray[np.float64]

TRIANGLE = np.array([(0.0, -1.0), (math.sqrt(3) / 2, 0.5), (-math.sqrt(3) / 2, 0.5)])
SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
AREAS = {"circle": math.pi / 4, "square": 1.0, "triangle": 3 * math.sqrt(3) / 16}  # of w · h


@dataclass(frozen=True)
class Form:
    """A symbol with its pose in pixels (of the picture it was found in)."""

    symbol: str
    centre: tuple[float, float]
    size: tuple[float, float]
    rotation: float  # degrees, clockwise
    fit: float = 0.0  # 0..1: IoU with the region, or the share of the boundary that has support

    def polygon(self) -> Points:
        """(N, 2) vertices."""
        t = np.linspace(0, 2 * math.pi, 72, endpoint=False)
        unit = {"circle": np.stack([np.cos(t), np.sin(t)], axis=1), "square": SQUARE, "triangle": TRIANGLE}
        angle = math.radians(self.rotation)
        turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        return (unit[self.symbol] * np.divide(self.size, 2)) @ turn + self.centre

    def moved(self, x: float, y: float) -> Form:
        return replace(self, centre=(self.centre[0] + x, self.centre[1] + y))

    def resized(self, area: float) -> Form:
        """The same form with another area."""
        factor = math.sqrt(area / max(AREAS[self.symbol] * self.size[0] * self.size[1], 1e-6))
        return replace(self, size=(self.size[0] * factor, self.size[1] * factor))


def solid(mask: Gray) -> Gray:
    """The largest piece of a mask with its holes filled."""
    contour = largest_contour(mask)
    filled = np.zeros_like(mask)
    if contour is not None:
        cv2.drawContours(filled, [contour], -1, 1, cv2.FILLED)
    return filled


def largest_contour(mask: Gray) -> NDArray[np.int32] | None:
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return max(contours, key=cv2.contourArea, default=None)


def fit(mask: Gray) -> Form | None:
    """The form that overlaps a solid region best, for shapes seen whole."""
    contour = largest_contour(mask)
    area = float(cv2.countNonZero(mask))
    if contour is None or len(contour) < 8 or area < 12:
        return None
    forms = [form.resized(area) for form in _forms(mask, contour)]
    # Polygon approximation breaks near ties between small forms.
    corners = len(cv2.approxPolyDP(contour, 0.05 * cv2.arcLength(contour, True), True))
    favoured = {3: "triangle", 4: "square"}.get(corners, "circle")
    scored = [replace(form, fit=iou(form, mask)) for form in forms]
    return max(scored, key=lambda form: form.fit + 0.004 * (form.symbol == favoured))


def _forms(mask: Gray, contour: NDArray[np.int32]) -> Iterator[Form]:
    m = cv2.moments(mask, binaryImage=True)
    centre = (m["m10"] / m["m00"] + 0.5, m["m01"] / m["m00"] + 0.5)
    xx, yy, xy = m["mu20"] / m["m00"], m["mu02"] / m["m00"], m["mu11"] / m["m00"]
    angle = 0.5 * math.degrees(math.atan2(2 * xy, xx - yy))
    spread = math.hypot(xx - yy, 2 * xy)
    w, h = (4 * math.sqrt(max((xx + yy + sign * spread) / 2, 0.1)) for sign in (1, -1))
    yield Form("circle", centre, (w, h), angle)
    _, (w, h), angle = cv2.minAreaRect(contour)
    yield Form("square", centre, (w + 1, h + 1), angle)
    _, corners = cv2.minEnclosingTriangle(contour.astype(np.float32))
    if corners is not None and len(corners) == 3:
        yield replace(triangle(corners.reshape(-1, 2).astype(float)), centre=centre)


def triangle(corners: Points) -> Form:
    """(w, h, rotation) of the isosceles triangle nearest to three corners."""
    centre = corners.mean(axis=0)
    sides = [math.dist(corners[i - 1], corners[i]) for i in range(3)]  # side i ends in corner i
    uneven = [abs(sides[i] - sides[(i + 1) % 3]) for i in range(3)]  # of the two sides at corner i
    apex = int(np.argmin(uneven))
    up = corners[apex] - centre
    base = math.dist(corners[apex - 1], corners[apex - 2])
    rotation = math.degrees(math.atan2(up[0], -up[1]))
    size = (2 * base / math.sqrt(3), 2 * float(np.hypot(*up)))
    return Form("triangle", (float(centre[0]) + 0.5, float(centre[1]) + 0.5), size, rotation)


def fit_hidden(mask: Gray) -> Form | None:
    """The form of a region that others cover in part: what its hull outlines, with enough support."""
    contour = largest_contour(mask)
    if contour is None or len(contour) < 20:
        return None
    hull = cv2.convexHull(contour)
    forms = []
    if len(hull) >= 6:
        (x, y), (w, h), angle = cv2.fitEllipse(hull)
        forms.append(Form("circle", (x + 0.5, y + 0.5), (w + 1, h + 1), angle))
    (x, y), (w, h), angle = cv2.minAreaRect(hull)
    forms.append(Form("square", (x + 0.5, y + 0.5), (w + 1, h + 1), angle))
    _, corners = cv2.minEnclosingTriangle(hull.astype(np.float32))
    if corners is not None and len(corners) == 3:
        forms.append(triangle(corners.reshape(-1, 2).astype(float)))
    near = cv2.distanceTransform(1 - _drawn(contour, mask.shape), cv2.DIST_L2, 3)
    reach = max(1.5, 0.03 * math.sqrt(cv2.countNonZero(mask)))
    scored = [replace(form, fit=support(form, near, reach)) for form in forms if _plausible(form, mask)]
    return max(scored, key=lambda form: form.fit, default=None)


def _drawn(contour: NDArray[np.int32], shape: tuple[int, ...]) -> Gray:
    lines = np.zeros(shape, np.uint8)
    cv2.drawContours(lines, [contour], -1, 1, 1)
    return lines


def _plausible(form: Form, mask: Gray) -> bool:
    """At least half of the form is seen, and its sides are alike enough."""
    w, h = form.size
    area = AREAS[form.symbol] * w * h
    return min(w, h) > 0.4 * max(w, h) and 0.5 * area < cv2.countNonZero(mask) < 1.1 * area


def support(form: Form, near: NDArray[np.float32], reach: float) -> float:
    """Share of the boundary that lies within `reach` px of an edge; `near` holds distances to edges."""
    polygon = form.polygon()
    steps = np.linspace(0, 1, max(2, 288 // len(polygon)), endpoint=False)[:, None, None]
    points = (polygon + steps * (np.roll(polygon, -1, axis=0) - polygon)).reshape(-1, 2)
    x, y = np.floor(points).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < near.shape[1]) & (y < near.shape[0])
    return float((near[y[inside], x[inside]] <= reach).sum() / len(points))


def iou(form: Form, mask: Gray) -> float:
    """Intersection over union of a form with a region."""
    drawn = np.zeros_like(mask)
    vertices = np.round((form.polygon() - 0.5) * 16).astype(np.int32)
    cv2.fillPoly(drawn, [vertices], 1, lineType=cv2.LINE_8, shift=4)
    both = cv2.countNonZero(drawn & mask)
    return both / max(cv2.countNonZero(drawn | mask), 1)

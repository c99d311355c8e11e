"""A competitor: SIFT features of the taught picture, found again with RANSAC, one object after the other.

Features are taken from the gradients of the enlarged picture: on the picture itself they depend on the
ground behind the object (F1 0.54 instead of 0.97 on the ships). Every feature of the scene is matched to its
nearest taught one (not the other way round, so that several objects can be found); the ratio test throws out
what could be two things. Then: the similarity with the most inliers, its inliers are taken out, and so on.
Parameters were chosen on seeds 1000, 1001 and 1003.
"""

from __future__ import annotations

import math
import time
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from objects import Thing, rotation_matrix
from oneshot_finders import Image, Sight
from oneshot_scenes import Lesson
from oneshot_scoring import Finding
from oneshot_template import edges

Floats = NDArray[np.float32]
ENLARGE = 2
BLUR = 1.5  # px of the enlarged picture
RATIO = 0.85
REACH = 4.0  # px of the enlarged picture: how far off an inlier may lie
INLIERS = 6
MOST = 8  # objects in a picture


class Sift:
    """Remembers the features of every lesson."""

    def __init__(self) -> None:
        self._sift = cv2.SIFT.create(contrastThreshold=0.01, edgeThreshold=20)
        self._lessons: list[tuple[Thing, Floats, Floats]] = []

    def teach(self, lesson: Lesson) -> float:
        start = time.perf_counter()
        points, features = self._features(lesson.image)
        self._lessons.append((lesson.thing, points, features))
        return time.perf_counter() - start

    def find(self, image: Image) -> Sight:
        start = time.perf_counter()
        points, features = self._features(image)
        found: list[Finding] = []
        for thing, known, known_features in self._lessons:
            found += _instances(thing, known, known_features, points, features)
        return Sight(_settled(found), time.perf_counter() - start)

    def _features(self, image: Image) -> tuple[Floats, Floats]:
        """(N, 2) places in px of the picture, and (N, 128) descriptors."""
        large = cv2.resize(image, None, fx=ENLARGE, fy=ENLARGE, interpolation=cv2.INTER_CUBIC)
        gradients = edges(cv2.GaussianBlur(large, (0, 0), BLUR) / np.float32(255))
        grey = (255 * gradients / max(float(gradients.max()), 1e-6)).astype(np.uint8)
        keys, features = self._sift.detectAndCompute(grey, None)
        points = np.array([key.pt for key in keys], np.float32).reshape(-1, 2)
        empty = np.zeros((0, 128), np.float32)
        return (points + np.float32(0.5)) / np.float32(
            ENLARGE
        ), empty if features is None else features.astype(np.float32)


def _instances(
    thing: Thing, known: Floats, known_features: Floats, points: Floats, features: Floats
) -> list[Finding]:
    """Every place where the taught features lie together, the clearest first."""
    if len(known) < 2 or len(points) < INLIERS:
        return []
    pairs = cv2.BFMatcher().knnMatch(features, known_features, k=2)
    good = [first for first, second in pairs if first.distance < RATIO * second.distance]
    source = np.array([known[m.trainIdx] for m in good], np.float32).reshape(-1, 2)
    target = np.array([points[m.queryIdx] for m in good], np.float32).reshape(-1, 2)
    found: list[Finding] = []
    for _ in range(MOST):
        if len(source) < INLIERS:
            break
        matrix, inliers = cv2.estimateAffinePartial2D(
            source, target, ransacReprojThreshold=REACH / ENLARGE, maxIters=5000, confidence=0.999
        )
        if matrix is None or (count := int(inliers.sum())) < INLIERS:
            break
        scale = math.hypot(matrix[0, 0], matrix[1, 0])
        distinct = len(np.unique(np.round(source[inliers.ravel() > 0]), axis=0))
        if 0.4 < scale < 2.5 and distinct >= INLIERS:
            found.append(_finding(thing, matrix, scale, count))
        source, target = source[inliers.ravel() == 0], target[inliers.ravel() == 0]
    return found


def _finding(thing: Thing, matrix: NDArray[Any], scale: float, inliers: int) -> Finding:
    turn = math.degrees(math.atan2(matrix[1, 0], matrix[0, 0]))
    x, y = scale * rotation_matrix(turn) @ thing.position + matrix[:, 2]
    size = (thing.size[0] * scale, thing.size[1] * scale)
    return Finding(thing.name, (float(x), float(y)), size, turn, float(inliers))


def _settled(found: list[Finding]) -> list[Finding]:
    """Without those that lie on a clearer one."""
    kept: list[Finding] = []
    for guess in sorted(found, key=lambda one: -one.p):
        reach = math.sqrt(guess.size[0] * guess.size[1])
        if all(math.dist(guess.position, other.position) > 0.4 * reach for other in kept):
            kept.append(guess)
    return kept

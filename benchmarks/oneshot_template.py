"""A competitor: template matching over a bank of turns and sizes, made from the one taught picture.

Not the colours are matched but their gradients, because the ground changes from picture to picture. The
mask is the object with a margin, so that what lies beside it does not count. Coarse to fine: the whole
bank at half the resolution, then the best places at full resolution with finer and finer turns and sizes.
Parameters were chosen on seeds 1000, 1001 and 1003.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from objects import Thing
from oneshot_finders import Image, Sight
from oneshot_scenes import Lesson
from oneshot_scoring import Finding

Floats = NDArray[np.float32]
TURNS = np.arange(0.0, 360.0, 10.0)  # degrees
SIZES = np.geomspace(0.5, 2.0, 12)
COARSE = 2  # px of the picture a px of the first look
MARGIN = 4  # px around the object that belong to the template
CANDIDATES, FLOOR = 10, 0.3  # places a lesson to look at again, and how well they must agree
STEPS = ((5.0, 1.06), (2.0, 1.025), (0.8, 1.01))  # degrees and factor of size, of each finer look
ACCEPT = 0.55
CLEAR = 0.5  # a gradient from which on an edge is an edge, however strong: the ground decides that
NEAR = 0.4  # of the size: two finds closer than this are the same


@dataclass(frozen=True)
class Pose:
    """A hypothesis: where the centre of an object is (px), its turn, its size as a factor, its agreement."""

    x: float
    y: float
    turn: float
    size: float
    agreement: float = 0.0


class Example:
    """One taught object: its picture and mask, to be turned and scaled."""

    def __init__(self, lesson: Lesson, every: int = 1) -> None:
        self.thing: Thing = lesson.thing
        self._every = every
        self._image = lesson.image.astype(np.float32) / 255
        ground = np.median(self._image[[0, -1]].reshape(-1, 3), axis=0)
        self._ground = tuple(float(value) for value in ground)
        painted = (np.abs(self._image - ground).max(axis=2) > 0.1).astype(np.uint8)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * MARGIN + 1,) * 2)
        self._mask = cv2.dilate(painted, kernel).astype(np.float32)
        self._reach = math.hypot(*self.thing.size) / 2 + MARGIN

    def template(self, turn: float, factor: float) -> tuple[Floats, Floats]:
        """Gradients and mask of the example around its centre, turned and scaled."""
        side = 2 * math.ceil(self._reach * factor) + 1
        x, y = self.thing.position
        matrix = np.array(cv2.getRotationMatrix2D((x - 0.5, y - 0.5), -turn, factor), np.float64)
        matrix[:, 2] += (side / 2 - x, side / 2 - y)
        blurred = cv2.GaussianBlur(self._image, (0, 0), 0.5 / factor) if factor < 0.8 else self._image
        image = cv2.warpAffine(
            blurred, matrix, (side, side), flags=cv2.INTER_LINEAR, borderValue=(*self._ground, 0.0)
        )
        mask = cv2.warpAffine(self._mask, matrix, (side, side), flags=cv2.INTER_LINEAR)
        rows, columns = np.nonzero(mask > 0.5)
        half = max(np.abs(rows - side // 2).max(), np.abs(columns - side // 2).max())
        low, high = side // 2 - half, side // 2 + half + 1
        return edges(image)[low:high, low:high], (mask[low:high, low:high] > 0.5).astype(np.float32)

    @cached_property
    def bank(self) -> list[tuple[float, float, Floats, Floats]]:
        """(turn, size, gradients, mask) of every template for the first look."""
        turns, sizes = TURNS[:: self._every], SIZES[:: self._every]
        poses = [(float(turn), float(size)) for size in sizes for turn in turns]
        return [(turn, size, *self.template(turn, size / COARSE)) for turn, size in poses]


class Template:
    """Remembers every example; `every` so manieth turn and size is in the bank."""

    def __init__(self, every: int = 1) -> None:
        self._every = every
        self._examples: list[Example] = []

    def teach(self, lesson: Lesson) -> float:
        start = time.perf_counter()
        example = Example(lesson, self._every)
        assert example.bank
        self._examples.append(example)
        return time.perf_counter() - start

    def find(self, image: Image) -> Sight:
        start = time.perf_counter()
        picture = image.astype(np.float32) / 255
        fine = edges(cv2.GaussianBlur(picture, (0, 0), 0.5))
        coarse = edges(cv2.resize(picture, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA))
        found: list[Finding] = []
        for example in self._examples:
            for rough in _first_look(example, coarse):
                pose = _refined(example, rough, fine)
                if pose.agreement >= ACCEPT:
                    found.append(_finding(example.thing, pose))
        return Sight(_settled(found), time.perf_counter() - start)


def edges(image: NDArray[Any]) -> Floats:
    """float32 HxW from float32 HxWx3: the strongest gradient of the three channels, cut off at `CLEAR`."""
    across, down = (cv2.Sobel(image, cv2.CV_32F, dx, 1 - dx, ksize=3) for dx in (1, 0))
    strength: Floats = np.minimum(cv2.magnitude(across, down).max(axis=2), np.float32(CLEAR))
    return strength


def _agreement(picture: NDArray[Any], template: Floats, mask: Floats) -> Floats:
    """Normalised correlation at every place; -1 where the picture is flat."""
    result = cv2.matchTemplate(picture, template, cv2.TM_CCOEFF_NORMED, mask=mask)
    result[~np.isfinite(result) | (np.abs(result) > 1.001)] = -1.0
    return result.astype(np.float32)


def _first_look(example: Example, picture: Floats) -> list[Pose]:
    """The best places, turns and sizes of the whole bank, none close to a better one."""
    hypotheses: list[Pose] = []
    for turn, size, template, mask in example.bank:
        border = template.shape[0] // 4  # an object close to the edge of the picture has its corners outside
        padded = cv2.copyMakeBorder(picture, border, border, border, border, cv2.BORDER_CONSTANT)
        if template.shape[0] > min(padded.shape):
            continue
        agreement = _agreement(padded, template, mask)
        for row, column in _peaks(agreement):
            x, y = (value + template.shape[0] / 2 - border for value in (column, row))
            hypotheses.append(Pose(x * COARSE, y * COARSE, turn, size, float(agreement[row, column])))
    kept: list[Pose] = []
    reach = math.sqrt(example.thing.size[0] * example.thing.size[1])
    for pose in sorted(hypotheses, key=lambda one: -one.agreement):
        crowd = [o for o in kept if math.dist((o.x, o.y), (pose.x, pose.y)) < 0.3 * reach * pose.size]
        if len(crowd) < 2:  # a second turn or size at the same place may turn out to be the better one
            kept.append(pose)
        if len(kept) == CANDIDATES:
            break
    return kept


def _peaks(agreement: Floats) -> Iterator[tuple[int, int]]:
    """Rows and columns of the clearest local maxima."""
    highest = cv2.dilate(agreement, np.ones((9, 9), np.uint8))
    rows, columns = np.nonzero((agreement == highest) & (agreement > FLOOR))
    order = np.argsort(-agreement[rows, columns])[:4]
    return zip(rows[order].tolist(), columns[order].tolist(), strict=True)


def _refined(example: Example, pose: Pose, picture: Floats) -> Pose:
    """Looks at full resolution around a pose, each finer than the one before."""
    best = Pose(pose.x, pose.y, pose.turn, pose.size, -1.0)
    for step, factor in STEPS:
        around = best
        for turn in (-step, 0.0, step):
            for size in (1 / factor, 1.0, factor):
                trial = _looked(example, picture, around, around.turn + turn, around.size * size)
                best = max(best, trial, key=lambda one: one.agreement)
    return best


def _looked(example: Example, picture: Floats, near: Pose, turn: float, size: float) -> Pose:
    """The best place within a few pixels of `near` for one turn and size."""
    template, mask = example.template(turn, size)
    half, reach = template.shape[0] // 2, 4
    left, top = round(near.x - 0.5) - half - reach, round(near.y - 0.5) - half - reach
    side = 2 * (half + reach) + 1
    window = _window(picture, left, top, side)
    agreement = _agreement(window, template, mask)
    row, column = np.unravel_index(int(agreement.argmax()), agreement.shape)
    x, y = (_vertex(line, int(i)) for line, i in ((agreement[row], column), (agreement[:, column], row)))
    return Pose(left + half + 0.5 + x, top + half + 0.5 + y, turn, size, float(agreement[row, column]))


def _vertex(line: Floats, i: int) -> float:
    """Where the parabola through a maximum and its neighbours has its top."""
    if not 0 < i < len(line) - 1:
        return float(i)
    before, here, after = (float(value) for value in line[i - 1 : i + 2])
    bend = before - 2 * here + after
    return i + (0.5 * (before - after) / bend if bend < 0 else 0.0)


def _window(picture: Floats, left: int, top: int, side: int) -> Floats:
    """side x side from (left, top); 0 outside of the picture."""
    window = np.zeros((side, side), np.float32)
    above, before = max(0, -top), max(0, -left)
    inside = picture[max(0, top) : max(0, top + side), max(0, left) : max(0, left + side)]
    window[above : above + inside.shape[0], before : before + inside.shape[1]] = inside
    return window


def _finding(thing: Thing, pose: Pose) -> Finding:
    size = (thing.size[0] * pose.size, thing.size[1] * pose.size)
    turn = math.remainder(pose.turn, 360.0)
    return Finding(thing.name, (pose.x, pose.y), size, turn, pose.agreement)


def _settled(found: list[Finding]) -> list[Finding]:
    """Non-maximum suppression."""
    kept: list[Finding] = []
    for guess in sorted(found, key=lambda one: -one.p):
        reach = math.sqrt(guess.size[0] * guess.size[1])
        if all(
            math.dist(guess.position, o.position) > NEAR * max(reach, math.sqrt(o.size[0] * o.size[1]))
            for o in kept
        ):
            kept.append(guess)
    return kept

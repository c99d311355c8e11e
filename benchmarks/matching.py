"""Scoring: which found shape is which true one, and how far off it is.

A match is as `counting.py` has it, the size of a shape being the mean of its w and h.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from counting import Counts, paired
from numpy.typing import NDArray
from scatter import Shape
from scenes import Case
from skimage.metrics import structural_similarity

ROUND = 0.05  # w and h closer than this: a circle has no rotation, a triangle turns into itself by 120°


@dataclass(frozen=True)
class Found:
    """What a detector says about one shape, in the units of `Shape`."""

    symbol: str
    position: tuple[float, float]
    size: tuple[float, float]
    rotation: float
    colour: tuple[float, float, float]
    filled: bool
    depth: int | None = None  # larger is nearer; None where the detector does not know
    p: float = 1.0


@dataclass
class Score(Counts):
    """Counts and errors, of one picture or, added up with `+=`, of many."""

    centre: list[float] = field(default_factory=list)  # px
    size: list[float] = field(default_factory=list)  # relative, w and h of every match
    rotation: list[float] = field(default_factory=list)  # degrees, where the shape has a rotation
    colour: list[float] = field(default_factory=list)  # mean over the channels
    filled: list[bool] = field(default_factory=list)  # filled or outlined told rightly
    pairs: int = 0  # overlapping pairs
    pairs_found: int = 0  # of which both shapes were found
    pairs_told: int = 0  # and for which the detector gives an order
    pairs_right: int = 0  # the right one
    ssim_clean: list[float] = field(default_factory=list)  # redrawn against the picture before noise
    ssim_noisy: list[float] = field(default_factory=list)  # redrawn against the picture that was seen
    ssim_ceiling: list[float] = field(default_factory=list)  # clean against seen: noise cannot be redrawn
    seconds: list[float] = field(default_factory=list)
    empty: int = 0  # pictures without any observation
    perfect: int = 0  # pictures with every shape found and nothing else
    pictures: int = 0

    def order(self, *, of_found: bool = False) -> float:
        """Share of overlapping pairs in the right order; a missed shape counts as wrong unless `of_found`."""
        total = self.pairs_found if of_found else self.pairs
        return self.pairs_right / total if self.pairs_told else math.nan


def match(truth: Sequence[Shape], found: Sequence[Found]) -> list[tuple[int, int]]:
    """(index in truth, index in found) of every match."""
    there = [(shape.symbol, shape.position) for shape in truth]
    guesses = [(guess.symbol, guess.position) for guess in found]
    return paired(there, guesses, [sum(shape.size) / 2 for shape in truth])


def equivalent_poses(shape: Shape, guess: Found) -> list[tuple[float, float, float]]:
    """(w, h, rotation) of the guess in every form that would draw the same, as far as `shape` allows."""
    (w, h), turn = guess.size, guess.rotation
    if shape.symbol == "triangle":
        return [(w, h, turn + 120 * k) for k in range(3 if is_round(shape) else 1)]
    return [pose for k in (0, 180) for pose in ((w, h, turn + k), (h, w, turn + 90 + k))]


def is_round(shape: Shape) -> bool:
    """Whether w and h are (nearly) the same."""
    return abs(shape.size[0] - shape.size[1]) <= ROUND * max(shape.size)


def pose_errors(shape: Shape, guess: Found) -> tuple[float, float, float | None]:
    """Relative error of w and of h, and degrees (None: no rotation), in the closest equivalent pose."""
    rotates = shape.symbol != "circle" or not is_round(shape)
    best: tuple[float, float, float] | None = None
    for w, h, turn in equivalent_poses(shape, guess):
        angle = abs((turn - shape.rotation + 180) % 360 - 180) if rotates else 0.0
        errors = abs(w / shape.size[0] - 1), abs(h / shape.size[1] - 1), angle
        if best is None or sum(errors[:2]) + angle / 45 < sum(best[:2]) + best[2] / 45:
            best = errors
    assert best is not None
    return best[0], best[1], best[2] if rotates else None


def score(
    case: Case, found: Sequence[Found], seconds: float = 0.0, redrawn: NDArray[np.uint8] | None = None
) -> Score:
    """The score of one picture."""
    pairs = match(case.shapes, found)
    result = Score(len(case.shapes), len(found), len(pairs), seconds=[seconds], pictures=1)
    result.empty = int(not found)
    result.perfect = int(len(pairs) == len(case.shapes) == len(found))
    for i, j in pairs:
        shape, guess = case.shapes[i], found[j]
        width, height, angle = pose_errors(shape, guess)
        result.centre.append(math.dist(shape.position, guess.position))
        result.size += [width, height]
        if angle is not None:
            result.rotation.append(angle)
        result.colour.append(float(np.abs(np.subtract(shape.colour, guess.colour)).mean()))
        result.filled.append(shape.filled == guess.filled)
    guess_of = dict(pairs)
    result.pairs = len(case.pairs)
    for back, front in case.pairs:
        if back in guess_of and front in guess_of:
            behind, before = found[guess_of[back]].depth, found[guess_of[front]].depth
            result.pairs_found += 1
            if behind is not None and before is not None:
                result.pairs_told += 1
                result.pairs_right += int(behind < before)
    if redrawn is not None:
        result.ssim_clean.append(ssim(redrawn, case.clean))
        result.ssim_noisy.append(ssim(redrawn, case.image))
        result.ssim_ceiling.append(ssim(case.clean, case.image))
    return result


def ssim(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """Structural similarity of two uint8 HxWx3 pictures, mean over the channels."""
    return float(structural_similarity(one, other, channel_axis=2, data_range=255))

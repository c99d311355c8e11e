"""How well a picture was taken apart: adjusted Rand index, mean IoU by class, the right count.

A scene is a list of segments, each a class and the pixels it shows. What is seen may overlap or leave pixels
out; a pixel belongs to the last segment that covers it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]
GROUND = 0  # the label of pixels that no segment covers


@dataclass(frozen=True)
class Segment:
    """One object: what it is, and where it shows."""

    symbol: str
    mask: NDArray[np.bool_]  # (H, W)


@dataclass(frozen=True)
class Score:
    """What was seen in several scenes, against what is truly there."""

    ari: float  # over the true foreground, the mean of all scenes
    iou: dict[str, float]  # of each class, over the pixels of all scenes together
    counted: float  # share of scenes with the right number of objects
    named: float  # share of scenes with the right number of objects of every class

    @property
    def mean_iou(self) -> float:
        """Every class counts the same; the ground is none of them."""
        return float(np.mean(list(self.iou.values())))


def score(
    truth: Sequence[Sequence[Segment]], seen: Sequence[Sequence[Segment]], classes: Sequence[str]
) -> Score:
    """Compare what was seen in each scene with what is there; a symbol that is no class counts as wrong.

    Every true scene has at least one object.
    """
    if len(truth) != len(seen) or not truth:
        raise ValueError(f"{len(truth)} true scenes cannot be compared with {len(seen)} that were seen.")
    pairs = [(true, found, true[0].mask.shape) for true, found in zip(truth, seen, strict=True)]
    return Score(
        ari=float(
            np.mean([foreground_ari(instances(t, shape), instances(f, shape)) for t, f, shape in pairs])
        ),
        iou=class_iou(
            [(kinds(t, shape, classes), kinds(f, shape, classes)) for t, f, shape in pairs], classes
        ),
        counted=float(np.mean([len(true) == len(found) for true, found, _ in pairs])),
        named=float(np.mean([_names(true) == _names(found) for true, found, _ in pairs])),
    )


def instances(segments: Sequence[Segment], shape: tuple[int, ...]) -> Labels:
    """(H, W): the number of the segment that each pixel belongs to, counted from 1."""
    return _painted(segments, range(1, len(segments) + 1), shape)


def kinds(segments: Sequence[Segment], shape: tuple[int, ...], classes: Sequence[str]) -> Labels:
    """(H, W): the class that each pixel belongs to, counted from 1; an unknown one comes after the last."""
    number = {name: n for n, name in enumerate(classes, 1)}
    return _painted(segments, [number.get(each.symbol, len(classes) + 1) for each in segments], shape)


def foreground_ari(true: Labels, seen: Labels) -> float:
    """The adjusted Rand index (Hubert and Arabie) over the pixels of which `true` is not the ground.

    1 if both group these pixels in the same way, about 0 for groups at random. Pixels that were seen as the
    ground are one group like any other.
    """
    front = true != GROUND
    _, a = np.unique(true[front], return_inverse=True)
    _, b = np.unique(seen[front], return_inverse=True)
    if a.size < 2 or (a.max() == 0 and b.max() == 0):
        return 1.0
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a, b), 1.0)
    together, rows, columns = _pairs(table), _pairs(table.sum(1)), _pairs(table.sum(0))
    chance = rows * columns / _pairs(table.sum())
    most = (rows + columns) / 2
    return 1.0 if most == chance else (together - chance) / (most - chance)


def class_iou(scenes: Iterable[tuple[Labels, Labels]], classes: Sequence[str]) -> dict[str, float]:
    """Intersection over union of every class that occurs, over all (true, seen) maps of classes together."""
    both, either = np.zeros(len(classes)), np.zeros(len(classes))
    for true, seen in scenes:
        for n in range(len(classes)):
            one, other = true == n + 1, seen == n + 1
            both[n] += np.count_nonzero(one & other)
            either[n] += np.count_nonzero(one | other)
    return {name: float(both[n] / either[n]) for n, name in enumerate(classes) if either[n]}


def _painted(segments: Sequence[Segment], labels: Iterable[int], shape: tuple[int, ...]) -> Labels:
    """Each segment's label where it shows, the ground elsewhere."""
    out = np.full(shape, GROUND, dtype=np.int64)
    for segment, label in zip(segments, labels, strict=True):
        out[segment.mask] = label
    return out


def _pairs(counts: NDArray[np.float64] | np.float64) -> float:
    """How many pairs can be made within groups of these sizes."""
    return float(np.sum(counts * (counts - 1) / 2))


def _names(segments: Sequence[Segment]) -> list[str]:
    return sorted(segment.symbol for segment in segments)
